"""Scores of nodes and rules for title, tags, date and author, by the values in the feed.

The title is the text most similar to the feed's title, preferably a heading. A date is a text that names the feed's
moment. An author is a name from the feed near the article, after a word such as "by" or in an element named "author";
if the feed names no authors, common author markup is used.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache

import msgspec

from posterity.dom import Document, Tree, text_of
from posterity.dom.tree import matches
from posterity.learning.rule_selection import RuleScores, kind_names
from posterity.lexicon import any_of, part_names, words_for
from posterity.model import FieldRule, Rule
from posterity.text.bigrams import BigramBits, dice
from posterity.text.dates import FoundDate, may_mention, mentions
from posterity.text.normal_form import Remembered, comparable, forms_of, is_account_name, letters_and_digits, one_line

_HEADINGS = {"h1": 1.0, "h2": 0.99, "h3": 0.98, "h4": 0.97, "h5": 0.96, "h6": 0.96}
_NO_HEADING = 0.9
_MIN_SIMILARITY = 0.6
_MAX_GROWTH, _MARGIN = 4, 40
_EXACT_HEADING = 0.92  # just below the score of a link inside an <h6> that equals the title
_NOT_CONTENT = ("#text", "html", "head", "title", "body", "option", "meta")


def title_scores(tree: Tree, title: str) -> dict[int, float]:
    """Return the scores of nodes as the title: by similarity, with equality first and headings before other elements.

    If a heading equals the title, only headings are scored, unless all of it is a link, as in a list of posts.
    """
    headings = sorted(node for tag in _HEADINGS for node in tree.nodes_by_tag.get(tag, ()))
    scores = _similar(tree, title, (inner for node in headings for inner in range(node, tree.end[node])))
    if any(scores.get(node, 0) > _EXACT_HEADING and not _is_link(tree, node) for node in headings):
        return scores
    return _similar(tree, title, range(len(tree)))


def _is_link(tree: Tree, heading: int) -> bool:
    links = [node for node in range(heading + 1, tree.end[heading]) if tree.tag[node] == "a"]
    return any(tree.text_sizes[node] == tree.text_sizes[heading] for node in links)


def _similar(tree: Tree, title: str, nodes: Iterable[int]) -> dict[int, float]:
    wanted = letters_and_digits(title)
    bits = BigramBits()
    target = bits.of(comparable(title))
    sizes = tree.text_sizes
    # Much longer texts cannot be similar enough and are skipped.
    largest = _MAX_GROWTH * len(title) + _MARGIN
    scores = {}
    for node in nodes:
        if not 0 < sizes[node] <= largest or tree.tag[node] in _NOT_CONTENT or tree.unseen[node]:
            continue
        text = tree.plain(node)
        score = dice(bits.of(comparable(text)), target)
        if score >= _MIN_SIMILARITY:
            exact = 1.0 if letters_and_digits(text) == wanted else 0.9 * score
            scores[node] = exact * _heading_weight(tree, node)
    return scores


def _heading_weight(tree: Tree, node: int) -> float:
    """The weight of the nearest heading, slightly less for each level between; a lower one outside headings."""
    weight, step = _HEADINGS.get(tree.tag[node]), 0.0
    while weight is None and node > 0 and step < 0.03:
        node = tree.parent[node]
        step += 0.01
        weight = _HEADINGS.get(tree.tag[node])
    return (weight or _NO_HEADING) - step


_MAX_NODES = 60


def tag_rule_scores(tree: Tree, tags: Sequence[str]) -> RuleScores:
    """Return the page's scores: the F1 of the texts matched by a rule against the feed's terms."""
    wanted = {letters_and_digits(tag) for tag in tags} - {""}
    longest = 2 * max(map(len, tags), default=0) + 16
    # Cached, because many rules match the same links.
    terms: Remembered[int, str] = Remembered(lambda node: letters_and_digits(tree.plain(node)))
    short = (node for node in tree.nodes_by_tag.get("a", []) if tree.text_sizes[node] <= longest)
    named = [node for node in short if len(tree.plain(node)) <= longest and terms[node] in wanted]
    scores: dict[Rule, tuple[float, int, int]] = {}
    for rule in dict.fromkeys(rule for node in named[:_MAX_NODES] for rule in _list_names(tree, node)):
        found = {terms[node] for node in matches(tree, rule)} - {""}
        score = 2 * len(found & wanted) / (len(found) + len(wanted))
        scores[rule] = (score, len(found), len(found))
    return RuleScores(scores)


def _list_names(tree: Tree, node: int) -> list[Rule]:
    """Rules by the link's own names, and rules for any link under its nearest named ancestors."""
    rules = [
        rule for rule in kind_names(tree, node) if rule.kind in ("class", "attr") or (rule.kind == "tag" and rule.under)
    ]
    ancestor = tree.parent[node]
    for _ in range(3):
        if ancestor <= 0:
            break
        anchors = [rule for rule in kind_names(tree, ancestor) if rule.kind in ("id", "class") and not rule.under]
        rules += [Rule("tag", "a", under=anchor) for anchor in anchors]
        ancestor = tree.parent[ancestor]
    return rules


