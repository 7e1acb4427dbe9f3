"""`posterity learn` as a person types it."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from posterity.demo.blog import SiteOptions
from posterity.demo.server import build

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from subprocess import CompletedProcess

BASE = "http://blog.example"


@pytest.fixture(scope="module")
def mirror(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The bundled blog as wget would keep it, its feed beside it."""
    folder = tmp_path_factory.mktemp("mirror")
    site = build(SiteOptions(base_url=BASE, feed_format="json", posts_limit=12))
    for post in site.truth:
        file = folder / post.path.strip("/") / "index.html"
        file.parent.mkdir(parents=True)
        file.write_bytes(site[post.path].body)
    path = next(path for path in site if "json" in path)
    (folder / "feed.json").write_bytes(site[path].body)
    return folder


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("json", '"entry-content"'),
        ("ftr", "body: //div[contains(concat(' ', normalize-space(@class), ' '), ' entry-content ')]"),
        ("miniflux", '"scraper_rules": "div.entry-content"'),
        ("css", "text: div.entry-content"),
        ("webpoet", "class BlogExamplePost(WebPage[dict]):"),
    ],
)
def test_rules_are_printed_in_every_format(
    posterity: Callable[..., CompletedProcess[str]], mirror: Path, name: str, says: str
) -> None:
    done = posterity("learn", mirror / "feed.json", "--pages", mirror, "--format", name)
    assert (done.returncode, done.stderr) == (0, "")
    assert says in done.stdout


def test_printed_rules_extract_a_page(
    posterity: Callable[..., CompletedProcess[str]], mirror: Path, tmp_path: Path
) -> None:
    rules = tmp_path / "rules.json"
    rules.write_text(posterity("learn", mirror / "feed.json", "--pages", mirror).stdout, encoding="utf-8")
    page = next(mirror.glob("*/*/*/*/index.html"))
    done = posterity("extract", page, "--rules", rules, "--url", f"{BASE}/x/")
    assert done.returncode == 0
    assert json.loads(done.stdout)["provenance"]["text"]["rule"] == "div.entry-content"


def test_annotated_pages_give_blogbuster_rules(posterity: Callable[..., CompletedProcess[str]], tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text("<div class=post><h2 class=t>Tides</h2><p class=b>The tide came in.</p></div>")
    (tmp_path / "a.json").write_text('{"posts": [{"title": "Tides", "text": "The tide came in."}]}')
    done = posterity("learn", "--annotated", tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert 'name = "annotated"' in done.stdout


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("learn",), "The file or URL of a feed is missing"),
        (("learn", "feed.json"), "The pages are missing"),
        (("learn", "nothing.xml", "--pages", "."), "cannot be read"),
        (("learn", "feed.json", "--annotated", "."), "cannot be combined with a feed"),
        (("learn", "--annotated", "nowhere"), "is not a folder"),
        (("learn", "feed.json", "--pages", ".", "--fetch"), "leave one of them out"),
    ],
)
def test_what_is_missing_is_said(
    posterity: Callable[..., CompletedProcess[str]], arguments: tuple[str, ...], says: str
) -> None:
    done = posterity(*arguments)
    assert done.returncode != 0
    assert says in done.stderr


@pytest.mark.parametrize(
    ("feed", "code", "says"),
    [
        ("<html>no feed</html>", 5, "The feed {} cannot be read: it is neither RSS, Atom nor JSON Feed."),
        ('<rss version="2.0"><channel><title>t</title></channel></rss>', 5, "The feed {} has no entries"),
        (
            '<rss version="2.0"><channel><item><title>t</title><link>/a/</link></item></channel></rss>',
            4,
            "No entry of the feed {} links to a page. If its links are relative, add --url URL.",
        ),
    ],
)
def test_feed_that_teaches_nothing_is_named(
    posterity: Callable[..., CompletedProcess[str]], tmp_path: Path, feed: str, code: int, says: str
) -> None:
    file = tmp_path / "feed.xml"
    file.write_text(feed)
    done = posterity("learn", file, "--pages", tmp_path)
    assert done.returncode == code
    assert says.format(file) in done.stderr


def test_rules_say_when_they_were_learned(posterity: Callable[..., CompletedProcess[str]], mirror: Path) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    rules = json.loads(posterity("learn", mirror / "feed.json", "--pages", mirror).stdout)
    assert before <= datetime.fromisoformat(rules["learned_at"]) <= datetime.now(UTC)


def test_miniflux_gets_the_address_that_the_feed_says_of_itself(
    posterity: Callable[..., CompletedProcess[str]], mirror: Path, tmp_path: Path
) -> None:
    told = json.loads(posterity("learn", mirror / "feed.json", "--pages", mirror, "--format", "miniflux").stdout)
    assert told["feed_url"] == f"{BASE}/feed/json/"
    silent = json.loads((mirror / "feed.json").read_bytes())
    del silent["feed_url"]
    (tmp_path / "silent.json").write_text(json.dumps(silent))
    done = posterity("learn", tmp_path / "silent.json", "--pages", mirror, "--format", "miniflux")
    assert (json.loads(done.stdout)["feed_url"], "add --url URL" in done.stderr) == ("", True)
    named = ("--url", f"{BASE}/feed", "--format", "miniflux")
    done = posterity("learn", tmp_path / "silent.json", "--pages", mirror, *named)
    assert (json.loads(done.stdout)["feed_url"], done.stderr) == (f"{BASE}/feed", "")


@pytest.mark.parametrize("arguments", [(), ("feed.json",), ("feed.json", "--pages", ".", "--url", "nowhere")])
def test_command_line_without_sense_is_exit_code_two(
    posterity: Callable[..., CompletedProcess[str]], arguments: tuple[str, ...]
) -> None:
    assert posterity("learn", *arguments).returncode == 2
