"""What calls cost: tokens, time and money, of one row and of a run."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from threading import Lock

from assay.errors import InputError
from assay.models.llm import Completion

MAX_PRICE = 1e9
_BYTES_A_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Price:
    """Money for a million tokens.

    Attributes:
        prompt: For tokens read.
        completion: For tokens written.

    Raises:
        InputError: A price is negative or beyond all reason.
    """

    prompt: float
    completion: float

    def __post_init__(self) -> None:
        if not all(0 <= value <= MAX_PRICE for value in (self.prompt, self.completion)):
            raise InputError("a price is a number of 0 or more, a billion at most, for a million tokens")

    def of(self, prompt_tokens: int | None, completion_tokens: int | None) -> float | None:
        """What the tokens cost; None if they are not known."""
        if prompt_tokens is None or completion_tokens is None:
            return None
        return round((self.prompt * prompt_tokens + self.completion * completion_tokens) / 1_000_000, 8)


@dataclass(slots=True)
class Spent:
    """Calls and tokens so far; tokens are None once an endpoint did not say them."""

    calls: int = 0
    cached: int = 0
    failed: int = 0
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    seconds: float = 0.0
    _lock: Lock = field(default_factory=Lock, repr=False)

    def add_call(self, completion: Completion | None, seconds: float) -> None:
        """Count a call, answered or not. A call without an answer leaves the tokens as they are."""
        with self._lock:
            self.calls += 1
            self.seconds += seconds
            if completion is not None:
                self.prompt_tokens = _sum(self.prompt_tokens, completion.prompt_tokens)
                self.completion_tokens = _sum(self.completion_tokens, completion.completion_tokens)

    def add_cached(self) -> None:
        """Count an answer that was there already."""
        with self._lock:
            self.cached += 1

    def add_failed(self) -> None:
        """Count a question that stayed without an answer."""
        with self._lock:
            self.failed += 1


def estimated_tokens(text: str) -> int:
    """Roughly the tokens of a text: a quarter of its UTF-8 bytes."""
    return math.ceil(len(text.encode("utf-8", "replace")) / _BYTES_A_TOKEN)


def _sum(total: int | None, more: int | None) -> int | None:
    return None if total is None or more is None else total + more
