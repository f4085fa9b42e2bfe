"""Attribution: is the answer supported by the context?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from assay.signals.base import Signal, one_of
from assay.signals.reading import Reading
from assay.signals.support import terms
from assay.text.published import ascii_words, punctuation_sentences
from assay.verdict import Claim, ClaimStatus, JSONValue, Measured, Measurement, Unavailable, unit

ARTICLE_SENTENCE_THRESHOLD = 0.35
CLAIM_THRESHOLD = 0.5
SURE_KINDS = ("number", "date", "time", "quotation")
"""Findings that settle a claim; names, denials and opposites count in the risk alone."""
WRONG_FACT = 0.2
"""Most support of a claim with a value that stands nowhere or that the passages contradict."""
CONTRADICTED = 0.5
"""P(the passages say otherwise) from which an unsupported claim counts as contradicted."""


class Attribution(Signal):
    """How far the response rests on the context.

    Args:
        formula: ``article``: ``0.60 cosine(context, response) + 0.40 jaccard(tokens)``; a sentence whose
            cosine to the context is below 0.35 counts as unsupported. ``claims``: the mean of two figures
            over the checkable claims, the average and the smallest support (`assay.signals.support`), so
            that one fabricated sentence among good ones shows. ``verifier``: the same two figures over what
            the profile's verifier says of each claim, and the exact checks.
        claim_threshold: Support from which a claim counts as supported (``claims`` only), 0..1.
    """

    name = "attribution"

    def __init__(self, formula: str = "claims", claim_threshold: float = CLAIM_THRESHOLD) -> None:
        self.formula = one_of("formula", formula, ("article", "claims", "verifier"))
        if not isinstance(claim_threshold, int | float) or not 0.0 <= claim_threshold <= 1.0:
            raise ValueError(f"claim_threshold is a number within 0..1, not {claim_threshold!r}")
        self.claim_threshold = claim_threshold

    def texts(self, reading: Reading) -> Iterable[str]:  # noqa: D102
        if self.formula != "article":
            return ()
        sentences = (reading.response[start:end] for start, end in punctuation_sentences(reading.response))
        return (reading.context, reading.response, *sentences)

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        if reading.blocker is not None:
            return Unavailable(reading.blocker)
        if self.formula == "article":
            return _article(reading)
        return self._verified(reading) if self.formula == "verifier" else self._claims(reading)

    def _claims(self, reading: Reading) -> Measurement:
        claims = []
        for part in reading.segments:
            found = None
            claim = terms(reading.without_citations(part.start, part.end))
            if part.checkable or reading.brings_something_new(claim):
                found = reading.corpus.support(claim)
            text = reading.response[part.start : part.end]
            cited = tuple(citation.marker for citation in reading.cited_between(part.start, part.end))
            if found is None:
                claims.append(Claim(text, part.start, part.end, ClaimStatus.NOT_CHECKABLE, citations=cited))
                continue
            value = unit(found.value)
            status = ClaimStatus.SUPPORTED if value >= self.claim_threshold else ClaimStatus.UNSUPPORTED
            claims.append(
                Claim(text, part.start, part.end, status, value, found.evidence, cited, found.facts)
            )
        return _over(claims)

    def _verified(self, reading: Reading) -> Measurement:
        claims = []
        found_by_segment = zip(reading.segments, reading.readings, reading.findings, strict=True)
        for part, found, findings in found_by_segment:
            text = reading.response[part.start : part.end]
            cited = tuple(citation.marker for citation in reading.cited_between(part.start, part.end))
            if found is None:
                claims.append(Claim(text, part.start, part.end, ClaimStatus.NOT_CHECKABLE, citations=cited))
                continue
            wrong = [f for f in findings if f.severity != "needs_arithmetic" and f.kind in SURE_KINDS]
            value = unit(min(found.support, WRONG_FACT) if wrong else found.support)
            status = ClaimStatus.SUPPORTED
            if value < self.claim_threshold:
                told = found.contradiction >= CONTRADICTED or any(f.severity == "contradicted" for f in wrong)
                status = ClaimStatus.CONTRADICTED if told else ClaimStatus.UNSUPPORTED
            words = reading.corpus.support(terms(reading.without_citations(part.start, part.end)))
            evidence = words.evidence if words is not None else ()
            facts = tuple(finding.sentence for finding in findings)
            claims.append(Claim(text, part.start, part.end, status, value, evidence, cited, facts))
        return _over(claims)


class WeakestClaim(Signal):
    """Support of the least supported claim; unavailable with the cause of `Attribution`."""

    name = "weakest_claim"
    needs = ("attribution",)

    def measure(self, reading: Reading, measured: Mapping[str, Measurement]) -> Measurement:  # noqa: D102
        attribution = measured["attribution"]
        if isinstance(attribution, Unavailable):
            return Unavailable(attribution.cause, applicable=attribution.applicable)
        return Measured(min(claim.support for claim in attribution.claims if claim.support is not None))


def _over(claims: list[Claim]) -> Measurement:
    scored = [claim.support for claim in claims if claim.support is not None]
    if not scored:
        return Unavailable("the response says nothing that can be checked", claims=tuple(claims))
    average, weakest = sum(scored) / len(scored), min(scored)
    detail: dict[str, JSONValue] = {"average": unit(average), "weakest": weakest, "claims": len(scored)}
    return Measured(0.5 * average + 0.5 * weakest, detail, tuple(claims))


def _article(reading: Reading) -> Measurement:
    cosine = reading.similarity(reading.context, reading.response)
    overlap = jaccard(reading.context, reading.response)
    claims = []
    for start, end in punctuation_sentences(reading.response):
        value = unit(sentence_cosine := reading.similarity(reading.context, reading.response[start:end]))
        # The published code compares the cosine before it is rounded.
        low = sentence_cosine < ARTICLE_SENTENCE_THRESHOLD
        status = ClaimStatus.UNSUPPORTED if low else ClaimStatus.SUPPORTED
        claims.append(Claim(reading.response[start:end], start, end, status, value))
    detail: dict[str, JSONValue] = {"cosine": unit(cosine), "overlap": unit(overlap)}
    return Measured(0.60 * cosine + 0.40 * overlap, detail, tuple(claims))


def jaccard(first: str, second: str) -> float:
    """Jaccard index of the two texts' sets of a-to-z tokens; 0 when either has none."""
    tokens, others = set(ascii_words(first)), set(ascii_words(second))
    return len(tokens & others) / len(tokens | others) if tokens and others else 0.0
