"""Method `feed`: the rules learned from a blog's feed, applied to a page (BlogForever crawler, section 1).

After learning, a page costs its parsing and a few lookups: nothing is searched for, and only the article's subtree is
read. Values of the feed's entry for the page (its date to the second, its authors) take precedence over the page.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from typing import Any

import msgspec

from posterity.config import LearnSettings
from posterity.dom import Document, Tree, readable_document, text_of
from posterity.dom.elements import HEADINGS
from posterity.dom.terms import related_posts
from posterity.dom.tree import matches
from posterity.errors import InputError
from posterity.extraction import record
from posterity.extraction.bylines import is_only_lead, opens_byline
from posterity.extraction.comment_areas import comment_names, comment_tree, digest_of_tags
from posterity.extraction.comment_fields import rules_of_thread
from posterity.extraction.comment_parts import MAX_ANNOUNCEMENT, CommentView, announces_comments
from posterity.extraction.comments import (
    comment_elements,
    comment_roots,
    comments_on,
    comments_with_texts,
    is_trackback,
    items_of,
)
from posterity.extraction.details import DETAILS, add_details, site_pictures
from posterity.extraction.method import Context, extract_posts
from posterity.learning.evidence import TrainingDocuments
from posterity.learning.fields import tag_rule_scores
from posterity.learning.layouts import rules_for_page
from posterity.learning.rule_selection import select_rules
from posterity.learning.rule_set import learn_fields
from posterity.lexicon import any_of, part_names
from posterity.model import Comment, Feed, FieldRule, Post, Provenance, Rule, RuleSet
from posterity.model.rules import CommentRules
from posterity.text.dates.reading import ThreadDates, dates_in, may_date
from posterity.text.normal_form import letters_and_digits, one_line

# Factor on a rule's confidence if its container is used instead.
_CONTAINER = 0.6
_ENOUGH_PAGES, _SAMPLE = 5, 10  # pages needed to decide which fields are absent, and how many are read
_HARDLY_ANY = 10  # a field found on one page in ten or fewer is a wrong guess
_EXACT = 0.99  # F1 of tags
# "Published on:", "| categories:", ", "; and the maximum of text nodes in such a line.
_LABEL, _MAX_RUNS = re.compile(r"\W*+(?:(?<![^\W\d])[^\W\d]++(?: [^\W\d]++){0,2}+ ?[:：]\W*+)?"), 20
_MAX_SIGNATURE = 100  # characters of a line with a name and a date
_BOUNDARIES, _MEDIA_TAGS = ("until", "from"), ("img", "video", "audio", "iframe", "object", "embed")
_MAY_BE_ABSENT = ("authors", "published", "tags", *DETAILS)
# A feed's language may be the default of its software.
_BLOGS_LANGUAGE = Provenance(method="feed-language", confidence=0.7)


def learn(
    feed: bytes | Feed,
    pages: Mapping[str, bytes | str | Document],
    *,
    feed_url: str = "",
    now: datetime | None = None,
    settings: LearnSettings = LearnSettings(),
) -> RuleSet:
    """Return the rules learned from the feed and these pages, or raise `EmptyFeed` or `NothingLearned`.

    `now` is the time at which the pages were fetched, needed for dates such as "3 days ago".
    """
    pages = TrainingDocuments(pages)
    rules = learn_fields(feed, pages, feed_url=feed_url, now=now, settings=settings)
    parsed = (readable_document(pages[url], url) for url in rules.evidence if url in pages)
    documents = list(islice(filter(None, parsed), _MAX_PAGES))  # later steps use no more, and each is a tree in memory
    comments = learn_comments(documents)
    if comments is not None and rules.layouts:
        # Class names of comments differ between themes.
        comments = msgspec.structs.replace(comments, item="", place=None, empty=(), authors=(), dates=(), text="")
    rules = msgspec.structs.replace(rules, comments=comments, site_pictures=site_pictures(documents))
    return msgspec.structs.replace(rules, **facts_of_pages(rules, documents))


def facts_of_pages(rules: RuleSet, documents: Sequence[Document]) -> dict[str, Any]:
    """Return facts that spare later pages a search: rules for tags, absent fields, the shortest article.

    They are taken from results of the default method, which also searches for fields without rules.
    """
    if len(documents) < _ENOUGH_PAGES or rules.layouts:
        return {}
    context = Context(rules=msgspec.structs.replace(rules, entries={}, absent=()), comments=False)
    pages = [(each, post) for each in documents[:_SAMPLE] for post in extract_posts(each, context=context)[:1]]
    most = len(pages) // _HARDLY_ANY
    absent = [field for field in _MAY_BE_ABSENT if sum(bool(getattr(post, field)) for _, post in pages) <= most]
    fields = dict(rules.fields)
    if len({post.tags for _, post in pages}) == 1 and len(pages[0][1].tags) > 1:
        if not fields.pop("tags", ()):
            absent.append("tags")  # a list of all terms of the blog beside every article
    elif "tags" not in absent and not rules.rules_for("tags"):
        fields |= _tag_rules(rules, pages)
    by_rules = [len(post.text) for _, post in pages if post.provenance["text"].method == "feed"]
    return {"fields": fields, "absent": tuple(absent), "shortest": min(by_rules, default=0)}


def _tag_rules(rules: RuleSet, pages: Sequence[tuple[Document, Post]]) -> dict[str, tuple[FieldRule, ...]]:
    """Return a rule that gives exactly the tags found beside the articles, or nothing."""
    scores = [tag_rule_scores(document.tree, post.tags) for document, post in pages if post.tags]
    # One rule for all pages: if two were needed, some pages could have terms by both.
    found = select_rules(scores, _EXACT)[:1] if len(scores) >= _ENOUGH_PAGES else ()
    candidate = msgspec.structs.replace(rules, fields={"tags": found})
    given = ((record.tags_by_rules(document, candidate), post.tags) for document, post in pages)
    is_exact = all((tags.fields["tags"] if tags else ()) == wanted for tags, wanted in given)
    return {"tags": found} if found and is_exact else {}


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the post that the context's rules find, or nothing if none of them matches an article."""
    rules = context.rules
    if rules is None:
        raise InputError("The method feed needs rules: give a feed to learn from (--feed) or a rule file (--rules).")
    rules = rules_for_page(document, rules)
    article = matched_rule(document, rules, "text") or _container(document, rules)
    if article is None:
        return ()
    tree, rule = article
    place = comment_tree(document, rules.comments)
    roots = comment_roots(tree, rules.comments, place) if place is not None else frozenset()
    skip = left_out(tree, rules) | roots | _announcement(tree, roots)
    skip |= _signature(tree, skip, document.language or next(iter(rules.languages), ""))
    title = record.title_on(document, rules)
    skip |= _heading(document, tree, rules, skip, title.fields["title"]) if title is not None else frozenset()
    base_url = document.base_url
    fields: dict[str, Any] = record.article_fields(tree, base_url, skip=skip)
    provenance = {"text": record.by_rule(document, rule)}
    for name, found in (
        ("title", title),
        ("authors", record.authors_on(document, rules)),
        ("published", record.date_on(document, rules, context.fetched_at)),
        ("tags", record.tags_on(document, rules, rule.rule, skip)),
        ("license", record.license_on(document, base_url)),
    ):
        if found is not None:
            fields |= found.fields
            provenance[name] = found.provenance
    _drop_authors_from_tags(fields)
    comments = _comments(document, place, rules, context, fields.get("published")) if context.comments else ()
    if comments:
        fields["comments"] = comments
        provenance["comments"] = Provenance(method="comment-markup", confidence=0.9)
    if document.language is None and rules.languages:
        fields["language"] = rules.languages[0]
        provenance["language"] = _BLOGS_LANGUAGE
    add_details(document, context, fields, provenance)
    record.add_from_entry(document, context, fields, provenance)
    record.prefer_declared_publication(document, fields, provenance)
    return (record.post_from(document, fields, provenance),)


