"""The posts of a front page, in order, and which part of each record is its text.

They are found by repetition (`classify.repeated_records`); the elements that a blog's rules match as articles help to
choose. Each field is read at the place that gives it in most of the records.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from collections.abc import Hashable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, TypeAlias

import msgspec

from posterity.classify.repeated_records import Record, density_of, listing_of
from posterity.classify.text_density import TextDensity, stable_classes
from posterity.dom import Document, Tree, text_of
from posterity.dom.plain_text import LINE_TAGS, PARAGRAPH_TAGS
from posterity.dom.tree import Attributes, matches, node_path
from posterity.extraction.method import Context
from posterity.extraction.record import FoundFields, article_fields, aware, date_in_url
from posterity.lexicon import any_of, part_names, words_for
from posterity.model import Post, Provenance
from posterity.text.dates import DayOrder, FoundDate, read_dates
from posterity.text.dates.reading import dates_in
from posterity.text.normal_form import one_line
from posterity.urls import canonical_url, place_key, post_id
from posterity.urls.kinds import is_listing

_ABOUT = re.compile(rf"(?:^|[-_ ])(?:{any_of(part_names('listed.about_post'))})(?:$|[-_ ])", re.IGNORECASE)
_TALK = re.compile(rf"#(?:{any_of(part_names('comment.fragment'))})\b|\A[^#]*+#.*comment", re.IGNORECASE)
_MORE = re.compile(rf"^\W*(?:{any_of(words_for('link.read_more'))})", re.IGNORECASE)
_SENTENCE_ENDS = (".", "!", "?", "…", "。", ":")
_MAX_LINE = 160  # characters of a line about the post
_MAX_UNLINKED = 60  # characters around the links of such a line: "Posted in ... | Tags: ..."
_MOST = 0.93  # of a record's text, averaged over the records, must be in the text's element
_REPEATED = 0.5  # share of the records with the same line, from which it is the template's
_MIN_RECORDS = 3


def left_out(page: IndexPage, urls: Sequence[str | None]) -> list[frozenset[int]]:
    """Return for every record the nodes that are not the post's text."""
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
    """Yield the short blocks of a record: place and text without numbers, and the node."""
    for node in page.seen(record):
        if 0 < page.density.chars(node) <= _MAX_LINE and page.is_block(node) and (node,) != record.roots:
            yield (page.place(node), re.sub(r"\d+", "0", page.density.line(node))), node


def _title_part(page: IndexPage, record: Record) -> Iterator[int]:
    """Yield the title's largest ancestor that contains only the title, or the title and a date."""
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
    # Themes give whole posts classes such as "category-news"; an element with most of a record is its text.
    is_small = chars <= _MAX_LINE and chars * 2 <= sum(page.density.chars(root) for root in record.roots)
    if is_small and (page.tree.tag[node] == "time" or _ABOUT.search(names)):
        return True
    return page.is_block(node) and _is_line_about(page, node)


def _leads_on(page: IndexPage, link: int, url: str | None) -> bool:
    """Whether a link to the post is "Read more" or "3 comments"."""
    attrs = page.tree.attrs[link]
    if url is None or page.density.url_of(link)[0] != url:
        return False
    return bool(_MORE.match(page.density.line(link)) or _TALK.search(attrs.get("href") or ""))


def _is_line_about(page: IndexPage, node: int) -> bool:
    """Whether a line has little more than links to tags, or a date, and is not a sentence."""
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
    """Return for every record the element that contains only its text, or None."""
    kept: Counter[Hashable] = Counter()
    found: list[dict[Hashable, int]] = []
    for record, out in zip(page.records, outs, strict=True):
        shares = _shares(page, record, out)
        found.append({place: node for place, (node, _) in shares.items()})
        kept.update({place: share for place, (_, share) in shares.items()})
    good = [place for place, share in kept.items() if share >= _MOST * len(found)]
    return [max((nodes[p] for p in good if p in nodes), key=page.tree.depth, default=None) for nodes in found]


def _shares(page: IndexPage, record: Record, out: frozenset[int]) -> dict[Hashable, tuple[int, float]]:
    """Return the elements with at least half of a record's text and their shares of it, by place."""
    density, tree = page.density, page.tree
    lost = page.tree.outermost(out)
    total = sum(density.chars(root) for root in record.roots) - sum(map(density.chars, lost))
    before = [0, *accumulate(map(density.chars, lost))]
    shares: dict[Hashable, tuple[int, float]] = {}
    for node in page.seen(record) if total > 0 else ():
        place = bisect_right(lost, node)
        if density.chars(node) * 2 >= total and not (place and node < tree.end[lost[place - 1]]):
            here = density.chars(node) - (before[bisect_left(lost, tree.end[node])] - before[place])
            shares.setdefault(page.place(node), (node, here / total))
    return shares


