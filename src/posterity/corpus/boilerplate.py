"""Paragraphs that a blog repeats post after post: "Share this", an author's box, a plea for support.

All posts are read once to count, and once more to take out what was counted often. A paragraph goes from the text, the
HTML and the Markdown together, so that every export format leaves it out.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from hashlib import blake2b
from typing import TYPE_CHECKING

import msgspec

from posterity.corpus.disk_table import disk_table
from posterity.dom import parse
from posterity.dom.plain_text import CELL_TAGS, LINE_TAGS, PARAGRAPH_TAGS
from posterity.extract.assemble import article_fields
from posterity.text.normal_form import letters_and_digits
from posterity.text.words import words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from collections.abc import Set as AbstractSet

    from posterity.dom import Tree
    from posterity.model import Post

_BLOCKS = LINE_TAGS | PARAGRAPH_TAGS | CELL_TAGS
# Headings such as "Conclusion", cells of tables and lines of code repeat by nature.
_KEPT = CELL_TAGS | {"hr", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dt", "figcaption", "caption", "tr"}
# Twice may be a quotation; three posts and one in fifty are a habit.
MIN_POSTS, MIN_SHARE = 3, 0.02
# "Example:", "まとめ" (conclusion): what is shorter than this is no paragraph.
_MIN_WORDS, _MIN_LETTERS = 4, 12


_TABLE = """CREATE TABLE paragraphs (blog TEXT, key INTEGER, posts INTEGER DEFAULT 1, PRIMARY KEY (blog, key))
WITHOUT ROWID"""
_ONE_MORE = "INSERT INTO paragraphs (blog, key) VALUES (?, ?) ON CONFLICT DO UPDATE SET posts = posts + 1"


class RepeatedParagraphs:
    """Which paragraphs each blog repeats; the others are counted on the disk."""

    def __init__(self, posts: Iterable[Post]) -> None:
        totals: Counter[str] = Counter()
        self._repeated: dict[str, set[int]] = defaultdict(set)
        with disk_table(_TABLE) as rows:
            for post in posts:
                blog = post.blog or ""
                totals[blog] += 1
                rows.executemany(_ONE_MORE, sorted({(blog, key) for key, _ in _paragraphs(post)[1]}))
            for blog, key, number in rows.execute("SELECT * FROM paragraphs WHERE posts >= ?", (MIN_POSTS,)):
                if number >= MIN_SHARE * totals[blog]:
                    self._repeated[blog].add(key)

    def without(self, post: Post) -> Post:
        """Return the post without the paragraphs that its blog repeats; itself, when it has none of them."""
        repeated = self._repeated.get(post.blog or "", set())
        tree, found = _paragraphs(post)
        places = [place for key, place in found if key in repeated]
        if not places:
            return post
        if tree is None:
            lines = post.text.splitlines()
            kept = [line for place, line in enumerate(lines) if place not in set(places)]
            return msgspec.structs.replace(post, text="\n".join(kept).strip(), markdown=None)
        fields = article_fields(tree, post.url, skip=frozenset(places))
        known = {medium.url: medium for medium in post.media}
        fields["media"] = tuple(known.get(medium.url, medium) for medium in fields["media"])
        return msgspec.structs.replace(post, **fields)


def _paragraphs(post: Post) -> tuple[Tree | None, list[tuple[int, int]]]:
    """The tree of the post, and for every paragraph its number and place: a node, or a line of a post without HTML."""
    if not post.html:
        return None, [
            (key, place) for place, line in enumerate(post.text.splitlines()) if (key := _key(line)) is not None
        ]
    tree = parse(post.html, post.url).tree
    return tree, [(key, node) for node in _leaf_blocks(tree) if (key := _key(tree.plain(node))) is not None]


def _leaf_blocks(tree: Tree) -> Iterator[int]:
    """The elements that are blocks and have no block inside them."""
    holders: AbstractSet[int] = {
        parent for node, tag in enumerate(tree.tag) if tag in _BLOCKS for parent in _ancestors(tree, node)
    }
    blocks = _BLOCKS - _KEPT
    yield from (node for node, tag in enumerate(tree.tag) if tag in blocks and node not in holders)


def _ancestors(tree: Tree, node: int) -> Iterator[int]:
    node = tree.parent[node]
    while node >= 0:
        yield node
        node = tree.parent[node]


def _key(text: str) -> int | None:
    """A number that stands for the words of a paragraph; None for what is too short to be one."""
    told = letters_and_digits(text)
    if len(told) < _MIN_LETTERS or len(words(text)) < _MIN_WORDS:
        return None
    return int.from_bytes(blake2b(told.encode(), digest_size=8).digest(), "big", signed=True)
