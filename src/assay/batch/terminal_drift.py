"""The comparison of two files for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from assay.batch.changes import CUT_OFFS, TESTS, ShareChange
from assay.batch.drift import Drift
from assay.batch.pairs import Pairs
from assay.batch.terminal_report import decision_text, heading, kept_row, line, plain_table
from assay.verdict import Decision


def render_drift(drift: Drift) -> Group:
    """What changed."""
    parts: list[RenderableType] = [
        Text("What changed", style="bold underline"),
        line(f"  before  {drift.earlier}"),
        line(f"  after   {drift.later}"),
    ]
    if drift.differently:
        parts.append(Text("These files were judged differently:", style="bold yellow"))
        parts += [line(f"  {item}", "yellow") for item in drift.differently]
        parts.append(line("A difference below may come from the judging, not from the answers."))
    parts += [line(f"- {said}") for said in drift.findings]
    for name, changes in (
        ("Decisions", drift.decisions),
        ("Quality", drift.quality),
        ("Failure types", drift.failures),
    ):
        parts += [heading(name), _changes(changes)]
    parts += [line(TESTS, "dim"), heading("Scores"), _scores(drift), line(CUT_OFFS, "dim")]
    if drift.pairs is None:
        parts.append(line("No id is in both files, so rows cannot be compared one by one."))
    else:
        parts += _pairs(drift.pairs)
    return Group(*parts)


def _changes(changes: Sequence[ShareChange]) -> RenderableType:
    rows = []
    for c in changes:
        before = f"{c.before.percent}\n{c.before.count:,} of {c.before.n:,}"
        after = f"{c.after.percent}\n{c.after.count:,} of {c.after.n:,}"
        style = "bold" if c.beyond_chance else ""
        rows.append((c.name, Text(before), Text(after), _stacked(c.points), _stacked(c.reading, style)))
    return plain_table(("", "Before", "After", "Change (95 %)", "Reading"), rows, "lrrll", names=20)


def _scores(drift: Drift) -> RenderableType:
    rows = []
    for c in drift.scores:
        style = "bold" if c.reading in ("moderate", "strong") else ""
        means = [f"{_score(tally.mean)}\nn {tally.n:,}" for tally in (c.before, c.after)]
        indices = Text(f"{_score(c.psi)}\n{_score(c.ks)}")
        cells = (Text(means[0]), Text(means[1]), _stacked(c.change), indices, _stacked(c.reading, style))
        rows.append((c.name, *cells))
    return plain_table(
        ("Score", "Before", "After", "Change (95 %)", "PSI\nKS", "Reading"), rows, "lrrlrl", names=20
    )


def _pairs(pairs: Pairs) -> Iterable[RenderableType]:
    yield heading(f"The same rows, before and after (n {pairs.n:,})")
    yield line(f"Changed: {pairs.changed}.")
    yield line(
        f"{pairs.only_earlier:,} ids are only in the earlier file, {pairs.only_later:,} only in the later "
        f"one; {pairs.left_out:,} come twice in a file and are left out.",
        "dim",
    )
    rows: list[list[RenderableType]] = [
        [decision_text(a), *(f"{pairs.moves[a, b]:,}" for b in Decision)] for a in Decision
    ]
    yield plain_table(("Before \\ after", *(decision.value for decision in Decision)), rows, "lrrr")
    if pairs.examples:
        yield heading(f"The {len(pairs.examples)} largest changes, worsening first")
        for example in pairs.examples:
            yield kept_row(example.after, example.after.id, example.before)


def _stacked(text: str, style: str = "") -> Text:
    """On two lines: a figure over what stands behind it in parentheses."""
    return Text(text.replace(" (", "\n(").replace("visible drift", "visible\ndrift"), style=style)


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
