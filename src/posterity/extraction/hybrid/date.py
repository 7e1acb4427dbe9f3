"""The date of publication on a page without rules: candidates, their features, and the choice among them.

A candidate is a day on the page that may be the day of publication, with its sources and its position.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from datetime import date, datetime, timedelta
from functools import cache
from itertools import islice
from operator import attrgetter
from typing import Any

import msgspec

from posterity.dom import Tree
from posterity.dom.document import types_of
from posterity.dom.tree import TEXT
from posterity.extraction.hybrid import candidates as scoring
from posterity.extraction.hybrid.candidates import (
    FieldCandidate,
    PageFacts,
    ScoredValue,
    TitleSurroundings,
    kind_of_meta,
    label_of_date,
)
from posterity.extraction.hybrid.model import learned_weights
from posterity.extraction.record import FoundFields, aware, date_in_url, on_day
from posterity.model import Provenance
from posterity.text.dates import DayOrder, FoundDate, read_dates
from posterity.text.dates.formats import EARLIEST_YEAR, FIRST_YEAR, Order
from posterity.text.dates.reading import SHORTEST, dates_in, has_one_reading, may_date
from posterity.text.normal_form import one_line

# The feature of a reading that is unusual in the page's language.
LATER_READING = "later reading"
_MONTH_IN_PATH = re.compile(r"/((?:19|20)\d\d)/(0?[1-9]|1[0-2])(?:/|$)")


def likely_readings(
    candidates: list[FieldCandidate], page: PageFacts, order: DayOrder | None = None
) -> list[FieldCandidate]:
    """Return the candidates without readings that the page rules out, with times moved to the day that it shows.

    `order` is the order of day and month on the other pages of the blog.
    """
    candidates = _with_day_and_month(candidates, page, order)
    return _utc_on_shown_day(_on_day_of_url(candidates), page.tree)


def month_in_url(url: str) -> str | None:
    """Return the month in the URL as 2021-03, or None."""
    month = _MONTH_IN_PATH.search(url)
    return f"{month[1]}-{int(month[2]):02}" if month else None


def _with_day_and_month(
    candidates: list[FieldCandidate], page: PageFacts, order: DayOrder | None
) -> list[FieldCandidate]:
    """Return the candidates with only the likely readings of dates whose day and month could be swapped.

    A declared day decides, else the month in the URL, else other numeric dates on the page, else those of other pages.
    If nothing decides, both readings are kept for English, and the usual one for other languages.
    """
    month = month_in_url(page.url)
    declared = {each.key for each in candidates if each.node < 0}
    candidates = _readings(
        candidates, lambda each: each.key in declared or _exchange_day_and_month(each.key) not in declared
    )
    if month and any(each.value.ambiguous and each.key.startswith(month) for each in candidates):
        return _readings(candidates, lambda each: each.key.startswith(month))
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


def _exchange_day_and_month(day: str) -> str:
    year, month, day_of_month = day.split("-")
    return f"{year}-{day_of_month}-{month}"


def _on_day_of_url(candidates: list[FieldCandidate]) -> list[FieldCandidate]:
    """Move times on a day next to that of the URL to a zone in which they fall on the URL's day."""
    day_of_url = next((each.value.moment.date() for each in candidates if "URL" in each.features), None)
    return [each if day_of_url is None else _moved_to(each, day_of_url) for each in candidates]


def _utc_on_shown_day(candidates: list[FieldCandidate], tree: Tree) -> list[FieldCandidate]:
    """Move times in UTC to a zone in which they fall on the neighbouring day, if the page shows that day instead."""
    shown = [each for each in candidates if each.node >= 0 and not _is_in_utc(each) and _may_be_published(each)]
    days = [_neighbour(each, shown, tree) if _is_in_utc(each) else None for each in candidates]
    return [_moved_to(each, day) if day else each for each, day in zip(candidates, days, strict=True)]


def _is_in_utc(candidate: FieldCandidate) -> bool:
    return bool(candidate.value.moment.utcoffset() == timedelta())


def _may_be_published(shown: FieldCandidate) -> bool:
    """Whether the day may be that of publication, not of a comment, a change or an event."""
    return scoring.zone_in(shown.features[0]) not in scoring.NOT_OF_ARTICLE and not _OTHER_DAYS & {*shown.features}