def _announcement(tree: Tree, roots: frozenset[int]) -> frozenset[int]:
    """Return the line above the comments in the article, such as "3 comments", or nothing."""
    place = bisect_left(tree.runs, min(roots)) - 1 if roots else -1
    if place < 0:
        return frozenset()
    node = tree.runs[place]
    while tree.parent[node] > 0 and tree.text_sizes[tree.parent[node]] <= MAX_ANNOUNCEMENT:
        node = tree.parent[node]
    return frozenset({node}) if announces_comments(one_line(tree.plain(node))) else frozenset()


def _signature(tree: Tree, skip: frozenset[int], language: str) -> frozenset[int]:
    """Return the last line of the article if it is a byline with a date, or the heading of a comment form.

    Old layouts have no element around only the text of the post.
    """
    kept = (node for node in reversed(tree.runs) if tree.text[node].strip() and skip.isdisjoint(tree.around((node,))))
    node = next(kept, 0)
    while tree.parent[node] > 0 and tree.text_sizes[tree.parent[node]] <= _MAX_SIGNATURE:
        node = tree.parent[node]
    line = one_line(tree.plain(node)) if node > 0 and tree.text_sizes[node] <= _MAX_SIGNATURE else ""
    is_signature = opens_byline(line) and may_date(line) and bool(dates_in(line, language))
    is_heading = tree.tag[node] in HEADINGS and announces_comments(line)
    return frozenset({node}) if is_signature or is_heading else frozenset()


