"""The report for a terminal: readable at 80 columns, in a pipe, and without colour.

Cells are `Text`, which interprets no markup, and every text of a file goes through `printable`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich import box
from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.measure import Measurement
from rich.padding import Padding
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text

from assay.batch.headline import headline
from assay.batch.intervals import METHOD, Share
from assay.batch.kept import KeptRow
from assay.batch.plots import milliseconds_text
from assay.batch.summary import Summary
from assay.text.printable import printable
from assay.verdict import Decision

STYLES = {Decision.ACCEPT: "bold green", Decision.REVIEW: "bold yellow", Decision.REJECT: "bold red"}


class ShareBar:
    """A bar of the width that is left, in whatever characters the output can show."""

    def __init__(self, share: float, style: str = "") -> None:
        self._share = share
        self._style = Style.parse(style)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = round(options.max_width * self._share)
        mark = "#" if options.ascii_only else "█"
        if self._share and not width:
            mark, width = "|" if options.ascii_only else "▏", 1
        yield Segment((mark * width).ljust(options.max_width), self._style)

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(4, 24)


def render(summary: Summary) -> Group:
    """One file's report."""
    parts: list[RenderableType] = [title(summary.file), *_basis(summary), line(headline(summary))]
    if summary.rows:
        parts += [
            heading(f"Decisions (n {summary.rows:,}; intervals: {METHOD})"),
            _decisions(summary),
            *_labels(summary),
            heading(f"Failure types (n {summary.rows:,})"),
            _shares(summary.failures.ranked(), summary.rows),
            heading(f"Next actions (n {summary.rows:,})"),
            _shares(summary.actions.ranked(), summary.rows),
            *_scores(summary),
            *_latency(summary),
            *_worst(summary),
            *_conversations(summary),
            *_errors(summary),
        ]
    return Group(*parts)


def title(text: str) -> Text:
    """The line over a report."""
    return Text(f"Verdict report: {printable(text)}", style="bold underline")


def heading(text: str) -> Text:
    """The line over a part, with space before it."""
    return Text(f"\n{printable(text)}", style="bold")


def line(text: str, style: str = "") -> Text:
    """A text of a file or about it, on one line of its own, wrapped."""
    return Text(printable(text), style=style)


def plain_table(
    columns: Sequence[str], rows: Sequence[Sequence[RenderableType]], right: str = "", names: int = 34
) -> Table:
    """A table without frames.

    Args:
        columns: Headings.
        rows: Cells; strings are made inert.
        right: One letter a column, ``r`` for right-aligned, ``l`` otherwise.
        names: Widest the first column gets; longer names are folded.
    """
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1), header_style="dim", show_edge=False)
    for index, name in enumerate(columns):
        is_right = right[index : index + 1] == "r"
        table.add_column(
            name,
            justify="right" if is_right else "left",
            no_wrap=is_right,
            overflow="fold",
            # Names are read; bars and sentences beside them can give way.
            width=min(names, _width([name, *(cells[0] for cells in rows)])) if index == 0 else None,
        )
    for cells in rows:
        table.add_row(*(line(cell) if isinstance(cell, str) else cell for cell in cells))
    return table


def _width(cells: Iterable[RenderableType]) -> int:
    return max(cell_len(printable(str(cell))) for cell in cells)


def decision_text(decision: Decision) -> Text:
    """A decision in its colour."""
    return Text(decision.value, style=STYLES[decision])


def _basis(summary: Summary) -> Iterable[RenderableType]:
    for key in summary.judged_by:
        yield line(f"  {key.replace('_', ' '):<12} {summary.basis(key)}", "dim")
    if summary.mixed:
        names = ", ".join(summary.mixed)
        yield line(f"  Mixed: not all rows were judged in the same way ({names}).", "bold yellow")
    for file, cut in summary.partial.items():
        yield line(
            f"  Cut off: line {cut.line:,} of {file} is incomplete and not counted ({cut.message}).",
            "bold yellow",
        )


def _decisions(summary: Summary) -> Table:
    shares = [(decision, summary.share(decision)) for decision in Decision]
    rows = [
        (decision_text(d), f"{s.count:,}", s.percent, s.bounds, ShareBar(s.value or 0.0, STYLES[d]))
        for d, s in shares
    ]
    return plain_table(("Decision", "Rows", "Share", "95 %", ""), rows, "lrrrl")


def _shares(counts: Iterable[tuple[str, int]], n: int) -> Table:
    shares = [(name, Share(count, n)) for name, count in counts]
    rows = [(name, f"{s.count:,}", s.percent, s.bounds, ShareBar(s.value or 0.0)) for name, s in shares]
    return plain_table(("", "Rows", "Share", "95 %", ""), rows, "lrrrl")


def _labels(summary: Summary) -> Iterable[RenderableType]:
    if summary.n_labelled:
        yield heading(f"Against the labels (n {summary.n_labelled:,} of {summary.rows:,} rows)")
        yield line(f"Coverage  {summary.coverage}")
        yield line(f"Leak      {summary.leak}")
        yield line("Leak is the share of label 0 (unsupported) among the accepted.", "dim")


