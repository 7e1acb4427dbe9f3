"""Files are locked where there is no `fcntl`, too: on Windows by `msvcrt`, which `flock` replaces here."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

WITHOUT_FCNTL = """
import fcntl, os, subprocess, sys, types
from posterity.archive import open_archive
from posterity.archive.folder import lock_file
from posterity.archive.verify import verify_archive
sys.modules["fcntl"] = None
msvcrt = types.ModuleType("msvcrt")
msvcrt.LK_NBLCK = fcntl.LOCK_EX | fcntl.LOCK_NB
msvcrt.locking = lambda descriptor, mode, size, lock=fcntl.flock: lock(descriptor, mode)
sys.modules["msvcrt"] = msvcrt
"""
WITH_FCNTL = "from posterity.archive.folder import lock_file\n"


def held(code: str, path: Path) -> subprocess.Popen[str]:
    hold = f"handle = open({str(path)!r}, 'ab')\nlock_file(handle)\nprint('held', flush=True)\nsys.stdin.read()"
    process = subprocess.Popen(
        [sys.executable, "-c", f"import sys\n{code}{hold}"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def tried(code: str, path: Path, *, wait: bool) -> str:
    attempt = (
        f"handle = open({str(path)!r}, 'r+b')\nhandle.read(3)\n"
        f"try:\n    lock_file(handle, wait={wait})\nexcept BlockingIOError:\n    print('refused')\n"
        "else:\n    print('locked', handle.read().decode())\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code + attempt], capture_output=True, text=True, timeout=60, check=True
    ).stdout.strip()


@pytest.mark.parametrize("code", [WITHOUT_FCNTL, WITH_FCNTL], ids=["without fcntl", "with fcntl"])
def test_second_process_is_refused_or_waits(code: str, tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abcdef")
    with held(code, path) as holder:
        assert tried(code, path, wait=False) == "refused"
        assert holder.stdin is not None
        holder.stdin.close()
        assert tried(code, path, wait=True) == "locked def"  # the place in the file is as before


def test_archive_works_without_fcntl(tmp_path: Path) -> None:
    code = (
        f"{WITHOUT_FCNTL}"
        f"with open_archive({str(tmp_path / 'archive')!r}, create=True) as archive:\n"
        "    print(len(archive.blogs()), verify_archive(archive).problems)\n"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (ended.stdout, ended.stderr) == ("0 []\n", "")
