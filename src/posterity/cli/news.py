"""What `posterity discover --news` names: a feed, a text, or lines of JSON, as news items."""

from __future__ import annotations

from pathlib import Path

import msgspec

from posterity.discover.feed import looks_like_feed, read_feed
from posterity.discover.keywords import NewsItem
from posterity.dom import parse, text_of
from posterity.errors import InputError
from posterity.urls import is_http_url


def news_items(name: str) -> list[NewsItem]:
    """Return the items of a feed at an address or in a file, of a .jsonl file, or the one text of any other file."""
    if is_http_url(name):
        from posterity.cli.fetch_page import fetch_feed

        page = fetch_feed(name)
        return _from_feed(page.body, page.url)
    try:
        body = Path(name).read_bytes()
    except OSError as problem:
        raise InputError(f"{name} cannot be read: {problem.strerror}.") from problem
    if name.lower().endswith(".jsonl"):
        return _from_lines(body, name)
    if looks_like_feed(body):
        return _from_feed(body, "")
    try:
        title, _, text = body.decode("utf-8-sig").strip().partition("\n")
    except UnicodeDecodeError as problem:
        raise InputError(f"{name} is neither a feed nor a text in UTF-8.") from problem
    return [NewsItem(title=title, text=text)]


def _from_feed(body: bytes, url: str) -> list[NewsItem]:
    return [
        NewsItem(title=_plain(entry.title or ""), text=_plain(entry.content or entry.summary or ""))
        for entry in read_feed(body, url).entries
    ]


def _plain(html: str) -> str:
    return text_of(parse(html).tree) if html else ""


def _from_lines(body: bytes, name: str) -> list[NewsItem]:
    try:
        return [msgspec.json.decode(line, type=NewsItem) for line in body.splitlines() if line.strip()]
    except msgspec.MsgspecError as problem:
        raise InputError(f"{name} is no file of {{title, text}}: {problem}.") from problem
