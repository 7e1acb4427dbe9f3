"""OUT rules: rules for boilerplate inside the article's node.

Share bars, author boxes, "posted in", related posts. With a whole feed text the test is direct: a part whose words the
feed never has is boilerplate. Without one, a part is boilerplate when all of its text belongs to the blog's template or
to fields that were found elsewhere (title, date, author, tags, comments). One page may be wrong, because feeds leave
things out; a rule needs nearly all of its nodes to be boilerplate, on more than one page. And what outweighs the feed's
whole text on the few pages that have it, a slideshow, was left out by the feed and not put in by the blog.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from unicodedata import east_asian_width
from urllib.parse import urlsplit

import msgspec

from posterity.classify.text_density import HEADINGS
from posterity.dom import Document, Tree
from posterity.dom.terms import unlinked_terms
from posterity.dom.tree import first_match, matches
from posterity.learning.article import in_other_part, is_template, run_keys
from posterity.learning.evidence import TrainingPage, documents
from posterity.learning.rule_selection import (
    PageNames,
    RuleScores,
    best_rule,
    first_names,
    kind_names,
    places_of_children,
)
from posterity.model import FieldRule, Rule
from posterity.text.dates import is_date_line
from posterity.text.dates.reading import may_date
from posterity.text.normal_form import letters_and_digits, one_line
from posterity.urls import PostPattern, canonical_url, is_http_url
from posterity.urls.kinds import is_listing
from posterity.urls.post_pattern import post_pattern

# A run this wide ("3", "by") is in any text by accident and means nothing; a wide letter of China or Japan counts
# twice, since two of them are a word.
_MUTE = 2
# A name or a tag may do so too: up to this length, a run is the article's own only where it goes on after the run
# before, or soon after.
_SHORT, _SOON = 20, 16
# A boilerplate part may hold this share of the article's words by accident.
_NATIVE_SHARE = 0.05
_MIN_BOILERPLATE = 0.95
_FORGIVING = 8  # nodes, of which one may be native: a tag's name that is the first word of the text
_SAYING_TAGS = frozenset(
    {"footer", "header", "nav", "aside", "h1", "h2", "time", "address", "form", "button", "label", "cite"}
)
_BLOCKS = frozenset({"p", "div", "br", "ul", "ol", "table", "blockquote", "pre"})
_NAMES = frozenset({"id", "class", "attr"})
_KIND_RANK = {"id": 0, "class": 1, "attr": 2, "tag": 3, "child": 4}
_MIN_PAGES_SHARE = 0.1
_MIN_PLACE_SHARE = 0.6
_TELLING = 4  # the width that texts at one place must share to be recognised by it
# The URL of a post differs from page to page, wherever it is written out ("TrackBack URL for this entry: ...").
_BARE_URL = re.compile(r"\W{0,9}https?://\S+\s*$")
# A part that outweighs the article is none of it only if most pages have it.
_MIN_VAST_SHARE = 0.5


class OutRuleScores(msgspec.Struct, frozen=True):
    """One page: how many nodes each rule names and how many of them are boilerplate, and the boilerplate parts.

    A part is its names, and the numbers of the parts inside it, its own included. `vast` are the names of parts that
    have more text than the article. `texts` are those of the boilerplate parts that a place names.
    """

    counts: dict[Rule, tuple[int, int]]
    parts: tuple[tuple[tuple[Rule, ...], range], ...]
    vast: frozenset[Rule] = frozenset()
    texts: dict[Rule, str] = {}


def boilerplate_by_feed(target: str) -> Callable[[str], bool | None]:
    """Return the test of a text run against the feed's text: boilerplate (True), article (False), or undecided (None).

    Runs are best asked about in their order: the search begins where the run before was found.
    """
    whole = letters_and_digits(target)
    reached = 0

    def is_boilerplate(run: str) -> bool | None:
        nonlocal reached
        key = letters_and_digits(run)
        if _width(key) <= _MUTE:
            return None
        is_short = len(key) <= _SHORT
        found = whole.find(key, reached, reached + _SOON + len(key)) if is_short else whole.find(key, reached)
        if found >= 0:
            reached = found + len(key)
            return False
        if key not in whole:
            return True
        return None if is_short else False

    return is_boilerplate


def _width(text: str) -> int:
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)


def out_rule_scores(article: Tree, is_boilerplate: Callable[[int], bool | None]) -> OutRuleScores:
    """Return the page's scores; `is_boilerplate` judges the text runs of the article's tree by node.

    Nodes of the article count too: a name that its own paragraphs share is no name of boilerplate.
    """
    boilerplate, native = _masses(article, is_boilerplate)
    counts: dict[Rule, tuple[int, int]] = {}
    boilerplate_nodes: list[tuple[int, tuple[Rule, ...]]] = []
    vast: set[Rule] = set()
    texts: dict[Rule, str] = {}
    places = places_of_children(article)
    for node in range(1, len(article)):
        if article.tag[node] == "#text" or not boilerplate[node] + native[node] or article.unseen[node]:
            continue
        out = boilerplate[node] > 0 and native[node] <= _NATIVE_SHARE * boilerplate[node]
        names = tuple(rule for rule in (*kind_names(article, node), *places.get(node, ())) if _has_enough_text(rule))
        for rule in names:
            named, outside = counts.get(rule, (0, 0))
            counts[rule] = (named + 1, outside + out)
        if out:
            boilerplate_nodes.append((node, names))
            texts |= dict.fromkeys(places.get(node, ()), one_line(article.plain(node)))
            if boilerplate[node] > native[0]:
                vast.update(names)
    return OutRuleScores(counts, _parts(article, boilerplate_nodes), frozenset(vast), texts)


def _has_enough_text(rule: Rule) -> bool:
    """A <div> or <p> without a name may be anything on the next page, wherever it is."""
    return rule.kind != "tag" or rule.value in _SAYING_TAGS


def _parts(article: Tree, nodes: list[tuple[int, tuple[Rule, ...]]]) -> tuple[tuple[tuple[Rule, ...], range], ...]:
    starts = [node for node, _ in nodes]
    return tuple(
        (names, range(number, bisect_left(starts, article.end[node]))) for number, (node, names) in enumerate(nodes)
    )


def _tolerated_misses(rule: Rule, named: int) -> int:
    """How many native nodes a rule may name. A place is no name: what is last in one post may be its author's."""
    return 1 if named >= _FORGIVING and rule.kind in _NAMES else 0


