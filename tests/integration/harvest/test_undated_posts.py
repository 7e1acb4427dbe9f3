"""Posts whose pages show no date: the blog's lists tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.integration.harvest.test_sources import HEAD, feed, harvested, served, text_of

from posterity.archive import open_archive

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Posterity

NAMES = [f"{what} {number}" for what in ("tides", "bread", "radios") for number in range(1, 9)]
DAYS = {name: f"2021-{1 + number // 8:02}-{1 + number % 8:02}" for number, name in enumerate(NAMES)}


def path_of(name: str) -> str:
    return f"/{DAYS[name][:4]}/{DAYS[name][5:7]}/{name.replace(' ', '-')}.html"


def page(name: str) -> str:
    return f"<html><body><h1>{name}</h1><div class='body'><p>{text_of(name)}</p></div></body></html>"


def month(number: int) -> str:
    lines = [
        f"<li><span>{DAYS[name]}</span> <a href='{path_of(name)}'>{name}</a></li>"
        for name in NAMES
        if int(DAYS[name][5:7]) == number
    ]
    return f"<html><body><h1>Month {number}</h1><ul>{''.join(lines)}</ul></body></html>"


def test_lists_of_the_months_date_posts_that_do_not_say_when_they_were_written(
    posterity: Posterity, tmp_path: Path
) -> None:
    with served() as site:
        months = "".join(f"<a href='/2021/{number:02}/'>month {number}</a>" for number in (1, 2, 3))
        links = "".join(f"<p><a href='{path_of(name)}'>{name}</a></p>" for name in NAMES)
        site.pages = {path_of(name): ("text/html", page(name)) for name in NAMES}
        site.pages |= {f"/2021/{number:02}/": ("text/html", month(number)) for number in (1, 2, 3)}
        site.pages["/"] = ("text/html", f"{HEAD.format('')}{months}{links}</body></html>")
        feed_dates = feed(site.base, {name: path_of(name) for name in NAMES[:3]})
        site.pages["/feed.xml"] = ("application/rss+xml", feed_dates)
        found = harvested(posterity, site, tmp_path / "archive")
        assert len(found["posts"]) == len(NAMES)
        with open_archive(tmp_path / "archive") as store:
            posts = {post.title: post for post in store.posts()}
    shown = {name: posts[name].published for name in NAMES[3:]}
    assert {name: day and day.date().isoformat() for name, day in shown.items()} == {
        name: DAYS[name] for name in NAMES[3:]
    }
    assert posts[NAMES[3]].provenance["published"].rule == f"listed on {site.base}/2021/01/"
    assert {post.revision for post in posts.values()} == {1}
