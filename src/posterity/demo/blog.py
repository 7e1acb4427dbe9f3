"""The demo blog as a value: entries with URLs, rendered articles and comment threads."""

from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from html import escape
from typing import Literal
from urllib.parse import urlencode

from posterity.demo.posts import (
    DemoComment,
    DemoImage,
    DemoPost,
    Masthead,
    all_posts,
    masthead,
    plain_text,
    rendered_article,
    shorten,
)

Theme = Literal["harbour", "attic"]
FeedKind = Literal["full", "summary", "titles", "none", "broken"]
FeedFormat = Literal["rss", "atom", "json"]
Permalink = Literal["dated", "query", "flat"]


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """The options of one variant of the blog.

    `base_url` is scheme, host and port without a trailing slash; `prefix` is the folder of the blog. `theme_change` is
    an ISO date: posts before it have the other theme. `posts_limit` keeps only the oldest posts; a larger limit is the
    same blog at a later time.
    """

    base_url: str = "http://127.0.0.1:0"
    theme: Theme = "harbour"
    theme_change: str | None = None
    feed: FeedKind = "full"
    feed_format: FeedFormat = "rss"
    feed_entries: int = 10
    comment_feed_entries: int = 10
    authors_in_feed: bool = True
    authors_on_page: bool = True
    sitemap: bool = True
    permalink: Permalink = "dated"
    prefix: str = ""
    posts_limit: int | None = None


DEFAULTS = SiteOptions()

FEED_PATHS: dict[Permalink, dict[FeedFormat, str]] = {
    "dated": {"rss": "/feed/", "atom": "/feed/atom/", "json": "/feed/json/"},
    "query": {"rss": "/?feed=rss2", "atom": "/?feed=atom", "json": "/?feed=json"},
    "flat": {"rss": "/feed.xml", "atom": "/atom.xml", "json": "/feed.json"},
}
COMMENTS_FEED_PATHS: dict[Permalink, str] = {
    "dated": "/comments/feed/",
    "query": "/?feed=comments",
    "flat": "/comments.xml",
}


@dataclass(frozen=True, slots=True)
class BlogUrls:
    """The paths of one variant of the blog."""

    options: SiteOptions

    def absolute(self, path: str) -> str:
        """Return the full URL of a path."""
        return self.options.base_url + path

    def post(self, post: DemoPost) -> str:
        """Return the path of a post's page."""
        match self.options.permalink:
            case "dated":
                return f"{self.options.prefix}/{post.published:%Y/%m/%d}/{post.slug}/"
            case "query":
                return f"{self.options.prefix}/?p={post.number}"
            case "flat":
                return f"{self.options.prefix}/{post.slug}.html"

    def comments_of(self, post: DemoPost) -> str:
        """Return the path of the comment feed of one post."""
        if self.options.permalink == "query":
            return f"{self.options.prefix}/?feed=comments&p={post.number}"
        path = self.post(post)
        return f"{path}feed/" if path.endswith("/") else f"{path}/feed/"

    def front(self, page: int = 1) -> str:
        """Return the path of a page of the front page."""
        return self._listing("", page)

    def tag(self, tag: str, page: int = 1) -> str:
        """Return the path of a page of the posts with a tag."""
        return self._listing("tag", page, tag)

    def author(self, slug: str, page: int = 1) -> str:
        """Return the path of a page of the posts of an author."""
        return self._listing("author", page, slug)

    def year(self, year: int) -> str:
        """Return the path of the archive of a year."""
        match self.options.permalink:
            case "dated":
                return f"{self.options.prefix}/{year}/"
            case "query":
                return f"{self.options.prefix}/?m={year}"
            case "flat":
                return f"{self.options.prefix}/archive/{year}.html"

    def image(self, name: str) -> str:
        """Return the path of an image."""
        return f"{self.options.prefix}/images/{name}"

    def stylesheet(self, theme: str) -> str:
        """Return the path of a theme's stylesheet."""
        return f"{self.options.prefix}/assets/{theme}.css"

    @property
    def feed(self) -> str:
        """The path of the feed of posts."""
        return self.options.prefix + FEED_PATHS[self.options.permalink][self.options.feed_format]

    @property
    def comments_feed(self) -> str:
        """The path of the feed of all comments."""
        return self.options.prefix + COMMENTS_FEED_PATHS[self.options.permalink]

    @property
    def about(self) -> str:
        """The path of the page about the authors."""
        return f"{self.options.prefix}/about/"

    @property
    def missing(self) -> str:
        """The path of the 404 page."""
        return f"{self.options.prefix}/404.html"

    @property
    def sitemap(self) -> str:
        """The path of the sitemap."""
        return f"{self.options.prefix}/sitemap.xml"

    def _listing(self, kind: str, page: int, name: str = "") -> str:
        if self.options.permalink == "query":
            query = ({kind: name} if kind else {}) | ({"paged": str(page)} if page > 1 else {})
            return f"{self.options.prefix}/{'?' if query else ''}{urlencode(query)}"
        folder = f"{self.options.prefix}/{kind}/{name}" if kind else self.options.prefix
        if self.options.permalink == "dated":
            return f"{folder}/page/{page}/" if page > 1 else f"{folder}/"
        if not kind:
            return f"{folder}/page/{page}.html" if page > 1 else f"{folder}/"
        return f"{folder}-{page}.html" if page > 1 else f"{folder}.html"