_MAX_DATE_TEXT = 260
_MAX_DATE_CLIMB = 3
_MAX_RUN = 400
_ALONE = 3  # characters: a one- or two-digit number and white space
DATE_ATTRIBUTES = ("datetime", "content", "title")
_ATTRIBUTES = frozenset(DATE_ATTRIBUTES)
_DIGIT = re.compile(r"\d")
_MIN_ZONE_SHARE = 0.6
_HOURS = range(-12, 15)  # of zones, east of UTC
_MAX_OFFSETS = 8
# An adjacent day is the same moment in another zone, or another date.
_NEXT_DAY = 0.9
# The date of the last change equals the date of publication until a post is changed.
_OF_CHANGE = 0.8
_MODIFIED = re.compile(r"modified|updated", re.IGNORECASE)
# Relative dates count days at most this far back; older ones are in weeks, months or years and denote no day.
_LONGEST_AGO = timedelta(days=400)


def date_scores(
    tree: Tree, when: datetime, near: Sequence[float], languages: Sequence[str], now: datetime | None
) -> dict[str | None, dict[int, float]]:
    """Return, for each place of a date (an attribute, or None for the text), how well nodes match this date."""
    scores: dict[str | None, dict[int, float]] = {None: {}, **{name: {} for name in DATE_ATTRIBUTES}}
    if now is not None and now - when > _LONGEST_AGO:
        now = None
    reader = _TextDates(tree, when, near, languages, now)
    for node in reader.runs:
        if len(tree.text[node]) < _MAX_RUN:
            reader.climb(node, scores[None])
    for node, attrs in enumerate(tree.attrs):
        if attrs and not _ATTRIBUTES.isdisjoint(attrs):
            for name in DATE_ATTRIBUTES:
                value = attrs.get(name)
                if value and len(value) <= _MAX_DATE_TEXT and (found := mentions(value, when, languages=languages)):
                    kind = attrs.get("property") or attrs.get("itemprop") or ""
                    doubt = _OF_CHANGE if _MODIFIED.search(kind) else 1.0
                    doubt *= _ONLY_DECLARED if tree.tag[node] == "meta" else 1.0
                    scores[name][node] = _weight(found, value, when) * near[node] * doubt
    return scores


