"""The records of a blog made again by the rules as they are stored: what follows when somebody corrected a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posterity.archive import open_archive
from posterity.errors import Interrupted, NotInArchive
from posterity.model import Rejected
from posterity.rebuild.archive_shelf import archive_shelf
from posterity.rebuild.changes import Changes
from posterity.rebuild.lesson import lesson_by_heart
from posterity.rebuild.posts import posts_on
from posterity.serve.jobs import Job
from posterity.urls import place_key

if TYPE_CHECKING:
    from posterity.archive import Archive
    from posterity.model import Blog
    from posterity.serve.settings import ServeSettings


def reextract_job(settings: ServeSettings, blog: Blog) -> Job:
    """Return the job of applying the stored rules to the stored pages of a blog."""

    def work(job: Job) -> dict[str, Any]:
        with open_archive(settings.archive) as archive:
            return _applied(archive, blog, job)

    return Job("reextract", blog.url, work)


def _applied(archive: Archive, blog: Blog, job: Job) -> dict[str, Any]:
    rules = archive.rules(blog.id)
    if rules is None:
        raise NotInArchive(f"There are no rules for {blog.url} yet. Harvest it first.")
    urls, files = [], set()
    for post in archive.posts(blog.id):
        urls.append(post.url)
        files |= {origin.warc.rpartition("#")[0] for origin in post.provenance.values() if origin.warc}
    shelf = archive_shelf(archive, blog.id, frozenset(files))
    lesson = lesson_by_heart(rules, blog.url, urls, shelf)
    changes = Changes(archive, dry_run=False)
    for number, found in enumerate(posts_on(shelf, lesson, blog.id, {place_key(url) for url in urls}), 1):
        if job.stopping:
            changes.flush()
            raise Interrupted("Stopped. What was made again so far is stored.")
        if not isinstance(found, Rejected):
            change = changes.take(found, shelf)
            job.tell("post", {"url": change.url, "title": found.title, "state": change.state, "posts": number},
                     posts=number, pages=number, known=len(urls))  # fmt: skip
    changes.flush()
    return {"blog": blog.id, "report": {"rules": rules.version, "posts": changes.counts(), "fields": changes.fields()}}
