"""Asking the judge: within budget and deadline, validated, repaired once, kept; or failed with a cause."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from assay.errors import InputError
from assay.judge.answers import MAX_ANSWER_CHARS, Rulings, Scores, parse, schema_of
from assay.judge.budget import Budget
from assay.judge.cache import AnswerCache, FileCache, Kept, MemoryCache
from assay.judge.deadline import Calls, Deadline
from assay.judge.flights import Flights
from assay.judge.prompts import PROMPT_VERSION, Question, cache_key, render
from assay.judge.spending import Price, Spent, estimated_tokens
from assay.models.chat_registry import load_chat
from assay.models.llm import (
    CUT,
    CallableChat,
    ChatError,
    ChatModel,
    Completion,
    Message,
    NotAsked,
    Schema,
    token_count,
)

DEADLINE_SECONDS = 60.0
MAX_DEADLINE_SECONDS = 86_400.0
MORE_ROOM = 4
"""How many times the room of a cut answer the second try gets."""
FREE_TEXT_TOKENS = 400
MAX_CAUSE_CHARS = 300


class Failed(Exception):  # noqa: N818 - an outcome that every caller turns into a verdict
    """The judge gave no answer that can be used; the message is the cause."""


@dataclass(frozen=True, slots=True)
class Reply:
    """An answer that can be used.

    Attributes:
        answer: The answer, validated.
        sha256: Digest of the text that the model wrote.
        model: The model that wrote it, as it calls itself.
        cached: Whether it was there already.
    """

    answer: Scores | Rulings
    sha256: str
    model: str
    cached: bool


class Judge:
    """A language model with a budget, a deadline and a memory, shared by all rows of a run. Thread-safe.

    Args:
        model: ``KIND:MODEL`` (``openai:gpt-5-mini``), a chat model, or a function from prompt to answer.
        max_calls: Most calls in all, repairs included; None for no limit.
        deadline: Seconds that the calls of one row may take together.
        cache: A SQLite file that keeps answers between runs; without one they are kept in memory.
        price: Money for a million tokens, to report the cost.
        dry_run: Count the calls and estimate their tokens, and make none.

    Raises:
        InputError: A setting cannot be used.
        ModelError: The model cannot be used here.
        PluginError: Nothing provides the kind of model.

    Attributes:
        model: The chat model.
        budget: Calls granted so far.
        spent: Calls, tokens and failures so far; in a dry run what they would be.
    """

    def __init__(
        self,
        model: str | ChatModel | Callable[[str], str],
        *,
        max_calls: int | None = None,
        deadline: float = DEADLINE_SECONDS,
        cache: str | Path | None = None,
        price: Price | None = None,
        dry_run: bool = False,
    ) -> None:
        if not 0 < deadline <= MAX_DEADLINE_SECONDS:
            raise InputError(
                f"the judge's deadline is a number of seconds above 0, a day at most, not {deadline}"
            )
        self.model = _chat(model)
        self.budget = Budget(max_calls)
        self.deadline = deadline
        self.price = price
        self.dry_run = dry_run
        self.spent = Spent()
        self.cache: AnswerCache = MemoryCache() if cache is None else FileCache(cache)
        self.flights = Flights()
        self.calls = Calls()
        self.counted: set[str] = set()

    def __repr__(self) -> str:
        return f"Judge({self.model.name!r})"

    @property
    def identity(self) -> dict[str, str]:
        """What of the judge can change a verdict."""
        return {"model": self.model.name, "prompt": PROMPT_VERSION}

    def interrupt(self) -> None:
        """Let the rows that wait for an answer now end without one; later rows are judged as ever."""
        self.calls.leave_behind()

    def session(self) -> Session:
        """The judge for one row, with a deadline of its own."""
        return Session(self)


class Session:
    """The judge while it is asked about one row. Not shared between threads."""

    def __init__(self, judge: Judge) -> None:
        self.judge = judge
        self.spent = Spent()
        self._deadline = Deadline(judge.deadline)
        self._round = judge.calls.round

    @property
    def used(self) -> bool:
        """Whether anything was asked for this row."""
        return bool(self.spent.calls or self.spent.cached or self.spent.failed)

    def ask(self, question: Question) -> Reply:
        """Put a question.

        An answer that is kept costs nothing. One that cannot be read is asked for once more with what was
        wrong, one that was cut once more with more room: three calls at most.

        Raises:
            Failed: There is no answer that can be used.
        """
        key = question.key(self.judge.model.name)
        try:
            with self.judge.flights.alone(key, self._deadline.left()):
                return self._kept(key, question) or self._fresh(key, question)
        except TimeoutError:
            raise self._failed(self._too_late()) from None

    def answer(self, prompt: str) -> str:
        """The model's free answer to a prompt, from the same budget, deadline and cache.

        Raises:
            Failed: There is none.
            NotAsked: The run is dry.
        """
        key = cache_key(self.judge.model.name, "free", prompt)
        messages = [Message("user", prompt)]
        try:
            with self.judge.flights.alone(key, self._deadline.left()):
                if kept := self.judge.cache.get(key):
                    self._count_kept()
                    return kept.text
                if self.judge.dry_run:
                    self._count_dry(key, messages, FREE_TEXT_TOKENS // 4)
                    raise NotAsked
                done = self._call(messages, None, FREE_TEXT_TOKENS)
                if not done.text.strip() or len(done.text) > MAX_ANSWER_CHARS:
                    raise self._failed(
                        f"the judge's answer is {'far too long' if done.text.strip() else 'empty'}"
                    )
                self.judge.cache.put(key, Kept(done.text, done.model))
                return done.text
        except TimeoutError:
            raise self._failed(self._too_late()) from None

    def _kept(self, key: str, question: Question) -> Reply | None:
        kept = self.judge.cache.get(key)
        if kept is None:
            return None
        try:
            answer = parse(kept.text, question.shape, question.claims)
        except ValueError:  # a damaged or foreign entry: asked anew and replaced
            return None
        self._count_kept()
        return Reply(answer, _digest(kept.text), kept.model, cached=True)

    def _fresh(self, key: str, question: Question) -> Reply:
        messages = render(question)
        if self.judge.dry_run:
            self._count_dry(key, messages, question.max_tokens // 3)
            raise Failed("a dry run makes no call")
        room, widened, repaired = question.max_tokens, False, False
        while True:
            done = self._call(messages, schema_of(question.shape), room)
            if done.finish == CUT:
                if widened:
                    raise self._failed("the judge's answer was cut twice")
                room, widened = room * MORE_ROOM, True
                continue
            try:
                answer = parse(done.text, question.shape, question.claims)
            except ValueError as error:
                if repaired:
                    raise self._failed(f"the judge's answer could not be read: {error}") from None
                messages, repaired = render(question, failed=done.text, problem=str(error)), True
                continue
            self.judge.cache.put(key, Kept(done.text, done.model))
            return Reply(answer, _digest(done.text), done.model, cached=False)

    def _call(self, messages: list[Message], schema: Schema | None, room: int) -> Completion:
        left = self._deadline.left()
        if left <= 0:
            raise self._failed(self._too_late())
        if not self.judge.budget.take():
            raise self._failed(f"the budget of {self.judge.budget.limit} judge calls is spent")
        started = time.monotonic()
        done: Completion | None = None
        try:
            model = self.judge.model
            answer = self.judge.calls.within(
                left,
                lambda: model.complete(messages, schema=schema, max_tokens=room, timeout=left),
                self._round,
            )
            done = _checked(answer)
        except TimeoutError:
            raise self._failed(self._too_late()) from None
        except Exception as error:  # noqa: BLE001 - whatever the model raises, there is no answer
            raise self._failed(str(error) or type(error).__name__) from None
        finally:
            seconds = time.monotonic() - started
            for spent in (self.spent, self.judge.spent):
                spent.add_call(done, seconds)
        return done

    def _count_kept(self) -> None:
        self.spent.add_cached()
        self.judge.spent.add_cached()

    def _count_dry(self, key: str, messages: list[Message], tokens: int) -> None:
        if key in self.judge.counted:  # a run would have kept the answer by now
            return
        self.judge.counted.add(key)
        read = sum(estimated_tokens(message.content) for message in messages)
        self.judge.spent.add_call(Completion("", "stop", read, tokens), 0.0)

    def _failed(self, cause: str) -> Failed:
        self.spent.add_failed()
        self.judge.spent.add_failed()
        return Failed(" ".join(cause.split())[:MAX_CAUSE_CHARS])

    def _too_late(self) -> str:
        return f"the judge did not answer within {self.judge.deadline:g} s"


def _chat(model: object) -> ChatModel:
    if isinstance(model, str):
        return load_chat(model)
    if isinstance(model, ChatModel):
        return model
    if not callable(model):
        kind = type(model).__name__
        raise InputError(f"expected a chat model or a function from prompt to answer, got {kind}")
    return CallableChat(model)


def _checked(done: object) -> Completion:
    """What a model of somebody else's returned: a text as the protocol promises, the rest as far as it is."""
    if not isinstance(done, Completion) or not isinstance(done.text, str):
        raise ChatError(f"the model gave {type(done).__name__} instead of a completion of text")
    model = done.model if isinstance(done.model, str) else ""
    return replace(
        done,
        prompt_tokens=token_count(done.prompt_tokens),
        completion_tokens=token_count(done.completion_tokens),
        model=model.encode("utf-8", "replace").decode("utf-8"),
    )


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
