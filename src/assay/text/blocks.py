"""The markdown blocks of a text: paragraphs, list items, table rows, headings and code."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

_LINE = re.compile(r"[^\n\r\u2028\u2029]*(?:\r\n|[\n\r\u2028\u2029]|$)")
_QUOTE = re.compile(r"[ \t]{0,12}(?:>[ \t]{0,4}){1,8}")
_FENCE = re.compile(r"\s*(`{3,}|~{3,})([^`\n]*)$")
_ATX = re.compile(r"\s{0,12}#{1,6}(?:[ \t]+|$)")
_MARKER = re.compile(
    r"\s*(?P<mark>[-*+•◦▪‣●–]|\d{1,3}[.)．）]|[a-zA-Z]\)|\((?:\d{1,3}|[a-z]|[ivx]{1,5})\)|[ivx]{1,5}\.)"
    r"\s+(?:\[[ xX]\]\s+)?(?=\S)"
    r"|\s*(?P<cjk>\d{1,3}、)\s*(?=\S)"
)
_SETEXT = re.compile(r"\s*(?:={3,}|-{3,})\s*$")
_ENDS_SENTENCE = (".", "!", "?", ":", ";", "。", "！", "？", "：")
# All that str.isspace() calls space.
_SPACES = " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u1680" + "".join(map(chr, range(0x2000, 0x200B)))
_SPACES += "\u2028\u2029\u202f\u205f\u3000"
_PROSE_INFO = frozenset(["markdown", "md", "text", "txt", "plain", "plaintext"])
_PROSE = re.compile(r"(?<!\S)[\w,’']{1,20} [\w,]{1,20} [\w,]{1,20} [\w%]{1,20}[.!?](?!\S)")
_CODE_SIGNS = re.compile(r"[{};=<>]|\w\(")
_BOLD_LINE = re.compile(r"(\*\*|__)(?=\S)(?:(?!\1).){1,200}\1:?")


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of lines that belong together, without its markers.

    Attributes:
        kind: "paragraph", "list_item", "table_row", "table_head", "heading" or "code".
        start: Offset of the first character that is no space and no marker.
        end: Offset after the last character that is no space.
        bold: Whether the block is one line of bold text.
        indent: Column of its first line.
    """

    kind: str
    start: int
    end: int
    bold: bool = False
    indent: int = 0


@dataclass(slots=True)
class _Line:
    start: int
    end: int
    content: str


def _lines(text: str) -> list[_Line]:
    lines = []
    for match in _LINE.finditer(text):
        if match.start() == match.end():
            continue
        line = match.group()
        quote = _QUOTE.match(line)
        start = match.start() + (quote.end() if quote else 0)
        lines.append(_Line(start, match.end(), text[start : match.end()]))
    return lines


def scan_blocks(text: str) -> list[Block]:
    """The blocks of a text, in order. Between them lie only space, list and heading marks, and rules."""
    scanner = _Scanner(text)
    lines = _lines(text)
    index = 0
    while index < len(lines):
        index = scanner.read(lines, index)
    scanner.flush()
    return scanner.blocks