class _TextDates:
    """Searches the texts of a page for one date; every element is read at most once."""

    def __init__(
        self, tree: Tree, when: datetime, near: Sequence[float], languages: Sequence[str], now: datetime | None
    ) -> None:
        self.tree, self.when, self.near, self.languages, self.now = tree, when, near, languages, now
        self.sizes = tree.text_sizes
        self.read: set[int] = set()
        self.runs = tree.runs if now else self._runs_with_figures()
        self.candidates = tree.around(node for node in self.runs if now or self._may_mention(tree.text[node]))

    def climb(self, node: int, scores: dict[int, float]) -> None:
        """Score the smallest element around a text run that contains the date."""
        for _ in range(_MAX_DATE_CLIMB):
            node = self.tree.parent[node]
            if node <= 0 or node in scores or self.sizes[node] > 2 * _MAX_DATE_TEXT:
                return
            if node in self.read or node not in self.candidates:
                continue
            self.read.add(node)
            text = one_line(self.tree.plain(node))
            if len(text) > _MAX_DATE_TEXT:
                return
            found = mentions(text, self.when, languages=self.languages, now=self.now)
            if found:
                scores[node] = _weight(found, text, self.when) * self.near[node]
                return

    def _runs_with_figures(self) -> list[int]:
        """The runs that may be part of a date: those with digits, or 年 for dates in Chinese numerals."""
        texts = self.tree.text
        return [node for node in self.tree.runs if _DIGIT.search(texts[node]) or "年" in texts[node]]

    def _may_mention(self, text: str) -> bool:
        """Whether the run may name the date; true for a bare number, since some blogs mark up each part of a date."""
        return len(text) <= _ALONE or may_mention(text, self.when)


# Pages that are not posts declare dates in their heads; they show none.
_ONLY_DECLARED = 0.88
# A line "Posted by Ada at 10:54 PM" is better than the day alone in a heading.
_LESS_EXACT, _QUARTER_S, _MINUTE_S = 0.9, 900, 60


def _weight(found: FoundDate, text: str, when: datetime) -> float:
    """Weighs exact moments above days, and bare dates above sentences that contain one."""
    exact = 1.0 if _is_same_minute(found, when) else _LESS_EXACT
    same_day = 1.0 if found.moment.date() == when.date() else _NEXT_DAY
    alone = (found.end - found.start) / max(1, len(text.strip()))
    return exact * same_day * (0.85 + 0.15 * min(1.0, alone))


def _is_same_minute(found: FoundDate, when: datetime) -> bool:
    """Return whether a date with a time of day is the moment itself; zones differ by quarters of an hour."""
    if found.precision != "minute":
        return False
    apart = found.moment.replace(tzinfo=None) - when.astimezone(UTC).replace(tzinfo=None)
    return min(seconds := apart.total_seconds() % _QUARTER_S, _QUARTER_S - seconds) < _MINUTE_S


def constant_text_rules(examples: Iterable[tuple[Mapping[Rule, str], datetime | None]]) -> set[Rule]:
    """Return the rules that match the same text on posts of different days: today's date, or one of the whole blog.

    Examples are, for each page, the texts matched by rules and the feed's date.
    """
    texts: dict[Rule, set[str]] = {}
    days: dict[Rule, set[date]] = {}
    for given, when in examples:
        for rule, text in given.items():
            texts.setdefault(rule, set()).add(text)
            days.setdefault(rule, set()).update({when.date()} if when else ())
    return {rule for rule, found in texts.items() if len(found) == 1 and len(days[rule]) > 1}


def zone_of(pairs: Sequence[tuple[datetime, datetime]]) -> int | None:
    """Return the zone, in minutes east of UTC, of the naive moments on pages, or None if they disagree.

    Pairs are (the page's moment, the feed's). With summer time there are two offsets; the more frequent is returned.
    """
    offsets = Counter(_offset_of(local, when) for local, when in pairs)
    if not offsets:
        return None
    minutes, count = offsets.most_common(1)[0]
    return minutes if count >= _MIN_ZONE_SHARE * len(pairs) and abs(minutes) <= 14 * 60 else None


