import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from assay.text.scripts import main_script, script_counts, script_of


@pytest.mark.parametrize(
    ("letters", "script"),
    [
        ("aZéßŁ", "Latin"), ("αΩἀ", "Greek"), ("яЖ", "Cyrillic"), ("مس", "Arabic"), ("אש", "Hebrew"),
        ("नह", "Devanagari"),
        ("বল", "Bengali"), ("漢字", "Han"), ("ひら", "Hiragana"), ("カタ", "Katakana"), ("한국", "Hangul"),
        ("ไท", "Thai"),
        ("ລາ", "Lao"), ("ខម", "Khmer"), ("မြ"[:1], "Myanmar"), ("བོ"[:1], "Tibetan"), ("ას",
        "Georgian"), ("ብል", "Ethiopic"),
        ("Աբ", "Armenian"), ("தம", "Tamil"), ("తె"[:1], "Telugu"), ("1 .-²", "Other"), ("\ud800\x00",
        "Other"),
    ],
)  # fmt: skip
def test_script_of(letters, script):
    assert {script_of(char) for char in letters} == {script}


def test_edges():
    assert script_of("") == "Other"
    assert script_of("ab") == "Latin"
    assert main_script("") is None
    assert main_script("12 + 3") is None
    assert main_script("abc 漢") == "Latin"
    assert main_script("漢a") == "Han"
    assert script_counts("ab 漢 1") == {"Latin": 2, "Han": 1}


@given(st.text())
@settings(max_examples=2000, deadline=None)
def test_every_letter_is_counted_once(text):
    counts = script_counts(text)
    assert sum(counts.values()) == sum(char.isalpha() for char in text)
    assert main_script(text) in {*counts, None}


def test_agrees_with_the_names_of_unicode():
    for code in range(0x20, 0x3000):
        char = chr(code)
        name = unicodedata.name(char, "")
        if not char.isalpha():
            assert script_of(char) == "Other"
        for script in ("CYRILLIC", "ARABIC", "HEBREW", "DEVANAGARI", "THAI", "KHMER", "ETHIOPIC"):
            if char.isalpha() and name.startswith(script + " "):
                assert script_of(char) == script.title(), name
