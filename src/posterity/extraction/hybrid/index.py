"""The posts of a front page, in order, and which part of each record is its text.

Where they are is found by what repeats (`classify.repeated_records`); what a blog's rules name as articles helps to
choose. Each field is looked up at the place that gives it in most of the records.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from posterity.classify.repeated_records import Record, listing_of
from posterity.classify.text_density import TextDensity
from posterity.dom.tree import matches, node_path
from posterity.extraction.hybrid.index_fields import IndexPage, authors_of, dates_of, record_url, title_of
from posterity.extraction.record import article_fields
from posterity.lexicon import any_of, part_names, words_for
from posterity.model import Post, Provenance, post_id
from posterity.urls import canonical_url, place_key
from posterity.urls.kinds import is_listing

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterator, Sequence

    from posterity.dom import Document, Tree
    from posterity.extraction.method import Context
    from posterity.extraction.record import FoundFields


_ABOUT = re.compile(rf"(?:^|[-_ ])(?:{any_of(part_names('listed.about_post'))})(?:$|[-_ ])", re.IGNORECASE)
_TALK = re.compile(rf"#(?:{any_of(part_names('comment.fragment'))})\b|\A[^#]*+#.*comment", re.IGNORECASE)
_MORE = re.compile(rf"^\W*(?:{any_of(words_for('link.read_more'))})", re.IGNORECASE)
_SENTENCE_ENDS = (".", "!", "?", "…", "。", ":")
_MAX_LINE = 160  # characters of a line about the post
_MAX_UNLINKED = 60  # characters around the links of such a line: "Posted in ... | Tags: ..."
_MOST = 0.93  # of the text of a record, on average over the records, stands in the text's own element
_REPEATED = 0.5  # share of the records in which the template has the same line
_MIN_RECORDS = 3


def left_out(page: IndexPage, urls: Sequence[str | None]) -> list[frozenset[int]]:
    """Return for every record the parts that are not the post's text."""
    counts = Counter(line for record in page.records for line in {line for line, _ in _lines(page, record)})
    least = max(_MIN_RECORDS, _REPEATED * len(page.records))
    again = {line for line, count in counts.items() if count >= least}
    return [
        frozenset(
            {
                *_title_part(page, record),
                *(node for node in page.seen(record) if _is_about(page, record, node, url)),
                *(node for line, node in _lines(page, record) if line in again),
            }
        )
        for record, url in zip(page.records, urls, strict=True)
    ]


def _lines(page: IndexPage, record: Record) -> Iterator[tuple[Hashable, int]]:
    """Yield the short blocks of a record: what stands where, numbers aside."""
    for node in page.seen(record):
        if 0 < page.density.chars(node) <= _MAX_LINE and page.is_block(node) and (node,) != record.roots:
            yield (page.place(node), re.sub(r"\d+", "0", page.density.words(node))), node


def _title_part(page: IndexPage, record: Record) -> Iterator[int]:
    """The title with the element around it that holds nothing else, or a date besides."""
    tree, density, node = page.tree, page.density, record.anchor
    if node is None:
        return
    while node not in record.roots:
        around = tree.parent[node]
        rest = density.chars(around) - density.chars(node)
        if (
            rest > _MAX_UNLINKED
            or (around,) == record.roots
            or (rest and not density.is_dated(around, tree.end[around]))
        ):
            break
        node = around
    yield node


def _is_about(page: IndexPage, record: Record, node: int, url: str | None) -> bool:
    chars = page.density.chars(node)
    if not chars or (node,) == record.roots:
        return False
    if page.tree.tag[node] == "a":
        return _leads_on(page, node, url)
    names = " ".join(filter(None, (page.tree.attrs[node].get("class"), page.tree.attrs[node].get("id"))))
    # Themes call whole posts "category-news"; what holds most of a record is its text.
    is_small = chars <= _MAX_LINE and chars * 2 <= sum(page.density.chars(root) for root in record.roots)
    if is_small and (page.tree.tag[node] == "time" or _ABOUT.search(names)):
        return True
    return page.is_block(node) and _is_line_about(page, node)


def _leads_on(page: IndexPage, link: int, url: str | None) -> bool:
    """ "Read more" and "3 comments"."""
    attrs = page.tree.attrs[link]
    if url is None or page.density.url_of(link)[0] != url:
        return False
    return bool(_MORE.match(page.density.words(link)) or _TALK.search(attrs.get("href") or ""))


def _is_line_about(page: IndexPage, node: int) -> bool:
    """A line with links to tags, or with a date, and little else; a sentence ends with a stop."""
    tree, density = page.tree, page.density
    end = tree.end[node]
    if density.unlinked(node, end) > _MAX_UNLINKED:
        return False
    links = [inner for inner in range(node, end) if tree.tag[inner] == "a"]
    if any("tag" in (tree.attrs[link].get("rel") or "").split() or _is_list(page, link) for link in links):
        return True
    is_short = density.chars(node) <= _MAX_LINE // 2 and density.is_dated(node, end)
    return is_short and not page.spaced_text(node).endswith(_SENTENCE_ENDS)


