"""Chat models by name: ``openai:MODEL`` and those of installed packages (group ``assay.llms``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from assay.errors import InputError, PluginError
from assay.models.llm import ChatModel
from assay.plugins import load_named

GROUP = "assay.llms"
BUILTIN = {"openai": "assay.models.openai_chat:OpenAIChat"}


def load_chat(spec: str, *, base_url: str | None = None, key_env: str | None = None) -> ChatModel:
    """The chat model that ``KIND:MODEL`` names.

    Args:
        spec: For example ``openai:gpt-5-mini``.
        base_url: The endpoint, for kinds that have one.
        key_env: The environment variable with its key; never the key itself.

    Raises:
        InputError: ``spec`` names no model.
        ModelError: The model cannot be used here.
        PluginError: Nothing provides the kind, or what provides it is no chat model.
    """
    kind, model = split_spec(spec)
    factory = load_named(GROUP, kind, BUILTIN)
    if not callable(factory):
        raise PluginError(f"{kind!r} of {GROUP} is a {type(factory).__name__}, not a class or function")
    made = cast("Callable[..., Any]", factory)(model, base_url=base_url, key_env=key_env)
    if not isinstance(made, ChatModel):
        raise PluginError(f"{kind!r} of {GROUP} gave a {type(made).__name__}, which is no chat model")
    return made


def split_spec(spec: str) -> tuple[str, str]:
    """Kind and model of ``KIND:MODEL``.

    Raises:
        InputError: One of them is missing.
    """
    kind, colon, model = spec.partition(":")
    if not (kind and colon and model.strip()):
        raise InputError(f"a judge is named KIND:MODEL, for example openai:gpt-5-mini, not {spec!r}")
    return kind, model.strip()
