import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assay.text.claims import Segment, segment


def cut(text):
    return [text[s.start : s.end] for s in segment(text)]


def kinds(text):
    return [(text[s.start : s.end], s.kind, s.checkable) for s in segment(text)]


PIECES = [
    "The tower is 300 m high.", "Foo", "bar", "et al.", "e.g.", "Dr.", "3.5", "U.S.", "No. 5", "[1]",
        "[2004]", "【1】", "¹",
    "(Doc 1)", "。", "！", "？", "东京", "です", "العربية", "؟", "हिन्दी", "।", "ไทย", ".", "!", "?", "...",
        "…", "\n", "\n\n", "\r\n",
    "\u2028", " ", "  ", "\t", "\n- ", "\n* ", "\n1. ", "\n2) ", "\na) ", "# ", "\n## ", "\n> ", "```",
        "\n```\n", "\n```python\n",
    "\n~~~\n", "\n|", "|", "|---|---|", "\n|---|\n", "---", "===", "\n---\n", "**", "*", "_", "`", ":",
        ":\n", "- [x] ", "\ud800",
    "\x00", "\u200b", "\u202e", "\u0301", '"', "”", "(", ")", "[", "]", "1", "42.", "$", "\x1c",
        "\u3000", "1、", "i. ",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(PIECES) | st.text(max_size=4), max_size=25).map("".join)

# What may lie between segments besides space and signs.
MARKERS = re.compile(
    r"\d{1,3}(?=[.)．）、])|[a-zA-Z](?=\))|(?<=\()(?:\d{1,3}|[a-z]|[ivx]{1,5})(?=\))|[ivx]{1,5}(?=\.)"
    r"|(?<=\[)[xX](?=\])"
)
FENCE = re.compile(r"(?:`{3,}|~{3,})[^\n`]*")


@given(TEXTS)
@settings(max_examples=2000, deadline=None)
@example("")
@example("1.")
@example("```python\nx = 1")
@example("| a | b |\n|---|---|\n| 1 | 2 |")
def test_segments_rebuild_the_text(text):
    segments = segment(text)
    assert bool(segments) == bool(text.strip())
    rebuilt, last = "", 0
    for part in segments:
        assert last <= part.start < part.end <= len(text)
        gap, piece = text[last : part.start], text[part.start : part.end]
        assert not piece[0].isspace()
        assert not piece[-1].isspace()
        assert_gap(gap)
        assert part.kind in ("sentence", "list_item", "table_row", "heading", "code")
        assert part.checkable != bool(part.why)
        rebuilt += gap + piece
        last = part.end
    assert_gap(text[last:])
    assert rebuilt + text[last:] == text


def assert_gap(gap):
    left = MARKERS.sub("", FENCE.sub("", gap))
    assert not any(char.isalnum() for char in left), gap


@given(st.text())
@settings(max_examples=2000, deadline=None)
def test_any_text_is_cut_the_same_way_twice(text):
    assert segment(text) == segment(text)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Foo et al. [2004] said so. Next.", ["Foo et al. [2004] said so.", "Next."]),
        ("Foo et al. [2004]", ["Foo et al. [2004]"]),
        ("Foo bar. [1] Baz is it.", ["Foo bar. [1]", "Baz is it."]),
        ("Foo bar.[1][2] Baz is it.", ["Foo bar.[1][2]", "Baz is it."]),
        ("Foo bar [1]. Baz is it [2].", ["Foo bar [1].", "Baz is it [2]."]),
        ("Foo bar.¹ Baz is it. (Doc 2) Last one.", ["Foo bar.¹", "Baz is it. (Doc 2)", "Last one."]),
        ("It uses, e.g. water. It is 3.5 m.", ["It uses, e.g. water.", "It is 3.5 m."]),
        ("Dr. Smith met Mr. X. J. Smith. They ate.", ["Dr. Smith met Mr. X. J. Smith.", "They ate."]),
        ("He left the U.S. in May. See No. 5 there.", ["He left the U.S. in May.", "See No. 5 there."]),
        ("He lived in the U.S. It was good.", ["He lived in the U.S.", "It was good."]),
        ("The U.S. Army won. Yahoo! is a firm.", ["The U.S. Army won.", "Yahoo! is a firm."]),
        ('He said "Go." Then he left.', ['He said "Go."', "Then he left."]),
        ("**Bold one.** Next one.", ["**Bold one.**", "Next one."]),
        ("Wait... What? Yes!", ["Wait...", "What?", "Yes!"]),
        ("东京塔高333米。它建于1958年！", ["东京塔高333米。", "它建于1958年！"]),
        ("هذا سؤال؟ نعم هو. یہ ہے۔ وہ ہے۔", ["هذا سؤال؟", "نعم هو.", "یہ ہے۔", "وہ ہے۔"]),
        ("यह है। वह है॥ ගස", ["यह है।", "वह है॥", "ගස"]),
        ("ሰላም ነው። እሺ።", ["ሰላም ነው።", "እሺ።"]),
        ("ဒါက။ ဟုတ်။", ["ဒါက။", "ဟုတ်။"]),
        ("One line\nand the next. Then.", ["One line\nand the next.", "Then."]),
        ("One\n\nTwo", ["One", "Two"]),
        ("- First. More.\n- [x] Second", ["First.", "More.", "Second"]),
        ("1. One\n2) Two\na) Three", ["One", "Two", "Three"]),
        ("| A | B |\n|---|---|\n| x y | 3 |", ["A | B", "x y | 3"]),
        ("# Title\ntext", ["Title", "text"]),
        ("no stop at all", ["no stop at all"]),
        ("42.", ["42."]),
        ("1. Foo is. 2. Bar is.", ["Foo is.", "2. Bar is."]),
        ("It was built in\n12. It is old.", ["It was built in\n12.", "It is old."]),
        ("> quoted text. More.", ["quoted text.", "More."]),
    ],
)
def test_ends(text, parts):
    assert cut(text) == parts