def select_out_rules(
    page_rule_scores: Sequence[OutRuleScores], min_pages_share: float = _MIN_PAGES_SHARE
) -> tuple[FieldRule, ...]:
    """Return the OUT rules, most frequent first. All of their matches are left out."""
    named: dict[Rule, int] = defaultdict(int)
    boilerplate: dict[Rule, int] = defaultdict(int)
    pages: dict[Rule, int] = defaultdict(int)
    vast = Counter(rule for page in page_rule_scores for rule in page.vast)
    for page in page_rule_scores:
        for rule, (count, out) in page.counts.items():
            named[rule] += count
            boilerplate[rule] += out
            pages[rule] += 1
    kept = {
        rule
        for rule in named
        if named[rule] - boilerplate[rule]
        <= max(_tolerated_misses(rule, named[rule]), named[rule] * (1 - _MIN_BOILERPLATE))
        and pages[rule] >= _enough(rule, len(page_rule_scores), min_pages_share)
        and (2 * vast[rule] <= pages[rule] or pages[rule] >= _MIN_VAST_SHARE * len(page_rule_scores))
    }
    return tuple(
        FieldRule(
            rule=rule,
            confidence=round(boilerplate[rule] / named[rule], 4),
            pages=pages[rule],
            of_pages=len(page_rule_scores),
            per_page=_most_headings(rule, page_rule_scores),
            before=before,
            after=after,
        )
        for rule in _minimal_rules(page_rule_scores, kept)
        for before, after in [_shared_words([page.texts[rule] for page in page_rule_scores if rule in page.texts])]
    )


def _most_headings(rule: Rule, page_rule_scores: Sequence[OutRuleScores]) -> int:
    """How many headings of this tag a page has at most; 0 for other rules, which leave out whatever they name.

    Where one kind of post has its title as <h2>, another has sections.
    """
    if rule.kind != "tag" or rule.value not in HEADINGS:
        return 0
    return max(page.counts[rule][0] for page in page_rule_scores if rule in page.counts)


