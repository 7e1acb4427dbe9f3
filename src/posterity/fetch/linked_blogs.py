"""What a harvested blog links to, read from the archive: its blogroll, its posts, and the people who commented."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.discover.blogroll import link_pages, recommended_links
from posterity.discover.candidates import Mention
from posterity.dom import parse
from posterity.errors import ArchiveError, UnreadablePage
from posterity.model import WarcPointer
from posterity.urls import Scope, place_key

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.archive import Archive
    from posterity.dom import Document
    from posterity.model import Blog

_OK = 200


def mentions_by(archive: Archive, blog: Blog) -> Iterator[Mention]:
    """Yield every link of the blog to another host, each address once for every post that has it."""
    scope = Scope.of(blog.url)
    in_posts: set[str] = set()
    for post in archive.posts(blog.id):
        in_posts |= {place_key(link) for link in post.links}
        for link in dict.fromkeys(post.links):
            if not scope.is_on_host(link):
                yield Mention(blog.id, "post", link)
        for url in dict.fromkeys(comment.author_url for comment in post.comments if comment.author_url):
            if not scope.is_on_host(url):
                yield Mention(blog.id, "comment", url)
    yield from _blogroll(archive, blog, in_posts)


def _blogroll(archive: Archive, blog: Blog, in_posts: set[str]) -> Iterator[Mention]:
    home = _stored_page(archive, blog.url)
    if home is None:
        return
    found = dict.fromkeys(recommended_links(home, blog.url, in_posts))
    for url in link_pages(home, blog.url):
        page = _stored_page(archive, url)
        if page is not None:
            found |= dict.fromkeys(recommended_links(page, blog.url))
    yield from (Mention(blog.id, "blogroll", link) for link in found)


def _stored_page(archive: Archive, url: str) -> Document | None:
    for capture in reversed(archive.captures(url)):
        if capture.status == _OK and "html" in (capture.mime or "html"):
            try:
                page = archive.read_page(WarcPointer(capture.file, capture.offset, capture.record_id))
                return parse(page.body, page.url, page.content_type)
            except (ArchiveError, UnreadablePage):
                continue
    return None