def displayed_zone(shown: Sequence[tuple[datetime, Sequence[FoundDate]]]) -> int | None:
    """Return the zone, in minutes east of UTC, in which pages display moments, or None if it may be UTC.

    `shown` has the post's moment and the dates read on the page for each page. Times of day, or offsets in the moments,
    settle the zone. If pages show only days, it is the zone nearest to UTC in which the moments fall on those days.
    """
    exact = [
        (when, [when, *(date.moment for date in dates if date.precision == "minute" and _may_be(date.moment, when))])
        for when, dates in shown
    ]
    of_pages = [{_offset_of(moment, when) for moment in moments} for when, moments in exact]
    # Among the times of many comments, one is at any distance from the post.
    offsets = Counter(offset for of_page in of_pages if len(of_page) <= _MAX_OFFSETS for offset in of_page)
    del offsets[0]
    if offsets:
        minutes, count = offsets.most_common(1)[0]
        return minutes if count >= _MIN_ZONE_SHARE * len(shown) else None
    days = [(when, {date.moment.date() for date in dates if date.precision == "day"}) for when, dates in shown]
    days = [(when, of_page) for when, of_page in days if of_page]
    fits = {hour: sum((when + timedelta(hours=hour)).date() in of_page for when, of_page in days) for hour in _HOURS}
    best = max(_HOURS, key=lambda hour: (fits[hour], -abs(hour)))
    is_settled = fits[best] == len(days) or fits[best] > fits[0] + 1
    return best * 60 if best and is_settled else None


def _may_be(moment: datetime, when: datetime) -> bool:
    """Whether a moment on the page may be this one; an aware one must be equal, or it may be a comment's."""
    return moment.tzinfo is None or abs(moment - when) < timedelta(minutes=1)


def _offset_of(local: datetime, when: datetime) -> int:
    """The offset of a local moment from UTC in minutes, rounded to quarters of an hour."""
    gap = local.replace(tzinfo=None) - when.astimezone(UTC).replace(tzinfo=None)
    return round(gap.total_seconds() / 900) * 15


_MAX_AUTHOR_TEXT = 160
_MAX_AUTHOR_CLIMB = 4
_MAX_LEAD = 24  # characters: "this post was written by"
_BYLINE = 0.9
_BEHIND_NAME = re.compile(r"\s*(?:$|[^\w\s]|[^\W\d])")  # no number: it would count followers or posts
_END_OF_NAME = re.compile(r"\s*[^\w\s]+\s*|\s+\w+\s+")
_AUTHOR_NAMES = re.compile(any_of(part_names("rule.author")), re.IGNORECASE)
# A bare name without author markup is often in a menu or in the article.
_UNMARKED = 0.75
# Words before a name, in the languages of the trial blogs and related ones.
BY = re.compile(rf"(?:^|\b)(?:{any_of(words_for('byline.by', 'byline.learned_by'))})[\s:]*$", re.IGNORECASE)


def author_scores(
    tree: Tree, names: Sequence[str], near: Sequence[float], article: int
) -> tuple[dict[int, float], dict[int, float]]:
    """Return how well nodes name the author: by their text, and by their `content` attribute (<meta>)."""
    wanted = [one_line(name).casefold() for name in names if name.strip()]
    sizes = tree.text_sizes
    by_text: dict[int, float] = {}
    by_content: dict[int, float] = {}
    for node, attrs in enumerate(tree.attrs):
        content = attrs.get("content") if attrs else None
        if content and one_line(content).casefold() in wanted:
            by_content[node] = 0.9 * near[node]
    lines = forms_of([tree.text[node] for node in tree.runs], lambda text: one_line(text).casefold())
    for name in wanted:
        for node in [node for node, line in zip(tree.runs, lines, strict=True) if name in line]:
            _climb(tree, node, wanted, near, sizes, by_text)
    for node in by_text:
        if _in_running_text(tree, node, article) and not any(_is_byline(_line(tree, node), name) for name in wanted):
            by_text[node] *= _UNMARKED
    return by_text, by_content


