"""Tags and categories of a post, which its page declares or links to near the article, and lists of other posts."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TypeAlias

from posterity.dom.document import Document, json_ld
from posterity.dom.plain_text import text_of
from posterity.dom.tree import TEXT, Tree
from posterity.lexicon import any_of, part_names, url_words
from posterity.text.normal_form import letters_and_digits, one_line

_NO_TAG = re.compile(r"[\W\d_]*|_.*|[\da-f]{8}-[\da-f-]{27}|(?:\S++\s++){8}.*", re.IGNORECASE)  # or nine words or more


def declared_tags(document: Document) -> tuple[str, ...]:
    """Return the tags in `article:tag` (Open Graph): one per <meta>, or a list with commas in one."""
    return _tags_in(document.meta_contents("article:tag"))


def item_keywords(document: Document) -> tuple[str, ...]:
    """Return the keywords of the first JSON-LD article that has any."""
    given = (item.get("keywords") for item in json_ld(document) if "headline" in item)
    return _tags_in(next(filter(None, given), None))


def own_keywords(document: Document, article: int) -> tuple[str, ...]:
    """Return the <meta> keywords if at least half occur in the article's text; keywords of a whole site do not.

    Unless they are `news_keywords`, one must also occur in the main heading.
    """
    tree = document.tree
    metas = [tree.attrs[node] for node in tree.nodes_by_tag.get("meta", ())]
    title = " ".join(tree.plain(node) for node in tree.nodes_by_tag.get("h1", ())).casefold()
    for name in ("news_keywords", "keywords"):
        tags = _tags_in([meta.get("content") for meta in metas if meta.get("name") == name])
        keys = [tag.casefold() for tag in tags]
        is_own = name == "news_keywords" or any(key in title for key in keys)
        text = tree.plain(article).casefold() if keys and is_own else ""
        if text and 2 * sum(key in text for key in keys) >= len(keys):
            return tags
    return ()


def _tags_in(given: object) -> tuple[str, ...]:
    """Return the tags in a list or comma-separated text, without numbers, ids and labels such as "Type: Article"."""
    listed = given if isinstance(given, list) else [given]
    words = listed[0].split(",") if len(listed) == 1 and isinstance(listed[0], str) else listed
    tags = list(dict.fromkeys(one_line(word).strip(" ,;") for word in words if isinstance(word, str)))
    has_labels = sum(": " in tag for tag in tags) > 1
    own = tuple(tag for tag in tags if not _NO_TAG.fullmatch(tag) and not (has_labels and ": " in tag))
    return own if 2 * len(own) > len(tags) else ()


def declared_terms(document: Document) -> tuple[str, ...]:
    """Return the tags that the page declares, else the texts of its `rel=tag` links."""
    linked = (one_line(text_of(tree)) for tree in document.all('a[rel~="tag"]'))
    return declared_tags(document) or tuple(dict.fromkeys(filter(None, linked)))


# The tags and categories of a post are links near its article to lists of posts under a term. A term is recognised by
# the `rel` or URL of its link (/tags/salt/, ?cat=4, /tags#salt) or by class names on it or around it; one without a
# link by class names on it and around it. It belongs to the post if it is near the article, in a line that is not a
# sentence, and not in a menu, sidebar, comment thread or list of other posts.
_FOLDER = any_of(url_words("term.folder"))
# The term follows the folder, or a "#" on the page of all terms.
_IN_PATH = re.compile(rf"(?:^|/)(?:{_FOLDER})(?:[/:_-][^/?#]|(?:/|/index\.html?|\.html?)?#\w)", re.IGNORECASE)
_LIST_OF_TERMS = re.compile(_FOLDER, re.IGNORECASE)  # "Categories": a link to the page of all terms
_IN_QUERY = re.compile(
    rf"[?&](?:(?:{any_of(url_words('term.parameter'))})=\w|(?:{any_of(url_words('term.parameter_of_number'))})\d)",
    re.IGNORECASE,
)
_OF_TERMS = re.compile(rf"(?:^|[\s_-])(?:{any_of(part_names('term.link'))})(?=$|[\s_-])", re.IGNORECASE)
_SIDE = any_of(part_names("term.side_column"))
_SIDE_COLUMN = re.compile(rf"(?:^|[\s_-])(?:{_SIDE})(?=$|[\s_-])", re.IGNORECASE)
_ELSEWHERE = re.compile(rf"(?:^|[\s_-])(?:{any_of(part_names('term.elsewhere'))}|{_SIDE})(?=$|[\s_-])", re.IGNORECASE)
_ABOUT_POST = re.compile(rf"(?:^|[\s_-]){part_names('term.about_post')[0]}(?=$|\s)", re.IGNORECASE)
_TALK = re.compile(rf"#(?:{any_of(part_names('comment.fragment'))})\b", re.IGNORECASE)
_COUNT = re.compile(r"[(\[]\d{1,5}[)\]]$")
_SEPARATORS = " \t#,;|/·•×[]"
_MAX_CHARS, _MAX_WORDS = 80, 6
_MAX_TERMS = 25  # more are a tag cloud of the whole blog
_NAMED_ABOVE = 2  # ancestors whose class may mark a link as a term
_LEVELS = 6  # from the article up to the common ancestor with its terms
# Nodes between the article and its terms, and between groups of terms, such as categories and tags.
_BEFORE, _BEHIND, _NEXT_GROUP, _INSIDE = 160, 120, 30, 60
# Characters outside links in a line: a byline, a label in the article, "This entry ... is filed under" with rel=tag.
_MAX_BYLINE, _MAX_LABEL, _MAX_NOTICE = 140, 40, 400
_HEADINGS = ("h1", "h2", "h3", "h4")
_NO_TERMS_IN = frozenset({"pre", "code", "form", "label", "button"})
_Found: TypeAlias = tuple[int, str, tuple[str, float]]


def terms_near(
    tree: Tree, article: int, url: str = "", left_out: frozenset[int] = frozenset()
) -> tuple[tuple[str, ...], str, float]:
    """Return the terms of the post whose article is this node, how they were recognised, and the confidence.

    A link in the article to another host than that of `url` is not a term, unless its `rel` declares it.
    Parts left out of the article's start and end, such as a header, count as outside of it.
    """
    article = _most_of_text(tree, article)
    named = _terms_named_around(tree, article)
    if named and all(named.values()):
        return tuple(dict.fromkeys(named.values())), *_BY_CLASS
    text = _kept_text(tree, article, left_out)
    lines, own_host = LinkLines(tree), _HOST.match(url)
    host = own_host[1].lower() if own_host else ""
    found = [
        (node, term, reason)
        for node in _links_around(tree, article, text)
        if not tree.unseen[node]
        and (reason := _reason(tree, node, article)) is not None
        and not _is_counted_item(tree, node)
        and (term := _term(tree, node, reason))
        and _is_of_post(tree, node, article, text, reason, lines)
        and (reason is _BY_REL or node not in text or _stays_on(host, tree, node))
    ]
    before = [one for one in found if one[0] < text.start]
    inside = [one for one in found if one[0] in text]
    next_post = _next_post(tree, tree.end[article])
    behind = [one for one in found if text.stop <= one[0] < next_post]
    last = _above_next_heading(tree, text.stop, _nearest(behind))
    own = [one for one in last if one[0] < tree.end[article]]
    first, last = [*_below_list_of_all(tree, _nearest(before[::-1])[::-1]), *inside, *own], last[len(own) :]
    chosen = first if _has_all_terms_of(tree, last, first) else [*first, *last]
    shown = [*(term for _, term, _ in chosen), *filter(None, named.values())]
    terms = {letters_and_digits(term): term for term in reversed(shown)}
    if not terms or len(terms) > _MAX_TERMS:
        return (), "", 0.0
    return tuple(reversed(terms.values())), *max(
        (reason for *_, reason in chosen), key=lambda one: one[1], default=_BY_CLASS
    )


def _terms_named_around(tree: Tree, article: int) -> dict[str, str]:
    """Return the last folders of the URLs of the post's terms, which WordPress writes into the classes of its element.

    Each has its name, wherever a link on the page shows it, or an empty text.
    """
    around = (tree.classes(node) for node in sorted(tree.around((article,)), reverse=True))
    classes = next((names for names in around if any(map(_OF_POST.fullmatch, names))), ())
    slugs = dict.fromkeys((match[1] for name in classes if (match := _CLASS_OF_TERM.fullmatch(name))), "")
    for node in tree.nodes_by_tag.get("a", ()) if slugs else ():
        href = tree.attrs[node].get("href") or ""
        slug = _SLUG.search(href)
        if slug and slugs.get(slug[1]) == "" and leads_to_term(href):
            slugs[slug[1]] = _term(tree, node, _BY_CLASS)
    return slugs


def _is_counted_item(tree: Tree, link: int) -> bool:
    """Return whether a list item holds only the link and a number of posts, as in lists of all terms of a blog."""
    item = tree.parent[link]
    line = one_line(tree.plain(item)) if tree.tag[item] == "li" else ""
    return _COUNT.search(line) is not None and term_in(line) == term_in(tree.plain(link))


def _most_of_text(tree: Tree, article: int) -> int:
    """Return the article's node; if that is the whole page, its deepest element with over half of the text."""
    if tree.tag[article] not in ("html", "body"):
        return article
    sizes, half = tree.text_sizes, tree.text_sizes[article] / 2
    node = article + 1
    while node < tree.end[article]:
        if sizes[node] > half and tree.tag[node] is not TEXT and not tree.unseen[node]:
            article, node = node, node + 1  # descend
        else:
            node = tree.end[node]
    return article


