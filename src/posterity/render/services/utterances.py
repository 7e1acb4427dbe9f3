"""utterances: the comments of a page are the comments of a GitHub issue, read from the public API."""

from __future__ import annotations

import re
from datetime import datetime
from urllib.parse import unquote, urlencode, urlsplit

import msgspec

from posterity.config import RenderSettings
from posterity.dom import Document
from posterity.dom.document import declared_url
from posterity.render.services.dialogue import Batch, ServiceRequest, comment_of

_SCRIPT = "script[src*='utteranc.es/client.js'][repo]"
_PAGE_SIZE = 100
# Requests the comments as HTML, not as Markdown.
_HEADERS = (("Accept", "application/vnd.github.html+json"),)


class _User(msgspec.Struct):
    login: str | None = None
    html_url: str | None = None


class _Comment(msgspec.Struct):
    id: int
    user: _User | None = None
    created_at: datetime | None = None
    body_html: str = ""


class _Issue(msgspec.Struct):
    title: str
    number: int
    comments_url: str = ""


class _Search(msgspec.Struct):
    items: list[_Issue]


name = "utterances"


def first_request(document: Document, settings: RenderSettings) -> ServiceRequest | None:
    """Return the request for the issue's comments, or for a search for the issue."""
    if (repository := next(iter(document.attributes(_SCRIPT, "repo")), None)) is None:
        return None
    root = settings.github_url
    if number := next(iter(document.attributes(_SCRIPT, "issue-number")), None):
        return _page(f"{root}/repos/{repository}/issues/{number}/comments", 1)
    term = _term(document, next(iter(document.attributes(_SCRIPT, "issue-term")), "pathname"))
    query = urlencode({"q": f'"{term}" type:issue in:title repo:{repository}', "sort": "created", "order": "asc"})
    return ServiceRequest(f"{root}/search/issues?{query}", _HEADERS, term)


def read(body: bytes, request: ServiceRequest) -> Batch | None:
    """Return the comments of one page and the next request; after a search, the request for the first page."""
    if "/search/issues" in request.url:
        # The first issue whose title contains the term, as in the widget.
        for issue in msgspec.json.decode(body, type=_Search).items:
            if request.about.lower() in issue.title.lower():
                repository = unquote(request.url).replace("+", " ").partition("repo:")[2].partition("&")[0]
                root = request.url.partition("/search/")[0]
                return Batch(then=_page(f"{root}/repos/{repository}/issues/{issue.number}/comments", 1))
        return Batch()
    some = msgspec.json.decode(body, type=list[_Comment])
    url, _, query = request.url.partition("?")
    page = int(re.findall(r"page=(\d+)", query)[-1])
    return Batch(
        comments=tuple(
            comment_of(
                one.id,
                parent=None,
                author=one.user.login if one.user else None,
                author_url=one.user.html_url if one.user else None,
                published=one.created_at,
                html=one.body_html,
            )
            for one in some
        ),
        then=_page(url, page + 1) if len(some) == _PAGE_SIZE else None,
    )


def _page(url: str, number: int) -> ServiceRequest:
    return ServiceRequest(f"{url}?per_page={_PAGE_SIZE}&page={number}", _HEADERS)


def _term(document: Document, kind: str) -> str:
    if kind == "pathname":
        return re.sub(r"\.\w+$", "", urlsplit(document.url).path.lstrip("/")) or "index"
    if kind == "url":
        return declared_url(document) or document.url
    if kind == "title":
        return next((tree.plain(0).strip() for tree in document.all("head > title")), "")
    if kind == "og:title":
        return next(iter(document.attributes("meta[property='og:title']", "content")), "")
    return kind
