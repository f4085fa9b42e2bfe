"""Lexical support: how much of a claim's wording stands in the passages, and where.

    support = (0.4 found + 0.3 best window + 0.3 pairs) * (0.5 + 0.5 numbers) * (0.6 + 0.4 names)

``found`` is the share of the claim's content words (stemmed) that stand anywhere in the passages, ``best
window`` the largest share within three neighbouring sentences, ``pairs`` the share of neighbouring words that
are neighbours in a passage, ``numbers`` and ``names`` the shares of the claim's numbers and capitalised words
that stand in the passages (1 where it has none). Every part is a maximum or a union over passages, so a
further passage never lowers support. The weights were chosen on the ``dev/`` rows (docs/verdict.md).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from assay.sample import Passage
from assay.text.claims import segment
from assay.text.words import STOPWORDS, stem, word_spans
from assay.verdict import Evidence

WINDOW_SENTENCES = 3
CACHED_PASSAGES = 512
_SEPARATORS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a text: all stems in order, the content ones, and the numbers and names as written."""

    sequence: tuple[str, ...]
    content: tuple[str, ...]
    numbers: tuple[tuple[str, str], ...]
    names: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class PassageIndex:
    """A passage's sentences, and for every stem the windows (of three sentences) that hold it.

    Window i covers sentences i to i + 2, as far as there are any.
    """

    spans: tuple[tuple[int, int], ...]
    stems: tuple[frozenset[str], ...]
    windows: dict[str, NDArray[np.intp]]
    window_count: int
    pairs: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Support:
    """Support of one claim with its evidence and what was not found."""

    value: float
    evidence: tuple[Evidence, ...]
    facts: tuple[str, ...]


def terms(text: str) -> Terms:
    """Stems of a text's words; numbers and names (capitalised, not first in the text) beside them."""
    sequence, content, numbers, names = [], [], [], []
    for position, (start, end, word) in enumerate(word_spans(text)):
        is_number = word[0].isdigit()
        key = number_key(word) if is_number else stem(word)
        sequence.append(key)
        if word in STOPWORDS:
            continue
        content.append(key)
        if is_number:
            numbers.append((key, text[start:end]))
        elif position > 0 and text[start].isupper():
            names.append((key, text[start:end]))
    return Terms(tuple(sequence), tuple(content), tuple(numbers), tuple(names))


def number_key(word: str) -> str:
    """A number without thousands separators and without an empty fraction: 1,200.0 becomes 1200."""
    plain = _SEPARATORS.sub("", word)
    whole, point, fraction = plain.partition(".")
    return whole if point and whole.isdigit() and not fraction.strip("0") else plain


@lru_cache(maxsize=CACHED_PASSAGES)
def index_passage(passage: Passage) -> PassageIndex:
    """Cut a passage into sentences and index their stems; a title belongs to the first. Cached by content."""
    spans = tuple((part.start, part.end) for part in segment(passage.text))
    sequences = [terms(passage.text[start:end]).sequence for start, end in spans]
    if passage.title and sequences:
        sequences[0] = (*terms(passage.title).sequence, *sequences[0])
    stems = tuple(frozenset(sequence) for sequence in sequences)
    window_count = max(1, len(spans) - WINDOW_SENTENCES + 1) if spans else 0
    holding: dict[str, list[int]] = {}
    for i, sentence in enumerate(stems):
        around = range(max(0, i - WINDOW_SENTENCES + 1), min(i + 1, window_count))
        for word in sentence:
            holding.setdefault(word, []).extend(around)
    return PassageIndex(
        spans,
        stems,
        {word: np.unique(np.array(found, dtype=np.intp)) for word, found in holding.items()},
        window_count,
        frozenset(pair for seq in sequences for pair in pairwise(seq)),
    )


def support(claim: Terms, passages: Sequence[PassageIndex]) -> Support | None:
    """Lexical support of a claim, or None when it has no content words to look for."""
    if not claim.content:
        return None
    weights = Counter(claim.content)
    anywhere = {word for word in weights if any(word in passage.windows for passage in passages)}
    found = sum(weights[word] for word in anywhere) / len(claim.content)
    best, evidence = _best_places(weights, passages)
    pairs = list(pairwise(claim.sequence))
    matched = sum(any(pair in passage.pairs for passage in passages) for pair in pairs)
    paired = matched / len(pairs) if pairs else found
    no_numbers = [written for key, written in claim.numbers if key not in anywhere]
    no_names = [written for key, written in claim.names if key not in anywhere]
    numbers = 1 - len(no_numbers) / len(claim.numbers) if claim.numbers else 1.0
    names = 1 - len(no_names) / len(claim.names) if claim.names else 1.0
    wording = 0.4 * found + 0.3 * best / len(claim.content) + 0.3 * paired
    return Support(
        wording * (0.5 + 0.5 * numbers) * (0.6 + 0.4 * names),
        evidence,
        (
            *(f"the number {written} does not stand in the context" for written in dict.fromkeys(no_numbers)),
            *(f"the name {written} does not stand in the context" for written in dict.fromkeys(no_names)),
        ),
    )


def _best_places(weights: Counter[str], passages: Sequence[PassageIndex]) -> tuple[int, tuple[Evidence, ...]]:
    """The most weight in one window, and up to two places: that window, and what adds most to it."""
    best, place = _best_window(weights, passages)
    if place is None:
        return 0, ()
    held = frozenset().union(*passages[place.passage].stems[place.first : place.last])
    rest = Counter({word: weight for word, weight in weights.items() if word not in held})
    _, second = _best_window(rest, passages)
    evidence = [_tightened(passages[place.passage], place, weights)]
    if second is not None:
        evidence.append(_tightened(passages[second.passage], second, rest))
    return best, tuple(evidence)


@dataclass(frozen=True, slots=True)
class _Place:
    passage: int
    first: int
    last: int


def _best_window(weights: Counter[str], passages: Sequence[PassageIndex]) -> tuple[int, _Place | None]:
    best, place = 0, None
    for number, passage in enumerate(passages):
        known = [(passage.windows[w], weight) for w, weight in weights.items() if w in passage.windows]
        if not known:
            continue
        counts = np.zeros(passage.window_count, dtype=np.intp)
        for windows, weight in known:
            counts[windows] += weight
        window = int(counts.argmax())
        if counts[window] > best:
            best = int(counts[window])
            place = _Place(number, window, min(len(passage.spans), window + WINDOW_SENTENCES))
    return best, place


def _tightened(passage: PassageIndex, place: _Place, weights: Counter[str]) -> Evidence:
    """Drop sentences at either end of a window that hold nothing of the claim."""
    first, last = place.first, place.last
    while last - first > 1 and passage.stems[first].isdisjoint(weights):
        first += 1
    while last - first > 1 and passage.stems[last - 1].isdisjoint(weights):
        last -= 1
    return Evidence(place.passage, passage.spans[first][0], passage.spans[last - 1][1])
