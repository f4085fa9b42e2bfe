"""`assay eval`: a file of rows in, a file of verdicts out."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from itertools import chain
from pathlib import Path
from typing import Annotated

import typer

from assay.batch.resume import rows_left
from assay.batch.run import Setup, judge_rows
from assay.cli.console import err, say_warning
from assay.cli.judging import (
    DEFAULT_DEADLINE,
    CacheOption,
    CallsOption,
    ConsistencyOption,
    DeadlineOption,
    JudgeOption,
    KeyOption,
    PriceOption,
    UrlOption,
    dry_text,
    judge_from,
    spent_text,
    unsettled,
)
from assay.cli.options import EmbedderOption, ModelsOption, ProfileOption
from assay.cli.progress import line_count, tracked
from assay.engine import Assay
from assay.errors import InputError
from assay.formats.files import one_writer
from assay.formats.mapping import parse_mapping
from assay.formats.rows import Row, read_rows
from assay.formats.writers import open_writer
from assay.verdict import JSONValue

EXIT_UNJUDGED = 3
EXIT_INTERRUPTED = 130
DECISIONS = ("ACCEPT", "REVIEW", "REJECT")


def evaluate(
    source: Annotated[
        str, typer.Argument(metavar="INPUT", help="JSONL, JSON, CSV or Parquet file, or - for stdin.")
    ],
    output: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", help="Where verdicts go: .jsonl, .json, .csv or .parquet; else stdout."
        ),
    ] = None,
    format_: Annotated[
        str, typer.Option("--format", help="auto, assay, ragas, deepeval, alce, ragchecker, ragtruth, ...")
    ] = "auto",
    mapping: Annotated[
        list[str] | None,
        typer.Option("--map", metavar="FIELD=COLUMN", help="Column of a field, e.g. response=answer_text."),
    ] = None,
    profile: ProfileOption = "default",
    embedder: EmbedderOption = None,
    models: ModelsOption = None,
    judge: JudgeOption = None,
    judge_url: UrlOption = None,
    judge_key_env: KeyOption = None,
    max_judge_calls: CallsOption = None,
    judge_deadline: DeadlineOption = DEFAULT_DEADLINE,
    judge_cache: CacheOption = None,
    judge_price: PriceOption = None,
    consistency: ConsistencyOption = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Count the judge's calls and tokens, make none, write nothing.")
    ] = False,
    workers: Annotated[
        int, typer.Option("--workers", "-w", min=1, help="Processes to judge in; with --judge, threads.")
    ] = 1,
    resume: Annotated[bool, typer.Option("--resume", help="Judge only the rows that OUTPUT lacks.")] = False,
    overwrite: Annotated[
        bool, typer.Option("--overwrite", help="Replace an OUTPUT that holds rows.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="No progress and no closing line.")] = False,
) -> None:
    """Judge every row of a file; one verdict a row, in order, written as it comes.

    A row that cannot be read or judged becomes a REVIEW row with its error, and the run goes on.
    Exit code 0; 2 for unusable input or options; 3 if some rows could not be judged, or got no answer
    of the judge that they needed; 130 if interrupted (what was written stays; run again with --resume).
    """
    if dry_run and resume:
        raise InputError("--dry-run counts all rows; leave --resume out")
    if not dry_run:
        _check_output(source, output, resume, overwrite)
    asked = judge_from(
        judge,
        url=judge_url,
        key_env=judge_key_env,
        max_calls=max_judge_calls,
        deadline=judge_deadline,
        cache=judge_cache,
        price=judge_price,
        dry_run=dry_run,
    )
    embedders = (embedder,) if embedder else None
    setup = Setup(profile, embedders, str(models) if models else None, asked, consistency)
    columns = parse_mapping(mapping or ())
    if asked is not None and dry_run:
        typer.echo(dry_text(asked, _counted(source, format_, columns, setup, quiet)))
        return
    # A device (/dev/null) needs no lock; two runs into one file would write through each other.
    alone = output is not None and (output.is_file() or not output.exists())
    with one_writer(output, wait=0.5) if output is not None and alone else nullcontext():
        _run(source, output, format_, columns, setup, workers, resume, quiet)


def _run(
    source: str,
    output: Path | None,
    format_: str,
    columns: dict[str, str],
    setup: Setup,
    workers: int,
    resume: bool,
    quiet: bool,
) -> None:
    assay = _engine(setup)
    rows = _started(read_rows(source, format=format_, mapping=columns))
    done = 0
    if resume and output is not None:
        done, rows = rows_left(rows, output, assay)
    counts: Counter[str] = Counter()
    started = time.perf_counter()
    interrupted = False
    with open_writer(output, append=done > 0) as writer:
        try:
            judged = judge_rows(rows, setup, workers=workers, assay=assay)
            for row in tracked(judged, total=line_count(source), done=done, quiet=quiet):
                writer.write(row)
                _count(counts, row)
        except KeyboardInterrupt:
            interrupted = True
    if not quiet:
        seconds = time.perf_counter() - started
        text = _closing(counts, done, seconds, output, interrupted)
        err().print(f"{text} {spent_text(setup.judge)}." if setup.judge else text, markup=False)
    if interrupted:
        raise typer.Exit(EXIT_INTERRUPTED)
    raise typer.Exit(EXIT_UNJUDGED if counts["errors"] or counts["unsettled"] else 0)


def _counted(source: str, format_: str, columns: dict[str, str], setup: Setup, quiet: bool) -> int:
    """Judge all rows locally, so that the judge counts what it would be asked; how many rows there are."""
    assay = _engine(setup)
    judged = judge_rows(read_rows(source, format=format_, mapping=columns), setup, assay=assay)
    return sum(1 for _ in tracked(judged, total=line_count(source), done=0, quiet=quiet))


def _engine(setup: Setup) -> Assay:
    assay = setup.build()
    if assay.warning:
        say_warning(assay.warning)
    return assay


def _check_output(source: str, output: Path | None, resume: bool, overwrite: bool) -> None:
    if resume and overwrite:
        raise InputError("--resume keeps the rows of OUTPUT, --overwrite drops them; give one of them")
    if resume and output is None:
        raise InputError("--resume needs the --output to go on with")
    if output is None:
        return
    if source != "-" and output.exists() and Path(source).exists() and output.samefile(source):
        raise InputError("the output would replace the input; name another file", file=str(output))
    if output.is_file() and output.stat().st_size and not resume and not overwrite:
        raise InputError(
            "this file already holds rows; add --resume to judge only the rest, or --overwrite to replace it",
            file=str(output),
        )


def _started(rows: Iterator[Row]) -> Iterator[Row]:
    """Read the first row now: an unreadable input must not leave an empty output behind."""
    first = next(rows)
    return chain([first], rows)


def _count(counts: Counter[str], row: dict[str, JSONValue]) -> None:
    counts[str(row["decision"])] += 1
    counts["rows"] += 1
    counts["errors"] += "error" in row
    counts["unsettled"] += unsettled(row)


def _closing(counts: Counter[str], done: int, seconds: float, output: Path | None, interrupted: bool) -> str:
    decisions = ", ".join(f"{counts[name]:,} {name}" for name in DECISIONS)
    text = f"{counts['rows']:,} rows judged: {decisions}"
    if done:
        text += f"; {done:,} were there already"
    if counts["errors"]:
        text += f"; {counts['errors']:,} could not be judged (REVIEW, with their error)"
    text += f". {seconds:.1f} s"
    if counts["rows"]:
        text += f", {1000 * seconds / counts['rows']:.2f} ms a row"
    if output is not None:
        text += f". Verdicts are in {output}"
    return f"Interrupted. {text}; run again with --resume for the rest." if interrupted else f"{text}."
