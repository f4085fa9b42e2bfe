"""One claim beside the passages: how much of its wording each sentence holds, and what a finding is."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Literal

from assay.signals.fact_index import FactIndex, Facts, claim_facts, content_stem
from assay.text.quotations import spoken
from assay.text.words import stem

Kind = Literal["number", "date", "time", "name", "quotation", "negation", "opposite"]
Severity = Literal["contradicted", "missing", "needs_arithmetic"]
NEIGHBOURS = 1
LOCAL_WORDS = 5
MOST = 32
"""So many numbers, dates, times, names and quotations of a claim are checked, the first ones."""
_SAID = {
    "contradicted": "the claim says {claim}, the context says {context} (passage {passage})",
    "missing": "{claim} does not stand in the context",
    "needs_arithmetic": "{claim} does not stand in the context; it may follow from numbers that do",
}
_LONGEST = 120


@dataclass(frozen=True, slots=True)
class Finding:
    """A fact of the claim that the context does not hold.

    Attributes:
        kind: What was compared.
        severity: "contradicted", "missing" or "needs_arithmetic".
        claim: The words of the claim.
        start: Offset of their first character in the claim.
        end: Offset after their last character.
        context: The words of the context that disagree; empty if there are none.
        passage: Number of their passage from 0, or None.
        context_start: Offset of their first character in the passage.
        context_end: Offset after their last character.
        sentence: The finding in one plain sentence; passages are counted from 1 there.
    """

    kind: Kind
    severity: Severity
    claim: str
    start: int
    end: int
    context: str
    passage: int | None
    context_start: int
    context_end: int
    sentence: str


class Check:
    """A claim and the passages it is checked against.

    Args:
        claim: The claim.
        index: The facts of the passages.
        question: What was asked; its numbers and names may be repeated.
    """

    def __init__(self, claim: str, index: FactIndex, question: str = "") -> None:
        self.text = claim
        self.index = index
        self.facts = claim_facts(claim)
        self.question = claim_facts(question)
        self.asked = spoken(question)

    @cached_property
    def scores(self) -> list[float]:
        """The share of the claim's content words in each sentence."""
        stems = self.facts.stems
        size = max(1, len(stems))
        return [len(stems & sentence.stems) / size for _, _, sentence in self.index.sentences]

    @cached_property
    def best(self) -> float:
        """The largest share in one sentence."""
        return max(self.scores, default=0.0)

    @cached_property
    def ranked(self) -> list[int]:
        """Sentences by their share, the first of equals first; those without a shared word left out."""
        scores = self.scores
        return sorted((n for n, score in enumerate(scores) if score > 0), key=lambda n: (-scores[n], n))

    def around(self, number: int, reach: int = NEIGHBOURS) -> list[Facts]:
        """A sentence with its neighbours in the same passage."""
        sentences = self.index.sentences
        passage = sentences[number][0]
        near = range(max(0, number - reach), min(len(sentences), number + reach + 1))
        return [sentences[n][2] for n in near if sentences[n][0] == passage]

    def read(self, number: int) -> str:
        """The text of a sentence's passage, as it is read."""
        return self.index.passages[self.index.sentences[number][0]].text

    def local(self, start: int, end: int) -> frozenset[str]:
        """The content words on either side of a place in the claim, without those inside it."""
        words = self.facts.words
        first = bisect_left(words, (start, -1, ""))
        last = bisect_left(words, (end, -1, ""))
        before = (found for *_, word in reversed(words[:first]) if (found := content_stem(word)))
        behind = (found for *_, word in words[last:] if (found := content_stem(word)))
        return frozenset([*islice(before, LOCAL_WORDS), *islice(behind, LOCAL_WORDS)])

    def windows(self, stems: frozenset[str]) -> dict[int, float]:
        """The share of some words, rare ones counting more, in each sentence with its neighbours."""
        sentences, postings = self.index.sentences, self.index.postings
        held: dict[int, float] = {}
        total = 0.0
        for word in stems:
            places = postings.get(word, ())
            weight = math.log(1 + len(sentences) / max(1, len(places)))
            total += weight
            near = {
                n
                for place in places
                for n in range(place - NEIGHBOURS, place + NEIGHBOURS + 1)
                if 0 <= n < len(sentences) and sentences[n][0] == sentences[place][0]
            }
            for number in near:
                held[number] = held.get(number, 0.0) + weight
        return {number: weight / total for number, weight in held.items()}

    def beside(self, one: str, other: str, reach: int) -> bool:
        """Whether two stems stand within a few words of each other in some sentence."""
        postings = self.index.postings
        for number in set(postings.get(one, ())).intersection(postings.get(other, ())):
            words = self.index.sentences[number][2].words
            first = [place for place, (_, _, word) in enumerate(words) if stem(word) == one]
            second = [place for place, (_, _, word) in enumerate(words) if stem(word) == other]
            if any(abs(a - b) <= reach for a in first for b in second):
                return True
        return False

    def far(self, start: int, end: int, holders: Iterable[int], share: float) -> bool:
        """Whether the words beside a place of the claim stand elsewhere rather than around some sentences."""
        windows = self.windows(self.local(start, end))
        best = max(windows.values(), default=0.0)
        return max((windows.get(number, 0.0) for number in holders), default=0.0) < share * best

    def missing(self, kind: Kind, start: int, end: int, severity: Severity = "missing") -> Finding:
        """A finding without words of the context."""
        claim = self.text[start:end]
        said = _SAID[severity].format(claim=_quoted(claim))
        return Finding(kind, severity, claim, start, end, "", None, 0, 0, said)

    def contradicted(self, kind: Kind, start: int, end: int, number: int, first: int, last: int) -> Finding:
        """A finding with the words ``first:last`` of the text read in sentence ``number``'s passage."""
        claim = self.text[start:end]
        passage = self.index.sentences[number][0]
        facts = self.index.passages[passage]
        context = facts.text[first:last]
        place = facts.place(first, last)
        said = _SAID["contradicted"].format(
            claim=_quoted(claim), context=_quoted(context), passage=passage + 1
        )
        return Finding(kind, "contradicted", claim, start, end, context, passage, *place, said)


def _quoted(text: str) -> str:
    text = " ".join(text.split())
    return f'"{text}"' if len(text) <= _LONGEST else f'"{text[:_LONGEST]}…"'
