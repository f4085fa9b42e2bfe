import pytest

from assay.text.blocks import scan_blocks


def blocks(text):
    return [(b.kind, text[b.start : b.end]) for b in scan_blocks(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a\nb\n\nc", [("paragraph", "a\nb"), ("paragraph", "c")]),
        ("- a\n  b\n- c", [("list_item", "a\n  b"), ("list_item", "c")]),
        ("1. a\n\n   b", [("list_item", "a"), ("list_item", "b")]),
        ("## a ##\nb", [("heading", "a ##"), ("paragraph", "b")]),
        ("a\n===\nb", [("heading", "a"), ("paragraph", "b")]),
        ("a b.\n---\nc", [("paragraph", "a b."), ("paragraph", "c")]),
        ("a|b\n-|-\n1|2", [("table_head", "a|b"), ("table_row", "1|2")]),
        ("p(a|b) is it", [("paragraph", "p(a|b) is it")]),
        ("```py\nx\n\ny\n```\nz", [("code", "x\n\ny"), ("paragraph", "z")]),
        ("~~~py\nx", [("code", "x")]),
        ("```md\n# a\n```\nz", [("heading", "a"), ("paragraph", "z")]),
        ("> - a\n> - b", [("list_item", "a"), ("list_item", "b")]),
        ("**a**\nb", [("paragraph", "**a**"), ("paragraph", "b")]),
        ("it is\n**b** c", [("paragraph", "it is\n**b** c")]),
        ("a\r\n\r\nb\u2029\u2029c", [("paragraph", "a"), ("paragraph", "b"), ("paragraph", "c")]),
        ("in\n12. x", [("paragraph", "in\n12. x")]),
        ("in:\n12. x", [("paragraph", "in:"), ("list_item", "x")]),
        ("***\n", []),
    ],
)
def test_blocks(text, expected):
    assert blocks(text) == expected


def test_bold_and_indent():
    first, second = scan_blocks("**a**\n  - b")
    assert first.bold
    assert (second.bold, second.indent) == (False, 2)
