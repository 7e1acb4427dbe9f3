"""Other people's extractors behind our own interface, `(html, url) -> Post`, each with its defaults.

None of them is a dependency: they are loaded when they are asked for, and come with `pip install posterity[rivals]`. A
rival that has no title, author, date or comments leaves them empty. None of them may touch the network here.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import re
from datetime import UTC, datetime
from functools import cache, partial
from typing import TYPE_CHECKING, Any, TypeAlias

import msgspec

from posterity.dom import parse, text_of
from posterity.errors import InputError
from posterity.model import Comment, Post

if TYPE_CHECKING:
    from collections.abc import Callable

Rival: TypeAlias = "Callable[[str, str], Post]"

# Names that justext gives its word lists, by the language a page says it has.
_STOPLIST = {
    "ar": "Arabic", "cs": "Czech", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fr": "French",
    "it": "Italian", "ko": "Korean", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian",
    "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian",
}  # fmt: skip


def _module(name: str) -> Any:
    """The rival's module, without types: few of them have any."""
    return importlib.import_module(name)


def _post(url: str, **fields: Any) -> Post:
    return Post(id="", url=url, **{key: value for key, value in fields.items() if value})


def _trafilatura(html: str, url: str, **mode: bool) -> Post:
    found = _module("trafilatura").bare_extraction(
        html, url=url or None, with_metadata=True, include_comments=True, **mode
    )
    if found is None:
        return _post(url)
    comments = (Comment(id="c1", text=found.comments),) if found.comments else ()
    return _post(
        url,
        text=found.text,
        title=found.title,
        authors=_names(found.author),
        published=_time(found.date),
        comments=comments,
    )


def _resiliparse(html: str, url: str) -> Post:
    tree = _module("resiliparse.parse.html").HTMLTree.parse(html)
    plain_text = _module("resiliparse.extract.html2text").extract_plain_text
    text = plain_text(tree, main_content=True, alt_texts=False, links=False, list_bullets=False)
    return _post(url, text=text, title=tree.title)


def _readability(html: str, url: str) -> Post:
    document = _module("readability").Document(html, url=url or None)
    article = document.summary(html_partial=True)
    return _post(url, text=text_of(parse(article).tree), html=article, title=document.short_title())


def _justext(html: str, url: str) -> Post:
    language = re.search(r"<html[^>]*\blang=[\"']?([a-z]{2})", html[:4096], re.IGNORECASE)
    stoplist = _stoplist(_STOPLIST.get(language[1].lower() if language else "en", "English"))
    # justext takes text for bytes of another encoding when the page names one, so it gets bytes it can trust.
    paragraphs = _module("justext").justext(html.encode("utf-8", "replace"), stoplist, encoding="utf-8")
    return _post(url, text="\n".join(paragraph.text for paragraph in paragraphs if not paragraph.is_boilerplate))


@cache
def _stoplist(name: str) -> frozenset[str]:
    return frozenset(_module("justext").get_stoplist(name))


def _boilerpy3(html: str, url: str) -> Post:
    document = _module("boilerpy3.extractors").ArticleExtractor(raise_on_failure=False).get_doc(html)
    return _post(url, text=document.content, title=document.title)


def _newspaper4k(html: str, url: str) -> Post:
    article = _module("newspaper").Article(url or "http://page.invalid/", fetch_images=False)
    article.download(input_html=html)
    article.parse()
    return _post(
        url,
        text=article.text,
        title=article.title,
        authors=tuple(article.authors),
        published=_time(article.publish_date),
    )


def _goose3(html: str, url: str) -> Post:
    with _module("goose3").Goose({"enable_image_fetching": False, "strict": False}) as goose:
        article = goose.extract(raw_html=html)
    return _post(
        url,
        text=article.cleaned_text,
        title=article.title,
        authors=tuple(article.authors),
        published=_time(article.publish_date),
    )


class _Entry(msgspec.Struct, frozen=True):
    """A rival's function and the package on PyPI that it needs."""

    extract: Rival
    package: str


RIVALS: dict[str, _Entry] = {
    "trafilatura": _Entry(_trafilatura, "trafilatura"),
    "trafilatura-precision": _Entry(partial(_trafilatura, favor_precision=True), "trafilatura"),
    "trafilatura-recall": _Entry(partial(_trafilatura, favor_recall=True), "trafilatura"),
    "trafilatura-fast": _Entry(partial(_trafilatura, fast=True), "trafilatura"),
    "resiliparse": _Entry(_resiliparse, "resiliparse"),
    "readability-lxml": _Entry(_readability, "readability-lxml"),
    "justext": _Entry(_justext, "justext"),
    "boilerpy3": _Entry(_boilerpy3, "boilerpy3"),
    "newspaper4k": _Entry(_newspaper4k, "newspaper4k"),
    "goose3": _Entry(_goose3, "goose3"),
}


def rival_named(name: str) -> Rival:
    """Return the rival, or raise `InputError` that says how to get it."""
    if name not in RIVALS:
        raise InputError(f"There is no rival {name!r}. Choose one of: {', '.join(RIVALS)}.")
    version_of(name)
    return RIVALS[name].extract


def version_of(name: str) -> str:
    """Return the installed version of the rival's package, or raise `InputError` that says how to get it."""
    package = RIVALS[name].package
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError as problem:
        raise InputError(f"The rival {name} is not installed. Get it with: pip install posterity[rivals]") from problem


def _names(text: str | None) -> tuple[str, ...]:
    return tuple(filter(None, (name.strip() for name in (text or "").split(";"))))


def _time(value: object) -> datetime | None:
    """Rivals give a datetime, an ISO text, or something else that is no time."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    if not isinstance(value, datetime):
        return None
    return value if value.tzinfo else value.replace(tzinfo=UTC)
