"""Which script the letters of a text belong to. A tier that cannot read a script has to say so."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from functools import lru_cache

# First code point, last code point, script. Blocks rather than exact properties: a handful of letters
# in mixed blocks do not change which script a text is in.
_RANGES: tuple[tuple[int, int, str], ...] = (
    (0x0041, 0x024F, "Latin"),
    (0x0250, 0x02AF, "Latin"),
    (0x0370, 0x03FF, "Greek"),
    (0x0400, 0x052F, "Cyrillic"),
    (0x0530, 0x058F, "Armenian"),
    (0x0590, 0x05FF, "Hebrew"),
    (0x0600, 0x06FF, "Arabic"),
    (0x0700, 0x074F, "Syriac"),
    (0x0750, 0x077F, "Arabic"),
    (0x0780, 0x07BF, "Thaana"),
    (0x07C0, 0x07FF, "Nko"),
    (0x0870, 0x08FF, "Arabic"),
    (0x0900, 0x097F, "Devanagari"),
    (0x0980, 0x09FF, "Bengali"),
    (0x0A00, 0x0A7F, "Gurmukhi"),
    (0x0A80, 0x0AFF, "Gujarati"),
    (0x0B00, 0x0B7F, "Oriya"),
    (0x0B80, 0x0BFF, "Tamil"),
    (0x0C00, 0x0C7F, "Telugu"),
    (0x0C80, 0x0CFF, "Kannada"),
    (0x0D00, 0x0D7F, "Malayalam"),
    (0x0D80, 0x0DFF, "Sinhala"),
    (0x0E00, 0x0E7F, "Thai"),
    (0x0E80, 0x0EFF, "Lao"),
    (0x0F00, 0x0FFF, "Tibetan"),
    (0x1000, 0x109F, "Myanmar"),
    (0x10A0, 0x10FF, "Georgian"),
    (0x1100, 0x11FF, "Hangul"),
    (0x1200, 0x139F, "Ethiopic"),
    (0x13A0, 0x13FF, "Cherokee"),
    (0x1400, 0x167F, "Canadian Aboriginal"),
    (0x1780, 0x17FF, "Khmer"),
    (0x1800, 0x18AF, "Mongolian"),
    (0x1C80, 0x1C8F, "Cyrillic"),
    (0x1C90, 0x1CBF, "Georgian"),
    (0x1D00, 0x1D25, "Latin"),
    (0x1D26, 0x1D2A, "Greek"),
    (0x1D2B, 0x1D2B, "Cyrillic"),
    (0x1D2C, 0x1D7F, "Latin"),
    (0x1D80, 0x1DBF, "Latin"),
    (0x1E00, 0x1EFF, "Latin"),
    (0x1F00, 0x1FFF, "Greek"),
    (0x2C60, 0x2C7F, "Latin"),
    (0x2D00, 0x2D2F, "Georgian"),
    (0x2D80, 0x2DDF, "Ethiopic"),
    (0x2DE0, 0x2DFF, "Cyrillic"),
    (0x2E80, 0x2FDF, "Han"),
    (0x3005, 0x3007, "Han"),
    (0x3040, 0x309F, "Hiragana"),
    (0x30A0, 0x30FF, "Katakana"),
    (0x3100, 0x312F, "Bopomofo"),
    (0x3130, 0x318F, "Hangul"),
    (0x31A0, 0x31BF, "Bopomofo"),
    (0x31F0, 0x31FF, "Katakana"),
    (0x3400, 0x4DBF, "Han"),
    (0x4E00, 0x9FFF, "Han"),
    (0xA000, 0xA4CF, "Yi"),
    (0xA640, 0xA69F, "Cyrillic"),
    (0xA720, 0xA7FF, "Latin"),
    (0xA8E0, 0xA8FF, "Devanagari"),
    (0xA960, 0xA97F, "Hangul"),
    (0xA9E0, 0xA9FF, "Myanmar"),
    (0xAA60, 0xAA7F, "Myanmar"),
    (0xAB00, 0xAB2F, "Ethiopic"),
    (0xAB30, 0xAB6F, "Latin"),
    (0xAB70, 0xABBF, "Cherokee"),
    (0xAC00, 0xD7FF, "Hangul"),
    (0xF900, 0xFAFF, "Han"),
    (0xFB00, 0xFB06, "Latin"),
    (0xFB13, 0xFB17, "Armenian"),
    (0xFB1D, 0xFB4F, "Hebrew"),
    (0xFB50, 0xFDFF, "Arabic"),
    (0xFE70, 0xFEFE, "Arabic"),
    (0xFF21, 0xFF5A, "Latin"),
    (0xFF66, 0xFF9F, "Katakana"),
    (0xFFA0, 0xFFDC, "Hangul"),
    (0x1B000, 0x1B16F, "Hiragana"),
    (0x1D400, 0x1D7FF, "Latin"),
    (0x1EE00, 0x1EEFF, "Arabic"),
    (0x20000, 0x3FFFF, "Han"),
)
_STARTS = [first for first, _, _ in _RANGES]


@lru_cache(maxsize=16_384)
def _script(char: str) -> str:
    if not char.isalpha():
        return "Other"
    code = ord(char)
    index = bisect_right(_STARTS, code) - 1
    return _RANGES[index][2] if index >= 0 and code <= _RANGES[index][1] else "Other"


_ASCII_LETTER = re.compile(r"[A-Za-z]")


def script_of(char: str) -> str:
    """The script of a letter, by its Unicode name (``"Latin"``, ``"Han"``, ...).

    Args:
        char: One character; of a longer string the first counts.

    Returns:
        ``"Other"`` for a letter of a rarer script and for everything that is no letter.
    """
    return _script(char[0]) if char else "Other"


def script_counts(text: str) -> dict[str, int]:
    """How many letters of each script the text has; characters that are no letters are not counted."""
    counts: dict[str, int] = {}
    for char, n in Counter(text).items():
        if char.isalpha():
            script = _script(char)
            counts[script] = counts.get(script, 0) + n
    return counts


def main_script(text: str) -> str | None:
    """The script with the most letters (the one met first, if two have as many), None without letters."""
    if text.isascii():
        return "Latin" if _ASCII_LETTER.search(text) else None
    counts = script_counts(text)
    return max(counts, key=counts.__getitem__) if counts else None
