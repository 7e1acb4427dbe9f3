"""A harvested blog that changes under its readers: every test gets a copy of the archive and the blog as it was."""

from __future__ import annotations

import multiprocessing
import re
import shutil
from collections import Counter
from contextlib import ExitStack, suppress
from dataclasses import replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from posterity.archive import open_archive
from posterity.config import CrawlSettings, Settings
from posterity.crawl import update_worker, worker
from posterity.crawl.jobs import HarvestJob, Updated, UpdateJob
from posterity.crawl.quiet_update import quiet_update
from posterity.demo.blog import SiteOptions, blog_of
from posterity.demo.server import DemoSite, build, feed_resources, page_resources, serving, truth_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime
    from pathlib import Path

    from tests.conftest import Response, Web

    from posterity.crawl.jobs import Event
    from posterity.demo.blog import Entry
    from posterity.demo.server import Request, Serving
    from posterity.model import Post
    from posterity.model.report import UpdateReport

BLOG = SiteOptions(posts_limit=14)
FAST = Settings(crawl=CrawlSettings(delay_s=0.0))


# Processes as in real life, because Twisted's reactor runs once; their parent has loaded Scrapy for all of them.
WORKERS = multiprocessing.get_context("forkserver")
WORKERS.set_forkserver_preload(
    [
        "posterity.crawl.update_worker",
        "posterity.extraction.hybrid.posts",
        "feedparser",
        "scrapy.core.downloader.handlers.http11",
        "scrapy.downloadermiddlewares.cookies",
    ]
)


def told_by(run: Callable[[Any, Callable[[Event], None]], None], job: object) -> list[Event]:
    """Run a job in a process of its own and return the events that it told."""
    here, there = WORKERS.Pipe(duplex=False)
    process = WORKERS.Process(target=run, args=(job, there.send))
    process.start()
    there.close()
    events: list[Event] = []
    with here, suppress(EOFError):
        while True:
            events.append(here.recv())
    process.join()
    assert process.exitcode == 0
    return events


class Outcome(NamedTuple):
    """What one update reported, said and asked for."""

    report: UpdateReport
    events: list[Event]
    requests: list[Request]

    @property
    def paths(self) -> list[str]:
        return [request.path for request in self.requests]

    @property
    def asked(self) -> Counter[str]:
        return Counter(self.paths)


class Followed:
    """A blog on loopback and its archive."""

    def __init__(self, blog: Serving, archive: Path) -> None:
        self.blog, self.archive = blog, archive

    @property
    def url(self) -> str:
        return f"{self.blog.base_url}/"

    def update(
        self,
        since: datetime | None = None,
        revisits: int | None = None,
        limit: int | None = None,
        asked_since: datetime | None = None,
    ) -> Outcome:
        before = len(self.blog.requests)
        with open_archive(self.archive) as store:
            blog = store.blog(self.url)
        job = UpdateJob(
            asked_since=asked_since,
            blog=blog.id,
            url=blog.url,
            archive=str(self.archive),
            since=since,
            revisits=10 if revisits is None else revisits,
            revisit_always=revisits is not None,
            settings=Settings(crawl=CrawlSettings(delay_s=0.0, limit_pages=limit)),
        )
        events = told_by(update_worker.run, job)
        *_, last = events
        assert isinstance(last, Updated)
        return Outcome(last.report, events, self.blog.requests[before:])

    def ask_quietly(self) -> UpdateReport | None:
        """What is asked before a worker is started."""
        with open_archive(self.archive) as store:
            blog = store.blog(self.url)
            job = UpdateJob(blog=blog.id, url=blog.url, archive=str(self.archive), settings=FAST)
            return quiet_update(store, job, lambda _: None)

    def grow(self, posts: int, **options: object) -> None:
        """Let the blog have so many posts."""
        self.blog.site = build(replace(self.blog.site.options, posts_limit=posts, **options))  # type: ignore[arg-type]

    def change(self, change: Callable[[Entry], Entry | None]) -> None:
        """Put another entry in the place of each; None takes it out of page, feed and sitemap."""
        self.blog.site = changed_site(self.blog.site, change)

    def response(self, path: str, old: bytes, new: bytes) -> None:
        """Change the bytes at one address, and nothing else on the blog."""
        resource = self.blog.site[path]
        assert re.search(old, resource.body), f"{old!r} is not at {path}"
        body = re.sub(old, new, resource.body, count=1)
        resources = {**self.blog.site.resources, path: replace(resource, body=body)}
        self.blog.site = replace(self.blog.site, resources=MappingProxyType(resources))

    def posts(self) -> dict[str, Post]:
        with open_archive(self.archive) as store:
            return {post.url: post for post in store.posts()}

    def post(self, slug: str) -> Post:
        return next(post for url, post in self.posts().items() if slug in url)


def changed_site(site: DemoSite, change: Callable[[Entry], Entry | None]) -> DemoSite:
    blog = blog_of(site.options)
    entries = tuple(changed for entry in blog.entries if (changed := change(entry)) is not None)
    blog = replace(blog, entries=entries)
    pages = page_resources(blog)
    images = {path: resource for path, resource in site.items() if "/images/" in path}
    resources = MappingProxyType(pages | feed_resources(blog) | images)
    return DemoSite(site.options, resources, truth_of(blog), pages[blog.urls.missing])


class Harvested(NamedTuple):
    """The blog as it was harvested, kept as a model to copy."""

    blog: Serving
    site: DemoSite
    archive: Path


@pytest.fixture(scope="session")
def harvested_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harvested]:
    archive = tmp_path_factory.mktemp("update") / "archive"
    with serving(BLOG) as blog:
        told_by(worker.run, HarvestJob(url=f"{blog.base_url}/", archive=str(archive), settings=FAST))
        yield Harvested(blog, blog.site, archive)


@pytest.fixture
def followed(harvested_once: Harvested, tmp_path: Path) -> Iterator[Followed]:
    """The harvested blog, to be changed at will."""
    archive = tmp_path / "archive"
    shutil.copytree(harvested_once.archive, archive)
    yield Followed(harvested_once.blog, archive)
    harvested_once.blog.site = harvested_once.site


@pytest.fixture
def follow(tmp_path: Path) -> Iterator[Callable[[SiteOptions], Followed]]:
    """Harvests another variant of the blog, to be changed at will."""
    with ExitStack() as stack:

        def followed_variant(options: SiteOptions) -> Followed:
            blog = stack.enter_context(serving(options))
            archive = tmp_path / "archive"
            told_by(worker.run, HarvestJob(url=f"{blog.base_url}/", archive=str(archive), settings=FAST))
            return Followed(blog, archive)

        yield followed_variant


class Plain(NamedTuple):
    """A web site and the archive of it."""

    web: Web
    archive: Path

    def update(self) -> UpdateReport:
        with open_archive(self.archive) as store:
            (blog,) = store.blogs()
        job = UpdateJob(blog=blog.id, url=blog.url, archive=str(self.archive), revisits=0, settings=FAST)
        (*_, last) = told_by(update_worker.run, job)
        assert isinstance(last, Updated)
        return last.report


@pytest.fixture
def plain(serve: Callable[[dict[str, Response]], Web], response: type[Response], tmp_path: Path) -> Plain:
    """The blog on a server that knows no conditional requests but redirects."""
    web = serve({})
    site = build(SiteOptions(base_url=web.base_url, posts_limit=9))
    web.responses |= {path: response(page.body, page.content_type, page.status) for path, page in site.items()}
    told_by(worker.run, HarvestJob(url=f"{web.base_url}/", archive=str(tmp_path / "archive"), settings=FAST))
    return Plain(web, tmp_path / "archive")
