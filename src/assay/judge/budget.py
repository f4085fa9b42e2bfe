"""The most calls a run may make, whatever its threads."""

from __future__ import annotations

from threading import Lock

from assay.errors import InputError


class Budget:
    """Counts calls and refuses those beyond the limit. Thread-safe.

    Args:
        limit: Most calls, 0 for none; None for no limit.

    Raises:
        InputError: The limit is negative.
    """

    def __init__(self, limit: int | None = None) -> None:
        if limit is not None and limit < 0:
            raise InputError(f"the judge's calls are limited to 0 or more, not {limit}")
        self.limit = limit
        self._taken = 0
        self._lock = Lock()

    @property
    def taken(self) -> int:
        """Calls that were granted."""
        return self._taken

    def take(self) -> bool:
        """Whether one more call may be made; it is counted if so."""
        with self._lock:
            if self.limit is not None and self._taken >= self.limit:
                return False
            self._taken += 1
            return True
