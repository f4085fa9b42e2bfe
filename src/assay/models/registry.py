"""Embedders by name: which to take on this machine, and what is there."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from assay.errors import ModelError, PluginError
from assay.models.bert_cache import can_build, read_encoder
from assay.models.cache import CachedEmbedder
from assay.models.places import HOW_TO_GET, find_minilm, is_file, minilm_places
from assay.models.protocol import Embedder
from assay.plugins import available, load_named

GROUP = "assay.embedders"
BUILTIN = {
    "lexical": "assay.models.lexical:LexicalEmbedder",
    "minilm": "assay.models.minilm:open_minilm",
}
_RESTS_ON = {"lexical": "shared words", "embedding": "sentence vectors"}


@dataclass(frozen=True, slots=True)
class ModelStatus:
    """One line of ``assay models list``.

    Attributes:
        name: Registry name.
        tier: What a verdict that rests on it may call itself; ``?`` if only loading it would tell.
        available: Whether it can be used on this machine now.
        where: The folder, ``built in``, or the places looked at in vain.
        fingerprint: First 12 digits of its fingerprint, if it is available.
        advice: What to do; empty when there is nothing to do.
    """

    name: str
    tier: str
    available: bool
    where: str
    fingerprint: str | None
    advice: str


def load_embedder(
    names: str | Sequence[str], *, folder: Path | None = None, threads: int | None = None
) -> tuple[Embedder, str | None]:
    """The first of several embedders that this machine has, with a cache around it.

    Args:
        names: One name, or several in order of preference.
        folder: Where the model lies, for embedders that read one.
        threads: Texts embedded side by side, for embedders that use threads.

    Returns:
        The embedder, and a warning when it is not the first choice, else None.

    Raises:
        ModelError: None of them is available; the message says why for each.
        PluginError: Nothing provides one of the names.
    """
    wanted = [names] if isinstance(names, str) else list(names)
    known = available(GROUP, BUILTIN)
    for name in wanted:
        if name not in known:
            load_named(GROUP, name, BUILTIN)  # raises, listing what there is
    causes: list[str] = []
    for name in wanted:
        try:
            embedder = _open(name, folder, threads)
        except ModelError as error:
            causes.append(str(error))
            continue
        if not causes:
            return CachedEmbedder(embedder), None
        rests_on = _RESTS_ON.get(embedder.tier, embedder.tier)
        warning = f"{'; '.join(causes)}. Using the {name} embedder instead: verdicts rest on {rests_on}."
        return CachedEmbedder(embedder), warning
    raise ModelError("; ".join(causes) or "no embedder was named")


def describe(folder: Path | None = None) -> list[ModelStatus]:
    """All embedders, built-in and installed, for ``assay models list``."""
    return [_status(name, folder) for name in available(GROUP, BUILTIN)]


def _open(name: str, folder: Path | None, threads: int | None) -> Embedder:
    """Call the embedder's class or factory with those of our two settings that it names."""
    factory = load_named(GROUP, name, BUILTIN)
    if not callable(factory):
        raise PluginError(f"{name!r} of {GROUP} is a {type(factory).__name__}, not a class or function")
    settings: dict[str, object] = {"folder": folder, "threads": threads}
    named = inspect.signature(factory).parameters
    try:
        embedder = factory(**{key: value for key, value in settings.items() if key in named})
    except ModelError:
        raise
    except Exception as error:
        if name in BUILTIN:
            raise
        raise PluginError(f"{name!r} of {GROUP} failed to start: {error!r}") from error
    if not isinstance(embedder, Embedder):
        raise PluginError(f"{name!r} of {GROUP} gave a {type(embedder).__name__}, which is no embedder")
    return embedder


def _status(name: str, folder: Path | None) -> ModelStatus:
    if name == "minilm":
        return _minilm_status(folder)
    try:
        embedder = _open(name, folder, None)
    except (ModelError, PluginError) as error:
        return ModelStatus(name, "?", False, GROUP, None, str(error))
    where = "built in" if name in BUILTIN else f"{type(embedder).__module__}:{type(embedder).__qualname__}"
    return ModelStatus(name, embedder.tier, True, where, embedder.fingerprint[:12], "")


def _minilm_status(folder: Path | None) -> ModelStatus:
    """What loading it would say, without loading it or building its graph."""
    found = find_minilm(folder)
    if found is None:
        places = f"not in {', '.join(minilm_places(folder))}"
        return ModelStatus("minilm", "embedding", False, places, None, HOW_TO_GET)
    try:
        encoder = read_encoder(found)
    except ModelError as error:
        return ModelStatus("minilm", "embedding", False, str(found), None, str(error))
    digits = encoder.fingerprint[:12]
    if is_file(encoder.cached_path) or can_build():
        return ModelStatus("minilm", "embedding", True, str(found), digits, "")
    return ModelStatus("minilm", "embedding", False, str(found), digits, "pip install 'assay[minilm]'")