def _is_list(page: IndexPage, link: int) -> bool:
    url, is_own = page.density.url_of(link)
    return bool(url and is_own and is_listing(url))


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
    density, tree = page.density, page.tree
    lost = _outermost(page, out)
    total = sum(density.chars(root) for root in record.roots) - sum(map(density.chars, lost))
    shares: dict[Hashable, tuple[int, float]] = {}
    for node in page.seen(record) if total > 0 else ():
        if density.chars(node) * 2 >= total and not any(one <= node < tree.end[one] for one in lost):
            here = density.chars(node) - sum(density.chars(one) for one in lost if node < one < tree.end[node])
            shares.setdefault(page.place(node), (node, here / total))
    return shares


def _outermost(page: IndexPage, nodes: frozenset[int]) -> list[int]:
    """The nodes that are not inside another of them."""
    outermost: list[int] = []
    for node in sorted(nodes):
        if not outermost or node >= page.tree.end[outermost[-1]]:
            outermost.append(node)
    return outermost


_MIN_SCORE = 20.0  # a menu has less
_CONFIDENCE = 0.9


def index_posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return every post on the page with what it shows of it; nothing where no posts are listed."""
    tree, base_url = document.tree, document.base_url
    listing = listing_of(tree, base_url, _named_articles(tree, context))
    if listing.score < _MIN_SCORE:
        return ()
    known = context.rules.languages if context.rules is not None else ()
    languages = tuple(dict.fromkeys((*filter(None, [document.language]), *known))) or ("en",)
    page = IndexPage(tree, TextDensity(tree, base_url), base_url, listing.records, languages, context.fetched_at)
    urls = [record_url(page, record) for record in page.records]
    outs = left_out(page, urls)
    every = zip(page.records, urls, outs, text_places(page, outs), dates_of(page, urls), authors_of(page), strict=True)
    return tuple(_post(document, page, _RecordFields(number, *parts)) for number, parts in enumerate(every, start=1))


def _named_articles(tree: Tree, context: Context) -> list[int]:
    rules = context.rules.rules_for("text") if context.rules is not None else ()
    found = (matches(tree, rule.rule) for rule in rules)
    return next((nodes for nodes in found if len(nodes) > 1), [])


class _RecordFields(NamedTuple):
    """The parts of a record, from which its post is made."""

    number: int
    record: Record
    url: str | None
    out: frozenset[int]
    text: int | None
    date: FoundFields | None
    author: str | None


def _post(document: Document, page: IndexPage, fields_of_record: _RecordFields) -> Post:
    record = fields_of_record.record
    fields = _text_fields(page, record, fields_of_record.out, fields_of_record.text)
    provenance = {"text": _by(page, "record", record.roots[0])}
    title = title_of(page, record)
    if title:
        fields["title"] = title
        provenance["title"] = _by(page, "title", record.anchor)
    if fields_of_record.author:
        fields["authors"] = (fields_of_record.author,)
        provenance["authors"] = _by(page, "author", None)
    if fields_of_record.date is not None:
        fields |= fields_of_record.date.fields
        provenance["published"] = fields_of_record.date.provenance
    own = canonical_url(document.url)
    url = canonical_url(fields_of_record.url) if fields_of_record.url else own
    if place_key(url) == place_key(own):
        # Posts without a page of their own share this one; only the fragment differs.
        url = f"{own}#{_anchor_in(page.tree, record) or f'post-{fields_of_record.number}'}"
    return Post(
        id=post_id(url), url=url, canonical_url=url, language=document.language, provenance=provenance, **fields
    )


def _anchor_in(tree: Tree, record: Record) -> str | None:
    """The first name in a record by which links can lead to it."""
    for node in record.inside(tree):
        attrs = tree.attrs[node]
        name = attrs.get("id") or (attrs.get("name") if tree.tag[node] == "a" else None)
        if name:
            return name
    return None


def _text_fields(page: IndexPage, record: Record, out: frozenset[int], text: int | None) -> dict[str, Any]:
    tree = page.tree
    if text is not None:
        return article_fields(tree, page.base_url, text, out)
    if len(record.roots) == 1:
        return article_fields(tree, page.base_url, record.roots[0], out)
    others = frozenset(tree.children(record.parent)) - frozenset(record.roots)
    return article_fields(tree, page.base_url, record.parent, out | others)


def _by(page: IndexPage, what: str, node: int | None) -> Provenance:
    if node is None:
        return Provenance(method="index", rule=what, confidence=_CONFIDENCE)
    path = node_path(page.tree, node)
    return Provenance(method="index", rule=f"{what}: {page.tag_and_classes(node)}", node=path, confidence=_CONFIDENCE)
