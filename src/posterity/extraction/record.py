"""Fields of a post record: the article from the node that a method selected, the others by rules or declarations.

Open Graph, microdata, microformats and JSON-LD are mostly correct, but some contain the date of an edit or the name of
the blog. Declared values therefore have a lower confidence than those of rules.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from datetime import UTC, date, datetime, time, timedelta, timezone
from itertools import accumulate, pairwise
from typing import Any, cast
from urllib.parse import urlsplit

import msgspec

from posterity.dom import Document, Tree, plain_text, text_of
from posterity.dom.document import authors_of, declared_person_names, declared_summary, declared_url, json_ld
from posterity.dom.elements import ArticleElements, article_elements
from posterity.dom.markdown import markdown_of_steps
from posterity.dom.media import Embed, absolute, image_url, links_of
from posterity.dom.terms import declared_tags, item_keywords, leads_to_term, own_keywords, term_in, terms_near
from posterity.dom.tree import TEXT, first_match, matches
from posterity.extraction import bylines
from posterity.extraction.method import Context
from posterity.learning.rule_set import entry_about
from posterity.model import FeedEntry, FieldRule, Media, Post, Provenance, Rule, RuleSet
from posterity.model.post import MediaKind
from posterity.text.dates import FoundDate, read_dates
from posterity.text.dates.formats import EARLIEST_YEAR
from posterity.text.dates.reading import dates_in, may_date
from posterity.text.language import contradicting_language, detect_language
from posterity.text.normal_form import is_account_name, is_language_doubtful, letters_and_digits, one_line
from posterity.urls import canonical_url, post_id
from posterity.urls.kinds import day_in_url, is_front, month_in_url

# Some blogs have the same description on every page, others the beginning of the article.
_DESCRIPTION = Provenance(method="declared", rule="meta description", confidence=0.7)


def article_fields(
    tree: Tree, base_url: str, node: int = 0, skip: frozenset[int] = frozenset(), captions: frozenset[int] = frozenset()
) -> dict[str, Any]:
    """Return the fields of `Post` derived from the article's subtree without the subtrees of `skip`.

    `captions` are text nodes that are left out only of the plain text.
    """
    elements = article_elements(tree, base_url, node, skip)
    walked = plain_text.steps(tree, node, skip, elements)
    read = [step for step in walked if step not in captions] if captions else walked
    return {
        "text": plain_text.text_of_steps(tree, read, elements),
        "html": plain_text.html_of_steps(tree, walked, base_url, elements),
        "markdown": markdown_of_steps(tree, walked, base_url, elements),
        "media": _media_of_steps(tree, walked, base_url, elements),
        "links": links_of(tree, base_url, node, skip),
    }


def media_of(tree: Tree, base_url: str, node: int = 0, skip: frozenset[int] = frozenset()) -> tuple[Media, ...]:
    """Return the images, audio, videos and embeds in the subtree, each URL once, in document order."""
    elements = article_elements(tree, base_url, node, skip)
    return _media_of_steps(tree, plain_text.steps(tree, node, skip, elements), base_url, elements)


def _media_of_steps(tree: Tree, walked: Sequence[int], base_url: str, elements: ArticleElements) -> tuple[Media, ...]:
    found: dict[str, Media] = {}
    tags = tree.tag
    for step in walked:
        if step < 0 or tags[step] is TEXT:
            continue
        if tags[step] == "img" and step not in elements.leaves:
            attrs, url = tree.attrs[step], image_url(tree, step, base_url)
            if url and url not in found:
                alt, title = (one_line(attrs.get(name) or "") or None for name in ("alt", "title"))
                found[url] = Media(url=url, alt=alt, title=title)
        elif isinstance(embed := elements.leaves.get(step) or elements.cards.get(step), Embed):
            found.setdefault(embed.url, _media_of_embed(embed))
            if embed.tag and embed.poster:  # a media file with its poster image
                found.setdefault(embed.poster, Media(url=embed.poster))
    return tuple(found.values())


def _media_of_embed(embed: Embed) -> Media:
    kind = cast("MediaKind", embed.kind)
    return Media(url=embed.url, kind=kind, provider=embed.provider, title=embed.title, poster=embed.poster)


_SURE_LANGUAGE = 200  # characters; shorter texts are often taken for another language


def post_from(document: Document, fields: dict[str, Any], provenance: dict[str, Provenance]) -> Post:
    """Return the record of a page: URL, id, declared language and summary, and the given fields."""
    url = canonical_url(document.url)
    canonical = declared_url(document) or url
    language = document.language
    declared: dict[str, Any] = {"language": language, "language_declared": language}
    text = fields.get("text", "")
    if language:
        found = contradicting_language(text, language) if is_language_doubtful(text, language) else None
    else:
        found = detect_language(text) if "language" not in fields and len(text) >= _SURE_LANGUAGE else None
    if found is not None:
        declared["language"] = found.language
        provenance = {**provenance, "language": Provenance(method="language-id", confidence=found.confidence)}
    if "summary" not in fields and (summary := declared_summary(document)):
        declared["summary"] = summary
        provenance = {**provenance, "summary": _DESCRIPTION}
    return Post(
        id=post_id(canonical), url=url, canonical_url=canonical, provenance=provenance, **{**declared, **fields}
    )


def visible_texts(tree: Tree, node: int = 0) -> list[int]:
    """Return the rendered text nodes in a subtree that contain more than white space."""
    tags, texts, unseen = tree.tag, tree.text, tree.unseen
    inside = range(node, tree.end[node])
    return [i for i in inside if tags[i] == TEXT and not unseen[i] and not texts[i].isspace() and texts[i]]


def fields_of_kept(tree: Tree, base_url: str, kept: Mapping[int, str]) -> dict[str, Any]:
    """Return the article's fields from the kept text nodes with their texts; no fields if there are none."""
    if not kept:
        return {}
    node = common_ancestor(tree, min(kept), max(kept))
    texts = tree.text.copy()
    for lost in range(node, tree.end[node]):
        if tree.tag[lost] == TEXT:
            texts[lost] = kept.get(lost, " ")  # a space keeps the words around it apart
    reading = with_forms_as_blocks(tree)
    reading.text = texts
    return article_fields(reading, base_url, node, emptied(tree, node, kept))


