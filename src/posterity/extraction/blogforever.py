"""Method `blogforever`: the BlogForever crawler's rules as published (papers 003 and 001, sections 1.2 to 1.5).

`learn_rules` is Algorithm 1 in the fast form of Algorithm 2: the best rule of a page is the one whose node is most
similar to the feed's value, and the rule that is best on most pages is returned. `posts` applies it. Our method
`feed` is derived from it; docs/methods.md lists the differences.

Where the paper leaves a choice:

- A rule that matches several nodes stands for the first one, as in the published source. Of nodes with equal scores
  the first in post-order wins, the order of Algorithm 2; of rules that are best equally often, that of the earlier
  page.
- Markup and runs of white space are removed from the feed's texts; the page's texts are compared unchanged, each
  followed by a space, as in the published source. All characters count; "we used printable ASCII" is about the size
  of sets (`alphabet="ascii"` takes it literally).
- The published source makes no rules of ids or classes with digits ("post-123" differs on every page); the paper does
  not mention this (`digits=True` follows the paper).
- The paper stops at the node with the date; its text is parsed by `text.dates`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal, NamedTuple

from posterity.discover.feed import entry_text
from posterity.dom import Document, Tree, text_of
from posterity.dom.plain_text import html_of
from posterity.dom.tree import TEXT, matches
from posterity.errors import EmptyFeed, InputError, NothingLearned
from posterity.extraction.method import Context
from posterity.extraction.record import article_fields, aware, post_from
from posterity.learning.comments import extents_of, matching
from posterity.learning.evidence import documents, matched_training_pages
from posterity.model import Comment, Feed, FeedEntry, FieldRule, Post, Provenance, Rule, RuleSet
from posterity.text.bigrams import BigramBits, dice
from posterity.text.dates import day_order_of, read_dates
from posterity.text.normal_form import one_line

Alphabet = Literal["all", "ascii"]

# The published source takes a comment feed with this many entries for an incomplete one.
OVERFLOWING = 20


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the post that the rules find, or nothing if the article's rule matches no node of the page."""
    rules = context.rules
    if rules is None:
        raise InputError("The method blogforever needs rules: give a feed to learn from (--feed) or a rule file.")
    article = _first(document, rules, "text")
    if article is None:
        return ()
    tree, source = article
    fields: dict[str, Any] = article_fields(tree, document.base_url)
    provenance = {"text": source}
    for field, value_of in (("title", _title), ("authors", _authors), ("published", _date_fields)):
        found = _first(document, rules, field)
        values = value_of(one_line(text_of(found[0])), rules, context) if found else {}
        if found and values:
            fields |= values
            provenance[field] = found[1]
    if rules.rules_for("comment_text"):
        fields["comments"] = _learned_comments(document.tree, rules, document.base_url, context.fetched_at)
    return (post_from(document, fields, provenance),)


def _first(document: Document, rules: RuleSet, field: str) -> tuple[Tree, Provenance] | None:
    for rule in rules.rules_for(field)[:1]:
        tree = document.first(rule.rule)
        if tree is not None:
            node = document.path_of(rule.rule)
            return tree, Provenance(method="blogforever", rule=str(rule.rule), node=node, confidence=rule.confidence)
    return None


def _title(text: str, _rules: RuleSet, _context: Context) -> dict[str, Any]:
    return {"title": text} if text else {}


def _authors(text: str, _rules: RuleSet, _context: Context) -> dict[str, Any]:
    return {"authors": (text,)} if text else {}


def _date_fields(text: str, rules: RuleSet, context: Context) -> dict[str, Any]:
    readings = read_dates(text, languages=rules.languages, order=rules.date_order, now=context.fetched_at)
    if not readings or (readings[0].ambiguous and rules.date_order is None):
        return {}
    return {"published": aware(readings[0], None), "published_precision": readings[0].precision}


class PageRules(NamedTuple):
    """The nodes of a page for which `AllRules` has rules, and the set of bigrams in the subtree of every node."""

    tree: Tree
    # The first match of each rule, in document order.
    nodes: list[int]
    bigrams: list[int]


def all_rules(tree: Tree, bits: BigramBits, *, digits: bool = False, alphabet: Alphabet = "all") -> PageRules:
    """Apply the paper's function AllRules to a page: one rule per node, by id, class or path."""
    seen: set[tuple[str, str]] = set()
    nodes = []
    for node, tag in enumerate(tree.tag):
        if tag == TEXT:
            continue
        name = _name_of(tree, node, digits=digits)
        if name is None or name not in seen:
            nodes.append(node)
        if name is not None:
            seen.add(name)
    return PageRules(tree, nodes, _bigrams(tree, bits, alphabet))


