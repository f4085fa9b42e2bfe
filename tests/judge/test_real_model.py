"""A real language model on this machine is the judge, over HTTP, through the client that users use."""

from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay import Assay, Judge, Sample, Verdict
from assay.models.openai_chat import OpenAIChat
from tests.models.chat_server import Server

from .cases import CONTEXT, GROUNDED, doubtful, rejected_in_the_zone, zone

OUTSIDE = Sample("Who paid?", CONTEXT, "It was opened in 1998.", "outside")
ROWS = [zone("a"), OUTSIDE, rejected_in_the_zone("b"), Sample("When?", CONTEXT, " ", "empty")]
IN_ZONE = {"a", "b"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    os.environ["HF_HUB_OFFLINE"] = "1"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # those of the libraries that read the model's file
        from .smollm import smollm_server

        with smollm_server() as running:
            yield running


def judged(
    server: Server, model: str, *rows: Sample, profile: str = "article", **settings: object
) -> list[Verdict]:
    chat = OpenAIChat(model, base_url=server.url, max_retries=0)
    judge = Judge(chat, **({"deadline": 600.0} | settings))  # type: ignore[arg-type]
    return list(Assay(profile, embedder="lexical", judge=judge).check_many(rows))


def test_valid_answers_are_used_one_call_a_row_in_the_zone_and_none_in_a_second_run(
    server: Server, tmp_path: Path
) -> None:
    before = len(server.bodies)
    first = judged(server, "smollm2", *ROWS, cache=tmp_path / "c.sqlite")
    assert len(server.bodies) - before == len(IN_ZONE)
    assert {v.id for v in first if v.meta.used_llm_judge} == IN_ZONE
    for v in first:
        if v.meta.judge is not None:
            assert v.meta.judge["served_by"] == "SmolLM2-135M-Instruct"
            assert isinstance(v.meta.judge["prompt_tokens"], int)
            assert v.meta.judge["prompt_tokens"] > 300
            assert set(v.meta.judge["scores"]) == {"faithfulness", "relevance"}  # type: ignore[arg-type]
    second = judged(server, "smollm2", *ROWS, cache=tmp_path / "c.sqlite")
    assert len(server.bodies) - before == len(IN_ZONE)
    assert [(v.decision, v.scores, v.reason) for v in first] == [
        (v.decision, v.scores, v.reason) for v in second
    ]


def test_claims_are_ruled_on(server: Server) -> None:
    (v,) = judged(server, "smollm2", doubtful(), profile="default")
    assert v.meta.used_llm_judge
    assert v.meta.judge is not None
    (ruling,) = v.meta.judge["claims"]  # type: ignore[union-attr]
    said = ruling["verdict"]  # type: ignore[index, call-overload]
    expected = {"supported": "ACCEPT", "unsupported": "REVIEW", "contradicted": "REJECT"}
    assert v.decision == expected[said]  # type: ignore[index]
    assert v.claims[1].status == said


@pytest.mark.parametrize(
    ("model", "calls", "cause"),
    [("smollm2-free", 2, "could not be read"), ("smollm2-cut", 2, "was cut twice")],
)
def test_invalid_and_cut_answers_end_in_a_review(server: Server, model: str, calls: int, cause: str) -> None:
    before = len(server.bodies)
    (v,) = judged(server, model, zone())
    assert len(server.bodies) - before == calls
    assert (v.decision, v.failure_type) == ("REVIEW", "verifier_unavailable")
    assert cause in v.reason
    assert v.claims[0].text == GROUNDED


def test_a_model_slower_than_the_deadline_ends_in_a_review(server: Server) -> None:
    (v,) = judged(server, "smollm2", zone("late"), deadline=0.05)
    assert (v.decision, v.failure_type) == ("REVIEW", "verifier_unavailable")
    assert "within 0.05 s" in v.reason or "timed out" in v.reason
