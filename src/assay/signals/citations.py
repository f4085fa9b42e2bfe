"""Citations: does every marker point at a passage, and at one that supports its claim?"""

from __future__ import annotations

import re
from collections.abc import Mapping

from assay.sample import Passage
from assay.signals.base import Signal
from assay.signals.reading import Reading
from assay.signals.support import Corpus, support, terms
from assay.text.citations import Citation
from assay.verdict import Claim, JSONValue, Measured, Measurement, Unavailable

CITED_SHARE = 0.5
"""A cited passage supports a claim wrongly when it gives less than this share of what all passages give."""


class Citations(Signal):
    """Share of citations that are right; does not apply to a response without any.

    A citation is wrong when its marker cannot be read, when it points at no passage (numbers count from 1;
    a passage's id or title is a name, too), or when the cited passages of its claim give less than half of
    the support that all passages give. A context given as one string may hold several documents: numbered
    heads in it (``[2] ...``, ``passage 2: ...``) and its blocks between blank lines count as targets, and
    nothing is said of which of them supports what.
    """

    name = "citations"
    needs = ("attribution",)

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        if not reading.citations:
            return Unavailable("the response cites nothing", applicable=False)
        if reading.blocker is not None:
            return Unavailable(reading.blocker)
        wrong: list[str] = []
        within = _documents_within(reading.passages)
        for citation in reading.citations:
            if problem := _dangling(citation, reading.passages, within):
                wrong.append(problem)
        for claim in measured["attribution"].claims:
            wrong.extend(_misplaced(claim, reading))
        count = len(reading.citations)
        detail: dict[str, JSONValue] = {"citations": count, "wrong": list(dict.fromkeys(wrong))}
        return Measured(1 - min(len(wrong), count) / count, detail, notes=tuple(dict.fromkeys(wrong)))


# A line that opens a document inside one string: "[2] Title", "passage 2:", "Document [2](Title: ...)".
_HEAD = re.compile(
    r"^[ \t]*(?:\[(\d{1,3})\]|(?:passage|document|doc|source)[ \t]*\[?(\d{1,3})\]?[ \t]*[:(])", re.I | re.M
)
_BLANK_LINES = re.compile(r"\n[ \t]*\n")


def _documents_within(passages: tuple[Passage, ...]) -> frozenset[str]:
    """Numbers that a lone passage answers to, because its text holds several documents."""
    if len(passages) != 1:
        return frozenset()
    text = passages[0].text
    heads = {first or second for first, second in _HEAD.findall(text)}
    blocks = sum(1 for block in _BLANK_LINES.split(text) if block.strip())
    return frozenset(heads or {str(number + 1) for number in range(blocks)})


def _resolve(target: str, passages: tuple[Passage, ...]) -> int | None:
    for number, passage in enumerate(passages):
        if target and target in (passage.id, passage.title):
            return number
    return int(target) - 1 if target.isdecimal() and 1 <= int(target) <= len(passages) else None


def _dangling(citation: Citation, passages: tuple[Passage, ...], within: frozenset[str]) -> str | None:
    if not citation.targets:
        return f"{citation.marker} cannot be read as a citation"
    missing = [t for t in map(str, citation.targets) if _resolve(t, passages) is None and t not in within]
    if missing:
        targets = ", ".join(missing)
        return f"{citation.marker} points at {targets}: there are {len(passages)} passages"
    return None


def _misplaced(claim: Claim, reading: Reading) -> list[str]:
    """The claim's markers, if what they cite supports it far less than the passages do together."""
    inside = reading.cited_between(claim.start, claim.end)
    cited = {_resolve(str(target), reading.passages) for c in inside for target in c.targets}
    known = sorted(number for number in cited if number is not None)
    if claim.support is None or not known or len(known) == len(reading.passages):
        return []
    text = reading.without_citations(claim.start, claim.end)
    found = support(terms(text), Corpus([reading.corpus.passages[number] for number in known]))
    if found is None or found.value >= CITED_SHARE * claim.support:
        return []
    return [f"{c.marker} does not support its claim; other passages do" for c in inside]
