"""CDXJ 0.1.0, the index that replay tools read: one line for every answer in a WARC file, in the order of SURT keys."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING
from urllib.parse import quote, urlsplit

from posterity.archive.failures import translated

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from posterity.archive.captures import Capture

INDEXED = ("response", "revisit", "resource")
_WWW = re.compile(r"www\d*\.")
_DEFAULT_PORTS = {"http": 80, "https": 443}


def surt(url: str) -> str:
    """Return the sort-friendly form of an address: the host turned round, lower case, parameters in order."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        return url.lower()
    if not host:
        return url.lower()
    name = _WWW.sub("", host, count=1) if _WWW.match(host) else host
    reversed_host = name if ":" in name else ",".join(reversed(name.split(".")))
    shown_port = f":{port}" if port and port != _DEFAULT_PORTS.get(parts.scheme) else ""
    path = _plain(_without_dots(parts.path))
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
    """Return the line of one record, without its line end."""
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
    """Return where the index of a WARC file lies: beside it."""
    return warc.with_name(warc.name.removesuffix(".gz").removesuffix(".warc") + ".cdxj")


def write_cdxj(warc: Path, captures: Iterable[Capture]) -> None:
    """Write the index of one WARC file in place of an earlier one."""
    lines = {cdxj_line(capture).encode("utf-8", "replace") for capture in captures if capture.kind in INDEXED}
    path = cdxj_path(warc)
    new = path.with_name(f".{path.name}.{os.getpid()}")
    with translated(str(path)):
        new.write_bytes(b"".join(line + b"\n" for line in sorted(lines)))
        new.replace(path)
