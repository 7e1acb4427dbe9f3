"""Every day on a page that may be the day of publication, with its sources and where it stands."""

from __future__ import annotations

import re
from datetime import date, timedelta
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from posterity.dom.metadata import types_of
from posterity.dom.tree import TEXT
from posterity.extraction.fields import date_in_url, on_day
from posterity.extraction.hybrid.choice import FieldCandidate
from posterity.extraction.hybrid.zones import NOT_OF_ARTICLE, TitleSurroundings, features_in_zone, zone_of
from posterity.lexicon import any_of, declared_names, words_for
from posterity.text.dates import DayOrder, FoundDate
from posterity.text.dates.any_language import SHORTEST, dates_in, has_one_reading, may_date
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from posterity.extraction.hybrid.page_facts import PageFacts
    from posterity.text.dates.found import Order


# Of words that end at the same place the first counts: "updated on" holds "on".
_LABELS = {
    f"says {what}": re.compile(any_of(words_for(f"date.{what}")), re.IGNORECASE)
    for what in ("modified", "other", "published")
}


@lru_cache(maxsize=4096)
def label_of_date(label: str) -> str | None:
    """Return the feature of the last word in a label that names the kind of date that follows, None when none does."""
    ends = {
        feature: found[-1]
        for feature, pattern in _LABELS.items()
        if (found := [hit.end() for hit in pattern.finditer(label)])
    }
    return max(ends, key=ends.__getitem__) if ends else None


_KIND_OF_NAME = {name: kind for kind, names in declared_names("meta_date").items() for name in names}
_SOME_DATE = re.compile(r"date|time|publish|upload|created")


def kind_of_meta(name: str) -> str | None:
    """Return "published", "modified", "date", or "some" for a name that only sounds like a date; None for others."""
    return _KIND_OF_NAME.get(name) or ("some" if _SOME_DATE.search(name) else None)


# The feature of a reading that is not the usual one in the page's language.
LATER_READING = "later reading"
_MIDNIGHTS = (22, 23)  # of Central Europe in UTC, in summer and winter
_MONTH_IN_PATH = re.compile(r"/((?:19|20)\d\d)/(0?[1-9]|1[0-2])(?:/|$)")


def likely_readings(
    candidates: list[FieldCandidate], page: PageFacts, order: DayOrder | None = None
) -> list[FieldCandidate]:
    """Return the candidates without the readings that the page itself rules out, moments on the day that it shows.

    `order` is how the other pages of its blog write day and month.
    """
    candidates = _with_day_and_month(candidates, page, order)
    return _midnights_on_their_day(_on_day_of_url(candidates))


def month_in_url(url: str) -> str | None:
    """Return the month that the URL has, as 2021-03, or None."""
    month = _MONTH_IN_PATH.search(url)
    return f"{month[1]}-{int(month[2]):02}" if month else None


def _with_day_and_month(
    candidates: list[FieldCandidate], page: PageFacts, order: DayOrder | None
) -> list[FieldCandidate]:
    """Of dates whose day and month could be exchanged, the readings that are likely.

    A day that the page declares decides, else the month in its URL, else its other dates in figures, else
    those of other pages. Where nothing does, English is written both ways, and other languages in one.
    """
    month = month_in_url(page.url)
    declared = {each.key for each in candidates if each.node < 0}
    candidates = _readings(candidates, lambda each: each.key in declared or _exchanged(each.key) not in declared)
    if any(each.value.ambiguous and _fits(each, month) for each in candidates):
        return _readings(candidates, lambda each: _fits(each, month))
    orders: set[Order] = {each.value.order for each in candidates if has_one_reading(each.value)}
    if len(orders) != 1 and order is not None:
        orders = {order}
    if len(orders) == 1:
        return _readings(candidates, lambda each: each.value.order in orders)
    if page.language and not page.language.startswith("en"):
        return _readings(candidates, lambda each: LATER_READING not in each.features)
    return candidates


def _readings(candidates: list[FieldCandidate], is_likely: Callable[[FieldCandidate], bool]) -> list[FieldCandidate]:
    return [each for each in candidates if not each.value.ambiguous or is_likely(each)]


def _exchanged(day: str) -> str:
    """The same figures with day and month exchanged."""
    year, month, day_of_month = day.split("-")
    return f"{year}-{day_of_month}-{month}"


def _fits(candidate: FieldCandidate, month: str | None) -> bool:
    return month is not None and candidate.key.startswith(month)


