"""OUT rules: rules for boilerplate inside the article's node, such as share bars, author boxes and related posts.

With a full-text feed the test is direct: a part whose words are not in the feed's text is boilerplate. Without one, a
part is boilerplate when all of its text belongs to the blog's template or to other fields (title, date, author, tags,
comments). A single page may be wrong, because feeds leave things out, so nearly all nodes of a rule must be
boilerplate, on more than one page. A part that has more text than the feed's article and is on few pages, such as a
slideshow, was omitted by the feed and is content.
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

from posterity.dom import Document, Tree
from posterity.dom.elements import HEADINGS
from posterity.dom.terms import unlinked_terms
from posterity.dom.tree import first_match, matches
from posterity.learning import rule_selection
from posterity.learning.article import in_other_part, is_template, run_keys
from posterity.learning.evidence import TrainingPage, documents
from posterity.learning.fields import common_beginning
from posterity.model import FieldRule, Rule
from posterity.text.dates import is_date_line
from posterity.text.dates.reading import may_date
from posterity.text.normal_form import letters_and_digits, one_line
from posterity.urls import PostPattern, canonical_url, is_http_url
from posterity.urls.kinds import is_listing
from posterity.urls.post_pattern import post_pattern

# A run this short ("3", "by") is in any text by chance and proves nothing; wide (East Asian) characters count twice,
# since two of them make a word.
_TOO_SHORT = 2
# So may a name or a tag: up to this length, a run is the article's only if it is found right after the previous run,
# or soon after it.
_SHORT, _SOON = 20, 16
# The share of article text, relative to boilerplate, that a boilerplate part may contain by chance.
_NATIVE_SHARE = 0.05
_MIN_BOILERPLATE = 0.95
_FORGIVING = 8  # nodes, of which one may be native: a tag whose name is also the first word of the text
_SPECIFIC_TAGS = frozenset(
    {"footer", "header", "nav", "aside", "h1", "h2", "time", "address", "form", "button", "label", "cite"}
)
_BLOCKS = frozenset({"p", "div", "br", "ul", "ol", "table", "blockquote", "pre"})
_NAMES = frozenset({"id", "class", "attr"})
_MIN_PAGES_SHARE = 0.1
_MIN_PLACE_SHARE = 0.6
_MIN_SHARED_WIDTH = 4  # the width of the words that texts at one place must share for the rule to require them
# Spelled-out URLs of posts differ from page to page ("TrackBack URL for this entry: ...").
_BARE_URL = re.compile(r"\W{0,9}https?://\S+\s*$")
# A part with more text than the article is boilerplate only if at least this share of the pages has it.
_MIN_OVERSIZED_SHARE = 0.5


class OutRuleScores(msgspec.Struct, frozen=True):
    """One page: how many nodes each rule matches and how many of them are boilerplate, and the boilerplate parts.

    A part is its rules and the range of part numbers inside it, itself included. `oversized` holds the rules of parts
    with more text than the article, `texts` the texts of boilerplate parts by the rules that match them by position.
    """

    counts: dict[Rule, tuple[int, int]]
    parts: tuple[tuple[tuple[Rule, ...], range], ...]
    oversized: frozenset[Rule] = frozenset()
    texts: dict[Rule, str] = {}


def boilerplate_by_feed(target: str) -> Callable[[str], bool | None]:
    """Return a test of text runs against the feed's text: boilerplate (True), article (False), or undecided (None).

    Call it with the runs in document order: each search starts where the previous run was found.
    """
    whole = letters_and_digits(target)
    reached = 0

    def is_boilerplate(run: str) -> bool | None:
        nonlocal reached
        key = letters_and_digits(run)
        if _width(key) <= _TOO_SHORT:
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
    """Return the page's scores; `is_boilerplate` classifies the text runs of the article's tree by node.

    Nodes of the article are counted too, because a rule that also matches paragraphs cannot be an OUT rule.
    """
    boilerplate, native = _masses(article, is_boilerplate)
    counts: dict[Rule, tuple[int, int]] = {}
    boilerplate_nodes: list[tuple[int, tuple[Rule, ...]]] = []
    oversized: set[Rule] = set()
    texts: dict[Rule, str] = {}
    places = rule_selection.places_of_children(article)
    for node in range(1, len(article)):
        if article.tag[node] == "#text" or not boilerplate[node] + native[node] or article.unseen[node]:
            continue
        out = boilerplate[node] > 0 and native[node] <= _NATIVE_SHARE * boilerplate[node]
        rules = (*rule_selection.kind_names(article, node), *places.get(node, ()))
        names = tuple(rule for rule in rules if _is_specific(rule))
        for rule in names:
            named, outside = counts.get(rule, (0, 0))
            counts[rule] = (named + 1, outside + out)
        if out:
            boilerplate_nodes.append((node, names))
            texts |= dict.fromkeys(places.get(node, ()), one_line(article.plain(node)))
            if boilerplate[node] > native[0]:
                oversized.update(names)
    return OutRuleScores(counts, _parts(article, boilerplate_nodes), frozenset(oversized), texts)


def _is_specific(rule: Rule) -> bool:
    """False for a bare <div> or <p>, which may be anything on the next page."""
    return rule.kind != "tag" or rule.value in _SPECIFIC_TAGS


def _parts(article: Tree, nodes: list[tuple[int, tuple[Rule, ...]]]) -> tuple[tuple[tuple[Rule, ...], range], ...]:
    starts = [node for node, _ in nodes]
    return tuple(
        (names, range(number, bisect_left(starts, article.end[node]))) for number, (node, names) in enumerate(nodes)
    )


def _tolerated_misses(rule: Rule, named: int) -> int:
    """How many native nodes a rule may match; none for a position: the last element of a post may be its author's."""
    return 1 if named >= _FORGIVING and rule.kind in _NAMES else 0


