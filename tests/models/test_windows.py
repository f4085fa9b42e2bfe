import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer

from assay.models.verifier_weights import BUNDLED
from assay.models.windows import CLS, SEP, Matches, passage_windows, stretches
from assay.sample import Passage
from assay.text.claims import segment


@pytest.fixture(scope="module")
def tokenizer():
    loaded = Tokenizer.from_file(str(BUNDLED / "tokenizer.json"))
    loaded.no_padding()
    loaded.no_truncation()
    return loaded


LONG = " ".join(f"Sentence number {n} speaks of the river and of the {n} boats on it." for n in range(200))


def test_windows_hold_every_sentence(tokenizer):
    windows = passage_windows(tokenizer, 3, Passage(LONG, title="Boats"))
    title = tokenizer.encode("Boats", add_special_tokens=False).ids
    read = []
    for window in windows:
        assert window.passage == 3
        assert len(window.ids) <= 240
        assert list(window.ids[: len(title)]) == title
        read += window.ids[len(title) :]
        assert LONG[window.start : window.end].startswith("Sentence number")
    assert read == tokenizer.encode(LONG, add_special_tokens=False).ids
    assert windows[0].start == 0
    assert windows[-1].end == len(LONG)


def test_an_endless_word_is_cut_and_read(tokenizer):
    windows = passage_windows(tokenizer, 0, Passage("abc " * 400))
    assert sum(len(w.ids) for w in windows) == len(
        tokenizer.encode("abc " * 400, add_special_tokens=False).ids
    )


def test_no_words_no_windows(tokenizer):
    assert passage_windows(tokenizer, 0, Passage("")) == []
    assert passage_windows(tokenizer, 0, Passage("  \n")) == []


def test_claims_are_read_with_the_question(tokenizer):
    response = "The river is long. It has 12 boats."
    claims = [(part.start, part.end) for part in segment(response)]
    (read,) = stretches(tokenizer, "How long?", response, claims)
    asked = tokenizer.encode("How long?", add_special_tokens=False).ids
    assert list(read.ids[: read.first]) == [CLS, *asked, SEP]
    assert read.ids[-1] == SEP
    for (number, first, end), (start, stop) in zip(read.claims, claims, strict=True):
        assert response[read.places[first][0] : read.places[end - 1][1]] == response[start:stop], number


def test_a_long_response_is_read_in_parts_with_a_lead(tokenizer):
    claims = [(part.start, part.end) for part in segment(LONG)]
    parts = stretches(tokenizer, "", LONG, claims)
    assert [number for part in parts for number, _, _ in part.claims] == list(range(len(claims)))
    assert all(len(part.ids) <= 258 for part in parts)
    assert all(part.claims[0][1] > 1 for part in parts[1:])


@given(st.text(), st.text(max_size=30))
def test_any_text_is_read(tokenizer, response, question):
    claims = [(part.start, part.end) for part in segment(response)]
    for part in stretches(tokenizer, question, response, claims):
        for _, first, end in part.claims:
            assert part.first <= first < end < len(part.ids)
    passage_windows(tokenizer, 0, Passage(response))


def test_levels_are_the_longest_found_run():
    found = Matches([(1, 2, 3, 4, 5, 6, 7, 8), (20, 21)])
    assert found.levels([1, 2, 3, 4, 5, 6, 7, 8]) == [4] * 8
    assert found.levels([3, 4, 9, 20, 8]) == [2, 2, 0, 1, 1]
    assert found.levels([]) == []
    assert Matches([]).levels([1]) == [0]
