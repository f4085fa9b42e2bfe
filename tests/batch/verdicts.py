"""Verdict rows for the tests of reports."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

HOSTILE = "<script>alert(1)</script>\"'>&{{7*7}}[red]\u202egnp.exe\x1b[31m\x00\u2066\x9b"
"""Markup, template syntax, rich markup, bidirectional overrides, terminal escapes."""
META = {
    "passed": False,
    "used_llm_judge": False,
    "latency_ms": 10.0,
    "profile": "default",
    "tier": "embedding",
    "version": "0.1.0",
    "policy_hash": "aaaa",
    "scorer_hash": "bbbb",
    "read": {},
}


def verdict(id_: str | None = "r1", decision: str = "ACCEPT", **changes: Any) -> dict[str, Any]:
    """A row like those of ``Verdict.to_dict``; ``meta``, ``final`` and ``sentences`` are merged in."""
    final = changes.pop("final", 0.8)
    row: dict[str, Any] = {
        "id": id_,
        "decision": decision,
        "confidence_pct": 90,
        "failure_type": "none" if decision == "ACCEPT" else "weak_grounding",
        "hallucination_status": "none",
        "next_action": "serve_response" if decision == "ACCEPT" else "retry_with_specific_prompt",
        "action_why": "Because",
        "scores": {"final": final, "attribution": 0.5},
        "explanations": {
            "reason": changes.pop("reason", "The reason."),
            "low_confidence_sentences": changes.pop("sentences", []),
        },
        "claims": [],
        "certificate": None,
        "meta": META | changes.pop("meta", {}),
    }
    return row | changes


def write(path: Path, *rows: dict[str, Any], tail: str = "") -> Path:
    """Write rows as JSONL, and ``tail`` after them."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows) + tail, encoding="utf-8")
    return path


def hostile_file(path: Path) -> Path:
    """A file with hostile text wherever a verdict holds text."""
    rows = [
        verdict(
            f"{i}{HOSTILE}",
            ("REJECT", "REVIEW", "ACCEPT")[i % 3],
            reason=HOSTILE,
            sentences=[HOSTILE] * 9,
            action_why=HOSTILE,
            failure_type=HOSTILE,
            next_action=HOSTILE,
            conversation=HOSTILE,
            scores={"final": None, HOSTILE: 0.5},
            meta={"profile": HOSTILE, "tier": HOSTILE, "version": HOSTILE, "policy_hash": f"{HOSTILE}{i}"},
            error={"type": HOSTILE, "message": HOSTILE} if i == 1 else None,
        )
        for i in range(6)
    ]
    rows[0]["explanations"]["unavailable"] = {"final": HOSTILE}
    return write(path, *rows, tail='{"id": "<b>\\u202e')
