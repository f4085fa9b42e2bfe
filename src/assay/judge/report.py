"""What a verdict says about the judge: model, prompt, answer's digest, calls, tokens, cost, time."""

from __future__ import annotations

from assay.judge.ask import Reply, Session
from assay.judge.prompts import PROMPT_VERSION
from assay.judge.questions import Asking
from assay.verdict import JSONValue


def reply_report(session: Session, asking: Asking, reply: Reply) -> dict[str, JSONValue]:
    """``meta.judge`` of a row that the judge answered."""
    answer: dict[str, JSONValue] = {
        "served_by": reply.model or None,
        "cached": reply.cached,
        "answer_sha256": reply.sha256,
    }
    if asking.kind == "scores":
        said = reply.answer.model_dump()
        answer["scores"] = {name: said[name] for name in ("faithfulness", "relevance")}
    return {**spending_report(session), **_asked(asking), **answer}


def failure_report(session: Session, asking: Asking | None, cause: str) -> dict[str, JSONValue]:
    """``meta.judge`` of a row that stayed without an answer."""
    asked = {} if asking is None else _asked(asking)
    return {**spending_report(session), **asked, "cached": False, "error": cause}


def spending_report(session: Session) -> dict[str, JSONValue]:
    """The part that every row has on which the judge's model was used."""
    spent, price = session.spent, session.judge.price
    cost = price.of(spent.prompt_tokens, spent.completion_tokens) if price is not None else None
    return {
        "model": session.judge.model.name,
        "prompt_version": PROMPT_VERSION,
        "calls": spent.calls,
        "prompt_tokens": spent.prompt_tokens,
        "completion_tokens": spent.completion_tokens,
        "cost": cost,
        "latency_ms": round(spent.seconds * 1000, 3),
    }


def _asked(asking: Asking) -> dict[str, JSONValue]:
    shown = sum(len(excerpt.text) for excerpt in asking.excerpts)
    return {
        "asked": asking.kind,
        "read": {"context_characters": asking.context_characters, "context_characters_read": shown},
    }
