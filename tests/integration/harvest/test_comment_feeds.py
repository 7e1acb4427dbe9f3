"""A comment feed that is shorter than its post announces is enough to read all comments off the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from tests.integration.harvest.test_sources import HEAD, feed, harvested, served, text_of

from posterity.archive import open_archive

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Posterity

    from posterity.model import Comment

NAMES = ("tides", "bread", "radios", "salt", "rope", "lamps")
READERS = ("Ada", "Bob", "Cleo", "Dan", "Eve", "Finn", "Gita")
IN_FEED = 4
ANNOUNCED = f"<slash:comments>{len(READERS)}</slash:comments><wfw:commentRss>PATHremarks.xml</wfw:commentRss>"


def remark(name: str, reader: str) -> str:
    return f"{reader} was at the harbour too and has seen what you say of {name}, in the winter of the long frost."


def page(name: str) -> str:
    """A post below which nothing is called a comment."""
    remarks = "".join(
        f"<tr><td class='who'>{reader}</td><td class='what'><p>{remark(name, reader)}</p></td></tr>"
        for reader in READERS
    )
    return (
        f"<html><head><title>{name} - Blog</title></head><body><article><h1 class='title'>{name}</h1>"
        f"<time datetime='2021-03-{1 + len(name) % 28:02}'>a day</time><div class='body'><p>{text_of(name)}</p></div>"
        f"</article><table class='below'>{remarks}</table></body></html>"
    )


def remarks_feed(base: str, name: str) -> str:
    items = "".join(
        f"<item><title>By: {reader}</title><link>{base}/{name}/#comment-{number}</link>"
        f"<dc:creator>{reader}</dc:creator><description>{remark(name, reader)}</description></item>"
        for number, reader in enumerate(READERS[-IN_FEED:], 1)
    )
    space = "http://purl.org/dc/elements/1.1/"
    return f"<rss version='2.0' xmlns:dc='{space}'><channel><title>Remarks</title>{items}</channel></rss>"


def comments_in(archive: Path) -> dict[str, tuple[Comment, ...]]:
    with open_archive(archive) as store:
        return {post.title or "": post.comments for post in store.posts()}


def test_comments_made_again_are_those_of_the_harvest(posterity: Posterity, tmp_path: Path) -> None:
    archive = tmp_path / "archive"
    with served() as site:
        for name in NAMES:
            site.pages[f"/{name}/"] = ("text/html", page(name))
            site.pages[f"/{name}/remarks.xml"] = ("application/rss+xml", remarks_feed(site.base, name))
        links = "".join(f"<p><a href='/{name}/'>{name}</a></p>" for name in NAMES)
        site.pages["/"] = ("text/html", HEAD.format("") + links)
        site.pages["/feed.xml"] = ("text/xml", feed(site.base, {name: f"/{name}/" for name in NAMES}, ANNOUNCED))
        harvested(posterity, site, archive)
    found = comments_in(archive)
    assert {name: [comment.text for comment in some] for name, some in found.items()} == {
        name: [remark(name, reader) for reader in READERS] for name in NAMES
    }
    with open_archive(archive) as store:
        blog = store.blogs()[0]
        for post in list(store.posts()):
            store.put_post(msgspec.structs.replace(post, comments=()))
    assert set(comments_in(archive).values()) == {()}
    ended = posterity("reextract", blog.url, "--archive", archive)
    assert ended.returncode == 0, ended.stderr
    assert comments_in(archive) == found
