"""Ctrl-C in threads: rows that wait for the judge are let go, and the judge goes on for those after."""

from __future__ import annotations

import signal
import threading
import time
from itertools import count

import pytest

from assay import Assay, Judge
from assay.models.llm import Completion
from assay.models.scripted_chat import Asked, ScriptedChat

from .cases import doubtful, rulings


def test_an_interrupted_batch_ends_at_once_and_the_judge_goes_on() -> None:
    release, main = threading.Event(), threading.main_thread().ident
    assert main is not None
    calls = count(1)

    def hang(call: Asked) -> Completion:
        if next(calls) == 2:
            signal.pthread_kill(main, signal.SIGINT)
        release.wait(60)
        return Completion(rulings("supported"))

    chat = ScriptedChat(hang)
    assay = Assay(judge=Judge(chat, deadline=600))
    started = time.monotonic()
    # Two questions in flight, and a third row that waits for the answer to the first question.
    claims = [
        "Its architect Jane Doe won the Pritzker Prize.",
        "Its architect John Roe won the Pritzker Prize.",
    ]
    samples = [doubtful(str(i), claims[i % 2]) for i in range(6)]
    with pytest.raises(KeyboardInterrupt):
        list(assay.check_many(samples, threads=3))
    assert time.monotonic() - started < 30
    assert len(chat.asked) == 2
    release.set()
    assert assay.check(samples[0]).decision == "ACCEPT"
