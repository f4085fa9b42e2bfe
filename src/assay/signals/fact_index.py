"""The facts of passages, extracted once a passage: numbers, dates, times, names, denials by sentence."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import Protocol, TypeVar

from assay.text.dates import Clock, Date, find_clock_times, find_dates
from assay.text.names import Name, NameBook, find_names
from assay.text.negation import Denial, find_denials
from assay.text.passages import passage_spans
from assay.text.quantities import Quantity, find_quantities
from assay.text.quotations import spoken
from assay.text.words import STOPWORDS, stem, word_spans

CACHED_PASSAGES = 512
CACHED_CLAIMS = 1024
_HEAD_WORDS = 2
_NO_FACT = re.compile(
    r"^[ \t>]*\d{1,3}[.)](?=\s)"
    r"|\b(?:passages?|steps?|figures?|fig\.|tables?|chapters?|sections?|documents?|sources?|options?|tips?)"
    r"\s\d{1,3}(?:(?:,| and|, and) \d{1,3})*\b"
    r"|\bcovid[ -]19\b|\b(?:seven|7) days (?:a|per) week\b|\b24 hours a day\b|\b24/7\b"
    r"|\b(?:in|within|under|of) \d{1,4} words\b"
    r"|\bhttps?://\S{1,300}|\bwww\.\S{1,300}|[\[【]\^?\d[\d,; -]*[\]】]",
    re.MULTILINE | re.IGNORECASE,
)


_PARTS = re.compile(r"[^ -]+")


class Read(Protocol):
    """A piece of a passage as it is read; ``start`` and ``end`` are its place in the passage as given."""

    @property
    def text(self) -> str:
        """How it is read."""

    @property
    def start(self) -> int:
        """Offset of its first character."""

    @property
    def end(self) -> int:
        """Offset after its last character."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts of one sentence, with offsets into the text that was read."""

    start: int
    end: int
    stems: frozenset[str]
    words: tuple[tuple[int, int, str], ...]
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]
    clocks: tuple[Clock, ...]
    names: tuple[Name, ...]
    denials: tuple[Denial, ...]

    def head(self, end: int) -> frozenset[str]:
        """The stems of the next content words after a place: what a number counts."""
        found: list[str] = []
        first = bisect_right(self.words, (end, -1, ""))
        for _, _, word in self.words[first : first + _HEAD_WORDS + 2]:
            if word not in STOPWORDS and not word[0].isdigit():
                found.append(stem(word))
                if len(found) == _HEAD_WORDS:
                    break
        return frozenset(found)

    def tail(self, start: int) -> frozenset[str]:
        """The stems of the last content words before a place."""
        last = bisect_right(self.words, (start, -1, ""))
        found = [
            s for _, _, word in self.words[max(0, last - _HEAD_WORDS) : last] if (s := content_stem(word))
        ]
        return frozenset(found)