def _neighbour(candidate: FieldCandidate, shown: Sequence[FieldCandidate], tree: Tree) -> date | None:
    """Return the only neighbouring day shown if the day itself is not; for a <time>, shown inside the element."""
    end = tree.end[candidate.node] if candidate.node >= 0 else len(tree)
    days, day = {each.key for each in shown if candidate.node <= each.node < end}, candidate.value.moment.date()
    near = [each for each in (day - timedelta(days=1), day + timedelta(days=1)) if each.isoformat() in days]
    return near[0] if len(near) == 1 and candidate.key not in days else None


def _moved_to(candidate: FieldCandidate, day: date) -> FieldCandidate:
    moment = candidate.value.moment
    if moment.tzinfo is None or candidate.value.precision == "day" or abs((moment.date() - day).days) != 1:
        return candidate
    local = on_day(moment, day)
    value = msgspec.structs.replace(candidate.value, moment=local)
    return msgspec.structs.replace(candidate, value=value, key=local.date().isoformat())


# Sources of visible days, most reliable first.
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
_MAX_INDENTED = 300  # a short text including white space of the source
_MAX_START = 50  # a paragraph may start with the day: "12.11.2021. ..."
_LABEL = 40  # characters before a date that are searched for its label
_MAX_NODES = 30
_MAX_PLACES = 60
_MAX_DATES = 4
_WORD = re.compile(r"[^\W\d_]{3}")
_LONGEST_LABEL = 10  # groups of three letters; "Published on Tuesday, 12 March 2021 at noon" is shorter
_BEFORE_THE_WEB = re.compile(r"19[0-8]\d|昭和|大正|民[國国]")
_MAX_WORDS_OF_DATE = 4  # groups of three letters: "Published on March 12, 1985"
# The feature of a day that a sentence mentions.
IN_SENTENCE = "in a sentence"
_OTHER_DAYS = frozenset({IN_SENTENCE, "label modified"})


def declared_days(page: PageFacts) -> Iterator[FieldCandidate]:
    """Yield the days in <meta>, in JSON-LD and in the page's URL."""
    for name, contents in page.data.metas.items():
        kind = kind_of_meta(name)
        if kind:
            yield from _declared_candidates(contents[0], f"meta {kind}", page)
    yield from _declared_in_items(page)
    yield from _day_in_url(page)


def _declared_in_items(page: PageFacts) -> Iterator[FieldCandidate]:
    """Yield the days in JSON-LD; of several articles the first is the page's."""
    articles = 0
    for item in page.data.items:
        types = " ".join(types_of(item))
        about = "article" if _ARTICLE_TYPE.search(types) else "page" if "Page" in types else "other"
        if about == "article" and "datePublished" in item:
            articles += 1
            about = "article" if articles == 1 else "further"
        for key, kind in _ITEM_DATES.items():
            yield from _declared_candidates(item.get(key), f"ld {about} {kind}", page)


def _day_in_url(page: PageFacts) -> Iterator[FieldCandidate]:
    """Yield the day in the page's URL, also in the form /news/29-10-2021-slug."""
    if found := date_in_url(page.url):
        moment = found.fields["published"].replace(tzinfo=None)
        yield _candidate(FoundDate(moment, "day", "iso", False, 0, 0), ("URL",))
    elif shown_text := _DAY_FIRST.search(page.path):
        dates = dates_in(shown_text[0], page.language, EARLIEST_YEAR)[:1]
        yield from (_candidate(date, ("URL",)) for date in dates if not date.ambiguous)


def marked_days(page: PageFacts, title: int) -> Iterator[FieldCandidate]:
    """Yield the days in <time> and in elements named as a date."""
    tree = page.tree
    for place, node in enumerate(tree.nodes_by_tag.get("time", ())[:_MAX_PLACES]):
        attrs = tree.attrs[node]
        sources = ["time", *(["pubdate"] if "pubdate" in attrs else []), *([] if place else ["time first"])]
        shown_text = attrs.get("datetime") or one_line(tree.plain(node))
        yield from islice(_shown_candidates(page, node, title, shown_text, sources), 1)
    read = 0
    for node, patterns in page.date_nodes:
        text = _sources_of(page, node)
        if text and read < _MAX_PLACES:
            first = () if read else ("first marked",)
            yield from _shown_candidates(page, node, title, text, [f"is {pattern}" for pattern in patterns], first)
            read += 1


def labelled_days_on(page: PageFacts, around: TitleSurroundings) -> Iterator[FieldCandidate]:
    """Yield the days in texts near the title and at the article's end; in long texts only at their start."""
    for node, text in (*around.near_title, *around.near_end):
        if may_date(text):
            source, shown_text = ("text", text) if len(text) <= _MAX_TEXT else ("long text", text[:_MAX_START])
            yield from _shown_candidates(page, node, around.title, shown_text, [source])


