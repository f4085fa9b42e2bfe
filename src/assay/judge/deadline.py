"""A deadline a row that holds whatever the model's client does, and an end to all waiting."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TypeVar, cast

T = TypeVar("T")
_Result = tuple[object, BaseException | None]


class LeftBehind(Exception):  # noqa: N818 - no error: whoever waited was told to stop
    """The run was interrupted; nobody waits for the call."""

    def __str__(self) -> str:
        return "the run was interrupted"


class Deadline:
    """Seconds from the first question on.

    Args:
        seconds: How long all calls of one row may take together.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._end: float | None = None

    def left(self) -> float:
        """Seconds left, 0 when none are; the first call starts the clock."""
        if self._end is None:
            self._end = time.monotonic() + self.seconds
        return max(0.0, self._end - time.monotonic())


class Calls:
    """Calls under way. Thread-safe.

    Attributes:
        round: Raised when all calls under way are left behind.
    """

    def __init__(self) -> None:
        self.round = 0
        self._waiting: set[SimpleQueue[_Result]] = set()
        self._lock = Lock()

    def within(self, seconds: float, call: Callable[[], T], since: int | None = None) -> T:
        """The result of ``call``, waited for that long at most.

        The call runs on a thread of its own that is left behind when the time is up: a client's own timeout
        counts from byte to byte and from retry to retry, and a user's function may have none.

        Args:
            seconds: How long to wait.
            call: What to do.
            since: The round that the caller began in; by default this one.

        Raises:
            TimeoutError: The time is up.
            LeftBehind: The caller's round is over, before the call or while it ran.
            Exception: What ``call`` raised.
        """
        results: SimpleQueue[_Result] = SimpleQueue()
        with self._lock:
            if since not in (None, self.round):
                raise LeftBehind
            self._waiting.add(results)

        def run() -> None:
            try:
                results.put((call(), None))
            except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
                results.put((None, error))

        try:
            Thread(target=run, name="assay-judge", daemon=True).start()
            value, error = results.get(timeout=seconds)
        except Empty:
            raise TimeoutError from None
        finally:
            with self._lock:
                self._waiting.discard(results)
        if error is not None:
            raise error
        return cast("T", value)

    def leave_behind(self) -> None:
        """Wait for no call under way any longer; those of a later round are made as ever."""
        with self._lock:
            self.round += 1
            for results in self._waiting:
                results.put((None, LeftBehind()))