def rule_of(tree: Tree, node: int, *, digits: bool = False) -> Rule:
    """Return the rule that AllRules has for a node: its id, else its class, else its absolute path."""
    name = _name_of(tree, node, digits=digits)
    if name is None:
        return Rule("path", tree.path(node))
    return Rule("id", name[1]) if name[0] == "id" else Rule("class-value", name[1])


def _name_of(tree: Tree, node: int, *, digits: bool) -> tuple[str, str] | None:
    for attribute in ("id", "class"):
        value = tree.attrs[node].get(attribute) or ""
        if value.strip() and (digits or not any(char.isdigit() for char in value)):
            return attribute, value
    return None


def _bigrams(tree: Tree, bits: BigramBits, alphabet: Alphabet) -> list[int]:
    """Algorithm 2: the bigrams of a node are the union of those of its texts and its children."""
    sets = [bits.of(_page_text(text, alphabet)) if text else 0 for text in tree.text]
    # Children come after their parents in document order, so counting down is a post-order traversal.
    for node in range(len(sets) - 1, 0, -1):
        sets[tree.parent[node]] |= sets[node]
    return sets


def _comparable(text: str, alphabet: Alphabet) -> str:
    text = " ".join(text.split())
    return text if alphabet == "all" else "".join(char for char in text if " " <= char <= "~")


def _page_text(text: str, alphabet: Alphabet) -> str:
    """Return a text of a page followed by a space, as in the published source."""
    return f"{text} " if alphabet == "all" else "".join(char for char in f"{text} " if " " <= char <= "~")


def best_node(page: PageRules, targets: Iterable[int], weights: Sequence[float] | None = None) -> tuple[int, float]:
    """Return the node with the highest score, and the score: the best similarity to a target times the node's weight.

    Node 0 with 0.0 if nothing is similar.
    """
    best, best_score = 0, 0.0
    ends = page.tree.end
    wanted = [(target, target.bit_count()) for target in targets if target]
    for node in page.nodes:
        found = page.bigrams[node]
        size, weight = found.bit_count(), weights[node] if weights else 1.0
        for target, target_size in wanted:
            # An upper bound of the similarity, which rules out most nodes.
            if 2 * min(size, target_size) * weight < best_score * (size + target_size):
                continue
            score = dice(found, target) * weight
            if score > best_score or (score == best_score and score and (ends[node], -node) < (ends[best], -best)):
                best, best_score = node, score
    return best, best_score


def tree_distances(tree: Tree, reference: int) -> list[int]:
    """Return for every node the number of edges between it and the reference node."""
    distance = [-1] * len(tree)
    node, edges = reference, 0
    while node >= 0:
        distance[node] = edges
        node, edges = tree.parent[node], edges + 1
    for node, parent in enumerate(tree.parent):
        if distance[node] < 0:
            distance[node] = distance[parent] + 1
    return distance


# CLDR patterns for dates on blogs; every language adds its four standard formats.
_PATTERNS = (
    "EEEE MMMM d, y", "EEEE, MMMM d, y", "MMMM d, y", "MMM d, y", "d MMMM y", "d MMM y", "EEEE, d MMMM y",
    "EEE, d MMM y", "EEE, dd MMM y HH:mm:ss", "MMMM d, y h:mm a", "MMMM d, y 'at' h:mm a", "d MMMM y HH:mm", "y-MM-dd",
    "y-MM-dd HH:mm", "y/MM/dd", "y.MM.dd", "dd.MM.y", "d.M.y", "dd/MM/y", "MM/dd/y", "M/d/y", "dd-MM-y",
)  # fmt: skip
_FORMS: tuple[Literal["full", "long", "medium", "short"], ...] = ("full", "long", "medium", "short")
_UNITS: tuple[tuple[Literal["year", "month", "week", "day", "hour", "minute"], float], ...] = (
    ("year", 365.25), ("month", 30.44), ("week", 7), ("day", 1), ("hour", 1 / 24), ("minute", 1 / 1440),
)  # fmt: skip


def date_targets(when: datetime, now: datetime | None, languages: Sequence[str]) -> list[str]:
    """Return the texts that a page may show for a date, in these languages and in English.

    With `now`, relative dates too: "43 years ago".
    """
    from babel.dates import format_date, format_datetime

    found: dict[str, None] = {when.isoformat(): None}
    for locale in _locales(languages):
        found |= dict.fromkeys(format_datetime(when, pattern, locale=locale) for pattern in _PATTERNS)
        found |= dict.fromkeys(format_date(when, form, locale=locale) for form in _FORMS)
        if now is not None:
            found |= dict.fromkeys(_time_ago(now - when, locale))
    return list(found)


