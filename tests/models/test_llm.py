from __future__ import annotations

import pytest

from assay.errors import InputError, PluginError
from assay.models.chat_registry import load_chat, split_spec
from assay.models.llm import CallableChat, ChatError, ChatModel, Completion, Message
from assay.models.scripted_chat import ScriptedChat

TURNS = [Message("system", "Be short."), Message("user", "Why?")]


def test_a_function_sees_the_turns_as_one_text() -> None:
    asked: list[str] = []
    chat = CallableChat(lambda prompt: asked.append(prompt) or "Because.")  # type: ignore[func-returns-value]
    done = chat.complete(TURNS, schema=None, max_tokens=5, timeout=1)
    assert asked == ["Be short.\n\nWhy?"]
    assert (done.text, done.finish, done.prompt_tokens) == ("Because.", "stop", None)


def test_a_function_is_named_by_its_place_or_as_told() -> None:
    assert CallableChat(len).name == "callable:builtins.len"
    assert CallableChat(len, "mine").name == "mine"
    assert repr(CallableChat(len)) == "CallableChat('callable:builtins.len')"


def test_what_is_no_text_is_no_answer() -> None:
    with pytest.raises(ChatError, match="returned NoneType instead of text"):
        CallableChat(lambda prompt: None).complete(TURNS, schema=None, max_tokens=5, timeout=1)  # type: ignore[arg-type, return-value]


def test_the_script_is_a_chat_model_and_keeps_its_promises() -> None:
    chat = ScriptedChat(["one", Completion("two", "length"), ChatError("down")])
    assert isinstance(chat, ChatModel)
    given = {"schema": None, "max_tokens": 9, "timeout": 1.0}
    assert chat.complete(TURNS, **given).text == "one"  # type: ignore[arg-type]
    assert chat.complete(TURNS, **given).finish == "length"  # type: ignore[arg-type]
    with pytest.raises(ChatError, match="down"):
        chat.complete(TURNS, **given)  # type: ignore[arg-type]
    with pytest.raises(ChatError, match="no step 4"):
        chat.complete(TURNS, **given)  # type: ignore[arg-type]
    assert chat.asked[0].prompt == "Be short.\n\nWhy?"
    assert chat.asked[0].max_tokens == 9


@pytest.mark.parametrize("spec", ["openai", "openai:", ":gpt", "", "openai: "])
def test_a_judge_is_named_kind_and_model(spec: str) -> None:
    with pytest.raises(InputError, match="KIND:MODEL"):
        load_chat(spec)


def test_a_model_may_hold_colons() -> None:
    assert split_spec("openai:llama3:8b") == ("openai", "llama3:8b")


def test_an_unknown_kind_lists_the_known() -> None:
    with pytest.raises(PluginError, match="no llm is called 'nobody'; there are openai"):
        load_chat("nobody:gpt")
