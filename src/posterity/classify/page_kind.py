"""Classifies a page as post, index or other, by its URL and its contents."""

from __future__ import annotations

import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Literal, TypeAlias
from urllib.parse import unquote, urlsplit

import msgspec

from posterity.classify.repeated_records import RecordListing, density_of, listing_on
from posterity.classify.text_density import TextDensity
from posterity.dom import Document, Tree
from posterity.dom.document import declared_url
from posterity.dom.media import absolute
from posterity.dom.tree import TEXT, matches
from posterity.lexicon import any_of, declarations, part_names, url_words, words_for
from posterity.model import Rule, RuleSet
from posterity.urls import canonical_url
from posterity.urls.kinds import day_in_url, is_in_section, is_listing, is_service_page
from posterity.urls.post_pattern import UrlPattern

PageKind: TypeAlias = Literal["post", "index", "other"]

_THREAD = re.compile(rf"(?:post-?)?comments?(?:-?(?:{any_of(part_names('comment.thread_suffix'))}))?", re.IGNORECASE)
_AROUND_POSTS = frozenset({"html", "body", "main", "article"})
# Elements that do not occur inside an article's text.
_ARTICLE_TAGS = frozenset({"article", "main"})


# Required confidence of the page's own features if no rule matches an article on it (another theme, an older layout).
_SURE_OF_PATTERN, _SURE = 0.5, 0.75
# For a page outside the URL pattern, with another template, that only a sitemap lists.
_SURE_OF_SECTION = 0.85
# A page listed in a feed is a post unless it is an index with at least this confidence.
_SURE_OF_LIST = 0.9


_PAGE_NUMBER = re.compile(r"/\d{1,3}/?$")
_HEADINGS = ("h1", "h2", "h3", "h4")


class UrlEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """What lists and links of the blog show about a page's URL.

    `is_listed`: a feed or the platform lists it as a post; `is_in_list`: it is in a list of posts on a page, or in the
    sitemap; `is_section`: several other URLs are directly below it; `is_below_post`: it is below a post's URL;
    `is_left_out`: the platform lists all posts but not this URL; `is_in_sitemap`: some list of the blog contains it.
    """

    is_listed: bool = False
    is_in_list: bool = False
    is_section: bool = False
    is_below_post: bool = False
    is_left_out: bool = False
    is_in_sitemap: bool = False


_NOTHING_KNOWN = UrlEvidence()


def page_kind(document: Document, rules: RuleSet, pattern: UrlPattern, known: UrlEvidence = _NOTHING_KNOWN) -> PageKind:
    """Return the kind of the page.

    An index has several articles, a post one. A post's URL, or the URL that it declares, fits the pattern of the blog;
    it has an article and, if the blog's posts are dated, a date. A URL near the pattern, or in a list of posts, can be
    a post too if the page has all fields. If no rule matches an article, the rules may be for another template, and
    the page is classified by its own features (`kind_of_page`).
    """
    url = canonical_url(document.url)
    if not known.is_listed and (is_service_page(url) or is_soft_404(document)):
        return "other"
    shows_article = has_article(document, rules)
    is_sure = known.is_listed or pattern.is_specific(url)
    if shows_article and _repeats_article(document, rules):
        is_list = not (is_sure and _is_surely_a_post(document))
    else:
        other = _linked_title(document, pattern) if not is_sure else None
        # A heading in a post, below its title, may link to another post.
        is_like_posts = shows_article and pattern.fits(url) and not is_listing(url)
        is_list = other is not None and not (is_like_posts and _has_title_beside(document, rules, other))
    if is_list:
        return "index"
    if known.is_below_post and _PAGE_NUMBER.search(url):
        return "other"
    is_page = not known.is_listed and is_static_page(document)
    if is_page or known.is_section or known.is_below_post:
        kind, confidence = kind_of_page(document)
        if is_page or kind != "post" or confidence < (_SURE_OF_PATTERN if known.is_listed else _SURE):
            return "index" if kind == "index" else "other"
    if known.is_listed:
        return "post" if shows_article or not is_surely_index(document, _SURE_OF_LIST) else "index"
    if not shows_article and _has_field(document, rules, "text") and not _shows_title(document, rules):
        return "other"  # the blog's template without content
    by_rules = _kind_by_rules if shows_article else _kind_without_rules
    return by_rules(document, rules, url, pattern, known)


