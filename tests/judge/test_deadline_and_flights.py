from __future__ import annotations

import threading

import pytest

from assay.judge.deadline import Calls, Deadline, LeftBehind
from assay.judge.flights import Flights


def test_a_result_and_an_error_come_through() -> None:
    assert Calls().within(10, lambda: 5) == 5
    with pytest.raises(ZeroDivisionError):
        Calls().within(10, lambda: 1 // 0)


def test_a_call_that_hangs_is_left_behind() -> None:
    release = threading.Event()
    with pytest.raises(TimeoutError):
        Calls().within(0.02, lambda: release.wait(30))
    release.set()


def test_all_that_wait_are_let_go_at_once_and_later_calls_are_made() -> None:
    calls, release, began = Calls(), threading.Event(), threading.Barrier(4)
    before = calls.round
    ended: list[type[BaseException]] = []

    def wait() -> None:
        try:
            calls.within(30, lambda: (began.wait(10), release.wait(30)))
        except LeftBehind as left:
            ended.append(type(left))

    threads = [threading.Thread(target=wait) for _ in range(3)]
    for thread in threads:
        thread.start()
    began.wait(10)
    calls.leave_behind()
    for thread in threads:
        thread.join(10)
    release.set()
    assert ended == [LeftBehind] * 3
    with pytest.raises(LeftBehind, match="interrupted"):
        calls.within(10, lambda: 5, before)
    assert calls.within(10, lambda: 5) == 5


def test_the_clock_starts_with_the_first_question(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("assay.judge.deadline.time.monotonic", lambda: now[0])
    deadline = Deadline(5)
    now[0] = 200.0
    assert deadline.left() == 5
    now[0] = 203.0
    assert deadline.left() == 2
    now[0] = 300.0
    assert deadline.left() == 0


def test_one_key_at_a_time_and_nothing_stays_behind() -> None:
    flights = Flights()
    with flights.alone("a", 1), flights.alone("b", 1):
        failed: list[type[BaseException]] = []

        def other() -> None:
            try:
                with flights.alone("a", 0.01):
                    pass
            except TimeoutError as error:
                failed.append(type(error))

        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert failed == [TimeoutError]
    with flights.alone("a", 1):
        pass
    assert flights._locks == {}
