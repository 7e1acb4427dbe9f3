"""Method `hybrid` as a whole: which source provides which field.

The papers leave it as future work to combine their methods, to come near 100 %. Where rules were learned from the
blog's feed they decide; where they find nothing, or there are none, the page itself is used: its structured data, the
shape of its text, and what it has in common with other pages of its site. The provenance of a field names its source.

Rules of a site without a feed are learned from several of its pages: the article found on each page alone is in
for a feed's text. It is wrong on some pages, but not in the same way on all of them, so the sums over the pages
(`learning.rule_selection`) find the element that holds the article on this site. Inside it, every name (id, class) is
judged by all pages together: what is left out, or repeats word for word, on most of them is not part of the article.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from posterity.classify.page_kind import kind_of_page
from posterity.classify.repeated_records import density_of
from posterity.dom import Document, Tree, text_of
from posterity.dom.metadata import absolute
from posterity.dom.plain_text import LINE_TAGS, PARAGRAPH_TAGS
from posterity.dom.tree import first_match, node_path
from posterity.extraction import feed, record
from posterity.extraction.comments import comments_of_page
from posterity.extraction.hybrid.article import Article, article_on
from posterity.extraction.hybrid.author import authors_on
from posterity.extraction.hybrid.candidates import surroundings
from posterity.extraction.hybrid.date import date_on
from posterity.extraction.hybrid.index import index_posts
from posterity.extraction.hybrid.page_facts import page_facts
from posterity.extraction.hybrid.title import title_on, title_without_site_name
from posterity.learning.article import in_other_part, run_keys, template_of, text_keys
from posterity.learning.layouts import fitting
from posterity.learning.rule_selection import kind_names, rule_scores, select_rules
from posterity.lexicon import any_of, part_names
from posterity.model import FieldRule, Post, Provenance, Rule, RuleSet, TracedProvenance
from posterity.text.normal_form import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Collection

    from posterity.extraction.method import Context


# Words inside a line are of the line: "if" in highlighted code is on all pages, and belongs to all of them.
BLOCKS = (LINE_TAGS | PARAGRAPH_TAGS) - {"html", "body", "hr"}
_MIN_PAGES = 3  # two pages show no more than that they differ
_TEMPLATE_SHARE = 0.3  # of the pages, as in learning.article
_MIN_CONFIDENCE = 0.35  # one of the two scores may have nothing of the article: short posts under long threads
_SHORT_LIST = 12  # nodes of a page that are named: an article and its wrappers are rarely more
# Share of the text under a name that the pages keep, from which they agree on it, and up to which.
_INSIDE, _OUTSIDE = 0.6, 0.15
_THREAD = re.compile(any_of(part_names("comment.thread")), re.IGNORECASE)
_MOST = 0.6  # of a page's own text
_TITLE_CHARS = 4  # a shorter heading may be in any title by accident
_SAME_PAGE = 2  # texts in which a page may differ from itself at another URL; two posts differ in more
_SURELY = 0.8
_MIN_PAGES_OF_NAME = 2


class SiteRules(msgspec.Struct, frozen=True, kw_only=True):
    """How the pages of a site mark up their articles."""

    article: tuple[FieldRule, ...]
    outside: frozenset[Rule]
    inside: frozenset[Rule]
    template: Counter[int]
    pages: int


@lru_cache(maxsize=2)  # the same tuple comes with every page of a site
def site_rules(site: tuple[Document, ...]) -> SiteRules | None:
    """Return what the pages have in common, None when they are too few or agree on nothing."""
    pages = _distinct_posts(site) if len(site) >= _MIN_PAGES else []
    if len(pages) < _MIN_PAGES:
        return None
    template = template_of(document.tree for document in pages)
    views = [_View(document, template, len(pages)) for document in pages]
    article = select_rules([rule_scores(view.tree, view.scores()) for view in views], _MIN_CONFIDENCE)
    if not article:
        return None
    outside, inside = _names_by_side(views, article)
    return SiteRules(article=article, outside=outside, inside=inside, template=template, pages=len(pages))


def _distinct_posts(site: tuple[Document, ...]) -> list[Document]:
    """The pages that show what the site repeats: no lists, which repeat its posts, and no page twice."""
    distinct: list[tuple[set[int], Document]] = []
    for document in site:
        kind, confidence = kind_of_page(document)
        if kind != "index" or confidence < _SURELY:
            keys = text_keys(document.tree)
            if all(len(keys ^ others) > _SAME_PAGE for others, _ in distinct):
                distinct.append((keys, document))
    return [document for _, document in distinct]


class _View:
    """A page of the site with its own article."""

    def __init__(self, document: Document, template: Counter[int], pages: int) -> None:
        self.tree = document.tree
        self.alone = article_on(document)
        self.own = own_mass(self.tree, template, pages)
        self.kept = kept_mass(self.tree, self.own, self.alone)
        boilerplate = _boilerplate(self.tree, self.own)
        self.native = [0 if boilerplate[node] else mass for node, mass in enumerate(self.own)]

    def scores(self) -> dict[int, float]:
        """How well each node holds the article and nothing else, as the page alone and the template see it."""
        tree = self.tree
        own = tree.summed(self.own)
        wanted = [sums for sums in (tree.summed(self.kept), tree.summed(self.native)) if sums[0]]
        near = (node for node in range(len(tree)) if _can_hold(tree, node))
        scores = {node: sum(_f1(sums, own, node) for sums in wanted) / len(wanted) for node in near if wanted}
        best = heapq.nlargest(_SHORT_LIST, scores, key=lambda node: (scores[node], node))
        return {node: scores[node] for node in best}


def _boilerplate(tree: Tree, own: list[int]) -> list[bool]:
    """For every node whether it is in a part that is named as something else, or in a heading with the page's title."""
    boilerplate = in_other_part(tree)
    sums = tree.summed(own)
    for node in range(1, len(tree)):
        # Themes call whole articles "share"; what holds most of the text is the article.
        if not boilerplate[node] or boilerplate[tree.parent[node]] or sums[node] <= _MOST * sums[0]:
            continue
        # A thread may be longer than its article, and is still no article.
        if not _THREAD.search(f"{tree.attrs[node].get('id') or ''} {tree.attrs[node].get('class') or ''}"):
            boilerplate[node : tree.end[node]] = [False] * (tree.end[node] - node)
    for heading in title_headings(tree):
        boilerplate[heading : tree.end[heading]] = [True] * (tree.end[heading] - heading)
    return boilerplate


