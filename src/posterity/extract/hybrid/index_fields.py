"""Title, address and author of the posts on a front page."""

from __future__ import annotations

import re
from collections import Counter
from typing import TYPE_CHECKING

from posterity.dom import text_of
from posterity.text.dates import read_dates
from posterity.text.normal_form import one_line
from posterity.urls.listing import is_listing

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from posterity.extract.hybrid.index_page import IndexPage, Place
    from posterity.identify.repeated_records import Record

_PERMALINK = re.compile(r"permalink|bookmark|u-url|timestamp|more|comment", re.IGNORECASE)
_AUTHOR = re.compile(r"(?:^|[-_ ])(?:p-)?author|byline|(?:^| )fn(?: |$)|posted-by|(?:^| )nickname", re.IGNORECASE)
_BY = re.compile(
    r"^(?:(?:posted|written|published|author|verfasst|geschrieben|publié|écrit|escrito|publicado)\b[\s:]*)?"
    r"(?:(?:by|von|par|por|di|de|door|av|af|от|автор|作者)\b[\s:：]*)?",
    re.IGNORECASE,
)
# "06.09.10 von Karin | 3 comments": a name behind its little word, up to the next mark or date.
_LITTLE_WORDS = "by|von|par|por|door|av|af|от"
_BYLINE = re.compile(
    rf"(?:^|[\s|·•])(?:{_LITTLE_WORDS})\s+([^\W\d_][^|·•,\d:]{{1,60}}?)"
    r"(?=\s*(?:[|·•,\d:]|\b(?:on|am|le|in|at|um)\b|$))",
    re.IGNORECASE,
)
_ONLY_BYLINE = re.compile(rf"(?:\w+ )?(?:{_LITTLE_WORDS})\s+((?:[^\W\d_][\w.'’-]*\s*){{1,4}})", re.IGNORECASE)
_MAX_NAME = 60
_MAX_LINE = 160


def title_of(page: IndexPage, record: Record) -> str | None:
    """Return the title that the record was found by, None where that is no title: a date, or a word for "link"."""
    if record.anchor is None:
        return None
    link = page.ink.link_of(record.anchor)
    node = record.anchor
    # A heading may hold more than its link: a number of comments, a mark to copy the address.
    if link is not None and link > node and page.ink.chars(link) * 2 > page.ink.chars(node):
        node = link
    title = one_line(text_of(page.tree, node))
    return title if any(map(str.isalnum, title)) and not _is_date(title, page.languages) else None


def _is_date(text: str, languages: tuple[str, ...]) -> bool:
    dates = read_dates(text, languages=languages) if len(text) <= 40 else ()
    rest = text[: dates[0].start] + text[dates[0].end :] if dates else text
    return bool(dates) and sum(map(str.isalnum, rest)) <= 12


def address_of(page: IndexPage, record: Record) -> str | None:
    """Return where the post itself is: its title's link, else what is called its permalink, else its one own link."""
    ink = page.ink
    title_link = None
    if record.anchor is not None:
        is_link = page.tree.tag[record.anchor] == "a"
        title_link, is_own = ink.address(record.anchor if is_link else ink.link_of(record.anchor))
        if title_link and is_own:
            return title_link
    own = Counter(_own_links(page, record))
    named = [address for address, is_named in own if is_named]
    if named:
        return named[0]
    counts = Counter(address for address, _ in own.elements())
    return title_link or (counts.most_common(1)[0][0] if counts else None)


def _own_links(page: IndexPage, record: Record) -> Iterator[tuple[str, bool]]:
    """Yield the addresses on the blog's own host that are no lists, and whether they are called permalinks."""
    tree = page.tree
    for node in record.inside(tree):
        if tree.tag[node] != "a":
            continue
        address, is_own = page.ink.address(node)
        if address and is_own and not is_listing(address):
            attrs = tree.attrs[node]
            names = " ".join(filter(None, (attrs.get("class"), attrs.get("rel"))))
            has_time = any(tree.tag[inner] == "time" for inner in range(node, tree.end[node]))
            yield address, has_time or bool(_PERMALINK.search(names)) or "#" in (attrs.get("href") or "")


def authors_of(page: IndexPage) -> list[str | None]:
    """Return the author of every record: the place that names one in most records, else a byline."""
    votes: Counter[Place] = Counter()
    named: list[dict[Place, str]] = []
    for record in page.records:
        names = _named(page, record)
        named.append(names)
        votes.update(names.keys())
    ranked = sorted(votes, key=lambda place: -votes[place])
    found = [next((names[place] for place in ranked if place in names), None) for names in named]
    return [name or _by_line(page, record) for name, record in zip(found, page.records, strict=True)]


def _named(page: IndexPage, record: Record) -> dict[Place, str]:
    found: dict[Place, str] = {}
    for node in page.seen(record):
        attrs = page.tree.attrs[node]
        if not attrs or not 0 < page.ink.chars(node) <= _MAX_NAME:
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
    name = _BY.sub("", text.strip(), count=1).strip(" ,:|-–—•·")
    return name if name and any(map(str.isalpha, name)) and len(name.split()) <= 6 else None


def _by_line(page: IndexPage, record: Record) -> str | None:
    """The name in a short line with a date, or in one that says nothing else."""
    for node in page.seen(record):
        if 0 < page.ink.chars(node) <= _MAX_LINE and page.is_line(node):
            line = page.spaced_text(node)
            is_dated = page.ink.is_dated(node, page.tree.end[node])
            match = _BYLINE.search(line) if is_dated else _ONLY_BYLINE.fullmatch(line)
            if match:
                return match.group(1).strip()
    return None
