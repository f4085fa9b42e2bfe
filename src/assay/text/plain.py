"""A sentence as its wording is compared.

Straight quotes, single spaces, no emphasis marks, no citations; and every phrase that names the model's
material ("the provided documents", "your search results") becomes one character. That keeps the tables
of wordings short, and matching them fast.
"""

from __future__ import annotations

import re

from assay.text.citations import find_citations
from assay.text.patterns import LazyPattern

MATERIAL = "\x01"
"""Stands for a phrase that can only mean what the model was given ("the provided context")."""
PERHAPS_MATERIAL = "\x02"
"""Stands for a phrase that may also mean something in the world ("the article", "the text")."""

_STRAIGHT = str.maketrans("’‘ʼ“”„\u00a0\t\n\r\x01\x02", "'''\"\"\"      ")
_DROPPED = re.compile(r"[*_`~]+|(?<= ) +")
_QUALIFIED = (
    r"(?:(?:provided|given|supplied|available|retrieved|above|following|current|attached|relevant"
    r"|search|source"
    r"|reference|uploaded|specified|cited|listed|shared|context|background|supporting|existing"
    r"|presented) ){1,3}"
)
_OWN = (
    r"(?:contexts?|passages?|documents?|docs?|excerpts?|snippets?|search results|knowledge base|paragraphs?"
    r"|transcripts?)"
)
_ANY = (
    r"(?:information|data|evidence|texts?|articles?|sources?|references?|materials?|content|results|files?"
    r"|citations|details|reports?|pages?|documentation)"
)
_BEHIND = (
    r"(?: (?:that )?(?:you(?:'ve| have)? |i(?:'ve| have| was)? |were |was )?"
    r"(?:provided|given|above|supplied|available|retrieved|shared|have)\b)"
)
_THE = r"(?:(?:(?:any|either|one|all) of )?(?:the|these|this|those|your|my|any|both|our) )"
_MENTION = LazyPattern(
    rf"\b(?P<own>{_THE}?{_QUALIFIED}(?:{_OWN}|{_ANY}){_BEHIND}?|{_THE}{_OWN}{_BEHIND}?|{_THE}{_ANY}{_BEHIND}"
    r"|(?:documents?|passages?|excerpts?|snippets?|sources?) \[?\d{1,3}\]?"
    r"|(?:documents|passages|excerpts|snippets|search results|knowledge base))\b"
    r"|\b(?P<perhaps>(?:the|this|these|your) (?:texts?|articles?|sources?|information|content"
    r"|materials?|references))\b"
)
_MAY_MENTION = re.compile(
    r"context|passage|docum|docs?\b|excerpt|snippet|result|knowledge|paragraph|transcript|information"
    r"|data|eviden|text"
    r"|articl|source|referen|material|content|file|citation|detail|report|page",
    re.IGNORECASE,
)


def plain(sentence: str) -> tuple[str, list[int]]:
    """The plain form, and for each of its characters the offset of its first character in `sentence`."""
    straight = sentence.translate(_STRAIGHT)
    dropped = [match.span() for match in _DROPPED.finditer(straight)]
    dropped += [(c.start, c.end) for c in find_citations(sentence)]
    offsets = list(range(len(straight)))
    if dropped:
        gone = bytearray(len(straight))
        for start, end in dropped:
            gone[start:end] = b"\1" * (end - start)
        offsets = [i for i, out in enumerate(gone) if not out]
        straight = "".join([straight[i] for i in offsets])
    return _mark(straight, offsets) if _MAY_MENTION.search(straight) else (straight, offsets)


def _mark(text: str, offsets: list[int]) -> tuple[str, list[int]]:
    pieces: list[str] = []
    kept: list[int] = []
    last = 0
    for match in _MENTION.finditer(text):
        pieces += [text[last : match.start()], MATERIAL if match["own"] else PERHAPS_MATERIAL]
        kept += offsets[last : match.start() + 1]
        last = match.end()
    return "".join([*pieces, text[last:]]), kept + offsets[last:]
