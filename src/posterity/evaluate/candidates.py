"""Candidates of an evaluation: Posterity's methods, rival extractors, and functions of other packages.

A candidate has a name for the command line: `mcst` is a method, `wc-multi+prune+sparse` one with switches,
`cst+cleaner=false` one with an option. `+min_confidence=authors=0.7` drops values with a lower confidence, for every
method. A rival has its own name. `package.module:function` is a custom method with the interface `Method`.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import re
from collections.abc import Callable, Iterable
from datetime import datetime
from functools import cache, partial
from typing import Any, Literal, TypeAlias

import msgspec

from posterity.dom import parse, text_of
from posterity.errors import InputError
from posterity.extraction.method import NEEDS, Method, Need, extract_posts, method_named
from posterity.model import Comment, Post, demands_in
from posterity.model.post import aware

Rival: TypeAlias = "Callable[[str, str], Post]"

# Names of justext's stop lists, by the language code of a page.
_STOPLIST = {
    "ar": "Arabic", "cs": "Czech", "de": "German", "el": "Greek", "en": "English", "es": "Spanish", "fr": "French",
    "it": "Italian", "ko": "Korean", "nl": "Dutch", "pl": "Polish", "pt": "Portuguese", "ru": "Russian",
    "sv": "Swedish", "tr": "Turkish", "uk": "Ukrainian",
}  # fmt: skip


def _module(name: str) -> Any:
    """Import a rival's module as `Any`: few of them have types."""
    return importlib.import_module(name)


def _post(url: str, **fields: Any) -> Post:
    return Post(id="", url=url, **{key: value for key, value in fields.items() if value})


def _trafilatura(html: str, url: str, **mode: bool) -> Post:
    kept = {"with_metadata": True, "include_comments": True}
    found = _module("trafilatura").bare_extraction(html, url=url or None, **kept, **mode)
    if found is None:
        return _post(url)
    return _post(
        url,
        text=found.text,
        title=found.title,
        authors=tuple(filter(None, (name.strip() for name in (found.author or "").split(";")))),
        published=_time(found.date),
        tags=tuple(found.tags or ()),
        categories=tuple(found.categories or ()),
        comments=(Comment(id="c1", text=found.comments),) if found.comments else (),
    )


def _trafilatura_markdown(html: str, url: str) -> Post:
    """Return the article as plain text and as Markdown with all elements that trafilatura supports."""
    extract = partial(_module("trafilatura").extract, html, url=url or None)
    kept = {f"include_{what}": True for what in ("links", "images", "formatting", "tables")}
    return _post(url, text=extract(), markdown=extract(output_format="markdown", **kept))


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
    # justext re-decodes text if the page declares an encoding, so pass bytes with an explicit encoding.
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
    return _of_article(url, article, article.text)


def _goose3(html: str, url: str) -> Post:
    with _module("goose3").Goose({"enable_image_fetching": False, "strict": False}) as goose:
        article = goose.extract(raw_html=html)
    return _of_article(url, article, article.cleaned_text)


def _of_article(url: str, article: Any, text: str) -> Post:
    published = _time(article.publish_date)
    return _post(url, text=text, title=article.title, authors=tuple(article.authors), published=published)


# The function of each rival, and its package on PyPI.
RIVALS: dict[str, tuple[Rival, str]] = {
    "trafilatura": (_trafilatura, "trafilatura"),
    "trafilatura-precision": (partial(_trafilatura, favor_precision=True), "trafilatura"),
    "trafilatura-recall": (partial(_trafilatura, favor_recall=True), "trafilatura"),
    "trafilatura-fast": (partial(_trafilatura, fast=True), "trafilatura"),
    "trafilatura-markdown": (_trafilatura_markdown, "trafilatura"),
    "resiliparse": (_resiliparse, "resiliparse"),
    "readability-lxml": (_readability, "readability-lxml"),
    "justext": (_justext, "justext"),
    "boilerpy3": (_boilerpy3, "boilerpy3"),
    "newspaper4k": (_newspaper4k, "newspaper4k"),
    "goose3": (_goose3, "goose3"),
}


