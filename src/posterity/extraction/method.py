"""The interface of all extraction methods, and the table of methods.

A method is a pure function from a document and a context to posts: one for a post page, several for a front page,
none for a page without content.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Callable, Mapping
from datetime import datetime
from importlib.metadata import entry_points
from typing import Any, Literal, TypeAlias

import msgspec

from posterity.classify import PageKind
from posterity.classify.page_kind import kind_of_page
from posterity.dom import Document, Tree, parse
from posterity.dom.source import is_binary
from posterity.errors import InputError, UnreadablePage
from posterity.lexicon import part_names, part_words
from posterity.model import FeedEntry, Post, RuleSet

MAX_SITE_PAGES = 40  # in `Context.site`: enough to detect a template; limits memory


class Context(msgspec.Struct, frozen=True, kw_only=True):
    """The input of a method besides the page. Every part is optional."""

    rules: RuleSet | None = None
    # The page of the same site that wc-multi compares with.
    reference: Document | None = None
    # More pages of the same site, for markers and templates.
    site: tuple[Document, ...] = ()
    # The feed's entry for this page, and when the page was fetched.
    entry: FeedEntry | None = None
    fetched_at: datetime | None = None
    # Whether the page is a front page with several posts.
    index: bool = False
    # Whether to extract comments. With rules they take a third of the time.
    comments: bool = True
    # Options of single methods, such as {"sparse": True}; each method documents its own.
    options: Mapping[str, object] = {}
    # Whether provenance records the decision (`TracedProvenance`), which costs time and space in the record.
    explain: bool = False


Method: TypeAlias = "Callable[[Document, Context], tuple[Post, ...]]"

METHODS: dict[str, str] = {
    "hybrid": "posterity.extraction.hybrid.posts:posts",
    "feed": "posterity.extraction.feed:posts",
    "blogforever": "posterity.extraction.blogforever:posts",
    "blogbuster": "posterity.extraction.blogbuster:posts",
    "bte": "posterity.extraction.bte:posts",
    "wc-single": "posterity.extraction.wc_single:posts",
    "wc-multi": "posterity.extraction.wc_multi:posts",
    "cst": "posterity.extraction.cst:cst_posts",
    "mcst": "posterity.extraction.cst:mcst_posts",
    "e-mcst": "posterity.extraction.e_mcst:posts",
}

PLUGINS = "posterity.methods"  # the group of entry points
Need = Literal["rules", "reference", "site"]

# Parts of the context that methods need; methods not listed here read only the page.
NEEDS: dict[str, frozenset[Need]] = {
    "feed": frozenset({"rules"}),
    "blogforever": frozenset({"rules"}),
    "hybrid": frozenset({"rules", "site"}),
    "wc-multi": frozenset({"reference"}),
    "e-mcst": frozenset({"site"}),
}


# The method of every command unless another is named.
DEFAULT_METHOD = "hybrid"


def method_named(name: str) -> Method:
    """Return the method, importing its module on demand, or raise `InputError` with the known names.

    Installed packages add methods by entry points in the group `posterity.methods`.
    """
    if name in METHODS:
        module, _, function = METHODS[name].partition(":")
        own: Method = getattr(importlib.import_module(module), function)
        return own
    others = {point.name: point for point in entry_points(group=PLUGINS)}
    if name not in others:
        raise InputError(f"There is no method {name!r}. Choose one of: {', '.join([*METHODS, *sorted(others)])}.")
    method: Method = others[name].load()
    return method


def extract(
    html: bytes | str,
    url: str = "",
    *,
    rules: RuleSet | None = None,
    method: str | None = None,
    context: Context | None = None,
) -> Post | None:
    """Return the post on the page, or None if the method finds none.

    The default method is `hybrid`, which uses `rules` if they are given.
    """
    found = extract_posts(_document(html, url), method=method, context=context or Context(rules=rules))
    return found[0] if found else None


def extract_index(
    html: bytes | str, url: str = "", *, method: str | None = None, context: Context | None = None
) -> tuple[Post, ...]:
    """Return the posts of a front page, in order."""
    context = msgspec.structs.replace(context or Context(), index=True)
    return extract_posts(_document(html, url), method=method, context=context)


def page_kind(html: bytes | str, url: str = "") -> tuple[PageKind, float]:
    """Return the kind of a page of an unknown site, "post", "index" or "other", and the confidence from 0 to 1."""
    return kind_of_page(_document(html, url))


_MAX_SHELL = 200  # characters: the name of a site and "please enable JavaScript"


def extract_posts(document: Document, *, method: str | None = None, context: Context | None = None) -> tuple[Post, ...]:
    """Return every post that the method finds in the document.

    Of a restricted page only the visible part is extracted, without the prompt for a password or a subscription.
    """
    extract_from, context = method_named(method or DEFAULT_METHOD), context or Context()
    # Without rules methods need the whole tree anyway, and its indexes replace searches by the parser.
    tree = document.tree if context.rules is None else None
    if tree is not None and sum(len(tree.text[run]) for run in tree.runs) < _MAX_SHELL:
        document = document.with_data_shown()
        tree = document.tree
    if not is_restricted(document, tree):
        return extract_from(document, context)
    found = extract_from(document.without(_WALL) if _has_wall(document, tree) else document, context)
    hidden = _NOTHING if tree is not None and _shows_only_a_wall(tree) else {}
    return tuple(msgspec.structs.replace(post, access="restricted", **hidden) for post in found)


_BODIES = frozenset(part_words("block")["body"])
_NOTHING: dict[str, Any] = {"text": "", "html": None, "markdown": None, "media": (), "links": ()}


def _shows_only_a_wall(tree: Tree) -> bool:
    """Return whether an element named as the text of the article contains a prompt and no other text."""
    walls = tree.outermost(node for name in _WALLS for node in tree.nodes_by_class.get(name, ()))
    return any(
        tree.text_sizes[around] == tree.text_sizes[wall] > 0 and not _BODIES.isdisjoint(tree.classes(around))
        for wall in walls
        for around in tree.around((wall,)) - {wall}
    )


_WALLS = part_names("access.wall")
_WALL = ", ".join(f".{name}" for name in _WALLS)
# Characters of all walls together: publishers also give the class to the text shown to subscribers, often to each of
# its paragraphs.
_WALL_CHARS = 600
_TIER = "article:content_tier"
_TIERS = f'meta[property="{_TIER}"], meta[name="{_TIER}"]'
_DATA = "application/ld+json"
_NOT_FREE = re.compile(r'"isAccessibleForFree"\s*:\s*(?:false|"false")', re.IGNORECASE)


def is_restricted(document: Document, tree: Tree | None = None) -> bool:
    """Return whether the page shows its post only in part: behind a password, paywall or membership.

    `tree` is the document's, if it has been built.
    """
    if tree is None:
        tiers = document.attributes(_TIERS, "content")
        data = [script.plain(0) for script in document.all(f'script[type="{_DATA}"]')]
    else:
        metas = (tree.attrs[node] for node in tree.nodes_by_tag.get("meta", ()))
        tiers = [meta.get("content") or "" for meta in metas if _TIER in (meta.get("property"), meta.get("name"))]
        scripts = (node for node in tree.nodes_by_tag.get("script", ()) if tree.attrs[node].get("type") == _DATA)
        data = [tree.plain(script) for script in scripts]
    return (
        _has_wall(document, tree) or any(tier.lower() == "locked" for tier in tiers) or any(map(_NOT_FREE.search, data))
    )


def _has_wall(document: Document, tree: Tree | None) -> bool:
    """Return whether the page asks for a password or a subscription, in a text short enough to be only that."""
    if tree is None:
        walls = document.outermost_texts(_WALL)
    else:
        named = (node for name in _WALLS for node in tree.nodes_by_class.get(name, ()))
        walls = list(map(tree.plain, tree.outermost(named)))
    return 0 < sum(len(" ".join(wall.split())) for wall in walls) <= _WALL_CHARS


_LONGEST_URL = 2000
_NOT_HTML = re.compile(r"\s*(?:https?://[^\s<]+|[^\s<]+\.html?)\s*", re.IGNORECASE)


def _document(html: bytes | str, url: str) -> Document:
    if not isinstance(html, bytes | str):
        raise InputError(f"HTML is text or bytes, not {type(html).__name__}.")
    if isinstance(html, str) and _NOT_HTML.fullmatch(html[:_LONGEST_URL]):
        raise InputError(f"{html.strip()} is not HTML. `posterity.extract_pages` reads files and URLs.")
    if is_binary(html):
        raise UnreadablePage("This is not a page: its bytes are not text.")
    return parse(html, url)