_MIN_SCORE = 20.0  # menus score less
_CONFIDENCE = 0.9


def index_posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return every post listed on the page, as far as the page shows it."""
    tree, base_url = document.tree, document.base_url
    density = document.fact(density_of)
    listing = listing_of(tree, density, _named_articles(tree, context))
    if listing.score < _MIN_SCORE:
        return ()
    known = context.rules.languages if context.rules is not None else ()
    languages = tuple(dict.fromkeys((*filter(None, [document.language]), *known))) or ("en",)
    page = IndexPage(tree, density, base_url, listing.records, languages, context.fetched_at)
    urls = [record_url(page, record) for record in page.records]
    outs = left_out(page, urls)
    every = zip(page.records, urls, outs, text_places(page, outs), dates_of(page, urls), authors_of(page), strict=True)
    return tuple(_post(document, page, _RecordFields(number, *parts)) for number, parts in enumerate(every, start=1))


def _named_articles(tree: Tree, context: Context) -> list[int]:
    rules = context.rules.rules_for("text") if context.rules is not None else ()
    found = (matches(tree, rule.rule) for rule in rules)
    return next((nodes for nodes in found if len(nodes) > 1), [])


class _RecordFields(NamedTuple):
    """The parts of a record from which its post is made."""

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
    provenance = {"text": _provenance(page, "record", record.roots[0])}
    title = title_of(page, record)
    if title:
        fields["title"] = title
        provenance["title"] = _provenance(page, "title", record.anchor)
    if fields_of_record.author:
        fields["authors"] = (fields_of_record.author,)
        provenance["authors"] = _provenance(page, "author", None)
    if fields_of_record.date is not None:
        fields |= fields_of_record.date.fields
        provenance["published"] = fields_of_record.date.provenance
    own = canonical_url(document.url)
    url = canonical_url(fields_of_record.url) if fields_of_record.url else own
    if place_key(url) == place_key(own):
        # Posts without a separate page share this page's URL; only the fragment differs.
        url = f"{own}#{_anchor_in(page.tree, record) or f'post-{fields_of_record.number}'}"
    return Post(
        id=post_id(url), url=url, canonical_url=url, language=document.language, provenance=provenance, **fields
    )


def _anchor_in(tree: Tree, record: Record) -> str | None:
    """Return the first id or anchor name in a record, or None."""
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
    # A new tree of only these roots, because their parent contains all records.
    first, stop = record.roots[0], tree.end[record.roots[-1]]
    part = tree.with_children(record.parent, first, stop)
    own = {root - first + 1 for root in record.roots}
    left_out = {node - first + 1 for node in out if first <= node < stop}
    others = set(part.children(0)) - own
    return article_fields(part, page.base_url, 0, frozenset(left_out | others))


def _provenance(page: IndexPage, what: str, node: int | None) -> Provenance:
    if node is None:
        return Provenance(method="index", rule=what, confidence=_CONFIDENCE)
    path = node_path(page.tree, node)
    return Provenance(method="index", rule=f"{what}: {page.tag_and_classes(node)}", node=path, confidence=_CONFIDENCE)


# Tag and classes of a node and its parent: equal in all records of a template.
Place: TypeAlias = "tuple[str, frozenset[str], str, frozenset[str]]"

_BLOCKS = LINE_TAGS | PARAGRAPH_TAGS | {"td", "th"}


class IndexPage(msgspec.Struct, frozen=True):
    """A front page: its tree, its records, the languages of its dates, and when it was fetched, if known."""

    tree: Tree
    density: TextDensity
    base_url: str
    records: tuple[Record, ...]
    languages: tuple[str, ...]
    now: datetime | None = None

    def seen(self, record: Record) -> Iterator[int]:
        """Yield the rendered elements of a record."""
        tree = self.tree
        for node in record.inside(tree):
            if tree.tag[node] != "#text" and not tree.unseen[node]:
                yield node

    def place(self, node: int) -> Place:
        """Return the tag and stable classes of a node and its parent."""
        tree, parent = self.tree, self.tree.parent[node]
        return tree.tag[node], stable_classes(tree, node), tree.tag[parent], stable_classes(tree, parent)

    def is_block(self, node: int) -> bool:
        """Return whether the element starts a new line."""
        return self.tree.tag[node] in _BLOCKS

    def is_line(self, node: int) -> bool:
        """Return whether the element starts a new line and contains no further lines."""
        tree = self.tree
        return self.is_block(node) and not any(tree.tag[inner] in _BLOCKS for inner in range(node + 1, tree.end[node]))

    def tag_and_classes(self, node: int) -> str:
        """Return the node's tag and classes, for explanations."""
        return ".".join([self.tree.tag[node], *sorted(stable_classes(self.tree, node))])

    def spaced_text(self, node: int) -> str:
        """Return the text of a node with spaces between text nodes: <b>12</b><i>May</i> is "12 May"."""
        tree = self.tree
        return " ".join(" ".join(tree.text[inner] for inner in range(node, tree.end[node])).split())


