"""Threads that ask the same question at the same time: one asks, the others wait for its answer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock


class Flights:
    """One lock for each key in use; nothing stays behind for a key that nobody uses."""

    def __init__(self) -> None:
        self._guard = Lock()
        self._locks: dict[str, tuple[Lock, int]] = {}

    @contextmanager
    def alone(self, key: str, seconds: float) -> Iterator[None]:
        """Run the block while no other thread runs one for ``key``.

        Raises:
            TimeoutError: The other thread took longer than ``seconds``.
        """
        with self._guard:
            lock, users = self._locks.get(key, (Lock(), 0))
            self._locks[key] = (lock, users + 1)
        got = False
        try:
            got = lock.acquire(timeout=seconds)
            if not got:
                raise TimeoutError
            yield
        finally:
            if got:
                lock.release()
            self._leave(key)

    def _leave(self, key: str) -> None:
        with self._guard:
            lock, users = self._locks[key]
            if users == 1:
                del self._locks[key]
            else:
                self._locks[key] = (lock, users - 1)
