"""The comments below a post, by the steps of a rule file.

BlogBuster leaves comments out, but notes that its approach would find them (document 000, section 4). The published
rules have none; `blogs.toml` does. A comment inside another one answers it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posterity.dom import text_of
from posterity.dom.clean_html import html_of
from posterity.dom.links import absolute
from posterity.extract.blogbuster_dates import written_date
from posterity.model import Comment

if TYPE_CHECKING:
    from posterity.extract.blogbuster_rules import BlogRules
    from posterity.extract.blogbuster_search import Found, PageSearch


def comments_of(search: PageSearch, rules: BlogRules, base_url: str) -> tuple[Comment, ...]:
    """Return the comments of the page in reading order; those without text are left out."""
    tree = search.tree
    texts = _own_texts(search, rules)
    ids = {node: tree.attrs[node].get("id") or f"comment-{number}" for number, node in enumerate(texts, start=1)}
    # A comment's own text ends where the answers to it begin.
    answers = frozenset(texts)
    comments, open_nodes = [], list[int]()
    for node, at in texts.items():
        while open_nodes and tree.end[open_nodes[-1]] <= node:
            open_nodes.pop()
        parent = ids[open_nodes[-1]] if open_nodes else None
        open_nodes.append(node)
        text = text_of(tree, at, answers)
        if text:
            html = html_of(tree, base_url, at, answers)
            comments.append(
                Comment(id=ids[node], parent=parent, text=text, html=html, **_about(search, rules, node, base_url))
            )
    return tuple(comments)


def _own_texts(search: PageSearch, rules: BlogRules) -> dict[int, int]:
    """The elements that are comments, each with the element of its text, in document order.

    Themes mark one comment twice, <li class="comment"><article class="comment">: the inner one is dropped when the
    outer one has no other text.
    """
    every = {found.node for found in search.everywhere(rules.comment)}
    texts: dict[int, int] = {}
    twins: set[int] = set()
    for node in sorted(every):
        if node in twins:
            continue
        written = next(search.offers(rules.comment_text, node), None)
        texts[node] = written.node if written else node
        inner = _innermost(search, every, texts[node])
        while inner != node:
            twins.add(inner)
            inner = _innermost(search, every, search.tree.parent[inner])
    return texts


def _innermost(search: PageSearch, every: set[int], node: int) -> int:
    while node not in every:
        node = search.tree.parent[node]
    return node


def _about(search: PageSearch, rules: BlogRules, node: int, base_url: str) -> dict[str, Any]:
    author = next((found for found in search.offers(rules.comment_author, node) if search.value(found)), None)
    dates = (written_date(search.value(found)) for found in search.offers(rules.comment_date, node))
    date = next((found for found in dates if found), None)
    return {
        "author": search.value(author) if author else None,
        "author_url": _link(search, author, base_url) if author else None,
        "published": date[0] if date else None,
    }


def _link(search: PageSearch, found: Found, base_url: str) -> str | None:
    tree = search.tree
    links = (tree.attrs[node].get("href") for node in range(found.node, tree.end[found.node]) if tree.tag[node] == "a")
    return next((url for link in links if (url := absolute(base_url, link))), None)
