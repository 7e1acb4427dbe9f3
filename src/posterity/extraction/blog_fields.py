"""Fields shared by all pages of a blog for which its feed gives no rule: the only author, the order of day and month.

These compare extracted values, not nodes, so they run after the rules are learned.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from operator import itemgetter
from typing import TypeAlias

import msgspec

from posterity.dom import Document, text_of
from posterity.dom.tree import matches
from posterity.extraction.bylines import is_short_for
from posterity.extraction.hybrid.article import article_on
from posterity.extraction.hybrid.posts import first_named, site_rules
from posterity.extraction.method import Context, extract_posts
from posterity.extraction.record import authors_on, declared_authors, has_all_terms
from posterity.learning.evidence import feed_text
from posterity.learning.out_rules import WHOLE_FEED_F1
from posterity.learning.rule_selection import rule_scores, select_rules
from posterity.lexicon import any_of, url_words
from posterity.model import Feed, FeedEntry, FieldRule, Post, Provenance, RuleSet
from posterity.model.page import NO_FEED
from posterity.text.dates import DayOrder
from posterity.text.dates.reading import dates_in, has_one_reading, may_date
from posterity.text.normal_form import letters_and_digits, token_f1, word_counts
from posterity.urls import place_key
from posterity.urls.kinds import is_listing

_MIN_PAGES = 3
_DAY_S = 86_400  # time zones differ between a feed and its pages


def show_other_days(posts: Iterable[tuple[Post, datetime | None]]) -> bool:
    """Return whether most dated posts differ by more than a day from the known date of the post."""
    given = ((post.published, known) for post, known in posts if known is not None)
    dated = [abs((shown - known).total_seconds()) for shown, known in given if shown is not None]
    return len(dated) >= _MIN_PAGES and 2 * sum(apart > _DAY_S for apart in dated) > len(dated)


_MAX_LINE = 100  # characters; longer texts may cite dates of something else
_AGREEMENT = 0.9


def common_day_order(pages: Iterable[Document]) -> DayOrder | None:
    """Return the order of day and month on a blog's pages; None if no date decides it or they do not agree."""
    counts = Counter(order for page in pages for order in _orders_on(page))
    if not counts:
        return None
    (order, count), *_ = counts.most_common(1)
    return order if count >= _AGREEMENT * counts.total() else None


def _orders_on(page: Document) -> set[DayOrder]:
    tree = page.tree
    lines = {text for node in tree.runs if len(text := tree.text[node].strip()) <= _MAX_LINE and may_date(text)}
    found = (date for line in lines for date in dates_in(line, page.language or ""))
    return {"dmy" if date.order == "dmy" else "mdy" for date in found if has_one_reading(date)}


_MOST = 0.6  # of the pages; posts of a line or two are marked up differently


def with_only_author(rules: RuleSet, pages: Sequence[Document], posts: Iterable[Post]) -> RuleSet:
    """Return the rules with the only author of the pages' posts, replacing a rule that finds another name."""
    name = only_author(posts, len(pages))
    if name is None:
        return rules
    agree = sum(found.fields["authors"] == (name,) for page in pages if (found := authors_on(page, rules)))
    if rules.rules_for("authors") and 2 * agree > len(pages):
        return rules
    fields = {field: rule for field, rule in rules.fields.items() if field != "authors"}
    return msgspec.structs.replace(rules, only_author=name, fields=fields)


def only_author(posts: Iterable[Post], pages: int) -> str | None:
    """Return the author of the posts if most of the `pages` have one and none has another, else None."""
    names = Counter(post.authors for post in posts if post.authors)
    if len(names) != 1 or names.total() < max(_MIN_PAGES, _MOST * pages):
        return None
    authors = next(iter(names))
    return authors[0] if len(authors) == 1 else None


def feed_owner(feed: Feed, pages: Sequence[Document]) -> str | None:
    """Return the one person whom the feed names for all posts, if most pages declare others, and not always the same.

    Some themes write the owner of the blog into their feed, whoever wrote a post.
    """
    listed = {name for entry in feed.entries for name in entry.authors or feed.authors}
    if len(listed) != 1:
        return None
    owner = listed.pop()
    declared = [found.fields["authors"] for page in pages if (found := declared_authors(page))]
    others = [names for names in declared if letters_and_digits(owner) not in map(letters_and_digits, names)]
    return owner if len(set(others)) > 1 and 2 * len(others) > len(pages) else None