def any_days(page: PageFacts, title: int) -> Iterator[FieldCandidate]:
    """Yield the days in all short texts of the page."""
    texts = page.tree.text
    for node in page.tree.runs:
        text = texts[node]
        if SHORTEST <= len(text) <= _MAX_INDENTED and may_date(text):
            text = one_line(text)
            if len(text) <= _MAX_TEXT:
                yield from _shown_candidates(page, node, title, text, ["any text"])


def _sources_of(page: PageFacts, node: int) -> str:
    """Return an element's attribute with a date, else its text; "" if that is long or has no date."""
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


def _declared_candidates(text: object, feature: str, page: PageFacts) -> Iterator[FieldCandidate]:
    if isinstance(text, str) and len(text) <= _MAX_TEXT:
        yield from (_candidate(date, (feature,)) for date in dates_in(text, page.language, EARLIEST_YEAR)[:1])


def _shown_candidates(
    page: PageFacts, node: int, title: int, shown_text: str, sources: Iterable[str], more: tuple[str, ...] = ()
) -> Iterator[FieldCandidate]:
    """Yield the days in a text or attribute of a node, with features of position and label."""
    since_year = EARLIEST_YEAR if _is_own_date(shown_text, sources) else FIRST_YEAR
    dates = dates_in(shown_text, page.language, since_year)[:_MAX_DATES] if len(shown_text) <= _MAX_TEXT else ()
    if not dates:
        return
    zone = scoring.zone_of(page, node, title)
    labels = (IN_SENTENCE,) if _is_sentence(page, node) else ()
    features = (*scoring.features_in_zone(sources, zone), *(() if zone in scoring.NOT_OF_ARTICLE else more), *labels)
    behind = 0
    for place, found in enumerate(dates):
        label = _label_feature(page, node, shown_text[behind : found.start]) if found.start >= behind else None
        doubts = (*(("ambiguous",) if found.ambiguous else ()), *((LATER_READING,) if place else ()))
        yield _candidate(found, (*features, *doubts, *((label,) if label else ())), node)
        behind = found.end


def _is_own_date(shown_text: str, sources: Iterable[str]) -> bool:
    """Return whether a date older than the web can be the post's, not one mentioned in the article."""
    if not _BEFORE_THE_WEB.search(shown_text) or "any text" in sources or "long text" in sources:
        return False
    return "text" not in sources or len(_WORD.findall(shown_text)) <= _MAX_WORDS_OF_DATE


def _is_sentence(page: PageFacts, node: int) -> bool:
    """Whether a text node is too long for a date with its label."""
    tree = page.tree
    return tree.tag[node] == TEXT and len(_WORD.findall(tree.text[node])) > _LONGEST_LABEL


def _label_feature(page: PageFacts, node: int, label: str) -> str | None:
    """Return the feature of the words before the date, else of the text before the node, or None."""
    if _WORD.search(label):
        return label_of_date(label[-_LABEL:])
    tree = page.tree
    own = one_line(tree.plain(node))[:_LABEL] if tree.tag[node] != TEXT else ""
    before = (tree.text[each] for each in range(node - 1, max(0, node - 6), -1))
    return label_of_date(own) or label_of_date(next((text[-_LABEL:] for text in before if text.strip()), ""))


def _candidate(date: FoundDate, features: tuple[str, ...], node: int = -1) -> FieldCandidate:
    return FieldCandidate(date, date.moment.date().isoformat(), features, node)


def relations(page: PageFacts, title: int, candidates: Sequence[FieldCandidate]) -> Mapping[str, set[str]]:
    """Return, by key, features of how the visible days relate to each other."""
    features: defaultdict[str, set[str]] = defaultdict(set)
    shown = [(each, scoring.zone_in(each.features[0])) for each in candidates if each.node >= 0]
    alone = [(each, zone) for each, zone in shown if IN_SENTENCE not in each.features]
    start = title if title >= 0 else page.article.node
    # In a thread the comments are the content.
    unordered = {"unseen"} if page.is_thread else {"unseen", "comments"}
    for key, feature in _in_order([each for each, zone in alone if zone not in unordered], start):
        features[key].add(feature)
    for key, feature in _alike(page.tree, alone):
        features[key].add(feature)
    first_comment = min((each.key for each, zone in shown if zone == "comments"), default=None)
    if first_comment is not None and not page.is_thread:
        for each in candidates:
            features[each.key].add("before comments" if each.key <= first_comment else "after first comment")
    return features