def select_out_rules(
    page_rule_scores: Sequence[OutRuleScores], min_pages_share: float = _MIN_PAGES_SHARE
) -> tuple[FieldRule, ...]:
    """Return the OUT rules, most frequent first. All of their matches are removed from the article."""
    named: dict[Rule, int] = defaultdict(int)
    boilerplate: dict[Rule, int] = defaultdict(int)
    pages: dict[Rule, int] = defaultdict(int)
    oversized = Counter(rule for page in page_rule_scores for rule in page.oversized)
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
        and (2 * oversized[rule] <= pages[rule] or pages[rule] >= _MIN_OVERSIZED_SHARE * len(page_rule_scores))
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
    """The highest number of headings of this tag on a page; 0 (no limit) for rules of other kinds.

    An <h2> may be the title in one kind of post and a section in another.
    """
    if rule.kind != "tag" or rule.value not in HEADINGS:
        return 0
    return max(page.counts[rule][0] for page in page_rule_scores if rule in page.counts)


_NUMBER = re.compile(r"\d+")


def _shared_words(texts: Sequence[str]) -> tuple[str, str]:
    """The whole words that all texts begin and end with; an empty string where they are too short to prove anything.

    A position needs this check: on pages of another layout, the last paragraph may be the end of the article. Numbers,
    and the word before one, may be the date: the pages of the feed can all be of one year or month.
    """
    if not texts:
        return "", ""
    before = common_beginning(texts)
    after = common_beginning([text[::-1] for text in texts])[::-1]
    if any(len(text) > len(before) for text in texts):
        before = before.rpartition(" ")[0]
    if any(len(text) > len(after) for text in texts):
        after = after.partition(" ")[2]
    first, *others = _NUMBER.split(texts[0])
    if others:
        start, _, word = first.rstrip().rpartition(" ")
        before = min(before, start if word.rstrip(".").isalpha() else first.rstrip(), key=len)
        after = min(after, others[-1].lstrip(), key=len)
    return before if _width(before) >= _MIN_SHARED_WIDTH else "", after if _width(after) >= _MIN_SHARED_WIDTH else ""