def _shared_words(texts: Sequence[str]) -> tuple[str, str]:
    """What all of these texts begin and end with, in whole words; nothing where that is too short to mean anything.

    A place has no meaning of its own: on pages of another layout, the last paragraph may be the end of the article.
    """
    if not texts:
        return "", ""
    before = _common_beginning(texts)
    after = _common_beginning([text[::-1] for text in texts])[::-1]
    if any(len(text) > len(before) for text in texts):
        before = before.rpartition(" ")[0]
    if any(len(text) > len(after) for text in texts):
        after = after.partition(" ")[2]
    return before if _width(before) >= _TELLING else "", after if _width(after) >= _TELLING else ""


def _common_beginning(texts: Sequence[str]) -> str:
    first, last = min(texts), max(texts)
    differ = (place for place, (left, right) in enumerate(zip(first, last, strict=False)) if left != right)
    return first[: next(differ, len(first))]


def _minimal_rules(page_rule_scores: Sequence[OutRuleScores], rules: set[Rule]) -> list[Rule]:
    """Of many names for the same parts one is enough: those that reach most go first, others must add something."""
    reach: dict[Rule, set[tuple[int, int]]] = defaultdict(set)
    for number, page in enumerate(page_rule_scores):
        for names, inside in page.parts:
            for rule in names:
                if rule in rules:
                    reach[rule].update((number, part) for part in inside)
    reached: set[tuple[int, int]] = set()
    needed = []
    for rule in sorted(rules, key=lambda rule: (-len(reach[rule]), _KIND_RANK[rule.kind], rule.css)):
        if reach[rule] - reached:
            needed.append(rule)
            reached |= reach[rule]
    return needed


def _enough(rule: Rule, pages: int, share: float) -> float:
    """A name has a meaning; a place or a bare tag needs more pages, since articles differ in length."""
    if rule.kind in ("child", "tag"):
        share = max(share, _MIN_PLACE_SHARE)
    return max(min(2, pages), pages * share)


def _masses(article: Tree, is_boilerplate: Callable[[int], bool | None]) -> tuple[list[int], list[int]]:
    """For every node, the characters below it that are boilerplate, and those of the article."""
    boilerplate, native = [0] * len(article), [0] * len(article)
    for node in article.runs:
        verdict = is_boilerplate(node)
        if verdict is not None:
            (boilerplate if verdict else native)[node] = len(article.text[node].strip())
    return article.summed(boilerplate), article.summed(native)


# A feed's text is evidence in itself. That a text repeats is not: "References" is over the end of many articles.
_FEED_PAGES_SHARE = 0.1
_TEMPLATE_PAGES_SHARE = 0.6
_FIELDS_OUTSIDE = ("title", "authors", "published")
_REST = re.compile(
    r"(?:(?:entry|post|asset|article)-?)?(?:more|extended|continued)(?:-?(?:entry|text|body))?", re.IGNORECASE
)
_SOME_TEXT = 60  # characters
_FOOTNOTES = re.compile(r"(?:foot|end)-?notes?", re.IGNORECASE)


def out_rules_by_feed(
    training_pages: Sequence[TrainingPage],
    pages: Mapping[str, bytes | str | Document],
    fields: Mapping[str, tuple[FieldRule, ...]],
    evidences: Mapping[str, ArticleEvidence],
    boundaries: tuple[FieldRule, ...] = (),
) -> tuple[FieldRule, ...]:
    """Return the rules for the parts of the article's node that the feed's whole texts do not have.

    `boundaries` are rules for what precedes and follows the article; they come first, and what they select is skipped.
    """
    whole = [training_page for training_page in training_pages if training_page.feed_text.whole]
    scores = list(_beside_feed(whole, pages, fields, evidences, boundaries))
    return boundaries + select_out_rules(scores, _FEED_PAGES_SHARE)


