"""Opt-outs that a page or its host declares: noarchive, noai, noimageai, and TDM reservations.

The host's file is /.well-known/tdmrep.json (TDM Reservation Protocol, W3C community group, 2024): rules with one path
pattern each, as in robots.txt; the longest match decides. A header or <meta> of the page itself overrides it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any
from urllib.parse import urljoin, urlsplit

import msgspec

from posterity.model import Page

_WORDS = ("noarchive", "noai", "noimageai")
_OURS = ("robots", "posterity")
_RESERVATION = "tdm-reservation"
_META = re.compile(rb"<meta\b[^>]{0,500}>", re.IGNORECASE)
_NAME = re.compile(rb"""\bname\s*=\s*["']?([\w-]+)""", re.IGNORECASE)
_CONTENT = re.compile(rb"""\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))""", re.IGNORECASE)
_HEAD_BYTES = 200_000
_OK = 200


def optouts(
    headers: Iterable[tuple[str, str]], metas: Iterable[tuple[str, str]], *, is_reserved: bool = False
) -> tuple[str, ...]:
    """Return the opt-outs, each once, in HTTP headers and in names and contents of <meta> elements.

    `is_reserved`: the host's file reserves mining of the page, which the page itself may override.
    """
    headers, metas = list(headers), list(metas)
    values = [value for name, value in headers if name.lower() == "x-robots-tag"]
    values += [content for name, content in metas if name.lower() in _OURS]
    words = {word for value in values for word in _directives(value)}
    found = [word for word in _WORDS if word in words]
    own = [value.strip() for name, value in [*headers, *metas] if name.lower() == _RESERVATION]
    if "1" in own or (is_reserved and not own):
        found.append(_RESERVATION)
    return tuple(found)


def page_optouts(page: Page, reservations: Reservations) -> tuple[str, ...]:
    """Return the opt-outs of the page, its headers and its host."""
    metas = metas_in(page.body) if page.is_html else ()
    return optouts(page.headers, metas, is_reserved=reservations.reserve(page.url))


def metas_in(body: bytes) -> list[tuple[str, str]]:
    """Return name and content of the <meta> elements in the bytes of a page that is not parsed yet."""
    found = []
    for meta in _META.findall(body[:_HEAD_BYTES]):
        name, content = _NAME.search(meta), _CONTENT.search(meta)
        if name and content:
            found.append((name[1].decode("ascii"), next(filter(None, content.groups()), b"").decode("latin-1")))
    return found


def _directives(value: str) -> set[str]:
    """Return the directives of one header; those for another robot (`otherbot: noarchive`) are ignored."""
    robot, colon, rest = value.partition(":")
    if colon and robot.strip().lower() not in _OURS:
        return set()
    return {word.strip().lower() for word in (rest if colon else value).split(",")}


class Reservations(msgspec.Struct, frozen=True):
    """Path patterns on these hosts, and whether mining is reserved there."""

    hosts: frozenset[str] = frozenset()
    rules: tuple[tuple[str, bool], ...] = ()

    def reserve(self, url: str) -> bool:
        """Return whether mining of the page at this URL is reserved."""
        try:
            parts = urlsplit(url)
        except ValueError:
            return False
        if not self.rules or parts.netloc not in self.hosts:
            return False
        path = parts.path + (f"?{parts.query}" if parts.query else "")
        fitting = [(len(pattern), reserved) for pattern, reserved in self.rules if _fits(pattern, path)]
        return max(fitting, default=(0, False))[1]


def reservations_url(url: str) -> str:
    """Return the URL at which the host of this URL publishes its reservations."""
    return urljoin(url, "/.well-known/tdmrep.json")


def reservations_in(page: Page) -> Reservations:
    """Return the rules of the file; none if it is not valid."""
    if page.status != _OK:
        return Reservations()
    try:
        listed = msgspec.json.decode(page.body)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return Reservations()
    rules = tuple(rule for each in listed if (rule := _rule(each))) if isinstance(listed, list) else ()
    return Reservations(frozenset(urlsplit(url).netloc for url in (page.url, page.requested_url)), rules)


def _rule(given: Any) -> tuple[str, bool] | None:
    if not isinstance(given, dict) or not isinstance(given.get("location"), str):
        return None
    return given["location"], str(given.get("tdm-reservation")) == "1"


def _fits(pattern: str, path: str) -> bool:
    """Return whether a path matches the pattern, in which * matches anything and a final $ the end of the path."""
    parts = pattern.removesuffix("$").split("*")
    place = 0
    for number, part in enumerate(parts):
        found = path.find(part, place) if number else (0 if path.startswith(part) else -1)
        if found < 0:
            return False
        place = found + len(part)
    if not pattern.endswith("$"):
        return True
    return path.endswith(parts[-1]) if len(parts) > 1 else place == len(path)