def title_headings(tree: Tree) -> list[int]:
    """Return the headings that are in the page's <title>: they are over the article, not in it."""
    title = letters_and_digits("".join(tree.plain(node) for node in tree.nodes_by_tag.get("title", ())[:1]))
    headings = (node for tag in ("h1", "h2", "h3") for node in tree.nodes_by_tag.get(tag, ()))
    texts = ((node, letters_and_digits(tree.plain(node))) for node in headings)
    return [node for node, text in texts if len(text) >= _TITLE_CHARS and text in title]


def _f1(wanted: list[int], own: list[int], node: int) -> float:
    return 2 * wanted[node] / (wanted[0] + own[node]) if wanted[node] else 0.0


def own_mass(tree: Tree, template: Counter[int], pages: int) -> list[int]:
    """Return for every text run its visible characters, 0 for one that repeats over the site."""
    own, few = [0] * len(tree), _min_repetitions(pages)
    for node, key in zip(tree.runs, run_keys(tree), strict=True):
        if template[key] < few:
            own[node] = len(tree.text[node].strip())
    return own


def _min_repetitions(pages: int) -> float:
    """On how many pages a text must be to be the site's. Two may be one article in two places."""
    return max(_MIN_PAGES, _TEMPLATE_SHARE * pages)


def kept_mass(tree: Tree, own: list[int], alone: Article | None) -> list[int]:
    """Return the part of these masses that the page alone takes for its article."""
    kept = [0] * len(tree)
    if alone is None:
        return kept
    node, end = alone.node, tree.end[alone.node]
    while node < end:
        if node in alone.left_out:
            node = tree.end[node]
            continue
        kept[node] = own[node]
        node += 1
    return kept


def _can_hold(tree: Tree, node: int) -> bool:
    return tree.tag[node] not in ("#text", "html", "head") and not tree.unseen[node]


