from unicodedata import category

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.words import STOPWORDS, content_words, stem, word_spans, words

TEXTS = st.lists(
    st.sampled_from(["東京", "カ", "が", "ไทย", "नमस्ते", "é", "e\u0301", "don’t", "-", "3.5", "1,000",
    "**", " ", "ﬁ", "Ａ", "²", "\ud800", "a", "1"])
    | st.text(max_size=5),
    max_size=12,
).map("".join)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("population **999** million", ["population", "999", "million"]),
        ("Don’t and don't", ["don't", "and", "don't"]),
        ("a well-known COVID-19 case", ["a", "well-known", "covid-19", "case"]),
        ("3.5 1,000 12:30", ["3.5", "1,000", "12:30"]),
        ("1990-2000, 1990–2000", ["1990", "2000", "1990", "2000"]),
        ("It ends. 5. Then", ["it", "ends", "5", "then"]),
        ("snake_case __bold__ *it*", ["snake", "case", "bold", "it"]),
        ("tower¹ m² H₂O", ["tower", "m", "h2o"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー"]),
        ("木 at 木。", ["木", "at", "木"]),
        ("東京abc", ["東京", "abc"]),
        ("한국어 단어", ["한국어", "단어"]),
        ("नमस्ते दुनिया।", ["नमस्ते", "दुनिया"]),
        ("ภาษาไทย", ["ภาษาไทย"]),
        ("ΑΒΓ Straße", ["αβγ", "strasse"]),
        ("ｆｕｌｌ ﬁne", ["full", "fine"]),
        ("soft\u00adhyphen", ["softhyphen"]),
        ("", []),
        ("\ud800 \x00 '' -- '", []),
    ],
)
def test_words(text, expected):
    assert words(text) == expected


def test_forms_do_not_depend_on_normalization():
    assert words("e\u0301te\u0301") == words("été")
    assert words("か\u3099く") == words("がく")


@given(TEXTS)
@settings(max_examples=2000, deadline=None)
def test_spans_point_at_their_words(text):
    spans = word_spans(text)
    assert [form for _, _, form in spans] == words(text)
    last = -1
    for start, end, form in spans:
        assert last < start < end <= len(text)
        assert form
        assert not any(char.isspace() for char in form)
        assert form == form.casefold()
        assert any(char.isalnum() or category(char) == "Cn" for char in text[start:end])
        last = start


@given(st.text(alphabet="ab1.,:-' \n*_", max_size=30))
@settings(max_examples=2000, deadline=None)
def test_ascii_text_is_read_like_any_other(text):
    assert words(text) == words(text + " Ж")[:-1]


def test_no_letter_is_lost():
    text = "Der Fluß, ärmer; 東京です と नमस्ते!"
    covered = {i for start, end, _ in word_spans(text) for i in range(start, end)}
    assert all(i in covered for i, char in enumerate(text) if char.isalnum())


def test_content_words():
    assert content_words("The tower is not in the U.K. of old") == ["tower", "u", "k", "old"]
    assert "the" in STOPWORDS
    assert "tower" not in STOPWORDS


@pytest.mark.parametrize(
    ("form", "base"),
    [
        ("decays", "decay"), ("layers", "layer"), ("combined", "combine"), ("combining", "combine"),
        ("named", "name"),
        ("stopped", "stop"), ("planned", "plan"), ("opened", "open"), ("controlled", "control"),
        ("installed", "install"),
        ("called", "call"), ("cities", "city"), ("houses", "house"), ("boxes", "box"), ("sized",
        "size"), ("solved", "solve"),
        ("created", "create"), ("added", "add"), ("changing", "change"), ("located", "locate"),
        ("carried", "carry"),
        ("processes", "process"), ("running", "run"), ("died", "die"), ("used", "use"), ("tower's",
        "tower"), ("being", "be"),
        ("increases", "increase"), ("released", "release"), ("going", "go"),
    ],
)  # fmt: skip
def test_forms_of_a_word_meet(form, base):
    assert stem(form) == stem(base)


@pytest.mark.parametrize(
    ("one", "other"),
    [("plan", "plane"), ("car", "care"), ("string", "str"), ("bus", "bu"), ("universe", "university"),
    ("red", "r"), ("seed", "see"), ("1990s", "1990")],
)  # fmt: skip
def test_other_words_stay_apart(one, other):
    assert stem(one) != stem(other)


@given(st.text(max_size=12))
@settings(max_examples=2000, deadline=None)
def test_stem_shortens_and_never_empties(word):
    assert len(stem(word)) <= len(word)
    assert stem(word) or not word or word == "'s"


def test_long_input():
    for unit in ("a-", "1,", "'", "a", "東", "e\u0301", "\u0301", "-", "1"):
        assert isinstance(words(unit * 100_000), list)
