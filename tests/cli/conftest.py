"""The `assay` command as a user runs it: a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def assay(tmp_path: Path) -> Run:
    """Run ``assay`` in an empty folder; give ``env`` to change the environment, ``text`` for stdin."""

    def run(
        *arguments: str | Path, env: dict[str, str] | None = None, text: str = ""
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "assay", *map(str, arguments)],
            cwd=tmp_path,
            env={**os.environ, "COLUMNS": "100", **(env or {})},
            input=text,
            capture_output=True,
            encoding="utf-8",
            check=False,
        )

    return run
