import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.published import PUBLISHED_HEDGES, ascii_words, published_hedge_count, punctuation_sentences


def test_words_are_ascii_letters_only():
    assert ascii_words("Don't café 3x, B2B") == ["don", "t", "caf", "x", "b", "b"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", []),
        ("  \n", []),
        (" A b. C! D? e ", ["A b.", "C!", "D?", "e"]),
        ("3.5 e.g. x", ["3.5 e.g.", "x"]),
        ("a.b", ["a.b"]),
        (". .", [".", "."]),
    ],
)
def test_sentences(text, parts):
    assert [text[a:b] for a, b in punctuation_sentences(text)] == parts


@given(st.text(alphabet="ab.!? \n\t\u3000\x1c\ud800", max_size=40))
@settings(max_examples=2000, deadline=None)
def test_sentences_are_the_pieces_of_the_published_formula(text):
    pieces = [piece.strip() for piece in re.split(r"(?<=[.!?])\s+", text.strip())]
    assert [text[a:b] for a, b in punctuation_sentences(text)] == [piece for piece in pieces if piece]


def test_each_phrase_counts_once_and_also_inside_words():
    assert len(PUBLISHED_HEDGES) == 11
    assert published_hedge_count("It depends. It DEPENDS. Permit can bees") == 2
    assert published_hedge_count(" ".join(PUBLISHED_HEDGES)) == 11
    assert published_hedge_count("The tower is high.") == 0