_COMPARED = 8  # pages of the feed on which results with and without rules are compared
_MOST_INSIDE = 0.75  # of these pages must have the inner element inside the rules' element
_SURE_ARTICLE = 0.8  # confidence
_ENOUGH_WORDS = 0.7  # of an article; the rest may be notes and captions
_FEW = 0.34  # of the pages
_CATEGORY = re.compile(any_of(url_words("term.category")), re.IGNORECASE)


ALL_FIELDS = ("title", "authors", "published", "tags")


def without_inferior_rules(
    rules: RuleSet, evidence: Iterable[tuple[Document, FeedEntry]], fields: Iterable[str] = ALL_FIELDS
) -> RuleSet:
    """Return the rules without those of fields that are extracted better without them, tested on the feed's pages.

    If pages show no title or author, a rule may have been learned for another element.
    """
    pages = list(evidence)[:_COMPARED]
    rules, entries = msgspec.structs.replace(rules, entries={}), rules.entries
    if "authors" in fields:
        rules = _without_sites_author(rules, pages)
    posts: list[_Compared] | None = None
    for field in fields:
        known = sum(bool(getattr(entry, field)) for _, entry in pages)
        if not known or (known < _MIN_PAGES and field != "tags") or not rules.rules_for(field):
            continue
        posts = _extract_all(rules, pages) if posts is None else posts
        score = _score(posts, field)
        if score == known and field != "tags":
            continue
        others = _without_field(rules, field)
        posts_of_others = _extract_all(others, pages)
        is_better = known >= _MIN_PAGES and _score(posts_of_others, field) > score
        if is_better or (field == "tags" and _show_all_tags(posts_of_others, posts, rules, pages)):
            rules, posts = others, posts_of_others
    return msgspec.structs.replace(rules, entries=entries)


def _without_sites_author(rules: RuleSet, pages: Sequence[tuple[Document, FeedEntry]]) -> RuleSet:
    """Return the rules without those that find one name, such as the site's, if most pages show other names."""
    given = [found.fields["authors"] for page, _ in pages if (found := authors_on(page, rules))]
    if len(set(given)) != 1 or len(given) < _MIN_PAGES or any(entry.authors for _, entry in pages):
        return rules
    others = _without_field(rules, "authors")
    shown = [post.authors for post, _ in _extract_all(others, pages) if post.authors not in ((), given[0])]
    return others if len(set(shown)) > 1 and 2 * len(shown) > len(pages) else rules


def without_repeated_titles(rules: RuleSet, evidence: Iterable[tuple[Document, FeedEntry]]) -> RuleSet:
    """Return the rules without those that find one title on most pages of other posts: a link of the menu to one."""
    pages = list(evidence)
    titles = tuple(rule for rule in rules.rules_for("title") if not _is_repeated(rule, pages))
    return msgspec.structs.replace(rules, fields=rules.fields | {"title": titles}) if "title" in rules.fields else rules


def _is_repeated(rule: FieldRule, pages: Sequence[tuple[Document, FeedEntry]]) -> bool:
    found = ((page.first(rule.rule), letters_and_digits(entry.title or "")) for page, entry in pages)
    texts = [(letters_and_digits(tree.plain(0)), title) for tree, title in found if tree is not None]
    wrong = Counter(text for text, title in texts if text != title)
    return len(texts) >= _MIN_PAGES and 2 * max(wrong.values(), default=0) > len(texts)


