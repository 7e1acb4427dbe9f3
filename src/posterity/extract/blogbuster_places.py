"""Where the posts of a page are: steps 1 and 2 of BlogBuster, and no post twice (document 000, section 4).

The paper does not say what happens when an element that matches stands inside another one, though its own rules match
a Blogger post twice (div.post and the div.post-body in it). Here:
- One match inside another, with its text in the other's text, is the same post. The outer element is where title and
  date are looked for first.
- An element with two or more matches in its text is a list of posts, and those inside are the posts, unless they hold
  less than half of its text: then they are boxes in an article.
- A match inside another with a text elsewhere is a post of its own: a forgotten </div> puts every post of a page into
  the one before.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from posterity.dom import Tree
    from posterity.extract.blogbuster_rules import BlogRules
    from posterity.extract.blogbuster_search import Found, PageSearch


class PostPlace(NamedTuple):
    """Where a post is: the elements that stand for it, outermost first, and its text."""

    nodes: tuple[int, ...]
    text: Found


def post_places(search: PageSearch, rules: BlogRules) -> list[PostPlace]:
    """Return the places of the page's posts in document order, each post once."""
    parts = _outermost(search.tree, [found.node for found in search.everywhere(rules.outside)])
    matches = []
    for found in search.everywhere(rules.post):
        if _is_inside(search.tree, parts, found.node):
            continue
        text = next((offer for offer in search.offers(rules.text, found.node) if search.ink(offer.node)), None)
        if text is not None:
            matches.append(PostPlace((found.node,), text))
    return _each_once(search, matches)


def _each_once(search: PageSearch, matches: list[PostPlace]) -> list[PostPlace]:
    """Settle nested matches from the innermost out; a group is what became of one match and all inside it."""
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
        groups.append(_settled(search, match, inside))
        starts.append(match.nodes[0])
    return [place for group in reversed(groups) for place in group]


def _settled(search: PageSearch, outer: PostPlace, inside: list[PostPlace]) -> list[PostPlace]:
    start, end = outer.text.node, search.tree.end[outer.text.node]
    within = [place for place in inside if start <= place.text.node < end]
    if not within:
        return [outer, *inside]
    share = sum(search.ink(place.text.node) for place in within) / search.ink(start)
    if len(inside) == 1:
        finer = share >= 0.5 and inside[0].text.node != start
        return [PostPlace(outer.nodes + inside[0].nodes[:2], inside[0].text if finer else outer.text)]
    return [outer] if len(within) == len(inside) and share < 0.5 else inside


def _outermost(tree: Tree, nodes: list[int]) -> list[int]:
    kept: list[int] = []
    for node in nodes:
        if not kept or node >= tree.end[kept[-1]]:
            kept.append(node)
    return kept


def _is_inside(tree: Tree, parts: list[int], node: int) -> bool:
    at = bisect_right(parts, node) - 1
    return at >= 0 and node < tree.end[parts[at]]