_PERMALINK = re.compile(any_of(part_names("listed.permalink")), re.IGNORECASE)
_AUTHOR = re.compile(any_of(part_names("listed.author")), re.IGNORECASE)
_BYLINE_LEAD = re.compile(
    rf"^(?:(?:{any_of(words_for('byline.index_written'))})\b[\s:]*)?"
    rf"(?:(?:{any_of(words_for('byline.by', 'byline.index_by', 'byline.index_label'))})\b[\s:：]*)?",
    re.IGNORECASE,
)
# A name after "by" up to the next separator or date: "06.09.10 von Karin | 3 comments".
_BY_WORDS = any_of(words_for("byline.by", "byline.index_by"))
_BYLINE = re.compile(
    rf"(?:^|[\s|·•])(?:{_BY_WORDS})\s+([^\W\d_][^|·•,\d:]{{1,60}}?)"
    rf"(?=\s*(?:[|·•,\d:]|\b(?:{any_of(words_for('byline.index_end'))})\b|$))",
    re.IGNORECASE,
)
_ONLY_BYLINE = re.compile(rf"(?:\w+ )?(?:{_BY_WORDS})\s+((?:[^\W\d_][\w.'’-]*\s*){{1,4}})", re.IGNORECASE)
_MAX_NAME = 60


def title_of(page: IndexPage, record: Record) -> str | None:
    """Return the text of the record's anchor, or None if it is a date or has no letters and digits."""
    if record.anchor is None:
        return None
    link = page.density.link_of(record.anchor)
    node = record.anchor
    # A heading may contain more than its link: a number of comments, a sign to copy the URL.
    if link is not None and link > node and page.density.chars(link) * 2 > page.density.chars(node):
        node = link
    title = one_line(text_of(page.tree, node))
    return title if any(map(str.isalnum, title)) and not _is_date(title, page.languages) else None


def _is_date(text: str, languages: tuple[str, ...]) -> bool:
    dates = read_dates(text, languages=languages) if len(text) <= 40 else ()
    rest = text[: dates[0].start] + text[dates[0].end :] if dates else text
    return bool(dates) and sum(map(str.isalnum, rest)) <= 12


def record_url(page: IndexPage, record: Record) -> str | None:
    """Return the post's URL: that of its title, else a permalink, else its most frequent link; or None."""
    density = page.density
    title_link = None
    if record.anchor is not None:
        is_link = page.tree.tag[record.anchor] == "a"
        title_link, is_own = density.url_of(record.anchor if is_link else density.link_of(record.anchor))
        if title_link and is_own:
            return title_link
    own = Counter(_own_links(page, record))
    named = [url for url, is_named in own if is_named]
    if named:
        return named[0]
    counts = Counter(url for url, _ in own.elements())
    return title_link or (counts.most_common(1)[0][0] if counts else None)


def _own_links(page: IndexPage, record: Record) -> Iterator[tuple[str, bool]]:
    """Yield the URLs on the blog's host that are not lists, and whether they are marked as permalinks."""
    tree = page.tree
    for node in record.inside(tree):
        if tree.tag[node] != "a":
            continue
        url, is_own = page.density.url_of(node)
        if url and is_own and not is_listing(url):
            attrs = tree.attrs[node]
            names = " ".join(filter(None, (attrs.get("class"), attrs.get("rel"))))
            has_time = any(tree.tag[inner] == "time" for inner in range(node, tree.end[node]))
            yield url, has_time or bool(_PERMALINK.search(names)) or "#" in (attrs.get("href") or "")