def with_inner_article(rules: RuleSet, evidence: Iterable[tuple[Document, FeedEntry]]) -> RuleSet:
    """Return the rules with the article in an inner element if pages agree on it and the feed has no full texts.

    A feed with only the beginning of articles does not show where they end, and a line such as "updated 2 years ago"
    is as unique as the article, so learning cannot tell the article's element from one around both.
    """
    pages = list(evidence)[:_COMPARED]
    outer = rules.rules_for("text")
    if rules.layouts or not outer or _has_whole_texts(outer, pages):
        return rules
    site = site_rules(tuple(document for document, _ in pages))
    # If many posts have one paragraph, the <p> is still not the article's element.
    if site is None or site.article[0].rule.value == "p":
        return rules
    trees = ((document.tree, entry) for document, entry in pages)
    nodes = [(tree, first_named(tree, outer), first_named(tree, site.article), entry) for tree, entry in trees]
    inside = sum(
        around is not None
        and inner is not None
        and around < inner < tree.end[around]
        and _has_beginning(tree.plain(inner), entry)
        for tree, around, inner, entry in nodes
    )
    if inside < _MOST_INSIDE * len(pages):
        return rules
    return msgspec.structs.replace(rules, fields={**rules.fields, "text": site.article})


def _has_beginning(text: str, entry: FeedEntry) -> bool:
    """Return whether a text has most words of the feed's: those that follow "read more" are not the whole article."""
    listed = word_counts(feed_text(entry).text)
    return 2 * (listed & word_counts(text)).total() >= listed.total()


def with_sure_article(rules: RuleSet, evidence: Iterable[tuple[Document, FeedEntry]]) -> RuleSet | None:
    """Return rules that give the articles found with high confidence without rules, or None if no variant does.

    Without full texts in the feed, learning takes the text that no other page has for the article. On a blog whose
    posts repeat paragraphs, that may be a piece of code or the name of a category.
    """
    pages = list(evidence)[:_COMPARED]
    text = rules.rules_for("text")
    if rules.layouts or not text or _has_whole_texts(text, pages):
        return rules
    found = [(document, article_on(document)) for document, _ in pages]
    sure = [(document, article) for document, article in found if article and article.confidence >= _SURE_ARTICLE]
    if len(sure) < _MIN_PAGES:
        return rules
    whole = [(document, word_counts(text_of(document.tree, each.node, each.left_out))) for document, each in sure]
    element = select_rules([rule_scores(document.tree, {each.node: 1.0}) for document, each in sure], _AGREEMENT)
    bare = {field: rule for field, rule in rules.fields.items() if field != "out"}
    choices = (rules.fields, bare, {**bare, "text": element}) if element else (rules.fields, bare)
    likely = (msgspec.structs.replace(rules, fields=fields) for fields in choices)
    return next((each for each in likely if _miss_few(each, whole)), None)


def _miss_few(rules: RuleSet, whole: Sequence[tuple[Document, Counter[str]]]) -> bool:
    """Whether the rules give most words of nearly all articles."""
    context = msgspec.structs.replace(_FIELDS, rules=msgspec.structs.replace(rules, entries={}))
    missed = 0
    for document, words in whole:
        given = word_counts("".join(post.text for post in extract_posts(document, context=context)))
        missed += (words & given).total() < _ENOUGH_WORDS * words.total()
    return missed < 2 or missed <= _FEW * len(whole)


def _has_whole_texts(rules: tuple[FieldRule, ...], pages: Iterable[tuple[Document, FeedEntry]]) -> bool:
    """Return whether at least half of the feed's entries have the full text that the rules find on their pages."""
    found = ((document.tree, first_named(document.tree, rules), entry) for document, entry in pages)
    shown = ((tree.plain(node), feed_text(entry).text) for tree, node, entry in found if node is not None)
    scores = [token_f1(word_counts(text), word_counts(listed)) for text, listed in shown]
    return bool(scores) and 2 * sum(score >= WHOLE_FEED_F1 for score in scores) >= len(scores)


_Compared: TypeAlias = tuple[Post, FeedEntry]
_FIELDS = Context(comments=False)


def _extract_all(rules: RuleSet, pages: Iterable[tuple[Document, FeedEntry]]) -> list[_Compared]:
    context = msgspec.structs.replace(_FIELDS, rules=rules)
    found = ((extract_posts(document, context=context), entry) for document, entry in pages)
    return [(posts[0], entry) for posts, entry in found if posts]


