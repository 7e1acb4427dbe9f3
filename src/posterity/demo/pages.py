"""The HTML pages of the blog in both themes, with robots.txt, sitemap and stylesheets."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from email.utils import format_datetime
from functools import cache, partial
from math import ceil

from jinja2 import Environment, FunctionLoader, StrictUndefined

from posterity.demo.blog import DemoBlog, Entry, Theme, comment_html
from posterity.demo.posts import DemoComment, package_data, rendered_article

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def day_month_year(moment: datetime) -> str:
    """Return a date like `12 March 2021`."""
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"


def month_day_year(moment: datetime) -> str:
    """Return a date like `March 12, 2021`."""
    return f"{MONTHS[moment.month - 1]} {moment.day}, {moment.year}"


def dotted_date(moment: datetime) -> str:
    """Return a date like `12.03.2021`."""
    return f"{moment:%d.%m.%Y}"


def rfc822(moment: datetime) -> str:
    """Return a date like `Fri, 12 Mar 2021 21:10:00 +0000`, as RSS wants it."""
    return format_datetime(moment)


def fill_template(template: str, **values: object) -> str:
    """Return a template with its values; what a template does not call safe is escaped."""
    return _environment().get_template(template).render(**values)


def template_source(name: str) -> str:
    """Return a file of the templates folder as it is."""
    return package_data().joinpath("templates", *name.split("/")).read_text("utf-8")


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(template_source),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "comment_html": comment_html,
        "day_month_year": day_month_year,
        "dotted": dotted_date,
        "month_day_year": month_day_year,
        "rfc822": rfc822,
    }
    return environment


@dataclass(frozen=True, slots=True)
class Resource:
    """One response of the blog."""

    content_type: str
    body: bytes
    modified: datetime
    status: int = 200


HTML = "text/html; charset=utf-8"
POSTS_A_PAGE = 6
THEMES: tuple[Theme, ...] = ("harbour", "attic")


def page_resources(blog: DemoBlog) -> dict[str, Resource]:
    """Return everything on the blog that is neither feed nor image."""
    resources = dict(_single_pages(blog))
    for title, entries, path_of in _listings(blog):
        resources |= _listing_pages(blog, title, entries, path_of)
    for year in blog.years:
        entries = [entry for entry in blog.entries if entry.post.published.year == year]
        path = blog.urls.year(year)
        resources[path] = _page(blog, "year.html", path, year=year, entries=entries)
    for entry in blog.entries:
        resources[entry.path] = _post_page(blog, entry)
    return resources | _files(blog)


def _html(text: str, modified: datetime, status: int = 200) -> Resource:
    return Resource(HTML, text.encode(), modified, status)


def _page(blog: DemoBlog, template: str, path: str, status: int = 200, **values: object) -> Resource:
    text = fill_template(f"{blog.options.theme}/{template}", blog=blog, at=blog.urls, path=path, **values)
    return _html(text, blog.modified, status)


def _post_page(blog: DemoBlog, entry: Entry) -> Resource:
    text = fill_template(f"{entry.theme}/post.html", blog=blog, at=blog.urls, path=entry.path, entry=entry)
    return _html(text, entry.post.modified)


def _listings(blog: DemoBlog) -> Iterator[tuple[str, Sequence[Entry], Callable[[int], str]]]:
    yield "", blog.entries, blog.urls.front
    for tag, _ in blog.tags:
        tagged = [entry for entry in blog.entries if tag in entry.post.tags]
        yield f"Filed under {tag}", tagged, partial(blog.urls.tag, tag)
    for author in blog.masthead.authors if blog.options.authors_on_page else ():
        written = [entry for entry in blog.entries if entry.post.author == author.name]
        if written:
            yield f"Posts by {author.name}", written, partial(blog.urls.author, author.slug)


def _listing_pages(
    blog: DemoBlog, title: str, entries: Sequence[Entry], path_of: Callable[[int], str]
) -> dict[str, Resource]:
    last = ceil(len(entries) / POSTS_A_PAGE)
    return {
        path_of(page): _page(
            blog,
            "listing.html",
            path_of(page),
            title=title,
            entries=entries[(page - 1) * POSTS_A_PAGE : page * POSTS_A_PAGE],
            page=page,
            newer=path_of(page - 1) if page > 1 else None,
            older=path_of(page + 1) if page < last else None,
        )
        for page in range(1, last + 1)
    }


def _single_pages(blog: DemoBlog) -> Iterator[tuple[str, Resource]]:
    at = blog.urls
    about = rendered_article(package_data().joinpath("about.md").read_text("utf-8"), str)
    yield at.about, _page(blog, "page.html", at.about, title="About", content=about.html)
    sorry = "<p>The tide has been over this page. Nothing is left here.</p>"
    yield at.missing, _page(blog, "page.html", at.missing, status=404, title="Not found", content=sorry)
    if blog.options.prefix:
        # The host of a blog in a folder has a front page of its own, which is not part of the blog.
        yield "/", _html(fill_template("host.html", blog=blog, at=at), blog.modified)


def _files(blog: DemoBlog) -> dict[str, Resource]:
    at = blog.urls
    files = {
        at.stylesheet(theme): Resource(
            "text/css; charset=utf-8", template_source(f"{theme}/style.css").encode(), blog.entries[-1].post.published
        )
        for theme in THEMES
    }
    robots = "User-agent: *\nAllow: /\n"
    if blog.options.sitemap:
        robots += f"\nSitemap: {at.absolute(at.sitemap)}\n"
        sitemap = fill_template("sitemap.xml", blog=blog, at=at)
        files[at.sitemap] = Resource("application/xml; charset=utf-8", sitemap.encode(), blog.modified)
    # robots.txt belongs to the host, whatever folder the blog lives in.
    files["/robots.txt"] = Resource("text/plain; charset=utf-8", robots.encode(), blog.modified)
    return files


CONTENT_TYPES = {
    "rss": "application/rss+xml; charset=utf-8",
    "atom": "application/atom+xml; charset=utf-8",
    "json": "application/feed+json; charset=utf-8",
}


def feed_resources(blog: DemoBlog) -> dict[str, Resource]:
    """Return the feeds of posts and of comments; nothing at all for a blog without feeds."""
    if blog.options.feed == "none":
        return {}
    return {blog.urls.feed: _posts_feed(blog)} | dict(_comment_feeds(blog))


def _posts_feed(blog: DemoBlog) -> Resource:
    feed_format = blog.options.feed_format
    if feed_format == "json":
        text = json.dumps(_json_feed(blog), ensure_ascii=False, indent=1)
    else:
        text = fill_template(f"{feed_format}.xml", blog=blog, at=blog.urls, newest=blog.entries[0].post.published)
    if blog.options.feed == "broken":
        text = _broken(text)
    return Resource(CONTENT_TYPES[feed_format], text.encode(), blog.modified)


def _broken(feed: str) -> str:
    # Two faults of real feeds: an unescaped ampersand, and a response that is cut off.
    return feed.replace("Almanac", "Almanac & Sons", 1)[: len(feed) * 2 // 3]


def _json_feed(blog: DemoBlog) -> dict[str, object]:
    at = blog.urls
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": blog.masthead.title,
        "description": blog.masthead.tagline,
        "language": blog.masthead.language,
        "home_page_url": at.absolute(at.front()),
        "feed_url": at.absolute(at.feed),
        "items": [_json_item(blog, entry) for entry in blog.feed_shown],
    }


def _json_item(blog: DemoBlog, entry: Entry) -> dict[str, object]:
    item: dict[str, object] = {
        "id": entry.url,
        "url": entry.url,
        "title": entry.post.title,
        "date_published": entry.post.published.isoformat(),
        "language": entry.post.language,
        "tags": list(entry.post.tags),
    }
    if blog.options.authors_in_feed:
        item["authors"] = [{"name": entry.post.author}]
    match blog.options.feed:
        case "titles":
            # The format requires content; an empty one is what title-only feeds send.
            return item | {"content_text": ""}
        case "summary":
            return item | {"content_text": entry.excerpt}
        case _:
            return item | {"content_html": entry.feed_html, "summary": entry.excerpt}


def _comment_feeds(blog: DemoBlog) -> Iterator[tuple[str, Resource]]:
    at, title = blog.urls, blog.masthead.title
    if blog.comments:
        yield (
            at.comments_feed,
            _comments_feed(blog, f"Comments on {title}", at.front(), at.comments_feed, blog.comments),
        )
    for entry in blog.entries:
        if entry.comments_path:
            pairs = [(entry, comment) for comment in reversed(entry.post.comments)]
            feed_title = f"Comments on: {entry.post.title}"
            yield entry.comments_path, _comments_feed(blog, feed_title, entry.path, entry.comments_path, pairs)


def _comments_feed(
    blog: DemoBlog, title: str, page: str, path: str, pairs: Sequence[tuple[Entry, DemoComment]]
) -> Resource:
    # JSON Feed has no word for comments, so a blog with a JSON feed keeps RSS for these.
    feed_format = "atom" if blog.options.feed_format == "atom" else "rss"
    text = fill_template(
        f"comments_{feed_format}.xml",
        blog=blog,
        title=title,
        page=blog.urls.absolute(page),
        url=blog.urls.absolute(path),
        pairs=pairs[: blog.options.comment_feed_entries],
    )
    return Resource(CONTENT_TYPES[feed_format], text.encode(), pairs[0][1].published)
