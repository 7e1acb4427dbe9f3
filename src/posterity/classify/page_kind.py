"""The kind of a page (post, index or other), by its URL and its contents."""

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
from posterity.dom.metadata import absolute, declared_url
from posterity.dom.tree import TEXT, matches
from posterity.lexicon import any_of, declarations, part_names, url_words, words_for
from posterity.model import Rule, RuleSet
from posterity.urls import canonical_url
from posterity.urls.kinds import day_in_url, is_in_section, is_listing, is_service_page
from posterity.urls.post_pattern import UrlPattern

PageKind: TypeAlias = Literal["post", "index", "other"]

_THREAD = re.compile(rf"(?:post-?)?comments?(?:-?(?:{any_of(part_names('comment.thread_suffix'))}))?", re.IGNORECASE)
_AROUND_POSTS = frozenset({"html", "body", "main", "article"})
# Elements that texts do not have in them.
_ARTICLE_TAGS = frozenset({"article", "main"})


# How sure the page alone must be, where no rule of the blog names an article on it: another theme, an older layout.
_SURE_OF_PATTERN, _SURE = 0.5, 0.75
# A page outside of the pattern, in a template of its own, that only a sitemap names.
_SURE_OF_SECTION = 0.85
# A page that a feed lists is a post, unless it surely is a list.
_SURE_OF_LIST = 0.9


_PAGE_NUMBER = re.compile(r"/\d{1,3}/?$")
_HEADINGS = ("h1", "h2", "h3", "h4")


class UrlEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """What lists and links of the blog show about a page's URL.

    `is_listed`: a feed or the platform lists it as a post; `is_in_list`: a list of posts on a page, or the sitemap, has
    it; `is_section`: several other URLs are right below it; `is_below_post`: it is below a post's URL;
    `is_left_out`: the platform lists all posts, and not this one; `is_in_sitemap`: some list of the blog names it.
    """

    is_listed: bool = False
    is_in_list: bool = False
    is_section: bool = False
    is_below_post: bool = False
    is_left_out: bool = False
    is_in_sitemap: bool = False


_NOTHING_KNOWN = UrlEvidence()


def page_kind(document: Document, rules: RuleSet, pattern: UrlPattern, known: UrlEvidence = _NOTHING_KNOWN) -> PageKind:
    """Return what the page is.

    An index repeats the article that a post has once. A post fits the pattern of the blog's URLs and has the article
    and, where posts of this blog carry dates, a date. The URL that the page itself declares counts like its own. A URL
    near the pattern, or on a list of posts, can be a post too, if nothing is missing. A page on which no rule names an
    article is judged by itself (`kind_of_page`): the rules are of another template.
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
        # A heading in a post may link to another, below the post's own title.
        is_like_posts = shows_article and pattern.fits(url) and not is_listing(url)
        is_list = other is not None and not (is_like_posts and _has_title_beside(document, rules, other))
    if is_list:
        return "index"
    if known.is_below_post and _PAGE_NUMBER.search(url):
        return "other"
    is_page = not known.is_listed and is_called_page(document)
    if is_page or known.is_section or known.is_below_post:
        kind, confidence = kind_of_page(document)
        if is_page or kind != "post" or confidence < (_SURE_OF_PATTERN if known.is_listed else _SURE):
            return "index" if kind == "index" else "other"
    if known.is_listed:
        return "post" if shows_article or not is_surely_index(document, _SURE_OF_LIST) else "index"
    if not shows_article and _holds(document, rules, "text") and not _shows_title(document, rules):
        return "other"  # the blog's own template, with nothing in it
    by_rules = _kind_by_rules if shows_article else _kind_without_rules
    return by_rules(document, rules, url, pattern, known)


def _kind_by_rules(document: Document, rules: RuleSet, url: str, pattern: UrlPattern, known: UrlEvidence) -> PageKind:
    is_dated = _holds(document, rules, "published") or (day_in_url(url) is not None and pattern.is_level(url))
    if not is_dated and is_listing(url) and not pattern.is_specific(url) and not any(map(is_listing, rules.evidence)):
        return "index"  # posts and lists of them lie side by side: /tag_salt.html, /all_posts.html
    if pattern.fits(url) or pattern.fits(declared_url(document) or ""):
        is_post = is_dated or not _always_dated(rules) or (known.is_in_list and pattern.is_specific(url))
        if not is_post and not known.is_left_out:  # an older theme, on which the rules find no date
            is_post = names_a_day(document) and _is_surely_a_post(document)
        return "post" if is_post else "other"
    is_near = pattern.is_near(url) or (known.is_in_list and not is_listing(url))
    if not is_near and _may_be_in_section(url, known):  # another section with the blog's own template
        is_near = not known.is_left_out and _is_surely_a_post(document)
    # Where the rules find no date on any post, the page itself must look like one.
    is_dated = is_dated or (not rules.rules_for("published") and _is_surely_a_post(document))
    has_title = _holds(document, rules, "title") or (not _has_one_place(rules, "title") and _is_surely_a_post(document))
    return "post" if is_near and is_dated and has_title else "other"


def _linked_title(document: Document, pattern: UrlPattern) -> int | None:
    """Return the linked title of another post, if the page's text is below it: a list with one post in it."""
    tree = document.tree
    own = {canonical_url(document.url), declared_url(document) or canonical_url(document.url)}
    hosts = {urlsplit(url).netloc for url in own}
    headings = sorted(node for tag in _HEADINGS for node in tree.nodes_by_tag.get(tag, ()))
    targets = {node: absolute(document.base_url, _only_link(tree, node)) for node in headings}
    others = {
        node
        for node, target in targets.items()
        if target and urlsplit(target).netloc in hosts and canonical_url(target) not in own and pattern.fits(target)
    }
    if not others:
        return None
    block, _ = document.fact(_longest_text)
    text = (node for node in tree.runs if block <= node < tree.end[block] and len(tree.text[node]) >= _LITTLE)
    first = next(text, 0)
    last = max((node for node in headings if node < first), default=None)
    return last if last in others else None