def _kept_text(tree: Tree, article: int, left_out: frozenset[int]) -> range:
    """Return the range from the article's first to its last text that is not left out."""
    start, stop = article, tree.end[article]
    texts = tree.runs[bisect_left(tree.runs, start) : bisect_left(tree.runs, stop)] if left_out else []

    def is_kept(node: int) -> bool:
        return bool(tree.text[node].strip()) and not any(part <= node < tree.end[part] for part in left_out)

    start = next(filter(is_kept, texts), start)
    stop = next(filter(is_kept, reversed(texts)), stop - 1) + 1
    return range(start, stop)


def _links_around(tree: Tree, article: int, text: range) -> Iterator[int]:
    """Yield links and unlinked terms near the article; those in its middle only with `rel`."""
    links = sorted((*tree.nodes_by_tag.get("a", ()), *unlinked_terms(tree)))
    top = article
    for _ in range(_LEVELS - 1):
        top = max(tree.parent[top], 0)
    first, last = text.start + _INSIDE, text.stop - _INSIDE
    for node in links[bisect_left(links, top) : bisect_left(links, tree.end[top])]:
        if not first < node < last or "rel" in tree.attrs[node] or _is_at_an_end(tree, node, text):
            yield node


def _is_at_an_end(tree: Tree, node: int, text: range) -> bool:
    """Whether the link, or its list, is near the start or end of the article, or right below a title."""
    item = tree.parent[node]
    part = tree.parent[item] if tree.tag[item] == "li" else node
    depth = min(part - text.start, text.stop - tree.end[part])
    return depth <= _INSIDE or _is_below_title(tree, node)


