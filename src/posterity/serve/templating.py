"""The Jinja templates of the pages, their filters, and responses rendered from them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import cache
from html import escape, unescape
from typing import Any
from urllib.parse import urlsplit

import nh3
from babel import Locale
from babel.core import UnknownLocaleError
from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import HTMLResponse

from posterity.archive import Snippet
from posterity.archive.opening import is_postgres
from posterity.dom.formulas import Formula, mathml_of
from posterity.model.post import Precision
from posterity.serve.settings import is_writer
from posterity.text.normal_form import count_of

_TAGS = nh3.ALLOWED_TAGS - {"map", "area", "nav", "header", "footer", "article", "aside", "hgroup", "bdi", "bdo"}
# Of MathML, only the TeX annotation that records contain. <mtext> may contain HTML, which sanitizers and browsers parse
# differently.
_TAGS_OF_RECORDS = _TAGS | {"audio", "video", "input", "math", "semantics", "annotation"}
_ATTRIBUTES = {
    "*": {"id"}, "a": {"href", "title"}, "abbr": {"title"}, "annotation": {"encoding"}, "audio": {"src", "title"},
    "code": {"class"}, "details": {"open"}, "img": {"src", "alt", "title", "width", "height"}, "input": {"checked"},
    "math": {"display"}, "ol": {"start"}, "pre": {"class"}, "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"}, "time": {"datetime"}, "video": {"src", "poster", "title"},
}  # fmt: skip
# Elements dropped with their content. MathML in a record is untrusted, so formulas are converted again from their TeX.
_UNSHOWN = {"script", "style"} | {
    "mrow", "mi", "mn", "mo", "mtext", "ms", "mspace", "mfrac", "msqrt", "mroot", "mstyle", "mtable", "msub", "msup",
    "msubsup", "munder", "mover", "munderover", "mpadded", "mphantom", "menclose", "mmultiscripts",
}  # fmt: skip
_PLAYER = {"controls": "", "preload": "none"}
# The only <input> in records is the checkbox of a task list.
_SET_ATTRIBUTES = {"audio": _PLAYER, "video": _PLAYER, "input": {"type": "checkbox", "disabled": ""}}
_FORMULA = re.compile(
    r'<math(?: display="(\w+)")?><semantics><annotation encoding="application/x-tex">([^<]*)</annotation>'
    r"</semantics></math>"
)
_MAX_TEX = 10_000  # characters of all formulas converted for one page: half a second
# The form of audio and video in records (`dom.plain_text`).
_PLAYED_FILE = re.compile(r'<(video|audio) src="([^"<>]*)"[^<>]*></(?:video|audio)>')


def page(
    request: Request, template: str, *, status: int = 200, headers: Mapping[str, str] | None = None, **values: Any
) -> HTMLResponse:
    """Return a rendered page; every template also gets the path and the visitor's permissions."""
    services = getattr(request.app.state, "services", None) if "app" in request.scope else None
    known = {
        "path": request.url.path,
        "may_write": services is not None and is_writer(request, services.settings),
        "has_token": services is not None and services.settings.token is not None,
        "public": services is not None and services.settings.public,
        "may_have_fleet": services is not None and is_postgres(services.settings.archive),
    }
    return HTMLResponse(environment().get_template(template).render(**known, **values), status, dict(headers or {}))


def fill_template(template: str, **values: Any) -> str:
    """Return a rendered template."""
    return environment().get_template(template).render(**values)


@cache
def environment() -> Environment:
    """Return the Jinja environment; everything not marked as safe is escaped."""
    environment = Environment(
        loader=PackageLoader("posterity.serve", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "ago": ago, "article": clean_article, "count": count_of, "day": day, "format_date": format_date, "host": host,
        "language": language, "highlight_marks": highlight_marks, "format_time": format_time, "percent": percent,
    }  # fmt: skip
    return environment


def warm_up() -> None:
    """Compile every template, so that the first visitor of a page does not wait for it."""
    for name in environment().list_templates():
        environment().get_template(name)


def clean_article(html: str | None, files: Mapping[str, str] | None = None, prefix: str = "article-") -> Markup:
    """Return an archived article that is safe in the server's own pages: no scripts, and only archived media.

    `prefix` keeps its ids, such as those of footnotes, apart from the ids of the page around it.
    """
    files = files or {}

    def kept(_tag: str, attribute: str, value: str) -> str | None:
        if attribute in ("src", "poster"):
            return f"/media/{files[value]}" if value in files else None
        if attribute == "id":
            return prefix + value
        if attribute == "class":
            return value if _LANGUAGE_CLASS.fullmatch(value) else None
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
        clean_content_tags=_UNSHOWN,
        attributes=_ATTRIBUTES,
        set_tag_attribute_values=_SET_ATTRIBUTES,
        attribute_filter=kept,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
    )
    return Markup(_highlight_code(_with_mathml(cleaned)))  # noqa: S704 - nh3 made it safe, and `mathml_of` escapes


def _with_mathml(html: str) -> str:
    """Convert the formulas in clean HTML to MathML that browsers render, up to `_MAX_TEX`."""
    left = _MAX_TEX

    def shown(found: re.Match[str]) -> str:
        nonlocal left
        tex = unescape(found[2])
        left -= len(tex)
        return (mathml_of(Formula(tex, found[1] == "block")) if left >= 0 else None) or found[0]

    return _FORMULA.sub(shown, html) if "<math" in html else html