def _kind_by_rules(document: Document, rules: RuleSet, url: str, pattern: UrlPattern, known: UrlEvidence) -> PageKind:
    has_day = day_in_url(url) is not None and pattern.is_shallow_enough(url)
    is_dated = _has_field(document, rules, "published") or has_day
    if not is_dated and is_listing(url) and not pattern.is_specific(url) and not any(map(is_listing, rules.evidence)):
        return "index"  # listings in the same folder as posts: /tag_salt.html, /all_posts.html
    if pattern.fits(url) or pattern.fits(declared_url(document) or ""):
        is_post = is_dated or not _always_dated(rules) or (known.is_in_list and pattern.is_specific(url))
        if not is_post and not known.is_left_out:  # an older theme, on which the rules find no date
            is_post = names_a_day(document) and _is_surely_a_post(document)
        return "post" if is_post else "other"
    is_near = pattern.is_near(url) or (known.is_in_list and not is_listing(url))
    if not is_near and _may_be_in_section(url, known):  # another section with the same template
        is_near = not known.is_left_out and _is_surely_a_post(document)
    # If the rules find no dates on this blog, the page must look like a post by itself.
    is_dated = is_dated or (not rules.rules_for("published") and _is_surely_a_post(document))
    may_lack_title = not _is_found_everywhere(rules, "title")
    has_title = _has_field(document, rules, "title") or (may_lack_title and _is_surely_a_post(document))
    return "post" if is_near and is_dated and has_title else "other"


def _linked_title(document: Document, pattern: UrlPattern) -> int | None:
    """The linked title of another post above the page's text, as on an index with a single post, or None."""
    tree = document.tree
    own = {canonical_url(document.url), declared_url(document) or canonical_url(document.url)}
    hosts = {urlsplit(url).netloc for url in own}
    headings = sorted(node for tag in _HEADINGS for node in tree.nodes_by_tag.get(tag, ()))
    targets = {node: absolute(document.base_url, _only_link(tree, node)) for node in headings}
    local = {node: target for node, target in targets.items() if target and urlsplit(target).netloc in hosts}
    others = {node for node, target in local.items() if canonical_url(target) not in own and pattern.fits(target)}
    if not others:
        return None
    block, _ = document.fact(_longest_text)
    text = (node for node in tree.runs if block <= node < tree.end[block] and len(tree.text[node]) >= _LITTLE)
    first = next(text, 0)
    above = [node for node in headings if node < first]
    # The heading of a section may be between the title and the first long text.
    top = max((node for node in above if tree.tag[node] == min(tree.tag[each] for each in above)), default=None)
    return next((node for node in (*above[-1:], top) if node in others), None)


def _has_title_beside(document: Document, rules: RuleSet, heading: int) -> bool:
    """Whether the page has a title other than this heading, or may have one that no rule matches."""
    named = {node for rule in rules.rules_for("title") for node in matches(document.tree, rule.rule)}
    return not _is_found_everywhere(rules, "title") or not named <= document.tree.around((heading,))


def _only_link(tree: Tree, heading: int) -> str | None:
    """The target of the link around the heading, or of a link that is all of its text."""
    around = [node for node in tree.around((heading,)) if tree.tag[node] == "a"]
    inside = (node for node in range(heading + 1, tree.end[heading]) if tree.tag[node] == "a")
    links = around or [node for node in inside if tree.plain(node).strip() == tree.plain(heading).strip()]
    return next((tree.attrs[node].get("href") for node in links), None)


def is_static_page(document: Document) -> bool:
    """Return whether the URL or the classes of <body> mark this as a static page of WordPress."""
    bodies = document.attributes("body[class]", "class")
    return _PAGE_NUMBERED.search(document.url) is not None or any(map(_NUMBERED_PAGE_BODY.search, bodies))