def out_rules_by_template(
    training_pages: Sequence[TrainingPage],
    pages: Mapping[str, bytes | str | Document],
    fields: Mapping[str, tuple[FieldRule, ...]],
    template: Counter[int],
) -> tuple[FieldRule, ...]:
    """Return the rules for the parts of the article's node that repeat; the template counts on how many pages."""
    posts = post_pattern(canonical_url(training_page.url) for training_page in training_pages)
    read = documents(training_pages, pages)
    page_rule_scores = (_by_template(document, template, len(training_pages), fields, posts) for document, _ in read)
    return select_out_rules(
        [rule_scores for rule_scores in page_rule_scores if rule_scores is not None], _TEMPLATE_PAGES_SHARE
    )


def beside_feed(article: Tree, text: str, url: str, outside: Iterable[int] = ()) -> OutRuleScores:
    """Return what is in the article's node and not in the feed's text; tags may be the words that open the text."""
    judge, whole = boilerplate_by_feed(text), letters_and_digits(text)
    listed, own = _in_contents(article, text), _in_named_parts(article) | _in_anchored_headings(article)
    terms = (inner for node in _terms(article, url) for inner in range(node, article.end[node]))
    own |= {node for node in terms if letters_and_digits(article.text[node]) in whole}
    own |= {inner for node in outside for inner in range(node, article.end[node])}
    return out_rule_scores(article, lambda node: None if node in own else node in listed or judge(article.text[node]))


def _terms(article: Tree, url: str) -> list[int]:
    """The tags and categories in the article's node: links to lists of this blog's posts, and terms without links."""
    links = (node for node in article.nodes_by_tag.get("a", ()) if _leads_to_list(article, node, url))
    return [*links, *unlinked_terms(article)]


def _in_named_parts(article: Tree) -> set[int]:
    """Return the nodes of footnotes and of the text below "read more": some software leaves both out of its feed."""
    named = (
        node
        for names in (article.nodes_by_id, article.nodes_by_class)
        for name, nodes in names.items()
        for node in nodes
        if _FOOTNOTES.fullmatch(name) or (_REST.fullmatch(name) and _is_text(article, node))
    )
    return {inner for node in named for inner in range(node, article.end[node])}


def _is_text(article: Tree, node: int) -> bool:
    """Return whether the node has some text, and most of it is not in links: a link to the rest has the same name."""
    links = (link for link in article.nodes_by_tag.get("a", ()) if node <= link < article.end[node])
    return article.text_sizes[node] >= max(_SOME_TEXT, 2 * sum(article.text_sizes[link] for link in links))


def _in_contents(article: Tree, text: str) -> set[int]:
    """The nodes of a table of contents that the feed does not have: links that repeat headings."""
    links = [node for node in article.nodes_by_tag.get("a", ()) if "#" in (article.attrs[node].get("href") or "")]
    if not links:
        return set()
    headings = {
        letters_and_digits(article.plain(node)) for tag in HEADINGS for node in article.nodes_by_tag.get(tag, ())
    }
    whole = letters_and_digits(text)
    labels = {node: letters_and_digits(article.plain(node)) for node in links}
    entries = [node for node, words in labels.items() if words in headings and whole.count(words) == 1]
    return {inner for node in entries for inner in range(node, article.end[node])}


def _beside_feed(
    training_pages: Sequence[TrainingPage],
    pages: Mapping[str, bytes | str | Document],
    fields: Mapping[str, tuple[FieldRule, ...]],
    evidences: Mapping[str, ArticleEvidence],
    boundaries: Sequence[FieldRule],
) -> Iterator[OutRuleScores]:
    """What pages have besides the feed's text. Only those are read again that took another node for their article."""
    unread = []
    for training_page in training_pages:
        evidence = evidences.get(training_page.url)
        if evidence is not None and evidence.beside is not None and evidence.agrees(fields["text"]):
            yield evidence.beside
        else:
            unread.append(training_page)
    for document, training_page in documents(unread, pages):
        article = _article(document, fields)
        if article is not None:
            outside = (node for rule in boundaries for node in matches(article, rule.rule))
            yield beside_feed(article, training_page.feed_text.text, training_page.url, outside)