def fields_of_node(tree: Tree, base_url: str, node: int) -> dict[str, Any]:
    """Return the article's fields from a whole subtree."""
    return article_fields(with_forms_as_blocks(tree), base_url, node)


def common_ancestor(tree: Tree, first: int, last: int) -> int:
    """Return the nearest common ancestor of two nodes; `first` must not follow `last` in the document."""
    node = tree.parent[first]
    while tree.end[node] <= last:
        node = tree.parent[node]
    return node


def emptied(tree: Tree, node: int, kept: Mapping[int, str]) -> frozenset[int]:
    """Return the outermost descendants of a node that have visible text but none of the kept text."""
    had = [0] * len(tree)
    for index in visible_texts(tree, node):
        had[index] = 1
    had_before = list(accumulate(had, initial=0))
    kept_before = list(accumulate((index in kept for index in range(len(tree))), initial=0))
    lost: list[int] = []
    index, stop, ends = node + 1, tree.end[node], tree.end
    while index < stop:
        end = ends[index]
        if kept_before[end] == kept_before[index] and had_before[end] > had_before[index]:
            lost.append(index)
            index = end
        else:
            index += 1
    return frozenset(lost)


def with_forms_as_blocks(tree: Tree) -> Tree:
    """Return a shallow copy in which forms are ordinary blocks.

    Some platforms wrap the whole page in one <form>, which would be left out with the article.
    """
    reading = copy(tree)
    if "form" in tree.tag:
        reading.tag = ["div" if tag == "form" else tag for tag in tree.tag]
    return reading


_FIRST_ZONE, _LAST_ZONE = timedelta(hours=-12), timedelta(hours=14)
_MINUTE, _DAY = timedelta(minutes=1), timedelta(hours=24)
_MIDNIGHT = time()


class FoundFields(msgspec.Struct, frozen=True):
    """Fields of `Post`, with their provenance."""

    fields: dict[str, Any]
    provenance: Provenance


def by_rule(document: Document, rule: FieldRule) -> Provenance:
    """Return the provenance of a value found by a rule; its node is the rule's first match."""
    node = document.path_of(rule.rule)
    return Provenance(method="feed", rule=str(rule.rule), node=node, confidence=rule.confidence)


def aware(found: FoundDate, zone_minutes: int | None) -> datetime:
    """Return the date with its own zone, else the blog's, else UTC; a time in UTC is converted to the blog's zone."""
    if found.moment.tzinfo is not None:
        return in_zone(found.moment, zone_minutes)
    zone = timezone(timedelta(minutes=zone_minutes or 0)) if found.precision == "minute" else UTC
    return found.moment.replace(tzinfo=zone)


