"""Which text of a page is its own: not on the blog's other pages, not navigation, not comments.

The thesis behind WC Cleaner and the E-mCST paper both use it: pages of one site share a template, so what repeats
is not content. Text in links counts little (menus, tag lists), and parts whose own names say that they are
something else (comments, related posts, sidebars) do not count.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING

from posterity.text.normal_form import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from posterity.dom import Tree

_OTHER_TAGS = frozenset({"aside", "footer", "form", "nav", "button", "label", "dialog"})
_OTHER_WORDS = (
    "comments? commentlist respond replies disqus sidebar widgets? footer nav navigation navbar menu related share "
    "sharing sharedaddy social breadcrumbs? pager pagination byline author-?box bio tags tagcloud cookie banner promo "
    "subscribe newsletter toc skip-link masthead site-header post-?meta entry-?meta entry-?footer archives? blogroll "
    r"jp-relatedposts ads? advert\w*"
)
_OTHER_NAMES = re.compile(rf"(?:^|[-_ ])(?:{_OTHER_WORDS.replace(' ', '|')})(?:$|[-_ ])", re.IGNORECASE)
# A text on more than this share of the pages belongs to the template.
_TEMPLATE_SHARE = 0.3
_LINK_WEIGHT = 0.2


def text_keys(tree: Tree) -> set[int]:
    """Return a number for every distinct visible text run of the page."""
    return {
        hash_of(text) for node, text in enumerate(tree.text) if text and not tree.unseen[node] and not text.isspace()
    }


def template_of(trees: Iterable[Tree]) -> Counter[int]:
    """Return on how many pages each text run stands."""
    counts: Counter[int] = Counter()
    for tree in trees:
        counts.update(text_keys(tree))
    return counts


def own_text_mass(tree: Tree, template: Counter[int], pages: int, title: str = "") -> tuple[list[float], list[float]]:
    """Return for every node the amount of the page's own text below it, and the amount of all text, in characters.

    The title stands on no other page, and yet it is not the article: on a page with a film and no words it would win.
    """
    is_title = _title_test(title)
    size = len(tree)
    own, total = [0.0] * size, [0.0] * size
    is_other, in_link = _other_parts(tree)
    for node in range(size - 1, 0, -1):
        text = tree.text[node]
        if text and not tree.unseen[node] and not text.isspace():
            amount = len(text.strip()) * (_LINK_WEIGHT if in_link[node] else 1.0)
            total[node] += amount
            if not is_other[node] and not is_template(template[hash_of(text)], pages) and not is_title(text):
                own[node] += amount
        parent = tree.parent[node]
        own[parent] += own[node]
        total[parent] += total[node]
    return own, total


def _title_test(title: str) -> Callable[[str], bool]:
    wanted = letters_and_digits(title)
    longest = 2 * len(title) + 16

    def is_title(text: str) -> bool:
        return bool(wanted) and len(text) <= longest and letters_and_digits(text) == wanted

    return is_title


def is_template(count: int, pages: int) -> bool:
    """Tell whether a text that stands on `count` of the pages belongs to the template."""
    return count > max(1, int(pages * _TEMPLATE_SHARE))


def in_other_part(tree: Tree) -> list[bool]:
    """Return for every node whether it is inside a part that is named as something else than content."""
    return _other_parts(tree)[0]


def _other_parts(tree: Tree) -> tuple[list[bool], list[bool]]:
    """For every node: is it inside a part that is named as something else than content; is it inside a link."""
    size = len(tree)
    is_other, in_link = [False] * size, [False] * size
    for node in range(1, size):
        parent, tag, attrs = tree.parent[node], tree.tag[node], tree.attrs[node]
        is_other[node] = is_other[parent] or tag in _OTHER_TAGS or (bool(attrs) and _named_other(tag, attrs))
        in_link[node] = in_link[parent] or tag == "a"
    return is_other, in_link


def _named_other(tag: str, attrs: dict[str, str | None]) -> bool:
    # Themes put the names of all features on <body> and <article> ("has-sidebar", "comments-open").
    # And spans of highlighted code are called "comment".
    if tag in ("html", "body", "main", "article", "span", "code", "pre", "em", "strong", "i", "b"):
        return False
    name, classes = attrs.get("id"), attrs.get("class")
    return (name is not None or classes is not None) and _names_other(name or "", classes or "")


@lru_cache(maxsize=4096)  # the elements of a page have some tens of different names, the same on the next page
def _names_other(name: str, classes: str) -> bool:
    return _OTHER_NAMES.search(f"{name} {classes}") is not None


def hash_of(text: str) -> int:
    """The same number for the same text on every machine; Python's own hash differs from run to run."""
    return _fnv(" ".join(text.split()))


def _fnv(text: str) -> int:
    from zlib import crc32

    data = text.encode("utf-8", "surrogatepass")
    return crc32(data) << 32 | crc32(data[::-1])