def _kind_without_rules(
    document: Document, rules: RuleSet, url: str, pattern: UrlPattern, known: UrlEvidence
) -> PageKind:
    kind, confidence = kind_of_page(document)
    fits = pattern.fits(url)
    if kind == "other" and fits and known.is_in_list and pattern.is_specific(url):
        return "post"
    if kind != "post":
        return kind
    if _is_mostly_a_card(document):
        return "index"
    if known.is_left_out and not names_its_day(document):
        return "other"
    if fits:
        # If all posts are dated, those of an older template are too; static pages are not.
        is_dated = not _always_dated(rules) or pattern.is_specific(url) or names_a_day(document)
        return "post" if is_dated and confidence >= _SURE_OF_PATTERN else "other"
    is_near = (pattern.is_near(url) and pattern.is_shallow_enough(url)) or (known.is_in_list and not is_listing(url))
    # Manuals on the same site are in lists and sitemaps too, but lack the date that all posts have.
    is_manual = _always_dated(rules) and _MANUAL.search(url) is not None
    is_dated = (known.is_in_list and not is_manual) or names_its_day(document)
    if not is_near and _may_be_in_section(url, known):  # another section with another template
        is_near = confidence >= _SURE_OF_SECTION
    return "post" if is_near and confidence >= _SURE and is_dated else "other"


def _is_mostly_a_card(document: Document) -> bool:
    """Whether the longest text of the page is the text of a link, as on a list of one post in a clickable card."""
    tree, (_, longest) = document.tree, document.fact(_longest_text)
    return max((tree.text_sizes[link] for link in tree.nodes_by_tag.get("a", ())), default=0) > max(longest, _LITTLE)


def _may_be_in_section(url: str, known: UrlEvidence) -> bool:
    """Whether the URL may be a post of a section that is not in the feed: another language, notes."""
    return known.is_in_sitemap and is_in_section(url) and not is_listing(url)


def _is_surely_a_post(document: Document) -> bool:
    kind, confidence = kind_of_page(document)
    return kind == "post" and confidence >= _SURE


def has_article(document: Document, rules: RuleSet) -> bool:
    """Return whether a rule matches a non-empty article; on indexes of scripted blogs, its element is empty."""
    tree = document.tree
    named = (node for rule in rules.rules_for("text") for node in matches(tree, rule.rule))
    inside = (inner for node in named for inner in range(node, tree.end[node]))
    return any(tree.text[inner].strip() or tree.tag[inner] not in _WRAPPERS for inner in inside)


def _has_field(document: Document, rules: RuleSet, field: str) -> bool:
    return any(document.count(rule.rule) for rule in rules.rules_for(field))


def _shows_title(document: Document, rules: RuleSet) -> bool:
    tree = document.tree
    return any(tree.plain(node).strip() for rule in rules.rules_for("title") for node in matches(tree, rule.rule))


def _repeats_article(document: Document, rules: RuleSet) -> bool:
    """Whether the page has more articles than any page that the rule was learned from.

    A rule that matches all table cells, or all galleries, matches several in one text: then title or date must repeat
    too, or the page must not look like a post. A rule that matches the frame of every page matches once on an index:
    there title and date must repeat.
    """
    article = next((rule.rule for rule in rules.rules_for("text") if document.count(rule.rule)), None)
    if article is None:
        return False
    others = [_repeats(document, rules, "title"), _repeats(document, rules, "published")]
    if not _repeats(document, rules, "text"):
        return all(others) and kind_of_page(document)[0] == "index"
    if True in others or others == [None, None]:
        return True
    is_of_text = article.kind == "tag" and article.under is None and article.value not in _ARTICLE_TAGS
    return not is_of_text and kind_of_page(document)[0] != "post"


