"""Any OpenAI-compatible endpoint as a chat model, through the ``openai`` client (extra ``judge``)."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Sequence
from threading import Lock, local
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from assay.errors import InputError, ModelError
from assay.models.llm import ChatError, Completion, Message, Schema, token_count

if TYPE_CHECKING:
    from openai import OpenAI

KEY_VARIABLE = "OPENAI_API_KEY"
URL_VARIABLE = "OPENAI_BASE_URL"
MAX_RETRIES = 3
MAX_CAUSE_CHARS = 300
MIN_SECRET_CHARS = 8
"""Shorter ones ("none", "ollama") are no secrets; to hide such a word would garble answers."""
ATTEMPT_SHARE = 0.5
_NO_KEY = "no-key"
_HOW_TO_INSTALL = "the judge needs the openai client: pip install 'assay[judge]'"
# What endpoints refuse by name, and the switch that leaves it out of later calls.
_REFUSABLE = {
    "response_format": re.compile(r"response_format|json_schema|structured output|grammar", re.IGNORECASE),
    "max_tokens": re.compile(r"max_completion_tokens|max_tokens", re.IGNORECASE),
    "temperature": re.compile(r"temperature", re.IGNORECASE),
}


class OpenAIChat:
    """A model behind an OpenAI-compatible endpoint: OpenAI, a llama.cpp server, vLLM, Ollama, ...

    429, 5xx, timeouts and connection trouble are tried again with backoff, `MAX_RETRIES` times at most, by
    the client; ``Retry-After`` is heeded. One attempt waits for half of the caller's time at most, so that a
    lost request is sent again while there is time, and nothing is sent once it is over. What an endpoint
    refuses by name (a JSON schema, ``max_tokens``, a temperature) is left out from then on.

    Args:
        model: The model's name at the endpoint.
        base_url: The endpoint (``http://localhost:8080/v1``); by default ``OPENAI_BASE_URL``, else OpenAI's.
        key_env: Environment variable that holds the key. By default ``OPENAI_API_KEY``, but only where no
            ``base_url`` is given: that key is not sent to another host unless it is named.
        max_retries: Times that a failed request is tried again.

    Raises:
        InputError: ``base_url`` is no http(s) URL.
        ModelError: The client is not installed, or the variable with the key is not set.
    """

    def __init__(
        self,
        model: str,
        *,
        base_url: str | None = None,
        key_env: str | None = None,
        max_retries: int = MAX_RETRIES,
    ) -> None:
        self.model = model
        self.name = f"openai:{model}"
        self.base_url = base_url
        self.key_env = key_env or (None if base_url else KEY_VARIABLE)
        self._check_url()
        key = os.environ.get(self.key_env, "").strip() if self.key_env else ""
        if key_env and not key:
            raise ModelError(f"the environment variable {key_env} holds no key for {self.name}")
        if not key and not base_url and not os.environ.get(URL_VARIABLE):
            raise ModelError(
                f"set {KEY_VARIABLE}, or give the URL of an endpoint that needs no key (--judge-url)"
            )
        try:
            import openai
        except ImportError as error:
            raise ModelError(_HOW_TO_INSTALL) from error
        self._keyed = bool(key)
        self._hidden = [key] if len(key) >= MIN_SECRET_CHARS else []
        self._left_out: frozenset[str] = frozenset()
        self._lock = Lock()
        self._ends = local()
        self._client: OpenAI = openai.OpenAI(
            api_key=key or _NO_KEY,
            base_url=base_url,
            max_retries=max_retries,
            http_client=openai.DefaultHttpxClient(event_hooks={"request": [self._in_time]}),
        )

    def __repr__(self) -> str:
        return f"OpenAIChat({self.model!r})"

    def __reduce__(self) -> str | tuple[Any, ...]:
        raise TypeError("a chat model holds a key and is not sent between processes; use threads")

    def complete(  # noqa: D102
        self, messages: Sequence[Message], *, schema: Schema | None, max_tokens: int, timeout: float
    ) -> Completion:
        import openai

        self._ends.at = time.monotonic() + timeout
        for _ in range(len(_REFUSABLE) + 1):
            left_out = self._left_out
            request = self._request(messages, schema, max_tokens, left_out)
            try:
                answer = self._client.chat.completions.create(**request, timeout=timeout * ATTEMPT_SHARE)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if not self._leave_out(str(error), left_out, request):
                    raise self._failure(error) from None
                continue
            except Exception as error:  # noqa: BLE001 - whatever the endpoint sends, there is no answer
                raise self._failure(error) from None
            return self._completion(answer)
        raise ChatError("the endpoint refuses the request however it is put")

    def _in_time(self, request: Any) -> None:
        """Before every attempt: what nobody waits for any more is not sent, nor waited for longer."""
        left = self._ends.at - time.monotonic()
        if left <= 0:
            raise ChatError("the request timed out, and there is no time for another attempt")
        allowed = request.extensions.get("timeout", {})
        request.extensions["timeout"] = {
            name: left if seconds is None else min(left, seconds) for name, seconds in allowed.items()
        }

    def _request(
        self, messages: Sequence[Message], schema: Schema | None, max_tokens: int, left_out: frozenset[str]
    ) -> dict[str, Any]:
        room = "max_completion_tokens" if "max_tokens" in left_out else "max_tokens"
        request: dict[str, Any] = {
            "model": self.model,
            "messages": [{"role": m.role, "content": m.content} for m in messages],
            room: max_tokens,
        }
        if "temperature" not in left_out:
            request["temperature"] = 0
        if schema is not None and "response_format" not in left_out:
            wanted = {"name": "answer", "schema": dict(schema), "strict": True}
            request["response_format"] = {"type": "json_schema", "json_schema": wanted}
        return request

    def _leave_out(self, message: str, left_out: frozenset[str], request: dict[str, Any]) -> bool:
        """Whether the endpoint named a part of the request that can be left out, and now is."""
        for part, named in _REFUSABLE.items():
            if part in request and part not in left_out and named.search(message):
                with self._lock:
                    self._left_out |= {part}
                return True
        return False

    def _completion(self, answer: object) -> Completion:
        """What of the answer is as promised; servers that call themselves compatible send anything."""
        choices = getattr(answer, "choices", None)
        choice = choices[0] if isinstance(choices, list) and choices else None
        message = getattr(choice, "message", None)
        if message is None:
            raise ChatError("the endpoint sent no choice")
        text = getattr(message, "content", None) or getattr(message, "refusal", None)
        if text is not None and not isinstance(text, str):
            raise ChatError("the endpoint sent an answer that is not text")
        usage = getattr(answer, "usage", None)
        model = getattr(answer, "model", None)
        return Completion(
            self._redacted(text or ""),
            str(getattr(choice, "finish_reason", None) or "stop"),
            token_count(getattr(usage, "prompt_tokens", None)),
            token_count(getattr(usage, "completion_tokens", None)),
            self._redacted(model)[:MAX_CAUSE_CHARS] if isinstance(model, str) else "",
        )

    def _failure(self, error: Exception) -> ChatError:
        text = self._redacted(f"{type(error).__name__}: {error}")
        status = getattr(error, "status_code", None)
        hint = ""
        if status in (401, 403) and not self._keyed:
            hint = f" (no key was sent; name its variable, for example --judge-key-env {KEY_VARIABLE})"
        return ChatError(" ".join(text.split())[:MAX_CAUSE_CHARS] + hint)

    def _redacted(self, text: str) -> str:
        """A server may echo the key; no message, log or verdict does."""
        for secret in self._hidden:
            text = text.replace(secret, "[key]")
        return text

    def _check_url(self) -> None:
        if self.base_url is None:
            return
        try:
            parts = urlsplit(self.base_url)
            usable = parts.scheme in ("http", "https") and bool(parts.hostname)
        except ValueError:
            usable = False
        if not usable:
            raise InputError("the judge's URL starts with http:// or https:// and names a host")
        if parts.username or parts.password:
            raise InputError("the judge's URL holds a password; put the key into an environment variable")
