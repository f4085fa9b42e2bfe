"""Lookup of named parts: built-in ones first, then the entry points of installed packages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points

from assay.errors import PluginError


def load_named(group: str, name: str, builtin: Mapping[str, str]) -> object:
    """The object called ``name`` in an entry-point group.

    Args:
        group: Entry-point group, for example ``assay.signals``.
        name: The name asked for.
        builtin: Names that Assay brings itself, each with ``module:attribute``. They cannot be replaced.

    Raises:
        PluginError: Nothing provides the name (the message lists what there is), or loading it failed.
    """
    if name in builtin:
        module, _, attribute = builtin[name].partition(":")
        loaded: object = getattr(import_module(module), attribute)
        return loaded
    found = _entry_points(group).get(name)
    if found is None:
        known = ", ".join(available(group, builtin))
        raise PluginError(
            f"no {group.removeprefix('assay.').rstrip('s')} is called {name!r}; there are {known}"
        )
    try:
        return found.load()
    except Exception as error:
        raise PluginError(f"{name!r} of {group} ({found.value}) failed to load: {error}") from error


def available(group: str, builtin: Mapping[str, str]) -> list[str]:
    """All names of a group, built-in and installed, sorted."""
    return sorted({*builtin, *_entry_points(group)})


@cache
def _entry_points(group: str) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group)}