def _climb(
    tree: Tree, node: int, wanted: list[str], near: Sequence[float], sizes: Sequence[int], scores: dict[int, float]
) -> None:
    """Score the ancestors of a text run with the author's name, as long as they hold little else."""
    for _ in range(_MAX_AUTHOR_CLIMB):
        node = tree.parent[node]
        if node <= 0 or node in scores or sizes[node] > 4 * _MAX_AUTHOR_TEXT:
            return
        text = _line(tree, node)
        if len(text) > _MAX_AUTHOR_TEXT:
            return
        name = max((name for name in wanted if name in text), key=len, default="")
        marked = 1.0 if _is_marked(tree, node, text, name) else _UNMARKED
        # The words around the name are cut off later, so a byline is nearly as good as the bare name.
        share = 0.6 + 0.4 * len(name) / max(1, len(text))
        scores[node] = (max(share, _BYLINE) if _is_byline(text, name) else share) * marked * near[node]


def _line(tree: Tree, node: int) -> str:
    return one_line(tree.plain(node)).casefold()


def _is_byline(text: str, name: str) -> bool:
    """Whether the name follows a word such as "by" near the start of the text: "posted by ada at 3 pm"."""
    start = text.find(name)
    is_led = 0 < start <= _MAX_LEAD and BY.search(text[:start]) is not None
    return is_led and _BEHIND_NAME.match(text, start + len(name)) is not None


def _is_marked(tree: Tree, node: int, text: str, name: str) -> bool:
    """Whether attributes of the node or its parent contain a word such as "author", or "by" precedes the name."""
    for each in (node, tree.parent[node]):
        attrs = tree.attrs[each]
        if attrs and _AUTHOR_NAMES.search(
            " ".join(attrs.get(key) or "" for key in ("class", "id", "rel", "itemprop", "href"))
        ):
            return True
    return BY.search(text[: text.find(name)]) is not None


def _in_running_text(tree: Tree, node: int, article: int) -> bool:
    """Whether the node is in a paragraph of the article, where a name is only a mention."""
    if not article < node < tree.end[article]:
        return False
    while node > article:
        if tree.tag[node] == "p":
            return True
        node = tree.parent[node]
    return False


def common_beginning(texts: Sequence[str]) -> str:
    """Return the longest string that all texts begin with."""
    first, last = min(texts), max(texts)
    same = next((place for place, char in enumerate(first) if last[place : place + 1] != char), len(first))
    return first[:same]


def with_affixes(rule: FieldRule, examples: Sequence[tuple[str, Sequence[str]]]) -> FieldRule | None:
    """Return the rule with the words around the name on all pages; examples are (node's text, names).

    None if the texts after the names share only a space, which cannot mark the end of a name.
    """
    before, after = [], []
    for text, names in examples:
        folded, wanted = text.casefold(), [one_line(name).casefold() for name in names]
        places = [(start, start + len(name)) for name in wanted if (start := folded.find(name)) >= 0]
        if places:
            before.append(text[: min(places)[0]][::-1])
            after.append(text[max(end for _, end in places) :])
    if not before:
        return rule
    behind = common_beginning(after)
    # The part that ends the name: " at " of " at September 1", since the month varies.
    found = _END_OF_NAME.match(behind)
    end = found[0] if found else behind
    if end.isspace():
        return None
    return msgspec.structs.replace(rule, before=common_beginning(before)[::-1], after=end)


_FAR = 24
_NEAR = [1.0 - edges / (2 * _FAR) for edges in range(_FAR + 1)]
_ELSEWHERE = 0.6
_OTHERS = re.compile(rf"(?:^|[-_ ])(?:{any_of(part_names('other.dated_part'))})(?:$|[-_ ])", re.IGNORECASE)


