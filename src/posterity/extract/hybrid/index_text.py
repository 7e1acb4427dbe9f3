"""The text of a post on a front page: its record without title, lines about the post, share bars and "read more".

What stands at the same place in the same words in most records is the template's: "5 min read", "Share this". The part
that holds nearly all the rest in most records is the text's own element, if there is one.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from posterity.urls.listing import is_listing

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from posterity.extract.hybrid.index_page import IndexPage
    from posterity.identify.repeated_records import Record

_ABOUT = re.compile(
    r"(?:^|[-_ ])(?:meta|metadata|byline|tags?|taglist|categor(?:y|ies)|labels?|share|sharing|sharedaddy|social|"
    r"addtoany|addthis|jp-relatedposts|related|comments?(?:-link|-count|-number|s)?|post-footer|entry-footer|date|published|"
    r"author|readmore|read-more|more-link|timestamp|postinfo|post-info|sociable|wp-block-post-date|pager)(?:$|[-_ ])",
    re.IGNORECASE,
)
_TALK = re.compile(r"#(?:comments?|respond|disqus_thread|reply|more)\b|#.*comment", re.IGNORECASE)
_MORE = re.compile(
    r"^\W*(?:read(?: the)?(?: rest| more| on| full)|continue|more|weiter|lire la suite|leer m|ler mais|seguir leyendo|"
    r"читать|далее|continua|lees verder|続きを|更多|阅读|더 |全文)",
    re.IGNORECASE,
)
_SENTENCE_ENDS = (".", "!", "?", "…", "。", ":")
_MAX_LINE = 160  # characters of a line about the post
_MAX_UNLINKED = 60  # characters around the links of such a line: "Posted in ... | Tags: ..."
_MOST = 0.93  # of the text of a record, on average over the records, stands in the text's own element
_SAID_AGAIN = 0.5  # share of the records in which the template says the same
_MIN_RECORDS = 3


def left_out(page: IndexPage, addresses: Sequence[str | None]) -> list[frozenset[int]]:
    """Return for every record the parts that are not the post's text."""
    said = Counter(line for record in page.records for line in {line for line, _ in _lines(page, record)})
    least = max(_MIN_RECORDS, _SAID_AGAIN * len(page.records))
    again = {line for line, count in said.items() if count >= least}
    return [
        frozenset(
            {
                *_title_part(page, record),
                *(node for node in page.seen(record) if _is_about(page, record, node, address)),
                *(node for line, node in _lines(page, record) if line in again),
            }
        )
        for record, address in zip(page.records, addresses, strict=True)
    ]


def _lines(page: IndexPage, record: Record) -> Iterator[tuple[Hashable, int]]:
    """Yield the short blocks of a record: what stands where, numbers aside."""
    for node in page.seen(record):
        if 0 < page.ink.chars(node) <= _MAX_LINE and page.is_block(node) and (node,) != record.roots:
            yield (page.place(node), re.sub(r"\d+", "0", page.ink.words(node))), node


def _title_part(page: IndexPage, record: Record) -> Iterator[int]:
    """The title with the element around it that holds nothing else, or a date besides."""
    tree, ink, node = page.tree, page.ink, record.anchor
    if node is None:
        return
    while node not in record.roots:
        around = tree.parent[node]
        rest = ink.chars(around) - ink.chars(node)
        if rest > _MAX_UNLINKED or (around,) == record.roots or (rest and not ink.is_dated(around, tree.end[around])):
            break
        node = around
    yield node


def _is_about(page: IndexPage, record: Record, node: int, address: str | None) -> bool:
    chars = page.ink.chars(node)
    if not chars or (node,) == record.roots:
        return False
    if page.tree.tag[node] == "a":
        return _leads_on(page, node, address)
    names = " ".join(filter(None, (page.tree.attrs[node].get("class"), page.tree.attrs[node].get("id"))))
    # Themes call whole posts "category-news"; what holds most of a record is its text.
    is_small = chars <= _MAX_LINE and chars * 2 <= sum(page.ink.chars(root) for root in record.roots)
    if is_small and (page.tree.tag[node] == "time" or _ABOUT.search(names)):
        return True
    return page.is_block(node) and _is_line_about(page, node)


def _leads_on(page: IndexPage, link: int, address: str | None) -> bool:
    """ "Read more" and "3 comments"."""
    attrs = page.tree.attrs[link]
    if address is None or page.ink.address(link)[0] != address:
        return False
    return bool(_MORE.match(page.ink.words(link)) or _TALK.search(attrs.get("href") or ""))


def _is_line_about(page: IndexPage, node: int) -> bool:
    """A line with links to tags, or with a date, and little else; a sentence ends with a stop."""
    tree, ink = page.tree, page.ink
    end = tree.end[node]
    if ink.unlinked(node, end) > _MAX_UNLINKED:
        return False
    links = [inner for inner in range(node, end) if tree.tag[inner] == "a"]
    if any("tag" in (tree.attrs[link].get("rel") or "").split() or _is_list(page, link) for link in links):
        return True
    is_short = ink.chars(node) <= _MAX_LINE // 2 and ink.is_dated(node, end)
    return is_short and not page.spaced_text(node).endswith(_SENTENCE_ENDS)


def _is_list(page: IndexPage, link: int) -> bool:
    address, is_own = page.ink.address(link)
    return bool(address and is_own and is_listing(address))


def text_places(page: IndexPage, outs: Sequence[frozenset[int]]) -> list[int | None]:
    """Return for every record the element of its text alone, None where there is none of its own."""
    kept: Counter[Hashable] = Counter()
    found: list[dict[Hashable, int]] = []
    for record, out in zip(page.records, outs, strict=True):
        shares = _shares(page, record, out)
        found.append({place: node for place, (node, _) in shares.items()})
        kept.update({place: share for place, (_, share) in shares.items()})
    good = [place for place, share in kept.items() if share >= _MOST * len(found)]
    return [max((nodes[p] for p in good if p in nodes), key=page.tree.depth, default=None) for nodes in found]


def _shares(page: IndexPage, record: Record, out: frozenset[int]) -> dict[Hashable, tuple[int, float]]:
    """How much of a record's text stands in each of its elements, by their places."""
    ink, tree = page.ink, page.tree
    lost = _outermost(page, out)
    total = sum(ink.chars(root) for root in record.roots) - sum(map(ink.chars, lost))
    shares: dict[Hashable, tuple[int, float]] = {}
    for node in page.seen(record) if total > 0 else ():
        if ink.chars(node) * 2 >= total and not any(one <= node < tree.end[one] for one in lost):
            here = ink.chars(node) - sum(ink.chars(one) for one in lost if node < one < tree.end[node])
            shares.setdefault(page.place(node), (node, here / total))
    return shares


def _outermost(page: IndexPage, nodes: frozenset[int]) -> list[int]:
    """The nodes that are not inside another of them."""
    outermost: list[int] = []
    for node in sorted(nodes):
        if not outermost or node >= page.tree.end[outermost[-1]]:
            outermost.append(node)
    return outermost