def _heading(document: Document, tree: Tree, rules: RuleSet, skip: frozenset[int], title: str) -> frozenset[int]:
    """Return the title if it starts the article; no OUT rule is learned for it if texts repeat the words of titles.

    The match of a rule for titles may start outside the article. A heading that repeats the title above is kept.
    """
    first = next((run for run in tree.runs if skip.isdisjoint(tree.around((run,)))), 0)
    named = {node for rule in rules.rules_for("title") for node in matches(tree, rule.rule)}
    key = letters_and_digits(title)
    around = [node for node in tree.around((first,)) if node > 0 and letters_and_digits(tree.plain(node)) == key]
    if named.isdisjoint(around) and any(tree.tag[node] in HEADINGS for node in around):
        page = document.tree
        headings = (page.plain(node) for tag in HEADINGS for node in page.nodes_by_tag.get(tag, ()))
        named.update(around if sum(letters_and_digits(text) == key for text in headings) == 1 else ())
    return frozenset(named.intersection(around))


def _drop_authors_from_tags(fields: dict[str, Any]) -> None:
    """Remove authors from the tags: in "posted by A in B" one rule may match both links."""
    names = {letters_and_digits(name) for name in fields.get("authors", ())}
    if names and fields.get("tags"):
        fields["tags"] = tuple(tag for tag in fields["tags"] if letters_and_digits(tag) not in names)


def _comments(
    document: Document, place: Tree | None, rules: RuleSet, context: Context, posted: datetime | None
) -> tuple[Comment, ...]:
    """Return the comments found by common markup; by learned rules if these match more."""
    now, base_url = context.fetched_at, document.base_url
    known: tuple[Comment, ...] = ()
    if place is not None:
        known = comments_on(place, base_url, rules.languages, now, rules.date_order, rules.comments, posted)
    # Rules for comment texts are learned from comment feeds (`learning.comments`).
    rule = next((each.rule for each in rules.rules_for("comment_text") if document.count(each.rule) > len(known)), None)
    if rule is None:
        return known
    reader = ThreadDates(rules.languages, now, rules.date_order, posted)
    return comments_with_texts(document.tree, matches(document.tree, rule), base_url, reader, rules.comments) or known


def matched_rule(document: Document, rules: RuleSet, field: str) -> tuple[Tree, FieldRule] | None:
    """Return the match of the field's first rule that matches on this page, and the rule, or None."""
    for rule in rules.rules_for(field):
        tree = document.first(rule.rule)
        if tree is not None:
            return tree, rule
    return None


def _container(document: Document, rules: RuleSet) -> tuple[Tree, FieldRule] | None:
    """Return the ancestor that a rule for the article requires: older pages may lack the inner wrapper."""
    for rule in rules.rules_for("text"):
        around = rule.rule.under
        tree = document.first(around) if around else None
        if tree is not None and around is not None and text_of(tree):
            return tree, msgspec.structs.replace(rule, rule=around, confidence=round(rule.confidence * _CONTAINER, 4))
    return None


def left_out(article: Tree, rules: RuleSet) -> frozenset[int]:
    """Return the nodes in the article that OUT rules match; `child` rules are ignored if no text would be left."""
    named, placed, outside = set[int](), set[int](), set[int]()
    for rule in rules.rules_for("out"):
        some = matches(article, rule.rule)[: rule.per_page or None]
        nodes = {node for node in some if node and _is_as_learned(article, node, rule)}
        (placed if rule.rule.kind == "child" else outside if rule.rule.kind in _BOUNDARIES else named).update(nodes)
    media = [node for tag in _MEDIA_TAGS for node in article.nodes_by_tag.get(tag, ())] if outside else []
    for nodes, kept in ((outside, media), (related_posts(article), [])):
        if nodes and _leaves_text(article, named | nodes, kept):
            named |= nodes
    everything = named | placed
    found = everything if not placed or _leaves_text(article, everything) else named
    return frozenset(found | _leads(article, found))


