"""`posterity show POST --history` and `--timemap`."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import msgspec
import pytest
from click.testing import CliRunner

from posterity.archive import open_archive
from posterity.cli.show import command
from posterity.errors import UsageError
from posterity.model import Blog, Comment, Post, Provenance

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

URL = "https://salt.example/tides/"
WORDS = " ".join(f"word{number}" for number in range(40))
POST = Post(
    id="p1",
    url=URL,
    blog="b1",
    title="On tides",
    text=f"The moon is near. {WORDS} The end.",
    comments=(Comment(id="c1", author="Ida", text="Is it?"),),
)
THEN = datetime(2100, 5, 6, 7, 8, tzinfo=UTC)


@pytest.fixture
def archive(tmp_path: Path) -> Path:
    """A post that was edited and then taken away, and three captures of its page."""
    where = tmp_path / "archive"
    with open_archive(where, create=True) as store:
        store.put_blog(Blog(id="b1", url="https://salt.example/"))
        with store.warc_writer("b1") as writer:
            for day, body in ((1, b"one"), (2, b"one"), (3, b"two")):
                pointer = writer.write_exchange(
                    url=URL,
                    status=200,
                    response_headers=[("Content-Type", "text/html")],
                    body=body,
                    fetched_at=datetime(2024, 5, day, tzinfo=UTC),
                )
        origin = {"text": Provenance(method="feed", confidence=0.9, warc=str(pointer))}
        store.put_post(msgspec.structs.replace(POST, provenance=origin))
        edited = msgspec.structs.replace(
            POST,
            text=f"The moon is far away. {WORDS} The end.",
            title="Of tides",
            comments=(*POST.comments, Comment(id="c2", author="Jan", text="It is.")),
            provenance=origin,
        )
        store.put_post(edited)
        store.mark_gone("p1", 410, THEN)
    return where


def show(archive: Path, *arguments: str, color: bool = False) -> Result:
    return CliRunner().invoke(command, [*arguments, "--archive", str(archive)], color=color)


def test_history_tells_word_by_word_what_changed(archive: Path) -> None:
    lines = show(archive, URL, "--history").output.splitlines()
    assert lines[0] == "Of tides"
    assert lines[3].endswith("revision 1, 46 words")
    assert lines[4].endswith("revision 2: title, text, comments changed")
    assert lines[5] == "  title     [-On-]{+Of+} tides"
    assert lines[6] == "  text      The moon is [-near.-]{+far away.+} word0 word1 word2 word3 word4 word5 word6 … "
    assert "{+\nJan It is.+}" in "\n".join(lines[7:9])
    assert lines[-1] == "2100-05-06 07:08  no longer shown by the blog, status 410"


def test_history_is_coloured_on_a_terminal(archive: Path) -> None:
    output = show(archive, URL, "--history", color=True).output
    assert "\x1b[31m[-On-]\x1b[0m\x1b[32m{+Of+}\x1b[0m" in output


def test_history_for_programs_is_json(archive: Path) -> None:
    history = json.loads(show(archive, "p1", "--history", "--json").output)
    assert [state["changed"] for state in history["revisions"]] == [[], ["title", "text", "comments"]]
    assert [event["kind"] for event in history["events"]] == ["gone"]


def test_timemap_lists_the_captures(archive: Path) -> None:
    lines = show(archive, "p1", "--timemap").output.splitlines()
    assert lines[0] == f'<{URL}>;rel="original",'
    assert [line for line in lines if "memento" in line] == [
        f'</memento/2024050{day}000000/{URL}>;rel="{role}memento";datetime="{date} May 2024 00:00:00 GMT"{end}'
        for day, role, date, end in (
            (1, "first ", "Wed, 01", ","),
            (2, "", "Thu, 02", ","),
            (3, "last ", "Fri, 03", ""),
        )
    ]
    captures = json.loads(show(archive, "p1", "--timemap", "--json").output)
    assert [capture["kind"] for capture in captures] == ["response", "revisit", "response"]


def test_blog_has_no_history_of_its_own(archive: Path) -> None:
    assert isinstance(show(archive, "https://salt.example/", "--history").exception, UsageError)
    assert isinstance(show(archive, "p1", "--history", "--timemap").exception, UsageError)