def _repeats(document: Document, rules: RuleSet, field: str) -> bool | None:
    """Whether the field occurs more often than on any page that the rule was learned from; None if it is missing."""
    for rule in rules.rules_for(field):
        count = document.count(rule.rule)
        if count:
            usual = max(1, rule.per_page)
            return rule.rule.kind != "path" and count > usual and _outside_comments(document, rule.rule) > usual
    return None


def _outside_comments(document: Document, rule: Rule) -> int:
    """The number of matches outside comments: some software uses the same names for comments and posts."""
    tree = document.tree
    return sum(not any(_is_thread(tree, each) for each in tree.around((node,))) for node in matches(tree, rule))


def _is_thread(tree: Tree, node: int) -> bool:
    # Themes list all features as classes of the elements around a post ("comments-open").
    attrs = tree.attrs[node]
    return tree.tag[node] not in _AROUND_POSTS and any(
        _THREAD.fullmatch(name) for name in (attrs.get("id") or "", *(attrs.get("class") or "").split())
    )


def _always_dated(rules: RuleSet) -> bool:
    """Whether the rules found a date on (nearly) every page that they were learned from.

    Pages without an article count for neither.
    """
    dated, pages = (sum(rule.pages for rule in rules.rules_for(field)) for field in ("published", "text"))
    return dated >= 0.9 * min(pages, len(rules.evidence)) > 0


def _is_found_everywhere(rules: RuleSet, field: str) -> bool:
    """Whether one rule matches the field on nearly all pages that it was learned from, in every section."""
    return any(rule.pages >= 0.9 * len(rules.evidence) for rule in rules.rules_for(field))


Feature: TypeAlias = "tuple[PageKind, float]"

TYPES_IN_JSON = re.compile(r'"@type"\s*:\s*\[?\s*"(\w+)"')
_POST_TYPES = frozenset(declarations("type.post_page"))
_INDEX_TYPES = frozenset(declarations("type.index_page"))
_OTHER_TYPES = frozenset(declarations("type.other_page"))
_INDEX_BODY = re.compile(rf"(?:^| )(?:{any_of(part_names('body.index'))})(?:$|[ -])", re.IGNORECASE)
_POST_BODY = re.compile(rf"(?:^| )(?:{any_of(part_names('body.post'))})(?:$|[ -])", re.IGNORECASE)
# WordPress's classes for attachment pages (a picture of a post).
_ATTACHMENT_BODY = re.compile(r"(?:^| )(?:attachment|single-attachment|attachmentid-\d+)(?: |$)", re.IGNORECASE)
# WordPress's classes for static pages, by number and by template.
_PAGE_NUMBERED = re.compile(r"(?:[?&]|%3f)page_id=\d+(?:\.html?)?$", re.IGNORECASE)
_NUMBERED_PAGE_BODY = re.compile(r"(?:^| )page-?id-\d+(?: |$)", re.IGNORECASE)
_OTHER_BODY = re.compile(r"(?:^| )page-template\S*(?: |$)", re.IGNORECASE)
_SERVICE = re.compile(rf"/(?:{any_of(url_words('service.folder', 'service.not_of_posts'))})(?:[/.-]|$)", re.IGNORECASE)
_MANUAL = re.compile(rf"/(?:{any_of(url_words('service.not_of_blog'))})/", re.IGNORECASE)
# Not two years: "2007-2008".
_DAY = re.compile(
    r"(?<!\d)\d{1,2}\D{1,20}(?:19|20)\d\d(?!\d)|(?:19|20)\d\d\D{1,12}\d{1,2}(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d\d"
)
_DATE_LINE = 100
_PUBLISHED = 'meta[property="article:published_time"], meta[itemprop="datePublished"]'
_MODIFIED = re.compile(any_of(words_for("date.modified")), re.IGNORECASE)
_WRAPPERS = frozenset({TEXT, "div", "section", "article", "main", "p", "span", "br", "hr"})  # invisible if empty
_TEXT_BLOCKS = frozenset({"td", "div", "blockquote", "article", "section", "body", "center", "dd"})
_LITTLE = 60  # characters of unlinked text; a page with fewer is no post
_PARAGRAPHS = 300  # characters in adjacent paragraphs that make an article


