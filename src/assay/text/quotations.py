"""Quotations of a text, and how they are compared with what they quote."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.text.words import words

_QUOTED = re.compile(
    r"“([^“”\n]{8,1000})”|(?<![\w\"])\"(?![\s\"])([^\"\n]{8,1000})(?<!\s)\"(?!\w)|«([^«»\n]{8,1000})»"
)
_GAP = re.compile(r"\.\.\.|…|\[[^\]]{0,80}\]")
MIN_WORDS = 4
"""Shorter ones are titles, terms and words at a distance as often as quotations."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """The text between quotation marks, without them, and its pieces between ellipses and brackets."""

    start: int
    end: int
    pieces: tuple[str, ...]


def find_quotations(text: str) -> list[Quotation]:
    """Quotations of at least `MIN_WORDS` words, in order."""
    found = []
    if '"' in text or "“" in text or "«" in text:
        for match in _QUOTED.finditer(text):
            index = match.lastindex or 1
            pieces = tuple(piece for part in _GAP.split(match.group(index)) if (piece := spoken(part)))
            if sum(piece.count(" ") - 1 for piece in pieces) >= MIN_WORDS:
                found.append(Quotation(match.start(index), match.end(index), pieces))
    return found


def spoken(text: str) -> str:
    """The words of a text with one space around each: punctuation, case and quotation marks do not count."""
    found = words(text)
    return f" {' '.join(found)} " if found else ""
