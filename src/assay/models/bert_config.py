"""What a sentence encoder's folder says about itself, checked before any weight is read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import cast

from assay.errors import ModelError

_KNOWN_MODULES = {"Transformer", "Pooling", "Normalize"}


@dataclass(frozen=True, slots=True)
class BertConfig:
    """Sizes of a BERT-type encoder; the names are those of its ``config.json``."""

    vocab_size: int
    hidden_size: int
    num_hidden_layers: int
    num_attention_heads: int
    intermediate_size: int
    max_position_embeddings: int
    layer_norm_eps: float

    def canonical(self) -> str:
        """The same text for the same sizes, for hashing."""
        return json.dumps(asdict(self), sort_keys=True)


def read_config(folder: Path) -> BertConfig:
    """Read and check ``config.json``, the pooling and the list of modules.

    Raises:
        ModelError: A file is unreadable, or says something that the exported graph would not do.
    """
    raw = read_json(folder / "config.json")
    for key, expected in (
        ("model_type", "bert"),
        ("hidden_act", "gelu"),
        ("position_embedding_type", "absolute"),
    ):
        _require(folder / "config.json", key, raw.get(key, expected), expected)
    config = BertConfig(
        **{
            key: _size(folder, raw, key) for key in BertConfig.__dataclass_fields__ if key != "layer_norm_eps"
        },
        layer_norm_eps=float(cast(float, raw.get("layer_norm_eps", 1e-12))),
    )
    if config.hidden_size % config.num_attention_heads:
        raise ModelError(
            f"{folder / 'config.json'}: hidden_size {config.hidden_size} does not divide "
            f"into {config.num_attention_heads} attention heads"
        )
    _check_pooling(folder)
    return config


def max_pieces(folder: Path, config: BertConfig) -> int:
    """How many word pieces, [CLS] and [SEP] included, the encoder reads of a text.

    Raises:
        ModelError: The folder promises more than the model has positions for.
    """
    path = folder / "sentence_bert_config.json"
    if not path.is_file():
        return config.max_position_embeddings
    pieces = read_json(path).get("max_seq_length")
    if pieces is None:
        return config.max_position_embeddings
    if not isinstance(pieces, int) or not 2 < pieces <= config.max_position_embeddings:
        raise ModelError(
            f"{path}: max_seq_length is {pieces!r}, "
            f"config.json has {config.max_position_embeddings} positions"
        )
    return pieces


def read_json(path: Path) -> dict[str, object]:
    """A JSON object from a model's folder.

    Raises:
        ModelError: It is unreadable, or no object.
    """
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(f"{path} cannot be read as JSON: {error}") from error
    if not isinstance(value, dict):
        raise ModelError(f"{path} holds a {type(value).__name__}, not an object")
    return value


def _size(folder: Path, raw: Mapping[str, object], key: str) -> int:
    value = raw.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise ModelError(f"{folder / 'config.json'}: {key} is {value!r}, expected a positive number")
    return value


def _check_pooling(folder: Path) -> None:
    _check_modules(folder / "modules.json")
    path = folder / "1_Pooling" / "config.json"
    pooling = read_json(path)
    modes = sorted(
        key.removeprefix("pooling_mode_")
        for key, on in pooling.items()
        if key.startswith("pooling_mode_") and on is True
    )
    if isinstance(named := pooling.get("pooling_mode"), str):  # as newer releases write it
        modes = [named if named != "mean" else "mean_tokens"]
    _require(path, "pooling", "+".join(modes) or "none", "mean_tokens")


def _check_modules(path: Path) -> None:
    """A dense layer after the pooling, for example, would be left out unseen."""
    if not path.is_file():
        return
    try:
        modules = json.loads(path.read_text(encoding="utf-8"))
        kinds = [str(module["type"]).rpartition(".")[2] for module in modules]
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise ModelError(f"{path} cannot be read as a list of modules: {error}") from error
    for kind in kinds:
        if kind not in _KNOWN_MODULES:
            raise ModelError(
                f"{path} lists a {kind} module; only {', '.join(sorted(_KNOWN_MODULES))} are read"
            )


def _require(path: Path, key: str, found: object, expected: str) -> None:
    if found != expected:
        raise ModelError(f"{path}: {key} is {found!r}, the exporter knows {expected!r} alone")
