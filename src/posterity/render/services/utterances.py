"""utterances: the comments of a page are those of an issue at GitHub, whose public interface gives them."""

from __future__ import annotations

import re
from datetime import datetime
from urllib.parse import unquote, urlencode, urlsplit

import msgspec

from posterity.config import RenderSettings
from posterity.dom import Document
from posterity.dom.metadata import declared_url
from posterity.render.services.dialogue import Ask, Batch, comment_of

_SCRIPT = "script[src*='utteranc.es/client.js'][repo]"
_PAGE_SIZE = 100
# The comments as HTML, and not as the Markdown they were written in.
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


class Utterances:
    """Pages name the repository, and the issue by its number or by its title."""

    name = "utterances"

    def first_ask(self, document: Document, settings: RenderSettings) -> Ask | None:
        """Return where the issue's comments are, or where to search for the issue."""
        repository = next(iter(document.attributes(_SCRIPT, "repo")), None)
        if repository is None:
            return None
        root = settings.github_url
        number = next(iter(document.attributes(_SCRIPT, "issue-number")), None)
        if number:
            return _page(f"{root}/repos/{repository}/issues/{number}/comments", 1)
        term = _term(document, next(iter(document.attributes(_SCRIPT, "issue-term")), "pathname"))
        query = urlencode({"q": f'"{term}" type:issue in:title repo:{repository}', "sort": "created", "order": "asc"})
        return Ask(f"{root}/search/issues?{query}", _HEADERS, term)

    def read(self, body: bytes, ask: Ask) -> Batch | None:
        """Return the comments of one page, and the next; or the first page of the issue that was searched for."""
        if "/search/issues" in ask.url:
            return _found(msgspec.json.decode(body, type=_Search), ask)
        some = msgspec.json.decode(body, type=list[_Comment])
        url, _, query = ask.url.partition("?")
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


def _found(search: _Search, ask: Ask) -> Batch:
    """The first issue whose title has the term, as the widget takes it; a post without one has no comments."""
    for issue in search.items:
        if ask.about.lower() in issue.title.lower():
            repository = unquote(ask.url).replace("+", " ").partition("repo:")[2].partition("&")[0]
            root = ask.url.partition("/search/")[0]
            return Batch(then=_page(f"{root}/repos/{repository}/issues/{issue.number}/comments", 1))
    return Batch()


def _page(url: str, number: int) -> Ask:
    return Ask(f"{url}?per_page={_PAGE_SIZE}&page={number}", _HEADERS)


def _term(document: Document, kind: str) -> str:
    path = urlsplit(document.url).path
    if kind == "pathname":
        return re.sub(r"\.\w+$", "", path.lstrip("/")) or "index"
    if kind == "url":
        return declared_url(document) or document.url
    if kind == "title":
        return next((tree.plain(0).strip() for tree in document.all("head > title")), "")
    if kind == "og:title":
        return next(iter(document.attributes("meta[property='og:title']", "content")), "")
    return kind
