"""Harvests and updates as jobs: a worker process whose events become the job's."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.config import CrawlSettings, Settings
from posterity.fetch.events import Ended, Event, FeedRead, Fetched, Learned, Stored, Updated
from posterity.fetch.job import HarvestJob, checked_address
from posterity.fetch.update_job import UpdateJob
from posterity.fetch.worker_process import WorkerProcess
from posterity.model import post_id
from posterity.serve.jobs import Job
from posterity.urls import with_scheme

if TYPE_CHECKING:
    from posterity.model import Blog, RuleSet
    from posterity.serve.settings import ServeSettings

_UPDATE_WORKER = "posterity.fetch.update_worker"


def harvest_job(settings: ServeSettings, url: str, limit_pages: int | None = None) -> Job:
    """Return the job of harvesting a blog, or raise when the address cannot be one; people leave https:// out."""
    url = url.strip()
    if re.fullmatch(r"[\w-]+(\.[\w-]+)+(:\d+)?(/\S*)?", url):
        url = with_scheme(url)
    task = HarvestJob(url=checked_address(url), archive=settings.archive, settings=_crawl(settings, limit_pages))
    return Job("harvest", url, lambda job: _followed(job, WorkerProcess(task), Ended))


def update_job(settings: ServeSettings, blog: Blog) -> Job:
    """Return the job of bringing a stored blog up to date."""
    task = UpdateJob(blog=blog.id, url=blog.url, archive=settings.archive, settings=_crawl(settings, None))
    return Job("update", blog.url, lambda job: _followed(job, WorkerProcess(task, _UPDATE_WORKER), Updated))


def _crawl(settings: ServeSettings, limit_pages: int | None) -> Settings:
    public_only = not settings.fetches_private
    return Settings(
        crawl=CrawlSettings(
            delay_s=settings.delay_s,
            limit_pages=limit_pages,
            public_only=public_only,
            allowed_hosts=settings.allowed_hosts,
            # A browser looks names up by itself, past the guard.
            render="never" if public_only else "auto",
        )
    )


def _followed(job: Job, worker: WorkerProcess, ending: type[Ended] | type[Updated]) -> dict[str, Any]:
    job.stop_work = worker.stop
    with worker:
        if job.stopping:
            worker.stop()
        report = worker.outcome(lambda event: _tell(job, event), ending).report
    return {"blog": report.blog, "report": msgspec.to_builtins(report)}


def _tell(job: Job, event: Event) -> None:
    """Pass an event on, short enough to be streamed to many: rule sets are long, and reports come at the end."""
    match event:
        case FeedRead():
            job.tell("feed", event, feed=event.url, entries=event.entries)
        case Learned():
            job.tell("rules", rule_lines(event.rules))
        case Fetched():
            job.tell("page", event, pages=event.pages, known=event.known, sources=event.sources)
        case Stored():
            job.tell("post", {**msgspec.to_builtins(event), "id": post_id(event.url)}, posts=event.posts)
        case Ended() | Updated():
            pass
        case _:
            job.tell(str(event.__struct_config__.tag), event)


def rule_lines(rules: RuleSet) -> dict[str, Any]:
    """What was learned, a line for the best rule of every field."""
    return {
        "evidence": len(rules.evidence),
        "rules": [
            {"field": field, "rule": str(found[0].rule), "confidence": found[0].confidence, "more": len(found) - 1}
            for field, found in rules.fields.items()
            if found
        ],
    }
