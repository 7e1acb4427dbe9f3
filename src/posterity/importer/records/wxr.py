"""Reads records from WXR: exports of Posterity and of WordPress (Tools, Export)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import IO
from xml.etree.ElementTree import Element

import msgspec

from posterity.export.round_trip import FormatComment, FormatPost
from posterity.export.wxr import NAMESPACES, REST_KEY
from posterity.importer.records.found import FoundRecord, elements_below, record_from, text_at

_WP, _CONTENT, _EXCERPT, _DC = (f"{{{NAMESPACES[name]}}}" for name in ("wp", "content", "excerpt", "dc"))
# Older versions of the format differ only in their namespace.
_VERSION = re.compile(r"\{http://wordpress\.org/export/1\.[0-9]/")
_MAX_NAME = 1_000
_BLOCK = re.compile(r"<(?:p|div|ul|ol|h[1-6]|blockquote|pre|table|figure)\b", re.IGNORECASE)
_EMPTY_LINE = re.compile(r"\n\s*\n")


def records_in_wxr(stream: IO[bytes], name: str) -> Iterator[FoundRecord]:
    """Yield the published posts; pages, attachments, drafts and pending posts are left out."""
    site = _Site()
    for element in elements_below(stream, ("rss", "channel"), name):
        # Replace the namespace of other versions with that of version 1.2.
        for inner in element.iter():
            if _VERSION.match(inner.tag):
                inner.tag = _VERSION.sub("{http://wordpress.org/export/1.2/", inner.tag)
        if element.tag != "item":
            site.read(element)
        elif text_at(element, f"{_WP}post_type") == "post" and text_at(element, f"{_WP}status") == "publish":
            rest = _rest(element)
            post = record_from(_format_post(element, site, ready_made=rest is not None), rest, "wxr")
            yield FoundRecord(post=post, blog_url=site.home or None, blog_title=site.title or None)


class _Site:
    """The elements before the posts: the site's title and URL, and the names of its authors."""

    def __init__(self) -> None:
        self.title = self.link = self.base = ""
        self.names: dict[str, str] = {}

    @property
    def home(self) -> str:
        return self.base or self.link

    def read(self, element: Element) -> None:
        text = (element.text or "").strip()
        if element.tag == "title":
            self.title = text
        elif element.tag == "link":
            self.link = text
        elif element.tag == f"{_WP}base_blog_url":
            self.base = text
        elif element.tag == f"{_WP}author":
            login = text_at(element, f"{_WP}author_login")
            # Truncated, because every post repeats it.
            self.names[login] = (text_at(element, f"{_WP}author_display_name") or login)[:_MAX_NAME]


def _format_post(item: Element, site: _Site, *, ready_made: bool) -> FormatPost:
    login = text_at(item, f"{_DC}creator")
    content = text_at(item, f"{_CONTENT}encoded")
    # WordPress also writes the time of the last change for posts that were never changed.
    changed = _moment(item, "post_modified")
    return FormatPost(
        url=text_at(item, "link").strip(),
        blog_url=site.home or None,
        title=text_at(item, "title").strip() or None,
        authors=(site.names.get(login, login),) if login else (),
        published=_moment(item, "post_date"),
        modified=changed if ready_made or changed != _moment(item, "post_date") else None,
        tags=_terms(item, "post_tag"),
        categories=_terms(item, "category"),
        summary=text_at(item, f"{_EXCERPT}encoded").strip() or None,
        html=content if ready_made else _with_paragraphs(content),
        comments=tuple(_comment(comment) for comment in item.findall(f"{_WP}comment") if _is_shown(comment)),
    )


def _comment(comment: Element) -> FormatComment:
    parent = text_at(comment, f"{_WP}comment_parent").strip()
    return FormatComment(
        id=text_at(comment, f"{_WP}comment_id").strip(),
        parent=parent if parent not in ("", "0") else None,
        author=text_at(comment, f"{_WP}comment_author").strip() or None,
        author_url=text_at(comment, f"{_WP}comment_author_url").strip() or None,
        published=_moment(comment, "comment_date"),
        html=text_at(comment, f"{_WP}comment_content"),
        type="trackback" if text_at(comment, f"{_WP}comment_type").strip() in _TRACKBACKS else msgspec.UNSET,
    )


_TRACKBACKS = ("trackback", "pingback")


def _is_shown(comment: Element) -> bool:
    approved = text_at(comment, f"{_WP}comment_approved").strip() == "1"
    return approved and text_at(comment, f"{_WP}comment_type").strip() in ("", "comment", *_TRACKBACKS)


def _terms(item: Element, domain: str) -> tuple[str, ...]:
    found = (element.text or "" for element in item.findall("category") if element.get("domain") == domain)
    return tuple(filter(None, found))


def _moment(element: Element, name: str) -> datetime | None:
    """Return the time in UTC, or else the local time of the site as if it were UTC."""
    for tag in (f"{_WP}{name}_gmt", f"{_WP}{name}"):
        text = text_at(element, tag).strip()
        if text and not text.startswith("0000"):
            with suppress(ValueError):
                return datetime.fromisoformat(text).replace(tzinfo=UTC)
    return None


def _rest(item: Element) -> str | None:
    for meta in item.findall(f"{_WP}postmeta"):
        if text_at(meta, f"{_WP}meta_key") == REST_KEY:
            return text_at(meta, f"{_WP}meta_value")
    return None


def _with_paragraphs(content: str) -> str:
    """Convert text with empty lines to <p> elements, as WordPress does with posts of its classic editor."""
    if _BLOCK.search(content) or not content.strip():
        return content
    pieces = (piece.strip().replace("\n", "<br>") for piece in _EMPTY_LINE.split(content.replace("\r\n", "\n")))
    return "".join(f"<p>{piece}</p>\n" for piece in pieces if piece)
