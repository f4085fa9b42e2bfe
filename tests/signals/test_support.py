from __future__ import annotations

import dataclasses
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.sample import Passage
from assay.signals.support import (
    Corpus,
    _heaviest,
    _heaviest_of_many,
    best_window,
    index_passage,
    key_of,
    support,
    terms,
)

TEXT = "The bridge was opened in 1998. It is 340 metres long. The town paid 12 million euros. Ada Lovelace designed it."


def supported(claim: str, *passages: str) -> float:
    found = support(terms(claim), Corpus([index_passage(Passage(p)) for p in passages]))
    assert found is not None
    return found.value


def test_a_copied_sentence_is_fully_supported() -> None:
    assert supported("The bridge was opened in 1998.", TEXT) == 1.0


def test_words_that_stand_nowhere_give_nothing() -> None:
    assert supported("Penguins breed on sea ice.", TEXT) == 0.0


def test_the_formula_by_hand() -> None:
    # content: bridge, painted, green -> found 1/3, best window 1/3; pairs of (the bridge was painted green):
    # (the, bridge) and (bridge, was) of four
    assert supported("The bridge was painted green", TEXT) == pytest.approx(0.4 / 3 + 0.3 / 3 + 0.3 * 2 / 4)


def test_a_number_that_stands_nowhere_halves_support() -> None:
    claim = support(terms("The bridge was opened in 2005."), Corpus([index_passage(Passage(TEXT))]))
    assert claim is not None
    assert claim.facts == ("the number 2005 does not stand in the context",)
    assert claim.value < supported("The bridge was opened in spring.", TEXT)


def test_a_name_that_stands_nowhere_is_a_finding() -> None:
    claim = support(terms("It was designed by Ada Byron."), Corpus([index_passage(Passage(TEXT))]))
    assert claim is not None
    assert claim.facts == ("the name Byron does not stand in the context",)


@pytest.mark.parametrize(
    ("written", "key"),
    [("1,200", "1200"), ("1200", "1200"), ("1,200.0", "1200"), ("3.50", "3.50"), ("1998", "1998")],
)
def test_numbers_are_compared_without_separators(written: str, key: str) -> None:
    assert key_of(written) == key


def test_evidence_is_the_best_place_and_what_adds_to_it() -> None:
    long = " ".join(
        f"Filler sentence number {word} stands here." for word in "one two three four five six".split()
    )
    passage = f"The bridge was opened in 1998. {long} Ada Lovelace designed it."
    found = support(
        terms("The bridge opened in 1998 was designed by Ada Lovelace."),
        Corpus([index_passage(Passage(passage))]),
    )
    assert found is not None
    assert {passage[e.start : e.end] for e in found.evidence} == {
        "The bridge was opened in 1998.",
        "Ada Lovelace designed it.",
    }


def test_a_title_belongs_to_its_passage() -> None:
    titled = index_passage(Passage("It was opened in 1998.", title="Wipper bridge"))
    plain = index_passage(Passage("It was opened in 1998."))
    claim = terms("The Wipper bridge was opened in 1998.")
    with_title, without = support(claim, Corpus([titled])), support(claim, Corpus([plain]))
    assert with_title is not None
    assert without is not None
    assert with_title.value > without.value


def test_nothing_to_look_for_is_none() -> None:
    assert support(terms("It is what it is."), Corpus([index_passage(Passage(TEXT))])) is None


WORDS = st.lists(
    st.sampled_from("bridge town river 1998 340 Ada opened paid not euros . long".split()), max_size=25
)


@settings(max_examples=500, deadline=None)
@given(claim=WORDS, passages=st.lists(WORDS, min_size=1, max_size=3), further=WORDS, place=st.integers(0, 3))
def test_a_further_passage_never_lowers_support(
    claim: list[str], passages: list[list[str]], further: list[str], place: int
) -> None:
    texts = [" ".join(p) for p in passages]
    more = list(texts)
    more.insert(min(place, len(more)), " ".join(further))
    before = support(terms(" ".join(claim)), Corpus([index_passage(Passage(t)) for t in texts]))
    after = support(terms(" ".join(claim)), Corpus([index_passage(Passage(t)) for t in more]))
    assert (before is None) == (after is None)
    if before is not None and after is not None:
        assert after.value >= before.value - 1e-12
        assert 0.0 <= before.value <= 1.0 + 1e-12


@settings(max_examples=300, deadline=None)
@given(sentences=st.lists(WORDS, min_size=1, max_size=12), wanted=WORDS)
def test_the_heaviest_window_equals_brute_force(sentences: list[list[str]], wanted: list[str]) -> None:
    index = index_passage(Passage(". ".join(" ".join(s) for s in sentences)))
    weights = {
        key_of(word.lower()): i + 1 for i, word in enumerate(dict.fromkeys(w for w in wanted if w != "."))
    }
    brute = [
        sum(weight for word, weight in weights.items() if any(word in s for s in index.stems[i : i + 3]))
        for i in range(index.window_count)
    ]
    if brute:
        assert _heaviest(weights, index) == (max(brute), brute.index(max(brute)) if max(brute) else 0)
        holding: dict[str, list[int]] = {}
        for number, stems in enumerate(index.stems):
            for word in stems:
                holding.setdefault(word, []).append(number)
        many = dataclasses.replace(index, holding=holding)
        assert _heaviest_of_many(weights, many) == _heaviest(weights, index)


def test_the_earliest_of_equal_windows_is_taken() -> None:
    twice = [index_passage(Passage("The bridge is here.")), index_passage(Passage("A bridge."))]
    _, place = best_window({key_of("bridge"): 1}, twice)
    assert place is not None
    assert place.passage == 0


def test_a_huge_context_is_searched_in_bounded_time() -> None:
    source = random.Random(3)
    words = [f"word{i}" for i in range(3000)]
    text = ". ".join(" ".join(source.choices(words, k=12)) for _ in range(20_000))
    index = index_passage(Passage(text))
    assert index.window_count > 512
    claim = terms(" ".join(source.choices(words, k=12)))
    assert all(support(claim, Corpus([index])) is not None for _ in range(50))


def test_a_denial_of_what_the_context_states_halves_support() -> None:
    stated = "Refunds are possible within 30 days."
    denied = support(
        terms("Refunds are not possible within 30 days."), Corpus([index_passage(Passage(stated))])
    )
    assert denied is not None
    assert denied.value <= 0.5
    assert denied.facts == ("the claim denies something, and nothing near its words in the context does",)


@pytest.mark.parametrize(
    ("claim", "context"),
    [
        ("Refunds are not possible.", "Refunds are never possible."),
        ("It has no parking.", '{"name": "Cafe", "parking": false}'),
        ("The bridge isn't open.", "The bridge is closed. It will not open."),
    ],
)
def test_a_denial_that_stands_in_the_context_costs_nothing(claim: str, context: str) -> None:
    found = support(terms(claim), Corpus([index_passage(Passage(context))]))
    assert found is not None
    assert not any("denies" in fact for fact in found.facts)