def _names_by_side(views: list[_View], article: tuple[FieldRule, ...]) -> tuple[frozenset[Rule], frozenset[Rule]]:
    """The names inside the article whose text is left out on most pages, and those whose text is kept."""
    kept_by: Counter[Rule] = Counter()
    all_by: Counter[Rule] = Counter()
    pages: Counter[Rule] = Counter()
    for view in views:
        node = first_named(view.tree, article)
        if node is None:
            continue
        both = [a + b for a, b in zip(view.kept, view.native, strict=True)]
        kept, total = view.tree.summed(both), view.tree.summed([2 * one for one in all_mass(view.tree)])
        by_name: dict[Rule, list[int]] = defaultdict(list)
        for inner in range(node + 1, view.tree.end[node]):
            if total[inner] and view.tree.tag[inner] in BLOCKS:
                for name in kind_names(view.tree, inner):
                    by_name[name].append(inner)
        for name, nodes in by_name.items():
            pages[name] += 1
            kept_by[name] += sum(kept[one] for one in nodes)
            all_by[name] += sum(total[one] for one in nodes)
    frequent = [name for name in all_by if pages[name] >= _MIN_PAGES_OF_NAME and (name.kind != "tag" or name.under)]
    outside = frozenset(name for name in frequent if kept_by[name] <= _OUTSIDE * all_by[name])
    inside = frozenset(name for name in frequent if kept_by[name] >= _INSIDE * all_by[name])
    return outside, inside


def all_mass(tree: Tree) -> list[int]:
    """Return for every text run its visible characters."""
    return [
        len(text.strip()) if text and not tree.unseen[node] and not text.isspace() else 0
        for node, text in enumerate(tree.text)
    ]


def first_named(tree: Tree, rules: tuple[FieldRule, ...]) -> int | None:
    """Return the node that the first rule names which names one at all."""
    found = (first_match(tree, rule.rule) for rule in rules)
    return next((node for node in found if node is not None), None)


# So much of what the page alone takes for its article must be where the site has its articles.
_ENOUGH = 0.3
# From this confidence on, the element is the article's also where it holds a picture and no words.
_SURE_ELEMENT = 0.8
_MEDIA = frozenset({"img", "video", "audio", "iframe", "object", "embed"})


def article_of_site(document: Document, alone: Article | None, site: tuple[Document, ...]) -> Article | None:
    """Return the article as the site's pages together find it, else as the page alone does."""
    rules = site_rules(site)
    if rules is None:
        return alone
    page = _SitePage(document.tree, rules, alone)
    node = first_named(document.tree, rules.article)
    confidence = rules.article[0].confidence
    if node is None or not page.is_article(node):
        if alone is None:
            return None
        node, confidence = alone.node, alone.confidence
    left_out = frozenset(page.parts_outside(node))
    if page.is_empty_without(node, left_out):
        return alone
    return Article(
        node=node, left_out=left_out, confidence=round(confidence, 3), why=f"site: {document.tree.path(node)}"
    )


class _SitePage:
    """The page to be read, with what it alone keeps and what the site has not elsewhere."""

    def __init__(self, tree: Tree, rules: SiteRules, alone: Article | None) -> None:
        self._tree, self._rules = tree, rules
        self._titles = frozenset(title_headings(tree))
        self._all = tree.summed(all_mass(tree))
        own = own_mass(tree, rules.template, rules.pages)
        self._own = tree.summed(own)
        self._kept = tree.summed(kept_mass(tree, own, alone))
        self._kept_with_repeated = tree.summed(kept_mass(tree, all_mass(tree), alone))

    def is_article(self, node: int) -> bool:
        """Whether the site's element holds an article on this page: enough of its text, or a picture for sure."""
        if self._kept[node] >= _ENOUGH * self._kept[0] and self._all[node]:
            return True
        return self._rules.article[0].confidence >= _SURE_ELEMENT and (self._own[node] > 0 or self._has_media(node))

    def is_empty_without(self, node: int, left_out: frozenset[int]) -> bool:
        """Return whether neither words nor pictures are left of the element."""
        return self._all[node] == sum(self._all[part] for part in left_out) and not self._has_media(node)

    def _has_media(self, node: int) -> bool:
        return any(self._tree.tag[inner] in _MEDIA for inner in range(node, self._tree.end[node]))

    def parts_outside(self, node: int) -> Iterator[int]:
        """Yield the parts of the element that are not of the article."""
        tree = self._tree
        agree = self._kept[node] > 0
        inner, end = node + 1, tree.end[node]
        while inner < end:
            if self._all[inner] and tree.tag[inner] in BLOCKS and self._is_outside(inner, agree=agree):
                yield inner
                inner = tree.end[inner]
            else:
                inner = tree.end[inner] if tree.tag[inner] == "pre" else inner + 1

    def _is_outside(self, node: int, *, agree: bool) -> bool:
        names = frozenset(kind_names(self._tree, node))
        if names & self._rules.outside or node in self._titles:
            return True
        inside = names & self._rules.inside
        if not self._own[node]:
            # A post is signed like every other, a recipe has "Ingredients": repeated, and of the article all the same.
            return not (inside and self._kept_with_repeated[node])
        return agree and not self._kept[node] and not inside


