"""What can be varied on the bundled blog: its theme, its feed, its addresses, how much it tells.

Each option stands for something that real blogs do and that makes them harder or easier to harvest.
"""

from dataclasses import dataclass
from typing import Literal

Theme = Literal["harbour", "attic"]
FeedKind = Literal["full", "summary", "titles", "none", "broken"]
FeedFormat = Literal["rss", "atom", "json"]
Permalink = Literal["dated", "query", "flat"]


@dataclass(frozen=True, slots=True)
class SiteOptions:
    """One variant of the blog.

    `base_url` is scheme, host and port without a final slash; `prefix` is the folder the blog lives in.
    `theme_change` is an ISO date: posts before it wear the other theme. `posts_limit` keeps the oldest posts, so the
    blog looks as it did when it had that many, and a larger limit is the same blog some time later.
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
