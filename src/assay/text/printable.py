"""Hostile text made safe to print: no control sequence of a judged text reaches a terminal."""

from __future__ import annotations

import re

# C0 and C1 controls, bidirectional overrides and isolates, zero-width characters, line separators,
# lone surrogates, and the tag block that hides text.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)
_SPACE = re.compile(r"[\t\n]+")


_VISIBLE = re.compile(
    "[^\\s\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


def is_blank(text: str) -> bool:
    """Whether a reader would see nothing: only spaces, control, zero-width and direction characters."""
    return _VISIBLE.search(text) is None


def printable(text: str) -> str:
    r"""``text`` on one line with every unsafe character written as an escape such as ``\x1b``."""
    return _UNSAFE.sub(_escape, _SPACE.sub(" ", text))


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
