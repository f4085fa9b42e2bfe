"""What the judge is asked about one sample: which claims, and which places of the context."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assay.judge.excerpts import Excerpt, excerpts
from assay.judge.prompts import Block, Question
from assay.signals.reading import Reading
from assay.signals.support import terms
from assay.verdict import Claim, ClaimStatus, Evidence

MAX_CLAIMS = 20
MAX_RESPONSE_CHARS = 24_000
MAX_QUERY_CHARS = 8_000
_DOUBTFUL = (ClaimStatus.UNSUPPORTED, ClaimStatus.CONTRADICTED)


@dataclass(frozen=True, slots=True)
class Asking:
    """A question in the making.

    Attributes:
        kind: ``scores`` or ``claims``.
        query: The question that the response answers.
        response: The response.
        claims: The claims asked about, as places in the verdict's claims.
        claim_texts: Their texts.
        left_out: Doubtful claims that did not fit.
        excerpts: What is shown of the context.
        context_characters: How much context there is.
    """

    kind: str
    query: str
    response: str
    claims: tuple[int, ...]
    claim_texts: tuple[str, ...]
    left_out: int
    excerpts: tuple[Excerpt, ...]
    context_characters: int

    def question(self) -> Question:
        """The blocks, context first: the prompt's beginning then repeats between questions on one context."""
        blocks = [Block(f"context passage {e.passage + 1}", _titled(e)) for e in self.excerpts]
        if self.query.strip():
            blocks.append(Block("query", self.query))
        blocks.append(Block("response", self.response))
        blocks += [Block(f"claim {n}", text) for n, text in enumerate(self.claim_texts, start=1)]
        return Question(self.kind, tuple(blocks), len(self.claim_texts))


def scores_question(reading: Reading, claims: Sequence[Claim], room: int) -> Asking:
    """Ask for scores of the whole response, against the places that speak of its sentences."""
    texts = [c.text for c in claims if c.status is not ClaimStatus.NOT_CHECKABLE] or [reading.response]
    return _asking("scores", reading, (), (), 0, _places(reading, texts), room)


def claims_question(reading: Reading, claims: Sequence[Claim], room: int) -> Asking | None:
    """Ask about the doubtful claims, or about all where none is doubtful and the signals disagree.

    Returns:
        The question, or None when there is no claim to ask about.
    """
    scored = [i for i, c in enumerate(claims) if c.status is not ClaimStatus.NOT_CHECKABLE]
    wanted = [i for i in scored if claims[i].status in _DOUBTFUL] or scored
    chosen: list[int] = []
    space = MAX_RESPONSE_CHARS
    for i in wanted[:MAX_CLAIMS]:
        if len(claims[i].text) <= space:
            chosen.append(i)
            space -= len(claims[i].text)
    if not chosen:
        return None
    found = [claims[i].evidence or _places(reading, [claims[i].text]) for i in chosen]
    firsts = [places[n] for n in range(2) for places in found if len(places) > n]
    texts = tuple(claims[i].text for i in chosen)
    return _asking("claims", reading, tuple(chosen), texts, len(wanted) - len(chosen), firsts, room)


def _asking(
    kind: str,
    reading: Reading,
    claims: tuple[int, ...],
    texts: tuple[str, ...],
    left_out: int,
    places: Sequence[Evidence],
    room: int,
) -> Asking:
    return Asking(
        kind,
        reading.question[:MAX_QUERY_CHARS],
        reading.response[:MAX_RESPONSE_CHARS],
        claims,
        texts,
        left_out,
        tuple(excerpts(reading, places, room)),
        sum(len(passage.text) for passage in reading.passages),
    )


def _places(reading: Reading, texts: Sequence[str]) -> list[Evidence]:
    """Where the context speaks of these texts: the best place of each first, then the second ones."""
    found = [got.evidence for text in texts if (got := reading.corpus.support(terms(text))) is not None]
    return [places[n] for n in range(2) for places in found if len(places) > n]


def _titled(excerpt: Excerpt) -> str:
    return f"Title: {excerpt.title}\n{excerpt.text}" if excerpt.title else excerpt.text
