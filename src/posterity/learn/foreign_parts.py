"""OUT rules for a blog: its pages judged one after the other, by the feed's text or by the blog's template."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from posterity.dom.rule_match import first_match
from posterity.identify.page_ink import HEADINGS
from posterity.learn.evidence import documents
from posterity.learn.out_rules import MUTE, OutBallot, elect_out, foreign_by_feed, out_ballot
from posterity.learn.own_text import in_other_part, is_date_line, is_template, run_keys
from posterity.text.normal_form import letters_and_digits, one_line
from posterity.urls import canonical_url, is_http_url
from posterity.urls.listing import is_listing
from posterity.urls.post_pattern import post_pattern

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from posterity.dom import Document, Tree
    from posterity.learn.account import Account
    from posterity.learn.evidence import Witness
    from posterity.model import FieldRule
    from posterity.urls import PostPattern

# A feed's text is a witness in itself. That a text repeats is not: "References" stands over the end of many articles.
_FEED_PAGES_SHARE = 0.1
_TEMPLATE_PAGES_SHARE = 0.6
_FIELDS_OUTSIDE = ("title", "author", "date")


def out_rules_by_feed(
    witnesses: Sequence[Witness],
    pages: Mapping[str, bytes | str],
    fields: Mapping[str, tuple[FieldRule, ...]],
    accounts: Mapping[str, Account],
) -> tuple[FieldRule, ...]:
    """Return the rules for the parts of the article's node that the feed's whole texts do not have."""
    whole = [witness for witness in witnesses if witness.promise.whole]
    return elect_out(list(_beside_feed(whole, pages, fields, accounts)), _FEED_PAGES_SHARE)


def out_rules_by_template(
    witnesses: Sequence[Witness],
    pages: Mapping[str, bytes | str],
    fields: Mapping[str, tuple[FieldRule, ...]],
    template: Counter[int],
) -> tuple[FieldRule, ...]:
    """Return the rules for the parts of the article's node that repeat; the template tells on how many pages."""
    posts = post_pattern(canonical_url(witness.url) for witness in witnesses)
    read = documents(witnesses, pages)
    ballots = (_by_template(document, template, len(witnesses), fields, posts) for document, _ in read)
    return elect_out([ballot for ballot in ballots if ballot is not None], _TEMPLATE_PAGES_SHARE)


def beside_feed(article: Tree, text: str) -> OutBallot:
    """Return what stands in the article's node and not in the feed's text."""
    judge = foreign_by_feed(text)
    listed = _in_contents(article, text)
    return out_ballot(article, lambda node: node in listed or judge(article.text[node]))


def _in_contents(article: Tree, text: str) -> set[int]:
    """The nodes of a table of contents that the feed does not have: links that say what headings say once more."""
    links = [node for node in article.nodes_by_tag.get("a", ()) if "#" in (article.attrs[node].get("href") or "")]
    if not links:
        return set()
    headings = {
        letters_and_digits(article.plain(node)) for tag in HEADINGS for node in article.nodes_by_tag.get(tag, ())
    }
    whole = letters_and_digits(text)
    said = {node: letters_and_digits(article.plain(node)) for node in links}
    entries = [node for node, words in said.items() if words in headings and whole.count(words) == 1]
    return {inner for node in entries for inner in range(node, article.end[node])}


def _beside_feed(
    witnesses: Sequence[Witness],
    pages: Mapping[str, bytes | str],
    fields: Mapping[str, tuple[FieldRule, ...]],
    accounts: Mapping[str, Account],
) -> Iterator[OutBallot]:
    """What pages have besides the feed's text. Only those are read again that took another node for their article."""
    unread = []
    for witness in witnesses:
        account = accounts.get(witness.url)
        if account is not None and account.beside is not None and account.agrees(fields["article"]):
            yield account.beside
        else:
            unread.append(witness)
    for document, witness in documents(unread, pages):
        article = _article(document, fields)
        if article is not None:
            yield beside_feed(article, witness.promise.text)


def _by_template(
    document: Document,
    template: Counter[int],
    pages: int,
    fields: Mapping[str, tuple[FieldRule, ...]],
    posts: PostPattern,
) -> OutBallot | None:
    """Foreign is what repeats, what is named as something else, what is one of the other fields, and some links.

    Code repeats by its nature. The list of a tag is linked where the post tells its tags, and another post where the
    one before or after is named.
    """
    article = _article(document, fields)
    if article is None:
        return None
    other = in_other_part(article)
    code = {node for block in article.nodes_by_tag.get("pre", ()) for node in range(block, article.end[block])}
    keys = dict(zip(article.runs, run_keys(article), strict=True))
    spans = [
        (node, article.end[node])
        for field in _FIELDS_OUTSIDE
        for rule in fields.get(field, ())[:1]
        if (node := _place_in(article, document, rule))
    ]
    spans += [
        (node, article.end[node])
        for node in article.nodes_by_tag.get("a", ())
        if _leads_to_list(article.attrs[node].get("href") or "", document.url)
    ]

    def is_foreign(node: int) -> bool | None:
        if any(start <= node < end for start, end in spans):
            return True
        is_repeated = is_template(template.get(keys[node], 0), pages) and node not in code
        return other[node] or is_repeated or is_date_line(article.text[node])

    spans += [(node, article.end[node]) for node in _links_to_posts(article, document, posts, is_foreign)]
    return out_ballot(article, is_foreign)


def _links_to_posts(
    article: Tree, document: Document, posts: PostPattern, is_foreign: Callable[[int], bool | None]
) -> list[int]:
    """The links to other posts that stand by themselves: nothing of the article is beside them in their element."""
    own, host = canonical_url(document.url), urlsplit(document.url).netloc
    links = []
    for node in article.nodes_by_tag.get("a", ()):
        url = canonical_url(article.attrs[node].get("href") or "", document.base_url)
        if is_http_url(url) and urlsplit(url).netloc == host and url != own and posts.fits(url):
            links.append(node)
    unlinked = set(article.runs).difference(*(range(node, article.end[node]) for node in links))

    def stands_alone(link: int) -> bool:
        around = article.parent[link]
        beside = (node for node in range(around, article.end[around]) if node in unlinked)
        return around > 0 and all(
            len(letters_and_digits(article.text[node])) <= MUTE or is_foreign(node) for node in beside
        )

    return [node for node in links if stands_alone(node)]


def _leads_to_list(href: str, url: str) -> bool:
    """Tell whether a link leads to a list of this blog's posts, but its front page."""
    try:
        parts = urlsplit(href)
        is_own = parts.netloc in ("", urlsplit(url).netloc)
    except ValueError:
        return False
    return is_own and not parts.fragment and bool(parts.path.strip("./")) and is_listing(href)


def _place_in(article: Tree, document: Document, rule: FieldRule) -> int | None:
    """The node of the article that the rule names on its page; a path begins at the page's root, not the article's."""
    if rule.rule.kind != "path":
        return first_match(article, rule.rule)
    found = document.first(rule.rule)
    if found is None:
        return None
    text = one_line(found.plain(0))
    same = (node for node in article.nodes_by_tag.get(found.tag[0], ()) if one_line(article.plain(node)) == text)
    return next(same, None)


def _article(document: Document, fields: Mapping[str, tuple[FieldRule, ...]]) -> Tree | None:
    found = (document.first(rule.rule) for rule in fields["article"])
    return next((tree for tree in found if tree is not None), None)