def test_kinds_and_what_is_checkable():
    text = (
        "Sure! Here are the steps:\n\n1. Do it now.\n2. The tower is 5 m high.\n\n**Note**\nText is here.\n\n"
        "# Title\n\nTitle\n=====\n\n| Name | Height |\n|---|---|\n| Eiffel | 300 m |\n\n```python\nx = "
        "1\n```\n\nKey facts:\n- end"
    )
    assert kinds(text) == [
        ("Sure!", "sentence", False),
        ("Here are the steps:", "sentence", False),
        ("Do it now.", "list_item", True),
        ("The tower is 5 m high.", "list_item", True),
        ("**Note**", "heading", False),
        ("Text is here.", "sentence", True),
        ("Title", "heading", False),
        ("Title", "heading", False),
        ("Name | Height", "table_row", False),
        ("Eiffel | 300 m", "table_row", True),
        ("x = 1", "code", False),
        ("Key facts:", "heading", False),
        ("end", "list_item", True),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "**Paris**",
        "# The tower is 900 m high.",
        "## Population: 999 million",
        "**The tower was built in 1850**\nIt is old.",
        "```\nThe tower is 900 m high.\n```",
        "```markdown\nThe tower is 900 m high.\n```",
        "| The tower is 900 m high | b |\n|---|---|\n",
        "The tower is 900 m high\n---",
        "> The tower is 900 m high.",
        "The context does not mention X. Based on the passages, the tower is 300 m high.",
    ],
)
def test_no_layout_hides_a_statement(text):
    assert any(part.checkable for part in segment(text))


def test_code_and_its_closing_fence():
    text = "Run:\n\n```sh\nmake all\n```\nIt works."
    assert kinds(text) == [
        ("Run:", "heading", False),
        ("make all", "code", False),
        ("It works.", "sentence", True),
    ]


def test_a_text_of_signs_alone_is_one_segment():
    assert segment(" --- ") == [Segment(1, 4, "sentence", False, "no words")]
    assert [s.checkable for s in segment("👍")] == [False]


HOSTILE = ["[", "]", "1. ", ". ", "A. ", "|", "|\n", "```\n", "```md\n", "\n- ", "*", "(", "\n1.",
        "! A", "。", "x", " ", "\n",
           "\n**a**", "a|b\n", "# ", "`", "e.g. ", "[1]", "A a. [1]", "the documents do not ",
        "i don't know. ", "**a", "> ", "¹"]  # fmt: skip


@pytest.mark.parametrize("unit", HOSTILE)
def test_work_grows_with_the_length_and_not_with_its_square(unit):
    # Counted in calls of Python functions and of the regex engine, not in seconds.
    small, large = _calls((unit * 3000)[:3000]), _calls((unit * 24000)[:24000])
    assert large <= 12 * small + 5000


def _calls(text):
    import sys

    count = 0

    def tally(frame, event, arg):
        nonlocal count
        count += 1

    segment(text[:100])
    sys.setprofile(tally)
    try:
        segment(text)
    finally:
        sys.setprofile(None)
    return count
