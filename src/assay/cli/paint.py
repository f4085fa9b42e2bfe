"""Verdicts in colour for a terminal; the words are those of ``str(verdict)``."""

from __future__ import annotations

from rich.text import Text

from assay.verdict import Decision, Verdict

COLOURS = {Decision.ACCEPT: "bold green", Decision.REVIEW: "bold yellow", Decision.REJECT: "bold red"}


def paint(verdict: Verdict) -> Text:
    """The readable block with its decision coloured. `Text` interprets no markup of the judged text."""
    text = Text(str(verdict))
    start = text.plain.find(f": {verdict.decision.value} (") + 2
    text.stylize(COLOURS[verdict.decision], start, start + len(verdict.decision.value))
    return text