def _has_title_beside(document: Document, rules: RuleSet, heading: int) -> bool:
    """Return whether the page has a title besides this heading, or may have it where no rule looks."""
    named = {node for rule in rules.rules_for("title") for node in matches(document.tree, rule.rule)}
    return not _has_one_place(rules, "title") or not named <= document.tree.around((heading,))


def _only_link(tree: Tree, heading: int) -> str | None:
    """The target of the link that is all of the heading, or that the heading is in."""
    around = [node for node in tree.around((heading,)) if tree.tag[node] == "a"]
    inside = (node for node in range(heading + 1, tree.end[heading]) if tree.tag[node] == "a")
    links = around or [node for node in inside if tree.plain(node).strip() == tree.plain(heading).strip()]
    return next((tree.attrs[node].get("href") for node in links), None)


def is_called_page(document: Document) -> bool:
    """Return whether the blog's software calls this a page beside its posts, as WordPress does."""
    return any(map(_NUMBERED_PAGE_BODY.search, document.attributes("body[class]", "class")))


def _kind_without_rules(
    document: Document, rules: RuleSet, url: str, pattern: UrlPattern, known: UrlEvidence
) -> PageKind:
    kind, confidence = kind_of_page(document)
    fits = pattern.fits(url)
    if kind == "other" and fits and known.is_in_list and pattern.is_specific(url):
        return "post"
    if kind != "post":
        return kind
    if known.is_left_out and not names_its_day(document):
        return "other"
    if fits:
        # Where all posts show a date, so do those of an older template; menu pages have none.
        is_dated = not _always_dated(rules) or pattern.is_specific(url) or names_a_day(document)
        return "post" if is_dated and confidence >= _SURE_OF_PATTERN else "other"
    is_near = (pattern.is_near(url) and pattern.is_level(url)) or (known.is_in_list and not is_listing(url))
    # Manuals beside a blog are in lists and sitemaps too, but have no date where all posts have one.
    is_manual = _always_dated(rules) and _MANUAL.search(url) is not None
    is_dated = (known.is_in_list and not is_manual) or names_its_day(document)
    if not is_near and _may_be_in_section(url, known):  # another section with another template
        is_near = confidence >= _SURE_OF_SECTION
    return "post" if is_near and confidence >= _SURE and is_dated else "other"


def _may_be_in_section(url: str, known: UrlEvidence) -> bool:
    """Return whether the URL may be a post of a section that the feed leaves out: another language, notes."""
    return known.is_in_sitemap and is_in_section(url) and not is_listing(url)


