"""What the README and the docs say is true: their commands run, their pages are what the code prints."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)
ROW = (
    '{"id": "a1", "query": "When was the bridge opened?", "context": ["The bridge was opened in 1998."], '
    '"response": "It was opened in 1998.", "label": 1}\n'
)
# Commands that install, need a network, or take minutes; they are checked for their words only.
NOT_RUN = (
    "make ",
    "pip install",
    "assay models fetch",
    "assay bench speed",
    ".venv/bin/python",
    "python docs",
)


def blocks(page: Path, language: str) -> list[str]:
    return [code for found, code in BLOCK.findall(page.read_text("utf-8")) if found == language]


def commands() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        for code in blocks(page, "sh"):
            for line in code.replace("\\\n", " ").splitlines():
                command = line.partition("  #")[0].strip()
                if command and not command.startswith(NOT_RUN):
                    found += [(page.name, part.strip()) for part in command.split("&&")]
    return found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with every file that the docs' commands name."""
    (tmp_path / "doc.txt").write_text("The bridge was opened in 1998.\n", "utf-8")
    (tmp_path / "answer.txt").write_text("It was opened in 1998.\n", "utf-8")
    (tmp_path / "answers.jsonl").write_text(ROW, "utf-8")
    (tmp_path / "labelled.jsonl").write_text(ROW + ROW.replace('"label": 1', '"label": 0'), "utf-8")
    logs = (
        '{"answer_text": "It was opened.", "docs": [{"text": "It was opened."}], "user_message": "When?"}\n'
    )
    (tmp_path / "logs.jsonl").write_text(logs, "utf-8")
    (tmp_path / "mine.yaml").write_text("extends: default\nname: mine\n", "utf-8")
    suite = "".join(ROW.replace('"a1"', f'"{name}"') for name in ("q_017", "q_021"))
    (tmp_path / "cases.jsonl").write_text(suite, "utf-8")
    (tmp_path / "new_answers.jsonl").write_text(suite, "utf-8")
    for name in ("verdicts", "before", "after"):
        assay = [sys.executable, "-m", "assay", "eval", "answers.jsonl", "--quiet", "-o", f"{name}.jsonl"]
        subprocess.run(assay, cwd=tmp_path, check=True)
    for words in ("record cases.jsonl", "run new_answers.jsonl"):
        gate = [sys.executable, "-m", "assay", "gate", *words.split(), "--baseline", "baseline.json"]
        subprocess.run(gate, cwd=tmp_path, check=True, capture_output=True)
    return tmp_path


def test_the_pages_hold_commands() -> None:
    pages = {page for page, _ in commands()}
    assert {
        "README.md",
        "quickstart.md",
        "profiles.md",
        "formats.md",
        "reports.md",
        "models.md",
        "gate.md",
    } <= pages


@pytest.mark.parametrize(("page", "command"), commands(), ids=lambda value: str(value)[:60])
def test_a_documented_command_runs(folder: Path, page: str, command: str) -> None:
    command, _, target = command.partition(" > ")
    words = shlex.split(command)
    assert words[0] == "assay", f"{page}: {command}"
    if "-o" in words:  # the docs show a first run
        (folder / words[words.index("-o") + 1]).unlink(missing_ok=True)
    if "record" in words:
        (folder / "baseline.json").unlink()
    done = subprocess.run(
        [sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True, encoding="utf-8"
    )
    assert done.returncode == 0, f"{page}: {command}\n{done.stderr}"
    if target:
        (folder / target.strip()).write_text(done.stdout, "utf-8")


@pytest.mark.parametrize("page", ["README.md", "docs/quickstart.md", "docs/gate.md"])
def test_the_python_examples_run(folder: Path, page: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    examples = blocks(ROOT / page, "python")
    assert examples
    for code in examples:
        if "\ndef test_" in code:  # tests are run as such
            (folder / "test_docs_example.py").write_text(code, "utf-8")
            pytest_run = [
                sys.executable,
                "-m",
                "pytest",
                "-q",
                "-p",
                "no:cacheprovider",
                "test_docs_example.py",
            ]
            assert "2 passed" in subprocess.run(pytest_run, capture_output=True, text=True).stdout
            continue
        names: dict[str, object] = {}
        exec(compile(code, page, "exec"), names)
        assert names["verdict"].decision == "ACCEPT"  # type: ignore[attr-defined]


def test_the_example_signal_of_the_docs_is_a_signal(monkeypatch: pytest.MonkeyPatch) -> None:
    from assay import Assay
    from assay.policy.load import parse_profile
    from assay.signals.registry import BUILTIN

    code = blocks(ROOT / "docs/signals.md", "python")[0]
    monkeypatch.setitem(sys.modules, "assay_politeness", module := type(sys)("assay_politeness"))
    exec(compile(code, "signals.md", "exec"), module.__dict__)
    monkeypatch.setitem(BUILTIN, "politeness", "assay_politeness:Politeness")  # type: ignore[arg-type]
    fragment = blocks(ROOT / "docs/signals.md", "yaml")[0].replace(
        "{word: kindly}", "{word: kindly}\n  specificity: {}"
    )
    text = (
        f"name: doc\nembedder: [lexical]\n{fragment}final: {{weights: {{politeness: 1.0}}}}\n"
        "accept: {margin: {signal: final, threshold: 0.5}, reason: r, why: w}\n"
    )
    assay = Assay(parse_profile(text, "doc.yaml", {*BUILTIN, "politeness"}))
    assert assay.check(response="Kindly note this.", context="x").decision == "ACCEPT"
    assert assay.check(response="Note this.", context="x").decision == "REVIEW"


def test_the_example_profile_of_the_docs_is_a_profile() -> None:
    from assay.policy.load import parse_profile
    from assay.signals.registry import signal_names

    for text in blocks(ROOT / "docs/profiles.md", "yaml"):
        assert parse_profile(text, "profiles.md", signal_names()).gates


def test_generated_pages_are_what_the_code_says() -> None:
    spec = importlib.util.spec_from_file_location("generate", ROOT / "docs/generate.py")
    assert spec is not None
    assert spec.loader is not None
    generate = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(generate)
    before = dict(os.environ)
    os.environ.update(generate.PLAIN)
    try:
        pages = generate.pages()
    finally:
        os.environ.clear()
        os.environ.update(before)
    for name, content in pages.items():
        assert (ROOT / "docs" / name).read_text("utf-8") == content, f"docs/{name} is stale: run make docs"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[\w-]*)?\)", page.read_text("utf-8")):
        assert (page.parent / target).exists(), f"{page.name} links to {target}"