def _leads(article: Tree, out: set[int]) -> set[int]:
    """Return leads before a part left out ("posted by"), and a line's labels ("Published on: | tags:")."""
    places = ((article.parent[node], bisect_left(article.runs, node) - 1) for node in out)
    before = ((line, article.runs[place]) for line, place in places if place >= 0)
    leads = {run for line, run in before if article.parent[run] == line and is_only_lead(one_line(article.text[run]))}
    around = {article.parent[node] for node in out}
    for line in around | {article.parent[node] for node in around if node > 0}:
        runs = article.runs[bisect_left(article.runs, line) : bisect_left(article.runs, article.end[line])]
        kept = [run for run in runs if out.isdisjoint(article.around((run,)))] if len(runs) <= _MAX_RUNS else runs
        if line > 0 and all(
            _LABEL.fullmatch(one_line(article.text[run])) or article.tag[article.parent[run]] == "legend"
            for run in kept
        ):
            leads.update(kept)
    return leads


def _is_as_learned(article: Tree, node: int, rule: FieldRule) -> bool:
    """Return whether the part starts and ends with the words that it has on the training pages."""
    if not rule.before and not rule.after:
        return True
    text = one_line(article.plain(node))
    return text.startswith(rule.before) and text.endswith(rule.after)


def _leaves_text(article: Tree, out: set[int], media: Iterable[int] = ()) -> bool:
    passed = 0
    for node in sorted(out.union(article.runs, media)):
        if node in out:
            passed = max(passed, article.end[node])
        elif node >= passed:
            return True
    return False


_MAX_PAGES, _MAX_OF_PAGE = 20, 12  # pages of the evidence, comments per page
_MIN_PAGES_WITH = 3
# Classes that not all comments have: "depth-1" and "even" of WordPress on pages without replies.
_OF_SOME = re.compile(
    rf"\d|^(?:even|odd|alt|first|last|parent)$|^by|author|{any_of(part_names('comment.replies'))}", re.IGNORECASE
)


def learn_comments(documents: Iterable[Document]) -> CommentRules | None:
    """Return how the posts of a blog mark up comments, or None if unknown: only older posts may have any."""
    pages = list(islice(documents, _MAX_PAGES))
    places = [comment_tree(document) for document in pages]
    threads = [
        [each for each in comment_elements(place, comment_names(place)) if not is_trackback(place, each)]
        if place is not None
        else []
        for place in places
    ]
    pairs = zip(places, threads, strict=True)
    items = ((place, items_of(each)[:_MAX_OF_PAGE]) for place, each in pairs if place is not None)
    views = [CommentView(place, item) for place, of_page in items for item in of_page]
    place_rule = _place_of(pages, places)
    without = (tree for tree, thread in zip(places, threads, strict=True) if tree is not None and not thread)
    empty = tuple(sorted({digest_of_tags(tree) for tree in without})) if place_rule is not None else ()
    if not views:
        return CommentRules(place=place_rule, empty=empty) if place_rule is not None else None
    # If comments span several elements, a class would match only the first.
    is_one = all(len(view.nodes) == 1 for view in views)
    shared = set.intersection(*(set(view.tree.classes(view.nodes[0])) for view in views)) if is_one else set()
    counts = list(map(len, threads))
    able = (name for name in sorted(shared) if not _OF_SOME.search(name))
    item = next((name for name in able if _names_comments(name, pages, counts)), "")
    return msgspec.structs.replace(rules_of_thread(views), item=item, place=place_rule, empty=empty)


def _place_of(pages: Sequence[Document], trees: Sequence[Tree | None]) -> Rule | None:
    """Return a rule for the element with all comments, if the same id or class matches it on every page."""
    found = [(page, tree) for page, tree in zip(pages, trees, strict=True) if tree is not None]
    if len(found) < _MIN_PAGES_WITH:
        return None
    first = found[0][1]
    names = [Rule("id", name)] if (name := first.attrs[0].get("id")) else []
    names += [Rule("class", token) for token in first.classes(0)]
    fit = (
        rule for rule in names if all(matches(tree, rule)[:1] == [0] and page.count(rule) == 1 for page, tree in found)
    )
    return next(fit, None)


def _names_comments(name: str, pages: Sequence[Document], counts: Sequence[int]) -> bool:
    """Return whether a class marks all comments on all pages, and nothing else.

    A page's only comment may have been missed, so pages without comments may have a few elements of the class.
    """
    rule = Rule("class", name)
    found = [page.count(rule) for page in pages]
    missed = sum(number for number, count in zip(found, counts, strict=True) if not count)
    return (
        sum(map(bool, found)) >= _MIN_PAGES_WITH
        and all(number == count for number, count in zip(found, counts, strict=True) if count)
        and 2 * missed <= sum(counts)
    )