def _is_surely_a_post(document: Document) -> bool:
    kind, confidence = kind_of_page(document)
    return kind == "post" and confidence >= _SURE


def has_article(document: Document, rules: RuleSet) -> bool:
    """Return whether a rule names an article that is not empty: scripts hide the place of the post on their lists."""
    tree = document.tree
    named = (node for rule in rules.rules_for("text") for node in matches(tree, rule.rule))
    return any(
        tree.text[inner].strip() or tree.tag[inner] not in _WRAPPERS
        for node in named
        for inner in range(node, tree.end[node])
    )


def _holds(document: Document, rules: RuleSet, field: str) -> bool:
    return any(document.count(rule.rule) for rule in rules.rules_for(field))


def _shows_title(document: Document, rules: RuleSet) -> bool:
    tree = document.tree
    return any(tree.plain(node).strip() for rule in rules.rules_for("title") for node in matches(tree, rule.rule))


def _repeats_article(document: Document, rules: RuleSet) -> bool:
    """More articles than on any page that the rule was learned from.

    A rule that names all cells of tables, or all galleries, names several in one text too: then title or date must
    repeat as well, or the page must look like a list. A rule that names the frame of every page names one on a list
    too: there title and date repeat.
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
    """Return whether the page has more of it than any page that the rule was learned from; None when it has none."""
    for rule in rules.rules_for(field):
        count = document.count(rule.rule)
        if count:
            usual = max(1, rule.per_page)
            return rule.rule.kind != "path" and count > usual and _outside_comments(document, rule.rule) > usual
    return None


def _outside_comments(document: Document, rule: Rule) -> int:
    """How many nodes the rule names; some software calls the text of a comment as it calls that of a post."""
    tree = document.tree
    return sum(not any(_is_thread(tree, each) for each in tree.around((node,))) for node in matches(tree, rule))


def _is_thread(tree: Tree, node: int) -> bool:
    # Themes put the names of all features on the elements around a post ("comments-open").
    attrs = tree.attrs[node]
    return tree.tag[node] not in _AROUND_POSTS and any(
        _THREAD.fullmatch(name) for name in (attrs.get("id") or "", *(attrs.get("class") or "").split())
    )


def _always_dated(rules: RuleSet) -> bool:
    """Return whether every page of the evidence had a date where the rules look for it."""
    return sum(rule.pages for rule in rules.rules_for("published")) >= 0.9 * len(rules.evidence) > 0


def _has_one_place(rules: RuleSet, field: str) -> bool:
    """Return whether one rule names the field on every page of the evidence; sections may have places of their own."""
    return any(rule.pages >= 0.9 * len(rules.evidence) for rule in rules.rules_for(field))


Feature: TypeAlias = "tuple[PageKind, float]"

_TYPES = re.compile(r'"@type"\s*:\s*\[?\s*"(\w+)"')
_POST_TYPES = frozenset(declarations("type.post_page"))
_INDEX_TYPES = frozenset(declarations("type.index_page"))
_OTHER_TYPES = frozenset(declarations("type.other_page"))
_INDEX_BODY = re.compile(rf"(?:^| )(?:{any_of(part_names('body.index'))})(?:$|[ -])", re.IGNORECASE)
_POST_BODY = re.compile(rf"(?:^| )(?:{any_of(part_names('body.post'))})(?:$|[ -])", re.IGNORECASE)
# What WordPress calls the page of a picture below a post.
_ATTACHMENT_BODY = re.compile(r"(?:^| )(?:attachment|single-attachment|attachmentid-\d+)(?: |$)", re.IGNORECASE)
# What WordPress calls the pages beside its posts, by their number or by their template.
_NUMBERED_PAGE_BODY = re.compile(r"(?:^| )page-?id-\d+(?: |$)", re.IGNORECASE)
_OTHER_BODY = re.compile(r"(?:^| )page-template\S*(?: |$)", re.IGNORECASE)
_SERVICE = re.compile(rf"/(?:{any_of(url_words('service.folder', 'service.not_of_posts'))})(?:[/.-]|$)", re.IGNORECASE)
_MANUAL = re.compile(rf"/(?:{any_of(url_words('service.not_of_blog'))})/", re.IGNORECASE)
# Two years, "2007-2008", are no day.
_DAY = re.compile(
    r"(?<!\d)\d{1,2}\D{1,20}(?:19|20)\d\d(?!\d)|(?:19|20)\d\d\D{1,12}\d{1,2}(?!\d)|\d{1,2}[./-]\d{1,2}[./-]\d\d"
)
_DATE_LINE = 100
_PUBLISHED = 'meta[property="article:published_time"], meta[itemprop="datePublished"]'
_MODIFIED = re.compile(any_of(words_for("date.modified")), re.IGNORECASE)
_WRAPPERS = frozenset({TEXT, "div", "section", "article", "main", "p", "span", "br", "hr"})  # empty, they show nothing
_TEXT_BLOCKS = frozenset({"td", "div", "blockquote", "article", "section", "body", "center", "dd"})
_LITTLE = 60  # characters of unlinked text, with which a page is nothing
_PARAGRAPHS = 300  # characters of paragraphs side by side, from which they are an article


def kind_of_page(document: Document) -> tuple[PageKind, float]:
    """Return what the page most probably is, and how sure that is, from 0 to 1."""
    return document.fact(_kind_by_features)


def _kind_by_features(document: Document) -> tuple[PageKind, float]:
    points: dict[PageKind, float] = {"post": 0.0, "index": 0.0, "other": 0.0}
    for kind, worth in _features(document):
        points[kind] += worth
    weights = {kind: math.exp(value) for kind, value in points.items()}
    best = max(weights, key=lambda kind: weights[kind])
    return best, round(weights[best] / sum(weights.values()), 3)


_MOST_OF_LISTING = 4.5  # points for "index" that `_listing_features` gives at most


def is_surely_index(document: Document, least: float) -> bool:
    """Return whether the page lists posts, at least as sure as this.

    The posts are not looked for where the page and its URL declare so much else that no list could outweigh it.
    """
    points = dict.fromkeys(("post", "index", "other"), 0.0)
    for kind, worth in (*_declared_features(document), *_url_features(document.url)):
        points[kind] += worth
    rounded = least - 0.0005
    if points["index"] + _MOST_OF_LISTING - points["post"] < math.log(rounded / (1 - rounded)):
        return False
    kind, confidence = kind_of_page(document)
    return kind == "index" and confidence >= least


_NOT_FOUND = re.compile(rf"^\W*(?:error\W*)?404\b|{any_of(words_for('page.not_found'))}", re.IGNORECASE)
_ERROR_TEXT = 500  # characters of unlinked text, up to which a page may be an error page
# "Error 404 - Tides" as the whole title; no post has it but in passing. Those of hosts explain themselves at length.
_ERROR_TITLE = re.compile(r"^\W*(?:(?:http\W*)?error\W*404|404\W*(?:error|page|file|not)\b)", re.IGNORECASE)
_LONG_ERROR_TEXT = 1500


def is_soft_404(document: Document) -> bool:
    """Return whether the page reports that there is none: a heading or title in those words above little text."""
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
    """Records with titles that link elsewhere are an index, the more so the more of the page's text is theirs."""
    worth = min(1.0, listing.score / 60)
    yield "index", worth * listing.linked * (1.0 + 2.5 * listing.text_share + listing.dated)
    yield "other", worth * listing.linked * (1.0 - listing.dated)


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
    """The block with the longest paragraphs outside of lists, and their length."""
    tree, density, listing = document.tree, document.fact(density_of), document.fact(listing_on)
    runs: Counter[int] = Counter()
    listed = bytearray(len(tree))
    for record in listing.records if listing.linked >= 0.5 else ():
        inside = record.inside(tree)
        listed[inside.start : inside.stop] = b"\x01" * len(inside)
    for paragraph in tree.nodes_by_tag.get("p", ()):
        if not listed[paragraph]:
            runs[tree.parent[paragraph]] += density.unlinked(paragraph, tree.end[paragraph])
    if not runs:  # layouts of tables and line breaks
        runs = _texts_by_block(tree, density)
    return max(runs.items(), key=lambda run: run[1], default=(0, 0))