def kind_of_page(document: Document) -> tuple[PageKind, float]:
    """Return the most probable kind of the page by its own features, and the confidence from 0 to 1."""
    return document.fact(_kind_by_features)


def _kind_by_features(document: Document) -> tuple[PageKind, float]:
    points: dict[PageKind, float] = {"post": 0.0, "index": 0.0, "other": 0.0}
    for kind, weight in _features(document):
        points[kind] += weight
    weights = {kind: math.exp(value) for kind, value in points.items()}
    best = max(weights, key=lambda kind: weights[kind])
    return best, round(weights[best] / sum(weights.values()), 3)


_MOST_OF_LISTING = 4.5  # the maximum that `_listing_features` gives to "index"


def is_surely_index(document: Document, least: float) -> bool:
    """Return whether the page is an index with at least this confidence.

    As a shortcut, records are not searched for if the page's declarations and URL outweigh any list.
    """
    points = dict.fromkeys(("post", "index", "other"), 0.0)
    for kind, weight in (*_declared_features(document), *_url_features(document.url)):
        points[kind] += weight
    rounded = least - 0.0005
    if points["index"] + _MOST_OF_LISTING - points["post"] < math.log(rounded / (1 - rounded)):
        return False
    kind, confidence = kind_of_page(document)
    return kind == "index" and confidence >= least


_NOT_FOUND = re.compile(rf"^\W*(?:error\W*)?404\b|{any_of(words_for('page.not_found'))}", re.IGNORECASE)
_ERROR_TEXT = 500  # characters of unlinked text, up to which a page may be an error page
# "Error 404 - Tides": titles of posts do not begin so. Error pages of hosts have long explanations.
_ERROR_TITLE = re.compile(r"^\W*(?:(?:http\W*)?error\W*404|404\W*(?:error|page|file|not)\b)", re.IGNORECASE)
_LONG_ERROR_TEXT = 1500


def is_soft_404(document: Document) -> bool:
    """Return whether the page is an error page sent with status 200: "not found" in a title or heading, little text."""
    return document.fact(_is_soft_404)


def _is_soft_404(document: Document) -> bool:
    headings = [tree.plain(0).strip() for tree in document.all("title, h1, h2", 4)]
    if not any(_NOT_FOUND.search(heading) for heading in headings if len(heading) < _DATE_LINE):
        return False
    most = _LONG_ERROR_TEXT if any(map(_ERROR_TITLE.search, headings)) else _ERROR_TEXT
    return document.fact(density_of).unlinked(0, len(document.tree)) < most


def _features(document: Document) -> Iterator[Feature]:
    density, listing = document.fact(density_of), document.fact(listing_on)
    if is_soft_404(document):
        yield "other", 6.0
    yield from _listing_features(listing)
    yield from _text_features(document, density)
    yield from _declared_features(document)
    yield from _url_features(document.url)


def _listing_features(listing: RecordListing) -> Iterator[Feature]:
    """Records with linked titles suggest an index, the more so the larger their share of the page's text."""
    weight = min(1.0, listing.score / 60)
    yield "index", weight * listing.linked * (1.0 + 2.5 * listing.text_share + listing.dated)
    yield "other", weight * listing.linked * (1.0 - listing.dated)


def _text_features(document: Document, density: TextDensity) -> Iterator[Feature]:
    free = density.unlinked(0, len(document.tree))
    if free < _LITTLE:
        yield "other", 1.5
    _, longest = document.fact(_longest_text)
    yield "post", 2.0 * min(1.0, longest / _PARAGRAPHS)
    if longest * 2 > free:
        yield "post", 0.5
    yield ("post", 0.5) if names_a_day(document) else ("other", 1.0)


