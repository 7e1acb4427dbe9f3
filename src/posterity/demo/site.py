"""The whole blog, built in memory: every address with its answer, and the truth about what is on it.

Pure: no clock, no randomness, no network. The same options give the same bytes.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from posterity.demo.blog import Blog, blog_of
from posterity.demo.feeds import feed_resources
from posterity.demo.options import DEFAULTS, SiteOptions
from posterity.demo.pages import page_resources
from posterity.demo.posts import package_data
from posterity.demo.resource import Resource
from posterity.demo.truth import TrueComment, TruePost, truth_of

__all__ = ["Resource", "Site", "SiteOptions", "TrueComment", "TruePost", "build"]

IMAGE_TYPES = {"jpg": "image/jpeg", "png": "image/png"}


@dataclass(frozen=True, eq=False)
class Site(Mapping[str, Resource]):
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


def build(options: SiteOptions = DEFAULTS) -> Site:
    """Return the blog as the options want it."""
    blog = blog_of(options)
    pages = page_resources(blog)
    resources = pages | feed_resources(blog) | _images(blog)
    resources["/favicon.ico"] = Resource(
        "image/png", package_data().joinpath("favicon.png").read_bytes(), _oldest(blog)
    )
    return Site(options, MappingProxyType(resources), truth_of(blog), pages[blog.addresses.missing])


def _images(blog: Blog) -> dict[str, Resource]:
    sources = sorted(package_data().joinpath("images").iterdir(), key=lambda source: source.name)
    return {
        blog.addresses.image(source.name): Resource(
            IMAGE_TYPES[source.name.rpartition(".")[2]], source.read_bytes(), _oldest(blog)
        )
        for source in sources
    }


def _oldest(blog: Blog) -> datetime:
    """When the blog began, and whatever has not changed since."""
    return blog.entries[-1].post.published
