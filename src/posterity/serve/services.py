"""What every request can use: the archive, the settings, the jobs, the extractor and the counts of what was asked."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request

from posterity.archive import Archive, open_archive
from posterity.serve import templating
from posterity.serve.blog_lines import BlogLines
from posterity.serve.demo_store import DemoStore
from posterity.serve.extraction import Extractor
from posterity.serve.jobs import Jobs
from posterity.serve.metrics import Metrics
from posterity.serve.rate import Rate

if TYPE_CHECKING:
    from posterity.serve.settings import ServeSettings


class Services:
    """The parts of a running server, made when it starts and closed when it ends."""

    def __init__(self, settings: ServeSettings) -> None:
        self.settings = settings
        self.archive: Archive = open_archive(settings.archive, create=not settings.public)
        self.blogs = BlogLines(self.archive)
        # Whoever hears that a job is over finds what it did.
        self.jobs = Jobs(settings.limits.jobs_at_once, settings.limits.jobs_waiting, settle=self.blogs.refresh)
        self.extractor = Extractor(settings.limits.extract_s)
        if settings.warm_up:
            self.extractor.warm_up()
            templating.warm_up()
        self.demos = DemoStore()
        self.rate = Rate(settings.limits.costly_a_minute)
        self.metrics = Metrics()
        self.costly_slots = threading.BoundedSemaphore(settings.limits.costly_at_once)

    def close(self) -> None:
        """End what runs, then let go of the archive."""
        self.jobs.close()
        self.extractor.close()
        self.blogs.close()
        self.archive.close()


def services_of(request: Request) -> Services:
    """Return the parts of the server that got this request."""
    services: Services = request.app.state.services
    return services


Parts = Annotated[Services, Depends(services_of)]


async def raw_body(request: Request) -> bytes:
    """Return the body as it came: our own model reads it, with errors of ours."""
    return await request.body()


RawBody = Annotated[bytes, Depends(raw_body)]