def _texts_by_block(tree: Tree, density: TextDensity) -> Counter[int]:
    """How much unlinked text is in each cell or block itself, on a page without paragraphs."""
    found: Counter[int] = Counter()
    for node in tree.runs:
        block = tree.parent[node]
        while block > 0 and tree.tag[block] not in _TEXT_BLOCKS:
            block = tree.parent[block]
        found[block] += density.unlinked(node, node + 1)
    return found


def names_a_day(document: Document) -> bool:
    """Return whether a short text of the page has a year and another number: "12 March 2021", not "© 2021".

    A URL may name the day as well.
    """
    tree = document.tree
    if "time" in tree.nodes_by_tag or day_in_url(document.url) is not None:
        return True
    short = (text for text, unseen in zip(tree.text, tree.unseen, strict=True) if len(text) < _DATE_LINE and not unseen)
    return any(_DAY.search(text) and "©" not in text for text in short)


def names_its_day(document: Document) -> bool:
    """Return whether the page names a day that is not only the day of its last change, as pages of manuals do."""
    if day_in_url(document.url) is not None or document.attributes(_PUBLISHED, "content"):
        return True
    tree = document.tree
    times = tree.nodes_by_tag.get("time", ())
    lines = (node for node in tree.runs if len(tree.text[node]) < _DATE_LINE and not tree.unseen[node])
    days = (node for node in lines if _DAY.search(tree.text[node]) and "©" not in tree.text[node])
    return any(not _is_about_change(tree, node) for node in (*times, *days))


