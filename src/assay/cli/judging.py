"""The options of the judge, and what a run says about its calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer

from assay.errors import InputError
from assay.judge import Judge, Price
from assay.judge.ask import DEADLINE_SECONDS
from assay.models.chat_registry import load_chat, split_spec
from assay.models.llm import Completion, Message, NotAsked, Schema
from assay.verdict import FailureType, JSONValue

JudgeOption = Annotated[
    str | None,
    typer.Option(
        "--judge", metavar="KIND:MODEL", help="Model asked where local signals cannot decide: openai:MODEL."
    ),
]
UrlOption = Annotated[
    str | None,
    typer.Option("--judge-url", help="OpenAI-compatible endpoint, e.g. http://localhost:8080/v1."),
]
KeyOption = Annotated[
    str | None,
    typer.Option(
        "--judge-key-env",
        metavar="VARIABLE",
        help="Environment variable with the key; OPENAI_API_KEY unless --judge-url is given.",
    ),
]
CallsOption = Annotated[
    int | None, typer.Option("--max-judge-calls", min=0, help="Most judge calls of this run.")
]
DeadlineOption = Annotated[
    float, typer.Option("--judge-deadline", help="Seconds for all judge calls of one row.")
]
CacheOption = Annotated[
    Path | None, typer.Option("--judge-cache", metavar="FILE", help="SQLite file that keeps answers.")
]
PriceOption = Annotated[
    str | None,
    typer.Option(
        "--judge-price", metavar="IN,OUT", help="Money for a million tokens read and written, for the cost."
    ),
]
ConsistencyOption = Annotated[
    bool,
    typer.Option(
        "--consistency", help="Also ask the judge's model the question in other words, on every row."
    ),
]
DEFAULT_DEADLINE = DEADLINE_SECONDS


def judge_from(
    spec: str | None,
    *,
    url: str | None,
    key_env: str | None,
    max_calls: int | None,
    deadline: float,
    cache: Path | None,
    price: str | None,
    dry_run: bool = False,
) -> Judge | None:
    """The judge that the options describe, or None without ``--judge``.

    Raises:
        InputError: An option cannot be used, or is given without ``--judge``.
        ModelError: The judge's model cannot be used here.
    """
    if spec is None:
        given = {
            "--judge-url": url,
            "--judge-key-env": key_env,
            "--max-judge-calls": max_calls,
            "--judge-cache": cache,
            "--judge-price": price,
        }
        lonely = [option for option, value in given.items() if value is not None]
        if lonely or dry_run:
            raise InputError(f"{lonely[0] if lonely else '--dry-run'} needs --judge")
        return None
    if dry_run:
        split_spec(spec)
    model = _Uncalled(spec) if dry_run else load_chat(spec, base_url=url, key_env=key_env)
    return Judge(
        model,
        max_calls=max_calls,
        deadline=deadline,
        cache=cache if cache is None or not dry_run or cache.exists() else None,
        price=_price(price),
        dry_run=dry_run,
    )


def spent_text(judge: Judge) -> str:
    """What the judge did in a run, as part of its closing line."""
    spent = judge.spent
    parts = [f"judge {judge.model.name}: {spent.calls:,} call{'' if spent.calls == 1 else 's'}"]
    if spent.cached:
        parts.append(f"{spent.cached:,} answer{'' if spent.cached == 1 else 's'} from the cache")
    if spent.failed:
        noun = "question" if spent.failed == 1 else "questions"
        parts.append(f"{spent.failed:,} {noun} without an answer (REVIEW, unless REJECT already)")
    if spent.prompt_tokens is not None and spent.completion_tokens is not None and spent.calls:
        parts.append(f"{spent.prompt_tokens:,} tokens read and {spent.completion_tokens:,} written")
    return ", ".join(parts) + _cost_text(judge)


def dry_text(judge: Judge, rows: int) -> str:
    """What a dry run found."""
    spent, limit = judge.spent, judge.budget.limit
    read, written = spent.prompt_tokens or 0, spent.completion_tokens or 0
    kept = f" ({spent.cached:,} more answers are in the cache)" if spent.cached else ""
    lines = [
        f"{rows:,} rows: the judge {judge.model.name} would be called {_times(spent.calls)}{kept}.",
        f"About {read:,} tokens to read and {written:,} to write{_cost_text(judge)}.",
        "Answers that must be repaired or were cut are asked for again, at most twice.",
    ]
    if limit is not None and spent.calls > limit:
        lines.append(f"--max-judge-calls {limit:,} leaves {spent.calls - limit:,} of them unmade.")
    return "\n".join(lines)


def unsettled(row: Mapping[str, JSONValue]) -> bool:
    """Whether an output row is a REVIEW for want of the judge's answer."""
    meta = row.get("meta")
    report = meta.get("judge") if isinstance(meta, dict) else None
    failed = isinstance(report, dict) and "error" in report
    return failed and row["failure_type"] == FailureType.VERIFIER_UNAVAILABLE.value


def _times(count: int) -> str:
    return "1 time" if count == 1 else f"{count:,} times"


def _cost_text(judge: Judge) -> str:
    if judge.price is None:
        return ""
    cost = judge.price.of(judge.spent.prompt_tokens, judge.spent.completion_tokens)
    return ", cost unknown" if cost is None else f", cost {cost:.4f}"


def _price(text: str | None) -> Price | None:
    if text is None:
        return None
    parts: Sequence[str] = text.split(",")
    try:
        prompt, completion = (float(part) for part in parts)
    except ValueError:
        raise InputError(f"--judge-price takes two numbers, for example 0.25,2.00, not {text!r}") from None
    return Price(prompt, completion)


class _Uncalled:
    """Stands in for the model of a dry run: it has the name, and needs neither key nor endpoint."""

    def __init__(self, name: str) -> None:
        self.name = ":".join(split_spec(name))

    def complete(
        self, messages: Sequence[Message], *, schema: Schema | None, max_tokens: int, timeout: float
    ) -> Completion:
        raise NotAsked
