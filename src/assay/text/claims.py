"""A response cut into segments with offsets, each with the word whether it can be checked."""

from __future__ import annotations

import re
from dataclasses import dataclass

from assay.text.blocks import Block, scan_blocks
from assay.text.checkable import is_checkable, states_something
from assay.text.citations import find_citations
from assay.text.sentences import sentence_spans
from assay.text.words import words

_DIGIT = re.compile(r"\d")
_SHORT_TITLE = 8
_HEAD_CELL = 4


@dataclass(frozen=True, slots=True)
class Segment:
    """One sentence, list item sentence, table row, heading or code block of a text.

    Attributes:
        start: Offset of its first character in the text as given.
        end: Offset after its last character.
        kind: "sentence", "list_item", "table_row", "heading" or "code".
        checkable: Whether it says something that can be checked.
        why: Why it is not checkable; empty if it is.
    """

    start: int
    end: int
    kind: str
    checkable: bool
    why: str = ""


def segment(text: str) -> list[Segment]:
    """Cut a text into segments.

    Segments are in order, do not overlap, and neither start nor end with space. What lies between them
    holds no letter and no digit except list numbering and the info string of a code fence. A text of
    anything but space has at least one segment.
    """
    blocks = scan_blocks(text)
    cites = {c.start: c.end for c in find_citations(text)} if blocks else {}
    segments: list[Segment] = []
    for index, block in enumerate(blocks):
        following = blocks[index + 1] if index + 1 < len(blocks) else None
        segments += _segments(text, block, following, cites)
    if not segments and text.strip():
        start = len(text) - len(text.lstrip())
        end = len(text.rstrip())
        segments.append(Segment(start, end, "sentence", *is_checkable(text[start:end])))
    return segments


def _segments(text: str, block: Block, following: Block | None, cites: dict[int, int]) -> list[Segment]:
    content = text[block.start : block.end] if block.kind != "code" else ""
    if block.kind == "code":
        return [Segment(block.start, block.end, "code", False, "code")]
    if block.kind == "heading":
        return [_heading(block, content)]
    if block.kind == "table_head" and _is_table_head(content):
        return [Segment(block.start, block.end, "table_row", False, "table header")]
    if block.kind in ("table_row", "table_head"):
        return [Segment(block.start, block.end, "table_row", *is_checkable(content))]
    if following is not None and _is_title(block, content, following):
        kind = "heading" if block.kind == "paragraph" else block.kind
        return [Segment(block.start, block.end, kind, False, "heading")]
    kind = "sentence" if block.kind == "paragraph" else block.kind
    return [
        Segment(start, end, kind, *is_checkable(text[start:end]))
        for start, end in sentence_spans(text, block.start, block.end, cites)
    ]


def _heading(block: Block, content: str) -> Segment:
    if states_something(content):
        return Segment(block.start, block.end, "heading", True)
    return Segment(block.start, block.end, "heading", False, "heading")


def _is_title(block: Block, content: str, following: Block) -> bool:
    """A line that announces what follows: bold text on its own, or a few words with a colon."""
    if len(content) > 120 or "\n" in content:
        return False
    last = content.rstrip("*_ ")[-1:]
    if block.kind == "list_item":
        deeper = following.kind == "list_item" and following.indent > block.indent
        return deeper and last in ":：" and not states_something(content) and not _DIGIT.search(content)
    introduces = last in ":：" and following.kind in ("list_item", "table_row", "table_head", "code")
    if not (introduces or block.bold) or states_something(content):
        return False
    if block.bold and not introduces:
        return last not in ".!?。" and len(words(content)) <= _SHORT_TITLE
    return len(words(content)) <= _SHORT_TITLE and not _DIGIT.search(content)


def _is_table_head(content: str) -> bool:
    """Column names are no claim; a number or a long cell might be one."""
    return not _DIGIT.search(content) and all(len(words(cell)) <= _HEAD_CELL for cell in content.split("|"))