def in_zone(moment: datetime, zone_minutes: int | None) -> datetime:
    """Convert a time in UTC to the blog's zone; midnight (a day alone) and times in other zones are unchanged."""
    if moment.utcoffset() or not zone_minutes or moment.time() == _MIDNIGHT:
        return moment
    return moment.astimezone(timezone(timedelta(minutes=zone_minutes)))


def on_day(moment: datetime, day: date) -> datetime:
    """Return the same moment in the nearest zone in which it falls on `day`, or unchanged if there is none.

    Software gives the time in UTC; URLs and pages give the day in the author's time zone.
    """
    if moment.date() == day:
        return moment
    hours = range(1, 15) if day > moment.date() else range(-1, -13, -1)
    offset = moment.utcoffset() or timedelta()
    zones = (offset + timedelta(hours=hour) for hour in hours)
    there = (moment.astimezone(timezone(zone)) for zone in zones if _FIRST_ZONE <= zone <= _LAST_ZONE)
    return next((local for local in there if local.date() == day), moment)


# Most reliable first: (selector, attribute, confidence).
_DATES = (
    ('meta[property="article:published_time"]', "content", 0.8),
    ('meta[itemprop="datePublished"]', "content", 0.8),
    ('time[itemprop="datePublished"]', "datetime", 0.8),
    ("time.dt-published", "datetime", 0.8),
    ("time[pubdate]", "datetime", 0.75),
)
_JSON_LD_CONFIDENCE = 0.75
_URL_CONFIDENCE = 0.7
_LONE_TIME, _LONE_TIME_CONFIDENCE = "time[datetime]", 0.6
_FOLDER_CONFIDENCE = 0.5  # the month is correct, but the day is unknown
_MAX_NAME = 80
_MAX_TAGS = 20
_CLASS_CONFIDENCE = 0.6


def declared_date(document: Document) -> FoundFields | None:
    """Return the date that the page declares, else the day in its URL, else that of its only <time>, or None."""
    return next(_declared_dates(document), None) or date_in_url(document.url) or _lone_time(document)


def _declared_dates(document: Document) -> Iterator[FoundFields]:
    for selector, attribute, confidence in _DATES:
        for value in document.attributes(selector, attribute)[:1]:
            found = _read(value, selector, confidence)
            if found:
                yield _with_node(found, document.path_of(selector))
    for item in json_ld(document):
        given = item.get("datePublished")
        found = _read(given, "JSON-LD datePublished", _JSON_LD_CONFIDENCE) if isinstance(given, str) else None
        if found:
            yield found


def date_in_url(url: str) -> FoundFields | None:
    """Return the full date in the URL, or None."""
    found = day_in_url(url)
    if found is None:
        return None
    fields = {"published": found[0], "published_precision": "day"}
    return FoundFields(fields, Provenance(method="url", rule=found[1], confidence=_URL_CONFIDENCE))


def month_of_url(url: str, until: datetime) -> FoundFields | None:
    """Return the month or year in the URL's path, or None if there is none or it is after `until`."""
    found = month_in_url(url)
    if found is None or found[0] > until:
        return None
    fields = {"published": found[0], "published_precision": found[1]}
    return FoundFields(fields, Provenance(method="url", rule=found[2], confidence=_FOLDER_CONFIDENCE))


def declared_authors(document: Document) -> FoundFields | None:
    """Return the authors of the first JSON-LD article that has any, or None."""
    items = json_ld(document)
    for item in items:
        names_given = declared_person_names(authors_of(item), items)
        found = (name for name in names_given if len(name) <= _MAX_NAME and not is_account_name(name))
        names = tuple(dict.fromkeys(found))
        if names and "headline" in item:
            provenance = Provenance(method="declared", rule="JSON-LD author", confidence=_JSON_LD_CONFIDENCE)
            return FoundFields({"authors": names}, provenance)
    return None


_ARTICLE_TAGS = "article:tag"


def _declared_tags(
    document: Document, article: int, *, is_linked: bool
) -> Iterator[tuple[str, tuple[str, ...], float]]:
    """Yield the source, tags and confidence of declared tags; <meta> keywords only if no terms are linked."""
    yield _ARTICLE_TAGS, declared_tags(document), 0.9
    yield "JSON-LD keywords", item_keywords(document), _JSON_LD_CONFIDENCE
    if not is_linked:
        yield "meta keywords", own_keywords(document, article), 0.65


