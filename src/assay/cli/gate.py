"""`assay gate`: what the system answered when it was validated, and what it answers now."""

from __future__ import annotations

import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from assay.cli.console import say_error, say_warning
from assay.cli.options import EmbedderOption, ModelsOption, ProfileOption
from assay.errors import InputError
from assay.formats.jsontext import to_json
from assay.formats.mapping import parse_mapping
from assay.text.printable import printable

if TYPE_CHECKING:
    from assay.engine import Assay
    from assay.regress.report import RegressionReport

EXIT_UNJUDGED = 3
gate_app = typer.Typer(
    help="A regression gate: record what the system answers, fail the build if a change made it worse.",
    no_args_is_help=True,
)
CasesArgument = Annotated[
    str, typer.Argument(metavar="CASES", help="Rows as for assay eval, each with an id of its own.")
]
BaselineOption = Annotated[Path, typer.Option("--baseline", "-b", metavar="FILE", help="The baseline file.")]
FormatOption = Annotated[str, typer.Option("--format", help="Row format, as for assay eval.")]
MapOption = Annotated[
    list[str] | None,
    typer.Option("--map", metavar="FIELD=COLUMN", help="Column of a field, e.g. response=answer_text."),
]


def _engine(profile: str, embedder: str | None, models: Path | None) -> Assay:
    from assay.engine import Assay

    assay = Assay(profile, embedder=embedder, models=models)
    if assay.warning:
        say_warning(assay.warning)
    return assay


@gate_app.command("record")
def record(
    cases: CasesArgument,
    baseline: BaselineOption,
    no_text: Annotated[
        bool, typer.Option("--no-text", help="Keep hashes of passages and responses, not their text.")
    ] = False,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a baseline that exists.")] = False,
    profile: ProfileOption = "default",
    embedder: EmbedderOption = None,
    models: ModelsOption = None,
    format_: FormatOption = "auto",
    mapping: MapOption = None,
) -> None:
    """Judge validated answers and keep the verdicts as the baseline.

    A row may say "must": "REJECT" or "ACCEPT": then no later run may decide otherwise, whatever its budget.
    Exit code 0; 2 for unusable input or options; 3 if a row could not be judged (nothing is written then).
    """
    from assay.regress.cases import read_cases
    from assay.regress.judging import UnjudgedError
    from assay.regress.suite import RegressionSuite

    suite = RegressionSuite(baseline)
    assay = _engine(profile, embedder, models)
    read = read_cases(cases, format=format_, mapping=parse_mapping(mapping or ()))
    try:
        recorded = suite.record(assay, read, text=not no_text, overwrite=overwrite)
    except UnjudgedError as error:
        say_error(str(error))
        raise typer.Exit(EXIT_UNJUDGED) from None
    for case in recorded.cases:
        if case.must and case.decision is not case.must:
            say_warning(f"{case.id} must be {case.must} and is {case.decision}: every run will fail")
    counts = Counter(case.decision for case in recorded.cases)
    decided = ", ".join(f"{count:,} {decision}" for decision, count in counts.items())
    typer.echo(f"{len(recorded.cases):,} cases recorded in {printable(str(baseline))}: {decided}.")


@gate_app.command("run")
def run(
    cases: CasesArgument,
    baseline: BaselineOption,
    threshold: Annotated[
        float, typer.Option("--threshold", min=0.0, max=1.0, help="Largest drop that is no regression.")
    ] = 0.05,
    max_regressions: Annotated[
        int | None,
        typer.Option(
            "--max-regressions",
            min=0,
            help="So many cases may regress; 0 unless this or --min-pass-rate is given.",
        ),
    ] = None,
    min_pass_rate: Annotated[
        float | None,
        typer.Option("--min-pass-rate", min=0.0, max=1.0, help="Least share of cases that do not regress."),
    ] = None,
    max_mean_drop: Annotated[
        float | None,
        typer.Option("--max-mean-drop", min=0.0, max=1.0, help="Largest drop of the mean final score."),
    ] = None,
    fail_on_new: Annotated[
        bool, typer.Option("--fail-on-new", help="Fail on cases that the baseline lacks.")
    ] = False,
    fail_on_missing: Annotated[
        bool, typer.Option("--fail-on-missing", help="Fail on cases of the baseline that CASES lacks.")
    ] = False,
    report_only: Annotated[
        bool,
        typer.Option(
            "--report-only",
            help="Exit 0 whatever the comparison says. Cases bound by 'must', and rows that could not be "
            "judged, fail all the same.",
        ),
    ] = False,
    rescore: Annotated[
        bool,
        typer.Option("--rescore", help="Judge the stored responses by the present profile and scorer, too."),
    ] = False,
    junit: Annotated[
        Path | None, typer.Option("--junit", metavar="FILE", help="Also write JUnit XML.")
    ] = None,
    sarif: Annotated[
        Path | None, typer.Option("--sarif", metavar="FILE", help="Also write SARIF 2.1.0.")
    ] = None,
    markdown: Annotated[
        Path | None, typer.Option("--markdown", metavar="FILE", help="Also write Markdown.")
    ] = None,
    github: Annotated[
        bool,
        typer.Option("--github", help="Also print GitHub annotations, and add to $GITHUB_STEP_SUMMARY."),
    ] = False,
    json_: Annotated[
        bool, typer.Option("--json", help="Print JSON alone; annotations then go to stderr.")
    ] = False,
    profile: ProfileOption = "default",
    embedder: EmbedderOption = None,
    models: ModelsOption = None,
    format_: FormatOption = "auto",
    mapping: MapOption = None,
) -> None:
    """Judge new answers and compare them with the baseline, case by case.

    Worse is a final score that drops by more than --threshold or is no longer there, a worse decision, or
    unsupported claims where there were none. The verdicts are left in BASELINE's folder as NAME.last.json,
    from which assay gate approve takes them.

    Exit code 0; 1 if the gate failed; 2 for unusable input or options, and if the baseline was judged by
    another profile or scorer; 3 if some rows could not be judged.
    """
    from assay.regress.budget import Budget
    from assay.regress.cases import read_cases
    from assay.regress.judging import UnjudgedError
    from assay.regress.suite import RegressionSuite

    budget = Budget(
        threshold=threshold,
        max_regressions=max_regressions,
        min_pass_rate=min_pass_rate,
        max_mean_drop=max_mean_drop,
        fail_on_new=fail_on_new,
        fail_on_missing=fail_on_missing,
        report_only=report_only,
    )
    suite = RegressionSuite(baseline)
    _refuse_replacing([p for p in (junit, sarif, markdown) if p], [Path(cases), baseline, suite.last_path])
    assay = _engine(profile, embedder, models)
    read = read_cases(cases, format=format_, mapping=parse_mapping(mapping or ()))
    try:
        report = suite.run(assay, read, budget=budget, rescore=rescore, keep=False)
    except UnjudgedError as error:
        say_error(str(error))
        raise typer.Exit(EXIT_UNJUDGED) from None
    try:
        suite.keep_last()
    except InputError as error:
        say_warning(f"the verdicts are not kept for assay gate approve: {error}")
    _write(report, junit, sarif, markdown, github)
    _print(report, json_, github)
    raise typer.Exit(report.exit_code)


