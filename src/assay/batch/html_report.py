"""The report as one HTML page that needs nothing else: no script, no font, no image, no network.

Every string of a verdict file is hostile until shown otherwise. Two things make it inert: `printable`
writes control and bidirectional characters as escapes, and autoescaping takes care of markup. Both are
applied by the environment to every expression, so a template cannot forget them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from assay.batch.changes import CUT_OFFS, TESTS
from assay.batch.drift import Drift
from assay.batch.headline import DECISION_MEANINGS, headline
from assay.batch.intervals import METHOD, Share
from assay.batch.latency import RELATIVE_ERROR
from assay.batch.plots import HEIGHT, WIDTH, latency_plot, milliseconds_text, score_plot, segments
from assay.batch.summary import Summary
from assay.batch.tally import OTHER
from assay.batch.verdict_rows import META
from assay.text.printable import printable
from assay.verdict import ACTION_MEANINGS, FAILURE_MEANINGS, Decision
from assay.version import __version__

_TEMPLATES = Path(__file__).parent / "templates"
_MEANINGS = {kind.value: meaning for kind, meaning in FAILURE_MEANINGS.items()} | {
    action.value: meaning for action, meaning in ACTION_MEANINGS.items()
}


def render_html(
    summaries: Sequence[Summary], *, whole: Summary | None = None, drift: Drift | None = None
) -> str:
    """The page over one or more files.

    Args:
        summaries: One of each file, in the order given.
        whole: All files as one, shown first.
        drift: The comparison of the two files, shown first.
    """
    sections = [*([whole] if whole is not None else []), *summaries]
    page = _environment().get_template("report.html.j2")
    return page.render(sections=sections, drift=drift, title=_title(summaries, drift))


def _title(summaries: Sequence[Summary], drift: Drift | None) -> str:
    if drift is not None:
        return f"{Path(drift.earlier).name} compared with {Path(drift.later).name}"
    return Path(summaries[0].file).name if len(summaries) == 1 else f"{len(summaries)} verdict files"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_inert,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals.update(
        Share=Share,
        headline=headline,
        decisions=list(Decision),
        decision_meanings=DECISION_MEANINGS,
        meanings=_MEANINGS,
        basis_keys=META,
        score_plot=score_plot,
        latency_plot=latency_plot,
        segments=segments,
        ms=milliseconds_text,
        plot_width=WIDTH,
        plot_height=HEIGHT,
        interval_method=METHOD,
        relative_error=RELATIVE_ERROR,
        cut_offs=CUT_OFFS,
        tests=TESTS,
        other=OTHER,
        version=__version__,
    )
    environment.filters["count"] = "{:,}".format
    environment.filters["score"] = _score
    environment.filters["units"] = "{:.2f}".format
    return environment


def _score(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"


def _inert(value: object) -> object:
    """Applied to every expression of a template; what is markup already was escaped when it was made."""
    return printable(value) if isinstance(value, str) and not hasattr(value, "__html__") else value