def authors_of(page: IndexPage) -> list[str | None]:
    """Return the author of every record, from the place that has one in most records, else a byline, or None."""
    counts: Counter[Place] = Counter()
    named: list[dict[Place, str]] = []
    for record in page.records:
        names = _texts_by_name(page, record)
        named.append(names)
        counts.update(names.keys())
    ranked = sorted(counts, key=lambda place: -counts[place])
    found = [next((names[place] for place in ranked if place in names), None) for names in named]
    return [name or _byline_author(page, record) for name, record in zip(found, page.records, strict=True)]


def _texts_by_name(page: IndexPage, record: Record) -> dict[Place, str]:
    found: dict[Place, str] = {}
    for node in page.seen(record):
        attrs = page.tree.attrs[node]
        if not attrs or not 0 < page.density.chars(node) <= _MAX_NAME:
            continue
        names = " ".join(filter(None, (attrs.get("class"), attrs.get("rel"), attrs.get("itemprop"))))
        if names and _AUTHOR.search(names):
            name = _name(page.spaced_text(node), page.languages)
            if name:
                found.setdefault(page.place(node), name)
    return found


def _name(text: str, languages: Sequence[str]) -> str | None:
    for date in read_dates(text, languages=languages)[:1]:
        text = text[: date.start]
    name = _BYLINE_LEAD.sub("", text.strip(), count=1).strip(" ,:|-–—•·")
    return name if name and any(map(str.isalpha, name)) and len(name.split()) <= 6 else None


def _byline_author(page: IndexPage, record: Record) -> str | None:
    """Return the name after "by" in a short line with a date, or in a line of nothing else."""
    for node in page.seen(record):
        if 0 < page.density.chars(node) <= _MAX_LINE and page.is_line(node):
            line = page.spaced_text(node)
            is_dated = page.density.is_dated(node, page.tree.end[node])
            match = _BYLINE.search(line) if is_dated else _ONLY_BYLINE.fullmatch(line)
            if match:
                return match.group(1).strip()
    return None


_NAMED = re.compile(any_of(part_names("listed.date")), re.IGNORECASE)
_CHANGED = re.compile(any_of(part_names("listed.changed")), re.IGNORECASE)
_MAX_AGO = 40  # characters of a label with a relative day
_MAX_CHARS = 120  # of a line with metadata; longer lines are the post's text
_DATE_LIKE = re.compile(r"\d\s?[年년]|(?:19|20|25)\d\d|\d[./-]\d\d(?!\d)")
# Weights of sources of dates, multiplied by the number of records that have them.
_MACHINE, _NAME, _TEXT, _ABOVE, _EDIT = 3.0, 2.0, 1.2, 1.0, 0.2
_URL_CONFIDENCE = 0.8
_COARSE_CONFIDENCE = 0.4  # of a date such as "3 months ago"
_BEFORE_CHARS = 400


class _DateSource(msgspec.Struct, frozen=True):
    place: object
    worth: float
    text: str


def dates_of(page: IndexPage, urls: Sequence[str | None]) -> list[FoundFields | None]:
    """Return the date of every record, or None."""
    texts: dict[object, dict[int, str]] = defaultdict(dict)
    worth: dict[object, float] = {}
    for number in range(len(page.records)):
        for source in _date_sources(page, number):
            texts[source.place].setdefault(number, source.text)
            worth[source.place] = source.worth
    ranked = sorted(texts, key=lambda place: -worth[place] * len(texts[place]))
    readings = {place: _in_order(page, texts[place]) for place in ranked}
    found = [_first(number, ranked, readings) for number in range(len(page.records))]
    return [date or (date_in_url(url) if url else None) for date, url in zip(found, urls, strict=True)]


def _first(number: int, ranked: list[object], readings: dict[object, dict[int, FoundDate]]) -> FoundFields | None:
    for place in ranked:
        date = readings[place].get(number)
        if date is not None:
            fields = {"published": aware(date, None), "published_precision": date.precision}
            confidence = _CONFIDENCE if date.precision in ("minute", "day") else _COARSE_CONFIDENCE
            return FoundFields(fields, Provenance(method="index", rule=_place_name(place), confidence=confidence))
    return None


def _place_name(place: object) -> str:
    tag, classes = place[-4:-2] if isinstance(place, tuple) else ("", frozenset())
    return ".".join([str(tag), *sorted(classes)])