def tags_beside(document: Document, article: int, left_out: frozenset[int] = frozenset()) -> FoundFields | None:
    """Return the tags that the page declares, and the terms linked beside the article, mostly categories."""
    terms, rule, confidence = terms_near(document.tree, article, document.url, left_out)
    strong = terms if confidence > _CLASS_CONFIDENCE else ()
    for source, declared, sure in _declared_tags(document, article, is_linked=bool(strong)):
        if 0 < len(declared) <= _MAX_TAGS:
            known = set(map(letters_and_digits, declared))
            tags = declared + tuple(term for term in strong if letters_and_digits(term) not in known)
            return FoundFields({"tags": tags}, Provenance(method="declared", rule=source, confidence=sure))
    if terms:
        return FoundFields({"tags": terms}, Provenance(method="page", rule=rule, confidence=confidence))
    return None


def _lone_time(document: Document) -> FoundFields | None:
    """Return the date of the page's only <time datetime>; several may date other posts."""
    values = set(document.attributes("time[datetime]", "datetime"))
    found = _read(values.pop(), _LONE_TIME, _LONE_TIME_CONFIDENCE) if len(values) == 1 else None
    return _with_node(found, document.path_of(_LONE_TIME)) if found else None


def _with_node(found: FoundFields, node: str | None) -> FoundFields:
    return FoundFields(found.fields, msgspec.structs.replace(found.provenance, node=node))


def _read(value: str, rule: str, confidence: float) -> FoundFields | None:
    readings = read_dates(value, since_year=EARLIEST_YEAR)
    if not readings or readings[0].ambiguous:
        return None
    first = readings[0]
    fields = {"published": aware(first, None), "published_precision": first.precision}
    return FoundFields(fields, Provenance(method="declared", rule=rule, confidence=confidence))


# Text of the permalinks that documentation software puts after headings.
_ANCHORS = " ¶🔗"
_MAX_AUTHOR = 80
_MAX_AUTHORS = 3
_MAX_TEAM = 50
_MAX_RULE_TAGS = 100


def title_on(document: Document, rules: RuleSet) -> FoundFields | None:
    """Return the title by the first rule that finds one, or None."""
    for rule in rules.rules_for("title"):
        tree = document.first(rule.rule)
        title = bylines.heading_text(tree, 0).rstrip(_ANCHORS) if tree else ""
        if title:
            return FoundFields({"title": title}, by_rule(document, rule))
    return None


def authors_on(document: Document, rules: RuleSet) -> FoundFields | None:
    """Return the authors by rules, else the blog's only author, else the declared authors, or None."""
    for rule in rules.rules_for("authors"):
        found = document.all(rule.rule, _together(document, rule))
        if rule.rule.kind == "path":  # at the place of the author, some posts have a category
            found = [tree for tree in found if not leads_to_term(tree.attrs[0].get("href") or "")]
        texts = [_between(_value(tree, rule, bylines.declared_name(tree, 0)), rule) for tree in found]
        names = [name for text in texts for name in _people_in(text)]
        known = tuple(dict.fromkeys(name for name in names if name and len(name) <= _MAX_AUTHOR))
        if known:
            return FoundFields({"authors": known}, by_rule(document, rule))
    if "authors" in rules.absent:
        return None
    if rules.only_author:
        return FoundFields({"authors": (rules.only_author,)}, Provenance(method="feed-author", confidence=0.6))
    return declared_authors(document)


def _people_in(text: str) -> tuple[str, ...]:
    """Return all names in "Ada Lovelace and Charles Babbage", without a date after them; other text is one name.

    Pages of other themes than the evidence's may have a lead such as "Posted by"; "Von Braun" may be a name.
    """
    if " " not in text:
        return (text,)
    names = bylines.names_in(text)
    if not names and may_date(text) and (dates_in(text, "") or bylines.NOT_AUTHOR.search(text)):
        return ()
    several = len(names) > 1 and all(map(bylines.is_person, names))
    lead = text.partition(names[0])[0].strip() if names else ""
    is_led = bylines.opens_byline(text) and (" " in lead or lead.endswith((":", "：")))
    return names if names and (several or is_led or may_date(text)) else (text,)


