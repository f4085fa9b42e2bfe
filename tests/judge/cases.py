"""Samples that land where a judge is asked, and answers of a judge."""

from __future__ import annotations

import json

from assay import Sample

CONTEXT = (
    "The bridge over the river Wipper was opened in 1998. It is 340 metres long and carries two lanes of traffic.",
    "The town council paid 12 million euros for the bridge.",
)
QUESTION = "When was the bridge over the Wipper opened?"
GROUNDED = "The bridge over the river Wipper was opened in 1998 and is 340 metres long."
DOUBTFUL = "Its architect Jane Doe won the Pritzker Prize."
"""A claim that the lexical tier finds unsupported."""


def doubtful(name: str = "row", extra: str = DOUBTFUL) -> Sample:
    """Profile `default` reviews it over one claim."""
    return Sample(QUESTION, CONTEXT, f"{GROUNDED} {extra}", name)


def zone(name: str = "row") -> Sample:
    """Profile `article` over the lexical embedder: final 0.621, REVIEW uncertain, attribution above every gate."""
    return Sample("How long is the bridge?", CONTEXT, GROUNDED, name)


def rejected_in_the_zone(name: str = "row") -> Sample:
    """Profile `article` over the lexical embedder: final 0.465, REJECT hallucination over its attribution."""
    return Sample("How long is the bridge?", CONTEXT, "The bridge has two lanes.", name)


def rulings(*verdicts: str, reason: str = "so it stands there") -> str:
    return json.dumps(
        {"claims": [{"claim": i, "reason": reason, "verdict": v} for i, v in enumerate(verdicts, start=1)]}
    )


def scores(faithfulness: float, relevance: float, reason: str = "as the context says") -> str:
    return json.dumps({"reason": reason, "faithfulness": faithfulness, "relevance": relevance})
