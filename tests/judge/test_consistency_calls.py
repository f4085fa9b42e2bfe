"""The consistency signal asks the judge's model within the judge's budget and cache."""

from __future__ import annotations

import pytest

from assay import Assay, InputError, Judge, Sample
from assay.models.scripted_chat import ScriptedChat

from .cases import CONTEXT, GROUNDED, QUESTION, zone


def test_the_judges_model_answers_for_the_consistency_signal() -> None:
    chat = ScriptedChat(lambda call: GROUNDED)
    judge = Judge(chat, max_calls=3)
    assay = Assay("article", embedder="lexical", judge=judge, llm=judge)
    sample = Sample(QUESTION, CONTEXT, GROUNDED)
    v = assay.check(sample)
    assert v.scores["consistency"] == 1.0
    assert v.meta.judge is not None
    assert v.meta.judge["calls"] == judge.budget.taken == 3
    assert not v.meta.used_llm_judge
    assert assay.check(sample).scores == v.scores
    assert len(chat.asked) == 3
    without = Assay("article", embedder="lexical", judge=Judge(chat)).check(sample)
    assert "consistency" not in without.scores


def test_a_spent_budget_leaves_consistency_unavailable_with_its_cause() -> None:
    judge = Judge(ScriptedChat(lambda call: GROUNDED), max_calls=2)
    v = Assay("article", embedder="lexical", judge=judge, llm=judge).check(
        Sample(QUESTION, CONTEXT, GROUNDED)
    )
    assert v.decision != "ACCEPT"
    assert "budget of 2 judge calls is spent" in v.unavailable["consistency"]


def test_two_judges_for_one_row_are_refused() -> None:
    one, other = (Judge(ScriptedChat([], name)) for name in ("a", "b"))
    with pytest.raises(InputError, match="llm: a row has one judge"):
        Assay("article", embedder="lexical", judge=one, llm=other)


def test_a_judge_for_consistency_alone_needs_no_judge_section() -> None:
    judge = Judge(ScriptedChat(lambda call: GROUNDED))
    v = Assay("article", embedder="lexical", llm=judge).check(zone())
    assert v.scores["consistency"] is not None
    assert not v.meta.used_llm_judge
