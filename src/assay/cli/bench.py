"""`assay bench`: speed and quality on this machine, as a table or as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table

from assay.batch.quality import Quality, measure_quality
from assay.batch.speed import machine, measure_speed
from assay.batch.speed_baseline import against_sentence_transformers
from assay.cli.console import err, out, say_warning
from assay.cli.options import EmbedderOption
from assay.engine import Assay
from assay.formats.files import atomic_write
from assay.formats.jsontext import to_json
from assay.formats.rows import read_rows
from assay.sample import Sample

bench_app = typer.Typer(help="Measure speed, and quality on labelled rows.", no_args_is_help=True)
JsonFile = Annotated[Path | None, typer.Option("--json", help="Also write the figures to this file.")]


@bench_app.command("speed")
def speed(
    calls: Annotated[int, typer.Option("--calls", min=5, help="Samples a figure.")] = 100,
    baseline: Annotated[
        bool, typer.Option("--baseline", help="Compare with sentence-transformers, each text by itself.")
    ] = False,
    json_: JsonFile = None,
) -> None:
    """Latency of one call, throughput and import time, over made texts."""
    figures: dict[str, Any] = measure_speed(calls)
    if baseline:
        figures["against_sentence_transformers"] = against_sentence_transformers(calls)
    console = out()
    _print_machine(figures["machine"])
    console.print(f"a sample is {figures['sample']}")
    table = Table()
    for column in ("one call of", "calls", "p50 ms", "p95 ms"):
        table.add_column(column, justify="left" if column == "one call of" else "right")
    for row in figures["latency"]:
        table.add_row(row["name"], str(row["calls"]), f"{row['p50_ms']:.2f}", f"{row['p95_ms']:.2f}")
    console.print(table)
    for name, rate in figures["rows_per_second"].items():
        console.print(f"{name}: {rate:g} rows a second")
    imported = figures["import_assay"]
    heavy = ", ".join(imported["heavy_modules"]) or "no torch, transformers or numpy"
    console.print(f"import assay: {imported['seconds']:.3f} s, loads {heavy}")
    if "left_out" in figures:
        say_warning(figures["left_out"])
    if compared := figures.get("against_sentence_transformers"):
        ours, theirs = compared["assay_p50_ms"], compared["published_p50_ms"]
        console.print(
            f"profile article: {ours:.1f} ms a call; each text by itself with sentence-transformers: "
            f"{theirs:.1f} ms: {compared['times_faster']:g} times faster, "
            f"largest difference of a score {compared['largest_score_difference']:g}"
        )
    if json_ is not None:
        atomic_write(json_, to_json(figures) + "\n")


@bench_app.command("quality")
def quality(
    data: Annotated[list[Path], typer.Argument(help="Labelled rows (label 1 = fully supported).")],
    profile: Annotated[
        list[str] | None, typer.Option("--profile", "-p", help="Profile to measure; repeatable.")
    ] = None,
    embedder: EmbedderOption = None,
    json_: JsonFile = None,
) -> None:
    """Leak at coverage, ranking and decisions on labelled rows, by dataset.

    Thresholds are the profile's own, fixed beforehand. Leak is the share of ungrounded among the accepted.
    """
    results: dict[str, list[Quality]] = {}
    for name in profile or ["default"]:
        assay = Assay(name, embedder=embedder)
        if assay.warning:
            say_warning(assay.warning)
        err().print(f"measuring {name}")
        results[name] = measure_quality(assay, _labelled(data))
        out().print(_quality_table(name, results[name]))
    _print_machine(machine())
    if json_ is not None:
        figures = {name: [q.to_dict() for q in measured] for name, measured in results.items()}
        atomic_write(json_, to_json({"machine": machine(), "profiles": figures}) + "\n")


def _labelled(files: list[Path]) -> Iterator[tuple[str, Sample]]:
    for file in files:
        for row in read_rows(file):
            if row.sample is not None:
                yield str(row.fields.get("dataset") or file.stem), row.sample


def _quality_table(name: str, measured: list[Quality]) -> Table:
    coverages = "/".join(share.rstrip("%") for share in measured[0].leak_at)
    table = Table(title=f"profile {name}; shares in %, leak with its 95 % interval")
    table.add_column("dataset", no_wrap=True)
    heads = ("n", "un-\ngrounded", "ACCEPT", "leak", "REJECT", "grounded\namong them", "AUROC")
    for head in (*heads, f"leak at\n{coverages}"):
        table.add_column(head, justify="right")
    for q in measured:
        table.add_row(
            q.dataset,
            str(q.rows),
            f"{100 * q.ungrounded:.0f}",
            f"{100 * q.coverage:.1f}",
            _leak(q),
            f"{100 * q.decisions['REJECT']['rows'] / q.rows:.1f}",
            "-" if q.false_reject is None else f"{100 * q.false_reject:.0f}",
            "-" if (ranks := q.auroc[q.ranked_by]) is None else f"{ranks:.3f}",
            "/".join(f"{100 * leak:.0f}" for leak in q.leak_at.values()),
        )
    return table


def _leak(q: Quality) -> str:
    if q.leak is None or q.leak_interval is None:
        return "-"
    low, high = q.leak_interval
    return f"{100 * q.leak:.1f}\n{100 * low:.0f} to {100 * high:.0f}"


def _print_machine(facts: dict[str, object]) -> None:
    out().print(
        f"{facts['processor']}, {facts['cores']} cores, Python {facts['python']}, Assay {facts['assay']}",
        markup=False,
    )
