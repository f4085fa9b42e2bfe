"""Chat models behind one small protocol, and a wrapper that makes one of any function."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, runtime_checkable

Schema = Mapping[str, object]
"""A JSON schema of the answer."""
CUT = "length"
"""The finish reason of an answer that ran out of room."""
MAX_TOKENS = 10**12
"""More than that is no count of tokens."""


class ChatError(Exception):
    """A call that brought no answer: unreachable, refused, timed out, or not what the protocol promises."""


class NotAsked(Exception):  # noqa: N818 - no error: a dry run counts the call and makes none
    """The call was counted instead of made."""


@dataclass(frozen=True, slots=True)
class Message:
    """One turn of a prompt."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered.

    Attributes:
        text: The answer.
        finish: Why it ended: ``stop``, `CUT` when the room was used up, or what the endpoint says.
        prompt_tokens: Tokens read, or None if the endpoint does not say.
        completion_tokens: Tokens written, or None if the endpoint does not say.
        model: The model that answered, as it calls itself; empty if unknown.
    """

    text: str
    finish: str = "stop"
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    model: str = ""


def token_count(value: object) -> int | None:
    """The number of tokens that an endpoint or a model of somebody else's reports; None if it is no count."""
    if not isinstance(value, int) or isinstance(value, bool):
        return None
    return value if 0 <= value <= MAX_TOKENS else None


@runtime_checkable
class ChatModel(Protocol):
    """Answers a prompt. Implementations are thread-safe and never put a secret into a message or a repr.

    Attributes:
        name: What verdicts, hashes and caches call it, for example ``openai:gpt-5-mini``.
    """

    name: str

    def complete(
        self, messages: Sequence[Message], *, schema: Schema | None, max_tokens: int, timeout: float
    ) -> Completion:
        """Answer once.

        Args:
            messages: The prompt.
            schema: JSON schema that the answer should follow, or None for free text. A model that cannot
                be held to it answers as it can; the caller validates.
            max_tokens: Most tokens to write; an answer that needs more comes back with finish `CUT`.
            timeout: Seconds after which the caller has no use for the answer.

        Raises:
            ChatError: There is no answer; with the cause in plain words.
        """
        ...


class CallableChat:
    """A function from prompt to answer as a chat model; it sees the turns as one text.

    Args:
        function: Takes a prompt, returns the answer.
        name: What hashes and caches call it; two functions of one name share cached answers.
    """

    def __init__(self, function: Callable[[str], str], name: str | None = None) -> None:
        self._function = function
        kind = type(function)
        module = getattr(function, "__module__", None) or kind.__module__
        self.name = name or f"callable:{module}.{getattr(function, '__qualname__', kind.__qualname__)}"

    def __repr__(self) -> str:
        return f"CallableChat({self.name!r})"

    def complete(  # noqa: D102
        self, messages: Sequence[Message], *, schema: Schema | None, max_tokens: int, timeout: float
    ) -> Completion:
        answer: object = self._function("\n\n".join(message.content for message in messages))
        if not isinstance(answer, str):
            raise ChatError(f"the model returned {type(answer).__name__} instead of text")
        return Completion(answer, model=self.name)