def _is_below_title(tree: Tree, node: int) -> bool:
    return _has_title_before(tree, node - _NEXT_GROUP, node)


def unlinked_terms(tree: Tree) -> Iterator[int]:
    """Yield the elements with a term's class name inside another such element that contains no links."""
    holds_terms: dict[int, bool] = {}
    for node in (node for name, nodes in tree.nodes_by_class.items() if _names_terms(name) for node in nodes):
        if (around := tree.parent[node]) not in holds_terms:
            # Tokens of highlighted code, and labels of forms.
            is_other = any(tree.tag[one] in _NO_TERMS_IN for one in tree.around((node,)))
            is_named = not is_other and _names_terms(tree.attrs[around].get("class") or "")
            holds_terms[around] = is_named and "a" not in tree.tag[around : tree.end[around]]
        if holds_terms[around]:
            yield node


def _nearest(found: list[_Found]) -> list[_Found]:
    """Return the first terms and the groups that follow closely; later ones belong to the whole blog."""
    gaps = (abs(right[0] - left[0]) for left, right in pairwise(found))
    return found[: next((place for place, gap in enumerate(gaps, 1) if gap > _NEXT_GROUP), len(found))]


def _below_list_of_all(tree: Tree, found: list[_Found]) -> list[_Found]:
    """Return the terms without a list above the last element with terms that has these and many more."""
    around = tree.parent[found[-1][0]] if found else 0
    own = [one for one in found if one[0] > (tree.parent[around] if tree.tag[around] == "li" else around)]
    return own if _has_all_terms_of(tree, found[: len(found) - len(own)], own) else found