RELATED_POSTS = 3


@dataclass(frozen=True, slots=True)
class DemoThread:
    """A comment and the threads of its replies."""

    comment: DemoComment
    replies: tuple["DemoThread", ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A post with its place on this blog; `feed_html` is the article with full URLs."""

    post: DemoPost
    path: str
    url: str
    theme: Theme
    html: str
    feed_html: str
    text: str
    images: tuple[DemoImage, ...]
    comments_path: str | None

    @property
    def excerpt(self) -> str:
        """The first words of the article."""
        return shorten(self.text)

    @property
    def threads(self) -> tuple[DemoThread, ...]:
        """The comments, nested as replies."""
        return _threads(self.post.comments, None)


@dataclass(frozen=True)
class DemoBlog:
    """One variant of the blog; entries are newest first."""

    options: SiteOptions
    urls: BlogUrls
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
    def comments(self) -> tuple[tuple[Entry, DemoComment], ...]:
        """Every comment with the entry it is under, newest first."""
        pairs = [(entry, comment) for entry in self.entries for comment in entry.post.comments]
        return tuple(sorted(pairs, key=lambda pair: (pair[1].published, pair[1].id), reverse=True))

    @cached_property
    def modified(self) -> datetime:
        """The time of the last change on the blog."""
        return max(entry.post.modified for entry in self.entries)

    @property
    def feed_shown(self) -> tuple[Entry, ...]:
        """The entries that the feed of posts lists."""
        return () if self.options.feed == "none" else self.entries[: self.options.feed_entries]

    def related(self, entry: Entry) -> tuple[Entry, ...]:
        """Return the entries with most tags in common with this one, newest first among equals."""
        others = [other for other in self.entries if other is not entry]
        tags = set(entry.post.tags)
        return tuple(sorted(others, key=lambda other: -len(tags & set(other.post.tags)))[:RELATED_POSTS])

    def newer(self, entry: Entry) -> Entry | None:
        """Return the next newer entry, or None."""
        position = self.entries.index(entry)
        return self.entries[position - 1] if position else None

    def older(self, entry: Entry) -> Entry | None:
        """Return the next older entry, or None."""
        return next(iter(self.entries[self.entries.index(entry) + 1 :]), None)


def blog_of(options: SiteOptions) -> DemoBlog:
    """Return the blog with these options."""
    urls = BlogUrls(options)
    entries = [_entry(post, options, urls) for post in all_posts()[: options.posts_limit]]
    return DemoBlog(options, urls, masthead(), tuple(reversed(entries)))


def comment_html(comment: DemoComment) -> str:
    """Return the paragraphs of a comment as HTML."""
    paragraphs = comment.text.strip().split("\n\n")
    return "\n".join(f"<p>{escape(paragraph, quote=False)}</p>" for paragraph in paragraphs)


def _entry(post: DemoPost, options: SiteOptions, urls: BlogUrls) -> Entry:
    path = urls.post(post)
    on_page = rendered_article(post.markdown, lambda name: _url(name, urls))
    in_feed = rendered_article(post.markdown, lambda name: urls.absolute(_url(name, urls)))
    has_comment_feed = bool(post.comments) and options.feed != "none"
    return Entry(
        post=post,
        path=path,
        url=urls.absolute(path),
        theme=_theme(post, options),
        html=on_page.html,
        feed_html=in_feed.html,
        text=plain_text(on_page.html),
        images=on_page.images,
        comments_path=urls.comments_of(post) if has_comment_feed else None,
    )


def _url(name: str, urls: BlogUrls) -> str:
    kind, _, rest = name.partition(":")
    if kind == "image":
        return urls.image(rest)
    return urls.post(next(post for post in all_posts() if post.slug == rest))


def _theme(post: DemoPost, options: SiteOptions) -> Theme:
    if options.theme_change is None or post.published.date().isoformat() >= options.theme_change:
        return options.theme
    return "attic" if options.theme == "harbour" else "harbour"


def _threads(comments: tuple[DemoComment, ...], parent: int | None) -> tuple[DemoThread, ...]:
    return tuple(
        DemoThread(comment, _threads(comments, comment.id)) for comment in comments if comment.parent == parent
    )