def _together(document: Document, rule: FieldRule) -> int:
    """Return how many matches are authors: those that the evidence had, and those that follow in the same byline.

    Further matches are other people (commenters, recent posts).
    """
    known = max(1, rule.per_page) if rule.per_page <= _MAX_AUTHORS else 1
    if rule.rule.tag == "meta":  # the head names nobody else, but profiles of the same people
        names = [_value(tree, rule) for tree in document.all(rule.rule, _MAX_TEAM)]
        return len(names) if all(map(bylines.is_person, names)) else known
    if rule.rule.attribute or document.count(rule.rule) <= known:
        return known
    tree = document.tree
    nodes = matches(tree, rule.rule)[:_MAX_TEAM]
    for left, right in pairwise(nodes[known - 1 :]):
        is_joined = bylines.are_joined(tree, left, right) or bylines.are_of_one_team(tree, left, right)
        if right < tree.end[left] or not is_joined or not bylines.is_person(one_line(tree.plain(right))):
            break
        known += 1
    return known


def _between(text: str, rule: FieldRule) -> str:
    """Return the value without the words that surround it in the evidence."""
    if rule.before and rule.before in text:
        text = text.split(rule.before, 1)[1]
    if rule.after and rule.after in text:
        text = text.split(rule.after, 1)[0]
    return text.strip(" ,;:|·-–—*†‡§")


def date_on(document: Document, rules: RuleSet, fetched_at: datetime | None) -> FoundFields | None:
    """Return the date by rules, parsed in the blog's order and languages, else the declared date.

    A date whose day and month could be swapped is skipped if the evidence does not settle their order.
    """
    for rule in rules.rules_for("published"):
        tree = document.first(rule.rule)
        if tree is None:
            continue
        text, languages, order = _value(tree, rule), rules.languages, rules.date_order
        readings = read_dates(
            text, languages=languages, order=order, now=fetched_at, coarse=True, since_year=EARLIEST_YEAR
        )
        if not readings or (readings[0].ambiguous and rules.date_order is None):
            continue
        first = readings[0]
        fields = {"published": aware(first, rules.zone_minutes), "published_precision": first.precision}
        found = FoundFields(fields, by_rule(document, rule))
        return _with_time(found, document, rules.zone_minutes) if first.precision == "day" else found
    return declared_date(document)


def _with_time(found: FoundFields, document: Document, zone_minutes: int | None) -> FoundFields:
    """Return the declared moment that is on the day found, here or in another zone, else the day."""
    day = found.fields["published"].date()
    for declared in _declared_dates(document):
        local = on_day(in_zone(declared.fields["published"], zone_minutes), day)
        if local.date() == day and local.time() != _MIDNIGHT:
            return FoundFields(declared.fields | {"published": local}, found.provenance)
    return found


def tags_on(
    document: Document, rules: RuleSet, article: Rule, left_out: frozenset[int] = frozenset()
) -> FoundFields | None:
    """Return the terms by rules; without rules, those beside the article.

    `left_out` are nodes in the article's subtree, relative to it.
    """
    found = tags_by_rules(document, rules)
    if found is not None or "tags" in rules.absent or rules.rules_for("tags"):
        return found
    node = first_match(document.tree, article) or 0
    return tags_beside(document, node, frozenset(node + part for part in left_out))


def tags_by_rules(document: Document, rules: RuleSet) -> FoundFields | None:
    """Return the terms by the first rule that finds any, or None."""
    for rule in rules.rules_for("tags"):
        trees = document.all(rule.rule, _MAX_RULE_TAGS)
        terms = [tree for tree in trees if not _leads_home_or_here(document, tree)] or trees
        tags = tuple(dict.fromkeys(filter(None, (term_in(text_of(tree)) for tree in terms))))
        if tags:
            return FoundFields({"tags": tags}, by_rule(document, rule))
    return None


def _leads_home_or_here(document: Document, link: Tree) -> bool:
    """Return whether a link among the terms leads to the front page or this page: its permalink, its comments."""
    url = absolute(document.base_url, link.attrs[0].get("href")) if link.tag[0] == "a" else None
    if url is None:
        return False
    target, own = urlsplit(url), urlsplit(document.url)
    if target.path.rstrip("/") == own.path.rstrip("/") != "" and (target.fragment or target.query == own.query):
        return True
    return not target.fragment and not target.query and is_front(target.path)


def _all_terms(shown: Sequence[str], listed: Sequence[str]) -> tuple[str, ...] | None:
    """Return the terms of page and feed if they overlap, else the feed's; None if the feed adds none."""
    known = set(map(letters_and_digits, shown))
    others = tuple(term for term in listed if letters_and_digits(term) not in known)
    if not others:
        return None
    return (*shown, *others) if len(others) < len(listed) else others


def has_all_terms(terms: Iterable[str], others: Iterable[str]) -> bool:
    """Return whether the terms include all others; feeds may omit categories or tags."""
    return set(map(letters_and_digits, terms)) >= set(map(letters_and_digits, others))


