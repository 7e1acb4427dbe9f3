"""Method `hybrid` as a whole: which source provides which field.

The papers leave the combination of their methods as future work. Rules learned from the blog's feed take precedence;
where they find nothing, or there are none, the page itself is used: its structured data, its text, and comparison with
other pages of its site. The provenance of a field names its source.

Rules of a site without a feed are learned from several of its pages, with the article found on each page alone in
place of the feed's text. It is wrong on some pages, but in different ways, so the sums over the pages
(`learning.rule_selection`) find the element that contains the article on this site. Inside it, names (id, class) are
judged over all pages: parts that are left out, or repeat word for word, on most of them are not part of the article.
"""

from __future__ import annotations

import heapq
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from functools import lru_cache
from typing import Any
from urllib.parse import urlsplit

import msgspec

from posterity.classify.page_kind import kind_of_page
from posterity.classify.repeated_records import density_of
from posterity.dom import Document, Tree, text_of
from posterity.dom.elements import HEADINGS
from posterity.dom.media import absolute
from posterity.dom.plain_text import LINE_TAGS, PARAGRAPH_TAGS
from posterity.dom.tree import first_match, node_path
from posterity.extraction import feed, record
from posterity.extraction.comments import comment_roots, comments_of_page
from posterity.extraction.details import add_details
from posterity.extraction.hybrid.article import Article, article_on
from posterity.extraction.hybrid.author import authors_on
from posterity.extraction.hybrid.candidates import page_facts, surroundings
from posterity.extraction.hybrid.date import date_on
from posterity.extraction.hybrid.index import index_posts
from posterity.extraction.hybrid.title import framed_title, names_site, title_on, title_without_site_name
from posterity.extraction.method import Context
from posterity.learning.article import in_other_part, run_keys, template_of, text_keys
from posterity.learning.layouts import rules_for_page
from posterity.learning.rule_selection import kind_names, rule_scores, select_rules
from posterity.lexicon import any_of, part_names
from posterity.model import FieldRule, Post, Provenance, Rule, RuleSet, TracedProvenance
from posterity.text.normal_form import letters_and_digits

# Only blocks are judged: an inline "if" in highlighted code is on all pages, and part of every article.
BLOCKS = (LINE_TAGS | PARAGRAPH_TAGS) - {"html", "body", "hr"}
_MIN_PAGES = 3  # two pages only show where they differ
_TEMPLATE_SHARE = 0.3  # of the pages, as in learning.article
_MIN_CONFIDENCE = 0.35  # one of the two scores may be 0: short posts above long threads
_SHORT_LIST = 12  # best nodes of a page: the article and its wrappers are rarely more
# Kept share of the text in elements with a name: at least this inside the article, at most this outside.
_INSIDE, _OUTSIDE = 0.6, 0.15
_THREAD = re.compile(any_of(part_names("comment.thread")), re.IGNORECASE)
_MOST = 0.6  # of the page's text that the site does not repeat
_TITLE_CHARS = 4  # a shorter heading may be in a title by chance
_SAME_PAGE = 2  # different texts of one page at two URLs; two posts differ in more
_SURELY = 0.8
_MIN_PAGES_OF_NAME = 2


class SiteRules(msgspec.Struct, frozen=True, kw_only=True):
    """How the pages of a site mark up their articles."""

    article: tuple[FieldRule, ...]
    outside: frozenset[Rule]
    inside: frozenset[Rule]
    template: Counter[int]
    pages: int


@lru_cache(maxsize=2)  # every page of a site is extracted with the same tuple
def site_rules(site: tuple[Document, ...]) -> SiteRules | None:
    """Return the rules of a site, or None if there are too few pages or they do not agree."""
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
    """Return the pages without duplicates, and without front pages, which repeat the texts of posts."""
    distinct: list[tuple[set[int], Document]] = []
    for document in site:
        kind, confidence = kind_of_page(document)
        if kind != "index" or confidence < _SURELY:
            keys = text_keys(document.tree)
            if all(len(keys ^ others) > _SAME_PAGE for others, _ in distinct):
                distinct.append((keys, document))
    return [document for _, document in distinct]


