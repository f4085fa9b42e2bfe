import sys
from pathlib import Path

import pytest

from assay.errors import ModelError
from assay.models.fetch import FILES, fetch_minilm
from assay.models.places import NEEDED, find_minilm


class Hub:
    """In place of huggingface_hub.snapshot_download."""

    def __init__(self, *files: str) -> None:
        self.files = files
        self.calls: list[tuple[str, dict]] = []

    def __call__(self, repository: str, **settings: object) -> str:
        self.calls.append((repository, settings))
        target = Path(str(settings["local_dir"]))
        for name in self.files:
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).touch()
        return str(target)


def test_downloads_only_what_is_needed(tmp_path):
    hub = Hub(*FILES)
    target = tmp_path / "all-MiniLM-L6-v2"
    assert fetch_minilm(target, hub) == target
    [(repository, settings)] = hub.calls
    assert repository == "sentence-transformers/all-MiniLM-L6-v2"
    assert settings == {"local_dir": str(target), "allow_patterns": FILES}
    assert set(NEEDED) < set(FILES)
    assert "1_Pooling/config.json" in FILES
    assert find_minilm(target) == target


def test_offline(tmp_path):
    def no_network(*_: object, **__: object) -> None:
        raise ConnectionError("name resolution failed")

    with pytest.raises(
        ModelError, match=r"could not be downloaded \(ConnectionError: name resolution"
    ) as caught:
        fetch_minilm(tmp_path, no_network)
    assert "ASSAY_MODELS" in str(caught.value)


def test_incomplete_download(tmp_path):
    with pytest.raises(ModelError, match=r"still lacks model\.safetensors"):
        fetch_minilm(tmp_path, Hub("config.json", "tokenizer.json"))


def test_uses_the_hub_client_by_default(tmp_path, monkeypatch):
    hub = Hub(*FILES)
    monkeypatch.setitem(sys.modules, "huggingface_hub", type("Client", (), {"snapshot_download": hub}))
    fetch_minilm(tmp_path)
    assert len(hub.calls) == 1