def _minimal_rules(page_rule_scores: Sequence[OutRuleScores], rules: set[Rule]) -> list[Rule]:
    """A greedy cover: the rules that reach most parts go first, and each further one must add a part."""
    reach: dict[Rule, set[tuple[int, int]]] = defaultdict(set)
    for number, page in enumerate(page_rule_scores):
        for names, inside in page.parts:
            for rule in names:
                if rule in rules:
                    reach[rule].update((number, part) for part in inside)
    reached: set[tuple[int, int]] = set()
    needed = []
    for rule in sorted(rules, key=lambda rule: (-len(reach[rule]), rule_selection.KIND_RANK[rule.kind], rule.css)):
        if reach[rule] - reached:
            needed.append(rule)
            reached |= reach[rule]
    return needed


def _enough(rule: Rule, pages: int, share: float) -> float:
    """The number of pages required: more for a position or a bare tag, since articles differ in length."""
    if rule.kind in ("child", "tag"):
        share = max(share, _MIN_PLACE_SHARE)
    return max(min(2, pages), pages * share)


def _masses(article: Tree, is_boilerplate: Callable[[int], bool | None]) -> tuple[list[int], list[int]]:
    """For every node, the characters of boilerplate and of the article below it."""
    boilerplate, native = [0] * len(article), [0] * len(article)
    for node in article.runs:
        verdict = is_boilerplate(node)
        if verdict is not None:
            (boilerplate if verdict else native)[node] = len(article.text[node].strip())
    return article.summed(boilerplate), article.summed(native)


# That a text repeats proves less than that the feed lacks it: "References" is a heading in many articles.
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
    """Return the rules for the parts of the article's node that are not in the feed's full texts.

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
    """Return the rules for the parts of the article's node that repeat; `template` counts pages per text."""
    posts = post_pattern(canonical_url(training_page.url) for training_page in training_pages)
    read = documents(training_pages, pages)
    found = (_by_template(document, template, len(training_pages), fields, posts) for document, _ in read)
    return select_out_rules([scores for scores in found if scores is not None], _TEMPLATE_PAGES_SHARE)


def beside_feed(article: Tree, text: str, url: str, outside: Iterable[int] = ()) -> OutRuleScores:
    """Return the scores of one page against the feed's text; tags that are also words of the text stay undecided."""
    judge, whole = boilerplate_by_feed(text), letters_and_digits(text)
    listed, own = _in_contents(article, text), _in_named_parts(article) | _in_anchored_headings(article)
    terms = (inner for node in _terms(article, url) for inner in range(node, article.end[node]))
    own |= {node for node in terms if letters_and_digits(article.text[node]) in whole}
    own |= {inner for node in outside for inner in range(node, article.end[node])}
    return out_rule_scores(article, lambda node: None if node in own else node in listed or judge(article.text[node]))


def _terms(article: Tree, url: str) -> list[int]:
    """The tags and categories in the article's node: links to listings of the blog, and terms without links."""
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
    """The nodes of a table of contents that is not in the feed: links that repeat headings."""
    links = [node for node in article.nodes_by_tag.get("a", ()) if "#" in (article.attrs[node].get("href") or "")]
    if not links:
        return set()
    nodes = (node for tag in HEADINGS for node in article.nodes_by_tag.get(tag, ()))
    headings = {letters_and_digits(article.plain(node)) for node in nodes}
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
    """Yield the scores of the pages. Only pages on which the rules match another node are parsed again."""
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
    """The page's scores without a feed text: None when the rules find no article on it.

    Boilerplate is repeated text, parts named as something else, other fields, links to listings (the post's tags), and
    links to the previous or next post. Code and some headings repeat by nature and are exempt.
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
    """The nodes of headings whose id, or their parent's, is made from their words, so that the author wrote them.

    On many blogs, most posts have a section such as "Introduction" or "References".
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
    """The links to other posts whose parent element contains no text of the article."""
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
            _width(letters_and_digits(article.text[node])) <= _TOO_SHORT or is_boilerplate(node) for node in beside
        )

    return [node for node in links if is_alone_in(article.parent[node])]


