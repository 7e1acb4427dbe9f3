"""The feeds of the blog: its posts as RSS, Atom or JSON Feed, and its comments as RSS or Atom."""

import json
from collections.abc import Iterator, Sequence

from posterity.demo.blog import Blog, Entry
from posterity.demo.posts import Comment
from posterity.demo.resource import Resource
from posterity.demo.templating import filled

CONTENT_TYPES = {
    "rss": "application/rss+xml; charset=utf-8",
    "atom": "application/atom+xml; charset=utf-8",
    "json": "application/feed+json; charset=utf-8",
}


def feed_resources(blog: Blog) -> dict[str, Resource]:
    """Return the feeds of posts and of comments; nothing at all for a blog without feeds."""
    if blog.options.feed == "none":
        return {}
    return {blog.addresses.feed: _posts_feed(blog)} | dict(_comment_feeds(blog))


def _posts_feed(blog: Blog) -> Resource:
    feed_format = blog.options.feed_format
    if feed_format == "json":
        text = json.dumps(_json_feed(blog), ensure_ascii=False, indent=1)
    else:
        text = filled(f"{feed_format}.xml", blog=blog, at=blog.addresses, newest=blog.entries[0].post.published)
    if blog.options.feed == "broken":
        text = _broken(text)
    return Resource(CONTENT_TYPES[feed_format], text.encode(), blog.modified)


def _broken(feed: str) -> str:
    # Two faults of real feeds: an ampersand nobody escaped, and an answer cut off on the way.
    return feed.replace("Almanac", "Almanac & Sons", 1)[: len(feed) * 2 // 3]


def _json_feed(blog: Blog) -> dict[str, object]:
    at = blog.addresses
    return {
        "version": "https://jsonfeed.org/version/1.1",
        "title": blog.masthead.title,
        "description": blog.masthead.tagline,
        "language": blog.masthead.language,
        "home_page_url": at.absolute(at.front()),
        "feed_url": at.absolute(at.feed),
        "items": [_json_item(blog, entry) for entry in blog.feed_shown],
    }


def _json_item(blog: Blog, entry: Entry) -> dict[str, object]:
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
            # The format asks for a content; an empty one is what title-only feeds send.
            return item | {"content_text": ""}
        case "summary":
            return item | {"content_text": entry.excerpt}
        case _:
            return item | {"content_html": entry.feed_html, "summary": entry.excerpt}


def _comment_feeds(blog: Blog) -> Iterator[tuple[str, Resource]]:
    at, title = blog.addresses, blog.masthead.title
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


def _comments_feed(blog: Blog, title: str, page: str, path: str, pairs: Sequence[tuple[Entry, Comment]]) -> Resource:
    # JSON Feed has no word for comments, so a blog with a JSON feed keeps RSS for these.
    feed_format = "atom" if blog.options.feed_format == "atom" else "rss"
    text = filled(
        f"comments_{feed_format}.xml",
        blog=blog,
        title=title,
        page=blog.addresses.absolute(page),
        url=blog.addresses.absolute(path),
        pairs=pairs[: blog.options.comment_feed_entries],
    )
    return Resource(CONTENT_TYPES[feed_format], text.encode(), pairs[0][1].published)
