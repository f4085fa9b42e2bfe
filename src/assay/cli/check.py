"""`assay check`: one response, one verdict."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from itertools import islice
from typing import Annotated

import typer

from assay.batch.run import Setup
from assay.cli.console import out, say_warning
from assay.cli.explain import gate_walk
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
    judge_from,
)
from assay.cli.options import EmbedderOption, ModelsOption, ProfileOption, text_or_file
from assay.cli.paint import paint
from assay.errors import InputError
from assay.formats.jsontext import to_json
from assay.formats.rows import read_rows
from assay.sample import Sample
from assay.verdict import Decision, Verdict

EXIT_FAILED = 1
EXIT_UNJUDGED = 3


class FailOn(StrEnum):
    """From which decision on the exit code is 1."""

    REVIEW = "review"
    REJECT = "reject"


def check(
    sample: Annotated[
        str | None,
        typer.Argument(metavar="SAMPLE.json | -", help="A file with one sample, or - for stdin."),
    ] = None,
    query: Annotated[str | None, typer.Option("--query", "-q", help="The question: text or @FILE.")] = None,
    context: Annotated[
        list[str] | None, typer.Option("--context", "-c", help="A passage: text or @FILE; repeatable.")
    ] = None,
    response: Annotated[
        str | None, typer.Option("--response", "-r", help="The model's answer: text or @FILE.")
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
    json_: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON, alone.")] = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show every gate that was looked at, and which one fired.")
    ] = False,
    fail_on: Annotated[
        FailOn | None, typer.Option("--fail-on", help="Exit 1 on this decision or a worse one.")
    ] = None,
) -> None:
    """Judge one response: ACCEPT, REVIEW or REJECT, why, and what to do next.

    Exit code 0; 1 if --fail-on is met; 2 for unusable input or options; 3 if the sample could not be judged,
    or the judge that it needed gave no answer.
    """
    judged = _sample(sample, query, context, response)
    asked = judge_from(
        judge,
        url=judge_url,
        key_env=judge_key_env,
        max_calls=max_judge_calls,
        deadline=judge_deadline,
        cache=judge_cache,
        price=judge_price,
    )
    setup = Setup(profile, (embedder,) if embedder else None, str(models) if models else None)
    assay = replace(setup, judge=asked, consistency=consistency).build()
    if assay.warning:
        say_warning(assay.warning)
    verdict = assay.check(judged)
    if json_:
        row = verdict.to_dict()
        if explain:
            row["gates"] = verdict.trace_rows()
        typer.echo(to_json(row))
    else:
        out().print(paint(verdict))
        if explain:
            out().print(gate_walk(verdict))
    raise typer.Exit(_exit_code(verdict, fail_on))


def _exit_code(verdict: Verdict, fail_on: FailOn | None) -> int:
    if verdict.error is not None:
        return EXIT_UNJUDGED
    failing = {
        None: (),
        FailOn.REVIEW: (Decision.REVIEW, Decision.REJECT),
        FailOn.REJECT: (Decision.REJECT,),
    }[fail_on]
    if verdict.decision in failing:
        return EXIT_FAILED
    return 0 if verdict.judge_failure is None else EXIT_UNJUDGED


def _sample(source: str | None, query: str | None, context: list[str] | None, response: str | None) -> Sample:
    parts = {"--query": query, "--context": context, "--response": response}
    given = [option for option, value in parts.items() if value is not None]
    if source is not None:
        if given:
            raise InputError(f"give a sample file or {', '.join(given)}, not both")
        return _from_file(source)
    if response is None:
        raise InputError("give --response (and --context, --query), a file with a sample, or - for stdin")
    return Sample(
        query=text_or_file(query or "", "--query"),
        passages=[text_or_file(passage, "--context") for passage in context or ()],
        response=text_or_file(response, "--response"),
    )


def _from_file(source: str) -> Sample:
    rows = list(islice(read_rows(source), 2))
    if len(rows) > 1:
        raise InputError("the file holds more than one sample; judge it with: assay eval", file=source)
    if rows[0].sample is None:
        raise rows[0].error or InputError("the sample cannot be read", file=source)
    return rows[0].sample
