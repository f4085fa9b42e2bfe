import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.names import NameBook, find_names
from assay.text.words import words


def book(text):
    return NameBook(words(text), find_names(text))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("It was Barack Obama who came.", ["Barack Obama"]),
        ("They met in the U.S. with NATO.", ["U.S.", "NATO"]),
        ("in Rio de Janeiro and Bank of America", ["Rio de Janeiro", "Bank of America"]),
        ("on Monday in May", []),
        ("Obama's car", ["Obama"]),
        ("heated to 350°F", []),
    ],
)
def test_names(text, names):
    assert [text[n.start : n.end] for n in find_names(text)] == names


def test_a_name_at_the_beginning_of_a_sentence_is_marked():
    assert [n.initial for n in find_names("Cats met Bob. Then Ann left.")] == [True, False, False]


@pytest.mark.parametrize(
    ("claim", "context", "held"),
    [
        ("the man Obama", "Barack Obama came", True),
        ("in the US", "in the United States", True),
        ("in the United States", "in the U.S.", True),
        ("of NATO", "the North Atlantic Treaty Organization", True),
        ("by the World Health Organization", "the WHO said", True),
        ("in California", "Santa Barbara, CA", True),
        ("a Russian ship", "from Russia", True),
        ("free WiFi", "Wi-Fi: free", True),
        ("free WiFi", "Wi Fi: free", True),
        ("the man Clinton", "Barack Obama came", False),
        ("the state Texas", "Santa Barbara, CA", False),
    ],
)
def test_short_and_long_forms(claim, context, held):
    (name,) = find_names(claim)
    assert (book(context).holds_name(name) == ()) is held


@given(
    st.text(max_size=40)
    | st.lists(st.sampled_from(["U.S.", "Ann ", "of ", "'s", "-", "A. ", "BBC", "’"])).map("".join)
)
@settings(max_examples=500, deadline=None)
def test_offsets_hold_and_a_text_holds_its_own_names(text):
    for name in find_names(text):
        assert 0 <= name.start < name.end <= len(text)
        assert book(text).holds_name(name) == ()
