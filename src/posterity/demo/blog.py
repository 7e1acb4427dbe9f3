"""The blog as its pages and feeds see it: entries with addresses, rendered articles and comment threads."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from html import escape

from posterity.demo.addresses import Addresses
from posterity.demo.article import Image, rendered_article
from posterity.demo.options import SiteOptions, Theme
from posterity.demo.plain_text import plain_text, shortened
from posterity.demo.posts import Comment, Masthead, Post, all_posts, masthead

RELATED_POSTS = 3


@dataclass(frozen=True, slots=True)
class Thread:
    """A comment and the threads that answer it."""

    comment: Comment
    replies: tuple["Thread", ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A post with its place on this blog; `feed_html` is the article with full addresses."""

    post: Post
    path: str
    url: str
    theme: Theme
    html: str
    feed_html: str
    text: str
    images: tuple[Image, ...]
    comments_path: str | None

    @property
    def excerpt(self) -> str:
        """The first words of the article."""
        return shortened(self.text)

    @property
    def threads(self) -> tuple[Thread, ...]:
        """The comments, nested as they answer each other."""
        return _threads(self.post.comments, None)


@dataclass(frozen=True)
class Blog:
    """One variant of the blog; entries stand newest first."""

    options: SiteOptions
    addresses: Addresses
    masthead: Masthead
    entries: tuple[Entry, ...]

    @cached_property
    def tags(self) -> tuple[tuple[str, int], ...]:
        """Every tag with the number of its posts, in alphabetical order."""
        return tuple(sorted(Counter(tag for entry in self.entries for tag in entry.post.tags).items()))

    @cached_property
    def years(self) -> tuple[int, ...]:
        """The years with posts, newest first."""
        return tuple(sorted({entry.post.published.year for entry in self.entries}, reverse=True))

    @cached_property
    def comments(self) -> tuple[tuple[Entry, Comment], ...]:
        """Every comment with the entry it stands under, newest first."""
        pairs = [(entry, comment) for entry in self.entries for comment in entry.post.comments]
        return tuple(sorted(pairs, key=lambda pair: (pair[1].published, pair[1].id), reverse=True))

    @cached_property
    def modified(self) -> datetime:
        """The last moment at which anything on the blog changed."""
        return max(entry.post.modified for entry in self.entries)

    @property
    def feed_shown(self) -> tuple[Entry, ...]:
        """The entries that the feed of posts lists."""
        return () if self.options.feed == "none" else self.entries[: self.options.feed_entries]

    def related(self, entry: Entry) -> tuple[Entry, ...]:
        """Return the entries that share most tags with this one, newest first among equals."""
        others = [other for other in self.entries if other is not entry]
        tags = set(entry.post.tags)
        return tuple(sorted(others, key=lambda other: -len(tags & set(other.post.tags)))[:RELATED_POSTS])

    def newer(self, entry: Entry) -> Entry | None:
        """Return the entry that came after this one."""
        position = self.entries.index(entry)
        return self.entries[position - 1] if position else None

    def older(self, entry: Entry) -> Entry | None:
        """Return the entry that came before this one."""
        return next(iter(self.entries[self.entries.index(entry) + 1 :]), None)


def blog_of(options: SiteOptions) -> Blog:
    """Return the blog as these options want it."""
    addresses = Addresses(options)
    posts = all_posts()[: options.posts_limit]
    entries = [_entry(post, options, addresses) for post in posts]
    return Blog(options, addresses, masthead(), tuple(reversed(entries)))


def comment_html(comment: Comment) -> str:
    """Return the paragraphs of a comment."""
    paragraphs = comment.text.strip().split("\n\n")
    return "\n".join(f"<p>{escape(paragraph, quote=False)}</p>" for paragraph in paragraphs)


def _entry(post: Post, options: SiteOptions, addresses: Addresses) -> Entry:
    path = addresses.post(post)
    on_page = rendered_article(post.markdown, lambda name: _address(name, addresses))
    in_feed = rendered_article(post.markdown, lambda name: addresses.absolute(_address(name, addresses)))
    has_comment_feed = bool(post.comments) and options.feed != "none"
    return Entry(
        post=post,
        path=path,
        url=addresses.absolute(path),
        theme=_theme(post, options),
        html=on_page.html,
        feed_html=in_feed.html,
        text=plain_text(on_page.html),
        images=on_page.images,
        comments_path=addresses.comments_of(post) if has_comment_feed else None,
    )


def _address(name: str, addresses: Addresses) -> str:
    kind, _, rest = name.partition(":")
    if kind == "image":
        return addresses.image(rest)
    return addresses.post(next(post for post in all_posts() if post.slug == rest))


def _theme(post: Post, options: SiteOptions) -> Theme:
    if options.theme_change is None or post.published.date().isoformat() >= options.theme_change:
        return options.theme
    return "attic" if options.theme == "harbour" else "harbour"


def _threads(comments: tuple[Comment, ...], parent: int | None) -> tuple[Thread, ...]:
    return tuple(Thread(comment, _threads(comments, comment.id)) for comment in comments if comment.parent == parent)