def _on_day_of_url(candidates: list[FieldCandidate]) -> list[FieldCandidate]:
    """The candidates; moments of a neighbouring day are moved to a zone in which they fall on the day of the URL."""
    day_of_url = next((each.value.moment.date() for each in candidates if "address" in each.features), None)
    return [each if day_of_url is None else _moved_to(each, day_of_url) for each in candidates]


def _midnights_on_their_day(candidates: list[FieldCandidate]) -> list[FieldCandidate]:
    """The candidates; 23:00 in UTC, where the next day is shown, is how software in Central Europe stores that day."""
    shown = {each.key for each in candidates if each.node >= 0}
    shown_text = []
    for each in candidates:
        moment = each.value.moment
        next_day = moment.date() + timedelta(days=1)
        is_midnight = moment.hour in _MIDNIGHTS and not moment.minute and not moment.second
        is_next_day = is_midnight and each.key not in shown and next_day.isoformat() in shown
        shown_text.append(_moved_to(each, next_day) if is_next_day else each)
    return shown_text


def _moved_to(candidate: FieldCandidate, day: date) -> FieldCandidate:
    moment = candidate.value.moment
    if moment.tzinfo is None or candidate.value.precision == "day" or abs((moment.date() - day).days) != 1:
        return candidate
    local = on_day(moment, day)
    value = msgspec.structs.replace(candidate.value, moment=local)
    return msgspec.structs.replace(candidate, value=value, key=local.date().isoformat())


# Sources of a day that a reader sees, the most telling first.
SHOWN = (
    "is published", "pubdate", "time first", "is entry-date", "time", "is date", "is some-date", "text", "long text",
    "any text", "is updated",
)  # fmt: skip
_ARTICLE_TYPE = re.compile("Article|Posting|Recipe|Report|Review")
_ITEM_DATES = {
    "datePublished": "published", "dateCreated": "created", "dateModified": "modified", "uploadDate": "upload",
}  # fmt: skip
_DAY_FIRST = re.compile(r"(?<!\d)\d\d?([._-])\d\d?\1(?:19|20)\d\d(?!\d)")
_DATE_ATTRIBUTES = ("datetime", "content", "title", "data-datetime", "data-date", "data-time", "data-published")
_MAX_TEXT = 120
_MAX_INDENTED = 300  # a short text with the white space of its source
_MAX_START = 50  # a paragraph may begin with the day: "12.11.2021. ..."
_LABEL = 40  # characters before a date in which its label is looked for
_MAX_NODES = 30
_MAX_PLACES = 60
_MAX_DATES = 4
_WORD = re.compile(r"[^\W\d_]{3}")
_LONGEST_LABEL = 10  # pieces of three letters, of 4, 6, 8 and 10: "Published on Tuesday, 12 March 2021 at noon"
# The feature of a day that a sentence mentions.
IN_SENTENCE = "in a sentence"


def declared_days(page: PageFacts) -> Iterator[FieldCandidate]:
    """Yield the days in <meta>, in JSON-LD and in the page's URL."""
    for name, contents in page.data.metas.items():
        kind = kind_of_meta(name)
        if kind:
            yield from _declared(contents[0], f"meta {kind}", page)
    yield from _declared_in_items(page)
    yield from _day_in_url(page)


def _declared_in_items(page: PageFacts) -> Iterator[FieldCandidate]:
    """The days in JSON-LD; of several articles the first is the page's own."""
    articles = 0
    for item in page.data.items:
        types = " ".join(types_of(item))
        about = "article" if _ARTICLE_TYPE.search(types) else "page" if "Page" in types else "other"
        if about == "article" and "datePublished" in item:
            articles += 1
            about = "article" if articles == 1 else "further"
        for key, kind in _ITEM_DATES.items():
            yield from _declared(item.get(key), f"ld {about} {kind}", page)


def _day_in_url(page: PageFacts) -> Iterator[FieldCandidate]:
    """The day in the page's URL, also where it begins with the day: /news/29-10-2021-slug."""
    if found := date_in_url(page.url):
        moment = found.fields["published"].replace(tzinfo=None)
        yield _candidate(FoundDate(moment, "day", "iso", False, 0, 0), ("address",))
    elif shown_text := _DAY_FIRST.search(page.path):
        dates = dates_in(shown_text[0], page.language)[:1]
        yield from (_candidate(date, ("address",)) for date in dates if not date.ambiguous)


