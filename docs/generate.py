"""Write the pages that are made from the code: the command reference, failure types, built-in signals.

Run by `make docs`; a test fails when a page is not what this writes.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from importlib import import_module
from inspect import getdoc
from pathlib import Path

from typer.main import get_command
from typer.testing import CliRunner

HERE = Path(__file__).parent
NOTE = "<!-- Written by docs/generate.py from the code. Change the code, then run `make docs`. -->\n\n"
# The same width and no colour whatever the terminal.
PLAIN = {"COLUMNS": "100", "TERMINAL_WIDTH": "100", "NO_COLOR": "1", "TERM": "dumb"}


def pages() -> dict[str, str]:
    """File name to content."""
    return {
        "cli.md": NOTE + "".join(_commands()),
        "failure-types.md": NOTE + "".join(_failure_types()),
        "signals-reference.md": NOTE + "".join(_signals()),
    }


def _commands() -> Iterator[str]:
    from assay.cli import app

    yield "# Command reference\n\nExit codes: 0 done; 1 gate failed or `--fail-on` met; 2 usage, configuration "
    yield "or unreadable input; 3 finished with rows that could not be judged; 130 interrupted.\n"
    for words in _paths(get_command(app)):
        result = CliRunner(env=PLAIN).invoke(app, [*words, "--help"], prog_name="assay")
        text = re.sub(r"\x1b\[[0-9;]*m", "", result.output)
        text = "\n".join(line.rstrip() for line in text.strip().splitlines())
        yield f"\n## `{' '.join(['assay', *words])}`\n\n```text\n{text}\n```\n"


def _paths(command: object, path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    yield path
    for name, child in getattr(command, "commands", {}).items():
        yield from _paths(child, (*path, name))


def _failure_types() -> Iterator[str]:
    from assay.policy.load import builtin_names, load_profile
    from assay.signals.registry import signal_names
    from assay.verdict import ACTION_MEANINGS, FAILURE_MEANINGS

    yield "# Failure types and next actions\n\n| failure type | meaning |\n|---|---|\n"
    yield from (f"| `{kind.value}` | {meaning} |\n" for kind, meaning in FAILURE_MEANINGS.items())
    yield "\n| next action | what to do |\n|---|---|\n"
    yield from (f"| `{action.value}` | {meaning} |\n" for action, meaning in ACTION_MEANINGS.items())
    for name in builtin_names():
        profile = load_profile(name, signal_names())
        yield f"\n## Gates of profile `{name}`\n\n{profile.description}. The first gate whose conditions all "
        yield "hold decides.\n\n| gate | when | decision | failure type | next action |\n|---|---|---|---|---|\n"
        for gate in profile.gates:
            when = " and ".join(f"{signal} {op} {threshold:g}" for signal, op, threshold in gate.bounds)
            row = (gate.name, when, gate.decision.value, gate.failure_type.value, gate.action.value)
            yield f"| {' | '.join(row)} |\n"
        yield "| otherwise | | ACCEPT | none | serve_response |\n"


def _signals() -> Iterator[str]:
    from assay.signals.registry import BUILTIN

    yield "# Built-in signals\n\nEvery value is in 0..1, rounded to 4 places, or unavailable with a cause.\n"
    for name, place in sorted(BUILTIN.items()):
        module, _, attribute = place.partition(":")
        signal = getattr(import_module(module), attribute)
        needs = f" Measured after {', '.join(f'`{n}`' for n in signal.needs)}." if signal.needs else ""
        yield f"\n## `{name}`\n\n```text\n{getdoc(signal)}\n```\n"
        yield f"\nVersion {signal.version}.{needs}\n"


if __name__ == "__main__":
    os.environ.update(PLAIN)
    for file, content in pages().items():
        (HERE / file).write_text(content, "utf-8")
