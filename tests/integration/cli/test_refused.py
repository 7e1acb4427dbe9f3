"""What a disk refuses is one sentence and exit code 4, wherever it happens; no traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from tests.conftest import environment

if TYPE_CHECKING:
    from tests.conftest import Posterity

FULL = Path("/dev/full")  # writing to it fails as on a full disk


@pytest.mark.skipif(not FULL.exists(), reason="only Linux has a file that is always full")
def test_output_to_a_full_disk_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(f"<article><p>{'The tide comes in and goes out. ' * 20}</p></article>")
    with FULL.open("wb") as full:
        ended = subprocess.run(
            [sys.executable, "-m", "posterity", "extract", tmp_path / "page.html"],
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            text=True,
            check=False,
        )
    assert (ended.returncode, ended.stderr) == (4, "posterity: The output cannot be used: No space left on device.\n")


def test_folder_that_cannot_be_made_is_named(posterity: Posterity, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    ended = posterity("demo", "--out", tmp_path / "file" / "demo")
    assert (ended.returncode, ended.stdout) == (4, "")
    assert ended.stderr == f"posterity: {tmp_path / 'file' / 'demo'} cannot be used: Not a directory.\n"


def test_name_that_no_disk_takes_costs_no_other_page(posterity: Posterity, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(f"<article><p>{'The tide comes in and goes out. ' * 20}</p></article>")
    ended = posterity("extract", "x" * 300, tmp_path / "page.html", "--format", "text")
    assert ended.returncode == 0
    assert ended.stdout.startswith("The tide")
    assert "cannot be read: File name too long." in ended.stderr
