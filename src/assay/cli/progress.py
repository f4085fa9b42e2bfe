"""Progress on stderr: a bar with an estimate in a terminal, a line now and then elsewhere."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeVar

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from assay.cli.console import err

PLAIN_EVERY_SECONDS = 10.0
_BLOCK = 1 << 20
T = TypeVar("T")


def tracked(items: Iterable[T], *, total: int | None, done: int, quiet: bool) -> Iterator[T]:
    """Pass items through, showing how far it is.

    Args:
        items: What is worked through.
        total: How many there will be with those done before, if known.
        done: How many were done before.
        quiet: Show nothing.
    """
    if quiet:
        yield from items
    elif sys.stderr.isatty():
        columns = (TextColumn("judging"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=err(), transient=True) as progress:
            task = progress.add_task("rows", total=total, completed=done)
            for item in items:
                yield item
                progress.advance(task)
    else:
        yield from _in_lines(items, total, done)


def _in_lines(items: Iterable[T], total: int | None, done: int) -> Iterator[T]:
    started = said = time.monotonic()
    for count, item in enumerate(items, start=1):
        yield item
        now = time.monotonic()
        if now - said >= PLAIN_EVERY_SECONDS:
            said = now
            left = f" of {total:,}" if total else ""
            rest = (total - done - count) * (now - started) / count if total else None
            estimate = f", about {rest:.0f} s left" if rest is not None and rest > 0 else ""
            err().print(f"{done + count:,}{left} rows{estimate}")


def line_count(source: str) -> int | None:
    """Lines of a JSONL file, or None where rows cannot be counted that cheaply."""
    path = Path(source)
    if path.suffix.lower() not in (".jsonl", ".ndjson") or not path.is_file():
        return None
    with path.open("rb") as stream:
        return sum(block.count(b"\n") for block in iter(lambda: stream.read(_BLOCK), b""))
