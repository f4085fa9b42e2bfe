import pytest

from assay.errors import ModelError
from assay.models.bert_config import max_pieces, read_config

from . import tiny


def test_sizes(tiny_folder):
    config = read_config(tiny_folder)
    assert config.hidden_size == tiny.HIDDEN
    assert config.num_hidden_layers == tiny.LAYERS
    assert config.layer_norm_eps == 1e-12
    assert max_pieces(tiny_folder, config) == 16


@pytest.mark.parametrize(
    ("change", "facts"),
    [
        ({"model_type": "roberta"}, ["model_type", "'roberta'", "'bert'"]),
        ({"hidden_act": "gelu_new"}, ["hidden_act", "'gelu_new'", "'gelu'"]),
        ({"position_embedding_type": "relative_key"}, ["'relative_key'", "'absolute'"]),
        ({"num_attention_heads": 5}, ["32", "5 attention heads"]),
        ({"hidden_size": None}, ["hidden_size", "None"]),
        ({"num_hidden_layers": "6"}, ["num_hidden_layers", "'6'"]),
        ({"vocab_size": 0}, ["vocab_size", "0"]),
    ],
)
def test_other_architectures_are_refused(tmp_path, change, facts):
    with pytest.raises(ModelError) as caught:
        read_config(tiny.write(tmp_path, **change))
    assert "config.json" in str(caught.value)
    for fact in facts:
        assert fact in str(caught.value)


@pytest.mark.parametrize(
    ("pooling", "named"),
    [
        ({"pooling_mode_cls_token": True, "pooling_mode_mean_tokens": False}, "cls_token"),
        ({"pooling_mode_max_tokens": True, "pooling_mode_mean_tokens": True}, "max_tokens+mean_tokens"),
        ({"pooling_mode_mean_tokens": False}, "none"),
        ({"pooling_mode": "cls"}, "cls"),
    ],
)
def test_other_pooling_is_refused(tiny_folder, pooling, named):
    tiny.write_json(tiny_folder / "1_Pooling" / "config.json", pooling)
    with pytest.raises(ModelError) as caught:
        read_config(tiny_folder)
    assert repr(named) in str(caught.value)
    assert "'mean_tokens'" in str(caught.value)


def test_pooling_as_newer_releases_write_it(tiny_folder):
    tiny.write_json(tiny_folder / "1_Pooling" / "config.json", {"pooling_mode": "mean"})
    assert read_config(tiny_folder).hidden_size == tiny.HIDDEN


def test_modules(tiny_folder):
    known = [{"type": f"sentence_transformers.models.{m}"} for m in ("Transformer", "Pooling", "Normalize")]
    tiny.write_json(tiny_folder / "modules.json", known)
    read_config(tiny_folder)
    tiny.write_json(tiny_folder / "modules.json", [*known, {"type": "sentence_transformers.models.Dense"}])
    with pytest.raises(ModelError, match="Dense module"):
        read_config(tiny_folder)
    tiny.write_json(tiny_folder / "modules.json", {"0": "Transformer"})
    with pytest.raises(ModelError, match="list of modules"):
        read_config(tiny_folder)


@pytest.mark.parametrize("pieces", [0, 2, tiny.POSITIONS + 1, "256"])
def test_window_must_fit_the_positions(tmp_path, pieces):
    folder = tiny.write(tmp_path, pieces=pieces)
    with pytest.raises(ModelError, match=f"{pieces!r}, config.json has {tiny.POSITIONS} positions"):
        max_pieces(folder, read_config(folder))


def test_window_without_a_file_is_all_positions(tiny_folder):
    config = read_config(tiny_folder)
    tiny.write_json(tiny_folder / "sentence_bert_config.json", {"max_seq_length": None})
    assert max_pieces(tiny_folder, config) == tiny.POSITIONS
    (tiny_folder / "sentence_bert_config.json").unlink()
    assert max_pieces(tiny_folder, config) == tiny.POSITIONS


@pytest.mark.parametrize("content", ["", "[1]", "{", "\ufeff{}"])
def test_unreadable_config(tiny_folder, content):
    (tiny_folder / "config.json").write_text(content, encoding="utf-8")
    with pytest.raises(ModelError, match=r"config\.json"):
        read_config(tiny_folder)


def test_missing_pooling_file(tiny_folder):
    (tiny_folder / "1_Pooling" / "config.json").unlink()
    with pytest.raises(ModelError, match="1_Pooling"):
        read_config(tiny_folder)
