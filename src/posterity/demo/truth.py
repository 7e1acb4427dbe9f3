"""What is really on the blog, for tests to compare a harvest with."""

from dataclasses import dataclass
from datetime import datetime

from posterity.demo.article import Image
from posterity.demo.blog import Blog, Entry


@dataclass(frozen=True, slots=True)
class TrueComment:
    """A comment as it stands under a post, `id` and `parent` as in the page's anchors `comment-<id>`."""

    id: str
    parent: str | None
    author: str
    author_url: str | None
    published: datetime
    text: str


@dataclass(frozen=True, slots=True)
class TruePost:
    """A post as it stands on the blog.

    `author` is None where neither the page nor the feed tells it. `text` is the article alone: no title, no byline, no
    share bar, no comments. The `src` of an image is a path, like `path`. Comments stand in reading order.
    """

    path: str
    url: str
    title: str
    author: str | None
    published: datetime
    language: str
    tags: tuple[str, ...]
    text: str
    comments: tuple[TrueComment, ...]
    images: tuple[Image, ...]
    theme: str


def truth_of(blog: Blog) -> tuple[TruePost, ...]:
    """Return the posts of the blog, newest first."""
    return tuple(_true_post(entry, blog) for entry in blog.entries)


def _true_post(entry: Entry, blog: Blog) -> TruePost:
    options = blog.options
    author_told = options.authors_on_page or (options.authors_in_feed and entry in blog.feed_shown)
    return TruePost(
        path=entry.path,
        url=entry.url,
        title=entry.post.title,
        author=entry.post.author if author_told else None,
        published=entry.post.published,
        language=entry.post.language,
        tags=entry.post.tags,
        text=entry.text,
        comments=tuple(_true_comments(entry)),
        images=entry.images,
        theme=entry.theme,
    )


def _true_comments(entry: Entry) -> list[TrueComment]:
    waiting = list(reversed(entry.threads))
    found = []
    while waiting:
        thread = waiting.pop()
        comment = thread.comment
        parent = None if comment.parent is None else str(comment.parent)
        found.append(
            TrueComment(
                str(comment.id), parent, comment.author, comment.author_url, comment.published, comment.text.strip()
            )
        )
        waiting.extend(reversed(thread.replies))
    return found
