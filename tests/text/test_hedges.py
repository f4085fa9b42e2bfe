from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.hedges import HEDGES, find_hedges


def test_every_occurrence_counts_with_its_place():
    text = "It can be good. PERHAPS it can\nbe bad, or might be."
    assert find_hedges(text) == [
        (0, 9, "it can be"), (16, 23, "perhaps"), (24, 33, "it can be"), (42, 50, "might be"),
    ]  # fmt: skip


def test_only_whole_words():
    assert find_hedges("almighty might; seldom mighty; maybelline") == [(9, 14, "might")]


def test_letters_that_only_fold_to_ours_do_not_match():
    assert find_hedges("poſſibly probabl\u0130y \u0131t can be") == []


def test_every_phrase_is_found_whole():
    for phrase in HEDGES:
        assert find_hedges(f"x {phrase} y") == [(2, 2 + len(phrase), phrase)]


@given(
    st.lists(st.sampled_from([*HEDGES, "\n", "it", " ", "be"]) | st.text(max_size=4), max_size=8).map(
        " ".join
    )
)
@settings(max_examples=2000, deadline=None)
def test_spans_are_in_order_and_known(text):
    last = 0
    for start, end, phrase in find_hedges(text):
        assert last <= start < end <= len(text)
        assert phrase in HEDGES
        last = end
