"""A passage cut into short pieces for finding evidence; which of them can be checked does not matter here."""

from __future__ import annotations

from assay.text.blocks import scan_blocks
from assay.text.sentences import sentence_spans

LONG_PIECE = 600
"""A piece longer than this (a table, JSON, prose without stops) is cut at spaces."""


def passage_spans(text: str) -> list[tuple[int, int]]:
    """Sentences, list items, table rows and other blocks of a passage, in order, without overlap."""
    spans: list[tuple[int, int]] = []
    if "\n" not in text:  # one block, whatever kind it is
        return [piece for start, end in sentence_spans(text) for piece in _cut(text, start, end)]
    for block in scan_blocks(text):
        if block.kind in ("paragraph", "list_item"):
            found = sentence_spans(text, block.start, block.end)
        else:
            found = [(block.start, block.end)]
        for start, end in found:
            spans += _cut(text, start, end)
    return spans


def _cut(text: str, start: int, end: int) -> list[tuple[int, int]]:
    if end - start <= LONG_PIECE:
        return [(start, end)]
    pieces = []
    while end - start > LONG_PIECE:
        cut = max(text.rfind(space, start, start + LONG_PIECE) for space in (" ", "\n", ","))
        cut = cut if cut > start else start + LONG_PIECE - 1
        pieces.append((start, cut + 1))
        start = cut + 1
    return [*pieces, (start, end)]