def _above_next_heading(tree: Tree, end: int, found: list[_Found]) -> list[_Found]:
    """Return the terms above the next heading, as those below it belong to the whole blog.

    If the first heading precedes all terms, it is theirs; below a second heading they belong to the blog, too. Headings
    in elements named after terms (<div class="tags"><h2>) are labels and do not count.
    """
    every = sorted(node for tag in _HEADINGS for node in tree.nodes_by_tag.get(tag, ()) if node >= end)
    headings = [node for node in every if not _names_terms(tree.attrs[tree.parent[node]].get("class") or "")]
    if not found or not headings or headings[0] < found[0][0]:
        return [] if found and len(headings) > 1 and headings[1] < found[0][0] else found
    return [one for one in found if one[0] < headings[0]]


def _has_all_terms_of(tree: Tree, found: list[_Found], own: list[_Found]) -> bool:
    """Return whether `found` contains the post's own terms and many similar ones: the terms of the whole blog."""
    # Compared by URL, because a tag and a category may have the same name.
    hrefs = ([(tree.attrs[node].get("href") or term).lower() for node, term, _ in each] for each in (found, own))
    terms, own_terms = map(frozenset, hrefs)
    folders = {_folder(term) for term in own_terms}
    alike = sum(_folder(term) in folders for term in terms)
    return bool(own_terms) and 2 * len(own_terms & terms) >= len(own_terms) and 2 * len(own_terms) < alike


def _folder(href: str) -> str:
    return href.rstrip("/").rpartition("/")[0]


_OF_POST, _CLASS_OF_TERM = re.compile(r"hentry|type-post|post-\d+"), re.compile(r"(?:category|tag)-(.+)")
_SLUG = re.compile(r"([^/?#=]+)/?$")
_BY_CLASS = ("class of the post", 0.9)
_BY_REL, _TERM_RELS = ("rel=tag", 0.85), frozenset({"tag", "category", "skos:concept"})
_HOST = re.compile(r"(?:https?:)?//(?:www\.)?([^/?#:]+)", re.IGNORECASE)


def _stays_on(host: str, tree: Tree, node: int) -> bool:
    """Whether the link leads to the same host; shops use ?tag= for affiliate ids."""
    other = _HOST.match(tree.attrs[node].get("href") or "")
    return other is None or not host or other[1].lower() == host


def _reason(tree: Tree, node: int, article: int) -> tuple[str, float] | None:
    """Return how a term is recognised, and the confidence; classes of the article's ancestors do not count."""
    attrs = tree.attrs[node]
    href, rel = attrs.get("href") or "", attrs.get("rel") or attrs.get("typeof")  # typeof: Drupal
    if rel and not _TERM_RELS.isdisjoint(rel.lower().split()):
        return _BY_REL
    if href and leads_to_term(href):
        return "URL of a term", 0.75
    if tree.tag[node] == "a" and (not href or href.startswith(("#", "javascript:", "mailto:")) or _TALK.search(href)):
        return None
    for _ in range(_NAMED_ABOVE + 1):
        if _names_terms(tree.attrs[node].get("class") or ""):
            return "class of terms", 0.6
        node = tree.parent[node]
        if node <= article < tree.end[node] or tree.tag[node] in ("body", "article", "main"):
            break
    return None


