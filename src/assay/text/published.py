"""Text cut exactly as the published formulas cut it.

Kept apart from the rest because of their quirks: words are ASCII letters only, a sentence ends at any
``.``, ``!`` or ``?`` before whitespace, and a vague phrase counts once however often it occurs, also
inside another word. Change nothing here without the article's cases at hand.
"""

from __future__ import annotations

import re

PUBLISHED_HEDGES: tuple[str, ...] = (
    "it can be",
    "it may be",
    "in various",
    "many scenarios",
    "could be used",
    "might be",
    "generally speaking",
    "in some cases",
    "it depends",
    "various ways",
    "can help with",
)
"""The eleven phrases, in the article's order."""

_WORD = re.compile(r"[a-z]+")
_GAP = re.compile(r"(?<=[.!?])\s+")


def ascii_words(text: str) -> list[str]:
    """All runs of the letters a to z in the lower-cased text."""
    return _WORD.findall(text.lower())


def punctuation_sentences(text: str) -> list[tuple[int, int]]:
    """Spans between whitespace that follows ``.``, ``!`` or ``?``; offsets into the text as given."""
    stripped = text.strip()
    if not stripped:
        return []
    offset = len(text) - len(text.lstrip())
    spans, start = [], 0
    for gap in _GAP.finditer(stripped):
        spans.append((offset + start, offset + gap.start()))
        start = gap.end()
    spans.append((offset + start, offset + len(stripped)))
    return spans


def published_hedge_count(text: str) -> int:
    """How many of the phrases occur in the lower-cased text, each counted once."""
    lowered = text.lower()
    return sum(phrase in lowered for phrase in PUBLISHED_HEDGES)