def _score(posts: Iterable[_Compared], field: str) -> float:
    """Return the number of posts whose field agrees with the feed; tags count by their F1 score."""
    agreement = _AGREEMENT_OF_FIELD[field]
    return sum(agreement(post, entry) for post, entry in posts if getattr(entry, field))


def _show_all_tags(
    alone: Sequence[_Compared],
    by_rules: Sequence[_Compared],
    rules: RuleSet,
    pages: Sequence[tuple[Document, FeedEntry]],
) -> bool:
    """Whether pages alone have all tags that the rules give, and more on some, or the rules find categories only."""
    pairs = [(page.tags, post.tags) for (page, _), (post, _) in zip(alone, by_rules, strict=False)]
    if not all(has_all_terms(*pair) for pair in pairs):
        return False
    return any(len(more) > len(tags) for more, tags in pairs) or _find_only_categories(rules, pages)


def _find_only_categories(rules: RuleSet, pages: Sequence[tuple[Document, FeedEntry]]) -> bool:
    """Whether the rules of tags only find links to categories, as where the newest posts have no tags besides them."""
    trees = [page.tree for page, _ in pages]
    found = ((tree, node) for tree in trees for each in rules.rules_for("tags") for node in matches(tree, each.rule))
    links = [href for tree, node in found if (href := tree.attrs[node].get("href"))]
    return bool(links) and all(map(_CATEGORY.search, links))


def _without_field(rules: RuleSet, field: str) -> RuleSet:
    def others(fields: dict[str, tuple[FieldRule, ...]]) -> dict[str, tuple[FieldRule, ...]]:
        return {name: found for name, found in fields.items() if name != field}

    layouts = tuple(msgspec.structs.replace(layout, fields=others(layout.fields)) for layout in rules.layouts)
    return msgspec.structs.replace(rules, fields=others(rules.fields), layouts=layouts)


def _same_title(post: Post, entry: FeedEntry) -> float:
    return float(letters_and_digits(post.title or "") == letters_and_digits(entry.title or ""))


def _same_authors(post: Post, entry: FeedEntry) -> float:
    found, listed = (set(map(letters_and_digits, names)) for names in (post.authors, entry.authors))
    return float(found == listed or (len(listed) == 1 and listed < found))  # some feeds have room for one author


def _same_day(post: Post, entry: FeedEntry) -> float:
    if post.published is None or entry.published is None:
        return 0.0
    return float(abs((post.published - entry.published).total_seconds()) <= _DAY_S)


def _same_tags(post: Post, entry: FeedEntry) -> float:
    found, listed = (set(map(letters_and_digits, tags)) for tags in (post.tags, entry.tags))
    return 2 * len(found & listed) / (len(found) + len(listed))


_AGREEMENT_OF_FIELD: dict[str, Callable[[Post, FeedEntry], float]] = {
    "title": _same_title,
    "authors": _same_authors,
    "published": _same_day,
    "tags": _same_tags,
}


def with_agreed_fields(rules: RuleSet, feed: Feed, evidence: Iterable[tuple[Document, FeedEntry]]) -> RuleSet:
    """Return the learned rules with further fields on which the pages agree: author, date order, undated."""
    named = (feed.authors, *(entry.authors for entry in feed.entries)) if feed.format != NO_FEED else ()
    listed = {name for names in named for name in names}
    is_named = any(" " in name or not name.isascii() for name in listed)  # "ada" may be short for more
    is_dated = bool(rules.rules_for("published")) or feed.format == NO_FEED
    is_ordered = rules.date_order is not None or bool(rules.rules_for("published"))
    if is_named and is_dated and is_ordered:
        return rules
    pages = [(document, entry.published) for document, entry in evidence]
    if not is_ordered:
        rules = msgspec.structs.replace(rules, date_order=common_day_order(page for page, _ in pages))
    if is_named and is_dated:
        return rules
    posts = [(post, known) for page, known in pages for post in extract_posts(page, context=_FIELDS)]
    if not is_named:
        signed = with_only_author(rules, [page for page, _ in pages], [post for post, _ in posts])
        rules = signed if all(is_short_for(name, signed.only_author or "") for name in listed) else rules
    return rules if is_dated else msgspec.structs.replace(rules, undated=show_other_days(posts))