class PassageFacts:
    """One passage: its sentences with their facts.

    Args:
        pieces: What is read, in order, with places in the passage.
        exact: Whether each piece stands in the passage letter for letter at its place.
    """

    def __init__(self, pieces: Sequence[tuple[str, int, int]]) -> None:
        self.text = "\n".join(text for text, _, _ in pieces)
        self._starts = [0, *accumulate(len(text) + 1 for text, _, _ in pieces)][: len(pieces)]
        self._pieces = pieces
        bounds = [(start, start + len(piece[0])) for start, piece in zip(self._starts, pieces, strict=True)]
        self.sentences = facts_of(self.text, bounds)

    @cached_property
    def spoken(self) -> str:
        """All words, to find a quotation or a whole claim in."""
        return spoken(self.text)

    @cached_property
    def names(self) -> NameBook:
        """Words and names, to look names up in."""
        sentences = self.sentences
        words = {stem(word) for s in sentences for _, _, word in s.words}
        words.update(word for s in sentences for _, _, word in s.words)
        initials = "".join(part[0] for part in _PARTS.findall(self.spoken))
        return NameBook(words, (name for s in sentences for name in s.names), initials)

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Where characters of the read text stand in the passage; the whole piece if it was rewritten."""
        number = max(0, bisect_right(self._starts, start) - 1)
        text, first, last = self._pieces[number]
        if len(text) != last - first:
            return first, last
        shift = first - self._starts[number]
        return start + shift, min(end + shift, last)


def facts_of(text: str, bounds: Sequence[tuple[int, int]]) -> tuple[Facts, ...]:
    """The facts of a text by sentence. A number inside a date or a list numbering is no number of its own."""
    plain = _without(text, [match.span() for match in _NO_FACT.finditer(text)])
    dates = find_dates(plain)
    rest = _without(plain, [(date.start, date.end) for date in dates])
    clocks = find_clock_times(rest)
    rest = _without(rest, [(clock.start, clock.end) for clock in clocks])
    starts = [start for start, _ in bounds]
    spans = _by_sentence(starts, [_Span(*span) for span in word_spans(text)])
    quantities, names = _by_sentence(starts, find_quantities(rest)), _by_sentence(starts, find_names(text))
    by_dates, by_clocks = _by_sentence(starts, dates), _by_sentence(starts, clocks)
    denials = _by_sentence(starts, find_denials(text))
    found = []
    for number, (start, end) in enumerate(bounds):
        words = tuple((span.start, span.end, span.word) for span in spans.get(number, ()))
        found.append(
            Facts(
                start=start,
                end=end,
                stems=frozenset(map(content_stem, (word for _, _, word in words))) - {""},
                words=words,
                quantities=tuple(quantities.get(number, ())),
                dates=tuple(by_dates.get(number, ())),
                clocks=tuple(by_clocks.get(number, ())),
                names=tuple(names.get(number, ())),
                denials=tuple(denials.get(number, ())),
            )
        )
    return tuple(found)


def content_stem(word: str) -> str:
    """What a word is compared by; empty for a function word and for a number."""
    return "" if word in STOPWORDS or word[0].isdigit() else stem(word)


@dataclass(frozen=True, slots=True)
class _Span:
    start: int
    end: int
    word: str


class _Placed(Protocol):
    @property
    def start(self) -> int: ...


_T = TypeVar("_T", bound=_Placed)


def _by_sentence(starts: Sequence[int], found: Sequence[_T]) -> dict[int, list[_T]]:
    groups: dict[int, list[_T]] = {}
    for item in found:
        groups.setdefault(max(0, bisect_right(starts, item.start) - 1), []).append(item)
    return groups


def _without(text: str, spans: Sequence[tuple[int, int]]) -> str:
    """The text with some of it blanked, offsets kept."""
    if not spans:
        return text
    parts, last = [], 0
    for start, end in sorted(spans):
        if start >= last:
            parts += [text[last:start], "\x00" * (end - start)]
            last = end
        elif end > last:
            parts.append("\x00" * (end - last))
            last = end
    return "".join([*parts, text[last:]])


@lru_cache(maxsize=CACHED_PASSAGES)
def passage_facts(text: str) -> PassageFacts:
    """The facts of a passage of prose. Cached by text."""
    return PassageFacts([(text[start:end], start, end) for start, end in passage_spans(text)])


@lru_cache(maxsize=CACHED_PASSAGES)
def _facts_of_pieces(pieces: tuple[tuple[str, int, int], ...]) -> PassageFacts:
    return PassageFacts(pieces)


@lru_cache(maxsize=CACHED_CLAIMS)
def claim_facts(text: str) -> Facts:
    """The facts of a claim, as one sentence. Cached by text."""
    return facts_of(text, [(0, len(text))])[0]


class FactIndex:
    """The facts of all passages of a sample.

    Args:
        passages: Passages as text, or each as the pieces in which it is read (JSON as statements, for one).
    """

    def __init__(self, passages: Sequence[str | Sequence[Read]]) -> None:
        self.passages = [
            passage_facts(passage)
            if isinstance(passage, str)
            else _facts_of_pieces(tuple((piece.text, piece.start, piece.end) for piece in passage))
            for passage in passages
        ]
        self.sentences = [
            (number, place, sentence)
            for number, passage in enumerate(self.passages)
            for place, sentence in enumerate(passage.sentences)
        ]
        self.postings: dict[str, list[int]] = {}
        for number, (_, _, sentence) in enumerate(self.sentences):
            for word in sentence.stems:
                self.postings.setdefault(word, []).append(number)
        self.dates = [date for _, _, sentence in self.sentences for date in sentence.dates]
        self.numbers = frozenset(
            number for _, _, s in self.sentences for quantity in s.quantities for number in quantity.numbers
        )
        self.years = frozenset(
            float(reading[0]) for date in self.dates for reading in date.readings if reading[0] is not None
        )