def _locales(languages: Sequence[str]) -> list[str]:
    """Return the CLDR locales of the languages and English, without unknown languages."""
    from babel import Locale, UnknownLocaleError

    found = []
    for language in dict.fromkeys((*languages, "en")):
        try:
            found.append(str(Locale.parse(language.replace("-", "_"))))
        except (UnknownLocaleError, ValueError):
            continue
    return found


def _time_ago(passed: timedelta, locale: str) -> list[str]:
    from babel.dates import format_timedelta

    texts = []
    for unit, days in _UNITS:
        count = int(passed.total_seconds() / (days * 86_400))
        if count > 0:
            # Babel assumes 365 days a year and 30 a month.
            exact = {"year": 365.0, "month": 30.0}.get(unit, days) * count
            gap = timedelta(days=-exact)
            texts.append(format_timedelta(gap, granularity=unit, threshold=1, add_direction=True, locale=locale))
    return texts


class _BestRules:
    """The best rule of every page by field, with its score."""

    def __init__(self) -> None:
        self._rules: dict[str, list[tuple[Rule, float]]] = {}

    def add(self, field: str, rule: Rule, score: float) -> None:
        if score:
            self._rules.setdefault(field, []).append((rule, score))

    def most_frequent(self) -> dict[str, tuple[FieldRule, ...]]:
        """Return the most frequent rule of every field."""
        fields: dict[str, tuple[FieldRule, ...]] = {}
        for field, best in self._rules.items():
            rule, pages = Counter(rule for rule, _ in best).most_common(1)[0]
            scores = [score for each, score in best if each == rule]
            confidence = round(sum(scores) / len(best), 4)
            fields[field] = (FieldRule(rule=rule, confidence=confidence, pages=pages, of_pages=len(best)),)
        return fields


def learn_rules(
    feed: Feed,
    pages: Mapping[str, bytes | str | Document],
    *,
    comment_feeds: Mapping[str, Feed] = {},
    now: datetime | None = None,
    options: Mapping[str, object] = {},
) -> RuleSet:
    """Return the best extraction rule of every field, or raise `EmptyFeed` or `NothingLearned`.

    `comment_feeds` are by the URLs of their pages; `now` is when the pages were fetched. The options are `digits` and
    `alphabet`.
    """
    digits, alphabet = bool(options.get("digits")), options.get("alphabet", "all")
    if alphabet not in ("all", "ascii"):
        raise InputError(f"The alphabet of blogforever is all or ascii, not {alphabet}.")
    if not feed.entries:
        raise EmptyFeed(f"The feed {feed.url} has no entries, so there is nothing to learn from.")
    training_pages = matched_training_pages(feed, pages, len(feed.entries))
    best, bits = _BestRules(), BigramBits()
    languages: dict[str, None] = {}
    dates: list[tuple[str, datetime]] = []
    for document, training_page in documents(training_pages, pages):
        bits.forget_many()
        languages |= dict.fromkeys(language for language in (document.language, feed.language) if language)
        page = all_rules(document.tree, bits, digits=digits, alphabet=alphabet)
        entry, compared = training_page.entry, _comparer(bits, alphabet)
        article, score = best_node(page, [compared(entry_text(entry))])
        if not score:
            continue
        best.add("text", rule_of(document.tree, article, digits=digits), score)
        weights = [1 / (distance + 1) for distance in tree_distances(document.tree, article)]
        for field, targets, by_distance in _targets(entry, feed, now, tuple(languages)):
            node, score = best_node(page, map(compared, targets), weights if by_distance else None)
            best.add(field, rule_of(document.tree, node, digits=digits), score)
            if field == "published" and score and entry.published:
                dates.append((one_line(document.tree.plain(node)), entry.published))
        comments = comment_feeds.get(training_page.url)
        if comments is not None and len(comments.entries) >= OVERFLOWING:
            for field, (rule, score) in comment_rules(page, comments.entries, bits, now, tuple(languages)).items():
                best.add(field, rule, score)
    fields = best.most_frequent()
    if "text" not in fields:
        raise NothingLearned(f"None of the pages that the feed {feed.url} links to is like its entry.")
    return RuleSet(
        method="blogforever",
        feed_url=feed.url,
        evidence=tuple(training_page.url for training_page in training_pages),
        languages=tuple(languages),
        date_order=day_order_of(dates, tuple(languages)),
        fields=fields,
    )


def _comparer(bits: BigramBits, alphabet: Alphabet) -> Callable[[str], int]:
    return lambda text: bits.of(_comparable(text, alphabet))


def _targets(
    entry: FeedEntry, feed: Feed, now: datetime | None, languages: Sequence[str]
) -> Iterable[tuple[str, list[str], bool]]:
    """Yield every field except the article, its targets, and whether the distance to the article counts (1.5)."""
    if entry.title:
        yield "title", [entry.title], False
    authors = entry.authors or feed.authors
    if authors:
        yield "authors", [authors[0]], True
    if entry.published:
        yield "published", date_targets(entry.published, now, languages), True


