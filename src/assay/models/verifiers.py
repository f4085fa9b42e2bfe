"""Verifiers by name: the bundled one, and those of installed packages (group ``assay.verifiers``)."""

from __future__ import annotations

from functools import cache

from assay.errors import ModelError, PluginError
from assay.models.protocol import Verifier
from assay.plugins import load_named

GROUP = "assay.verifiers"
BUILTIN = {"bundled": "assay.models.verifier:BundledVerifier"}


@cache
def named_verifier(name: str) -> Verifier:
    """The verifier of this name; the same object for every caller, for it keeps what it has encoded.

    Raises:
        ModelError: Its files cannot be loaded.
        PluginError: Nothing provides the name, or what does is no verifier.
    """
    factory = load_named(GROUP, name, BUILTIN)
    if not callable(factory):
        raise PluginError(f"{name!r} of {GROUP} is a {type(factory).__name__}, not a class or function")
    try:
        verifier: object = factory()
    except ModelError:
        raise
    except Exception as error:
        if name in BUILTIN:
            raise
        raise PluginError(f"{name!r} of {GROUP} failed to start: {error!r}") from error
    if not isinstance(verifier, Verifier):
        raise PluginError(f"{name!r} of {GROUP} gave a {type(verifier).__name__}, which is no verifier")
    return verifier
