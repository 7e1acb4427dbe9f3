"""What a visit with the browser gives: the page as it stands in the end, what came over the wire, what was done."""

from __future__ import annotations

from datetime import datetime

import msgspec

from posterity.model import Page


class Received(msgspec.Struct, frozen=True, kw_only=True):
    """One response that the browser got. `kind` is the browser's word for what requested it: document, script, fetch...

    The body has no content coding any more, and so has `headers`.
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
        """The type that the server named, without parameters."""
        named = next((value for name, value in self.headers if name.lower() == "content-type"), "")
        return named.partition(";")[0].strip().lower()


class BehaviourResult(msgspec.Struct, frozen=True):
    """What one behaviour did on the page, `times` times."""

    behaviour: str
    times: int
    detail: str = ""

    def __str__(self) -> str:
        return f"{self.behaviour} {self.times}" + (f" ({self.detail})" if self.detail else "")


class Rendered(msgspec.Struct, frozen=True, kw_only=True):
    """A page after its scripts have run. `url` is where it ended up, with its route after the #."""

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
        """The page as the server sent it, before any script ran; empty when the browser had it already."""
        documents = (one.body for one in self.received if one.kind == "document" and one.status < 300)
        return next(documents, b"")

    @property
    def story(self) -> str:
        """What was done on the page, in one line for people."""
        return ", ".join(map(str, self.behaviours_run)) or "nothing to do"

    def page(self) -> Page:
        """The page in the form in which every other stage takes pages."""
        return Page(
            url=self.url,
            requested_url=self.requested_url,
            status=self.status,
            content_type="text/html; charset=utf-8",
            body=self.html.encode("utf-8", "replace"),
            fetched_at=self.fetched_at,
        )
