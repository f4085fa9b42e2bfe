"""What a verifier reads as word pieces: windows over every passage, a response's claims, the question."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from tokenizers import Tokenizer

from assay.sample import Passage
from assay.text.units import reading_units

WINDOW_PIECES = 240
"""Word pieces of a window; with [CLS] and [SEP] it stays below the 256 that MiniLM was trained with."""
TITLE_PIECES = 24
QUESTION_PIECES = 64
RESPONSE_PIECES = 256
LEAD_PIECES = 48
"""A claim is read with the claims before it, as far as they fit: "It" must have something to stand for."""
CLS, SEP = 101, 102
LONGEST_MATCH = 4
MATCH_SIZES = (1, 2, 4, 8)


@dataclass(frozen=True, slots=True)
class Window:
    """Some neighbouring units of one passage.

    Attributes:
        passage: Number of the passage.
        ids: Word pieces, the title's first, without [CLS] and [SEP].
        start: Offset in the passage of the first character read.
        end: Offset after the last.
        units: Where each unit stands: ``(first piece, end piece, start, end)``.
    """

    passage: int
    ids: tuple[int, ...]
    start: int
    end: int
    units: tuple[tuple[int, int, int, int], ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a response that is read at once.

    Attributes:
        ids: ``[CLS] question [SEP] response [SEP]`` (``[CLS] response [SEP]`` without a question).
        first: Position of the first piece of the response.
        claims: Claims scored here: ``(number of the claim, first position, end position)``.
        places: Offsets in the response of each position; (0, 0) for what is not of the response.
    """

    ids: tuple[int, ...]
    first: int
    claims: tuple[tuple[int, int, int], ...]
    places: tuple[tuple[int, int], ...] = field(repr=False)


def encodable(text: str) -> str:
    """Lone surrogates have no UTF-8 form; one replacement character each keeps all offsets."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return "".join("\ufffd" if "\ud800" <= char <= "\udfff" else char for char in text)
    return text


def passage_windows(
    tokenizer: Tokenizer, number: int, passage: Passage, size: int = WINDOW_PIECES
) -> list[Window]:
    """Windows over the units of a passage, in order, none left out; each begins with the title.

    Args:
        tokenizer: Without truncation and padding.
        number: The passage's number.
        passage: What is read.
        size: Most word pieces of a window.
    """
    title = tuple(_pieces(tokenizer, passage.title)[: min(TITLE_PIECES, size // 4)]) if passage.title else ()
    room = size - len(title)
    windows: list[Window] = []
    ids: list[int] = []
    units: list[tuple[int, int, int, int]] = []

    def close() -> None:
        if ids:
            windows.append(
                Window(
                    number, (*title, *ids), min(u[2] for u in units), max(u[3] for u in units), tuple(units)
                )
            )
            ids.clear()
            units.clear()

    read = reading_units(passage.text)
    encoded = tokenizer.encode_batch([encodable(unit.text) for unit in read], add_special_tokens=False)
    for unit, encoding in zip(read, encoded, strict=True):
        pieces = encoding.ids
        if len(ids) + len(pieces) > room:
            close()
        for cut in range(0, len(pieces), room):
            part = pieces[cut : cut + room]
            if len(ids) + len(part) > room:
                close()
            at = len(title) + len(ids)
            units.append((at, at + len(part), unit.start, unit.end))
            ids.extend(part)
    close()
    return windows


def stretches(
    tokenizer: Tokenizer,
    question: str,
    response: str,
    claims: Sequence[tuple[int, int]],
    size: int = RESPONSE_PIECES,
) -> list[Stretch]:
    """The claims of a response in as few parts as hold them.

    Args:
        tokenizer: Without truncation and padding.
        question: Its last word pieces are read; may be empty.
        response: What the offsets count in; blank out what must not be read.
        claims: Offsets of the claims, in order. A claim longer than a part is cut at its room.
        size: Most word pieces of the response in a part.
    """
    asked = _pieces(tokenizer, question)[-QUESTION_PIECES:] if question.strip() else []
    head = [CLS, *asked, SEP] if asked else [CLS]
    encoding = tokenizer.encode(encodable(response), add_special_tokens=False)
    spans = _positions(encoding.offsets, claims)
    found: list[Stretch] = []
    current: list[tuple[int, int, int]] = []
    for number, (first, end) in enumerate(spans):
        if first == end:
            continue
        end = min(end, first + size)
        if current and end - current[0][1] > size:
            found.append(_stretch(encoding.ids, encoding.offsets, head, current, size))
            current = []
        current.append((number, first, end))
    if current:
        found.append(_stretch(encoding.ids, encoding.offsets, head, current, size))
    return found


def _stretch(
    ids: Sequence[int],
    offsets: Sequence[tuple[int, int]],
    head: Sequence[int],
    claims: Sequence[tuple[int, int, int]],
    size: int,
) -> Stretch:
    first, end = claims[0][1], claims[-1][2]
    lead = max(0, first - min(LEAD_PIECES, max(0, size - (end - first))))
    shift = len(head) - lead
    return Stretch(
        ids=(*head, *ids[lead:end], SEP),
        first=len(head),
        claims=tuple((number, a + shift, b + shift) for number, a, b in claims),
        places=(*((0, 0) for _ in head), *offsets[lead:end], (0, 0)),
    )


def _positions(
    offsets: Sequence[tuple[int, int]], claims: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """First and end position of the pieces that lie in each claim."""
    spans, position = [], 0
    for start, end in claims:
        while position < len(offsets) and offsets[position][0] < start:
            position += 1
        first = position
        while position < len(offsets) and offsets[position][1] <= end and offsets[position][0] < end:
            position += 1
        spans.append((first, position))
    return spans


def _pieces(tokenizer: Tokenizer, text: str) -> list[int]:
    pieces: list[int] = tokenizer.encode(encodable(text), add_special_tokens=False).ids
    return pieces


class Matches:
    """Which runs of word pieces stand in some windows.

    Args:
        windows: The word pieces of each window.
    """

    def __init__(self, windows: Iterable[Sequence[int]]) -> None:
        self._runs: list[set[tuple[int, ...]]] = [set() for _ in MATCH_SIZES]
        for ids in windows:
            for runs, size in zip(self._runs, MATCH_SIZES, strict=True):
                runs.update(zip(*(ids[shift:] for shift in range(size)), strict=False))

    def levels(self, ids: Sequence[int]) -> list[int]:
        """For every piece, 0 to 4: not found, or in a found run of at least 1, 2, 4 or 8 pieces."""
        levels = [0] * len(ids)
        for level, (runs, size) in enumerate(zip(self._runs, MATCH_SIZES, strict=True), start=1):
            for at in range(len(ids) - size + 1):
                if tuple(ids[at : at + size]) in runs:
                    levels[at : at + size] = [level] * size
        return levels
