from __future__ import annotations

import io
import re
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console, Group

from assay.batch.drift import compare_files
from assay.batch.summary import summarise, total
from assay.batch.terminal_drift import render_drift
from assay.batch.terminal_report import render
from assay.text.printable import printable

from .verdicts import HOSTILE, hostile_file, verdict, write


def shown(part: Group, width: int = 80, encoding: str = "utf-8", colour: bool = False) -> str:
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, newline="")
    console = Console(
        file=stream, width=width, force_terminal=colour, color_system="standard" if colour else None
    )
    console.print(part)
    stream.flush()
    return raw.getvalue().decode(encoding)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return write(
        tmp_path / "out.jsonl",
        *(verdict(f"a{i}", final=0.93, label=1, meta={"latency_ms": 2.0}) for i in range(7)),
        verdict("leaky", final=0.71, label=0, meta={"latency_ms": 9.0}),
        verdict(
            "bad",
            "REJECT",
            final=0.12,
            reason="Says too much.",
            sentences=["It opened in 1931."],
            conversation="chat",
        ),
        verdict(
            "so-so",
            "REVIEW",
            final=None,
            conversation="chat",
            error={"type": "InputError", "message": "no text"},
        ),
        tail='{"id',
    )


def test_the_figures_are_there(file: Path) -> None:
    text = shown(render(summarise(file)))
    words = " ".join(text.split())
    for part in (
        "Of 10 responses, 8 may be served as they are (80.0 %).",
        "ACCEPT 8 80.0 % 49.0 to 94.3 %",
        "Leak 12.5 % (2.2 to 47.1 %; 1 of n 8)",
        "p50 2 ms",
        "max 10 ms",
        'REJECT bad weak_grounding, final 0.120 Says too much. - "It opened in 1931."',
        "chat 2 REJECT REVIEW",
        "so-so (line 10): no text",
        "Cut off: line 11",
        "final 0.816 0.271 9 0",
    ):
        assert part in words, part


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
def test_no_line_is_wider_than_the_terminal_and_none_loses_a_word(file: Path, encoding: str) -> None:
    summary = summarise(file)
    drift = render_drift(compare_files(file, file, summary, summary))
    for part in (render(summary), drift):
        for width in (60, 80, 120):
            text = shown(part, width, encoding)
            assert max(map(cell_len, text.splitlines())) <= width
    assert shown(drift, 80, encoding).count("within chance") >= 8
    assert shown(drift, 80, encoding).count("(p 1.00)") >= 8


def test_a_pipe_gets_no_escape_sequence(file: Path) -> None:
    assert "\x1b" not in shown(render(summarise(file)))


def test_a_terminal_gets_colour_but_only_ours(tmp_path: Path) -> None:
    text = shown(render(summarise(hostile_file(tmp_path / "out.jsonl"))), width=200, colour=True)
    codes = set(re.findall("\x1b[^m]*m", text))
    # Bold, dim, italic, underline, green, yellow, red and their ends; a hostile \x1b[31m alone is not ours.
    assert codes
    assert "\x1b[31m" not in codes


def test_hostile_text_is_inert(tmp_path: Path) -> None:
    one, two = hostile_file(tmp_path / "1.jsonl"), hostile_file(tmp_path / "2.jsonl")
    summaries = [summarise(one), summarise(two)]
    parts = [
        render(summaries[0]),
        render(total(summaries)),
        render_drift(compare_files(one, two, *summaries)),
    ]
    for part in parts:
        text = shown(part, width=400)
        assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2066]", text)
        assert printable(HOSTILE) in text
        assert "[red]" in text


def test_a_file_without_rows(tmp_path: Path) -> None:
    text = shown(render(summarise(write(tmp_path / "out.jsonl", tail="{"))))
    assert "holds no complete verdict" in text
    assert "Decisions" not in text


def test_the_longest_action_stands_on_one_line(tmp_path: Path) -> None:
    file = write(
        tmp_path / "out.jsonl", verdict(decision="REJECT", next_action="regenerate_with_grounding_prompt")
    )
    assert "regenerate_with_grounding_prompt" in shown(render(summarise(file)))


def test_no_common_id_is_said(tmp_path: Path) -> None:
    one, two = write(tmp_path / "1.jsonl", verdict("a")), write(tmp_path / "2.jsonl", verdict("b"))
    text = shown(render_drift(compare_files(one, two, summarise(one), summarise(two))))
    assert "No id is in both files" in " ".join(text.split())
