"""A random BERT small enough to write into every test's own folder."""

import json
from pathlib import Path

import numpy as np
from safetensors.numpy import save_file
from tokenizers import Tokenizer
from tokenizers.models import WordPiece
from tokenizers.normalizers import BertNormalizer
from tokenizers.pre_tokenizers import BertPreTokenizer
from tokenizers.processors import TemplateProcessing

HIDDEN, LAYERS, HEADS, WIDE, POSITIONS = 32, 2, 4, 64, 48
WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *"abcdefghijklmnopqrstuvwxyz0123456789.,!?-"]
VOCAB = [
    *WORDS,
    *(f"##{c}" for c in "abcdefghijklmnopqrstuvwxyz0123456789"),
    "the",
    "refund",
    "window",
    "##s",
]
VOCAB = list(dict.fromkeys(VOCAB))

CONFIG = {
    "model_type": "bert",
    "hidden_act": "gelu",
    "vocab_size": len(VOCAB),
    "hidden_size": HIDDEN,
    "num_hidden_layers": LAYERS,
    "num_attention_heads": HEADS,
    "intermediate_size": WIDE,
    "max_position_embeddings": POSITIONS,
    "type_vocab_size": 2,
    "layer_norm_eps": 1e-12,
}


def weights(seed: int = 0) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)

    def normal(*shape: int, around: float = 0.0) -> np.ndarray:
        return (around + 0.3 * random.standard_normal(shape)).astype(np.float32)

    tensors = {
        "embeddings.word_embeddings.weight": normal(len(VOCAB), HIDDEN),
        "embeddings.position_embeddings.weight": normal(POSITIONS, HIDDEN),
        "embeddings.token_type_embeddings.weight": normal(2, HIDDEN),
        "embeddings.LayerNorm.weight": normal(HIDDEN, around=1.0),
        "embeddings.LayerNorm.bias": normal(HIDDEN),
    }
    for i in range(LAYERS):
        for name, rows, columns in (
            ("attention.self.query", HIDDEN, HIDDEN),
            ("attention.self.key", HIDDEN, HIDDEN),
            ("attention.self.value", HIDDEN, HIDDEN),
            ("attention.output.dense", HIDDEN, HIDDEN),
            ("intermediate.dense", WIDE, HIDDEN),
            ("output.dense", HIDDEN, WIDE),
        ):
            tensors[f"encoder.layer.{i}.{name}.weight"] = normal(rows, columns)
            tensors[f"encoder.layer.{i}.{name}.bias"] = normal(rows)
        for name in ("attention.output.LayerNorm", "output.LayerNorm"):
            tensors[f"encoder.layer.{i}.{name}.weight"] = normal(HIDDEN, around=1.0)
            tensors[f"encoder.layer.{i}.{name}.bias"] = normal(HIDDEN)
    return tensors


def write(
    folder: Path, *, seed: int = 0, tensors: dict | None = None, pieces: int = 16, **config: object
) -> Path:
    """A complete encoder folder; ``config`` replaces entries of config.json (None removes one)."""
    (folder / "1_Pooling").mkdir(parents=True, exist_ok=True)
    merged = {key: value for key, value in {**CONFIG, **config}.items() if value is not None}
    write_json(folder / "config.json", merged)
    write_json(
        folder / "1_Pooling" / "config.json",
        {
            "word_embedding_dimension": HIDDEN,
            "pooling_mode_cls_token": False,
            "pooling_mode_mean_tokens": True,
        },
    )
    write_json(folder / "sentence_bert_config.json", {"max_seq_length": pieces, "do_lower_case": False})
    save_file(weights(seed) if tensors is None else tensors, folder / "model.safetensors")
    _tokenizer().save(str(folder / "tokenizer.json"))
    return folder


def write_json(path: Path, value: object) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value), encoding="utf-8")


def _tokenizer() -> Tokenizer:
    tokenizer = Tokenizer(WordPiece({w: i for i, w in enumerate(VOCAB)}, unk_token="[UNK]"))
    tokenizer.normalizer = BertNormalizer(lowercase=True)
    tokenizer.pre_tokenizer = BertPreTokenizer()
    tokenizer.add_special_tokens(["[PAD]", "[UNK]", "[CLS]", "[SEP]"])
    tokenizer.post_processor = TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    # As the published file does: state that must not survive loading.
    tokenizer.enable_padding(length=12)
    tokenizer.enable_truncation(8)
    return tokenizer