@lru_cache(maxsize=8192)
def leads_to_term(href: str) -> bool:
    """Return whether the URL is a list of posts under one term: /tags/salt/, ?cat=4, /tags#salt."""
    return bool(_IN_PATH.search(href) or _IN_QUERY.search(href))


@lru_cache(maxsize=8192)
def _names_terms(names: str) -> bool:
    return bool(_OF_TERMS.search(names)) and not _ELSEWHERE.search(names)


def _term(tree: Tree, node: int, reason: tuple[str, float]) -> str:
    """Return the link's text as a term, or "" if it cannot be one: a sentence, a page number, a label with a colon."""
    texts = [text for inner in range(node, tree.end[node]) if (text := one_line(tree.text[inner]))]
    if len(texts) > 1 and texts[-1].strip("()").isdigit():  # the number of posts, in a separate element
        texts.pop()
    text = term_in(" ".join(texts))
    behind = tree.text[tree.end[node]].lstrip() if tree.end[node] < len(tree) else ""
    is_label = text.endswith((":", "：")) or behind.startswith((":", "："))
    if len(text) > _MAX_CHARS or is_label or _LIST_OF_TERMS.fullmatch(text):
        return ""
    is_short_and_named = len(text.split()) <= _MAX_WORDS and any(char.isalpha() for char in text)
    return text if reason is _BY_REL or is_short_and_named else ""


def term_in(text: str) -> str:
    """Return the term in a link's text, without the signs and the number of posts around it: "#salt (4)", not "C#"."""
    term = _COUNT.sub("", one_line(text))
    return term.strip(_SEPARATORS) + ("#" if re.search(r"\w#[^\w#]*$", term) else "")


def _next_post(tree: Tree, end: int) -> int:
    """Return the first linked heading after the article, where another post begins; else the end of the page."""
    links = tree.nodes_by_tag.get("a", ())
    headings = sorted(node for tag in _HEADINGS for node in tree.nodes_by_tag.get(tag, ()) if node >= end)
    for node in headings:
        inside = links[bisect_left(links, node) : bisect_left(links, tree.end[node])]
        if not all(leads_to_term(tree.attrs[link].get("href") or "") for link in inside):  # "More posts in Boats"
            return node
    return len(tree)


def _is_of_post(tree: Tree, node: int, article: int, text: range, reason: tuple[str, float], lines: LinkLines) -> bool:
    """Return whether the link belongs to the article by its position, and its line is not a sentence."""
    around = _common_ancestor(tree, node, article)
    if around is None:
        return False
    inside = node in text
    ancestors = [(tree.tag[one], _names(tree, one)) for one in _up_to(tree, node, around)]
    is_about_post = any(_ABOUT_POST.search(names) for _, names in ancestors)
    if inside and not _is_at_an_end(tree, node, text) and not (is_about_post and reason is _BY_REL):
        return False
    if not is_about_post:
        near = text.start - _BEFORE <= node < text.stop + _BEHIND or _is_below_title(tree, node)
        is_own = any(tree.tag[one] == "article" and text.start < tree.end[one] for one in tree.around((node,)))
        if not near or any(
            _is_elsewhere(*named)
            and not (is_own and (named[0] == "aside" or _SIDE_COLUMN.search(named[1])))
            and not _has_title_before(tree, one, node)
            for one, named in zip(_up_to(tree, node, around), ancestors, strict=True)
        ):
            return False
    longest = _MAX_LABEL if inside else _MAX_BYLINE
    return lines.text_beside(node) <= (_MAX_NOTICE if reason is _BY_REL else longest)