def against_declared(day: str, declared: str) -> str:
    """Return the feature of a day that differs from the declared one."""
    days = (date.fromisoformat(day) - date.fromisoformat(declared)).days
    if abs(days) == 1:
        return "day after declared" if days > 0 else "day before declared"
    return "after declared" if days > 0 else "before declared"


def _in_order(shown: Sequence[FieldCandidate], start: int) -> Iterator[tuple[str, str]]:
    """Yield the first day on the page, the first after the title, and the last before it, with features."""
    behind = [each for each in shown if each.node >= start]
    before = [each for each in shown if each.node < start]
    if shown:
        yield min(shown, key=attrgetter("node")).key, "first shown"
    if behind:
        first = min(behind, key=attrgetter("node"))
        distance = first.node - start
        yield first.key, "first behind title"
        place = "near" if distance < scoring.NEAR_TITLE else "far"
        place = "next" if distance < scoring.NEXT_TO_TITLE else place
        yield first.key, f"first behind title: {place}"
    if before:
        yield max(before, key=attrgetter("node")).key, "last before title"


def _alike(tree: Tree, shown: Sequence[tuple[FieldCandidate, str]]) -> Iterator[tuple[str, str]]:
    """Yield for each day whether other days are in similar elements."""
    kinds = [_kind(tree, each.node) for each, _ in shown]
    days: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for (each, _), kind in zip(shown, kinds, strict=True):
        days[kind].add(each.key)
    for (each, zone), kind in zip(shown, kinds, strict=True):
        feature = "alone of its kind" if len(days[kind]) == 1 else "one of its kind"
        yield each.key, f"{feature} elsewhere" if zone in scoring.NOT_OF_ARTICLE else feature


def _kind(tree: Tree, node: int) -> tuple[str, ...]:
    """Return the tag and class of a day's element and the class of its parent."""
    element = tree.parent[node] if tree.tag[node] == TEXT else node
    return tree.tag[element], *(tree.attrs[each].get("class") or "" for each in (element, tree.parent[element]))


_DECLARED = frozenset({"meta published", "ld article published", "ld page published"})
# With one of these sources, the rest of the page is not searched for dates.
SURE = _DECLARED | {"URL"}
# Sources of the declared day of the last change.
MODIFIED = frozenset({"meta modified", "ld article modified", "ld page modified"})
_CHANGED = MODIFIED | {"label modified"}
_AT_TITLE, _NEVER = {"at before title", "at next to title", "at near title"}, "9999"
_BESIDE_ARTICLE = ("before title", "next to title", "near title", "end of article", "end of article aside")
_INDEPENDENT = SURE | {"time", "text"}
# hAtom uses one element for both: <time class="entry-date updated">.
_NAMED_AS_FIRST = frozenset({"is published", "is entry-date"})
# Groups of sources of a day.
_SOURCE_GROUPS = {
    "URL": "URL",
    **dict.fromkeys(("ld article created", "ld article published", "ld page published"), "ld"),
    **dict.fromkeys(("meta date", "meta published", "meta some"), "meta"),
    **dict.fromkeys(("pubdate", "time"), "time"),
}
_DECLARING = frozenset(feature for feature, group in _SOURCE_GROUPS.items() if group != "time")
# Features whose weight depends on whether the page declares a day of publication.
_BY_DECLARATION = frozenset(
    {
        *("meta modified", "ld article modified", "time first", "is published", "text", "first day", "last day"),
        *("label modified", "label published"),
    }
)
# The date of a thread is that of its first message.
_IN_THREADS = frozenset({"first day", "last day", "first shown", "first behind title"})
_MANY_DAYS = 4


def scored_days(
    values: Sequence[ScoredValue], page: PageFacts, related: Mapping[str, AbstractSet[str]]
) -> list[ScoredValue]:
    """Return the values with all of their features; `related` are features of visible days, by key."""
    month = month_in_url(page.url)
    of_page = frozenset(scoring.kind_features(page))
    days = sorted(value.key for value in values)
    declared = [value.key for value in values if value.features & _DECLARED]
    own = [
        {feature for feature in value.features if ", " not in feature}
        | {*scoring.place_features(value.features, SHOWN), *related.get(value.key, ())}
        for value in values
    ]
    groups = [_sources(features) for features in own]
    counts = sorted(map(len, groups))
    signed = []
    for value, features, group in zip(values, own, groups, strict=True):
        features |= {*_comparison_features(value.key, days, month), f"given by {' '.join(sorted(group)) or 'nobody'}"}
        features |= {*_agreement(features), *_by_declaration(features, value.key, declared)}
        if len(group) == counts[-1] and counts[-2:-1] != counts[-1:]:
            features.add("given by most")
        if page.is_thread:
            features |= {f"thread: {feature}" for feature in features & _IN_THREADS}
        signed.append(ScoredValue(value.key, value.candidates, of_page | features))
    return signed


