"""The index of the WARC records in the database: what was captured, when, and at which offset."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import msgspec
from sqlalchemy import Connection, Select, delete, select, tuple_

from posterity.archive.database import replace_file, write_rows
from posterity.archive.schema import captures


class Capture(msgspec.Struct, frozen=True, kw_only=True):
    """One WARC record; `fetched_at` is written as in WARC-Date, `kind` is its WARC-Type."""

    record_id: str
    kind: str
    blog_id: str | None = None
    url: str
    fetched_at: str
    status: int = 0
    mime: str | None = None
    digest: str
    file: str
    offset: int
    length: int


def write_captures(connection: Connection, some: list[Capture]) -> None:
    """Add records to the index."""
    write_rows(connection, captures, [msgspec.structs.asdict(capture) for capture in some])


def latest_response(connection: Connection, url: str, digest: str | None = None) -> Capture | None:
    """Return the latest full response from this URL, with this payload if `digest` is given; None if there is none."""
    query = select(captures).where(captures.c.url == url, captures.c.kind == "response")
    if digest is not None:
        query = query.where(captures.c.digest == digest)
    latest = query.order_by(captures.c.fetched_at.desc(), captures.c.record_id).limit(1)
    return next(iter(_captures(connection, latest)), None)


def captured_urls(connection: Connection, blog_id: str) -> set[str]:
    """Return the URLs from which harvests of the blog got full responses."""
    of_blog = select(captures.c.url).where(captures.c.blog_id == blog_id, captures.c.kind == "response")
    return set(connection.scalars(of_blog.distinct()))


def capture_with_id(connection: Connection, record_id: str) -> Capture | None:
    """Return the record with this id, or None."""
    return next(iter(_captures(connection, select(captures).where(captures.c.record_id == record_id))), None)


def captures_of_url(connection: Connection, url: str) -> list[Capture]:
    """Return every response from one URL, oldest first."""
    query = select(captures).where(captures.c.url == url, captures.c.kind.in_(("response", "revisit")))
    return _captures(connection, query.order_by(captures.c.fetched_at, captures.c.record_id))


def urls_with_response(connection: Connection, urls: list[str]) -> set[str]:
    """Return those of the URLs from which a response with status 200 is stored."""
    query = select(captures.c.url).where(captures.c.url.in_(urls), captures.c.status == 200)
    return set(connection.scalars(query.where(captures.c.kind.in_(("response", "revisit"))).distinct()))


def captures_of_urls(connection: Connection, urls: list[str]) -> list[Capture]:
    """Return every record of these URLs, of any kind."""
    query = select(captures).where(captures.c.url.in_(urls))
    return _captures(connection, query.order_by(captures.c.file, captures.c.offset))


def captures_of_blog(connection: Connection, blog_id: str) -> list[Capture]:
    """Return every record that was fetched for this blog."""
    query = select(captures).where(captures.c.blog_id == blog_id)
    return _captures(connection, query.order_by(captures.c.file, captures.c.offset))


def captures_after(connection: Connection, blog_id: str, after: tuple[str, int], limit: int) -> list[Capture]:
    """Return the next records that were fetched for this blog, by file and offset; an empty list at the end."""
    query = select(captures).where(captures.c.blog_id == blog_id, tuple_(captures.c.file, captures.c.offset) > after)
    return _captures(connection, query.order_by(captures.c.file, captures.c.offset).limit(limit))


def latest_responses(connection: Connection, blog_id: str) -> list[Capture]:
    """Return the latest full response from every URL that was fetched for this blog, by URL."""
    query = select(captures).where(captures.c.blog_id == blog_id, captures.c.kind == "response")
    found = _captures(connection, query.order_by(captures.c.url, captures.c.fetched_at, captures.c.record_id))
    return list({capture.url: capture for capture in found}.values())


def captures_of_file(connection: Connection, file: str) -> list[Capture]:
    """Return the indexed records of one WARC file, by offset."""
    return _captures(connection, select(captures).where(captures.c.file == file).order_by(captures.c.offset))


def remove_captures(connection: Connection, record_ids: Iterable[str]) -> None:
    """Remove records from the index."""
    for record_id in record_ids:
        connection.execute(delete(captures).where(captures.c.record_id == record_id))


def _captures(connection: Connection, query: Select[Any]) -> list[Capture]:
    return [msgspec.convert(row, Capture) for row in connection.execute(query).mappings()]


INDEXED = ("response", "revisit", "resource")
_WWW = re.compile(r"www\d*\.")


def surt(url: str) -> str:
    """Return the sort-friendly form of a URL (SURT): host reversed, lower case, parameters sorted."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return url.lower()
    if not host:
        return url.lower()
    name = _WWW.sub("", host, count=1) if _WWW.match(host) else host
    reversed_host = name if ":" in name else ",".join(reversed(name.split(".")))
    shown_port = f":{port}" if port and port != {"http": 80, "https": 443}.get(parts.scheme) else ""
    path = _plain(_without_dots(parts.path))
    if len(path) > 1:  # like replay tools, which would not find a page whose URL ends in a slash otherwise
        path = path.removesuffix("/")
    query = "&".join(sorted(_plain(parts.query).split("&")))
    return f"{reversed_host}{shown_port}){path}" + (f"?{query}" if query else "")