class _View:
    """A page of the site with the article found on it alone."""

    def __init__(self, document: Document, template: Counter[int], pages: int) -> None:
        self.tree = document.tree
        self.alone = article_on(document)
        self.own = own_mass(self.tree, template, pages)
        self.kept = kept_mass(self.tree, self.own, self.alone)
        boilerplate = _boilerplate(self.tree, self.own)
        self.native = [0 if boilerplate[node] else mass for node, mass in enumerate(self.own)]

    def scores(self) -> dict[int, float]:
        """Return the nodes that best match the article, with the mean F1 by the page alone and by the template."""
        tree = self.tree
        own = tree.summed(self.own)
        wanted = [sums for sums in (tree.summed(self.kept), tree.summed(self.native)) if sums[0]]
        near = (node for node in range(len(tree)) if _can_hold(tree, node))
        scores = {node: sum(_f1(sums, own, node) for sums in wanted) / len(wanted) for node in near if wanted}
        best = heapq.nlargest(_SHORT_LIST, scores, key=lambda node: (scores[node], node))
        return {node: scores[node] for node in best}


def _boilerplate(tree: Tree, own: list[int]) -> list[bool]:
    """Return for every node whether it is in a part with other content by name, or in a heading with the title."""
    boilerplate = in_other_part(tree)
    sums = tree.summed(own)
    for node in range(1, len(tree)):
        # Some themes give whole articles a class such as "share"; an element with most of the text is the article.
        if not boilerplate[node] or boilerplate[tree.parent[node]] or sums[node] <= _MOST * sums[0]:
            continue
        # A comment thread may be longer than its article.
        if not _THREAD.search(f"{tree.attrs[node].get('id') or ''} {tree.attrs[node].get('class') or ''}"):
            boilerplate[node : tree.end[node]] = [False] * (tree.end[node] - node)
    links = tree.nodes_by_tag.get("a", ())
    cards = (link for link in links if not BLOCKS.isdisjoint(tree.tag[link : tree.end[link]]))
    for part in (*title_headings(tree), *comment_roots(tree), *cards):
        boilerplate[part : tree.end[part]] = [True] * (tree.end[part] - part)
    return boilerplate


def title_headings(tree: Tree) -> list[int]:
    """Return the headings with text of the page's <title>, which are above the article, not part of it."""
    title = letters_and_digits("".join(tree.plain(node) for node in tree.nodes_by_tag.get("title", ())[:1]))
    headings = (node for tag in ("h1", "h2", "h3") for node in tree.nodes_by_tag.get(tag, ()))
    texts = ((node, letters_and_digits(tree.plain(node))) for node in headings)
    return [node for node, text in texts if len(text) >= _TITLE_CHARS and text in title]


def _f1(wanted: list[int], own: list[int], node: int) -> float:
    return 2 * wanted[node] / (wanted[0] + own[node]) if wanted[node] else 0.0


def own_mass(tree: Tree, template: Counter[int], pages: int) -> list[int]:
    """Return for every node the characters of its visible text, 0 for text that the site repeats."""
    own, few = [0] * len(tree), max(_MIN_PAGES, _TEMPLATE_SHARE * pages)  # two pages may show the same article
    for node, key in zip(tree.runs, run_keys(tree), strict=True):
        if template[key] < few:
            own[node] = len(tree.text[node].strip())
    return own


def kept_mass(tree: Tree, own: list[int], alone: Article | None) -> list[int]:
    """Return the masses of the nodes in the article found on the page alone, 0 for all others."""
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
    """Return the names in the article whose text is mostly left out, and those whose text is mostly kept."""
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
    """Return for every node the characters of its visible text."""
    return [
        len(text.strip()) if text and not tree.unseen[node] and not text.isspace() else 0
        for node, text in enumerate(tree.text)
    ]


def first_named(tree: Tree, rules: tuple[FieldRule, ...]) -> int | None:
    """Return the first match of the first rule with a match, or None."""
    found = (first_match(tree, rule.rule) for rule in rules)
    return next((node for node in found if node is not None), None)


# Share of the article found on the page alone that must be in the site's element.
_ENOUGH = 0.3
# From this confidence on, an element with only an image is an article, too.
_SURE_ELEMENT = 0.8
_MEDIA = frozenset({"img", "video", "audio", "iframe", "object", "embed"})


def article_of_site(document: Document, alone: Article | None, site: tuple[Document, ...]) -> Article | None:
    """Return the article by the rules of the site, else that found on the page alone."""
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
    why = f"site: {document.tree.path(node)}"
    return Article(node=node, left_out=left_out, confidence=round(confidence, 3), why=why)