def _sources(features: AbstractSet[str]) -> set[str]:
    """Return the groups of sources that give the day."""
    groups = {_SOURCE_GROUPS[feature] for feature in features & _SOURCE_GROUPS.keys()}
    return groups | {"text"} if _is_shown(features) or "first behind title" in features else groups


def _is_shown(features: AbstractSet[str]) -> bool:
    """Whether the day is visible near the title."""
    return any(feature.startswith("at ") and "title" in feature for feature in features)


def _agreement(features: AbstractSet[str]) -> Iterator[str]:
    """Yield features of whether the day is declared, shown near the title, and marked as that of a change."""
    count = len(features & SURE)
    shown = "shown" if _is_shown(features) else "not shown"
    is_changed = features & _CHANGED or ("is updated" in features and not features & _NAMED_AS_FIRST)
    changed = "changed" if is_changed else "unchanged"
    yield f"{min(count, 2)} declared and {shown}"
    yield f"{min(count, 1)} declared and {changed}"
    yield f"{shown} and {changed}"
    if len(features & _INDEPENDENT) > 1:
        yield "given twice"


def _by_declaration(features: AbstractSet[str], day: str, declared: Sequence[str]) -> Iterator[str]:
    """Yield features combined with the number of declared days of publication."""
    declaration = "declared" if declared else "undeclared"
    yield from (f"{declaration}: {feature}" for feature in features & _BY_DECLARATION)
    yield from (f"{feature} of {min(len(declared), 2)}" for feature in features & _DECLARING)
    if declared and day not in declared:
        yield against_declared(day, declared[0])


def _comparison_features(day: str, days: Sequence[str], month: str | None) -> Iterator[str]:
    """Yield features of how the day compares with the others on the page and with the month in the URL."""
    if len(days) == 1:
        yield "only day"
    elif day == days[0]:
        yield "first day"
    elif day == days[-1]:
        yield "last day"
    if len(days) > _MANY_DAYS:
        yield "one of many days"
    if month is not None:
        yield "fits URL" if day.startswith(month) else "against URL"


# In logits: a doubtful day with a low confidence is more useful than none.
NONE_MARGIN = 3.0
# In logits: nearly every page of a known blog has a date, so "none" is less likely by this much.
_RARE_ON_BLOGS = 6.0
_MAX_LABEL = 60  # characters; longer text is a sentence
_MAX_WORDS = 2  # beside a date: "Posted yesterday by"
_AGO_CONFIDENCE = 0.6  # it may be the day of a comment or of the last change
_COARSE_CONFIDENCE = 0.4  # and "3 years ago" may mean any of several hundred days


def date_on(
    page: PageFacts,
    around: TitleSurroundings,
    fetched_at: datetime | None = None,
    order: DayOrder | None = None,
    *,
    of_blog: bool = False,
    explain: bool = False,
) -> FoundFields | None:
    """Return the day or time of publication, or None if the page has none.

    Includes the last change if the page declares one that is later. `order` is the blog's order of day and month.
    """
    values = date_values(page, around, fetched_at, order)
    weights = _weights_on_blogs() if of_blog else learned_weights("date")
    # Comments are later than their post, so a day found only there is not the post's.
    own = values if page.is_thread else [value for value in values if not _is_of_comments(value)]
    own = _without_changes(own)
    choice = scoring.best_value(own, weights, NONE_MARGIN)
    if choice is None:
        return _so_long_ago(page, around, fetched_at)
    found = choice.value.candidates
    # Comments of the same day have a time that is not the post's.
    date = _most_exact([each.value for each in found if page.is_thread or not _is_in_comments(each)])
    fields: dict[str, Any] = {"published": aware(date, None), "published_precision": date.precision}
    changed = [each for value in values if value.key > choice.value.key for each in _changes(value)]
    if changed:
        fields["modified"] = aware(_most_exact(changed), None)
    return FoundFields(fields, scoring.provenance_of(choice, page, explain=weights if explain else None))


