"""`posterity learn` on the address of a blog: feed found, pages fetched, rules printed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.cli.learn import fetch_pages
from posterity.demo.server import serving
from posterity.model import Feed, FeedEntry, RuleSet, from_json

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.conftest import Posterity, Response, Web


def test_address_of_a_blog_gives_its_rules(posterity: Posterity) -> None:
    with serving() as blog:
        ended = posterity("learn", f"{blog.base_url}/", "--delay", "0")
    assert (ended.returncode, ended.stderr) == (0, "")
    rules = from_json(ended.stdout.encode(), RuleSet)
    assert rules.rules_for("text")[0].rule.css == "div.entry-content"
    assert len(rules.evidence) == 10


def test_robots_txt_is_asked_before_any_page(posterity: Posterity) -> None:
    with serving() as blog:
        posterity("learn", f"{blog.base_url}/feed/", "--delay", "0")
        assert blog.requests[0][1] == "/robots.txt"


def test_feed_on_disk_without_pages_says_how_to_get_them(posterity: Posterity, tmp_path: Path) -> None:
    with serving() as blog:
        feed = blog.site["/feed/"].body
    file = tmp_path / "feed.xml"
    file.write_bytes(feed)
    ended = posterity("learn", str(file))
    assert ended.returncode == 2
    assert "--fetch" in ended.stderr


def test_pages_that_cannot_be_fetched_teach_nothing(posterity: Posterity, tmp_path: Path) -> None:
    file = tmp_path / "feed.xml"
    item = "<item><title>Tides</title><link>http://127.0.0.1:1/tides/</link></item>"
    file.write_text(f'<rss version="2.0"><channel>{item}</channel></rss>')
    ended = posterity("learn", str(file), "--url", "http://127.0.0.1:1/feed/", "--fetch", "--delay", "0")
    assert ended.returncode == 5
    assert "None of the pages that the feed http://127.0.0.1:1/feed/ links to could be fetched." in ended.stderr


def test_a_long_feed_costs_twenty_pages(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> None:
    web = serve({f"/{number}": response("<p>Hello</p>") for number in range(30)})
    feed = Feed(
        url=f"{web.base_url}/feed",
        format="rss20",
        entries=tuple(FeedEntry(link=f"{web.base_url}/{number}") for number in range(30)),
    )
    assert len(fetch_pages(feed, 0)) == 20
    assert [path for path in web.paths if path != "/robots.txt"] == [f"/{number}" for number in range(20)]