# Languages by what starts their comments. Full lexers would run on arbitrary text of archived pages.
_COMMENTS = {
    "#": "awk bash coffeescript dockerfile elixir ini julia make makefile nix perl powershell py python r rb ruby sh "
    "shell toml yaml yml zsh",
    "--": "ada elm haskell hs lua sql",
    ";": "asm clojure elisp lisp racket scheme",
    "%": "erlang latex matlab prolog tex",
}
_C_COMMENT = r"//[^\n]*|/\*(?:[^*]|\*(?!/))*(?:\*/|$)|&lt;!--(?:[^-]|-(?!-&gt;))*(?:--&gt;|$)"
_COMMENT_OF = {name: f"{re.escape(mark)}[^\\n]*" for mark, names in _COMMENTS.items() for name in names.split()}
_KEYWORDS = (
    "abstract and as assert async await begin break case catch class const continue def defer del do elif else end "
    "enum except export extends extern false final finally fn for from func function go if impl implements import in "
    "instance interface is lambda let loop match mod module mut namespace new nil none not null of or package pass "
    "private protected pub public raise return select self static struct super switch template then this throw trait "
    "true try type typedef union unless until use using val var void when where while with yield"
)
_LANGUAGE_CLASS = re.compile(r"language-[\w+#-]{1,30}")
_CODE_BLOCK = re.compile(r'<(code|pre) class="language-([\w+#-]{1,30})">([^<]*)</(?:code|pre)>')
_MAX_CODE = 20_000  # characters; longer blocks are not highlighted


@cache
def _code_tokens(comment: str) -> re.Pattern[str]:
    """Return the pattern of comments, strings, numbers and keywords in text with &, < and > escaped, but not quotes."""
    string = r'"(?:[^"\\\n]|\\.)*"?|\'(?:[^\'\\\n]|\\.)*\'|`(?:[^`\\\n]|\\.)*`'
    words = "|".join(_KEYWORDS.split())
    return re.compile(
        rf"(?P<c>{comment})|(?P<s>{string})|(?P<m>\b\d[\w.]*)|(?P<k>\b(?:{words})\b)|&\w+;", re.IGNORECASE
    )


def _highlight_code(html: str) -> str:
    """Mark comments, strings, numbers and keywords in the code blocks of clean HTML."""

    def token(found: re.Match[str]) -> str:
        return f'<span class="code-{found.lastgroup}">{found[0]}</span>' if found.lastgroup else found[0]

    def block(found: re.Match[str]) -> str:
        if len(found[3]) > _MAX_CODE:
            return found[0]
        tokens = _code_tokens(_COMMENT_OF.get(found[2].lower(), _C_COMMENT))
        return f'<{found[1]} class="language-{found[2]}">{tokens.sub(token, found[3])}</{found[1]}>'

    return _CODE_BLOCK.sub(block, html) if 'class="language-' in html else html


def highlight_marks(found: Snippet) -> Markup:
    """Return a snippet with the search terms in <mark>."""
    pieces: list[Markup | str] = []
    end = 0
    for start, stop in found.marks:
        pieces += [found.text[end:start], Markup("<mark>{}</mark>").format(found.text[start:stop])]
        end = stop
    return Markup("").join([*pieces, found.text[end:]])


def day(value: datetime | None) -> str:
    """Return a date such as "5 March 2021"."""
    return f"{value.day} {value:%B %Y}" if value else "undated"


def format_time(value: datetime | None) -> str:
    """Return a time such as "5 March 2021, 15:05"."""
    return f"{value.day} {value:%B %Y, %H:%M}" if value else "never"


def format_date(value: datetime, precision: Precision | None) -> str:
    """Return a date with its known precision: "about 2018" for a page with "3 years ago"."""
    known = {
        "year": f"about {value:%Y}",
        "month": f"about {value:%B %Y}",
        "week": f"about {day(value)}",
        "day": day(value),
    }
    return known.get(precision or "", format_time(value))


def ago(value: datetime | None) -> str:
    """Return how long ago a time was, in the largest unit that fits; future times give "in 2 days"."""
    if value is None:
        return "never"
    seconds = (datetime.now(UTC) - value).total_seconds()
    ahead, seconds = seconds < 0, abs(seconds)
    units = {"year": 86400 * 365.25, "month": 86400 * 30.4, "day": 86400, "hour": 3600, "minute": 60}
    for name, size in units.items():
        if seconds >= size:
            number = int(seconds // size)
            amount = f"{number} {name}{'s' if number > 1 else ''}"
            return f"in {amount}" if ahead else f"{amount} ago"
    return "soon" if ahead else "just now"


def percent(share: float | None) -> str:
    """Return a share in percent; only a complete one is shown as 100 %."""
    if share is None:
        return "?"
    if 0.99 < share < 1:
        return "99 %"
    return f"{share:.0%}".replace("%", " %")


def host(url: str) -> str:
    """Return the URL without scheme, www and trailing slash."""
    parts = urlsplit(url)
    return (parts.netloc.removeprefix("www.") + parts.path).rstrip("/")


def language(code: str | None) -> str:
    """Return the English name of a language; the code itself if it is unknown."""
    try:
        return Locale.parse((code or "").replace("-", "_")).get_language_name("en") or code or ""
    except (UnknownLocaleError, ValueError, TypeError):
        return code or ""