def _plain(text: str) -> str:
    return quote(text, safe="/%:@!$&'()*+,;=~?[]{}|", errors="replace").lower()


def _without_dots(path: str) -> str:
    if "//" not in path and "/." not in path:
        return path or "/"
    kept: list[str] = []
    for segment in re.sub("/+", "/", path).split("/"):
        if segment == "..":
            kept = kept[:-1] if len(kept) > 1 else kept
        elif segment != ".":
            kept.append(segment)
    return "/".join(kept) or "/"


def cdxj_line(capture: Capture) -> str:
    """Return the CDXJ line of one record, without a line break."""
    stamp = re.sub(r"\D", "", capture.fetched_at)[:14]
    facts = {
        "url": capture.url,
        "mime": "warc/revisit" if capture.kind == "revisit" else capture.mime or "unk",
        "status": str(capture.status),
        "digest": capture.digest,
        "length": str(capture.length),
        "offset": str(capture.offset),
        "filename": capture.file,
    }
    return f"{surt(capture.url)} {stamp} {json.dumps(facts, ensure_ascii=False)}"


def cdxj_path(warc: Path) -> Path:
    """Return the path of the CDXJ index of a WARC file, which is beside it."""
    return warc.with_name(warc.name.removesuffix(".gz").removesuffix(".warc") + ".cdxj")


def cdxj_content(captures: Iterable[Capture]) -> bytes:
    """Return the CDXJ index of a WARC file with these records."""
    lines = {cdxj_line(capture).encode("utf-8", "replace") for capture in captures if capture.kind in INDEXED}
    return b"".join(line + b"\n" for line in sorted(lines))


def write_cdxj(warc: Path, captures: Iterable[Capture]) -> None:
    """Write the CDXJ index of a WARC file, replacing an earlier one."""
    replace_file(cdxj_path(warc), cdxj_content(captures))


LINK_FORMAT = "application/link-format"
STAMP = "%Y%m%d%H%M%S"  # the format of the time in the path of a memento


def memento_datetime(capture: Capture) -> str:
    """Return the value of the Memento-Datetime header."""
    return format_datetime(_moment(capture).replace(microsecond=0), usegmt=True)


def memento_path(capture: Capture) -> str:
    """Return the path under which a capture is replayed: fourteen digits and the URL."""
    return f"/memento/{_moment(capture):{STAMP}}/{capture.url}"


def timemap(url: str, captures: Sequence[Capture], base: str) -> str:
    """Return the TimeMap in link format (RFC 7089, section 5); `base` is the server's own URL."""
    lines = [
        f'<{url}>;rel="original"',
        f'<{base}/timemap/link/{url}>;rel="self";type="{LINK_FORMAT}"',
        f'<{base}/timegate/{url}>;rel="timegate"',
    ]
    last = len(captures) - 1
    for index, capture in enumerate(captures):
        role = " ".join([*(["first"] if index == 0 else []), *(["last"] if index == last else []), "memento"])
        lines.append(f'<{base}{memento_path(capture)}>;rel="{role}";datetime="{memento_datetime(capture)}"')
    return ",\n".join(lines) + "\n"


def nearest(captures: Sequence[Capture], accept_datetime: str | None) -> Capture | None:
    """Return the capture nearest to an Accept-Datetime header, or the latest; an invalid header raises ValueError."""
    if not captures:
        return None
    if accept_datetime is None:
        return captures[-1]
    wanted = parsedate_to_datetime(accept_datetime)
    wanted = wanted if wanted.tzinfo else wanted.replace(tzinfo=UTC)
    return min(captures, key=lambda capture: abs(_moment(capture) - wanted))


def _moment(capture: Capture) -> datetime:
    return datetime.fromisoformat(capture.fetched_at)