def _refuse_replacing(outputs: list[Path], inputs: list[Path]) -> None:
    for output in outputs:
        for given in inputs:
            if output.resolve() == given.resolve():
                raise InputError("the report would replace this file; name another", file=str(output))
    if len({output.resolve() for output in outputs}) < len(outputs):
        raise InputError("two reports have the same file; name another", file=str(outputs[0]))


def _write(
    report: RegressionReport, junit: Path | None, sarif: Path | None, markdown: Path | None, github: bool
) -> None:
    from assay.formats.files import atomic_write
    from assay.regress.findings import findings
    from assay.regress.junit import junit as as_junit
    from assay.regress.markdown import markdown as as_markdown
    from assay.regress.sarif import sarif as as_sarif

    if junit is not None:
        atomic_write(junit, as_junit(report))
    if sarif is not None:
        atomic_write(sarif, as_sarif(findings(report)))
    if markdown is not None:
        atomic_write(markdown, as_markdown(report))
    page = os.environ.get("GITHUB_STEP_SUMMARY")
    if github and page:
        try:
            with Path(page).open("a", encoding="utf-8", errors="backslashreplace") as stream:
                stream.write(as_markdown(report))
        except OSError as error:
            say_warning(f"{page}: the job's summary cannot be written: {error.strerror}")


def _print(report: RegressionReport, json_: bool, github: bool) -> None:
    from assay.regress.findings import findings
    from assay.regress.github import fenced, inert_json, workflow_commands
    from assay.regress.report import summary

    if json_:
        typer.echo(inert_json(to_json(summary(report))))
    else:
        typer.echo(fenced(str(report)) if github else str(report))
    if github:
        for line in workflow_commands(findings(report)):
            typer.echo(line, err=json_)


@gate_app.command("approve")
def approve(
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="Cases whose new verdict is right.")],
    baseline: BaselineOption,
    reason: Annotated[str, typer.Option("--reason", help="Why it is right; kept in the baseline.")],
    answers: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="CASES", help="Judge these answers, instead of taking the last run's verdicts."
        ),
    ] = None,
    profile: ProfileOption = "default",
    embedder: EmbedderOption = None,
    models: ModelsOption = None,
    format_: FormatOption = "auto",
    mapping: MapOption = None,
) -> None:
    """Make the new verdicts of some cases their baseline, with the reason and the date.

    They are those of the last assay gate run against this baseline (NAME.last.json beside it), or of the
    answers given with --from. A case that is bound by "must" to another decision cannot be approved.
    """
    from assay.regress.cases import read_cases
    from assay.regress.judging import UnjudgedError
    from assay.regress.suite import RegressionSuite

    suite = RegressionSuite(baseline)
    assay = read = None
    if answers is not None:
        assay = _engine(profile, embedder, models)
        read = read_cases(answers, format=format_, mapping=parse_mapping(mapping or ()))
    try:
        approved = suite.approve(ids, reason=reason, assay=assay, answers=read)
    except UnjudgedError as error:
        say_error(str(error))
        raise typer.Exit(EXIT_UNJUDGED) from None
    from assay.regress.findings import figure

    for change in approved:
        after = f"{change.after.decision} {figure(change.after.final)}"
        before = f"{change.before.decision} {figure(change.before.final)}" if change.before else "new"
        typer.echo(f"approved {printable(change.after.id)}: {before} -> {after}")


@gate_app.command("show")
def show(
    baseline: BaselineOption,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON alone.")] = False,
) -> None:
    """Print what a baseline holds: how it was judged, its cases, and what was approved."""
    from assay.regress.baseline import read_baseline
    from assay.regress.listing import as_dict, listing

    stored = read_baseline(baseline)
    typer.echo(to_json(as_dict(stored)) if json_ else listing(stored))