def rival_named(name: str) -> Rival:
    """Return the rival; raise `InputError` if it is unknown or not installed."""
    if name not in RIVALS:
        raise InputError(f"There is no rival {name!r}. Choose one of: {', '.join(RIVALS)}.")
    version_of(name)
    return RIVALS[name][0]


def version_of(name: str) -> str:
    """Return the installed version of the rival's package; raise `InputError` if it is not installed."""
    try:
        return importlib.metadata.version(RIVALS[name][1])
    except importlib.metadata.PackageNotFoundError as problem:
        raise InputError(
            f"The rival {name} is not installed. Install it with: pip install posterity[rivals]"
        ) from problem


def _time(value: object) -> datetime | None:
    """Convert a rival's date: a datetime, an ISO string, or anything else, which becomes None."""
    if isinstance(value, str):
        try:
            value = datetime.fromisoformat(value)
        except ValueError:
            return None
    return aware(value) if isinstance(value, datetime) else None


_EVERYTHING: frozenset[Need] = frozenset({"rules", "reference", "site"})


class Candidate(msgspec.Struct, frozen=True):
    """A method or rival to evaluate: a row of the tables."""

    name: str
    kind: Literal["method", "rival"]

    @property
    def base(self) -> str:
        """The name without its switches."""
        return self.name.split("+", 1)[0]

    @property
    def needs(self) -> frozenset[Need]:
        """What has to be prepared for each site."""
        if self.kind == "rival":
            return frozenset()
        return _EVERYTHING if ":" in self.base else NEEDS.get(self.base, frozenset())

    @property
    def options(self) -> dict[str, object]:
        """The switches, as options for the method's context."""
        pairs = (part.partition("=") for part in self.name.split("+")[1:])
        return {key: _value(value) if feature else True for key, feature, value in pairs}

    @property
    def min_confidence(self) -> dict[str, float]:
        """The minimum confidences by field; values with a lower confidence are dropped."""
        demanded = self.options.get("min_confidence")
        try:
            return demands_in(str(demanded).split(",") if demanded is not None else ())
        except ValueError as problem:
            raise InputError(f"{self.name}: {problem}") from None

    def can_run(self, *, with_feed: bool) -> bool:
        """Return whether the candidate can be evaluated: `feed` and `blogforever` need a feed to learn from."""
        return with_feed or self.kind == "rival" or self.base not in ("feed", "blogforever")


def candidates(methods: Iterable[str], rivals: Iterable[str]) -> list[Candidate]:
    """Return the named candidates without duplicates; raise `InputError` for an unknown name."""
    chosen = [Candidate(name, "method") for name in dict.fromkeys(methods)]
    for entry in chosen:
        if ":" not in entry.base:
            method_named(entry.base)
    others = [Candidate(name, "rival") for name in dict.fromkeys(rivals)]
    for entry in others:
        if entry.name not in RIVALS:
            raise InputError(f"There is no rival {entry.name!r}. Choose one of: {', '.join(RIVALS)}.")
    if not chosen and not others:
        raise InputError("There is nothing to evaluate: add a --method or a --rival.")
    return chosen + others


def function_of(candidate: Candidate) -> Method:
    """Import the method and return it; raise `InputError` if this fails."""
    if ":" not in candidate.base:  # run as users do, by `extract_posts`, which checks for locked pages first
        method_named(candidate.base)  # import its module now, so that the first page's time does not include it
        return lambda document, context: extract_posts(document, method=candidate.base, context=context)
    module, _, name = candidate.base.partition(":")
    try:
        function: Method = getattr(importlib.import_module(module), name)
    except (ImportError, AttributeError) as problem:
        raise InputError(f"The method {candidate.base} cannot be loaded: {problem}.") from problem
    return function


def _value(text: str) -> object:
    try:
        return msgspec.json.decode(text)
    except msgspec.DecodeError:
        return text
