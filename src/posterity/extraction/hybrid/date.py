"""The date of publication on a page without rules: features of the candidates, and the choice among them."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, datetime, timedelta
from functools import cache
from typing import TYPE_CHECKING, Any

from posterity.dom.tree import TEXT
from posterity.extraction.fields import FoundFields, aware
from posterity.extraction.hybrid.choice import (
    NONE,
    FieldCandidate,
    ScoredValue,
    best_value,
    kind_features,
    provenance_of,
    scored_values,
)
from posterity.extraction.hybrid.date_candidates import (
    IN_SENTENCE,
    SHOWN,
    any_days,
    declared_days,
    labelled_days_on,
    likely_readings,
    marked_days,
    month_in_url,
)
from posterity.extraction.hybrid.model import learned_weights
from posterity.extraction.hybrid.zones import (
    NEAR_TITLE,
    NEXT_TO_TITLE,
    NOT_OF_ARTICLE,
    TitleSurroundings,
    place_features,
    zone_in,
)
from posterity.model import Provenance
from posterity.text.dates import DayOrder, FoundDate, read_dates

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from posterity.dom import Tree
    from posterity.extraction.hybrid.page_facts import PageFacts


def relations(page: PageFacts, title: int, candidates: Sequence[FieldCandidate]) -> Mapping[str, set[str]]:
    """Return for the days that readers see the features of how they relate to each other, by the key of the day."""
    features: defaultdict[str, set[str]] = defaultdict(set)
    shown = [(each, zone_in(each.features[0])) for each in candidates if each.node >= 0]
    alone = [(each, zone) for each, zone in shown if IN_SENTENCE not in each.features]
    start = title if title >= 0 else page.article.node
    # In a thread the comments are what the page is about.
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
    """Return the feature of a day that is not the one which the page declares."""
    days = (date.fromisoformat(day) - date.fromisoformat(declared)).days
    if abs(days) == 1:
        return "day after declared" if days > 0 else "day before declared"
    return "after declared" if days > 0 else "before declared"


def _in_order(shown: Sequence[FieldCandidate], start: int) -> Iterator[tuple[str, str]]:
    """Which day is shown first on the page, which first behind its title, and which last before it."""
    behind = [each for each in shown if each.node >= start]
    before = [each for each in shown if each.node < start]
    if shown:
        yield min(shown, key=_place).key, "first shown"
    if behind:
        first = min(behind, key=_place)
        distance = first.node - start
        yield first.key, "first behind title"
        yield (
            first.key,
            f"first behind title: {'next' if distance < NEXT_TO_TITLE else 'near' if distance < NEAR_TITLE else 'far'}",
        )
    if before:
        yield max(before, key=_place).key, "last before title"


def _alike(tree: Tree, shown: Sequence[tuple[FieldCandidate, str]]) -> Iterator[tuple[str, str]]:
    """Which days stand in elements such as other days have too."""
    kinds = [_kind(tree, each.node) for each, _ in shown]
    days: defaultdict[tuple[str, ...], set[str]] = defaultdict(set)
    for (each, _), kind in zip(shown, kinds, strict=True):
        days[kind].add(each.key)
    for (each, zone), kind in zip(shown, kinds, strict=True):
        feature = "alone of its kind" if len(days[kind]) == 1 else "one of its kind"
        yield each.key, f"{feature} elsewhere" if zone in NOT_OF_ARTICLE else feature


def _kind(tree: Tree, node: int) -> tuple[str, ...]:
    """The element that shows a day, by its name and class and the class of what it stands in."""
    element = tree.parent[node] if tree.tag[node] == TEXT else node
    return tree.tag[element], *(tree.attrs[each].get("class") or "" for each in (element, tree.parent[element]))


def _place(candidate: FieldCandidate) -> int:
    return candidate.node


_DECLARED = frozenset({"meta published", "ld article published", "ld page published"})
# Where one of these gives the day, the rest of the page is not searched for others.
SURE = _DECLARED | {"address"}
# What is declared as the day of the last change.
MODIFIED = frozenset({"meta modified", "ld article modified", "ld page modified"})
_CHANGED = MODIFIED | {"says modified"}
_INDEPENDENT = SURE | {"time", "text"}
# hAtom has one element for both: <time class="entry-date updated">.
_NAMED_AS_FIRST = frozenset({"is published", "is entry-date"})
# Groups of sources of a day.
_SOURCE_GROUPS = {
    "address": "address",
    "ld article created": "ld",
    "ld article published": "ld",
    "ld page published": "ld",
    "meta date": "meta",
    "meta published": "meta",
    "meta some": "meta",
    "pubdate": "time",
    "time": "time",
}
_DECLARING = frozenset(feature for feature, group in _SOURCE_GROUPS.items() if group != "time")
# What these are worth depends on whether the page declares a day of publication at all.
_BY_DECLARATION = frozenset(
    {
        *("meta modified", "ld article modified", "time first", "is published", "text", "first day", "last day"),
        *("says modified", "says published"),
    }
)
# A thread is as old as its first message.
_IN_THREADS = frozenset({"first day", "last day", "first shown", "first behind title"})
_MANY_DAYS = 4


def scored_days(
    values: Sequence[ScoredValue], page: PageFacts, related: Mapping[str, AbstractSet[str]]
) -> list[ScoredValue]:
    """Return the values of a page with all of their features; `related` are those of the days that readers see."""
    month = month_in_url(page.url)
    of_page = frozenset(kind_features(page))
    days = sorted(value.key for value in values)
    declared = [value.key for value in values if value.features & _DECLARED]
    own = [_own_features(value) | related.get(value.key, set()) for value in values]
    groups = [_sources(features) for features in own]
    counts = sorted(map(len, groups))
    signed = []
    for value, features, group in zip(values, own, groups, strict=True):
        features |= {*_compared(value.key, days, month), f"told by {' '.join(sorted(group)) or 'nobody'}"}
        features |= {*_agreement(features), *_by_declaration(features, value.key, declared)}
        if len(group) == counts[-1] and counts[-2:-1] != counts[-1:]:
            features.add("told by most")
        if page.is_thread:
            features |= {f"thread: {feature}" for feature in features & _IN_THREADS}
        signed.append(ScoredValue(value.key, value.candidates, of_page | features))
    return signed


def _own_features(value: ScoredValue) -> set[str]:
    return {feature for feature in value.features if ", " not in feature} | set(place_features(value.features, SHOWN))


def _sources(features: AbstractSet[str]) -> set[str]:
    """The groups of sources that give the day, each once."""
    groups = {_SOURCE_GROUPS[feature] for feature in features & _SOURCE_GROUPS.keys()}
    return groups | {"text"} if _is_shown(features) or "first behind title" in features else groups


def _is_shown(features: AbstractSet[str]) -> bool:
    """Whether readers see the day near the title."""
    return any(feature.startswith("at ") and "title" in feature for feature in features)


def _agreement(features: AbstractSet[str]) -> Iterator[str]:
    """Whether the page declares the day, shows it near its title, and calls it the day of a change."""
    count = len(features & SURE)
    shown = "shown" if _is_shown(features) else "not shown"
    is_changed = features & _CHANGED or ("is updated" in features and not features & _NAMED_AS_FIRST)
    changed = "changed" if is_changed else "unchanged"
    yield f"{min(count, 2)} declared and {shown}"
    yield f"{min(count, 1)} declared and {changed}"
    yield f"{shown} and {changed}"
    if len(features & _INDEPENDENT) > 1:
        yield "told twice"


def _by_declaration(features: AbstractSet[str], day: str, declared: Sequence[str]) -> Iterator[str]:
    """What the features are worth where the page declares no day of publication, one, or several."""
    declaration = "declared" if declared else "undeclared"
    yield from (f"{declaration}: {feature}" for feature in features & _BY_DECLARATION)
    yield from (f"{feature} of {min(len(declared), 2)}" for feature in features & _DECLARING)
    if declared and day not in declared:
        yield against_declared(day, declared[0])


def _compared(day: str, days: Sequence[str], month: str | None) -> Iterator[str]:
    """How the day compares with the others on the page, and with the month in its URL."""
    if len(days) == 1:
        yield "only day"
    elif day == days[0]:
        yield "first day"
    elif day == days[-1]:
        yield "last day"
    if len(days) > _MANY_DAYS:
        yield "one of many days"
    if month is not None:
        yield "fits address" if day.startswith(month) else "against address"


# In logits: a doubtful day with its low confidence is more use than none; some of them are right.
EAGERNESS = 3.0
# In logits: nearly every page of a known blog has a date, so "none" is that much less likely there.
_RARE_ON_BLOGS = 6.0
_MAX_LABEL = 60  # characters; a sentence is about something else
_MAX_WORDS = 2  # beside a date: "Posted yesterday by"
_AGO_CONFIDENCE = 0.6  # it may be the day of a comment, or of the last change


def date_on(
    page: PageFacts,
    around: TitleSurroundings,
    fetched_at: datetime | None = None,
    order: DayOrder | None = None,
    *,
    of_blog: bool = False,
    explain: bool = False,
) -> FoundFields | None:
    """Return the day or moment of publication, or None when the page has none.

    The day of the last change comes along when the page declares a later one. `order` is how the blog writes day and
    month.
    """
    values = date_values(page, around, fetched_at, order)
    weights = _weights_on_blogs() if of_blog else learned_weights("date")
    choice = best_value(values, weights, EAGERNESS)
    if choice is None:
        return _so_long_ago(page, around, fetched_at)
    date = _most_exact([candidate.value for candidate in choice.value.candidates])
    fields: dict[str, Any] = {"published": aware(date, None), "published_precision": date.precision}
    changed = [each for value in values if value.key > choice.value.key for each in _changes(value)]
    if changed:
        fields["modified"] = aware(_most_exact(changed), None)
    return FoundFields(fields, provenance_of(choice, page, explain=weights if explain else None))


def date_values(
    page: PageFacts, around: TitleSurroundings, fetched_at: datetime | None = None, order: DayOrder | None = None
) -> list[ScoredValue]:
    """Return every day that may be the day of publication, with the features for it."""
    candidates = [*declared_days(page), *marked_days(page, around.title), *labelled_days_on(page, around)]
    if not any(feature in SURE for candidate in candidates for feature in candidate.features):
        candidates += any_days(page, around.title)
    if fetched_at is not None:
        latest = (fetched_at + timedelta(days=1)).date().isoformat()
        candidates = [candidate for candidate in candidates if candidate.key <= latest]
    candidates = likely_readings(candidates, page, order)
    related = relations(page, around.title, candidates)
    return scored_days(scored_values(candidates), page, related)


def _so_long_ago(page: PageFacts, around: TitleSurroundings, fetched_at: datetime | None) -> FoundFields | None:
    """The day that a label near the title counts from now, "3 days ago", where the page names none."""
    if fetched_at is None:
        return None
    labels = (text for _, text in around.near_title if len(text) <= _MAX_LABEL)
    languages = (page.language or "en",)
    dates = ((text, date) for text in labels for date in read_dates(text, languages=languages, now=fetched_at))
    date = next((date for text, date in dates if _is_all_of(text, date)), None)
    if date is None:
        return None
    fields = {"published": aware(date, None), "published_precision": date.precision}
    return FoundFields(fields, Provenance(method="page", rule="so long ago, next to title", confidence=_AGO_CONFIDENCE))


def _is_all_of(text: str, date: FoundDate) -> bool:
    """Tell whether the text is hardly more than the date. "Today" alone begins many titles; "3 days ago" does not."""
    declaration, rest = text[date.start : date.end], text[: date.start] + text[date.end :]
    return any(char.isdecimal() for char in declaration) or len(rest.split()) <= _MAX_WORDS


@cache
def _weights_on_blogs() -> Mapping[str, float]:
    """The weights for pages of a known blog."""
    weights = learned_weights("date")
    return {**weights, NONE: weights[NONE] - _RARE_ON_BLOGS}


def _changes(value: ScoredValue) -> list[FoundDate]:
    return [candidate.value for candidate in value.candidates if MODIFIED.intersection(candidate.features)]


def _most_exact(dates: Sequence[FoundDate]) -> FoundDate:
    """The moment with its zone, else the moment, else the day."""
    return max(dates, key=lambda date: (date.precision == "minute") + (date.moment.tzinfo is not None))
