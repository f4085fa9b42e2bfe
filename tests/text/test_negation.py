import pytest
from hypothesis import given
from hypothesis import strategies as st

from assay.text.negation import find_denials, leans_to_denial, opposites
from assay.text.quotations import find_quotations, spoken
from assay.text.words import stem


@pytest.mark.parametrize(
    ("text", "denials"),
    [
        ("It was not found.", ["not"]),
        ("It wasn't; they don’t.", ["wasn't", "don’t"]),
        ("not only good but cheap", []),
        ("Without doubt nobody came.", ["Without", "nobody"]),
        ("nothing, never, no one", ["nothing", "never", "no"]),
        ("a notable knot", []),
    ],
)
def test_denials(text, denials):
    assert [text[d.start : d.end] for d in find_denials(text)] == denials


def test_words_that_deny_without_not():
    assert leans_to_denial("He failed to come.")
    assert leans_to_denial("a harmless one")
    assert not leans_to_denial("He came home.")


def test_opposites_go_both_ways():
    assert stem("decreased") in opposites(stem("increased"))
    assert stem("increased") in opposites(stem("decreased"))
    assert opposites("table") == frozenset()


def test_quotations_are_compared_by_their_words():
    text = 'He said “it was a very — very — good day,” and "so it was... the whole day long".'
    first, second = find_quotations(text)
    assert text[first.start : first.end] == "it was a very — very — good day,"
    assert first.pieces == (" it was a very very good day ",)
    assert len(second.pieces) == 2
    assert first.pieces[0] in spoken("For me, it was a very, very good day.")


def test_short_quotations_are_terms():
    assert find_quotations('the "best of all" list') == []


@given(
    st.text(max_size=60)
    | st.lists(st.sampled_from(['"', "“", "”", "word ", "...", "[x]", "\n"])).map("".join)
)
def test_nothing_raises(text):
    for quotation in find_quotations(text):
        assert 0 <= quotation.start < quotation.end <= len(text)
    for denial in find_denials(text):
        assert text[denial.start : denial.end]
    leans_to_denial(text)
