"""Posts whose pages show no date: the blog's lists tell it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
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


def days_in(archive: Path) -> dict[str | None, str | None]:
    with open_archive(archive) as store:
        return {post.title: post.published.date().isoformat() if post.published else None for post in store.posts()}


@pytest.fixture(scope="module")
def undated(posterity: Posterity, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of a blog that shows dates only in its lists of months."""
    archive = tmp_path_factory.mktemp("undated") / "archive"
    with served() as site:
        months = "".join(f"<a href='/2021/{number:02}/'>month {number}</a>" for number in (1, 2, 3))
        links = "".join(f"<p><a href='{path_of(name)}'>{name}</a></p>" for name in NAMES)
        site.pages = {path_of(name): ("text/html", page(name)) for name in NAMES}
        site.pages |= {f"/2021/{number:02}/": ("text/html", month(number)) for number in (1, 2, 3)}
        site.pages["/"] = ("text/html", f"{HEAD.format('')}{months}{links}</body></html>")
        in_feed = {name: path_of(name) for name in NAMES[:3]}
        site.pages["/feed.xml"] = ("application/rss+xml", feed(site.base, in_feed))
        harvested(posterity, site, archive)
    return archive


def test_lists_of_the_months_date_posts_that_do_not_say_when_they_were_written(undated: Path) -> None:
    found = days_in(undated)
    assert {name: found[name] for name in NAMES[3:]} == {name: DAYS[name] for name in NAMES[3:]}
    with open_archive(undated) as store:
        (post,) = (post for post in store.posts() if post.title == NAMES[3])
    assert (post.provenance["published"].rule or "").endswith("/2021/01/")
    assert post.revision == 1


def test_rebuilding_the_blog_keeps_the_dates_of_its_lists(undated: Path, posterity: Posterity) -> None:
    before = days_in(undated)
    ended = posterity("reextract", "127.0.0.1", "--archive", undated, "-q")
    assert (ended.returncode, days_in(undated)) == (0, before)


def test_import_of_somebody_elses_crawl_reads_the_lists_too(
    undated: Path, posterity: Posterity, tmp_path: Path
) -> None:
    ended = posterity("import", *undated.glob("warc/*.warc.gz"), "--archive", tmp_path / "copy", "-q")
    assert (ended.returncode, days_in(tmp_path / "copy")) == (0, days_in(undated))
