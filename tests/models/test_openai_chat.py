"""The client of OpenAI-compatible endpoints against a server that misbehaves in every way we could think of."""

from __future__ import annotations

import logging
import pickle
import time
from collections.abc import Callable
from typing import Any

import pytest

from assay.errors import InputError, ModelError
from assay.models.llm import ChatError, Completion, Message
from assay.models.openai_chat import OpenAIChat

from .chat_server import Reply, Server, completion, serving

TURNS = [Message("system", "Be strict."), Message("user", "Judge.")]
SCHEMA = {"type": "object", "properties": {"x": {"type": "number"}}}
KEY = "sk-very-secret-0123456789"
Script = Callable[[int, dict[str, Any]], Reply]


@pytest.fixture(autouse=True)
def _no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.delenv(name, raising=False)


def ask(server: Server, *, timeout: float = 20.0, **settings: Any) -> Completion:
    chat = OpenAIChat("m", base_url=server.url, **settings)
    return chat.complete(TURNS, schema=SCHEMA, max_tokens=50, timeout=timeout)


def cause(script: Script, **settings: Any) -> tuple[str, Server]:
    with serving(script) as server, pytest.raises(ChatError) as caught:
        ask(server, **settings)
    return str(caught.value), server


def test_a_local_server_needs_no_key() -> None:
    with serving(lambda n, body: Reply(completion("hello"))) as server:
        done = ask(server)
    assert done == Completion("hello", "stop", 11, 7, "served-1")
    (body,) = server.bodies
    assert body["model"] == "m"
    assert body["temperature"] == 0
    assert body["max_tokens"] == 50
    assert body["messages"][0] == {"role": "system", "content": "Be strict."}
    assert body["response_format"]["json_schema"]["schema"] == SCHEMA


def test_a_cut_answer_says_so() -> None:
    with serving(lambda n, body: Reply(completion("hel", "length"))) as server:
        assert ask(server).finish == "length"


@pytest.mark.parametrize(
    "first",
    [
        Reply({"error": {"message": "slow down"}}, 429, {"Retry-After": "0.01"}),
        Reply({"error": {"message": "oops"}}, 500),
        Reply(b"bad gateway", 502, {"Content-Type": "text/html"}),
        Reply({"error": {"message": "busy"}}, 503, {"retry-after-ms": "5"}),
    ],
    ids=["429", "500", "502", "503"],
)
def test_trouble_that_passes_is_tried_again(first: Reply) -> None:
    with serving(lambda n, body: first if n == 1 else Reply(completion("ok"))) as server:
        assert ask(server).text == "ok"
    assert len(server.bodies) == 2


def test_trouble_that_stays_is_tried_a_bounded_number_of_times() -> None:
    text, server = cause(
        lambda n, body: Reply({"error": {"message": "slow down"}}, 429, {"Retry-After": "0.01"})
    )
    assert len(server.bodies) == 4
    assert "RateLimitError" in text


def test_a_request_that_is_lost_is_sent_again_within_the_time() -> None:
    lost = Reply({}, wait=True)
    with serving(lambda n, body: lost if n == 1 else Reply(completion("ok"))) as server:
        assert ask(server, timeout=3.0).text == "ok"
    assert len(server.bodies) == 2


def test_a_server_that_never_answers_is_a_timeout_and_is_not_asked_when_the_time_is_up() -> None:
    started = time.monotonic()
    text, server = cause(lambda n, body: Reply({}, wait=True), timeout=0.3)
    assert "timed out" in text.lower()
    assert 1 <= len(server.bodies) <= 2
    assert time.monotonic() - started < 5


def test_a_busy_server_is_left_alone_when_the_time_is_up() -> None:
    text, server = cause(lambda n, body: Reply({"error": {"message": "busy"}}, 503), timeout=0.2)
    assert "no time for another attempt" in text
    assert len(server.bodies) == 1


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"<html>not json</html>", ""),
        (b"{}", "no choice"),
        (b'{"choices": []}', "no choice"),
        (b'{"choices": [{"finish_reason": "stop"}]}', "no choice"),
        (b'{"choices": "x"}', "no choice"),
        (b'{"choices": [{"message": {"content": ["x"]}}]}', "not text"),
        (b"[1, 2]", ""),
        (b"", ""),
        (b"\xff\xfe\x00", ""),
    ],
    ids=range(9),
)
def test_garbage_is_no_answer(body: bytes, said: str) -> None:
    text, _ = cause(lambda n, _: Reply(body), max_retries=0)
    assert said in text


def test_no_content_is_an_empty_answer_and_a_refusal_is_text() -> None:
    with serving(lambda n, body: Reply(completion(None))) as server:
        assert ask(server).text == ""
    refused = completion(None)
    refused["choices"][0]["message"]["refusal"] = "I cannot."
    with serving(lambda n, body: Reply(refused)) as server:
        assert ask(server).text == "I cannot."


