"""Lexical support: how much of a claim's wording stands in the passages, and where.

    support = (0.4 found + 0.3 best window + 0.3 pairs) * numbers * (0.6 + 0.4 names) * denial

``found`` is the share of the claim's content words (stemmed) that stand anywhere in the passages, ``best
window`` the largest share within three neighbouring sentences, ``pairs`` the share of neighbouring words that
are neighbours in a passage. ``numbers`` is 0.4 if a number of the claim stands in no passage, else 1;
``names`` is the share of its capitalised words that stand in one. ``denial`` is 0.5 for a claim that denies
("not", "never", "no") when no window with half of its content words denies anything, else 1. Every part is a
maximum or a union over passages, so a further passage never lowers support. The weights were chosen on the
``dev/`` rows (docs/verdict.md).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np

from assay.sample import Passage
from assay.text.passages import passage_spans
from assay.text.words import STOPWORDS, stem, word_spans, words
from assay.verdict import Evidence

WINDOW_SENTENCES = 3
CACHED_PASSAGES = 512
CACHED_TEXTS = 256
CACHED_WORDS = 65_536
MANY_WINDOWS = 512
MISSING_NUMBER = 0.4
DENIALS = frozenset(
    ["not", "no", "never", "none", "neither", "nor", "cannot", "without", "nobody", "nothing", "false"]
)
_TURNED = "the claim denies something, and nothing near its words in the context does"
_SEPARATORS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")


@dataclass(frozen=True, slots=True)
class Terms:
    """The words of a text: all stems in order, the content ones, and the numbers and names as written."""

    sequence: tuple[str, ...]
    content: tuple[str, ...]
    numbers: tuple[tuple[str, str], ...]
    names: tuple[tuple[str, str], ...]
    denies: bool


@dataclass(frozen=True, slots=True)
class PassageIndex:
    """A passage cut into sentences: where each stands and its stems; all its stems; neighbouring stems.

    Window i covers sentences i to i + 2, as far as there are any. ``denials`` are the sentences that deny
    something; ``holding`` names the sentences that hold a
    stem, for very long passages only.
    """

    spans: tuple[tuple[int, int], ...]
    stems: tuple[frozenset[str], ...]
    found: frozenset[str]
    pairs: frozenset[str]
    denials: tuple[int, ...]
    window_count: int
    holding: dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class Support:
    """Support of one claim with its evidence and what was not found."""

    value: float
    evidence: tuple[Evidence, ...]
    facts: tuple[str, ...]


@lru_cache(maxsize=CACHED_TEXTS)
def terms(text: str) -> Terms:
    """Stems of a text's words; numbers and names (capitalised, not first in the text) beside them. Cached."""
    sequence, content, numbers, names = [], [], [], []
    denial = False
    for position, (start, end, word) in enumerate(word_spans(text)):
        key = key_of(word)
        sequence.append(key)
        denial = denial or denies(word)
        if word in STOPWORDS and not (word == "may" and text[start] == "M" and position > 0):
            continue
        content.append(key)
        if word[0].isdigit():
            numbers.append((key, text[start:end]))
        elif position > 0 and text[start].isupper():
            names.append((key, text[start:end]))
    return Terms(tuple(sequence), tuple(content), tuple(numbers), tuple(names), denial)


def denies(word: str) -> bool:
    """Whether a word turns a statement round (in English; ``false`` stands for it in JSON)."""
    return word in DENIALS or word.endswith("n't")


@lru_cache(maxsize=CACHED_WORDS)
def key_of(word: str) -> str:
    """What two words are compared by: a stem, or a number without separators and empty fraction."""
    if not word[0].isdigit():
        return stem(word)
    plain = _SEPARATORS.sub("", word)
    whole, point, fraction = plain.partition(".")
    return whole if point and whole.isdigit() and not fraction.strip("0") else plain


@lru_cache(maxsize=CACHED_PASSAGES)
def index_passage(passage: Passage) -> PassageIndex:
    """Cut a passage into sentences and index their stems; a title belongs to the first. Cached by content."""
    spans = tuple(passage_spans(passage.text))
    written = [words(passage.text[start:end]) for start, end in spans]
    sequences = [[key_of(word) for word in sentence] for sentence in written]
    denials = tuple(number for number, sentence in enumerate(written) if any(map(denies, sentence)))
    if passage.title and sequences:
        sequences[0] = [*terms(passage.title).sequence, *sequences[0]]
    stems = tuple(frozenset(sequence) for sequence in sequences)
    window_count = max(1, len(spans) - WINDOW_SENTENCES + 1) if spans else 0
    holding: dict[str, list[int]] = {}
    if window_count > MANY_WINDOWS:
        for number, found in enumerate(stems):
            for word in found:
                holding.setdefault(word, []).append(number)
    pairs = frozenset(pair for sequence in sequences for pair in neighbours(sequence))
    return PassageIndex(spans, stems, frozenset().union(*stems), pairs, denials, window_count, holding)


def neighbours(sequence: Sequence[str]) -> list[str]:
    """Neighbouring stems, each pair as one string (a million tuples would burden the garbage collector)."""
    return [f"{first} {second}" for first, second in pairwise(sequence)]


class Corpus:
    """All passages of a sample, with what stands anywhere in them.

    Args:
        passages: The indexed passages, in the sample's order.
    """

    def __init__(self, passages: Sequence[PassageIndex]) -> None:
        self.passages = tuple(passages)
        self.found: frozenset[str] = frozenset().union(*(p.found for p in self.passages))
        self.pairs: frozenset[str] = frozenset().union(*(p.pairs for p in self.passages))
        self._supports: dict[Terms, Support | None] = {}

    def support(self, claim: Terms) -> Support | None:
        """`support` of a claim; one that is said again is not looked up again."""
        if claim not in self._supports:
            self._supports[claim] = support(claim, self)
        return self._supports[claim]

    def stems_at(self, place: Evidence) -> frozenset[str]:
        """The stems of the sentences that a piece of evidence covers."""
        passage = self.passages[place.passage]
        inside = (
            stems
            for (start, end), stems in zip(passage.spans, passage.stems, strict=True)
            if place.start <= start and end <= place.end
        )
        return frozenset().union(*inside)


