"""The whole blog, built in memory: every URL with its response, and the expected records.

Pure: no clock, no randomness, no network. The same options give the same bytes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from posterity.demo.blog import DEFAULTS, DemoBlog, Entry, SiteOptions, blog_of
from posterity.demo.pages import Resource, feed_resources, page_resources
from posterity.demo.posts import DemoImage, package_data


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

    `author` is None where neither the page nor the feed has it. `text` is the article alone: no title, no byline, no
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
    images: tuple[DemoImage, ...]
    theme: str


def truth_of(blog: DemoBlog) -> tuple[TruePost, ...]:
    """Return the posts of the blog, newest first."""
    return tuple(_true_post(entry, blog) for entry in blog.entries)


def _true_post(entry: Entry, blog: DemoBlog) -> TruePost:
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


__all__ = ["DemoSite", "Resource", "SiteOptions", "TrueComment", "TruePost", "build"]

IMAGE_TYPES = {"jpg": "image/jpeg", "png": "image/png"}


@dataclass(frozen=True, eq=False)
class DemoSite(Mapping[str, Resource]):
    """The built blog: a read-only mapping from path, with query, to resource."""

    options: SiteOptions
    resources: Mapping[str, Resource]
    truth: tuple[TruePost, ...]
    missing: Resource

    def __getitem__(self, path: str) -> Resource:
        return self.resources[path]

    def __iter__(self) -> Iterator[str]:
        return iter(self.resources)

    def __len__(self) -> int:
        return len(self.resources)


def build(options: SiteOptions = DEFAULTS) -> DemoSite:
    """Return the blog as the options want it."""
    blog = blog_of(options)
    pages = page_resources(blog)
    resources = pages | feed_resources(blog) | _images(blog)
    resources["/favicon.ico"] = Resource(
        "image/png", package_data().joinpath("favicon.png").read_bytes(), _oldest(blog)
    )
    return DemoSite(options, MappingProxyType(resources), truth_of(blog), pages[blog.urls.missing])


def _images(blog: DemoBlog) -> dict[str, Resource]:
    sources = sorted(package_data().joinpath("images").iterdir(), key=lambda source: source.name)
    return {
        blog.urls.image(source.name): Resource(
            IMAGE_TYPES[source.name.rpartition(".")[2]], source.read_bytes(), _oldest(blog)
        )
        for source in sources
    }


def _oldest(blog: DemoBlog) -> datetime:
    """When the blog began, and whatever has not changed since."""
    return blog.entries[-1].post.published
