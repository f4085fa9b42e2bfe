from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from assay.errors import InputError
from assay.formats.files import atomic_write, one_writer, replacing


def test_the_content_is_replaced(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    for content in ("é🙂\r\n", b"\xff\x00", "lone \ud800"):
        atomic_write(path, content)
        expected = content if isinstance(content, bytes) else content.encode("utf-8", "backslashreplace")
        assert path.read_bytes() == expected
    assert [p.name for p in tmp_path.iterdir()] == ["a.html"]


def test_a_failing_write_leaves_the_old_content(tmp_path: Path) -> None:
    path = tmp_path / "a.html"
    path.write_text("old")

    def fail() -> None:
        with replacing(path) as stream:
            stream.write(b"half")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert path.read_text() == "old"
    assert [p.name for p in tmp_path.iterdir()] == ["a.html"]


@pytest.mark.skipif(os.name != "posix", reason="modes and links of POSIX")
def test_the_mode_and_a_link_are_kept(tmp_path: Path) -> None:
    target, link = tmp_path / "real.html", tmp_path / "link.html"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    atomic_write(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o640
    old = os.umask(0o027)
    try:
        atomic_write(tmp_path / "fresh.html", "x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((tmp_path / "fresh.html").stat().st_mode) == 0o640


def test_devices_are_written_through() -> None:
    if not Path("/dev/null").exists():
        pytest.skip("no /dev/null")
    atomic_write("/dev/null", "x")
    assert stat.S_ISCHR(Path("/dev/null").stat().st_mode)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"no/a\.html: the folder to write to does not exist"):
        atomic_write(tmp_path / "no" / "a.html", "x")


def test_a_second_writer_waits_and_gives_up_with_a_message(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    with (
        one_writer(path),
        pytest.raises(InputError, match=r"another process has been writing this file for 0\.05 seconds"),
        one_writer(path, wait=0.05),
    ):
        pass
    with one_writer(path, wait=0.0):
        pass
