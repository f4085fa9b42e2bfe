"""A recorder that is killed at any moment leaves the old baseline or the new one, and no lock."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from assay.regress.baseline import read_baseline

from .helpers import row, write

KILLS = 100
# Everything is imported once; each round forks a process that records over and over, and kills it with
# SIGKILL after a random time. What it leaves is read each time.
ROUNDS = f"""
import os, random, signal, sys, time
from pathlib import Path
from assay import Assay
from assay.cli import gate
from assay.cli.app import app
from assay.regress.baseline import read_baseline

cases, baseline = sys.argv[1:3]
record = ["gate", "record", cases, "--baseline", baseline, "--profile", "lexical", "--overwrite"]

engine = Assay("lexical")
gate._engine = lambda *_: engine  # made once: else most kills would meet a process that reads a profile

def once():
    app(record, standalone_mode=False)

once()
started = time.perf_counter()
once()
long = time.perf_counter() - started
random.seed(20261130)
times, tails, kills = set(), 0, 0
while kills < {KILLS} or (tails == 0 and kills < 20 * {KILLS}):  # until one was killed while it wrote, too
    kills += 1
    child = os.fork()
    if child == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        while True:
            once()
    time.sleep(random.uniform(0.0, 2.5 * long))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    assert len(read_baseline(baseline).cases) == 2
    times.add(os.stat(baseline).st_mtime_ns)
    tails += any(name.endswith(".tmp") for name in os.listdir(os.path.dirname(baseline)))
once()
print(len(times), tails)
"""


def test_a_hundred_kills_never_leave_an_unreadable_baseline(tmp_path: Path) -> None:
    # Long turns before the question: much to write, little to judge.
    history = [{"role": "user", "content": "Tell me about bridges. " * 4_000}]
    rows = [row(f"case {i}", history=history) for i in range(2)]
    cases, baseline = write(tmp_path / "cases.jsonl", *rows), tmp_path / "baseline.json"
    done = subprocess.run(
        [sys.executable, "-c", ROUNDS, str(cases), str(baseline)],
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    replaced, cut = map(int, done.stdout.split()[-2:])
    assert replaced > 1, "no round came so far as to replace the file"
    assert cut > 0, "no round was killed while it wrote"
    assert len(read_baseline(baseline).cases) == 2
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"cases.jsonl", "baseline.json", ".baseline.json.lock"}
    assert json.loads(baseline.read_text("utf-8"))["profile"] == "lexical"
