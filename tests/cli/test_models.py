from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run


def test_list_says_what_is_here(assay: Run) -> None:
    out = assay("models", "list").stdout
    assert "lexical: lexical tier, available" in out
    assert "minilm: embedding tier, available" in out


def test_only_minilm_can_be_fetched(assay: Run, tmp_path: Path) -> None:
    done = assay("models", "fetch", "gpt-4", "--to", tmp_path / "x")
    assert done.returncode == 2
    assert not (tmp_path / "x").exists()