def _is_about_change(tree: Tree, node: int) -> bool:
    """Return whether a date is called modified by its element, or by the words before it on the line."""
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
    types = {
        name
        for script in document.all('script[type="application/ld+json"]')
        for name in _TYPES.findall(script.plain(0))
    }
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
    """Return what the classes of <body> call the page, and how much that is worth."""
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


# Parts of URLs that forums and nobody else use: forum.example/t/7, example.org/threads/7/, /viewtopic.php?t=7.
_FORUM_FOLDERS = frozenset(url_words("page.forum"))
_SCRIPTS = (".php", ".asp", ".aspx", ".pl", ".cgi", ".jsp")
_TOPIC_NUMBER = re.compile(r"(?:^|[&;])topic=\d")  # SMF: index.php?topic=343886.0
_THREAD_TYPES = declarations("type.thread")  # FAQPage is a list by the page's own author


_MESSAGE = part_names("forum.message")
_MESSAGE_BELOW = tuple(name.split("/") for name in part_names("forum.message_below"))
_MESSAGE_ID = re.compile(any_of(part_names("forum.message_id")))
_MESSAGE_ON_THREAD = part_names("forum.message_on_thread")
_SIGNATURE = part_names("forum.signature")
_MIN_MESSAGES = 2  # a single one may be of an article about forums


def is_thread(document: Document) -> bool:
    """Return whether the messages of many people are what this page is for."""
    return document.fact(_is_thread_page)


def _is_thread_page(document: Document) -> bool:
    tree = document.tree
    return _is_forum_url(document.url) or _declares_thread(tree) or len(_messages_by_software(tree)) >= _MIN_MESSAGES


def thread_messages(tree: Tree) -> list[int]:
    """Return the elements with the texts of messages, on a page that is a thread; none inside another."""
    on_thread = (node for name in _MESSAGE_ON_THREAD for node in tree.nodes_by_class.get(name, ()))
    return tree.outermost(_messages_by_software(tree) or on_thread)


def _messages_by_software(tree: Tree) -> list[int]:
    """Return the elements with names that only forum software gives to the texts of messages; no signatures."""
    by_class = tree.nodes_by_class
    found = [node for name in _MESSAGE for node in by_class.get(name, ())]
    found += [node for name, nodes in tree.nodes_by_id.items() if _MESSAGE_ID.fullmatch(name) for node in nodes]
    for outer, inner in _MESSAGE_BELOW:
        if around := by_class.get(outer):
            found += _inside(tree, by_class.get(inner, []), around)
    signatures = [node for name in _SIGNATURE for node in by_class.get(name, ())] if found else []
    return sorted(set(found) - set(_inside(tree, found, signatures)))


def _inside(tree: Tree, nodes: Iterable[int], around: Iterable[int]) -> list[int]:
    """Return those of the nodes that are, or are in, one of the elements."""
    outermost = tree.outermost(around)
    places = ((node, bisect_right(outermost, node) - 1) for node in nodes)
    return [node for node, place in places if place >= 0 and node < tree.end[outermost[place]]]


def _is_forum_url(url: str) -> bool:
    try:
        parts = urlsplit(url.lower())
    except ValueError:  # a URL that cannot be opened: http://[::1
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