def _scores(summary: Summary) -> Iterable[RenderableType]:
    yield heading(f"Scores (over {summary.judged:,} judged rows)")
    rows = [
        (name, _score(tally.mean), _score(tally.deviation), f"{tally.n:,}", f"{tally.unavailable:,}", spark)
        for name, tally in summary.ordered_scores
        for spark in (Sparkline(tally.counts),)
    ]
    yield plain_table(("Score", "Mean", "Std. dev.", "n", "Unavail.", "0 to 1"), rows, "lrrrrl")
    if summary.scores_left_out:
        yield line(f"{summary.scores_left_out:,} values of further scores are not shown.", "dim")


class Sparkline:
    """A histogram on one line, a character a bin; digits 1 to 9 where blocks cannot be shown."""

    def __init__(self, counts: Sequence[int]) -> None:
        self._counts = counts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        marks = "123456789" if options.ascii_only else "▁▂▃▄▅▆▇█"
        peak = max(self._counts) or 1
        yield Segment(
            "".join(marks[(len(marks) - 1) * c // peak] if c else "." for c in self._counts)[
                : options.max_width
            ]
        )

    def __rich_measure__(self, console: Console, options: ConsoleOptions) -> Measurement:
        return Measurement(len(self._counts), len(self._counts))


def _latency(summary: Summary) -> Iterable[RenderableType]:
    latency = summary.latency
    if not latency.n:
        return
    yield heading(f"Latency (n {latency.n:,})")
    quantiles = ", ".join(f"p{q} {milliseconds_text(latency.quantile(q / 100))}" for q in (50, 95, 99))
    yield line(f"{quantiles}, max {milliseconds_text(latency.largest)}")
    yield heading(f"Slowest {len(summary.slowest.items)}")
    rows = [
        (
            milliseconds_text(row.latency_ms),
            decision_text(row.decision),
            row.failure_type,
            _where(row, summary),
        )
        for row in summary.slowest.items
    ]
    yield plain_table(("Latency", "Decision", "Failure type", "Row"), rows, "rlll")


def _worst(summary: Summary) -> Iterable[RenderableType]:
    if not summary.worst.items:
        return
    yield heading(f"Worst {len(summary.worst.items)} (REJECT before REVIEW, then the lowest final score)")
    for row in summary.worst.items:
        yield kept_row(row, _where(row, summary))


def kept_row(row: KeptRow, where: str, before: Decision | None = None) -> RenderableType:
    """A row with its reason, sentences and next action."""
    start = Text() if before is None else Text.assemble(decision_text(before), " -> ")
    first = Text.assemble(
        start,
        decision_text(row.decision),
        "  ",
        (printable(where), "bold"),
        f"  {printable(row.failure_type)}, final {_score(row.final)}",
    )
    details = [line(row.reason)] if row.reason else []
    details += [line(f'- "{text}"', "italic") for text in row.sentences]
    if row.more_sentences:
        details.append(line(f"- and {row.more_sentences:,} more"))
    why = f" ({row.action_why})" if row.action_why else ""
    details.append(line(f"next: {row.next_action}{why}", "dim"))
    return Group(first, Padding(Group(*details), (0, 0, 0, 4)))


def _conversations(summary: Summary) -> Iterable[RenderableType]:
    conversations = summary.conversations
    if not conversations.n:
        return
    yield heading(f"Conversations (n {conversations.n:,}; each has the decision of its worst turn)")
    shares = [(decision, conversations.share(decision)) for decision in Decision]
    rows = [
        (decision_text(d), f"{s.count:,}", s.percent, s.bounds, ShareBar(s.value or 0.0, STYLES[d]))
        for d, s in shares
    ]
    yield plain_table(("Decision", "Count", "Share", "95 %", ""), rows, "lrrrl")
    yield line("")
    kept = []
    for c in conversations.kept:
        turns = Text(" ").join(Text(t.decision.value, style=STYLES[t.decision]) for t in c.turns)
        more = c.n - len(c.turns)
        kept.append((c.name, f"{c.n:,}", turns.append(f" and {more:,} more") if more else turns))
    yield plain_table(("Worst", "Turns", "Decisions in order"), kept, "lrl")


def _errors(summary: Summary) -> Iterable[RenderableType]:
    if not summary.not_judged:
        return
    yield heading(f"Not judged: {Share(summary.not_judged, summary.rows)}")
    yield line(", ".join(f"{kind} {count:,}" for kind, count in summary.errors.ranked()))
    for error in summary.error_examples:
        yield Padding(line(f"{error.id} (line {error.line:,}): {error.message}"), (0, 0, 0, 2))


def _where(row: KeptRow, summary: Summary) -> str:
    return f"{row.id} ({row.file})" if len(summary.files) > 1 else row.id


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
