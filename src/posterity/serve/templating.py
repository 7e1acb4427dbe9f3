"""The templates of the pages, their filters, and responses made of filled templates."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import cache
from html import escape, unescape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import nh3
from babel import Locale
from babel.core import UnknownLocaleError
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse

from posterity.serve.settings import is_writer
from posterity.text.normal_form import count_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.requests import Request

    from posterity.archive import Snippet

_TAGS = nh3.ALLOWED_TAGS - {"map", "area", "nav", "header", "footer", "article", "aside", "hgroup", "bdi", "bdo"}
# Of MathML what records have: the TeX of a formula. An <mtext> may hold HTML, which sanitizers and browsers read
# differently.
_TAGS_OF_RECORDS = _TAGS | {"audio", "video", "input", "math", "semantics", "annotation"}
_ATTRIBUTES = {
    "*": {"id"},
    "a": {"href", "title"},
    "abbr": {"title"},
    "annotation": {"encoding"},
    "audio": {"src", "title"},
    "details": {"open"},
    "img": {"src", "alt", "title", "width", "height"},
    "input": {"checked"},
    "math": {"display"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
    "time": {"datetime"},
    "video": {"src", "poster", "title"},
}
_PLAYER = {"controls": "", "preload": "none"}
# A checkbox of a task list is the only <input> that a record has.
_SET_ATTRIBUTES = {"audio": _PLAYER, "video": _PLAYER, "input": {"type": "checkbox", "disabled": ""}}
_LOADED = frozenset({"src", "poster"})
# As records write them (`dom.plain_text`).
_PLAYED_FILE = re.compile(r'<(video|audio) src="([^"<>]*)"[^<>]*></(?:video|audio)>')


def page(
    request: Request, template: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any
) -> HTMLResponse:
    """Return a page; every template gets the path and what the visitor may do."""
    services = getattr(request.app.state, "services", None) if "app" in request.scope else None
    known = {
        "path": request.url.path,
        "may_write": services is not None and is_writer(request, services.settings),
        "has_token": services is not None and services.settings.token is not None,
        "public": services is not None and services.settings.public,
    }
    return HTMLResponse(environment().get_template(template).render(**known, **values), status, dict(headers or {}))


def fill_template(template: str, **values: Any) -> str:
    """Return a template with its values."""
    return environment().get_template(template).render(**values)


@cache
def environment() -> Environment:
    """The templates, with everything escaped that is not called safe."""
    environment = Environment(
        loader=PackageLoader("posterity.serve", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "ago": ago,
        "article": clean_article,
        "count": count_of,
        "day": day,
        "host": host,
        "language": language,
        "marked": marked,
        "moment": moment,
        "percent": percent,
    }
    return environment


def warm_up() -> None:
    """Compile every template, so that the first visitor of a page need not wait for it."""
    for name in environment().list_templates():
        environment().get_template(name)


def clean_article(html: str | None, files: Mapping[str, str] | None = None, prefix: str = "article-") -> Markup:
    """An archived article fit to stand in our own page: nothing that runs, and media from the archive only.

    `prefix` keeps the names of places in it, such as footnotes, apart from those of the page around it.
    """
    files = files or {}

    def kept(_tag: str, attribute: str, value: str) -> str | None:
        if attribute in _LOADED:
            return f"/media/{files[value]}" if value in files else None
        if attribute == "id":
            return prefix + value
        if attribute == "href" and value.startswith("#"):
            return f"#{prefix}{value[1:]}"
        return value

    def linked(player: re.Match[str]) -> str:
        url = unescape(player[2])
        name = urlsplit(url).path.rpartition("/")[2] or player[1]
        return player[0] if url in files else f'<a href="{player[2]}">{escape(name)}</a>'

    cleaned = nh3.clean(
        _PLAYED_FILE.sub(linked, html or ""),
        tags=_TAGS_OF_RECORDS,
        attributes=_ATTRIBUTES,
        set_tag_attribute_values=_SET_ATTRIBUTES,
        attribute_filter=kept,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return Markup(cleaned)  # noqa: S704 - nh3 made it safe


def marked(found: Snippet) -> Markup:
    """A snippet with the words that were looked for in <mark>."""
    pieces: list[Markup | str] = []
    end = 0
    for start, stop in found.marks:
        pieces += [found.text[end:start], Markup("<mark>{}</mark>").format(found.text[start:stop])]
        end = stop
    return Markup("").join([*pieces, found.text[end:]])


def day(value: datetime | None) -> str:
    """5 March 2021"""
    return f"{value.day} {value:%B %Y}" if value else "undated"


def moment(value: datetime | None) -> str:
    """5 March 2021, 15:05"""
    return f"{value.day} {value:%B %Y, %H:%M}" if value else "never"


def ago(value: datetime | None) -> str:
    """How long ago, in the largest unit that is at least one."""
    if value is None:
        return "never"
    seconds = (datetime.now(UTC) - value).total_seconds()
    ahead, seconds = seconds < 0, abs(seconds)
    for size, name in (
        (86400 * 365.25, "year"),
        (86400 * 30.4, "month"),
        (86400, "day"),
        (3600, "hour"),
        (60, "minute"),
    ):
        if seconds >= size:
            number = int(seconds // size)
            said = f"{number} {name}{'s' if number > 1 else ''}"
            return f"in {said}" if ahead else f"{said} ago"
    return "soon" if ahead else "just now"


def percent(share: float | None) -> str:
    """A share in per cent; a little missing is never 100 %."""
    if share is None:
        return "?"
    if 0.99 < share < 1:
        return "99 %"
    return f"{share:.0%}".replace("%", " %")


def host(url: str) -> str:
    """The URL without scheme, www and final slash."""
    parts = urlsplit(url)
    return (parts.netloc.removeprefix("www.") + parts.path).rstrip("/")


def language(code: str | None) -> str:
    """The English name of a language."""
    try:
        return Locale.parse((code or "").replace("-", "_")).get_language_name("en") or code or ""
    except (UnknownLocaleError, ValueError, TypeError):
        return code or ""
