from __future__ import annotations

from assay import Passage, Sample
from assay.judge.excerpts import excerpts
from assay.models.lexical import LexicalEmbedder
from assay.signals import Reading
from assay.verdict import Evidence

SENTENCES = [f"Sentence number {n} speaks of topic{n} at length." for n in range(40)]
LONG = " ".join(SENTENCES)


def reading(*passages: str | Passage) -> Reading:
    return Reading(Sample("q", list(passages), "r"), LexicalEmbedder())


def place(number: int, passage: int = 0) -> Evidence:
    start = LONG.index(SENTENCES[number])
    return Evidence(passage, start, start + len(SENTENCES[number]))


def test_a_context_that_fits_is_shown_whole() -> None:
    found = excerpts(reading("One. Two.", " ", Passage("Three.", title="T")), [Evidence(0, 0, 4)], 1000)
    assert [(e.passage, e.text, e.title) for e in found] == [(0, "One. Two.", None), (2, "Three.", "T")]


def test_of_a_long_one_the_places_with_their_neighbours_in_the_order_of_the_text() -> None:
    found = excerpts(reading(LONG), [place(30), place(10)], 1000)
    assert [e.text for e in found] == [" ".join(SENTENCES[8:13]), " ".join(SENTENCES[28:33])]
    assert all(LONG[e.start : e.end] == e.text for e in found)


def test_places_that_meet_are_joined_and_repeated_ones_shown_once() -> None:
    found = excerpts(reading(LONG), [place(10), place(10), place(12)], 1000)
    assert [e.text for e in found] == [" ".join(SENTENCES[8:15])]


def test_the_room_is_kept_and_no_number_is_cut_in_two() -> None:
    found = excerpts(reading(LONG), [place(20), place(5), place(35)], 600)
    assert sum(len(e.text) for e in found) <= 600
    assert any(SENTENCES[20] in e.text for e in found)
    for e in found:
        assert e.end == len(LONG) or LONG[e.end].isspace() or LONG[e.end - 1].isspace()


def test_without_a_place_the_beginnings_are_shown() -> None:
    found = excerpts(reading(LONG, LONG), [], 500)
    assert (found[0].passage, found[0].start) == (0, 0)
    assert 0 < sum(len(e.text) for e in found) <= 500


def test_one_endless_sentence_is_cut_at_the_room() -> None:
    (found,) = excerpts(reading("word " * 10_000), [Evidence(0, 0, 49_999)], 700)
    assert 690 <= len(found.text) <= 700
    assert excerpts(reading("x" * 10_000), [Evidence(0, 0, 10_000)], 700)[0].text == "x" * 700
