"""What of the context the judge is shown: all of it where it fits, else the places that matter."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.signals.reading import Reading
from assay.verdict import Evidence

AROUND = 2
"""Sentences shown before and after a place."""


@dataclass(frozen=True, slots=True)
class Excerpt:
    """Characters ``start:end`` of a passage, with the passage's title."""

    passage: int
    start: int
    end: int
    title: str | None
    text: str


def excerpts(reading: Reading, places: Sequence[Evidence], room: int) -> list[Excerpt]:
    """Excerpts of ``room`` characters at most, in the order of the passages.

    Args:
        reading: The sample.
        places: Where the evidence stands, the most important first; each is widened by its neighbours.
        room: Characters to spend.
    """
    if sum(len(p.text) + len(p.title or "") for p in reading.passages) <= room:
        whole = [(i, 0, len(p.text)) for i, p in enumerate(reading.passages) if p.text.strip()]
        return [_cut(reading, *span) for span in whole]
    chosen: list[tuple[int, int, int]] = []
    for place in places or [Evidence(i, 0, 0) for i in range(len(reading.passages))]:
        span = _widened(reading, place)
        if any(p == span[0] and s <= span[1] and span[2] <= e for p, s, e in chosen):
            continue
        title = len(reading.passages[span[0]].title or "")
        length = min(span[2] - span[1], room - title)
        if length <= 0:
            break
        chosen.append((span[0], span[1], _whole_word(reading, span[0], span[1], span[1] + length)))
        room -= length + title
    return [_cut(reading, *span) for span in _joined(chosen)]


def _widened(reading: Reading, place: Evidence) -> tuple[int, int, int]:
    spans = reading.corpus.passages[place.passage].spans
    touched = [i for i, (start, end) in enumerate(spans) if start < max(place.end, 1) and end > place.start]
    if not touched:
        return place.passage, place.start, place.end
    first, last = max(0, touched[0] - AROUND), min(len(spans) - 1, touched[-1] + AROUND)
    return place.passage, spans[first][0], spans[last][1]


def _whole_word(reading: Reading, passage: int, start: int, end: int) -> int:
    """An end that cuts no word or number in two, where there is a space to cut at."""
    text = reading.passages[passage].text
    if end >= len(text) or text[end].isspace():
        return end
    space = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
    return space if space > start else end


def _joined(spans: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    joined: list[tuple[int, int, int]] = []
    for passage, start, end in sorted(spans):
        if joined and joined[-1][0] == passage and start <= joined[-1][2]:
            joined[-1] = (passage, joined[-1][1], max(end, joined[-1][2]))
        else:
            joined.append((passage, start, end))
    return joined


def _cut(reading: Reading, passage: int, start: int, end: int) -> Excerpt:
    whole = reading.passages[passage]
    return Excerpt(passage, start, end, whole.title, whole.text[start:end])
