"""What `posterity extract` says when something is wrong, and that one bad page costs no other."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Posterity

PAGE = f"<body><div class=post><h1>Tides</h1><p>{'The tide comes in and goes out. ' * 20}</p></div>"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "good.html").write_text(PAGE)
    (tmp_path / "deep.html").write_text("<div>" * 50_000)
    (tmp_path / "boat.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    (tmp_path / "nothing.html").write_text("<html></html>")
    (tmp_path / "empty").mkdir()
    return tmp_path


def test_bad_pages_are_named_and_counted_and_the_others_go_on(folder: Path, posterity: Posterity) -> None:
    pages = [folder / name for name in ("deep.html", "missing.html", "good.html", "boat.png", "nothing.html")]
    ended = posterity("extract", *pages)
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["text"].startswith("The tide")
    deep, missing, boat, nothing, count = ended.stderr.splitlines()
    assert "deep.html: The page nests elements" in deep
    assert "missing.html cannot be read: No such file" in missing
    assert "boat.png is not a page" in boat
    assert "nothing was found on" in nothing
    assert "3 of 5 pages could not be read" in count


def test_no_page_that_can_be_read_is_exit_code_nine(folder: Path, posterity: Posterity) -> None:
    ended = posterity("extract", folder / "missing.html", folder / "boat.png", folder / "deep.html")
    assert (ended.returncode, ended.stdout) == (9, "")
    assert "3 of 3 pages could not be read" in ended.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["deep.html"], 9, "deeper than"),
        (["boat.png"], 9, "not a page"),
        (["missing.html"], 4, "No such file"),
        (["empty"], 4, "contains no pages"),
        (["missing.warc.gz"], 4, "missing.warc.gz"),
        (["good.html", "--method", "magic"], 4, "Choose one of: hybrid, feed"),
        (["good.html", "--method", "feed"], 4, "needs rules"),
        (["good.html", "--rules", "missing.json"], 4, "missing.json"),
        (["good.html", "--rules", "bad.json"], 4, "bad.json cannot be used. This is not the JSON of a RuleSet"),
        (["good.html", "--rules", "bad.toml"], 4, "bad.toml cannot be used. The rule file is not valid TOML"),
        (["good.html", "--url", "blog.example"], 2, "Write https://blog.example instead"),
        (["blank.html"], 9, "blank.html is empty."),
        (["blog.example/a-post/"], 6, "responds neither to https nor to http"),
        (["-"], 9, "standard input is empty."),
        (["good.html", "--feed", "feed.xml"], 5, "feed.xml links to none of the given pages"),
        (["good.html", "--rules", "bad.rules"], 4, "IN/OUT"),
        (["good.html", "--rules", "good.rules", "--method", "bte"], 2, "cannot be used with --method bte"),
        (["good.html", "--rules", "good.json", "--method", "bte"], 2, "cannot be used with --method bte"),
        (["good.html", "--rules", "good.toml", "--method", "bte"], 2, "cannot be used with --method bte"),
        (["good.html", "--feed", "missing.xml"], 4, "missing.xml"),
        (["good.html", "--feed", "good.html"], 5, "feed"),
        (["good.html", "--method", "wc-multi", "--reference", "missing.html"], 4, "reference page cannot be used"),
        (["good.html", "--method", "wc-multi+prune=maybe"], 4, "is a switch"),
        (["good.html", "--format", "rtf"], 2, "rtf"),
        (["broken.warc"], 4, "broken.warc"),
        (["broken.jsonl.xz"], 4, "broken.jsonl.xz"),
        ([], 2, "PAGE"),
    ],
)
def test_what_is_wrong_is_said(arguments: list[str], code: int, words: str, folder: Path, posterity: Posterity) -> None:
    (folder / "bad.json").write_text('{"fields": 7}')
    (folder / "bad.toml").write_text("= no TOML")
    (folder / "blank.html").write_text(" \n")
    item = "<item><title>Tides</title><link>https://blog.example/tides/</link></item>"
    (folder / "feed.xml").write_text(f'<rss version="2.0"><channel><title>t</title>{item}</channel></rss>')
    (folder / "bad.rules").write_text("(\nnothing\n)")
    (folder / "good.rules").write_text("(\naddr = .*\nin = div|class|post\n)")
    (folder / "good.json").write_text('{"fields": {}}')
    (folder / "good.toml").write_text('[[post]]\ntags = ["div"]\n')
    (folder / "broken.warc").write_bytes(b"this is no WARC file")
    (folder / "broken.jsonl.xz").write_bytes(b"this is not packed")
    given = [
        str(folder / word) if (folder / word).exists() or word.startswith("missing") else word for word in arguments
    ]
    ended = posterity("extract", *given)
    assert ended.returncode == code, ended.stderr
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr
