"""Method `blogbuster`: posts by the class names of blogging platforms.

Document 000, section 4: elements with typical attribute values contain posts (step 1), their text is in an element
with another such value (2), title (3) and date (4) are children or earlier siblings. The rules are data
(`blogbuster_rules`); this module applies them. Options: `rules`, the name of a rule file of the package ("published",
the default, or "blogs"), or `rules_text`, a rule file as TOML text.

Where the paper leaves a choice:
- "The <div> under examination" in steps 2 to 4 is the one found by step 1, even if its text is in a child.
- Nested matches are one post (`_without_nested` chooses which).
- A title or date without a letter or digit is skipped.
- A front page gives all of its posts, a post page one. The caller says which it is (`index`); otherwise a page is a
  front page if the title of the longest post links to another URL.
- A missing title or date is absent from the post. So is a date that cannot be parsed; the provenance then has its
  text, with confidence 0.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from datetime import UTC, datetime, time
from typing import Any, NamedTuple

from posterity.dom import Document, Tree, text_of
from posterity.dom.document import declared_url
from posterity.dom.media import absolute
from posterity.dom.plain_text import html_of
from posterity.dom.tree import node_path
from posterity.extraction import blogbuster_rules
from posterity.extraction.method import Context
from posterity.extraction.record import article_fields, post_from
from posterity.model import Comment, Post, Provenance
from posterity.model.post import Precision
from posterity.text.dates import read_dates
from posterity.urls import canonical_url, post_id

_MAX_LENGTH = 2_000  # characters; longer text is an article matched by mistake, whose date is at the start


def written_date(text: str) -> tuple[datetime, Precision] | None:
    """Return the first unambiguous date in the text and its precision, or None.

    A time counts only with a zone, which it keeps: in UTC, an evening post would change its day. A day without a time
    is midnight UTC with the precision "day".
    """
    found = next((reading for reading in read_dates(text[:_MAX_LENGTH]) if not reading.ambiguous), None)
    if found is None:
        return None
    if found.precision == "minute" and found.moment.tzinfo is not None:
        return found.moment, "minute"
    return datetime.combine(found.moment.date(), time(), UTC), "day"


def comments_of(
    search: blogbuster_rules.PageSearch, rules: blogbuster_rules.BlogRules, base_url: str
) -> tuple[Comment, ...]:
    """Return the comments of the page in document order; those without text are left out."""
    tree = search.tree
    texts = _own_texts(search, rules)
    ids = {node: tree.attrs[node].get("id") or f"comment-{number}" for number, node in enumerate(texts, start=1)}
    # A comment's text does not include the replies nested in it.
    replies = frozenset(texts)
    comments, open_nodes = [], list[int]()
    for node, at in texts.items():
        while open_nodes and tree.end[open_nodes[-1]] <= node:
            open_nodes.pop()
        parent = ids[open_nodes[-1]] if open_nodes else None
        open_nodes.append(node)
        text = text_of(tree, at, replies)
        if text:
            html = html_of(tree, base_url, at, replies)
            comments.append(
                Comment(id=ids[node], parent=parent, text=text, html=html, **_about(search, rules, node, base_url))
            )
    return tuple(comments)


def _own_texts(search: blogbuster_rules.PageSearch, rules: blogbuster_rules.BlogRules) -> dict[int, int]:
    """Return the comments' elements with the elements of their texts, in document order.

    Themes mark one comment twice, <li class="comment"><article class="comment">: the inner one is dropped if the
    outer one has no other text.
    """
    every = {found.node for found in search.everywhere(rules.comment)}
    texts: dict[int, int] = {}
    inner_duplicates: set[int] = set()
    for node in sorted(every):
        if node in inner_duplicates:
            continue
        written = next(search.offers(rules.comment_text, node), None)
        texts[node] = written.node if written else node
        inner = _innermost(search, every, texts[node])
        while inner != node:
            inner_duplicates.add(inner)
            inner = _innermost(search, every, search.tree.parent[inner])
    return texts


def _innermost(search: blogbuster_rules.PageSearch, every: set[int], node: int) -> int:
    while node not in every:
        node = search.tree.parent[node]
    return node


def _about(
    search: blogbuster_rules.PageSearch, rules: blogbuster_rules.BlogRules, node: int, base_url: str
) -> dict[str, Any]:
    author = next((found for found in search.offers(rules.comment_author, node) if search.value(found)), None)
    dates = (written_date(search.value(found)) for found in search.offers(rules.comment_date, node))
    date = next((found for found in dates if found), None)
    return {
        "author": search.value(author) if author else None,
        "author_url": _link(search, author, base_url) if author else None,
        "published": date[0] if date else None,
    }


def _link(search: blogbuster_rules.PageSearch, found: blogbuster_rules.FoundElement, base_url: str) -> str | None:
    tree = search.tree
    links = (tree.attrs[node].get("href") for node in range(found.node, tree.end[found.node]) if tree.tag[node] == "a")
    return next((url for link in links if (url := absolute(base_url, link))), None)


class PostPlace(NamedTuple):
    """The elements that match a post, outermost first, and the element of its text."""

    nodes: tuple[int, ...]
    text: blogbuster_rules.FoundElement


def post_places(search: blogbuster_rules.PageSearch, rules: blogbuster_rules.BlogRules) -> list[PostPlace]:
    """Return the elements of the page's posts in document order, each post once."""
    parts = search.tree.outermost(found.node for found in search.everywhere(rules.outside))
    matches = []
    for found in search.everywhere(rules.post):
        if _is_inside(search.tree, parts, found.node):
            continue
        text = next((offer for offer in search.offers(rules.text, found.node) if search.density(offer.node)), None)
        if text is not None:
            matches.append(PostPlace((found.node,), text))
    return _each_once(search, matches)


def _each_once(search: blogbuster_rules.PageSearch, matches: list[PostPlace]) -> list[PostPlace]:
    """Resolve nested matches from the innermost out; a group is the result for one match and all inside it."""
    groups: list[list[PostPlace]] = []
    starts: list[int] = []
    for match in reversed(matches):
        inside: list[PostPlace] = []
        while groups and starts[-1] < search.tree.end[match.nodes[0]]:
            group = groups.pop()
            starts.pop()
            if inside:
                inside.extend(group)
            else:
                inside = group
        groups.append(_without_nested(search, match, inside))
        starts.append(match.nodes[0])
    return [place for group in reversed(groups) for place in group]


def _without_nested(search: blogbuster_rules.PageSearch, outer: PostPlace, inside: list[PostPlace]) -> list[PostPlace]:
    start, end = outer.text.node, search.tree.end[outer.text.node]
    within = [place for place in inside if start <= place.text.node < end]
    if not within:
        return [outer, *inside]
    share = sum(search.density(place.text.node) for place in within) / search.density(start)
    if len(inside) == 1:
        finer = share >= 0.5 and inside[0].text.node != start
        return [PostPlace(outer.nodes + inside[0].nodes[:2], inside[0].text if finer else outer.text)]
    return [outer] if len(within) == len(inside) and share < 0.5 else inside


def _is_inside(tree: Tree, parts: list[int], node: int) -> bool:
    at = bisect_right(parts, node) - 1
    return at >= 0 and node < tree.end[parts[at]]


# 000, Table 4, all blogs: precision of posts, titles and dates. Authors and comments are not in the paper.
_CONFIDENCE = {"text": 1.0, "title": 0.9, "published": 0.32, "authors": 0.32, "comments": 0.32}
_BYLINE = re.compile(r"^(?:(?:posted|written|published|author)\b[\s:]*)?(?:by\b[\s:]*)?", re.IGNORECASE)
_MAX_NAME = 80  # longer than this it is a sentence, not a name


class _SearchedPage(NamedTuple):
    """Values shared by all posts of a page, computed once because a selector walks the whole page."""

    document: Document
    language: str | None
    search: blogbuster_rules.PageSearch
    rules: blogbuster_rules.BlogRules
    base_url: str


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the posts of the page in document order; a post page gives one."""
    rules = rules_of(context)
    search = blogbuster_rules.PageSearch(document.tree, rules.match)
    page = _SearchedPage(document, document.language, search, rules, document.base_url)
    places = post_places(search, rules)
    if len(places) > 1 and not context.index:
        longest = max(places, key=lambda place: search.density(place.text.node))
        places = places if _leads_elsewhere(page, longest) else [longest]
    if len(places) == 1:
        return (_only_post(page, places[0]),)
    return tuple(_one_of_many(page, place, number) for number, place in enumerate(places, start=1))


def rules_of(context: Context) -> blogbuster_rules.BlogRules:
    """Return the rules named or contained in the context's options."""
    text = context.options.get("rules_text")
    if text is not None:
        return blogbuster_rules.rules_from_toml(str(text))
    return blogbuster_rules.rules_named(str(context.options.get("rules", "published")))


def _only_post(page: _SearchedPage, place: PostPlace) -> Post:
    fields, provenance = _fields(page, place, alone=True)
    comments = comments_of(page.search, page.rules, page.base_url)
    if comments:
        fields["comments"] = comments
        provenance["comments"] = _provenance(page, "comments", "comment", None)
    return post_from(page.document, fields, provenance)


def _one_of_many(page: _SearchedPage, place: PostPlace, number: int) -> Post:
    fields, provenance = _fields(page, place, alone=False)
    link = absolute(page.base_url, _permalink(page, place))
    # Posts without a permalink share the page's URL; only the fragment differs.
    anchor = page.search.tree.attrs[place.nodes[0]].get("id") or f"post-{number}"
    url = canonical_url(link) if link else f"{canonical_url(page.document.url)}#{anchor}"
    return Post(id=post_id(url), url=url, canonical_url=url, language=page.language, provenance=provenance, **fields)


def _fields(page: _SearchedPage, place: PostPlace, *, alone: bool) -> tuple[dict[str, Any], dict[str, Provenance]]:
    search, rules = page.search, page.rules
    title = next(_offers(search, rules.title, place, alone=alone), None)
    author = next(
        (found for found in _offers(search, rules.author, place, alone=alone) if _name(search.value(found))), None
    )
    date_fields, date_provenance, date = _date(page, place, alone=alone)
    text = place.text.node
    # Some themes give whole articles a class such as "share"; an element with most of the text is kept.
    skip = {node for node in search.inside(rules.skip, text) if search.density(node) * 2 < search.density(text)}
    if rules.fields_leave_text:
        parts = (found.node for found in (title, date, author) if found)
        skip.update(node for node in parts if text < node < search.tree.end[text])
    fields = article_fields(search.tree, page.base_url, text, frozenset(skip)) | date_fields
    provenance = {"text": _provenance(page, "text", place.text.step.step, text)} | date_provenance
    if title:
        fields["title"] = search.value(title)
        provenance["title"] = _provenance(page, "title", title.step.step, title.node)
    if author:
        fields["authors"] = (_name(search.value(author)),)
        provenance["authors"] = _provenance(page, "authors", author.step.step, author.node)
    return fields, provenance


def _date(
    page: _SearchedPage, place: PostPlace, *, alone: bool
) -> tuple[dict[str, Any], dict[str, Provenance], blogbuster_rules.FoundElement | None]:
    search, unread = page.search, None
    for found in _offers(search, page.rules.date, place, alone=alone):
        value = search.value(found)
        date = written_date(value)
        if date is not None:
            provenance = {"published": _provenance(page, "published", found.step.step, found.node)}
            return {"published": date[0], "published_precision": date[1]}, provenance, found
        unread = unread or (found, value)
        if page.rules.date_search == "first-found":
            break
    if unread is None:
        return {}, {}, None
    rule = f"{page.rules.name} {unread[0].step.step}: no date can be read in {unread[1][:80]!r}"
    return {}, {"published": Provenance(method="blogbuster", rule=rule, confidence=0.0)}, None


def _offers(
    search: blogbuster_rules.PageSearch, steps: tuple[blogbuster_rules.RuleStep, ...], place: PostPlace, *, alone: bool
) -> Iterator[blogbuster_rules.FoundElement]:
    for node in place.nodes:
        for found in search.offers(steps, node, alone=alone):
            if any(map(str.isalnum, search.value(found))):
                yield found


def _name(value: str) -> str:
    name = _BYLINE.sub("", value, count=1).strip(" ,:|-–—")
    return name if len(name) <= _MAX_NAME else ""


def _permalink(page: _SearchedPage, place: PostPlace) -> str | None:
    """Return the target of the title's link, which is the title, its parent or inside it."""
    tree, title = page.search.tree, next(_offers(page.search, page.rules.title, place, alone=False), None)
    if title is None:
        return None
    around = [node for node in (title.node, tree.parent[title.node]) if tree.tag[node] == "a"]
    within = (node for node in range(title.node, tree.end[title.node]) if tree.tag[node] == "a")
    return next((href for node in (*around, *within) if (href := tree.attrs[node].get("href"))), None)


def _leads_elsewhere(page: _SearchedPage, place: PostPlace) -> bool:
    link = (_permalink(page, place) or "").strip()
    if not link or link.startswith("#"):
        return False
    full = absolute(page.base_url, link)
    here = (canonical_url(page.document.url), declared_url(page.document))
    return full is None or canonical_url(full) not in here


def _provenance(page: _SearchedPage, field: str, step: str, node: int | None) -> Provenance:
    path = None if node is None else node_path(page.search.tree, node)
    rule = f"{page.rules.name} {step}".strip()
    return Provenance(method="blogbuster", rule=rule, node=path, confidence=_CONFIDENCE[field])