def test_odd_token_counts_are_unknown() -> None:
    odd = completion("x") | {"usage": {"prompt_tokens": -3, "completion_tokens": "many"}}
    with serving(lambda n, body: Reply(odd)) as server:
        done = ask(server)
    assert (done.prompt_tokens, done.completion_tokens) == (None, None)


def test_nobody_listens() -> None:
    chat = OpenAIChat("m", base_url="http://127.0.0.1:9/v1", max_retries=0)
    with pytest.raises(ChatError, match="Connection"):
        chat.complete(TURNS, schema=None, max_tokens=5, timeout=2)


@pytest.mark.parametrize(
    ("message", "gone", "instead"),
    [
        ("response_format type json_schema is not supported", "response_format", None),
        (
            "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead.",
            "max_tokens",
            "max_completion_tokens",
        ),
        ("Unsupported value: 'temperature' does not support 0", "temperature", None),
    ],
)
def test_what_an_endpoint_refuses_by_name_is_left_out_from_then_on(
    message: str, gone: str, instead: str | None
) -> None:
    def script(n: int, body: dict[str, Any]) -> Reply:
        return Reply({"error": {"message": message}}, 400) if gone in body else Reply(completion("ok"))

    with serving(script) as server:
        chat = OpenAIChat("m", base_url=server.url)
        for _ in range(2):
            assert chat.complete(TURNS, schema=SCHEMA, max_tokens=50, timeout=20).text == "ok"
    assert [gone in body for body in server.bodies] == [True, False, False]
    assert instead is None or server.bodies[-1][instead] == 50


def test_a_request_that_is_refused_for_another_reason_is_not_repeated() -> None:
    text, server = cause(lambda n, body: Reply({"error": {"message": "context window exceeded"}}, 400))
    assert len(server.bodies) == 1
    assert "context window exceeded" in text


# --- the key -----------------------------------------------------------------------------------------


def test_the_key_comes_from_the_named_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    with serving(lambda n, body: Reply(completion("ok"))) as server:
        ask(server, key_env="MY_KEY")
    assert server.headers[0]["authorization"] == f"Bearer {KEY}"


def test_the_key_of_openai_is_not_sent_to_another_host_unless_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving(lambda n, body: Reply(completion("ok"))) as server:
        ask(server)
        ask(server, key_env="OPENAI_API_KEY")
    assert [KEY in str(headers) for headers in server.headers] == [False, True]


def test_the_key_goes_where_the_environment_says_both(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with serving(lambda n, body: Reply(completion("ok"))) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        OpenAIChat("m").complete(TURNS, schema=None, max_tokens=5, timeout=20)
    assert KEY in server.headers[0]["authorization"]


def test_without_a_key_or_an_endpoint_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ModelError, match="set OPENAI_API_KEY"):
        OpenAIChat("m")
    monkeypatch.setenv("EMPTY", " ")
    with pytest.raises(ModelError, match="EMPTY holds no key"):
        OpenAIChat("m", key_env="EMPTY")


def test_a_server_that_echoes_the_key_does_not_spread_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("MY_KEY", KEY)
    caplog.set_level(logging.DEBUG)
    text, _ = cause(lambda n, body: Reply({"error": {"message": f"wrong key {KEY}"}}, 401), key_env="MY_KEY")
    assert "wrong key [key]" in text
    with serving(lambda n, body: Reply(completion(f"your key is {KEY}", model=KEY))) as server:
        chat = OpenAIChat("m", base_url=server.url, key_env="MY_KEY")
        done = chat.complete(TURNS, schema=None, max_tokens=5, timeout=20)
    assert done.text == "your key is [key]"
    assert KEY not in done.model + repr(chat) + caplog.text
    with pytest.raises(TypeError, match="holds a key"):
        pickle.dumps(chat)


def test_a_word_in_place_of_a_key_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    """Local servers take any key; an answer about llamas stays as it is."""
    monkeypatch.setenv("MY_KEY", "llama")
    with serving(lambda n, body: Reply(completion("a llama is no alpaca"))) as server:
        assert ask(server, key_env="MY_KEY").text == "a llama is no alpaca"


def test_a_refused_call_without_a_key_says_how_to_name_one() -> None:
    text, _ = cause(lambda n, body: Reply({"error": {"message": "no"}}, 401))
    assert "--judge-key-env OPENAI_API_KEY" in text


@pytest.mark.parametrize(
    "url", ["localhost:8080", "ftp://x/v1", "http://", "file:///etc/passwd", "http://[x"]
)
def test_a_url_is_http(url: str) -> None:
    with pytest.raises(InputError, match="http://"):
        OpenAIChat("m", base_url=url)


def test_a_url_holds_no_password() -> None:
    with pytest.raises(InputError, match="password") as caught:
        OpenAIChat("m", base_url="http://me:hunter2@host/v1")
    assert "hunter2" not in str(caught.value)
