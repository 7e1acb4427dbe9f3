"""Server-sent events: a job's events as a browser's EventSource reads them, from where it left off."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from posterity.model import to_json

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from posterity.serve.jobs import Job

EVENT_STREAM = "text/event-stream"
_LOOK_S = 0.15  # quick enough to look live, slow enough for hundreds of listeners
_BREATH_S = 15.0  # proxies close a line on which nothing is said for a minute


async def event_stream(job: Job, after: int = 0) -> AsyncIterator[bytes]:
    """Yield the events behind this number until the job is over; the last one is `over`."""
    silent_s = 0.0
    while True:
        over = job.is_over
        events = job.events_after(after)
        for number, name, value in events:
            after = number
            yield b"id: %d\nevent: %s\ndata: %s\n\n" % (number, name.encode(), to_json(value))
        if over:
            return
        if events:
            silent_s = 0.0
        elif silent_s >= _BREATH_S:
            silent_s = 0.0
            yield b": still at it\n\n"
        await asyncio.sleep(_LOOK_S)
        silent_s += _LOOK_S