class _SitePage:
    """The page to extract, with sums of its text: all, not repeated by the site, and in the article found alone."""

    def __init__(self, tree: Tree, rules: SiteRules, alone: Article | None) -> None:
        self._tree, self._rules = tree, rules
        self._titles = frozenset(title_headings(tree)) | comment_roots(tree)
        self._all = tree.summed(all_mass(tree))
        own = own_mass(tree, rules.template, rules.pages)
        self._own = tree.summed(own)
        self._kept = tree.summed(kept_mass(tree, own, alone))
        self._kept_with_repeated = tree.summed(kept_mass(tree, all_mass(tree), alone))

    def is_article(self, node: int) -> bool:
        """Whether the site's element is the article on this page: by its share of the text, or its confidence."""
        if self._kept[node] >= _ENOUGH * self._kept[0] and self._all[node]:
            return True
        return self._rules.article[0].confidence >= _SURE_ELEMENT and (self._own[node] > 0 or self._has_media(node))

    def is_empty_without(self, node: int, left_out: frozenset[int]) -> bool:
        """Return whether neither text nor media are left of the element."""
        return self._all[node] == sum(self._all[part] for part in left_out) and not self._has_media(node)

    def _has_media(self, node: int) -> bool:
        return any(self._tree.tag[inner] in _MEDIA for inner in range(node, self._tree.end[node]))

    def parts_outside(self, node: int) -> Iterator[int]:
        """Yield the parts of the element that are not part of the article."""
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
            # Text repeated by the site may be part of articles: a signature, "Ingredients" in recipes.
            return not (inside and self._kept_with_repeated[node])
        return agree and not self._kept[node] and not inside


_ALL = frozenset({"title", "authors", "published", "tags", "license"})


def fields_on(
    document: Document, article: Article, context: Context, wanted: Collection[str] = _ALL
) -> dict[str, record.FoundFields]:
    """Return the fields found on the page, by name; others are absent.

    Leaving authors or date out of `wanted` saves time: each of them costs as much as flattening the tree.
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


# Fields that are searched for on the page if no rule has found them.
_GAPS = ("title", "authors", "published")
# Characters of an article by rules that is never doubted; and minimum for comparing lengths.
_PLENTY, _LITTLE = 300, 100
# To overrule rules, the article found on the page alone must be this many times longer, with this confidence.
_MUCH_MORE, _SURE = 4, 0.85
# A blog without a rule for a field probably does not show it, so only likely values fill gaps.
_LIKELY = 0.5


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the posts of a front page, or the only post of any other page; nothing if there is no text."""
    if context.index:
        return index_posts(document, context)
    return tuple(_without_cut_title(post, document) for post in _single_post(document, context))


_MIN_CUT = 20  # characters


def _without_cut_title(post: Post, document: Document) -> Post:
    """Return the post without a title that is only the beginning of its text, cut off: feeds need titles, posts do not.

    A title that a heading of the page shows is the author's.
    """
    title, text = post.title or "", " ".join(post.text.split())
    kept = title.removesuffix("…").removesuffix("...").rstrip()
    behind = text[len(kept) : len(kept) + 1]
    is_cut = kept != title or (kept[-1:].isalpha() and behind.isalpha() and " " in kept)
    if not is_cut or len(kept) < _MIN_CUT or not behind or not text.startswith(kept):
        return post
    tree, key = document.tree, letters_and_digits(kept)
    headings = (tree.plain(node) for tag in HEADINGS for node in tree.nodes_by_tag.get(tag, ()))
    if any(letters_and_digits(heading) == key for heading in headings):
        return post
    provenance = {name: source for name, source in post.provenance.items() if name != "title"}
    return msgspec.structs.replace(post, title=None, provenance=provenance)


def _single_post(document: Document, context: Context) -> tuple[Post, ...]:
    by_rules = feed.posts(document, context) if context.rules is not None else ()
    if not by_rules:
        return _by_page(document, context, _article(document, context))
    post = by_rules[0]
    missed = _missed_article(post, document, context)
    return (_without_gaps(post, document, context),) if missed is None else _by_page(document, context, missed)


def _article(document: Document, context: Context) -> Article | None:
    return article_of_site(document, article_on(document, explain=context.explain), context.site)