def _leads_to_list(article: Tree, link: int, url: str) -> bool:
    """Whether a link leads to a listing of this blog other than its front page."""
    href = article.attrs[link].get("href") or ""
    try:
        parts = urlsplit(href)
        is_own = parts.netloc in ("", urlsplit(url).netloc)
    except ValueError:
        return False
    return is_own and not parts.fragment and bool(parts.path.strip("./")) and is_listing(href)


def _place_in(article: Tree, document: Document, rule: FieldRule) -> int | None:
    """The article's node that the rule matches; a path, or the ancestor in a rule, may start outside the article."""
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


# Below this mean word F1 the feed's text is only a part of the article.
WHOLE_FEED_F1 = 0.7
_PIECE_DEPTH = 4  # levels between the cell of a notebook and its text


class ArticleEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """A page's scores for the article, its best node (None where no node qualifies) and that node's score.

    `likely` is the node chosen by this page alone: among nodes as good as the best, one with a name. `names` are the
    rules that match it, `beside` the OUT scores of its text beyond the feed's. `paragraphs` are the rules that match
    one <p>, or one cell of a notebook, among others; `only_paragraphs` those that match the only <p>.
    """

    rule_scores: rule_selection.RuleScores
    article: int | None
    score: float
    likely: int | None
    names: frozenset[Rule]
    paragraphs: frozenset[Rule]
    only_paragraphs: frozenset[Rule]
    beside: OutRuleScores | None = None

    @property
    def doubts_feed(self) -> bool:
        """Whether the feed's text seems to be only the beginning of the article."""
        return self.score < WHOLE_FEED_F1 or not self.names.isdisjoint(self.paragraphs)

    def agrees(self, rules: Sequence[FieldRule]) -> bool:
        """Return whether the first of these rules that matches this page matches the likely node."""
        first = next((rule.rule for rule in rules if self.rule_scores.matches(rule.rule)), None)
        return first in self.names


def article_evidence(tree: Tree, scores: Mapping[int, float], names: rule_selection.PageNames) -> ArticleEvidence:
    """Return the page's evidence from the scores of its nodes; headings, which hold at most the title, are skipped."""
    scores = {node: score for node, score in scores.items() if not _is_only_heading(tree, node)} or scores
    article = best_of(scores)
    named = list(rule_selection.first_names(tree, scores))
    rule_scores = rule_selection.RuleScores(
        {rule: (scores[node], tree.end[node] - node, count) for rule, node, count in named}, names
    )
    winner = rule_selection.best_rule([rule_scores])
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
    """Whether the node is a heading without block elements; an unclosed one contains the paragraphs after it."""
    return tree.tag[node] in HEADINGS and _BLOCKS.isdisjoint(tree.tag[node : tree.end[node]])


def best_of(scores: Mapping[int, float]) -> int | None:
    """Return the node with the highest score, the last (innermost) of equals; None without scores."""
    return max(scores, key=lambda node: (scores[node], node), default=None)


def _has_copy(tree: Tree, node: int) -> bool:
    """Whether the node's parent, or a similar section nested in the parent, has another child of the node's tag."""
    around = tree.parent[node]
    sections = (
        child
        for child in tree.children(around)
        if tree.tag[around] == tree.tag[child] == "section" or _same_names(tree, child, around)
    )
    return sum(tree.tag[child] == tree.tag[node] for place in (around, *sections) for child in tree.children(place)) > 1


def _is_one_piece(tree: Tree, node: int) -> bool:
    """Whether siblings of the node or of an ancestor, with the same classes, have more text than it and no dates.

    A feed may contain only the first cell of a notebook. Comments with the classes of posts each have a date.
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