def _date_sources(page: IndexPage, number: int) -> Iterator[_DateSource]:
    record, tree = page.records[number], page.tree
    for node in page.seen(record):
        if node != record.anchor:
            yield from _read_from(page, node)
    start = tree.end[page.records[number - 1].roots[-1]] if number else _stage(page)
    if page.density.between(start, record.roots[0]) <= _BEFORE_CHARS:
        for node in range(record.roots[0] - 1, start - 1, -1):
            if tree.tag[node] != "#text" and not tree.unseen[node]:
                for source in _read_from(page, node):
                    yield _DateSource(("above", *page.place(node)), _ABOVE, source.text)


def _stage(page: IndexPage) -> int:
    """Return the nearest common ancestor of all records."""
    tree, last = page.tree, page.records[-1].roots[-1]
    node = page.records[0].parent
    while tree.end[node] < tree.end[last]:
        node = tree.parent[node]
    return node


def _read_from(page: IndexPage, node: int) -> Iterator[_DateSource]:
    tree, attrs = page.tree, page.tree.attrs[node]
    names = " ".join(filter(None, (attrs.get("class"), attrs.get("itemprop"), attrs.get("id"))))
    edit = _EDIT if _CHANGED.search(names) and "publ" not in names else 1.0
    place = page.place(node)
    for value in _machine_values(tree.tag[node], attrs):
        yield _DateSource(("machine", *place), _MACHINE * edit, value)
    if not 0 < page.density.chars(node) <= _MAX_CHARS:
        return
    text = page.spaced_text(node)
    if not _may_date(page, text):
        return
    if tree.tag[node] == "time" or _NAMED.search(names):
        yield _DateSource(("named", *place), _NAME * edit, text)
    elif any(tree.text[child] and _may_date(page, tree.text[child]) for child in tree.children(node)):
        yield _DateSource(("text", *place), _TEXT * edit, text)


def _may_date(page: IndexPage, text: str) -> bool:
    """Return whether a text has something like a date, or a relative date: "3 days ago"."""
    if _DATE_LIKE.search(text):
        return True
    return page.now is not None and len(text) <= _MAX_AGO and bool(_read(page, text))


def _read(page: IndexPage, text: str) -> tuple[FoundDate, ...]:
    return read_dates(text, languages=page.languages, now=page.now, coarse=True) or dates_in(text, "")


def _machine_values(tag: str, attrs: Attributes) -> Iterator[str]:
    value = attrs.get("datetime") or (attrs.get("content") if "date" in (attrs.get("itemprop") or "").lower() else None)
    if not value and tag in ("abbr", "span", "time", "a"):
        value = attrs.get("title")
    if value and len(value) <= _MAX_CHARS and _DATE_LIKE.search(value):
        yield value


def _in_order(page: IndexPage, texts: dict[int, str]) -> dict[int, FoundDate]:
    """Read the dates of one place, all in the same order of day and month."""
    both = {number: _read(page, text) for number, text in texts.items()}
    order = _order(list(both.values()))
    chosen: dict[int, FoundDate] = {}
    for number, readings in both.items():
        fitting = [date for date in readings if not date.ambiguous or date.order == order]
        if fitting:
            chosen[number] = fitting[0]
    return chosen


def _order(readings: list[tuple[FoundDate, ...]]) -> DayOrder | None:
    certain = (
        date for dates in readings for date in dates if not date.ambiguous and date.moment.day != date.moment.month
    )
    orders = {date.order for date in certain} & {"dmy", "mdy"}
    if len(orders) == 1:
        return "dmy" if "dmy" in orders else "mdy"
    ambiguous = [dates for dates in readings if dates and dates[0].ambiguous]
    if not ambiguous:
        return None
    usual: DayOrder = "mdy" if ambiguous[0][0].order == "mdy" else "dmy"
    other: DayOrder = "dmy" if usual == "mdy" else "mdy"
    return min(usual, other, key=lambda order: _disorder(ambiguous, order))


def _disorder(readings: list[tuple[FoundDate, ...]], order: DayOrder) -> tuple[int, timedelta]:
    """Return how often a record is newer than the one before it, and the time span of the records."""
    days = [date.moment.replace(tzinfo=None) for dates in readings for date in dates if date.order == order]
    return sum(later > earlier for earlier, later in pairwise(days)), max(days) - min(days)