def _longest_text(document: Document) -> tuple[int, int]:
    """The block with the most paragraph text outside records, and the length of that text."""
    tree, density, listing = document.tree, document.fact(density_of), document.fact(listing_on)
    runs: Counter[int] = Counter()
    listed = bytearray(len(tree))
    for record in listing.records if listing.linked >= 0.5 else ():
        inside = record.inside(tree)
        listed[inside.start : inside.stop] = b"\x01" * len(inside)
    for paragraph in tree.nodes_by_tag.get("p", ()):
        if not listed[paragraph]:
            runs[tree.parent[paragraph]] += density.unlinked(paragraph, tree.end[paragraph])
    if not runs:  # table layouts, or line breaks instead of paragraphs
        runs = _texts_by_block(tree, density)
    return max(runs.items(), key=lambda run: run[1], default=(0, 0))


def _texts_by_block(tree: Tree, density: TextDensity) -> Counter[int]:
    """The unlinked text of each cell or block, without that of blocks inside it."""
    found: Counter[int] = Counter()
    for node in tree.runs:
        block = tree.parent[node]
        while block > 0 and tree.tag[block] not in _TEXT_BLOCKS:
            block = tree.parent[block]
        found[block] += density.unlinked(node, node + 1)
    return found


def names_a_day(document: Document) -> bool:
    """Return whether the page names a day: <time>, the URL, or a short text such as "12 March 2021" (not "© 2021")."""
    tree = document.tree
    if "time" in tree.nodes_by_tag or day_in_url(document.url) is not None:
        return True
    short = (text for text, unseen in zip(tree.text, tree.unseen, strict=True) if len(text) < _DATE_LINE and not unseen)
    return any(_DAY.search(text) and "©" not in text for text in short)


def names_its_day(document: Document) -> bool:
    """Return whether the page names a day other than that of its last change, which manuals have too."""
    if day_in_url(document.url) is not None or document.attributes(_PUBLISHED, "content"):
        return True
    tree = document.tree
    times = tree.nodes_by_tag.get("time", ())
    lines = (node for node in tree.runs if len(tree.text[node]) < _DATE_LINE and not tree.unseen[node])
    days = (node for node in lines if _DAY.search(tree.text[node]) and "©" not in tree.text[node])
    return any(not _is_about_change(tree, node) for node in (*times, *days))


def _is_about_change(tree: Tree, node: int) -> bool:
    """Whether an element around the date, or the words on its line, label it as the date of a change."""
    for each in (node, tree.parent[node], tree.parent[tree.parent[node]]):
        attrs = tree.attrs[each]
        named = f"{attrs.get('itemprop') or ''} {attrs.get('class') or ''}".lower()
        line = tree.plain(each)
        if "modified" in named or "updated" in named or (len(line) < _DATE_LINE and _MODIFIED.search(line)):
            return True
    return False


def _declared_features(document: Document) -> Iterator[Feature]:
    kind = next(iter(document.meta_contents("og:type")), "").lower()
    if kind:
        yield ("post", 1.5) if kind == "article" else ("index", 0.5) if kind in ("website", "blog") else ("other", 1.0)
    scripts = document.all('script[type="application/ld+json"]')
    types = {name for script in scripts for name in TYPES_IN_JSON.findall(script.plain(0))}
    if types & _POST_TYPES:
        yield "post", 1.5
    if types & _INDEX_TYPES:
        yield "index", 1.5
    if types & _OTHER_TYPES:
        yield "other", 2.0
    if document.meta_contents("article:published_time"):
        yield "post", 1.5
    if (kind_by_body := kind_named_on_body(document.tree)) is not None:
        yield kind_by_body


def kind_named_on_body(tree: Tree) -> Feature | None:
    """Return the kind by the classes of <body> with its weight, or None."""
    bodies = tree.nodes_by_tag.get("body", ())
    names = next((classes for node in bodies if (classes := tree.attrs[node].get("class"))), "")
    if _ATTACHMENT_BODY.search(names) or _NUMBERED_PAGE_BODY.search(names):
        return "other", 4.0
    if _POST_BODY.search(names):
        return "post", 2.0
    if _INDEX_BODY.search(names):
        return "index", 2.0
    return ("other", 1.5) if _OTHER_BODY.search(names) else None