def marked_days(page: PageFacts, title: int) -> Iterator[FieldCandidate]:
    """Yield the days in <time> and in elements that call themselves a date."""
    tree = page.tree
    for place, node in enumerate(tree.nodes_by_tag.get("time", ())[:_MAX_PLACES]):
        attrs = tree.attrs[node]
        sources = ["time", *(["pubdate"] if "pubdate" in attrs else []), *([] if place else ["time first"])]
        shown_text = attrs.get("datetime") or one_line(tree.plain(node))
        yield from islice(_shown(page, node, title, shown_text, sources), 1)
    read = 0
    for node, patterns in page.date_nodes:
        text = _sources_of(page, node)
        if text and read < _MAX_PLACES:
            first = () if read else ("first marked",)
            yield from _shown(page, node, title, text, [f"is {pattern}" for pattern in patterns], first)
            read += 1


def labelled_days_on(page: PageFacts, around: TitleSurroundings) -> Iterator[FieldCandidate]:
    """Yield the days in texts near the title and at the article's end; of long ones only what they begin with."""
    for node, text in (*around.near_title, *around.near_end):
        if may_date(text):
            source, shown_text = ("text", text) if len(text) <= _MAX_TEXT else ("long text", text[:_MAX_START])
            yield from _shown(page, node, around.title, shown_text, [source])


def any_days(page: PageFacts, title: int) -> Iterator[FieldCandidate]:
    """Yield the days in all short texts of the page."""
    texts, unseen = page.tree.text, page.tree.unseen
    for node in page.tree.nodes_by_tag.get(TEXT, ()):
        text = texts[node]
        if SHORTEST <= len(text) <= _MAX_INDENTED and not text.isspace() and may_date(text) and not unseen[node]:
            text = one_line(text)
            if len(text) <= _MAX_TEXT:
                yield from _shown(page, node, title, text, ["any text"])


def _sources_of(page: PageFacts, node: int) -> str:
    """The text of a named element: an attribute with a date, else its text; nothing if that is long or no date."""
    tree = page.tree
    if tree.end[node] - node > _MAX_NODES:
        return ""
    attrs = tree.attrs[node]
    for name in _DATE_ATTRIBUTES:
        value = attrs.get(name)
        if value and len(value) <= _MAX_TEXT and may_date(value):
            return value
    text = one_line(tree.plain(node))
    return text if len(text) <= _MAX_TEXT and may_date(text) else ""


def _declared(text: object, feature: str, page: PageFacts) -> Iterator[FieldCandidate]:
    if isinstance(text, str) and len(text) <= _MAX_TEXT:
        yield from (_candidate(date, (feature,)) for date in dates_in(text, page.language)[:1])


def _shown(
    page: PageFacts, node: int, title: int, shown_text: str, sources: Iterable[str], more: tuple[str, ...] = ()
) -> Iterator[FieldCandidate]:
    """The days in a text or attribute of a node, each with its place and its label."""
    dates = dates_in(shown_text, page.language)[:_MAX_DATES] if len(shown_text) <= _MAX_TEXT else ()
    if not dates:
        return
    zone = zone_of(page, node, title)
    labels = (IN_SENTENCE,) if _is_sentence(page, node) else ()
    features = (*features_in_zone(sources, zone), *(() if zone in NOT_OF_ARTICLE else more), *labels)
    behind = 0
    for place, found in enumerate(dates):
        label = _label_feature(page, node, shown_text[behind : found.start]) if found.start >= behind else None
        doubts = (*(("ambiguous",) if found.ambiguous else ()), *((LATER_READING,) if place else ()))
        yield _candidate(found, (*features, *doubts, *((label,) if label else ())), node)
        behind = found.end


def _is_sentence(page: PageFacts, node: int) -> bool:
    """Whether a text is more than a date and an author."""
    tree = page.tree
    return tree.tag[node] == TEXT and len(_WORD.findall(tree.text[node])) > _LONGEST_LABEL


def _label_feature(page: PageFacts, node: int, label: str) -> str | None:
    """The feature of the words before the date; where there are none, of the text before."""
    if _WORD.search(label):
        return label_of_date(label[-_LABEL:])
    tree = page.tree
    own = one_line(tree.plain(node))[:_LABEL] if tree.tag[node] != TEXT else ""
    before = (tree.text[each] for each in range(node - 1, max(0, node - 6), -1))
    return label_of_date(own) or label_of_date(next((text[-_LABEL:] for text in before if text.strip()), ""))


def _candidate(date: FoundDate, features: tuple[str, ...], node: int = -1) -> FieldCandidate:
    return FieldCandidate(date, date.moment.date().isoformat(), features, node)
