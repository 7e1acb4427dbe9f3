"""The options of `posterity export` that choose and clean posts."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from posterity.archive import open_archive
from posterity.cli.export import command
from posterity.errors import InputError, NotInArchive, UsageError
from posterity.model import Blog, Post
from posterity.urls import blog_id, post_id

if TYPE_CHECKING:
    from pathlib import Path

    from click.testing import Result

SEA = "The tide came in over the flats while we were still looking for the boat that we had left there that morning."
WATT = "Das Wasser kam über das Watt, während wir noch nach dem Boot suchten, das wir dort gelassen hatten, am Morgen."


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two blogs: one tells of the sea, the other copies it, and has a post in German."""
    path = tmp_path_factory.mktemp("clean") / "archive"
    with open_archive(path, create=True) as store:
        for host in ("salt", "rye"):
            store.put_blog(Blog(id=blog_id(f"https://{host}.example/"), url=f"https://{host}.example/"))
        store.put_posts(
            [
                _post("salt", 1, SEA, authors=("Anna",), tags=("sea",)),
                _post("rye", 2, SEA + " Via salt.", authors=("Bo",), language="en"),
                _post("rye", 3, f"{WATT} Ruf an: 030 12345678, bo@rye.example", authors=("Bo",)),
                _post("rye", 4, "Short."),
            ]
        )
    return path


def _post(host: str, month: int, text: str, **more: object) -> Post:
    url = f"https://{host}.example/{month}"
    when = datetime(2020, month, 28, tzinfo=UTC)
    blog = blog_id(f"https://{host}.example/")
    return Post(id=post_id(url), url=url, blog=blog, published=when, text=text, **more)  # type: ignore[arg-type]


def run(archive: Path, *arguments: str | Path) -> Result:
    return CliRunner().invoke(command, [*map(str, arguments), "--archive", str(archive)])


def months(archive: Path, *arguments: str) -> list[int]:
    """Which posts come out."""
    ended = run(archive, "-", *arguments)
    assert ended.exception is None, ended.output
    return [int(json.loads(line)["url"][-1]) for line in ended.stdout.splitlines()]


@pytest.mark.parametrize(
    ("arguments", "wanted"),
    [
        ((), [1, 2, 3, 4]),
        (("--since", "2020-02", "--until", "2020-03"), [2, 3]),
        (("--since", "2020"), [1, 2, 3, 4]),
        (("--language", "de"), [3]),
        (("--language", "en", "--language", "de"), [1, 2, 3]),
        (("--author", "bo"), [2, 3]),
        (("--tag", "Sea"), [1]),
        (("--min-words", "5"), [1, 2, 3]),
        (("--blog", "rye.example", "--min-words", "5"), [2, 3]),
        (("--dedup", "post"), [1, 3, 4]),
    ],
)
def test_posts_are_chosen(archive: Path, arguments: tuple[str, ...], wanted: list[int]) -> None:
    assert months(archive, *arguments) == wanted


def test_manifest_says_what_was_chosen_and_done(archive: Path, tmp_path: Path) -> None:
    out, found = tmp_path / "posts.jsonl", tmp_path / "duplicates.jsonl"
    ended = run(archive, out, "--language", "en", "--mask-pii", "--dedup", "post", "--duplicates", found)
    assert ended.exception is None
    manifest = json.loads((tmp_path / "posts.jsonl.manifest.json").read_text())
    assert manifest["selection"]["languages"] == ["en"]
    assert manifest["clean_up"] == {"dedup": ["post"], "mask_pii": True}
    (duplicate,) = map(json.loads, found.read_text().splitlines())
    assert (duplicate["url"], duplicate["of_url"]) == ("https://rye.example/2", "https://salt.example/1")


def test_languages_are_told_and_pii_is_masked(archive: Path) -> None:
    ended = run(archive, "-", "--mask-pii", "--identify-language", "missing", "--since", "2020-03", "--min-words", "2")
    (post,) = map(json.loads, ended.stdout.splitlines())
    assert post["text"].endswith("Ruf an: [phone], [e-mail]")
    assert post["language"] == "de"
    assert post["provenance"]["language"]["method"] == "language-id"


def test_number_is_masked_by_the_country_of_the_text_where_no_language_is_declared(archive: Path) -> None:
    ended = run(archive, "-", "--mask-pii", "--since", "2020-03", "--min-words", "2")
    (post,) = map(json.loads, ended.stdout.splitlines())
    assert post["text"].endswith("Ruf an: [phone], [e-mail]")
    assert post["language"] is None


def test_report_is_a_format(archive: Path, tmp_path: Path) -> None:
    assert run(archive, tmp_path / "report.html", "--format", "report").exception is None
    assert "<svg" in (tmp_path / "report.html").read_text()


@pytest.mark.parametrize("text", ["yesterday", "2020-13", "2020-02-30", "20200101"])
def test_date_that_is_none_is_told(archive: Path, text: str) -> None:
    ended = run(archive, "-", "--since", text)
    assert ended.exit_code == 2
    assert f"{text} is not a date" in ended.output


def test_raw_pages_cannot_be_masked(archive: Path, tmp_path: Path) -> None:
    ended = run(archive, tmp_path / "x.warc.gz", "--format", "warc", "--mask-pii")
    assert isinstance(ended.exception, UsageError)
    assert not (tmp_path / "x.warc.gz").exists()


def test_list_of_duplicates_that_cannot_be_written_is_told(archive: Path, tmp_path: Path) -> None:
    ended = run(archive, tmp_path / "x.jsonl", "--duplicates", tmp_path / "missing" / "d.jsonl")
    assert isinstance(ended.exception, InputError)


def test_list_of_duplicates_that_is_there_is_not_overwritten_unasked(archive: Path, tmp_path: Path) -> None:
    found = tmp_path / "d.jsonl"
    found.write_text("mine")
    ended = run(archive, tmp_path / "x.jsonl", "--duplicates", found)
    assert isinstance(ended.exception, InputError)
    assert found.read_text() == "mine"
    assert run(archive, tmp_path / "x.jsonl", "--duplicates", found, "--force").exit_code == 0
    assert found.read_text() != "mine"


def test_export_of_nothing_says_why(archive: Path, tmp_path: Path) -> None:
    runner = CliRunner()
    for options in (["--author", "Nobody"], ["--until", "2020-01-27"]):
        none = runner.invoke(command, ["-", *options, "--archive", str(archive)])
        assert none.stdout == ""
        assert isinstance(none.exception, NotInArchive)
        assert "No post matches all options" in str(none.exception)
    open_archive(tmp_path / "new", create=True).close()
    empty = runner.invoke(command, ["-", "--archive", str(tmp_path / "new")])
    assert isinstance(empty.exception, NotInArchive)
    assert "in the archive yet" in str(empty.exception)
