"""What stands inside a citation's brackets: numbers, ranges, labels and names."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import pairwise

Reading = tuple[tuple[str, ...], str]
"""Targets and style of a marker."""

MAX_RANGE = 50
"""Longest range that is expanded; a longer one is reported as unreadable."""

_LABELS = (
    r"(?:documents?|docs?\.?|sources?|passages?|references?|refs?\.?|citations?|cite|contexts?|snippets?"
    r"|excerpts?|chunks?|(?:search )?results?|footnotes?)"
)
_LABELLED = re.compile(
    rf"(?:(?:see|cf\.?|from|per|in|according to)\s{{1,3}})?{_LABELS}(?:\s{{0,3}}[:#]\s{{0,3}}#?|\s{{1,3}}#?"
    r"|(?=\d))(?P<rest>.*)",
    re.IGNORECASE,
)
_AGAIN = re.compile(rf"{_LABELS}\s{{0,3}}[:#]?\s{{0,3}}(?=\d)", re.IGNORECASE)
_SEPARATOR = re.compile(r"\s{0,3}(?:[,;、，&/]\s{0,3}(?:and\b|&)?|\band\b)\s{0,3}", re.IGNORECASE)
_ITEM = re.compile(r"\^?#?(\d{1,6})(?:\s{0,2}[-‐‑–—]\s{0,2}\^?(\d{1,6}))?")
_DAGGER = re.compile(r"(\d{1,4})(?::\d{1,4})?\s?†.*")
_FOOTNOTE = re.compile(r"\^(?=(\w[\w-]{0,40})$)")
_NAMED = re.compile(rf"(?:id|{_LABELS})\s?[:=]\s?([A-Za-z0-9][\w./:-]{{0,56}})", re.IGNORECASE)
_NAME = re.compile(rf"(?:id|{_LABELS})[_-][\w.-]{{1,50}}", re.IGNORECASE)
_NUMERIC = re.compile(r"(?=.*[\d?])[\d\s?,;&–—-]+")
_PLACEHOLDER = re.compile(
    rf"\?{{1,5}}|x|n|#|\^|\^n|citation|{_LABELS}\s?[:#]?\s?(?:\?{{1,3}}|n|x|#)|source|ref"
    r"|(?:citation|source|reference|ref|cite)s?\s(?:needed|required|missing|here|not found|unknown)",
    re.IGNORECASE,
)
_SOURCE_OF = re.compile(r"sources?\s?:\s?(?=.*\w).+", re.IGNORECASE)
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_UNKNOWN: Reading = ((), "unknown")


@lru_cache(maxsize=4096)
def read_bracket(inner: str, *, lens: bool = False) -> Reading | None:
    """Read the inside of ``[...]`` (or of ``【...】``, `lens`); None when it is no citation."""
    inner = inner.strip()
    if dagger := _DAGGER.fullmatch(inner):
        return (dagger[1],), "number"
    if _FOOTNOTE.match(inner):
        return ((), "unknown") if inner in ("^N", "^n", "^x", "^X") else ((inner[1:],), "footnote")
    if inner[:1].isdigit() or inner[:1] in ("#", "^"):
        if (numbers := _numbers(inner)) is not None:
            return _number_reading(numbers, "footnote" if "^" in inner else "number")
    elif (reading := read_label(inner)) is not None:
        return reading
    if _PLACEHOLDER.fullmatch(inner) or (_NUMERIC.fullmatch(inner) and not _only_years(inner)):
        return _UNKNOWN
    return _UNKNOWN if lens and (not inner or "†" in inner) else None


def read_paren(inner: str) -> Reading | None:
    """Read the inside of ``(...)``: only labelled forms are citations, a bare ``(2)`` is not."""
    inner = inner.strip()
    if (reading := read_label(inner)) is not None:
        return reading
    return _UNKNOWN if _SOURCE_OF.fullmatch(inner) or _is_needed(inner) else None


def read_label(inner: str) -> Reading | None:
    """Read ``Doc 1``, ``Documents 1 and 3``, ``Source: 2``, ``ref1``, ``id:abc-7`` or ``doc_12``."""
    if labelled := _LABELLED.fullmatch(inner):
        rest = labelled["rest"].strip()
        if rest.startswith("[") and rest.endswith("]"):
            rest = rest[1:-1].strip()
        numbers = _numbers(_AGAIN.sub("", rest))
        if numbers is not None:
            return (tuple(numbers), "label") if numbers else _UNKNOWN
    if named := _NAMED.fullmatch(inner):
        return (named[1],), "name"
    return ((inner,), "name") if _NAME.fullmatch(inner) and any(c.isdigit() for c in inner) else None


def read_superscript(marker: str, several_digits: bool) -> Reading:
    """Read a run of superscripts; ascending digits are single notes unless numbers run past nine."""
    low, dash, high = marker.partition("⁻")
    first = low.translate(_DIGITS)
    if dash:
        numbers = _expand(first, high.translate(_DIGITS))
        return (tuple(numbers), "superscript") if numbers else _UNKNOWN
    if not several_digits and all(a < b for a, b in pairwise(first)):
        return tuple(first), "superscript"
    return (first,), "superscript"


def _number_reading(numbers: list[str], style: str) -> Reading | None:
    """Bare numbers in brackets: a year is no citation, a four-digit number none that can be read."""
    if not numbers:
        return _UNKNOWN
    if any(len(number) > 3 for number in numbers):
        return None if any(_is_year(number) for number in numbers) or len(numbers) == 1 else _UNKNOWN
    return tuple(numbers), style


def _numbers(text: str) -> list[str] | None:
    """The numbers of a list with ranges; None if it is no such list, empty if a range cannot be read."""
    numbers: list[str] = []
    position = 0
    while True:
        item = _ITEM.match(text, position)
        if item is None:
            return None
        expanded = _expand(item[1], item[2]) if item[2] else [item[1]]
        if not expanded:
            return [item[1], item[2]] if _is_year(item[1]) and _is_year(item[2]) else []
        numbers += expanded
        if item.end() == len(text):
            return numbers if len(numbers) <= MAX_RANGE else []
        separator = _SEPARATOR.match(text, item.end())
        if separator is None:
            return None
        position = separator.end()


def _expand(low: str, high: str) -> list[str]:
    first, last = int(low), int(high)
    if not 0 <= last - first < MAX_RANGE:
        return []
    return [str(number) for number in range(first, last + 1)]


def _is_year(number: str) -> bool:
    return len(number) == 4 and "1000" <= number <= "2199"


def _only_years(inner: str) -> bool:
    numbers = re.findall(r"\d+", inner)
    return bool(numbers) and all(len(number) >= 4 for number in numbers)


def _is_needed(inner: str) -> bool:
    return _PLACEHOLDER.fullmatch(inner) is not None and " " in inner
