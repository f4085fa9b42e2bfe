from __future__ import annotations

from pathlib import Path

from tests.cli.conftest import Run


def test_list_names_the_built_in_profiles(assay: Run) -> None:
    out = assay("profile", "list").stdout
    for name in ("article", "default", "lexical"):
        assert name in out


def test_a_shown_profile_can_be_changed_and_used(assay: Run, tmp_path: Path) -> None:
    shown = assay("profile", "show", "default")
    assert shown.returncode == 0
    strict = shown.stdout.replace("name: default", "name: strict").replace("below: 0.40", "below: 0.95")
    (tmp_path / "strict.yaml").write_text(strict, "utf-8")
    parts = (
        "--query",
        "When?",
        "--context",
        "The bridge was opened in 1998.",
        "--response",
        "It was opened in 1998.",
    )
    assert "REVIEW" in assay("check", "--profile", "strict.yaml", *parts).stdout
    assert "profile strict" in assay("check", "--profile", "strict.yaml", *parts).stdout


def test_explain_prints_gates_weights_and_rules(assay: Run) -> None:
    out = assay("profile", "explain", "article").stdout
    assert "attribution < 0.35 and specificity > 0.5" in out
    assert "REJECT, hallucination" in out
    assert "faithfulness 0.4, relevance 0.3, context_quality 0.2, consistency 0.1" in out
    assert "final x 0.7 if relevance < 0.3" in out
    assert "final at most 0.4 if faithfulness < 0.35" in out
    assert "hallucination suspected if attribution < 0.55" in out


def test_a_mistake_is_named_with_its_line(assay: Run, tmp_path: Path) -> None:
    text = assay("profile", "show", "article").stdout.replace(
        "relevance: {below: 0.30}}", "relevence: {below: 0.30}}", 1
    )
    line = next(i for i, row in enumerate(text.splitlines(), start=1) if "relevence" in row)
    (tmp_path / "typo.yaml").write_text(text, "utf-8")
    done = assay("profile", "explain", "typo.yaml")
    assert done.returncode == 2
    assert f"typo.yaml:{line}: " in done.stderr
    assert "unknown signal 'relevence'" in done.stderr
    (tmp_path / "option.yaml").write_text(
        "extends: default\nname: o\nsignals: {attribution: {formula: artcle}}\n", "utf-8"
    )
    done = assay("profile", "explain", "option.yaml")
    assert done.returncode == 2


def test_the_version_is_printed(assay: Run) -> None:
    assert assay("--version").stdout.startswith("assay 0.")
