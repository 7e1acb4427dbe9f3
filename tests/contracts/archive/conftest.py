"""An empty archive on every database: SQLite always, PostgreSQL if it is installed."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import pytest

from posterity.archive import Archive, open_archive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

STARTER = Path(__file__).parents[4] / "shared" / "targets" / "postgres" / "system_pg.sh"


def _pg_ctl() -> str | None:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    return str(found[-1]) if found else shutil.which("pg_ctl")


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a temporary PostgreSQL server."""
    pg_ctl = _pg_ctl()
    if pg_ctl is None or not STARTER.is_file():
        pytest.skip(f"PostgreSQL is not here: it needs pg_ctl and {STARTER}")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    # Not a folder of pytest, which the server's user cannot access.
    with tempfile.TemporaryDirectory(prefix="posterity-pg-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        started = subprocess.run(["bash", STARTER, folder, str(port)], capture_output=True, text=True, check=False)
        if started.returncode:
            pytest.skip(f"PostgreSQL does not start: {started.stderr.strip()}")
        yield started.stdout.strip()
        user = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        subprocess.run(
            [*user, pg_ctl, "-D", f"{folder}/data", "-m", "immediate", "stop"], cwd="/", capture_output=True, check=True
        )


@pytest.fixture(params=["sqlite", "postgresql"])
def location(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The location of a new archive."""
    new_location: Callable[[str], str] = request.getfixturevalue("new_location")
    return new_location(request.param)


@pytest.fixture
def new_location(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[str], str]:
    """Returns new locations for archives, by kind of database."""
    made = iter(range(100))

    def make(kind: str) -> str:
        number = next(made)
        if kind == "sqlite":
            return str(tmp_path / f"archive-{number}")
        server: str = request.getfixturevalue("postgres")
        address = f"{server.rpartition('/')[0]}/t{number}"
        _empty_database(server, address)
        return f"{address}?files={tmp_path / f'files-{number}'}"

    return make


def _empty_database(server: str, address: str) -> None:
    """Empty the database for the next test, which is faster than a new one for each."""
    name = address.rpartition("/")[2]
    with psycopg.connect(server, autocommit=True) as connection:
        if connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", (name,)).fetchone() is None:
            connection.execute(f"CREATE DATABASE {name}")
    with psycopg.connect(address, autocommit=True) as connection:
        rows = connection.execute("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'posterity%'").fetchall()
        for (schema,) in rows:
            connection.execute(f"DROP SCHEMA {schema} CASCADE")


@pytest.fixture
def archive(location: str) -> Iterator[Archive]:
    """An empty archive."""
    with open_archive(location, create=True) as opened:
        yield opened
