"""The templates of the pages, their filters, and responses made of filled templates."""

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
# Of MathML what records have: the TeX of a formula. An <mtext> may hold HTML, which sanitizers and browsers read
# differently.
_TAGS_OF_RECORDS = _TAGS | {"audio", "video", "input", "math", "semantics", "annotation"}
_ATTRIBUTES = {
    "*": {"id"}, "a": {"href", "title"}, "abbr": {"title"}, "annotation": {"encoding"}, "audio": {"src", "title"},
    "code": {"class"}, "details": {"open"}, "img": {"src", "alt", "title", "width", "height"}, "input": {"checked"},
    "math": {"display"}, "ol": {"start"}, "pre": {"class"}, "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"}, "time": {"datetime"}, "video": {"src", "poster", "title"},
}  # fmt: skip
# Of a formula the TeX is kept, and MathML is made of that: MathML in a record may come from anywhere.
_UNSHOWN = {"script", "style"} | {
    "mrow", "mi", "mn", "mo", "mtext", "ms", "mspace", "mfrac", "msqrt", "mroot", "mstyle", "mtable", "msub", "msup",
    "msubsup", "munder", "mover", "munderover", "mpadded", "mphantom", "menclose", "mmultiscripts",
}  # fmt: skip
_PLAYER = {"controls": "", "preload": "none"}
# A checkbox of a task list is the only <input> that a record has.
_SET_ATTRIBUTES = {"audio": _PLAYER, "video": _PLAYER, "input": {"type": "checkbox", "disabled": ""}}
_FORMULA = re.compile(
    r'<math(?: display="(\w+)")?><semantics><annotation encoding="application/x-tex">([^<]*)</annotation>'
    r"</semantics></math>"
)
_MAX_TEX = 10_000  # characters of all formulas that are converted for one page: half a second
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
        "may_have_fleet": services is not None and is_postgres(services.settings.archive),
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
        "ago": ago, "article": clean_article, "count": count_of, "day": day, "written": written, "host": host,
        "language": language, "marked": marked, "moment": moment, "percent": percent,
    }  # fmt: skip
    return environment


def warm_up() -> None:
    """Compile every template, so that the first visitor of a page need not wait for it."""
    for name in environment().list_templates():
        environment().get_template(name)


def clean_article(html: str | None, files: Mapping[str, str] | None = None, prefix: str = "article-") -> Markup:
    """An archived article fit to be in our own page: nothing that runs, and media from the archive only.

    `prefix` keeps the names of places in it, such as footnotes, apart from those of the page around it.
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
    """Clean HTML whose formulas, up to a limit, are MathML that browsers show."""
    left = _MAX_TEX

    def shown(found: re.Match[str]) -> str:
        nonlocal left
        tex = unescape(found[2])
        left -= len(tex)
        return (mathml_of(Formula(tex, found[1] == "block")) if left >= 0 else None) or found[0]

    return _FORMULA.sub(shown, html) if "<math" in html else html


# Comments of languages by what begins them; lexers for each language would be tried on whatever archived pages have.
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
_MAX_CODE = 20_000  # characters of a block that is highlighted


@cache
def _code_tokens(comment: str) -> re.Pattern[str]:
    """What is highlighted: comments, strings, numbers, keywords; in escaped text, where a quotation mark is itself."""
    string = r'"(?:[^"\\\n]|\\.)*"?|\'(?:[^\'\\\n]|\\.)*\'|`(?:[^`\\\n]|\\.)*`'
    words = "|".join(_KEYWORDS.split())
    return re.compile(
        rf"(?P<c>{comment})|(?P<s>{string})|(?P<m>\b\d[\w.]*)|(?P<k>\b(?:{words})\b)|&\w+;", re.IGNORECASE
    )


def _highlight_code(html: str) -> str:
    """Clean HTML whose code has its comments, strings, numbers and keywords marked."""

    def token(found: re.Match[str]) -> str:
        return f'<span class="code-{found.lastgroup}">{found[0]}</span>' if found.lastgroup else found[0]

    def block(found: re.Match[str]) -> str:
        if len(found[3]) > _MAX_CODE:
            return found[0]
        tokens = _code_tokens(_COMMENT_OF.get(found[2].lower(), _C_COMMENT))
        return f'<{found[1]} class="language-{found[2]}">{tokens.sub(token, found[3])}</{found[1]}>'

    return _CODE_BLOCK.sub(block, html) if 'class="language-' in html else html


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


def written(value: datetime, precision: Precision | None) -> str:
    """A date as exactly as it is known: "about 2018" where the page says "3 years ago"."""
    known = {
        "year": f"about {value:%Y}",
        "month": f"about {value:%B %Y}",
        "week": f"about {day(value)}",
        "day": day(value),
    }
    return known.get(precision or "", moment(value))


def ago(value: datetime | None) -> str:
    """How long ago, in the largest unit that is at least one."""
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
