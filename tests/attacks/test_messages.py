"""No message shows a password or steers a terminal."""

from __future__ import annotations

import subprocess
import sys

import pytest

from posterity.archive import open_archive
from posterity.errors import ArchiveError


@pytest.mark.parametrize(
    "location",
    [
        "mysql://me:s3cret@host/name",
        "postgresql://me:s3cret@host:port/name",
        "postgresql://me:s3cret@127.0.0.1:1/name",
        "postgresql://me:s3cret/@127.0.0.1:1/name",
    ],
)
def test_password_of_a_database_is_in_no_message(location: str) -> None:
    with pytest.raises(ArchiveError) as raised:
        open_archive(location)
    assert "s3cret" not in str(raised.value)


def test_error_steers_no_terminal() -> None:
    arguments = [sys.executable, "-m", "posterity", "show", "\x1b]0;owned\x07", "--archive", "\x1b[2Jnowhere"]
    done = subprocess.run(arguments, capture_output=True, check=False)
    assert done.returncode != 0
    assert b"\x1b" not in done.stderr
    assert b"\x07" not in done.stderr