class _Scanner:
    """Reads lines into blocks; `open` is the paragraph or list item that further lines may continue."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.blocks: list[Block] = []
        self.open: Block | None = None
        self.in_list = False
        self.in_table = False
        self.closers: set[int] = set()
        self.was_bold = False
        self.found: dict[str, int] = {}

    def flush(self) -> None:
        if self.open is not None:
            block, self.open = self.open, None
            one_line = "\n" not in self.text[block.start : block.end]
            bold = one_line and _BOLD_LINE.fullmatch(self.text, block.start, block.end) is not None
            self.blocks.append(replace(block, bold=bold))

    def add(self, kind: str, start: int, end: int, strip: str = "") -> None:
        """Append a finished block, trimmed; nothing if nothing is left."""
        self.flush()
        trimmed = _trim(self.text, start, end, strip)
        if trimmed is not None:
            self.blocks.append(Block(kind, *trimmed))

    def read(self, lines: list[_Line], index: int) -> int:
        """Read one line (or a whole code block) and return the index of the next."""
        line = lines[index]
        if not line.content.strip():
            self.flush()
            self.in_table = False
            return index + 1
        if fence := _FENCE.match(line.content):
            return self.read_fence(lines, index, fence)
        if self.read_rule(line) or self.read_row(lines, index) or self.read_heading(line):
            return index + 1
        self.in_table = False
        self.read_prose(line)
        return index + 1

    def read_fence(self, lines: list[_Line], index: int, fence: re.Match[str]) -> int:
        if index in self.closers:
            self.flush()
            return index + 1
        mark, info = fence[1], fence[2].strip().lower()
        close = self.closing(lines, index, mark)
        inside = lines[index + 1 : close] if info not in _PROSE_INFO else []
        self.flush()
        if info in _PROSE_INFO or (
            inside and not info and _is_prose(self.text[inside[0].start : inside[-1].end])
        ):
            self.closers.add(close)
            return index + 1
        if inside:
            self.add("code", inside[0].start, inside[-1].end)
        return close + 1

    def closing(self, lines: list[_Line], index: int, mark: str) -> int:
        """The line that closes a fence; remembered, so that many open fences are not searched for twice."""
        close = self.found.get(mark, 0)
        if close <= index:
            close = index + 1
            while close < len(lines) and not _closes(lines[close].content, mark):
                close += 1
            self.found[mark] = close
        return close

    def read_rule(self, line: _Line) -> bool:
        """A thematic break or the underline of a heading."""
        if not _is_rule(line.content):
            return False
        block = self.open
        if block is not None and block.kind == "paragraph" and _SETEXT.match(line.content):
            title = self.text[block.start : block.end]
            if "\n" not in title and len(title) < 100 and not title.endswith(_ENDS_SENTENCE):
                self.open = replace(block, kind="heading")
        self.flush()
        return True

    def read_row(self, lines: list[_Line], index: int) -> bool:
        line = lines[index].content
        if "|" not in line:
            return False
        if _is_table_rule(line):
            self.flush()
            self.in_table = True
            return True
        stripped = line.strip()
        framed = stripped.startswith("|") and stripped.count("|") > 1
        heads = index + 1 < len(lines) and _is_table_rule(lines[index + 1].content)
        if not (framed or heads or self.in_table):
            return False
        self.add("table_head" if heads else "table_row", lines[index].start, lines[index].end, "|")
        self.in_table = True
        return True

    def read_heading(self, line: _Line) -> bool:
        heading = _ATX.match(line.content)
        if heading is None:
            return False
        self.add("heading", line.start + heading.end(), line.end)
        self.in_list = False
        return True

    def read_prose(self, line: _Line) -> None:
        indent = len(line.content) - len(line.content.lstrip())
        marker = _MARKER.match(line.content)
        if marker and self.may_start_item(marker):
            self.flush()
            span = _trim(self.text, line.start + marker.end(), line.end)
            self.open = Block("list_item", *span, indent=indent) if span else None
            self.in_list = True
            return
        span = _trim(self.text, line.start, line.end)
        if span is None:
            return
        bold = _BOLD_LINE.fullmatch(self.text, *span) is not None
        if self.open is not None and (self.was_bold or bold) and self.may_split():
            self.flush()
        self.was_bold = bold
        if self.open is not None:
            self.open = replace(self.open, end=span[1])
            return
        self.in_list = self.in_list and indent >= 2
        self.open = Block("list_item" if self.in_list else "paragraph", *span, indent=indent)

    def may_split(self) -> bool:
        """A line of bold text is a block of its own unless it completes a sentence."""
        block = self.open
        return block is None or self.was_bold or self.text.endswith(_ENDS_SENTENCE, block.start, block.end)

    def may_start_item(self, marker: re.Match[str]) -> bool:
        """A number at a line's start is no list mark where it continues a sentence ("built in / 12. ...")."""
        mark = (marker["mark"] or marker["cjk"]).strip("().、．）")
        if self.open is None or self.open.kind == "list_item" or not mark or mark in ("1", "a", "i"):
            return True
        if not mark.isalnum():
            return True
        return self.text.endswith(_ENDS_SENTENCE, self.open.start, self.open.end)


def _trim(text: str, start: int, end: int, also: str = "") -> tuple[int, int] | None:
    """The span without space (and the characters of `also`) at its ends; None if nothing is left."""
    piece = text[start:end].rstrip(_SPACES + also)
    left = len(piece) - len(piece.lstrip(_SPACES + also))
    return (start + left, start + len(piece)) if len(piece) > left else None


def _closes(line: str, mark: str) -> bool:
    line = line.strip()
    return line.startswith(mark) and not line.strip(mark[0])


def _is_prose(content: str) -> bool:
    """Whether a fence holds an answer and not code; a statement must not go unchecked in a code block."""
    return not _CODE_SIGNS.search(content) and _PROSE.search(content) is not None


def _is_table_rule(line: str) -> bool:
    stripped = line.strip()
    return "|" in stripped and "-" in stripped and not stripped.strip("|-:+= \t")


def _is_rule(line: str) -> bool:
    stripped = "".join(line.split())
    return len(stripped) >= 3 and stripped[0] in "-*_=" and not stripped.strip(stripped[0])