def _url_features(url: str) -> Iterator[Feature]:
    try:
        path = unquote(urlsplit(url).path)
    except ValueError:
        return
    if not urlsplit(url).scheme:
        return
    if is_listing(url):
        yield "index", 2.5
    elif _SERVICE.search(path) or is_service_page(url):
        yield "other", 2.0
    elif re.search(r"[^\W\d_]+[-_][^\W\d_]+[-_]|/\d{4}/", path):
        yield "post", 1.0


# Parts of URLs that only forums use: forum.example/t/7, example.org/threads/7/, /viewtopic.php?t=7.
_FORUM_FOLDERS = frozenset(url_words("page.forum"))
_SCRIPTS = (".php", ".asp", ".aspx", ".pl", ".cgi", ".jsp")
_TOPIC_NUMBER = re.compile(r"(?:^|[&;])topic=\d")  # SMF: index.php?topic=343886.0
_THREAD_TYPES = declarations("type.thread")  # without FAQPage, whose questions are by the page's author


_MESSAGE = part_names("forum.message")
_MESSAGE_BELOW = tuple(name.split("/") for name in part_names("forum.message_below"))
_MESSAGE_ID = re.compile(any_of(part_names("forum.message_id")))
_MESSAGE_ON_THREAD = part_names("forum.message_on_thread")
_SIGNATURE = part_names("forum.signature")
_MIN_MESSAGES = 2  # a single one may be in an article about forums


def is_thread(document: Document) -> bool:
    """Return whether the page is a forum thread or another page of messages by many people."""
    return document.fact(_is_thread_page)


def _is_thread_page(document: Document) -> bool:
    tree = document.tree
    return _is_forum_url(document.url) or _declares_thread(tree) or len(_messages_by_software(tree)) >= _MIN_MESSAGES


def thread_messages(tree: Tree) -> list[int]:
    """Return the outermost elements with the texts of messages on a thread page."""
    on_thread = (node for name in _MESSAGE_ON_THREAD for node in tree.nodes_by_class.get(name, ()))
    return tree.outermost(_messages_by_software(tree) or on_thread)


def _messages_by_software(tree: Tree) -> list[int]:
    """The elements with names that only forum software uses for messages, without signatures."""
    by_class = tree.nodes_by_class
    found = [node for name in _MESSAGE for node in by_class.get(name, ())]
    found += [node for name, nodes in tree.nodes_by_id.items() if _MESSAGE_ID.fullmatch(name) for node in nodes]
    for outer, inner in _MESSAGE_BELOW:
        if around := by_class.get(outer):
            found += _inside(tree, by_class.get(inner, []), around)
    signatures = [node for name in _SIGNATURE for node in by_class.get(name, ())] if found else []
    return sorted(set(found) - set(_inside(tree, found, signatures)))


def _inside(tree: Tree, nodes: Iterable[int], around: Iterable[int]) -> list[int]:
    """The nodes that are one of the elements or inside one."""
    outermost = tree.outermost(around)
    places = ((node, bisect_right(outermost, node) - 1) for node in nodes)
    return [node for node, place in places if place >= 0 and node < tree.end[outermost[place]]]


def _is_forum_url(url: str) -> bool:
    try:
        parts = urlsplit(url.lower())
    except ValueError:  # an invalid URL such as http://[::1
        return False
    *folders, page = parts.path.split("/")
    names = {*parts.netloc.split(".")[:-1], *folders}
    if page.endswith(_SCRIPTS):
        names.add(page.rpartition(".")[0])
    return not _FORUM_FOLDERS.isdisjoint(names) or bool(_TOPIC_NUMBER.search(parts.query))


def _declares_thread(tree: Tree) -> bool:
    if any(declared.endswith(_THREAD_TYPES) for _, declared in tree.named.typed):
        return True
    for node in tree.nodes_by_tag.get("script", ()):
        if "ld+json" in (tree.attrs[node].get("type") or ""):
            declared = tree.plain(node)
            if any(f'"{name}"' in declared for name in _THREAD_TYPES):
                return True
    return False
