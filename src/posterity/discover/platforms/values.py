"""Reads values from untrusted JSON and pages; a value of an unexpected type is None.

No input raises an exception. Platforms send wrong types, year 1 for "no date", and invalid ports.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import lru_cache
from typing import TypeAlias
from urllib.parse import urlsplit

import msgspec

from posterity.dom import Document, parse
from posterity.dom.media import absolute
from posterity.errors import PosterityError
from posterity.text.normal_form import one_line

JsonObject: TypeAlias = dict[str, object]

_MAX_DIGITS = 12  # of a count; int() refuses thousands of digits with an exception
_FIRST_YEAR = 2  # year 1 is how Go and .NET write "no date"


def json_of(body: bytes | None) -> object:
    """Return the decoded JSON, or None if there is no body or it is not JSON."""
    try:
        return msgspec.json.decode((body or b"").removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


def member(value: object, *path: str) -> object:
    """Return the value at this path of nested JSON objects, or None."""
    for key in path:
        if not isinstance(value, dict):
            return None
        value = value.get(key)
    return value


def items_of(value: object) -> list[JsonObject | None]:
    """Return the items of a JSON array, with None for non-objects; an empty list for any other value."""
    return [item if isinstance(item, dict) else None for item in value] if isinstance(value, list) else []


def members_of(value: object) -> list[object]:
    """Return the values of a JSON object without their keys; an empty list for any other value."""
    return list(value.values()) if isinstance(value, dict) else []


def names_of(value: object) -> tuple[str, ...]:
    """Return the members `name` of the objects of an array, as plain text and each once."""
    names = (text_of_html(member(each, "name")) for each in items_of(value))
    return tuple(dict.fromkeys(filter(None, names)))


def text_of(value: object) -> str | None:
    """Return the string on one line, or None if it is empty or not a string."""
    return one_line(value) or None if isinstance(value, str) else None


def text_of_html(value: object) -> str | None:
    """Return the text of a title that may contain entities and markup, or None."""
    if not isinstance(value, str) or ("<" not in value and "&" not in value):
        return text_of(value)
    try:
        return text_of(parse(value).tree.plain(0))
    except PosterityError:
        return None


def count_of(value: object) -> int | None:
    """Return a non-negative count, given as a number or a string of digits, or None."""
    if isinstance(value, str) and value.isascii() and value.isdecimal() and len(value) <= _MAX_DIGITS:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None


def moment_of(value: object) -> datetime | None:
    """Return an ISO 8601 date in UTC, or None; a date without a zone is taken as UTC."""
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value.strip().removesuffix(" GMT"))
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None
    return moment if moment.year >= _FIRST_YEAR else None


def moment_of_epoch(value: object, ticks_per_second: int = 1) -> datetime | None:
    """Return the moment in UTC of a Unix time in ticks, or None."""
    ticks = count_of(value)
    if not ticks:
        return None
    try:
        return datetime.fromtimestamp(ticks / ticks_per_second, UTC)
    except (ValueError, OverflowError, OSError):
        return None


def url_of(base_url: str, value: object) -> str | None:
    """Return the absolute http URL, or None if it cannot be requested, as with a port above 65535."""
    url = absolute(base_url, value) if isinstance(value, str) else None
    return url if url and host_of(url) else None


def host_of(url: str) -> str:
    """Return the host in lower case, or an empty string if there is none or the URL is invalid."""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
        _ = parts.port  # raises ValueError for an invalid port
    except ValueError:
        return ""
    return host if _is_name(host) else ""


@lru_cache(maxsize=1024)  # a list has thousands of URLs on one host
def _is_name(host: str) -> bool:
    """Whether the name is valid for DNS: no empty label, none longer than 63 characters."""
    try:
        return bool(host.encode("idna"))
    except ValueError:
        return False


def path_of(url: str) -> str:
    """Return the path, or "/" if it is empty or the URL is invalid."""
    try:
        return urlsplit(url).path or "/"
    except ValueError:
        return "/"


def is_below(host: str, *domains: str) -> bool:
    """Return whether the host is a subdomain of one of these domains other than "www"."""
    return any(host.endswith(f".{domain}") and host != f"www.{domain}" for domain in domains)


def generator_of(home: Document) -> str:
    """Return the generators that the page declares, in lower case."""
    return " ".join(home.attributes("meta[name=generator i]", "content")).lower()


def loads_from(home: Document, *hosts: str) -> bool:
    """Return whether scripts or <link> elements of the page use one of these hosts or a subdomain."""
    urls = [*home.attributes("script[src]", "src"), *home.attributes("link[href]", "href")]
    used = {host_of(absolute(home.base_url, url) or "") for url in urls}
    return any(host in used or any(each.endswith(f".{host}") for each in used) for host in hosts)
