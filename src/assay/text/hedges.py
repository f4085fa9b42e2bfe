"""Vague phrases, every occurrence with its place."""

from __future__ import annotations

import re

from assay.text.patterns import LazyPattern

HEDGES: tuple[str, ...] = (
    "a number of ways",
    "arguably",
    "as needed",
    "can help with",
    "could be",
    "could be used",
    "could potentially",
    "depending on the situation",
    "different ways",
    "for various reasons",
    "generally speaking",
    "in general",
    "in many cases",
    "in many ways",
    "in most cases",
    "in one way or another",
    "in some cases",
    "in some ways",
    "in various",
    "it can be",
    "it could be",
    "it depends",
    "it is believed",
    "it is possible that",
    "it is said",
    "it may be",
    "it might be",
    "it seems",
    "kind of",
    "many scenarios",
    "many situations",
    "may or may not",
    "maybe",
    "might",
    "might be",
    "more or less",
    "perhaps",
    "possibly",
    "potentially",
    "presumably",
    "probably",
    "some people say",
    "some say",
    "sort of",
    "supposedly",
    "to some extent",
    "various aspects",
    "various factors",
    "various purposes",
    "various ways",
)
"""What counts as vague. Words that state a frequency ("typically", "often") are claims, not hedges."""

# Longest first, so that "might be" is one hedge and not "might". Up to three spaces or line breaks may
# stand between the words. ASCII rules inside: folding case, "ſ" would otherwise match "s".
_INITIALS = "".join(sorted({phrase[0] for phrase in HEDGES}))
_PATTERN = LazyPattern(
    rf"\b(?=[{_INITIALS}])(?a:"
    + "|".join(
        r"\s{1,3}".join(map(re.escape, phrase.split())) for phrase in sorted(HEDGES, key=len, reverse=True)
    )
    + r")(?!\w)",
)


def find_hedges(text: str) -> list[tuple[int, int, str]]:
    """Every vague phrase as ``(start, end, phrase)``, in order; the phrase as it stands in `HEDGES`."""
    return [(m.start(), m.end(), " ".join(m.group().lower().split())) for m in _PATTERN.finditer(text)]