def _by_template(
    document: Document,
    template: Counter[int],
    pages: int,
    fields: Mapping[str, tuple[FieldRule, ...]],
    posts: PostPattern,
) -> OutRuleScores | None:
    """Boilerplate is what repeats, what is named as something else, what is one of the other fields, and some links.

    Code repeats by its nature, and so do some headings. The list of a tag is linked where the post lists its tags, and
    another post where the one before or after is named; tags may have no links.
    """
    article = _article(document, fields)
    if article is None:
        return None
    other = in_other_part(article)
    code = {node for block in article.nodes_by_tag.get("pre", ()) for node in range(block, article.end[block])}
    keys = dict(zip(article.runs, run_keys(article), strict=True))
    places = ((_place_in(article, document, rule) for rule in fields.get(field, ())) for field in _FIELDS_OUTSIDE)
    others = [node for nodes in places if (node := next(filter(None, nodes), None))]
    others += _terms(article, document.url)
    own = code | _in_anchored_headings(article)
    outside = bytearray(len(article))

    def leave_out(nodes: Iterable[int]) -> None:
        for node in nodes:
            outside[node : article.end[node]] = b"\x01" * (article.end[node] - node)

    def is_boilerplate(node: int) -> bool | None:
        if outside[node] or other[node]:
            return True
        is_repeated = is_template(template.get(keys[node], 0), pages) and node not in own
        if is_repeated or is_date_line(article.text[node]):
            return True
        return None if _BARE_URL.match(article.text[node]) else False

    leave_out(others)
    leave_out(_links_to_posts(article, document, posts, is_boilerplate))
    return out_rule_scores(article, is_boilerplate)


def _in_anchored_headings(article: Tree) -> set[int]:
    """The nodes of headings whose ids, or those of their sections, are made of their words: authors wrote them.

    "Introduction" and "References" are in most posts of many blogs.
    """
    return {
        inner
        for tag in HEADINGS
        for node in article.nodes_by_tag.get(tag, ())
        if (key := letters_and_digits(article.plain(node)))
        and any(key == letters_and_digits(article.attrs[one].get("id") or "") for one in (node, article.parent[node]))
        for inner in range(node, article.end[node])
    }


def _links_to_posts(
    article: Tree, document: Document, posts: PostPattern, is_boilerplate: Callable[[int], bool | None]
) -> list[int]:
    """The links to other posts that are by themselves: nothing of the article is beside them in their element."""
    own, host = canonical_url(document.url), urlsplit(document.url).netloc
    links = []
    for node in article.nodes_by_tag.get("a", ()):
        url = canonical_url(article.attrs[node].get("href") or "", document.base_url)
        if is_http_url(url) and urlsplit(url).netloc == host and url != own and posts.fits(url):
            links.append(node)
    unlinked = set(article.runs).difference(*(range(node, article.end[node]) for node in links))

    @cache
    def is_alone_in(around: int) -> bool:
        beside = (node for node in range(around, article.end[around]) if node in unlinked)
        return around > 0 and all(
            _width(letters_and_digits(article.text[node])) <= _MUTE or is_boilerplate(node) for node in beside
        )

    return [node for node in links if is_alone_in(article.parent[node])]


def _leads_to_list(article: Tree, link: int, url: str) -> bool:
    """Return whether a link leads to a list of this blog's posts, but its front page."""
    href = article.attrs[link].get("href") or ""
    try:
        parts = urlsplit(href)
        is_own = parts.netloc in ("", urlsplit(url).netloc)
    except ValueError:
        return False
    return is_own and not parts.fragment and bool(parts.path.strip("./")) and is_listing(href)


def _place_in(article: Tree, document: Document, rule: FieldRule) -> int | None:
    """The node of the article that the rule names on its page; a path, and what it is in, may begin outside of it."""
    inside = first_match(article, rule.rule) if rule.rule.kind != "path" else None
    found = document.first(rule.rule) if inside is None else None
    if found is None:
        return inside
    text = one_line(found.plain(0))
    same = (node for node in article.nodes_by_tag.get(found.tag[0], ()) if one_line(article.plain(node)) == text)
    return next(same, None)


def _article(document: Document, fields: Mapping[str, tuple[FieldRule, ...]]) -> Tree | None:
    found = (document.first(rule.rule) for rule in fields["text"])
    return next((tree for tree in found if tree is not None), None)


# Below this mean word F1 the feed's text is not the article but a part of it.
WHOLE_FEED_F1 = 0.7
_PIECE_DEPTH = 4  # of the text in the cell of a notebook


class ArticleEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """A page's scores for the article, its best node and how good that is; None where no node can hold the article.

    `likely` is the node that the page alone would choose: of nodes that are as good as the best, one with a name.
    `names` are the rules that name it, `beside` is what it has besides the feed's text, `paragraphs` are the rules that
    name one <p>, or one cell of a notebook, among others on this page, and `only_paragraphs` those of a <p> alone.
    """

    rule_scores: RuleScores
    article: int | None
    score: float
    likely: int | None
    names: frozenset[Rule]
    paragraphs: frozenset[Rule]
    only_paragraphs: frozenset[Rule]
    beside: OutRuleScores | None = None

    @property
    def doubts_feed(self) -> bool:
        """Whether the feed's text seems to be the beginning of the article only."""
        return self.score < WHOLE_FEED_F1 or not self.names.isdisjoint(self.paragraphs)

    def agrees(self, rules: Sequence[FieldRule]) -> bool:
        """Return whether these rules name the likely node: the first of them that names anything on this page."""
        first = next((rule.rule for rule in rules if self.rule_scores.matches(rule.rule)), None)
        return first in self.names


def article_evidence(tree: Tree, scores: Mapping[int, float], names: PageNames) -> ArticleEvidence:
    """Return the page's account from how well its nodes hold the article; a heading holds its title at most."""
    scores = {node: score for node, score in scores.items() if not _is_only_heading(tree, node)} or scores
    article = best_of(scores)
    named = list(first_names(tree, scores))
    rule_scores = RuleScores({rule: (scores[node], tree.end[node] - node, count) for rule, node, count in named}, names)
    winner = best_rule([rule_scores])
    likely = next((node for rule, node, _ in named if rule == winner), None)
    paragraphs = {node for node in scores if tree.tag[node] == "p" and _has_copy(tree, node)}
    paragraphs |= {node for node in {article, likely} if node is not None and _is_one_piece(tree, node)}
    return ArticleEvidence(
        rule_scores=rule_scores,
        article=article,
        score=0.0 if article is None else scores[article],
        likely=likely,
        names=frozenset(rule for rule, node, _ in named if node == likely),
        paragraphs=frozenset(rule for rule, node, _ in named if node in paragraphs),
        only_paragraphs=frozenset(rule for rule, node, _ in named if tree.tag[node] == "p" and node not in paragraphs),
    )


def _is_only_heading(tree: Tree, node: int) -> bool:
    """Return whether the node is a heading; one that was never closed holds the paragraphs behind it."""
    return tree.tag[node] in HEADINGS and _BLOCKS.isdisjoint(tree.tag[node : tree.end[node]])


def best_of(scores: Mapping[int, float]) -> int | None:
    """Return the node with the highest score, of equals the last and so the innermost."""
    return max(scores, key=lambda node: (scores[node], node), default=None)


def _has_copy(tree: Tree, node: int) -> bool:
    """Return whether others of its kind are beside it, or in sections of the section that it opens."""
    around = tree.parent[node]
    sections = (
        child
        for child in tree.children(around)
        if tree.tag[around] == tree.tag[child] == "section" or _same_names(tree, child, around)
    )
    return sum(tree.tag[child] == tree.tag[node] for place in (around, *sections) for child in tree.children(place)) > 1


def _is_one_piece(tree: Tree, node: int) -> bool:
    """Return whether elements of the same names beside it, or beside what it is in, have more text, and no dates.

    A feed may give the first cell of a notebook. Comments that are called as posts are have a date each.
    """
    piece = node
    for _ in range(_PIECE_DEPTH):
        around = tree.parent[piece]
        if around <= 0:
            break
        beside = [one for one in tree.children(around) if one != piece and _same_names(tree, one, piece)]
        others = [inner for one in beside for inner in range(one, tree.end[one]) if _same_names(tree, inner, node)]
        if sum(tree.text_sizes[one] for one in others) > tree.text_sizes[node]:
            return sum(may_date(tree.plain(one)) for one in beside) * 2 < len(beside)
        piece = around
    return False


def _same_names(tree: Tree, one: int, other: int) -> bool:
    names = tree.attrs[other].get("class")
    return names is not None and tree.tag[one] == tree.tag[other] and tree.attrs[one].get("class") == names
