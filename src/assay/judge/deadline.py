"""A deadline a row that holds whatever the model's client does."""

from __future__ import annotations

import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")


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


def within(seconds: float, call: Callable[[], T]) -> T:
    """The result of ``call``, waited for that long at most.

    The call runs on a thread of its own that is left behind when the time is up: a client's own timeout
    counts from byte to byte and from retry to retry, and a user's function may have none.

    Raises:
        TimeoutError: The time is up.
        Exception: What ``call`` raised.
    """
    results: SimpleQueue[tuple[T | None, BaseException | None]] = SimpleQueue()

    def run() -> None:
        try:
            results.put((call(), None))
        except BaseException as error:  # noqa: BLE001 - handed to the thread that waits
            results.put((None, error))

    Thread(target=run, name="assay-judge", daemon=True).start()
    try:
        value, error = results.get(timeout=seconds)
    except Empty:
        raise TimeoutError from None
    if error is not None:
        raise error
    return value  # type: ignore[return-value]