def license_on(document: Document, base_url: str) -> FoundFields | None:
    """Return the URL of the page's `rel=license` link, or None."""
    return license_at(document.licenses, base_url)


def license_at(links: Sequence[str], base_url: str) -> FoundFields | None:
    """Return the first licence link as an absolute URL, or None if it is not one."""
    url = absolute(base_url, links[0]) if links else None
    provenance = Provenance(method="declared", rule="rel=license", confidence=0.8)
    return FoundFields({"license": url}, provenance) if url else None


def _value(tree: Tree, rule: FieldRule, node: int = 0) -> str:
    attribute = rule.rule.attribute
    return one_line(tree.attrs[0].get(attribute) or "") if attribute else one_line(text_of(tree, node))


# The values in a feed's entry are those that the author entered.
_FEED_ENTRY = Provenance(method="feed-entry", confidence=0.99)


def add_from_entry(
    document: Document, context: Context, fields: dict[str, Any], provenance: dict[str, Provenance]
) -> None:
    """Add the fields of the page's feed entry: that of the context, else that in the blog's rules."""
    entry = context.entry or (entry_about(document, context.rules) if context.rules is not None else None)
    if entry is None:
        return
    rules = context.rules or RuleSet()
    if entry.authors == (rules.feed_owner,):
        entry = msgspec.structs.replace(entry, authors=())
    tags = provenance.get("tags")
    for name, value in _listed_fields(entry, fields, rules.zone_minutes).items():
        if value:
            # Where a feed has the category and the page declares the tags, both are the author's.
            is_more = name == "tags" and tags is not None and tags.rule == _ARTICLE_TAGS
            fields[name] = tuple(dict.fromkeys((*fields[name], *value))) if is_more else value
            provenance[name] = _FEED_ENTRY
    if entry.published:
        fields["published_precision"] = "minute"


_CHANGES = ("article:modified_time", "og:updated_time")


def prefer_declared_publication(document: Document, fields: dict[str, Any], provenance: dict[str, Provenance]) -> None:
    """Replace a date that is really the declared last change by the earlier declared date of publication."""
    given = fields.get("published")
    if given is None or provenance["published"].method not in ("feed", "feed-entry"):
        return
    changes = [content for name in _CHANGES for content in document.meta_contents(name)]
    changes += [changed for item in json_ld(document) if isinstance(changed := item.get("dateModified"), str)]
    days = [aware(found, None) for text in changes for found in read_dates(text)[:1]]
    declared = declared_date(document) if any(abs(day - given) <= _DAY for day in days) else None
    if declared is not None and given - declared.fields["published"] > _DAY and declared.provenance.rule != _LONE_TIME:
        fields |= {"modified": given} | declared.fields
        provenance["published"] = declared.provenance


def _listed_fields(entry: FeedEntry, fields: dict[str, Any], zone_minutes: int | None) -> dict[str, Any]:
    """Return the fields of the entry; its title only if the page has none, because feeds shorten titles."""
    return {
        "published": _on_the_pages_day(entry.published, fields, zone_minutes),
        "authors": _listed_authors(entry, fields.get("authors", ())),
        "tags": _all_terms(fields.get("tags", ()), entry.tags),
        "modified": entry.updated if entry.updated != entry.published else None,
        "title": None if fields.get("title") else entry.title,
    }


def _listed_authors(entry: FeedEntry, shown: Sequence[str]) -> tuple[str, ...] | None:
    """Return the feed's authors, unless they are roles, short forms of names on the page, or only some of them.

    Some feeds have room for one author.
    """
    people = tuple(name for text in entry.authors if not is_account_name(text) for name in _people_in(text))
    if people and len(shown) > len(people) and has_all_terms(shown, people):
        return None
    if people and all(any(bylines.is_short_for(name, full) for full in shown) for name in people):
        return None
    return people or (entry.authors if not shown else None)


def _on_the_pages_day(moment: datetime | None, fields: dict[str, Any], zone_minutes: int | None) -> datetime | None:
    """Return the feed's date in the zone of the page or blog, else in a zone that gives the day on the page."""
    if moment is None:
        return None
    shown = fields.get("published")
    if shown is not None and abs(shown - moment) < _MINUTE and (moment.utcoffset() or shown.utcoffset()):
        return moment if moment.utcoffset() else moment.astimezone(shown.tzinfo)
    local = in_zone(moment, zone_minutes)
    return local if shown is None else on_day(local, shown.date())
