"""The templates of the pages, their filters, and responses made of filled templates."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import cache
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

_TAGS = nh3.ALLOWED_TAGS - {"img", "map", "area", "nav", "header", "footer", "article", "aside", "hgroup", "bdi", "bdo"}


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


def clean_article(html: str | None, files: Mapping[str, str] | None = None) -> Markup:
    """An archived article fit to stand in our own page: nothing that runs or loads, pictures from the archive only."""
    files = files or {}

    def kept(tag: str, attribute: str, value: str) -> str | None:
        if tag == "img" and attribute == "src":
            return f"/media/{files[value]}" if value in files else None
        return value

    cleaned = nh3.clean(
        html or "",
        tags=_TAGS | {"img", "figure", "figcaption"},
        attributes={
            "a": {"href", "title"},
            "img": {"src", "alt", "title", "width", "height"},
            "td": {"colspan", "rowspan"},
            "th": {"colspan", "rowspan"},
            "ol": {"start"},
            "time": {"datetime"},
        },
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
