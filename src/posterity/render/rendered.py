"""The result of a visit with the browser: the rendered page, the responses, and the behaviours that ran."""

from __future__ import annotations

from datetime import datetime

import msgspec

from posterity.model import Page


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """One response to the browser. `kind` is the browser's resource type: document, script, fetch...

    The body is decompressed, and `headers` do not declare a content encoding.
    """

    method: str
    url: str
    kind: str
    request_headers: tuple[tuple[str, str], ...] = ()
    request_body: bytes = b""
    status: int
    reason: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    body: bytes = b""
    ip: str | None = None
    at: datetime

    @property
    def mime(self) -> str:
        """The content type without parameters."""
        content_type = next((value for name, value in self.headers if name.lower() == "content-type"), "")
        return content_type.partition(";")[0].strip().lower()


class BehaviourResult(msgspec.Struct, frozen=True):
    """How often a behaviour acted on the page, with a detail such as the labels of buttons."""

    behaviour: str
    times: int
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.behaviour} {self.times}" + (f" ({self.detail})" if self.detail else "")


class Rendered(msgspec.Struct, frozen=True, kw_only=True):
    """A page after its scripts have run. `url` is its final URL, with the fragment."""

    url: str
    requested_url: str
    status: int
    html: str
    fetched_at: datetime
    received: tuple[Received, ...] = ()
    behaviours_run: tuple[BehaviourResult, ...] = ()
    screenshot: bytes | None = None
    # URLs of scripts, frames and data that got no response.
    failed: tuple[str, ...] = ()

    @property
    def raw(self) -> bytes:
        """The page as the server sent it, before any script ran; empty if it is already stored."""
        documents = (
            one.body for one in self.received if one.kind == "document" and (one.status < 300 or one.status == 404)
        )
        return next(documents, b"")

    @property
    def actions(self) -> str:
        """The behaviours that ran, in one line."""
        return ", ".join(map(str, self.behaviours_run)) or "nothing to do"

    def page(self) -> Page:
        """Return the rendered page as a `Page`."""
        return Page(
            url=self.url,
            requested_url=self.requested_url,
            status=self.status,
            content_type="text/html; charset=utf-8",
            body=self.html.encode("utf-8", "replace"),
            fetched_at=self.fetched_at,
        )
