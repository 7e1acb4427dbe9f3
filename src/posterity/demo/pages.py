"""The HTML pages of the blog in both themes, with robots.txt, sitemap and stylesheets."""

from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import partial
from math import ceil

from posterity.demo.article import rendered_article
from posterity.demo.blog import Blog, Entry
from posterity.demo.options import Theme
from posterity.demo.posts import package_data
from posterity.demo.resource import Resource
from posterity.demo.templating import filled, template_source

HTML = "text/html; charset=utf-8"
POSTS_A_PAGE = 6
THEMES: tuple[Theme, ...] = ("harbour", "attic")


def page_resources(blog: Blog) -> dict[str, Resource]:
    """Return everything on the blog that is neither feed nor image."""
    resources = dict(_single_pages(blog))
    for title, entries, address in _listings(blog):
        resources |= _listing_pages(blog, title, entries, address)
    for year in blog.years:
        entries = [entry for entry in blog.entries if entry.post.published.year == year]
        path = blog.addresses.year(year)
        resources[path] = _page(blog, "year.html", path, year=year, entries=entries)
    for entry in blog.entries:
        resources[entry.path] = _post_page(blog, entry)
    return resources | _files(blog)


def _html(text: str, modified: datetime, status: int = 200) -> Resource:
    return Resource(HTML, text.encode(), modified, status)


def _page(blog: Blog, template: str, path: str, status: int = 200, **values: object) -> Resource:
    text = filled(f"{blog.options.theme}/{template}", blog=blog, at=blog.addresses, path=path, **values)
    return _html(text, blog.modified, status)


def _post_page(blog: Blog, entry: Entry) -> Resource:
    text = filled(f"{entry.theme}/post.html", blog=blog, at=blog.addresses, path=entry.path, entry=entry)
    return _html(text, entry.post.modified)


def _listings(blog: Blog) -> Iterator[tuple[str, Sequence[Entry], Callable[[int], str]]]:
    yield "", blog.entries, blog.addresses.front
    for tag, _ in blog.tags:
        tagged = [entry for entry in blog.entries if tag in entry.post.tags]
        yield f"Filed under {tag}", tagged, partial(blog.addresses.tag, tag)
    for author in blog.masthead.authors if blog.options.authors_on_page else ():
        written = [entry for entry in blog.entries if entry.post.author == author.name]
        if written:
            yield f"Posts by {author.name}", written, partial(blog.addresses.author, author.slug)


def _listing_pages(
    blog: Blog, title: str, entries: Sequence[Entry], address: Callable[[int], str]
) -> dict[str, Resource]:
    last = ceil(len(entries) / POSTS_A_PAGE)
    return {
        address(page): _page(
            blog,
            "listing.html",
            address(page),
            title=title,
            entries=entries[(page - 1) * POSTS_A_PAGE : page * POSTS_A_PAGE],
            page=page,
            newer=address(page - 1) if page > 1 else None,
            older=address(page + 1) if page < last else None,
        )
        for page in range(1, last + 1)
    }


def _single_pages(blog: Blog) -> Iterator[tuple[str, Resource]]:
    at = blog.addresses
    about = rendered_article(package_data().joinpath("about.md").read_text("utf-8"), str)
    yield at.about, _page(blog, "page.html", at.about, title="About", content=about.html)
    sorry = "<p>The tide has been over this page. Nothing is left here.</p>"
    yield at.missing, _page(blog, "page.html", at.missing, status=404, title="Not found", content=sorry)
    if blog.options.prefix:
        # The host of a blog in a folder has a front page of its own, which is not part of the blog.
        yield "/", _html(filled("host.html", blog=blog, at=at), blog.modified)


def _files(blog: Blog) -> dict[str, Resource]:
    at = blog.addresses
    files = {
        at.stylesheet(theme): Resource(
            "text/css; charset=utf-8", template_source(f"{theme}/style.css").encode(), blog.entries[-1].post.published
        )
        for theme in THEMES
    }
    robots = "User-agent: *\nAllow: /\n"
    if blog.options.sitemap:
        robots += f"\nSitemap: {at.absolute(at.sitemap)}\n"
        sitemap = filled("sitemap.xml", blog=blog, at=at)
        files[at.sitemap] = Resource("application/xml; charset=utf-8", sitemap.encode(), blog.modified)
    # robots.txt belongs to the host, whatever folder the blog lives in.
    files["/robots.txt"] = Resource("text/plain; charset=utf-8", robots.encode(), blog.modified)
    return files
