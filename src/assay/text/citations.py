"""Citation markers in every form that models write, with their places and targets."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.text.blocks import scan_blocks
from assay.text.markers import Reading, read_bracket, read_paren, read_superscript


@dataclass(frozen=True, slots=True)
class Citation:
    """One citation marker.

    Attributes:
        start: Offset of the marker's first character.
        end: Offset after its last character.
        marker: The marker as written, ``text[start:end]``.
        targets: What it points at, as written: numbers as digits ("3"), names as they stand. Ranges are
            expanded. Empty for a marker that cannot be read.
        style: "number", "footnote", "label" (``(Doc 1)``), "name" (``[id:abc]``), "superscript" or
            "unknown".
    """

    start: int
    end: int
    marker: str
    targets: tuple[str, ...]
    style: str


# Lengths are bounded, so that a text of nothing but brackets costs linear time.
_CANDIDATE = re.compile(
    r"\[(?P<square>[^\[\]\n]{1,60})\]"
    r"|【(?P<lens>[^【】\n]{0,60})】"
    r"|\((?P<paren>[^()\n]{3,60})\)"
    r"|(?P<sup>[¹²³⁰⁴-⁹]{1,6}(?:⁻[¹²³⁰⁴-⁹]{1,6})?)"
)
_MAY_CITE = re.compile(r"[\[【(¹²³⁰⁴-⁹]")
_LINK_TARGET = re.compile(r"\([^()\s]{1,300}\)|\((?:[a-z][a-z0-9+.-]{1,15}:|www\.|[/#.<])")
_DEFINITION = re.compile(r":(?:\s|$)")
_LIST_MARK = re.compile(r"(?:^|[\n\r])[ \t>]{0,20}(?:(?:[-*+•]|\d{1,3}[.)])[ \t]{1,8})?$")
_LINE_START = re.compile(r"(?:^|[\n\r])[ \t>]{0,20}$")
_IDENTIFIER = re.compile(r"[A-Za-z_](?:[\w.]{0,38}\w)?$", re.ASCII)
_CODE_AFTER = re.compile(r"(?:\[\w{1,20}\])?(?:\.[a-z_]|\(\w{0,20}\)|\s?[-+*/]?=)")
_ARRAY_NAMES = frozenset(
    ("arr", "array", "argv", "args", "nums", "vec", "buf", "lst", "dict", "obj", "ptr", "str")
)
_INLINE_CODE = re.compile(r"`[^`\n]{1,200}`")
_UNIT_NAMES = "m km cm mm dm nm µm μm mi ft in yd s ms kg mc x y z n r a b c d e h i k l p q t v w π σ χ"
_UNITS = frozenset(_UNIT_NAMES.split())
_SUP_RUN = re.compile(r"[¹²³⁰⁴-⁹]{2}")


def find_citations(text: str) -> list[Citation]:
    """All citation markers, in order, without overlaps.

    Years, array indices in code, task boxes, markdown links and elisions (``[...]``) are no citations.
    Markers that look like one but cannot be read (``[?]``, ``[citation needed]``, ``[1-900]``) have the
    style "unknown" and no targets.
    """
    if not _MAY_CITE.search(text):
        return []
    found: list[Citation] = []
    code, code_at = _code_spans(text), 0
    several_digits = not text.isascii() and _counts_past_nine(text)
    match = _CANDIDATE.search(text)
    while match:
        start, end = match.span()
        while code_at < len(code) and code[code_at][1] <= start:
            code_at += 1
        inside = code_at < len(code) and code[code_at][0] <= start
        reading = None if inside else _read(text, match, several_digits)
        if reading:
            found.append(Citation(start, end, match.group(), *reading))
        # An unread bracket may hold a readable one: "(see [1])".
        match = _CANDIDATE.search(text, end if reading else start + 1)
    return found


def _read(text: str, match: re.Match[str], several_digits: bool) -> Reading | None:
    kind = match.lastgroup
    if kind == "sup":
        return read_superscript(match.group(), several_digits) if _is_note(text, match.start()) else None
    if kind == "paren":
        return read_paren(match["paren"])
    inner = match["square"] if kind == "square" else match["lens"]
    reading = read_bracket(inner, lens=kind == "lens")
    return None if reading is None or _is_other_bracket(text, match, inner) else reading


def _is_other_bracket(text: str, match: re.Match[str], inner: str) -> bool:
    """Whether a bracket that reads like a citation is a link, a task box, a definition or an index."""
    start, end = match.span()
    if text.startswith("(", end) and _LINK_TARGET.match(text, end):
        return True
    before = text[max(0, start - 48) : start]
    if text.startswith(":", end) and _DEFINITION.match(text, end) and _LINE_START.search(before):
        return True
    if inner in ("x", "X") and _LIST_MARK.search(before):
        return True
    return _is_index(before, inner, text, end)


def _is_index(before: str, inner: str, text: str, end: int) -> bool:
    if not before or not (before[-1].isalnum() or before[-1] == "_"):
        return False
    name = _IDENTIFIER.search(before)
    if name is None:
        return False
    word = name.group()
    if inner == "0" or "_" in word or "." in word or word in _ARRAY_NAMES:
        return True
    return (len(word) == 1 and word.islower()) or _CODE_AFTER.match(text, end) is not None


def _is_note(text: str, start: int) -> bool:
    """Whether a superscript is a note and not an exponent: after a word or a stop, not after a unit."""
    before = text[max(0, start - 24) : start]
    if not before or before[-1].isspace():
        return False
    if not before[-1].isalnum():
        return before[-1] not in "^+-−/×·⁻"
    token = re.split(r"[\W_]", before)[-1]
    if token.isdigit():
        return len(token) == 4 and "1000" <= token <= "2199"
    return token.lower() not in _UNITS and token.isalpha() and not any(c.isdigit() for c in token)


def _counts_past_nine(text: str) -> bool:
    """Whether superscripts are numbers of several digits: "¹⁰" can only be ten, "¹²" may be one and two."""
    return any(m.group()[1] == "⁰" or m.group() == "¹¹" for m in _SUP_RUN.finditer(text))


def _code_spans(text: str) -> list[tuple[int, int]]:
    if "`" not in text and "~~~" not in text:
        return []
    spans = [(block.start, block.end) for block in scan_blocks(text) if block.kind == "code"]
    spans += [match.span() for match in _INLINE_CODE.finditer(text)]
    return sorted(spans)
