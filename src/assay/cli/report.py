"""`assay report`: what verdict files say as a whole."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from assay.errors import InputError
from assay.text.printable import printable

if TYPE_CHECKING:
    from assay.batch.drift import Drift
    from assay.batch.summary import Summary

MAX_TOP = 1000


def report(
    files: Annotated[
        list[Path], typer.Argument(metavar="OUT.jsonl...", help="Verdict files (JSONL, also .gz).")
    ],
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FILE", help="Also write a page that needs nothing else.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON alone.")] = False,
    top: Annotated[
        int,
        typer.Option("--top", min=0, max=MAX_TOP, help="Slowest rows, worst rows and conversations shown."),
    ] = 10,
    compare: Annotated[
        bool, typer.Option("--compare", help="Two files, the earlier first: show also what changed.")
    ] = False,
) -> None:
    """Decisions, failure types, scores, latency, and the slowest and worst rows of verdict files.

    Several files are each summarised, then together. Two files are before and after only if --compare says
    so: then what changed is tested against chance, and rows with the same id are compared one by one.
    Every share comes with its n and a 95 % interval. Exit code 0; 2 if a file cannot be read.
    """
    from assay.batch.drift import compare_files  # loads numpy, which `assay --help` need not wait for
    from assay.batch.summary import summarise, total

    if compare and len(files) != 2:
        raise InputError(f"--compare takes two files, the earlier one first; {len(files)} given")
    if html is not None and any(html.exists() and file.exists() and html.samefile(file) for file in files):
        raise InputError("the page would replace a verdict file; name another file", file=str(html))
    summaries = [summarise(file, top) for file in files]
    drift = compare_files(files[0], files[1], summaries[0], summaries[1]) if compare else None
    whole = total(summaries) if len(files) > 1 and not compare else None
    if html is not None:
        _write_html(html, summaries, whole, drift)
    if json_:
        _print_json(summaries, whole, drift)
    else:
        _print_text(summaries, whole, drift)
        if html is not None:
            typer.echo(f"The page is in {printable(str(html))}.", err=True)


def _write_html(path: Path, summaries: list[Summary], whole: Summary | None, drift: Drift | None) -> None:
    from assay.batch.html_report import render_html
    from assay.formats.files import atomic_write

    atomic_write(path, render_html(summaries, whole=whole, drift=drift))


def _print_json(summaries: list[Summary], whole: Summary | None, drift: Drift | None) -> None:
    value: dict[str, Any] = {"files": [summary.to_dict() for summary in summaries]}
    if whole is not None:
        value["total"] = whole.to_dict()
    if drift is not None:
        value["drift"] = drift.to_dict()
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, indent=2)
    typer.echo(_inert_json(text))


def _inert_json(text: str) -> str:
    """The same JSON with what a terminal could obey (bidirectional, control characters) as escapes."""
    if printable(text) == text.replace("\n", " "):
        return text
    unsafe = {c for c in set(text) if c != "\n" and printable(c) != c}
    return text.translate({ord(c): json.dumps(c)[1:-1] for c in unsafe})


def _print_text(summaries: list[Summary], whole: Summary | None, drift: Drift | None) -> None:
    from rich.console import Console

    from assay.batch.terminal_drift import render_drift
    from assay.batch.terminal_report import render

    console = Console(file=sys.stdout, highlight=False, markup=False, emoji=False)
    shown = [*([render_drift(drift)] if drift is not None else []), *map(render, summaries)]
    if whole is not None:
        shown.append(render(whole))
    for index, part in enumerate(shown):
        if index:
            console.print()
        console.print(part)
    if whole is not None and len(summaries) == 2:
        console.print("\nIf these are before and after one change, --compare shows what it changed.")