def _has_title_before(tree: Tree, part: int, node: int) -> bool:
    """Whether an unlinked <h1> precedes the node in this part, as in a post's header with the class "masthead"."""
    titles = [title for title in tree.nodes_by_tag.get("h1", ()) if part < title < node]
    return any("a" not in tree.tag[title : tree.end[title]] for title in titles)


def _up_to(tree: Tree, node: int, around: int) -> Iterator[int]:
    while node > around:
        yield node
        node = tree.parent[node]


def _names(tree: Tree, node: int) -> str:
    attrs = tree.attrs[node]
    return f"{attrs.get('class') or ''} {attrs.get('id') or ''}"


def _common_ancestor(tree: Tree, node: int, article: int) -> int | None:
    """Return the nearest common ancestor, or None if it is too far above the article."""
    around = article
    for _ in range(_LEVELS):
        if around <= node < tree.end[around]:
            return around
        around = tree.parent[around]
        if around <= 0:
            return None
    return None


@lru_cache(maxsize=8192)
def _is_elsewhere(tag: str, names: str) -> bool:
    return (tag in ("nav", "aside") and not _OF_TERMS.search(names)) or bool(_ELSEWHERE.search(names))


_IN_LINE = frozenset(
    {"a", "abbr", "b", "em", "font", "i", "label", "li", "small", "span", "strong", "sup", "time", "u"}
)


class LinkLines:
    """The lines around links: the inline content between two blocks, or all items of a list, cached by parent."""

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._known: dict[int, tuple[list[int], list[int]]] = {}

    def text_beside(self, node: int) -> int:
        """Return the number of characters in the link's line that are outside links."""
        parents, tags = self._tree.parent, self._tree.tag
        while parents[node] > 0 and tags[parents[node]] in _IN_LINE:
            node = parents[node]
        around = parents[node]
        if around not in self._known:
            self._known[around] = self._lines_in(around)
        ends, counts = self._known[around]
        return counts[bisect_right(ends, node)]

    def _lines_in(self, around: int) -> tuple[list[int], list[int]]:
        """Return where the element's inline lines end, and the characters outside links in each."""
        tree, ends, counts = self._tree, [], [0]
        node = around + 1
        while node < tree.end[around]:
            if tree.tag[node] is TEXT or tree.tag[node] in _IN_LINE or tree.unseen[node]:
                counts[-1] += _text_outside_links(tree, node)
            else:
                ends.append(node)
                counts.append(0)
            node = tree.end[node]
        return ends, counts


def _text_outside_links(tree: Tree, node: int) -> int:
    count, end = 0, tree.end[node]
    while node < end:
        is_left_out = tree.tag[node] == "a" or tree.unseen[node]
        count += 0 if is_left_out else len(tree.text[node].strip())
        node = tree.end[node] if is_left_out else node + 1
    return count


_RELATED = re.compile(rf"(?:^|[-_])(?:{any_of(part_names('other.related_posts'))})$", re.IGNORECASE)
_SERIES = re.compile(rf"(?:^|[-_])(?:{any_of(part_names('other.series_posts'))})$", re.IGNORECASE)


def related_posts(article: Tree) -> set[int]:
    """Return elements named as lists of other posts that plugins insert; the pages of the feed may be without them."""
    related = ((nodes, needed) for names, nodes in article.named.classes.items() if (needed := _is_related(names)))
    classes = ((node, needed) for nodes, needed in related for node in nodes)
    ids = ((node, needed) for node, name in article.named.ids if (needed := _is_related(name)))
    links = article.nodes_by_tag.get("a", ())
    return {
        node
        for node, needed in (*classes, *ids)
        if node and bisect_left(links, article.end[node]) - bisect_left(links, node) >= needed
    }


@lru_cache(maxsize=4096)
def _is_related(names: str) -> int:
    """Return how many links make an element with these names a list of related posts; 0 if none do."""
    if any(map(_SERIES.search, names.split())):
        return 1
    return 2 if any(map(_RELATED.search, names.split())) else 0
