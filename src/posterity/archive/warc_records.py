"""WARC 1.1 records as compressed bytes, one gzip member each, ready to be appended to a file.

warcio frames the records. The HTTP block is assembled here: warcio would re-encode the headers and fails on a reason
that is not ASCII, while a header may contain any byte and the archive keeps what the server sent (ISO 28500:2017,
sections 5 and 6).
"""

from __future__ import annotations

import hashlib
import uuid
import zlib
from collections.abc import Mapping, Sequence
from io import BytesIO

import msgspec

IDENTICAL = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"


class Exchange(msgspec.Struct, frozen=True, kw_only=True):
    """One request and its response; the body is as transferred, except for chunked transfer coding."""

    method: str
    url: str
    request_headers: tuple[tuple[str, str], ...]
    request_body: bytes
    status: int
    reason: str
    http_version: str
    response_headers: tuple[tuple[str, str], ...]
    body: bytes
    ip: str | None
    date: str

    @property
    def mime(self) -> str | None:
        """The media type of the response, without parameters."""
        for name, value in self.response_headers:
            if name.lower() == "content-type":
                return value.partition(";")[0].strip().lower() or None
        return None


class _HttpHead:
    """HTTP headers that are ready to be written, as warcio expects them."""

    def __init__(self, block: bytes) -> None:
        self.headers_buff = block

    def compute_headers_buffer(self, header_filter: object) -> None:
        """Do nothing: warcio calls this before it writes, but the headers are complete."""


def payload_digest(body: bytes) -> str:
    """Return the digest of a payload in the form of WARC and CDXJ."""
    return "sha256:" + hashlib.sha256(body).hexdigest()


def warcinfo_record(file: str, date: str, fields: Mapping[str, str], record_id: str | None = None) -> tuple[str, bytes]:
    """Return id and bytes of the first record of a file."""
    block = "".join(f"{name}: {' '.join(value.split())}\r\n" for name, value in fields.items()).encode()
    headers = {"WARC-Date": date, "WARC-Filename": file, "Content-Type": "application/warc-fields"}
    headers |= {"WARC-Record-ID": record_id} if record_id else {}
    return _record("warcinfo", None, block, headers)


def response_record(exchange: Exchange, warcinfo_id: str, record_id: str | None = None) -> tuple[str, bytes]:
    """Return id and bytes of a response; without `record_id`, a new id is generated."""
    # The body has no transfer coding here, and replay tools trust the headers, so those that no longer describe the
    # body are renamed.
    length = str(len(exchange.body))
    kept: list[tuple[str, str]] = []
    for name, value in exchange.response_headers:
        false = name.lower() == "transfer-encoding" or (name.lower() == "content-length" and value.strip() != length)
        kept.append(("X-Archive-Orig-" + name if false else name, value))
    head = _http_head(_status_line(exchange), kept)
    headers = _place(exchange, warcinfo_id) | {
        "WARC-Payload-Digest": payload_digest(exchange.body),
        "Content-Type": "application/http; msgtype=response",
    }
    headers |= {"WARC-Record-ID": record_id} if record_id else {}
    return _record("response", exchange.url, head + exchange.body, headers)


def revisit_record(exchange: Exchange, warcinfo_id: str, profile: str, refers: Mapping[str, str]) -> tuple[str, bytes]:
    """Return id and bytes of a response whose payload is in an earlier record."""
    head = _http_head(_status_line(exchange), exchange.response_headers)
    headers = _place(exchange, warcinfo_id) | {
        "WARC-Profile": profile,
        **refers,
        "Content-Type": "application/http; msgtype=response",
    }
    return _record("revisit", exchange.url, head, headers)


def request_record(exchange: Exchange, warcinfo_id: str, response_id: str) -> tuple[str, bytes]:
    """Return id and bytes of the request of a response."""
    version = exchange.http_version if exchange.http_version.startswith("HTTP/1") else "HTTP/1.1"
    target = "/" + exchange.url.split("://", 1)[-1].partition("/")[2].partition("#")[0]
    head = _http_head(f"{exchange.method} {target} {version}", exchange.request_headers)
    headers = _place(exchange, warcinfo_id) | {
        "WARC-Concurrent-To": response_id,
        "WARC-Payload-Digest": payload_digest(exchange.request_body),
        "Content-Type": "application/http; msgtype=request",
    }
    return _record("request", exchange.url, head + exchange.request_body, headers)


def plain_record(kind: str, url: str, content: bytes, headers: Mapping[str, str]) -> tuple[str, bytes]:
    """Return id and bytes of a record whose block is not HTTP: resource, conversion or metadata."""
    return _record(kind, url, content, dict(headers) | {"WARC-Payload-Digest": payload_digest(content)})


def _record(kind: str, url: str | None, block: bytes, headers: Mapping[str, str]) -> tuple[str, bytes]:
    # Imported here, because commands that only read an archive do not need it.
    from warcio.recordloader import ArcWarcRecord
    from warcio.statusandheaders import StatusAndHeaders
    from warcio.warcwriter import WARCWriter

    record_id = headers.get("WARC-Record-ID") or f"<urn:uuid:{uuid.uuid4()}>"
    fields = {"WARC-Type": kind, "WARC-Record-ID": record_id}
    if url is not None:
        fields["WARC-Target-URI"] = _one_line(url)
    fields |= dict(headers) | {"WARC-Block-Digest": payload_digest(block)}
    warc_headers = StatusAndHeaders("", list(fields.items()), protocol="WARC/1.1")
    # For a revisit, warcio writes only the HTTP headers, which are the whole block.
    head, payload = (_HttpHead(block), b"") if kind == "revisit" else (None, block)
    record = ArcWarcRecord("warc", kind, warc_headers, BytesIO(payload), head, fields["Content-Type"], len(payload))
    record.payload_length = len(payload)
    out = BytesIO()
    WARCWriter(out, gzip=False, warc_version="1.1").write_record(record)
    # Level 5: on pages of three real blogs, 1 % larger than the highest level, in two thirds of its time.
    return record_id, zlib.compress(out.getvalue(), 5, zlib.MAX_WBITS + 16)


def _place(exchange: Exchange, warcinfo_id: str) -> dict[str, str]:
    headers = {"WARC-Date": exchange.date, "WARC-Warcinfo-ID": warcinfo_id}
    return headers | ({"WARC-IP-Address": exchange.ip} if exchange.ip else {})


def _status_line(exchange: Exchange) -> str:
    # HTTP/2 has no status line; readers of WARC know only that of HTTP/1.
    version = exchange.http_version if exchange.http_version.startswith("HTTP/1") else "HTTP/1.1"
    return f"{version} {exchange.status} {exchange.reason}".rstrip()


def _http_head(first_line: str, headers: Sequence[tuple[str, str]]) -> bytes:
    lines = [first_line, *(f"{name}: {value}" for name, value in headers)]
    return b"".join(_wire(_one_line(line)) + b"\r\n" for line in lines) + b"\r\n"


def _wire(line: str) -> bytes:
    """Encode a line as Latin-1, as headers are on the wire; otherwise as UTF-8, as browsers read it."""
    try:
        return line.encode("latin-1")
    except UnicodeEncodeError:
        return line.encode("utf-8", "replace")


def _one_line(text: str) -> str:
    return text.replace("\r", " ").replace("\n", " ")
