"""An ordinary blog made from posts, for situations that change one thing about it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.zoo.blog import Post, Site, text, xml
from tests.zoo.feeds import Extent, rss_of, sitemap_of
from tests.zoo.pages import MODERN, Theme, framed, list_page, neighbours, post_page
from tests.zoo.words import writer

if TYPE_CHECKING:
    from collections.abc import Sequence

PER_PAGE = 5


def feed_link(href: str, kind: str = "application/rss+xml", title: str = "Feed") -> str:
    """Return the element that declares a feed."""
    return f'<link rel="alternate" type="{kind}" title="{title}" href="{href}">'


def blog_site(
    posts: Sequence[Post],
    *,
    theme: Theme = MODERN,
    feed: str | None = "/feed.xml",
    listed: int = 10,
    extent: Extent = "full",
    paging: str | None = "/page/{}/",
    sitemap: bool = False,
    linked: bool = True,
) -> Site:
    """Return a blog with post pages, a front page with older pages, a page about it, tag pages and a feed.

    `feed`, `paging` and `sitemap` may be left out; `linked` posts have links to their neighbours.
    """
    if feed:
        theme = replace(theme, head=theme.head + feed_link(feed))
    site = Site()
    add_posts(site, posts, theme, linked=linked)
    add_front(site, posts, theme, paging=paging)
    add_about(site, theme)
    for tag in sorted({tag for post in posts for tag in post.tags}):
        tagged = [post for post in posts if tag in post.tags]
        site.pages[f"/tags/{tag}/"] = list_page(theme, f"Tagged {tag}", tagged)
    if feed:
        site.pages[feed] = xml(rss_of(posts[:listed], extent=extent), "application/rss+xml")
    if sitemap:
        site.pages["/sitemap.xml"] = xml(sitemap_of(["/", "/about/", *(post.href for post in posts)]))
        site.pages["/robots.txt"] = text("User-agent: *\nAllow: /\nSitemap: @ORIGIN@/sitemap.xml\n")
    return site


def add_posts(
    site: Site, posts: Sequence[Post], theme: Theme = MODERN, *, linked: bool = False, head: str = ""
) -> None:
    """Add the pages of posts, with or without links to their neighbours."""
    for place, post in enumerate(posts):
        after = neighbours(posts, place) if linked else ""
        site.pages[post.path] = post_page(theme, post, after=after, head=head)


def add_front(
    site: Site, posts: Sequence[Post], theme: Theme = MODERN, *, at: str = "/", paging: str | None = "/page/{}/"
) -> None:
    """Add the front page, and its older pages when `paging` has a pattern for their paths."""
    last = (len(posts) + PER_PAGE - 1) // PER_PAGE if paging else 1
    for number in range(1, max(last, 1) + 1):
        shown = posts[(number - 1) * PER_PAGE : number * PER_PAGE]
        older = (
            f'<a class="older" href="{paging.format(number + 1)}">Older posts</a>' if paging and number < last else ""
        )
        path = at if number == 1 or not paging else paging.format(number)
        site.pages[path] = list_page(theme, theme.name, shown, after=f'<p class="paging">{older}</p>')


def add_about(site: Site, theme: Theme = MODERN, path: str = "/about/") -> None:
    """Add the page about the blog, which is not a post."""
    hand = writer("about")
    body = f"<h1>About</h1><p>{hand.paragraph()}</p><p>{hand.paragraph()}</p>"
    site.pages[path] = framed(theme, "About", f'<div class="page">{body}</div>')
