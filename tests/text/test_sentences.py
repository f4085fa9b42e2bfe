import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.sentences import _asks_punkt, _breaks, _punkt_breaks, sentence_spans


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("It was 5 p.m. We left.", ["It was 5 p.m.", "We left."]),
        ("He works at Apple Inc. The firm is big.", ["He works at Apple Inc.", "The firm is big."]),
        ("Use X, Y, etc. They work.", ["Use X, Y, etc.", "They work."]),
        ("See Fig. 3. It ends.", ["See Fig. 3.", "It ends."]),
        ("The answer is no. Everyone agreed.", ["The answer is no.", "Everyone agreed."]),
        ("In Roe v. Wade it was x. Then.", ["In Roe v. Wade it was x.", "Then."]),
        ("It rose to 3. 14 men came.", ["It rose to 3.", "14 men came."]),
        ("Stop!!! Go.", ["Stop!!!", "Go."]),
        ("iPhones sold. iPhone is a brand.", ["iPhones sold.", "iPhone is a brand."]),
        ("3．5 は。次。", ["3．5 は。", "次。"]),
        ("... . !", ["... . !"]),
    ],
)
def test_ends(text, parts):
    assert [text[a:b] for a, b in sentence_spans(text)] == parts


def test_a_part_of_a_text():
    text = "No. Here it is. And there. Not this."
    assert [text[a:b] for a, b in sentence_spans(text, 4, 26)] == ["Here it is.", "And there."]


@given(st.text(alphabet='aB1. !?。؟\n[]()"*…\ud800', max_size=40))
@settings(max_examples=2000, deadline=None)
def test_only_space_lies_between(text):
    spans = sentence_spans(text)
    last = 0
    for start, end in spans:
        assert not text[last:start].strip()
        assert text[start:end].strip() == text[start:end] != ""
        last = end
    assert not text[last:].strip()


@settings(max_examples=2000, deadline=None)
@given(
    word=st.sampled_from([*sorted(_asks_punkt())[:400], "bridge", "Bridge", "no", "ok", "x", "usa"])
    | st.text(max_size=8),
    following=st.sampled_from(["The", "the", "5", "U.S.", "He", "(see", "II", "Bach", "…", "Über"])
    | st.text(max_size=6),
)
def test_the_short_cut_past_punkt_says_what_punkt_says(word: str, following: str) -> None:
    assert _breaks(word, following) == _punkt_breaks(f"{word}.", following)
