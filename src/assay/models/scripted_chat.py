"""A chat model that answers from a script: the stand-in for `assay.models.llm.ChatModel` in tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from assay.models.llm import ChatError, Completion, Message, Schema

Step = str | Completion | Exception


@dataclass(frozen=True, slots=True)
class Asked:
    """One call as it came in."""

    messages: tuple[Message, ...]
    schema: Schema | None
    max_tokens: int
    timeout: float

    @property
    def prompt(self) -> str:
        """All turns as one text."""
        return "\n\n".join(message.content for message in self.messages)


class ScriptedChat:
    """Answers with the steps of a script in turn, or with what a function makes of the call.

    Args:
        script: Texts and completions to answer with, exceptions to raise, or a function from the call to
            one of them. A call beyond the last step is a `ChatError`.
        name: The model's name.

    Attributes:
        asked: The calls so far.
    """

    def __init__(self, script: Sequence[Step] | Callable[[Asked], Step], name: str = "scripted") -> None:
        self.name = name
        self.asked: list[Asked] = []
        self._script = script
        self._lock = Lock()

    def complete(  # noqa: D102
        self, messages: Sequence[Message], *, schema: Schema | None, max_tokens: int, timeout: float
    ) -> Completion:
        call = Asked(tuple(messages), schema, max_tokens, timeout)
        with self._lock:
            self.asked.append(call)
            number = len(self.asked)
        step = self._script(call) if callable(self._script) else self._step(number)
        if isinstance(step, Exception):
            raise step
        if isinstance(step, Completion):
            return step
        return Completion(step, "stop", len(call.prompt) // 4, len(step) // 4, self.name)

    def _step(self, number: int) -> Step:
        if callable(self._script) or number > len(self._script):
            return ChatError(f"the script has no step {number}")
        return self._script[number - 1]
