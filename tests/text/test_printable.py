from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.printable import printable

HOSTILE = {
    "\x1b[31mred\x1b[0m": r"\x1b[31mred\x1b[0m",
    "\x1b]8;;http://x\x07link": r"\x1b]8;;http://x\x07link",
    "\x9b2J": r"\x9b2J",
    "a\x00b": r"a\x00b",
    "a\rb": r"a\x0db",
    "a\x0bb\x0cc": r"a\x0bb\x0cc",
    "a\x7fb": r"a\x7fb",
    "a\x85b": r"a\x85b",
    "a\u2028b\u2029c": r"a\u2028b\u2029c",
    "user\u202etxt.exe": r"user\u202etxt.exe",
    "\u2066isolated\u2069": r"\u2066isolated\u2069",
    "zero\u200bwidth": r"zero\u200bwidth",
    "zero\u180ewidth": r"zero\u180ewidth",
    "\ufeffbom": r"\ufeffbom",
    "swap\u206e": r"swap\u206e",
    "so\u00adft": r"so\xadft",
    "lone\ud800": r"lone\ud800",
    "tag\U000e0041": r"tag\U000e0041",
}
DIRECTIONS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@pytest.mark.parametrize(("text", "shown"), HOSTILE.items(), ids=lambda t: ascii(t))
def test_what_could_steer_a_terminal_or_hide_is_written_out(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.parametrize(
    "text", ["", "plain", "Zürich – 3 °C", "東京は日本の首都です。", "✅ 🇨🇭", "שלום", r"a\x1b"]
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    assert printable(text) == text


@pytest.mark.parametrize("text", ["a\nb", "a\tb", "a\n\n\tb"])
def test_line_breaks_and_tabs_are_one_space(text: str) -> None:
    assert printable(text) == "a b"


@settings(max_examples=1000)
@given(st.text(st.characters(min_codepoint=0)) | st.text(st.sampled_from("".join(HOSTILE))))
def test_nothing_that_comes_out_can_steer_break_or_fail_to_encode(text: str) -> None:
    shown = printable(text)
    assert not any(unicodedata.category(c) in ("Cc", "Cs", "Zl", "Zp") for c in shown)
    assert not any(unicodedata.bidirectional(c) in DIRECTIONS for c in shown)
    assert shown.splitlines() in ([], [shown])
    shown.encode("utf-8")
    assert printable(shown) == shown