def _missed_article(by_rules: Post, document: Document, context: Context) -> Article | None:
    """Return the article if the rules match something else, as on an older theme or in a part without a feed, or None.

    The text by rules of a photo with a caption is short as well, but there nothing longer is found with confidence.
    """
    if len(by_rules.text) >= _PLENTY or (context.rules is not None and _is_as_short(by_rules, context.rules)):
        return None
    tree, much_more, sure = document.tree, _MUCH_MORE * max(len(by_rules.text), _LITTLE), _SURE
    menu = _menu(by_rules, document, context)
    if menu:
        much_more, sure = len(by_rules.text), _MIN_CONFIDENCE
    # An upper bound of the page's text: two line ends per node. Many short posts are on short pages.
    if sum(map(len, tree.text)) + 2 * len(tree) <= much_more:
        return None
    article = _article(document, context)
    if article is None or article.confidence < sure:
        return None
    article = msgspec.structs.replace(article, left_out=article.left_out | menu)
    return article if len(text_of(tree, article.node, article.left_out)) > much_more else None


def _menu(by_rules: Post, document: Document, context: Context) -> frozenset[int]:
    """Return the element that the rules match if all its text is links to the same site, as in a menu."""
    node = _named_node(document, context) if by_rules.text and not by_rules.media else None
    if node is None or document.fact(density_of).unlinked(node, document.tree.end[node]):
        return frozenset()
    links = (link for inner in range(node, document.tree.end[node]) if (link := document.tree.attrs[inner].get("href")))
    hosts = {urlsplit(absolute(document.base_url, link) or "").netloc for link in links}
    return frozenset({node}) if hosts <= {urlsplit(document.base_url).netloc} else frozenset()


def _named_node(document: Document, context: Context) -> int | None:
    if context.rules is None:
        return None
    return first_named(document.tree, rules_for_page(document, context.rules).rules_for("text"))


def _is_as_short(post: Post, rules: RuleSet) -> bool:
    """Return whether the blog has articles this short, and its rules find the page's title and date, too."""
    fields = [field for field in ("title", "published") if rules.rules_for(field)]
    methods = (post.provenance[field].method if field in post.provenance else "" for field in fields)
    by_rules = (method in ("feed", "feed-entry") for method in methods)
    return 0 < rules.shortest <= len(post.text) and bool(fields) and all(by_rules)


def _without_gaps(post: Post, document: Document, context: Context) -> Post:
    """Return the post by rules, with missing fields found on the page."""
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
    found = fields_on(document, article, context, wanted=gaps)
    least = {name: max(_LIKELY, _confidence(post, name)) for name in found}
    found = {name: field for name, field in found.items() if field.provenance.confidence >= least[name]}
    if "title" in gaps and "title" not in found and not context.rules.rules_for("title"):
        framed = framed_title(document, context.rules.title_frame)
        found |= {"title": framed} if framed is not None else {}
    given = {name: value for field in found.values() for name, value in field.fields.items()}
    provenance = post.provenance | {name: field.provenance for name, field in found.items()}
    _correct_title(given, provenance, context)
    return msgspec.structs.replace(post, provenance=provenance, **given)


def _correct_title(fields: dict[str, Any], provenance: dict[str, Provenance], context: Context) -> None:
    """Remove the name of the site from the title; pages of untitled posts show nothing else."""
    frame = context.rules.title_frame if context.rules is not None else ("", "")
    if "title" in fields:
        title = title_without_site_name(fields.pop("title"), context.site, frame if any(frame) else None)
        if names_site(title, frame):
            provenance.pop("title")
        else:
            fields["title"] = title


def _is_gap(post: Post, name: str) -> bool:
    """Whether no rule found the field.

    A day from the URL and the feed's only author are guesses that the page may correct.
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
    """Return the post found without rules of a feed."""
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
    _correct_title(fields, provenance, context)
    tree, language, published = document.tree, document.language, fields.get("published")
    comments = comments_of_page(tree, base_url, context.fetched_at, language, published) if context.comments else ()
    if comments:
        fields["comments"] = comments
        provenance["comments"] = Provenance(method="comment-markup", confidence=0.9)
    add_details(document, context, fields, provenance)
    record.add_from_entry(document, context, fields, provenance)
    record.prefer_declared_publication(document, fields, provenance)
    return (record.post_from(document, fields, provenance),)
