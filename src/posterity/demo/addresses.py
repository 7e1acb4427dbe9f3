"""Where everything on the blog lives, in three permalink styles.

Paths start at the root of the host, carry the blog's folder and, in the "query" style, the query.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from posterity.demo.options import FeedFormat, Permalink, SiteOptions
from posterity.demo.posts import Post

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
class Addresses:
    """The paths of one variant of the blog."""

    options: SiteOptions

    def absolute(self, path: str) -> str:
        """Return the full address of a path."""
        return self.options.base_url + path

    def post(self, post: Post) -> str:
        """Return the path of a post's page."""
        match self.options.permalink:
            case "dated":
                return f"{self.options.prefix}/{post.published:%Y/%m/%d}/{post.slug}/"
            case "query":
                return f"{self.options.prefix}/?p={post.number}"
            case "flat":
                return f"{self.options.prefix}/{post.slug}.html"

    def comments_of(self, post: Post) -> str:
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
        """The path of the page that answers for missing pages."""
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
