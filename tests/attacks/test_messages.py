"""No message shows a password or controls the terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.conftest import Response, Web, environment

from posterity.archive import open_archive
from posterity.errors import ArchiveError
from posterity.model import Blog, Comment, HarvestReport, Post
from posterity.model.report import MissingPost


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


@pytest.mark.parametrize(
    "arguments",
    [
        ("harvest", "{url}"),
        ("harvest", "-i", "{list}"),
        ("harvest", "{url}", "http://127.0.0.1:1/"),
        ("extract", "{url}"),
        ("learn", "{url}"),
        ("update", "{url}"),
        ("show", "{url}"),
        ("discover", "--news", "{url}", "--search", "{url}"),
    ],
)
def test_password_of_a_url_is_in_no_message_and_no_file(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    url = "http://me:s3cret@127.0.0.1:1/"
    (tmp_path / "list").write_text(f"{url}\nhttp://127.0.0.1:1/\n")
    filled = [each.format(url=url, list=tmp_path / "list") for each in arguments]
    done = subprocess.run(
        [sys.executable, "-m", "posterity", *filled],
        capture_output=True, check=False, cwd=tmp_path, env=environment() | {"POSTERITY_ARCHIVE": str(tmp_path / "a")},
    )  # fmt: skip
    assert done.returncode not in (0, 1)
    assert b"s3cret" not in done.stdout + done.stderr
    stored = [path for path in (tmp_path / "a").rglob("*") if path.is_file()]
    assert not any(b"s3cret" in path.read_bytes() for path in stored)


def test_error_steers_no_terminal() -> None:
    arguments = [sys.executable, "-m", "posterity", "show", "\x1b]0;owned\x07", "--archive", "\x1b[2Jnowhere"]
    done = subprocess.run(arguments, capture_output=True, check=False)
    assert done.returncode != 0
    assert b"\x1b" not in done.stderr
    assert b"\x07" not in done.stderr


_HOSTILE = "\x1b]0;owned\x07\x1b[2J\x9b31m\x08\x7f\u202eEvil [/bold] [red]"
_STEERING = ("\x1b]", "\x1b[2J", "\x07", "\x08", "\x7f", "\x9b", "\u202e")


@pytest.fixture(scope="module")
def hostile_archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An archive in which every text has control sequences for a terminal."""
    folder = tmp_path_factory.mktemp("hostile") / "archive"
    words = _HOSTILE
    now = datetime(2024, 3, 1, tzinfo=UTC)
    url = f"http://h.example/{words}"
    missing = MissingPost(url=url, reason="httpError", detail=words)
    with open_archive(folder, create=True) as archive:
        archive.put_blog(Blog(id="b1", url="http://h.example/", title=words, former_urls=(url,)))
        for number in (1, 2):
            text = f"salt {number} {words}"
            archive.put_post(
                Post(id="p1", url="http://h.example/1", blog="b1", title=words, authors=(words,), tags=(words,),
                     text=text, markdown=text, comments=(Comment(id="c", author=words, text=words),))
            )  # fmt: skip
        archive.put_report(
            HarvestReport(blog="b1", url=url, started_at=now, ended_at=now, ended_because=words, notes=(words,),
                          missing=(missing,))
        )  # fmt: skip
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ("list",),
        ("show", "b1"),
        ("show", "b1", "--missing"),
        ("show", "p1"),
        ("show", "p1", "--history"),
        ("search", "salt"),
        ("schedule", "b1"),
        ("archive", "stats"),
        ("archive", "verify"),
        ("export", "-", "--format", "nothing\x1b[2J"),
        ("show", _HOSTILE),
        ("search", f"blog:{_HOSTILE}"),
    ],
    ids=lambda arguments: " ".join(arguments[:2]).encode("ascii", "replace").decode() + str(len(arguments)),
)
def test_no_command_steers_the_terminal(hostile_archive: Path, arguments: tuple[str, ...]) -> None:
    shown = _on_a_terminal([*arguments, "--archive", str(hostile_archive)])
    assert shown.strip()
    assert "Traceback" not in shown
    assert [sign for sign in _STEERING if sign in shown] == []


def _on_a_terminal(arguments: list[str]) -> str:
    """The output of a command on a terminal."""
    master, slave = pty.openpty()
    command = [sys.executable, "-m", "posterity", *arguments]
    with subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, env=environment()):
        os.close(slave)
        shown = b""
        with suppress(OSError):  # EIO: the other end is closed
            while chunk := os.read(master, 65536):
                shown += chunk
    os.close(master)
    return shown.decode("utf-8", "replace")


def test_feed_with_markup_of_the_display_is_text(tmp_path: Path, serve: Callable[[dict[str, Response]], Web]) -> None:
    web = serve({"/": Response("<p>Words</p>"), "/robots.txt": Response("", "text/plain")})
    item = f"<item><title>x [/bold]</title><link>{web.base_url}/1</link></item>"
    feed = f"<rss version='2.0'><channel><title>[/red]\x1b[2J</title>{item}</channel>&nope;[/green]\x1b[2J</rss>"
    web.responses["/[/bold]feed"] = Response(feed, "application/rss+xml")
    web.responses["/1"] = Response("<article><h1>x</h1><p>" + "Some words about salt. " * 30 + "</p></article>")
    shown = _on_a_terminal(["harvest", f"{web.base_url}/[/bold]feed", "--archive", str(tmp_path / "a"), "--delay", "0"])
    assert "Traceback" not in shown
    assert "\x1b[2J" not in shown