def _without_changes(values: list[ScoredValue]) -> list[ScoredValue]:
    """Return the values without later days marked as changes, if a day of publication is declared.

    A label of another day, as in the footers of wikis, does not outweigh the title above a change.
    """
    changes = [value.key for value in values if value.features & _CHANGED and not value.features & _DECLARED]
    declared = min((value.key for value in values if value.features & _DECLARED), default=_NEVER)
    labelled = (value.key for value in values if "label published" in value.features and value.key not in changes)
    posted = min(labelled, default=_NEVER)
    return [
        value
        for value in values
        if value.key not in changes or value.key <= (declared if _AT_TITLE & value.features else min(declared, posted))
    ]


def _is_of_comments(value: ScoredValue) -> bool:
    """Return whether the day is only found in comments."""
    return all(map(_is_in_comments, value.candidates))


def _is_in_comments(date: FieldCandidate) -> bool:
    return date.node >= 0 and scoring.zone_in(date.features[0]) == "comments"


def date_values(
    page: PageFacts, around: TitleSurroundings, fetched_at: datetime | None = None, order: DayOrder | None = None
) -> list[ScoredValue]:
    """Return every day that may be the day of publication, with its features."""
    candidates = [*declared_days(page), *marked_days(page, around.title), *labelled_days_on(page, around)]
    if not any(feature in SURE for candidate in candidates for feature in candidate.features):
        candidates += any_days(page, around.title)
    if fetched_at is not None:
        latest = (fetched_at + timedelta(days=1)).date().isoformat()
        candidates = [candidate for candidate in candidates if candidate.key <= latest]
    candidates = likely_readings(_without_commits(candidates, page), page, order)
    related = relations(page, around.title, candidates)
    return scored_days(scoring.scored_values(candidates), page, related)


def _without_commits(candidates: list[FieldCandidate], page: PageFacts) -> list[FieldCandidate]:
    """Remove days of Git commits of the page's source, if the page has a <time>."""
    tree = page.tree
    of_repository = [node for names, nodes in tree.named.classes.items() if "git-" in names for node in nodes]
    if not of_repository or not any(feature.startswith("time, ") for each in candidates for feature in each.features):
        return candidates
    commits = [range(node, tree.end[node]) for node in of_repository]
    return [each for each in candidates if not any(each.node in span for span in commits)]


def _so_long_ago(page: PageFacts, around: TitleSurroundings, fetched_at: datetime | None) -> FoundFields | None:
    """Return the date of a relative label near the title, such as "3 days ago", or None."""
    if fetched_at is None:
        return None
    labels = (text for _, text in around.near_title if len(text) <= _MAX_LABEL)
    languages = (page.language or "en",)
    dates = ((text, date) for text in labels for date in _read_ago(text, languages, fetched_at))
    date = next((date for text, date in dates if _is_all_of(text, date)), None)
    if date is None:
        return None
    fields = {"published": aware(date, None), "published_precision": date.precision}
    confidence = _AGO_CONFIDENCE if date.precision in ("minute", "day") else _COARSE_CONFIDENCE
    return FoundFields(fields, Provenance(method="page", rule="so long ago, next to title", confidence=confidence))


def _read_ago(text: str, languages: tuple[str, ...], now: datetime) -> tuple[FoundDate, ...]:
    return read_dates(text, languages=languages, now=now, coarse=True)


def _is_all_of(text: str, date: FoundDate) -> bool:
    """Return whether the text is hardly more than the date, or the date has a digit: titles may start with "Today"."""
    declaration, rest = text[date.start : date.end], text[: date.start] + text[date.end :]
    return any(char.isdecimal() for char in declaration) or len(rest.split()) <= _MAX_WORDS


@cache
def _weights_on_blogs() -> Mapping[str, float]:
    weights = learned_weights("date")
    return {**weights, scoring.NONE: weights[scoring.NONE] - _RARE_ON_BLOGS}


def _changes(value: ScoredValue) -> list[FoundDate]:
    """Return the readings of a day that the page declares as that of a change, or shows as such beside the article."""
    changes = (each for each in value.candidates if _CHANGED.intersection(each.features))
    return [each.value for each in changes if each.node < 0 or scoring.zone_in(each.features[0]) in _BESIDE_ARTICLE]


def _most_exact(dates: Sequence[FoundDate]) -> FoundDate:
    """Return the most precise date: a time with zone, else a time, else a day."""
    return max(dates, key=lambda date: (date.precision == "minute") + (date.moment.tzinfo is not None))
