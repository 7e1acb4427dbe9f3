"""Jobs over REST: start a harvest, an update, an export or a re-extraction, and follow its events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Literal

import msgspec
from fastapi import APIRouter, Header, Query, Request
from starlette.responses import FileResponse, Response, StreamingResponse

from posterity.errors import InputError
from posterity.model import from_json, to_json
from posterity.serve.api.responses import JobList, json_response, responses_of
from posterity.serve.jobs import Job, JobStatus, export_job, harvest_job, reextract_job, update_job
from posterity.serve.middleware import Costly, Writer
from posterity.serve.problems import Problem
from posterity.serve.services import RawBody, ServicesDep

EVENT_STREAM = "text/event-stream"
_POLL_S = 0.15  # short enough to look live, long enough for hundreds of listeners
_KEEPALIVE_S = 15.0  # proxies close a connection that is idle for a minute


async def event_stream(job: Job, after: int = 0) -> AsyncIterator[bytes]:
    """Yield the events after this number until the job is over; the last event is `over`."""
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
        elif silent_s >= _KEEPALIVE_S:
            silent_s = 0.0
            yield b": keepalive\n\n"
        await asyncio.sleep(_POLL_S)
        silent_s += _POLL_S


router = APIRouter(prefix="/api/v1/jobs", tags=["jobs"])


class JobRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A job to start: harvest a `url`, update or re-extract a `blog`, export a `blog` or everything in a `format`."""

    kind: Literal["harvest", "update", "export", "reextract"]
    url: str | None = None
    blog: str | None = None
    format: str = "jsonl"
    limit: Annotated[int, msgspec.Meta(ge=1)] | None = None


_REQUEST_SCHEMA = {
    "type": "object", "required": ["kind"], "properties": {
        "kind": {"enum": ["harvest", "update", "export", "reextract"]}, "url": {"type": "string"},
        "blog": {"type": "string"}, "format": {"type": "string"}, "limit": {"type": "integer", "minimum": 1}},
}  # fmt: skip


@router.get("", responses=responses_of(JobList))
def jobs(request: Request, services: ServicesDep) -> Response:
    """List the jobs since the server started, newest first."""
    return json_response(request, JobList(items=[job_status(job) for job in services.jobs.all()]))


@router.post(
    "",
    status_code=202,
    responses=responses_of(JobStatus, status=202, s401="The token is missing.", s403="The server is read-only.",
                        s404="There is no such blog.", s429="Too many jobs are waiting.",
                        s503="The server is busy."),
    openapi_extra={"requestBody": {"required": True, "content": {"application/json": {"schema": _REQUEST_SCHEMA}}}},
)  # fmt: skip
def start(services: ServicesDep, body: RawBody, _: Writer, __: Costly) -> Response:
    """Start a job. If the same job is already running, it is returned instead."""
    job = services.jobs.start(requested_job(services, from_json(body, JobRequest)))
    return Response(to_json(job_status(job)), 202, {"Location": f"/api/v1/jobs/{job.id}"}, "application/json")


@router.get("/{job}", responses=responses_of(JobStatus, s404="There is no such job."))
def job(request: Request, services: ServicesDep, job: str) -> Response:
    """Return the state and the progress of a job."""
    return json_response(request, job_status(services.jobs.get(job)))


@router.delete(
    "/{job}", responses=responses_of(JobStatus, s401="The token is missing.", s403="Read-only.", s404="No such job.")
)
def stop(services: ServicesDep, job: str, _: Writer) -> Response:
    """Stop a job. Everything stored so far is kept."""
    found = services.jobs.get(job)
    found.stop()
    return Response(to_json(job_status(found)), media_type="application/json")


@router.get("/{job}/events", responses=responses_of(None, media=EVENT_STREAM, s404="There is no such job."))
async def events(
    services: ServicesDep,
    job: str,
    after: Annotated[int, Query(ge=0, le=10**9)] = 0,
    last_event_id: Annotated[str | None, Header(max_length=20)] = None,
) -> Response:
    """Stream the events of a job (server-sent events): feed, rules, page, post and others, `over` at the end."""
    found = services.jobs.get(job)
    start = int(last_event_id) if last_event_id and last_event_id.isascii() and last_event_id.isdigit() else after
    return StreamingResponse(event_stream(found, start), media_type=EVENT_STREAM, headers={"X-Accel-Buffering": "no"})


@router.get(
    "/{job}/file", responses=responses_of(None, media="application/octet-stream", s404="There is no such file.")
)
def file(services: ServicesDep, job: str, _: Writer) -> Response:
    """Download the file that an export wrote."""
    found = services.jobs.get(job)
    if found.result is None or "file" not in found.result:
        raise Problem(404, "This job has not written a file.")
    return FileResponse(found.result["file"], filename=found.result["name"])


def requested_job(services: ServicesDep, wanted: JobRequest) -> Job:
    """Return the requested job; raise `InputError` if an argument is missing."""
    blog = services.archive.blog(wanted.blog) if wanted.blog else None
    match wanted.kind:
        case "harvest":
            if not wanted.url:
                raise InputError("Which blog? Give its URL as `url`.")
            return harvest_job(services.settings, wanted.url, wanted.limit)
        case "export":
            return export_job(services.settings, wanted.format, blog)
        case "update" | "reextract":
            if blog is None:
                raise InputError("Which blog? Give its id, URL or host as `blog`.")
            job_of = update_job if wanted.kind == "update" else reextract_job
            return job_of(services.settings, blog)


def job_status(job: Job) -> JobStatus:
    """Return the state of a job, with the URL of its file instead of the local path."""
    status = job.status()
    if status.result and "file" in status.result:
        rest = {name: value for name, value in status.result.items() if name != "file"}
        return msgspec.structs.replace(status, result={**rest, "href": f"/api/v1/jobs/{job.id}/file"})
    return status
