from __future__ import annotations

import multiprocessing
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.judge.cache import AnswerCache, FileCache, Kept, MemoryCache


@pytest.fixture(params=["memory", "file"])
def cache(request: pytest.FixtureRequest, tmp_path: Path) -> AnswerCache:
    return MemoryCache(20) if request.param == "memory" else FileCache(tmp_path / "c.sqlite", 20)


def test_what_is_put_is_got(cache: AnswerCache) -> None:
    assert cache.get("k") is None
    cache.put("k", Kept("text", "m"))
    cache.put("'; DROP TABLE answers; --", Kept("\x00 \U0001f600 '", ""))
    assert cache.get("k") == Kept("text", "m")
    assert cache.get("'; DROP TABLE answers; --") == Kept("\x00 \U0001f600 '", "")
    cache.put("k", Kept("other", "m"))
    assert cache.get("k") == Kept("other", "m")


def test_it_is_bounded_and_forgets_what_was_not_used(cache: AnswerCache) -> None:
    for number in range(20):
        cache.put(f"k{number}", Kept("x", ""))
    assert cache.get("k0") is not None
    for number in range(20, 25):
        cache.put(f"k{number}", Kept("x", ""))
    kept = [number for number in range(25) if cache.get(f"k{number}") is not None]
    assert len(kept) <= 20
    assert {0, 24} <= set(kept)
    assert 1 not in kept


def test_a_file_outlives_its_process_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "c.sqlite"
    FileCache(file).put("k", Kept("text", "m"))
    assert FileCache(file).get("k") == Kept("text", "m")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def fill(file: Path, name: str, count: int) -> None:
    cache = FileCache(file)
    for number in range(count):
        cache.put(f"{name} {number}", Kept(f"{name} {number}", ""))
        assert cache.get(f"{name} {number}") == Kept(f"{name} {number}", "")


def test_threads_and_two_processes_lose_nothing(tmp_path: Path) -> None:
    file = tmp_path / "c.sqlite"
    context = multiprocessing.get_context("spawn")
    processes = [context.Process(target=fill, args=(file, f"process {n}", 40)) for n in range(2)]
    threads = [threading.Thread(target=fill, args=(file, f"thread {n}", 20)) for n in range(3)]
    for worker in (*processes, *threads):
        worker.start()
    for worker in (*processes, *threads):
        worker.join()
    assert [process.exitcode for process in processes] == [0, 0]
    cache = FileCache(file)
    for name, count in (("process 0", 40), ("process 1", 40), ("thread 0", 20), ("thread 2", 20)):
        assert all(cache.get(f"{name} {n}") == Kept(f"{name} {n}", "") for n in range(count))


def test_bookkeeping_reads_no_answers(tmp_path: Path) -> None:
    """Otherwise every use of a large file would read all of it."""
    FileCache(tmp_path / "c.sqlite")
    database = sqlite3.connect(tmp_path / "c.sqlite")
    for query in (
        "SELECT MAX(used) FROM answers",
        "SELECT COUNT(*) FROM answers",
        "SELECT key FROM answers ORDER BY used, key LIMIT 5",
    ):
        plan = " ".join(str(row[3]) for row in database.execute(f"EXPLAIN QUERY PLAN {query}"))
        assert "USING COVERING INDEX answers_used" in plan, plan
        assert "TEMP B-TREE" not in plan
    database.close()


def test_another_programs_file_is_not_touched(tmp_path: Path) -> None:
    text = tmp_path / "notes.txt"
    text.write_text("not a database, and longer than a header of one hundred bytes " * 5, "utf-8")
    before = text.read_bytes()
    with pytest.raises(InputError, match=r"notes\.txt: cannot be used as the judge's cache"):
        FileCache(text)
    assert text.read_bytes() == before
    other = tmp_path / "other.sqlite"
    with sqlite3.connect(other) as database:
        database.execute("CREATE TABLE answers (id INTEGER)")
    database.close()
    with pytest.raises(InputError, match="another program's database"):
        FileCache(other)


def test_a_file_that_cannot_be_made_is_said(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be used"):
        FileCache(tmp_path / "no" / "such" / "folder" / "c.sqlite")


def test_trouble_with_the_file_costs_the_cache_not_the_row(tmp_path: Path) -> None:
    file = tmp_path / "c.sqlite"
    cache = FileCache(file)
    cache.put("k", Kept("text", ""))
    file.write_bytes(b"overwritten by something else " * 40)
    assert cache.get("k") is None
    cache.put("k", Kept("text", ""))