def support(claim: Terms, corpus: Corpus) -> Support | None:
    """Lexical support of a claim, or None when it has no content words to look for."""
    if not claim.content:
        return None
    weights = Counter(claim.content)
    found = sum(weight for word, weight in weights.items() if word in corpus.found) / len(claim.content)
    best, evidence = _best_places(weights, corpus.passages)
    pairs = neighbours(claim.sequence)
    paired = sum(pair in corpus.pairs for pair in pairs) / len(pairs) if pairs else found
    no_numbers = [written for key, written in claim.numbers if key not in corpus.found]
    no_names = [written for key, written in claim.names if key not in corpus.found]
    numbers = MISSING_NUMBER if no_numbers else 1.0
    names = 1 - len(no_names) / len(claim.names) if claim.names else 1.0
    wording = 0.4 * found + 0.3 * best / len(claim.content) + 0.3 * paired
    turned = claim.denies and not _denied(weights, corpus.passages)
    return Support(
        wording * numbers * (0.6 + 0.4 * names) * (0.5 if turned else 1.0),
        evidence,
        (
            *(
                ("the claim denies something, and nothing near its words in the context does",)
                if turned
                else ()
            ),
            *(f"the number {written} does not stand in the context" for written in dict.fromkeys(no_numbers)),
            *(f"the name {written} does not stand in the context" for written in dict.fromkeys(no_names)),
        ),
    )


def _denied(weights: Mapping[str, int], passages: Sequence[PassageIndex]) -> bool:
    """Whether a window that denies something holds half of the weight."""
    half = sum(weights.values()) / 2
    for passage in passages:
        for sentence in passage.denials:
            first = max(0, sentence - WINDOW_SENTENCES + 1)
            for window in range(first, min(sentence + 1, passage.window_count)):
                held = weights.keys() & frozenset().union(*passage.stems[window : window + WINDOW_SENTENCES])
                if sum(weights[word] for word in held) >= half:
                    return True
    return False


def _best_places(weights: Counter[str], passages: Sequence[PassageIndex]) -> tuple[int, tuple[Evidence, ...]]:
    """The most weight in one window, and up to two places: that window, and what adds most to it."""
    best, place = best_window(weights, passages)
    if place is None:
        return 0, ()
    held = frozenset().union(*passages[place.passage].stems[place.first : place.last])
    rest = Counter({word: weight for word, weight in weights.items() if word not in held})
    _, second = best_window(rest, passages)
    evidence = [_tightened(passages[place.passage], place, weights)]
    if second is not None:
        evidence.append(_tightened(passages[second.passage], second, rest))
    return best, tuple(evidence)


@dataclass(frozen=True, slots=True)
class Place:
    """Sentences ``first`` to ``last`` (excluded) of a passage."""

    passage: int
    first: int
    last: int


def best_window(weights: Mapping[str, int], passages: Sequence[PassageIndex]) -> tuple[int, Place | None]:
    """The window that holds words of the most weight together; the earliest of equals."""
    # No window outweighs its passage: the richest passages first, and the rest need not be searched.
    most = [sum(weight for word, weight in weights.items() if word in p.found) for p in passages]
    best, place = 0, None
    for number in sorted(range(len(passages)), key=lambda n: (-most[n], n)):
        if most[number] < max(best, 1):
            break
        weight, window = _heaviest(weights, passages[number])
        if weight > best or (place is not None and weight == best and number < place.passage):
            best = weight
            place = Place(number, window, min(len(passages[number].spans), window + WINDOW_SENTENCES))
    return best, place


def _heaviest(weights: Mapping[str, int], passage: PassageIndex) -> tuple[int, int]:
    """Weight and number of a passage's heaviest window; a word counts once a window."""
    if passage.window_count > MANY_WINDOWS:
        return _heaviest_of_many(weights, passage)
    hits = [weights.keys() & stems for stems in passage.stems]
    heaviest, place = 0, 0
    for window in range(passage.window_count):
        held = hits[window].union(*hits[window + 1 : window + WINDOW_SENTENCES])
        weight = sum(weights[word] for word in held)
        if weight > heaviest:
            heaviest, place = weight, window
    return heaviest, place


def _heaviest_of_many(weights: Mapping[str, int], passage: PassageIndex) -> tuple[int, int]:
    """The same for a very long passage, where loops in Python would take seconds."""
    counts = np.zeros(passage.window_count, dtype=np.int64)
    for word, weight in weights.items():
        if sentences := passage.holding.get(word):
            held = np.array(sentences)
            windows = np.unique(np.concatenate([held - back for back in range(WINDOW_SENTENCES)]))
            counts[windows[(windows >= 0) & (windows < passage.window_count)]] += weight
    window = int(counts.argmax())
    return int(counts[window]), window


def _tightened(passage: PassageIndex, place: Place, weights: Counter[str]) -> Evidence:
    """Drop sentences at either end of a window that hold nothing of the claim."""
    first, last = place.first, place.last
    while last - first > 1 and passage.stems[first].isdisjoint(weights):
        first += 1
    while last - first > 1 and passage.stems[last - 1].isdisjoint(weights):
        last -= 1
    return Evidence(place.passage, passage.spans[first][0], passage.spans[last - 1][1])