_CONFIDENCE = 0.8  # lists may show the date of the last change
# Visit one list per three undated posts, and stop after five lists in a row without new dates.
_POSTS_PER_LIST, _PATIENCE = 3, 5
_NUMBER, _FURTHER_PAGE = re.compile(r"\d+"), re.compile(r"[/=_-]\d{1,3}(?:/|\.\w+)?$")
_INDEX_FILE = re.compile(r"/index\.\w+$")


class ListedDates:
    """Collects dates from lists of posts and dates posts with them, if the blog's rules have no date.

    `own_url` maps a URL in a list to the blog's own URL: lists of a copied blog link to the original.
    """

    def __init__(self, rules: RuleSet, own_url: Callable[[str], str]) -> None:
        self._rules, self._own_url = rules, own_url
        self._is_needed = not any("published" in one.fields for one in (rules, *rules.layouts))
        self._listed: dict[str, tuple[datetime, Post, str]] = {}
        self._undated: set[str] = set()
        self._lists: set[str] = set()  # URLs of lists with dates, digits removed
        self._most_undated = self._visits = self._in_vain = 0

    def __bool__(self) -> bool:
        return bool(self._listed)

    def read(self, document: Document) -> None:
        """Store the dates of the posts that the page lists; of two dates for a post the earlier."""
        if not self._is_needed:
            return
        missing, has_dates = len(self._undated), False
        for listed in extract_posts(document, context=Context(rules=self._rules, index=True)):
            if listed.published is not None:
                has_dates = True
                key = place_key(self._own_url(listed.url))
                dated = (listed.published, listed, document.url)
                self._listed[key] = min(self._listed.get(key, dated), dated, key=itemgetter(0))
                self._undated.discard(key)
        if has_dates:
            self._lists.add(_NUMBER.sub("", document.url))
        if len(self._undated) < missing:
            self._in_vain = 0
        elif self._visits or not has_dates:  # lists read during the crawl may date other posts
            self._in_vain += 1

    def note_undated(self, post: Post) -> None:
        """Store the post as undated if no list has dated it."""
        if self.lacks(post):
            self._undated.add(place_key(post.url))
            self._most_undated = max(self._most_undated, len(self._undated))

    def lacks(self, post: Post) -> bool:
        """Return whether neither the post nor a list has a date for it."""
        return self._is_needed and not _has_day(post) and place_key(post.url) not in self._listed

    def next_list_to_visit(self, waiting: Iterable[str]) -> str | None:
        """Return the URL that probably lists most of the undated posts, or None if no further visit is worth it.

        Preferred are folders of undated posts and URLs of lists; else any URL that ends in a small number may be one.
        """
        budget = self._most_undated // _POSTS_PER_LIST
        if not self._undated or self._visits >= budget or self._in_vain >= _PATIENCE:
            return None
        below = Counter(key.rpartition("/")[0] for key in self._undated)
        urls = list(waiting)
        lists = [url for url in urls if is_listing(url) or _folder(url) in below or _NUMBER.sub("", url) in self._lists]
        lists = lists or [url for url in urls if _FURTHER_PAGE.search(url)]
        self._visits += 1
        return max(lists, key=lambda url: below[_folder(url)], default=None)

    def dated(self, post: Post) -> Post | None:
        """Return the post with its date from a list; None if it has a date already or no list has one."""
        dated = self._listed.get(place_key(post.url))
        if _has_day(post) or dated is None:
            return None
        published, listed, where = dated
        provenance = Provenance(method="index", rule=f"listed on {where}", confidence=_CONFIDENCE)
        origins, precision = {**post.provenance, "published": provenance}, listed.published_precision
        return msgspec.structs.replace(post, published=published, published_precision=precision, provenance=origins)


def _has_day(post: Post) -> bool:
    """Return whether the post has a date that is more than the month or year in its URL."""
    return post.published is not None and (
        post.published_precision not in ("month", "year") or post.provenance["published"].method != "url"
    )


def _folder(url: str) -> str:
    return _INDEX_FILE.sub("", place_key(url))