_ALL = frozenset({"title", "authors", "published", "tags", "license"})


def fields_on(
    document: Document, article: Article, context: Context, wanted: Collection[str] = _ALL
) -> dict[str, record.FoundFields]:
    """Return the fields of the article that the page has, by name; others are absent.

    Who wants less need not wait for the authors and the date, each of which costs as much as the tree of the page.
    """
    page = page_facts(document, article)
    explain = context.explain
    of_blog = context.rules is not None
    title = title_on(page, of_blog=of_blog, explain=explain)
    around = surroundings(page, title[1] if title is not None else -1)
    order = context.rules.date_order if context.rules is not None else None
    found = {
        "title": title[0] if title is not None else None,
        "authors": authors_on(page, around, of_blog=of_blog, explain=explain) if "authors" in wanted else None,
        "published": date_on(page, around, context.fetched_at, order, of_blog=of_blog, explain=explain)
        if "published" in wanted
        else None,
        "tags": record.tags_beside(document, article.node, article.left_out) if "tags" in wanted else None,
        "license": record.license_at(page.licenses, document.base_url),
    }
    return {name: value for name, value in found.items() if value is not None and name in wanted}


# Fields that are looked for on the page when no rule has found them.
_GAPS = ("title", "authors", "published")
# Characters of an article that nobody doubts; and of one that may be all there is.
_PLENTY, _LITTLE = 300, 100
# What the page alone finds must be this much longer, and as sure as this, before rules are overruled.
_MUCH_MORE, _SURE = 4, 0.85
# A blog that gave no rule for a field probably does not show it: only what is more likely right than wrong fills a gap.
_LIKELY = 0.5


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the posts of a front page, or the one post of any other page; nothing where there is no text at all."""
    if context.index:
        return index_posts(document, context)
    by_rules = feed.posts(document, context) if context.rules is not None else ()
    if not by_rules:
        return _by_page(document, context, _article(document, context))
    post = by_rules[0]
    missed = _missed_article(post, document, context)
    return (_without_gaps(post, document, context),) if missed is None else _by_page(document, context, missed)


def _article(document: Document, context: Context) -> Article | None:
    return article_of_site(document, article_on(document, explain=context.explain), context.site)


def _missed_article(by_rules: Post, document: Document, context: Context) -> Article | None:
    """Return the article where the rules fit something else: on an older theme, in a part of the site without a feed.

    A photo with a line of text is short as well. There the page alone is not sure of anything longer.
    """
    if len(by_rules.text) >= _PLENTY or (context.rules is not None and _is_as_short(by_rules, context.rules)):
        return None
    tree, much_more, sure = document.tree, _MUCH_MORE * max(len(by_rules.text), _LITTLE), _SURE
    menu = _menu(by_rules, document, context)
    if menu:
        much_more, sure = len(by_rules.text), _MIN_CONFIDENCE
    # All that is on the page, with two line ends for each text: many a short post is on a short page.
    if sum(map(len, tree.text)) + 2 * len(tree) <= much_more:
        return None
    article = _article(document, context)
    if article is None or article.confidence < sure:
        return None
    article = msgspec.structs.replace(article, left_out=article.left_out | menu)
    return article if len(text_of(tree, article.node, article.left_out)) > much_more else None


def _menu(by_rules: Post, document: Document, context: Context) -> frozenset[int]:
    """Return the element that the rules name if all its words are links to pages beside this one, as in a menu."""
    node = _named_node(document, context) if by_rules.text and not by_rules.media else None
    if node is None or document.fact(density_of).unlinked(node, document.tree.end[node]):
        return frozenset()
    links = (link for inner in range(node, document.tree.end[node]) if (link := document.tree.attrs[inner].get("href")))
    hosts = {urlsplit(absolute(document.base_url, link) or "").netloc for link in links}
    return frozenset({node}) if hosts <= {urlsplit(document.base_url).netloc} else frozenset()


def _named_node(document: Document, context: Context) -> int | None:
    if context.rules is None:
        return None
    return first_named(document.tree, fitting(document, context.rules).rules_for("text"))


def _is_as_short(post: Post, rules: RuleSet) -> bool:
    """Return whether articles this short are known of the blog, and its rules fit the page in other fields as well."""
    fields = [field for field in ("title", "published") if rules.rules_for(field)]
    methods = (post.provenance[field].method if field in post.provenance else "" for field in fields)
    by_rules = (method in ("feed", "feed-entry") for method in methods)
    return 0 < rules.shortest <= len(post.text) and bool(fields) and all(by_rules)


def _without_gaps(post: Post, document: Document, context: Context) -> Post:
    """Return the post by rules, with the fields that no rule gave as the page itself has them."""
    if context.rules is None:
        return post
    unknown = {*context.rules.absent, *(("published",) if context.rules.undated else ())}
    gaps = [name for name in _GAPS if name not in unknown and _is_gap(post, name)]
    if not gaps:
        return post
    node = _named_node(document, context)
    if node is None:
        return post
    article = Article(node=node, confidence=post.provenance["text"].confidence, why="")
    found = {
        name: field
        for name, field in fields_on(document, article, context, wanted=gaps).items()
        if field.provenance.confidence >= max(_LIKELY, _confidence(post, name))
    }
    given = {name: value for field in found.values() for name, value in field.fields.items()}
    if "title" in given:
        given["title"] = title_without_site_name(given["title"], context.site)
    provenance = post.provenance | {name: field.provenance for name, field in found.items()}
    return msgspec.structs.replace(post, provenance=provenance, **given)


def _is_gap(post: Post, name: str) -> bool:
    """Whether no rule gave the field.

    A day in the URL is a guess, which the page may contradict or make more exact; so is the feed's only author.
    """
    return not getattr(post, name) or post.provenance[name].method in ("url", "feed-author")


def _confidence(post: Post, name: str) -> float:
    return post.provenance[name].confidence if name in post.provenance else 0.0


def _article_provenance(document: Document, article: Article) -> Provenance:
    node = node_path(document.tree, article.node)
    if not article.trace:
        return Provenance(method="hybrid", rule=article.why, node=node, confidence=article.confidence)
    return TracedProvenance(
        method="hybrid", rule=article.why, node=node, confidence=article.confidence, trace=article.trace
    )


def _by_page(document: Document, context: Context, article: Article | None) -> tuple[Post, ...]:
    """Return the post as found by the page alone and the pages of its site."""
    if article is None:
        return ()
    base_url = document.base_url
    fields: dict[str, Any] = record.article_fields(
        document.tree, base_url, article.node, article.left_out, article.captions
    )
    provenance = {"text": _article_provenance(document, article)}
    for name, found in fields_on(document, article, context).items():
        fields |= found.fields
        provenance[name] = found.provenance
    if "title" in fields:
        fields["title"] = title_without_site_name(fields["title"], context.site)
    tree, language, published = document.tree, document.language, fields.get("published")
    comments = comments_of_page(tree, base_url, context.fetched_at, language, published) if context.comments else ()
    if comments:
        fields["comments"] = comments
        provenance["comments"] = Provenance(method="comment-markup", confidence=0.9)
    record.add_from_entry(document, context, fields, provenance)
    record.put_before_change(document, fields, provenance)
    return (record.post_from(document, fields, provenance),)
