"""The commands that look after the archive, as a person runs them."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner, Result

from posterity.archive import open_archive
from posterity.cli import archive as archive_command
from posterity.cli import forget as forget_command
from posterity.cli import list as list_command
from posterity.cli import search as search_command
from posterity.cli import show as show_command
from posterity.errors import ArchiveError, NotInArchive, UsageError
from posterity.model import Blog, Comment, Post

if TYPE_CHECKING:
    from pathlib import Path

    import click

NOON = datetime(2021, 3, 12, 12, 0, tzinfo=UTC)
URL = "https://salt.example/tides/"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    with open_archive(tmp_path / "archive", create=True) as archive:
        archive.put_blog(Blog(id="b1", url="https://salt.example/"))
        with archive.warc_writer("b1") as writer:
            writer.write_exchange(url=URL, status=200, response_headers=[], body=b"<p>High water", fetched_at=NOON)
        comments = (Comment(id="c1", author="Bob", text="Splendid"),)
        archive.put_post(
            Post(
                id="p1",
                url=URL,
                blog="b1",
                title="Tides",
                authors=("Ann",),
                published=NOON,
                text="High water",
                comments=comments,
            )
        )
    return tmp_path / "archive"


def run(command: click.Command, folder: Path, *arguments: str) -> Result:
    return CliRunner().invoke(command, [*arguments, "--archive", str(folder)], catch_exceptions=False)


def test_stats_count_what_is_there(folder: Path) -> None:
    shown = run(archive_command.command, folder, "stats").stdout
    assert "1  posts" in shown
    assert "https://salt.example/  1 post, 1 comment, 2021-03-12 to 2021-03-12" in shown
    assert json.loads(run(archive_command.command, folder, "stats", "--json").stdout)["captures"] == 1


def test_verify_finds_and_repairs(folder: Path) -> None:
    assert "0 problems" in run(archive_command.command, folder, "verify").stderr
    (warc,) = (folder / "warc").glob("*.warc.gz")
    warc.write_bytes(warc.read_bytes()[:-9])
    with pytest.raises(ArchiveError, match="--repair"):
        run(archive_command.command, folder, "verify")
    shown = run(archive_command.command, folder, "verify", "--repair").stdout
    assert f"cut        {warc.name}: the file ends within a record (repaired)" in shown
    assert "0 problems" in run(archive_command.command, folder, "verify").stderr


def test_migrate_and_compact_say_what_they_did(folder: Path) -> None:
    assert "already" in run(archive_command.command, folder, "migrate").stderr
    assert "The database had" in run(archive_command.command, folder, "compact").stderr


def test_copy_copies_and_counts(folder: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy"
    counts = json.loads(run(archive_command.command, folder, "copy", str(target), "--json").stdout)
    assert (counts["posts"], counts["comments"], counts["captures"]) == (1, 1, 1)
    with open_archive(target) as copied:
        assert copied.post("p1").title == "Tides"


def test_search_shows_posts_and_comments(folder: Path) -> None:
    shown = run(search_command.command, folder, "water", "HIGH").stdout
    assert shown == f"Tides\n  2021-03-12  {URL}\n  High water\n\n"
    assert "comment by Bob on Tides" in run(search_command.command, folder, "splendid").stdout
    hit = json.loads(run(search_command.command, folder, "water", "--json").stdout)
    assert (hit["post_id"], hit["snippet"]) == ("p1", {"text": "High water", "marks": [[5, 10]]})


def test_search_names_what_was_probably_meant(folder: Path) -> None:
    for option in ((), ("--json",)):
        said = run(search_command.command, folder, "wtaer", *option).stderr
        assert said == "Nothing was found. Did you mean: water\n"


def test_search_filters(folder: Path) -> None:
    for option in (("--blog", "salt.example"), ("--author", "ann"), ("--since", "2021-03-12"), ("--until", "2021")):
        assert URL in run(search_command.command, folder, "water", *option).stdout
    assert URL in run(search_command.command, folder, "water", "--until", "2021-03-12").stdout
    for option in (
        ("--author", "bob"),
        ("--since", "2021-04"),
        ("--until", "2021-03-11"),
        ("--tag", "food"),
        ("--language", "fr"),
    ):
        assert run(search_command.command, folder, "water", *option).stderr == "Nothing was found.\n"
    with pytest.raises(UsageError):
        run(search_command.command, folder, "...")
    with pytest.raises(NotInArchive):
        run(search_command.command, folder, "water", "--blog", "other.example")


def test_forget_removes_by_address_by_author_and_one_comment(folder: Path) -> None:
    shown = run(forget_command.command, folder, URL, "--comment", "c1", "--reason", "asked", "--yes").stderr
    assert shown == "Removed: 1 comment, 2 records. Logged as comment p1#c1.\n"
    assert "1 post" in run(forget_command.command, folder, "Ann", "--reason", "asked", "--yes").stderr
    with pytest.raises(NotInArchive):
        run(forget_command.command, folder, URL, "--reason", "asked", "--yes")
    with open_archive(folder) as archive:
        assert list(archive.posts()) == []
        assert [entry.kind for entry in archive.takedowns()] == ["comment", "author"]


def test_forget_asks_first_and_needs_a_reason(folder: Path) -> None:
    runner = CliRunner()
    refused = runner.invoke(forget_command.command, [URL, "--reason", "x", "--archive", str(folder)], input="n\n")
    assert (refused.exit_code, refused.stderr.splitlines()[-1]) == (0, "Nothing was removed.")
    with pytest.raises(UsageError, match="--yes"):
        run(forget_command.command, folder, URL, "--reason", "x")  # no terminal, no answer
    assert runner.invoke(forget_command.command, [URL, "--archive", str(folder)]).exit_code == 2
    with open_archive(folder) as archive:
        assert archive.post(URL).id == "p1"


def test_search_says_when_there_is_more(folder: Path) -> None:
    with open_archive(folder) as archive:
        archive.put_post(Post(id="p2", url=f"{URL}2/", blog="b1", text="Low water"))
    cut = run(search_command.command, folder, "water", "--limit", "1")
    assert cut.stdout.count(" water") == 1
    assert cut.stderr == "There are more hits. Use --limit N to see them.\n"
    assert run(search_command.command, folder, "water", "--limit", "2").stderr == ""


def test_list_counts_what_is_there_now(folder: Path) -> None:
    head, line = run(list_command.command, folder).stdout.splitlines()
    assert head.split() == ["id", "posts", "harvested", "url", "and", "title"]
    assert line.split() == ["b1", "1", "never", "https://salt.example/"]
    run(forget_command.command, folder, URL, "--reason", "asked", "--yes")
    assert run(list_command.command, folder).stdout.splitlines()[1].split()[1] == "0"


def test_list_of_an_empty_archive_says_how_to_begin(tmp_path: Path) -> None:
    open_archive(tmp_path / "new", create=True).close()
    shown = run(list_command.command, tmp_path / "new")
    assert (shown.stdout, shown.stderr.count("posterity harvest URL")) == ("", 1)
    assert run(list_command.command, tmp_path / "new", "--json").output == ""


def test_show_tells_of_a_harvest_that_did_not_end(folder: Path) -> None:
    shown = run(show_command.command, folder, "salt.example").stdout
    assert "posts     1 so far" in shown
    assert "`posterity harvest https://salt.example/` continues it" in shown


def test_show_knows_what_belongs_to_a_blog_and_what_to_a_post(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"is a blog\. Use the URL of a post"):
        run(show_command.command, folder, "salt.example", "--history")
    with pytest.raises(UsageError, match=r"is a post, .* posterity show b1 --rules"):
        run(show_command.command, folder, URL, "--rules")


def test_verify_offers_repair_only_where_it_helps(folder: Path) -> None:
    with open_archive(folder) as archive:
        medium = archive.put_media(b"x", "image/png", "https://salt.example/a.png")
        path = archive.media_path(medium.file or "")
    path.unlink()
    with pytest.raises(ArchiveError, match="1 problem cannot be repaired: restore the files from a backup"):
        run(archive_command.command, folder, "verify")
    path.symlink_to("/proc/self/mem")  # a file that is there and cannot be read
    with pytest.raises(ArchiveError, match="1 problem cannot be repaired"):
        run(archive_command.command, folder, "verify")


def test_show_of_a_name_that_fits_nothing_or_too_much_says_which_names_there_are(folder: Path) -> None:
    with pytest.raises(NotInArchive, match=r"no blog 'rye.example' .* It contains: https://salt.example/. No post has"):
        run(show_command.command, folder, "rye.example")
    with open_archive(folder) as archive:
        archive.put_blog(Blog(id="b2", url="https://two.example/a/"))
        archive.put_blog(Blog(id="b3", url="https://two.example/b/"))
    with pytest.raises(NotInArchive, match=r"matches several blogs: https://two.example/a/, https://two.example/b/"):
        run(show_command.command, folder, "two.example")