def comment_rules(
    page: PageRules, entries: Sequence[FeedEntry], bits: BigramBits, now: datetime | None, languages: Sequence[str]
) -> dict[str, tuple[Rule, float]]:
    """Return the rules of the comments' texts, authors and dates on a page, each with its score (section 1.5).

    The score is the value of the maximum weighted matching of the rule's nodes with the feed's values, zero for a rule
    with fewer nodes than the feed has comments. Texts come first and fix the number of comments.
    """
    candidates = [(rule, nodes) for rule, nodes in _lists(page.tree) if len(nodes) >= len(entries)]
    texts = [[bits.of(_comparable(entry_text(entry), "all"))] for entry in entries]
    found = {"comment_text": _best_list(page, candidates, texts)}
    if not found["comment_text"][1]:
        return {}
    number = len(matches(page.tree, found["comment_text"][0]))
    fixed = [(rule, nodes) for rule, nodes in candidates if len(nodes) == number]
    authors = [[bits.of(_comparable(name, "all")) for name in entry.authors[:1]] for entry in entries]
    listed = (date_targets(entry.published, now, languages) if entry.published else () for entry in entries)
    dates = [[bits.of(_comparable(text, "all")) for text in texts] for texts in listed]
    found["comment_author"] = _best_list(page, fixed, authors)
    found["comment_published"] = _best_list(page, fixed, dates)
    return {field: (rule, score / len(entries)) for field, (rule, score) in found.items() if score}


def _lists(tree: Tree) -> Iterable[tuple[Rule, list[int]]]:
    """Yield the rules that can match several nodes: those by class."""
    for value, nodes in tree.named.classes.items():
        rule = rule_of(tree, nodes[0])
        if rule.kind == "class-value" and rule.value == value:
            yield rule, nodes


def _best_list(
    page: PageRules, candidates: Sequence[tuple[Rule, list[int]]], targets: Sequence[Sequence[int]]
) -> tuple[Rule, float]:
    best, best_score = Rule("path", "html"), 0.0
    for rule, nodes in candidates:
        weights = [
            [max((dice(page.bigrams[node], each) for each in target), default=0.0) for target in targets]
            for node in nodes
        ]
        score = matching(weights)
        if score > best_score:
            best, best_score = rule, score
    return best, best_score


_NUMBER = re.compile(r"(?<!\d)(\d+)$")


def _learned_comments(tree: Tree, rules: RuleSet, base_url: str, now: datetime | None) -> tuple[Comment, ...]:
    """Return the comments matched by the comment rules."""
    texts = _nodes(tree, rules, "comment_text")
    authors, dates = _nodes(tree, rules, "comment_author"), _nodes(tree, rules, "comment_published")
    extents = extents_of(tree, texts)
    ids = [_id(tree, extent, order) for order, extent in enumerate(extents, 1)]
    return tuple(
        Comment(
            id=ids[index],
            parent=_parent(tree, extents, ids, index),
            author=one_line(text_of(tree, authors[index])) or None if len(authors) == len(texts) else None,
            published=_moment(tree, dates[index], rules, now) if len(dates) == len(texts) else None,
            text=text_of(tree, node),
            html=html_of(tree, base_url, node),
        )
        for index, node in enumerate(texts)
    )


def _nodes(tree: Tree, rules: RuleSet, field: str) -> list[int]:
    found = (matches(tree, rule.rule) for rule in rules.rules_for(field))
    return next((nodes for nodes in found if nodes), [])


def _parent(tree: Tree, extents: list[int], ids: list[str], index: int) -> str | None:
    """Return the earlier comment that is the only one directly in an ancestor: li > (comment, ol > li > reply)."""
    ancestor = tree.parent[extents[index]]
    while ancestor >= 0:
        heads = [order for order, extent in enumerate(extents) if tree.parent[extent] == ancestor]
        if len(heads) == 1 and heads[0] < index:
            return ids[heads[0]]
        ancestor = tree.parent[ancestor]
    return None


def _id(tree: Tree, extent: int, order: int) -> str:
    for node in (extent, tree.parent[extent], *range(extent + 1, min(extent + 4, tree.end[extent]))):
        match = _NUMBER.search(tree.attrs[node].get("id") or "")
        if match:
            return f"comment-{match.group(1)}"
    return f"c{order}"


def _moment(tree: Tree, node: int, rules: RuleSet, now: datetime | None) -> datetime | None:
    text = tree.attrs[node].get("datetime") or one_line(text_of(tree, node))
    readings = read_dates(text, languages=rules.languages, order=rules.date_order, now=now)
    if not readings or (readings[0].ambiguous and rules.date_order is None):
        return None
    return aware(readings[0], rules.zone_minutes)