def proximity_weights(tree: Tree, article: int) -> list[float]:
    """Return a weight for every node by its distance from the article in edges, from 1.0 down to 0.5.

    Parts named after other posts or people get less, except ancestors of the article, which may be named after the
    sidebar that they also hold.
    """
    size = len(tree)
    distance = [_FAR] * size
    node, steps = article, 0
    while node >= 0:  # the ancestors; all other nodes are reached from them
        distance[node] = min(steps, _FAR)
        node, steps = tree.parent[node], steps + 1
    for node, parent in enumerate(tree.parent):
        if node and distance[parent] < distance[node] - 1:
            distance[node] = distance[parent] + 1
    near = [_NEAR[edges] for edges in distance]
    node = 1
    while node < size:
        if not node <= article < tree.end[node] and _is_about_others(tree, node):
            near[node : tree.end[node]] = [weight * _ELSEWHERE for weight in near[node : tree.end[node]]]
            node = tree.end[node]
        else:
            node += 1
    return near


def _is_about_others(tree: Tree, node: int) -> bool:
    attrs = tree.attrs[node]
    if not attrs or tree.tag[node] in ("html", "body", "article", "main"):
        return tree.tag[node] in ("aside", "form")
    name, classes = attrs.get("id"), attrs.get("class")
    return (name is not None or classes is not None) and _names_others(name or "", classes or "")


@lru_cache(maxsize=4096)  # a blog's pages share a few dozen distinct names
def _names_others(name: str, classes: str) -> bool:
    return _OTHERS.search(f"{name} {classes}") is not None


# Surest first. <link rel=author> elements have no text and give no name.
_CANDIDATES: tuple[tuple[Rule, float], ...] = (
    (Rule("attr", "itemprop=name", under=Rule("attr", "itemprop=author")), 0.8),
    (Rule("class", "p-author"), 0.8),
    (Rule("attr", "rel=author", "a"), 0.8),
    (Rule("attr", "rel=author", "span"), 0.8),
    (Rule("attr", "itemprop=author"), 0.75),
    (Rule("class", "fn", under=Rule("class", "author")), 0.75),
    (Rule("attr", "name=author", "meta", attribute="content"), 0.7),
    (Rule("attr", "property=article:author", "meta", attribute="content"), 0.65),
    (Rule("class", "author"), 0.55),
)
_MIN_PAGES_SHARE = 0.8
_BLOGS_OWN_NAME = 0.4
_NAME = re.compile(r"[^\W\d_]{2}")
_MAX_NAME, _MAX_LEAD_WORDS = 60, 4


def declared_names(document: Document) -> dict[Rule, str]:
    """Return the author names in the page's markup, by the rule that matches them."""
    return {rule: name for rule, _ in _CANDIDATES if (name := _declared_name(document, rule))}


def declared_author_rules(pages: Sequence[Mapping[Rule, str]], blog_name: str | None) -> tuple[FieldRule, ...]:
    """Return the surest rule that matches on nearly all pages, or none; `pages` are results of `declared_names`."""
    for rule, confidence in _CANDIDATES:
        names = [page[rule] for page in pages if rule in page]
        if pages and len(names) >= _MIN_PAGES_SHARE * len(pages):
            before = _shared_introduction(names)
            own = {letters_and_digits(name) for name in names} == {letters_and_digits(blog_name or "")}
            sure = _BLOGS_OWN_NAME if own else confidence
            return (FieldRule(rule=rule, confidence=sure, pages=len(names), of_pages=len(pages), before=before),)
    return ()


def _declared_name(document: Document, rule: Rule) -> str:
    tree = document.first(rule)
    if tree is None:
        return ""
    name = one_line(tree.attrs[0].get(rule.attribute) or "" if rule.attribute else text_of(tree))
    if len(name) > _MAX_NAME or "://" in name or is_account_name(name) or not _NAME.search(name):
        return ""
    return name


def _shared_introduction(names: Sequence[str]) -> str:
    """The "by " or "posted by " before the name on all pages."""
    words = names[0].split(" ")
    leads = (" ".join(words[:count]) + " " for count in range(min(_MAX_LEAD_WORDS, len(words) - 1), 0, -1))
    return next((lead for lead in leads if BY.search(lead) and all(name.startswith(lead) for name in names)), "")
