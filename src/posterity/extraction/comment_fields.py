"""Author, date and text of the comments of a thread, decided for all comments of the thread together.

The comments of a thread have the same structure. Text at the same place in most of them that differs between comments
and looks like a name is the author; text that parses as a date is the date; text that is equal in all of them
("Reply", "Permalink") is neither, and not part of the comment. Class names, in any language, only help to choose
between candidates; they are not required.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, takewhile
from typing import Literal, NamedTuple

from posterity.dom import Tree
from posterity.dom.plain_text import Line
from posterity.dom.tree import TEXT, cached_by_tree
from posterity.extraction import comment_parts
from posterity.extraction.comment_parts import CommentItem, CommentPart, CommentView, CommentWords, PartReader, is_dated
from posterity.lexicon import any_of, part_names, widget_names
from posterity.model.rules import CommentPartRule, CommentRules
from posterity.text.dates import read_dates
from posterity.text.normal_form import letters_and_digits, one_line

# Identifies the same element in other comments: a class, or its tag and parent.
ElementName = str


class CommentFields(NamedTuple):
    """Author and date of a comment, and the nodes of its text, each with the nodes to leave out of it."""

    author: CommentPart | None
    date: CommentPart | None
    texts: list[tuple[int, frozenset[int]]]


_AUTHOR_CLASSES = {name: rank for rank, name in enumerate((*part_names("comment.author"), *widget_names("author")))}
_DATE_CLASSES = frozenset((*part_names("comment.date"), *widget_names("date")))
_AUTHOR_HINT = re.compile(any_of(part_names("comment.author_hint")), re.IGNORECASE)
_DATE_ATTRIBUTES = ("datetime", "title", "content")
_DATE_HINT = re.compile(any_of(part_names("comment.date_hint")), re.IGNORECASE)
_OTHER_HINT = re.compile(any_of(part_names("comment.no_author_hint")), re.IGNORECASE)
_TITLED = re.compile("title|subject", re.IGNORECASE)
_NAMING = frozenset({"cite", "b", "strong", "h3", "h4", "h5", "h6", "dt"})
_LINK, _CITE = frozenset({"a"}), frozenset({"cite"})
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_URL = re.compile(r"(?:https?://|www\.)\S*")
_OWN_LINK = re.compile(r"#(?:[a-z]+[-_]?)?\d+$", re.IGNORECASE)
_HANDLE = re.compile(r"(?<=\S)\s+@[\w.@-]+$")
_NUMBERED = re.compile(r"^[(\[#]*\d+[.)\]:]+\s*(?=[^\W\d])")  # "(1) Anna", "2. Bert"
_REPLY_TITLE = re.compile(r"^re ?:", re.IGNORECASE)
_COUNTED = re.compile(r"^\d[\d.,]*\s")
_INITIAL = re.compile(r" [^\W\d_]$")  # Anna B.
_BY = re.compile(r"\bby\b", re.IGNORECASE)
_BRACKETS = re.compile(r"(?<=\S)\s*[(\[][^()\[\]]*[)\]]\W*$")
_AROUND_NAMES = ' \t|•·–—-,;:#«»"“”'
_MAX_LABEL = 5  # characters beside a name that are not a sentence
_MAX_NAME, _MAX_DATE, _MAX_NAME_WORDS = 60, 120, 7  # characters, characters, words
# Points of a candidate. One found in all comments that also has a typical name or position passes the threshold.
_COVERED, _THRESHOLD = 6.0, 8.0
_MAX_RULES = 5
_LINES: tuple[Literal["before", "behind", "first"], ...] = ("before", "behind", "first")


@cached_by_tree
def fields_of_thread(tree: Tree, items: tuple[CommentItem, ...], rules: CommentRules | None) -> list[CommentFields]:
    """Return the fields of each comment: by the rules of the blog, else by comparing the comments."""
    views = [comment_parts.view_of(tree, item) for item in items]
    if rules is None or not rules.authors:
        rules = rules_of_thread(views[:_THREAD])
    dates = _shown_dates(views, [_date_by_rules(view, rules.dates) for view in views])
    authors = _authors_by_rules(views, dates, rules.authors)
    texts = CommentWords(views, authors, dates, comment_parts.standing_lines(views), rules.text).texts()
    return [CommentFields(*fields) for fields in zip(authors, dates, texts, strict=True)]


def rules_of_thread(views: Sequence[CommentView]) -> CommentRules:
    """Return the rules for author, date and text of similar comments of one page or of several."""
    date_rules = _best(_date_candidates(views))
    dates = [_date_by_rules(view, date_rules) for view in views]
    author_rules = _author_rules(views, dates)
    authors = _authors_by_rules(views, dates, author_rules)
    text = CommentWords(views, authors, dates, comment_parts.standing_lines(views)).element_of_words()
    return CommentRules(authors=author_rules, dates=date_rules, text=text)


def _author_rules(views: Sequence[CommentView], dates: Sequence[CommentPart | None]) -> tuple[CommentPartRule, ...]:
    return _best([*_author_candidates(views, dates), *_line_candidates(views, dates)])


def _date_by_rules(view: CommentView, rules: Sequence[CommentPartRule]) -> CommentPart | None:
    found = (_first_part(view, rule.element, _date_part) for rule in rules)
    return next(filter(None, found), None) or _dated_line(view)


def _shown_dates(views: Sequence[CommentView], dates: list[CommentPart | None]) -> list[CommentPart | None]:
    """The dates as they are shown, where themes declare one date for all comments: that of the post, or of nothing."""
    found = [(view, date) for view, date in zip(views, dates, strict=True) if date]
    texts = {view.text(date.node) for view, date in found}
    if len({date.text for _, date in found}) > 1 or len(texts) <= 1 or not all(map(is_dated, texts)):
        return dates
    return [date and CommentPart(date.node, view.text(date.node)) for view, date in zip(views, dates, strict=True)]


def _authors_by_rules(
    views: Sequence[CommentView], dates: Sequence[CommentPart | None], rules: Sequence[CommentPartRule]
) -> list[CommentPart | None]:
    found = [_author_of(view, date, rules) for view, date in zip(views, dates, strict=True)]
    return _without_common_brackets(found)


def _author_of(view: CommentView, date: CommentPart | None, rules: Sequence[CommentPartRule]) -> CommentPart | None:
    parts = (_author_by_rule(view, date, rule) for rule in rules)
    named = (_without_date(view, part, date) for part in parts if part is not None and _leaves_words(view, part, date))
    return next(named, None) or _signing_name(view, date)


def _without_date(view: CommentView, part: CommentPart, date: CommentPart | None) -> CommentPart:
    """Return the name without the date in the same element: "Anna on May 3"."""
    if date is None or not part.node < date.node < view.tree.end[part.node]:
        return part
    before, found, _ = part.text.partition(view.text(date.node))
    name = clean_name(comment_parts.without_words_behind(before)) if found else ""
    return CommentPart(part.node, name, part.link) if is_name(name) else part


def _leaves_words(view: CommentView, author: CommentPart, date: CommentPart | None) -> bool:
    """Return whether a comment has text besides author and date; else its text was taken for a name."""
    tree = view.tree
    spans = [(part.node, max(tree.end[part.node], part.node + 1)) for part in (author, date) if part]
    return (
        any(
            not is_dated(line.text)
            and not comment_parts.is_action(tree, line)
            and any(not any(start <= run < end for start, end in spans) for run in line.runs)
            for line in view.lines
        )
        or len(view.lines) <= 1
    )


def _author_by_rule(view: CommentView, date: CommentPart | None, rule: CommentPartRule) -> CommentPart | None:
    if rule.line:
        side = _side(view, date, rule.line)
        return _named_part(side, _without(side.text, rule.before, rule.after)) if side else None
    known = rule.element[1:] in _AUTHOR_CLASSES
    part = _first_part(view, rule.element, _known_author_part if known else _author_part)
    if part is None or not rule.labelled:
        return part
    return _without_label(part)


_THREAD = 40  # comments of a thread that are compared
_SAMPLE = 12  # elements read to decide whether a group of elements are comments
_SIGNED = 0.8  # of these; deleted comments lack author or text
_LINKED = 0.6  # of a text's characters; a text with more links is a teaser of another page


@cached_by_tree
def share_of_comments(
    tree: Tree, items: tuple[CommentItem, ...], *, in_place: bool = False, are_signed: bool = False
) -> float:
    """Return the share of elements with comments: with an author or date, and text that is not a teaser.

    0.0 if too few of them are. A single element must have author and date, with `are_signed` all must. Unless they are
    `in_place`, in a container of comments, a bold name alone does not count as an author.
    """
    views = [comment_parts.view_of(tree, item) for item in items[:_SAMPLE]]
    must_be_dated = are_signed or len(views) == 1
    if must_be_dated and not all(map(may_be_dated, views)):
        return 0.0  # the cheapest test, which few elements beside a form pass
    if sum(map(comment_parts.is_of_posts, views)) > (1 - _SIGNED) * len(views):
        return 0.0
    date_rules = _best(_date_candidates(views))
    dates = [_date_by_rules(view, date_rules) for view in views]
    if must_be_dated and not all(dates):
        return 0.0
    authors = _authors_by_rules(views, dates, _author_rules(views, dates))
    if len(views) == 1 and not (authors[0] and sum(is_dated(line.text) for line in views[0].lines) <= 1):
        return 0.0
    if are_signed and not (all(authors) and _look_like_comment_bylines(views, authors, dates)):
        return 0.0
    texts = CommentWords(views, authors, dates, comment_parts.standing_lines(views)).texts()
    rows = zip(views, authors, dates, texts, strict=True)
    whole = sum(bool((author or date) and words and _says_something(view, words)) for view, author, date, words in rows)
    signed = sum(
        part is not None and (in_place or _is_signature(view, part)) for view, part in zip(views, authors, strict=True)
    )
    is_thread = whole >= _SIGNED * len(views) and 2 * max(signed, sum(map(bool, dates))) >= len(views)
    return whole / len(views) if is_thread else 0.0


def _look_like_comment_bylines(
    views: Sequence[CommentView], authors: Sequence[CommentPart | None], dates: Sequence[CommentPart | None]
) -> bool:
    """Return whether at least half have a relative date or a time of day, or at least half a nofollow link or the like.

    Events, versions and related posts have names and days, too.
    """
    timed = sum(date is not None and comment_parts.COUNTED_FROM_NOW.search(date.text) is not None for date in dates)
    linked = sum(
        part is not None and _is_commenter_link(_found(view, part)) for view, part in zip(views, authors, strict=True)
    )
    return 2 * max(timed, linked) >= len(views)


def _is_signature(view: CommentView, part: CommentPart) -> bool:
    """Return whether a name is an author's without a date: in <cite>, with a verb, a class or a nofollow link."""
    found, tree = _found(view, part), view.tree
    return (
        _is_commenter_link(found)
        or _has_verb(found)
        or tree.tag[part.node] == "cite"
        or comment_parts.is_in(tree, part.node, _CITE)
        or not _AUTHOR_CLASSES.keys().isdisjoint(tree.classes(part.node))
    )


def may_be_dated(view: CommentView) -> bool:
    """Return whether any part of a comment can be its date or that of a reply."""
    has_line = any(is_dated(line.text) for line in view.lines) or len(view.elements) == comment_parts.MAX_ELEMENTS
    return has_line or any(view.part(node, _date_part) for node in view.elements)


def _says_something(view: CommentView, words: Sequence[tuple[int, frozenset[int]]]) -> bool:
    tree, linked, total = view.tree, 0, 0
    for top, left_out in words:
        node, end = top, tree.end[top]
        while node < end:
            if node in left_out:
                node = tree.end[node]
                continue
            if size := len(tree.text[node].strip()):
                total += size
                linked += size * comment_parts.is_in(tree, node, _LINK)
            node += 1
    return total > 0 and linked <= _LINKED * total


class _Candidate(NamedTuple):
    """A rule and its points."""

    points: float
    rule: CommentPartRule


def _best(candidates: Iterable[_Candidate]) -> tuple[CommentPartRule, ...]:
    good = sorted((one for one in candidates if one.points >= _THRESHOLD), key=lambda one: -one.points)
    return tuple(one.rule for one in good[:_MAX_RULES])


def _candidates(
    views: Sequence[CommentView], part_of: PartReader
) -> Iterator[tuple[ElementName, list[CommentPart | None], int]]:
    """Yield the names found in at least half of the comments, with their parts and the number of elements."""
    counts = Counter(chain.from_iterable(view.by_name for view in views))
    names = [name for name, count in counts.most_common() if count >= comment_parts.MIN_COVERED * len(views)]
    for name in names:
        parts = [_first_part(view, name, part_of) for view in views]
        if any(parts):
            yield name, parts, sum(len(view.by_name.get(name, ())) for view in views)


def _first_part(view: CommentView, name: ElementName, part_of: PartReader) -> CommentPart | None:
    """Return the part that one of the first elements with this name gives, or None."""
    for node in view.by_name.get(name, ())[:3]:
        if (part := view.part(node, part_of)) is not None:
            return part
    return None


def _date_candidates(views: Sequence[CommentView]) -> Iterator[_Candidate]:
    for name, parts, elements in _candidates(views, _date_part):
        found = [part for part in parts if part]
        covered = len(found) / len(views)
        exact = sum(_precision(part.text) for part in found) / len(found)
        points = _COVERED * covered + 2 * exact + 2
        points += 2 * any(_is_declared(view.tree, part.node) for view, part in zip(views, parts, strict=True) if part)
        points += 2 * (name[1:] in _DATE_CLASSES or _DATE_HINT.search(name) is not None)
        points -= 4 * _share_in_words(views, parts) + sum(len(part.text) for part in found) / len(found) / 60
        points -= 0.5 * (elements > 2 * len(found))
        yield _Candidate(points, CommentPartRule(element=name))


def _precision(text: str) -> float:
    """Return 1.0 for a date with a time of day, 0.5 for a day, 0.0 for a relative date."""
    return next((1.0 if date.precision == "minute" else 0.5 for date in read_dates(text)), 0.0)


def _is_declared(tree: Tree, node: int) -> bool:
    return bool(tree.attrs[node].get("datetime") or tree.attrs[node].get("title"))


def _date_part(view: CommentView, node: int) -> CommentPart | None:
    """Return the date of an element: declared in an attribute, else its text."""
    attrs = view.tree.attrs[node]
    for attribute in _DATE_ATTRIBUTES if attrs else ():
        declared = attrs.get(attribute) or ""
        if _DIGIT.search(declared) and len(declared := one_line(declared)) <= _MAX_DATE and read_dates(declared):
            return CommentPart(node, declared)
    text = view.text(node) if view.is_one_line(node) else ""
    return CommentPart(node, text) if text and (_DIGIT.search(text) or " " in text) and is_dated(text) else None


def _dated_line(view: CommentView) -> CommentPart | None:
    """Return the date in the first two lines or the last, without an element around it."""
    ends = [*view.lines[:2], *view.lines[-1:]]
    line = next((each for each in ends if _DIGIT.search(each.text) and is_dated(each.text)), None)
    return CommentPart(line.runs[0], line.text) if line else None


def _share_in_words(views: Sequence[CommentView], parts: Sequence[CommentPart | None]) -> float:
    inside = [view.is_in_words(part.node) for view, part in zip(views, parts, strict=True) if part]
    return sum(inside) / len(inside)


def _author_candidates(views: Sequence[CommentView], dates: Sequence[CommentPart | None]) -> Iterator[_Candidate]:
    for name, found, elements in _candidates(views, _author_part):
        labelled = _are_labelled(found)
        parts = [_without_label(part) if labelled else part for part in found]
        if any(parts):
            points = _author_points(views, dates, name, parts, elements)
            yield _Candidate(points, CommentPartRule(element=name, labelled=labelled))


def _without_common_brackets(parts: list[CommentPart | None]) -> list[CommentPart | None]:
    """Remove suffixes in brackets that several names share: "(not verified)"."""
    texts = dict.fromkeys(part.text for part in parts if part)
    tails = Counter(tail.group() for text in texts if (tail := _BRACKETS.search(text)))
    return [
        CommentPart(part.node, _BRACKETS.sub("", part.text), part.link)
        if part and (tail := _BRACKETS.search(part.text)) and tails[tail.group()] > 1
        else part
        for part in parts
    ]


def _name_text(view: CommentView, node: int) -> str:
    """The text of an element without brackets at its end that have an element of their own: "Anna (post author)"."""
    text, tree = view.text(node), view.tree
    tail = _BRACKETS.search(text)
    inner = range(node + 1, tree.end[node]) if tail else ()
    is_apart = tail and any(tree.tag[each] != TEXT and view.text(each) == tail.group().strip() for each in inner)
    return text[: tail.start()] if tail and is_apart else text


def _author_part(view: CommentView, node: int) -> CommentPart | None:
    text = _name_text(view, node) if view.is_one_line(node) else ""
    name = clean_name(text) if text else ""
    return CommentPart(node, name, _link_of(view.tree, node)) if is_name(name) else None


def _known_author_part(view: CommentView, node: int) -> CommentPart | None:
    """Return the name in an element with a known class for authors; in a pingback it may be a post's title."""
    name = clean_name(_name_text(view, node))
    return CommentPart(node, name, _link_of(view.tree, node)) if _LETTER.search(name) or name.isalnum() else None


@lru_cache(maxsize=4096)  # nested elements have the same text
def clean_name(text: str) -> str:
    """Return a name without the verb, date, URL, number or handle that themes put around it."""
    if "://" in text or "www." in text:
        without = _URL.sub(" ", text)
        text = one_line(without) if _LETTER.search(without) else text
    name = comment_parts.name_of_text(text) or text if is_dated(text) else comment_parts.VERB_BEHIND_NAME.sub("", text)
    name = _HANDLE.sub("", _NUMBERED.sub("", name)).strip(_AROUND_NAMES)
    return f"{name}." if _INITIAL.search(name) and f"{name}." in text else name


def _are_labelled(parts: Sequence[CommentPart | None]) -> bool:
    """Return whether all names have a label: "Posted by Anna"; not if only some seem to, such as "Le Corbusier"."""
    labels = [comment_parts.label_before_name(part.text) for part in parts if part]
    is_sure = len(labels) > 1 or any(":" in label or len(label.split()) > 1 or _BY.search(label) for label in labels)
    return all(labels) and is_sure


def _without_label(part: CommentPart | None) -> CommentPart | None:
    name = part.text.removeprefix(comment_parts.label_before_name(part.text)) if part else ""
    return CommentPart(part.node, name, part.link) if part and is_name(name) else None


@lru_cache(maxsize=4096)
def is_name(text: str) -> bool:
    """Return whether a text can be a person's name or a nickname."""
    return (
        0 < len(text) <= _MAX_NAME
        and len(text.split()) <= _MAX_NAME_WORDS
        and (_LETTER.search(text) is not None or text.isalnum())
        and not text.isdigit()
        and letters_and_digits(text) not in comment_parts.ACTIONS
        and _REPLY_TITLE.match(text) is None
        and not is_dated(text)
    )


def _author_points(
    views: Sequence[CommentView],
    dates: Sequence[CommentPart | None],
    name: ElementName,
    parts: Sequence[CommentPart | None],
    elements: int,
) -> float:
    found = [_found(view, part, date) for view, part, date in zip(views, parts, dates, strict=True) if part]
    values = Counter(one.part.text for one in found)
    rank = _AUTHOR_CLASSES.get(name[1:])
    hinted = rank is not None or _AUTHOR_HINT.search(name) is not None
    points = _COVERED * len(found) / len(views)
    points += 4 - 0.1 * rank if rank is not None else 3 * hinted
    is_named = name[0] in ".#"  # else it contains the classes of the parent
    points -= (2 if hinted else 4) * (rank is None and is_named and _OTHER_HINT.search(name) is not None)
    points -= 2 * (not hinted and not is_named) * _share(found, _is_titled)
    points += _share(found, _is_commenter_link) * 1.5 + _share(found, _is_naming) * 1.5
    points += _share(found, _is_near_date) + _share(found, _is_beside_date) * 1.5 - _share(found, _is_permalink) * 2
    points += _share(found, _is_first) + _share(found, _has_verb) + 0.5 * _share(found, _is_above_date)
    points -= 2 * _share(found, _has_more_than_name) + 3 * (not hinted) * max(
        _share_in_words(views, parts), _share(found, _goes_on)
    )
    points -= sum(len(one.part.text) for one in found) / len(found) / 40
    if len(values) > 1 and len({_COUNTED.sub("", value) for value in values}) == 1:
        points -= _COVERED  # "152 fans", "3 fans"
    if len(values) > 1 and (len(found) <= comment_parts.FEW or max(values.values()) <= _SIGNED * len(found)):
        points += 1 if len(found) >= comment_parts.FEW else 0.5
    elif len(found) >= comment_parts.FEW:
        points -= (1 if hinted else 4 if len(values) == 1 else 2) * (rank is None)
    return points - (elements > len(found))


class _Found(NamedTuple):
    """A candidate for the author of one comment, its date, and the numbers of the lines in which they start."""

    view: CommentView
    part: CommentPart
    date: CommentPart | None
    line: int | None
    line_of_date: int | None


def _found(view: CommentView, part: CommentPart, date: CommentPart | None = None) -> _Found:
    return _Found(view, part, date, view.line_of(part.node), view.line_of(date.node) if date else None)


def _share(found: Sequence[_Found], test: Callable[[_Found], bool]) -> float:
    return sum(map(test, found)) / len(found)


def _is_commenter_link(found: _Found) -> bool:
    tree, node = found.view.tree, found.part.node
    links = (inner for inner in range(node, tree.end[node]) if tree.tag[inner] == "a")
    link = next(links, None)
    return link is not None and comment_parts.is_commenter_link(tree.attrs[link])


def _is_naming(found: _Found) -> bool:
    tree, node = found.view.tree, found.part.node
    return tree.tag[node] in _NAMING or comment_parts.is_in(tree, node, _NAMING)


def _is_titled(found: _Found) -> bool:
    return _TITLED.search(found.view.tree.attrs[found.part.node].get("class") or "") is not None


def _is_near_date(found: _Found) -> bool:
    return found.line is not None and found.line_of_date is not None and abs(found.line - found.line_of_date) <= 1


def _is_above_date(found: _Found) -> bool:
    return found.line == 0 and found.line_of_date == 1


def _is_beside_date(found: _Found) -> bool:
    return found.line is not None and found.line == found.line_of_date


def _is_permalink(found: _Found) -> bool:
    """Return whether a part is a permalink of the comment: its title or date."""
    return bool(found.part.link and _OWN_LINK.search(found.part.link))


def _is_first(found: _Found) -> bool:
    return found.line == 0


def _has_verb(found: _Found) -> bool:
    return found.line is not None and comment_parts.ends_with_verb(found.view.lines[found.line].text)


def _goes_on(found: _Found) -> bool:
    """Return whether a name is in a line with more than author and date."""
    line = found.view.lines[found.line].text if found.line is not None else ""
    name = found.part.text
    if len(line) - len(name) <= _MAX_LABEL or line.partition(name)[2].lstrip()[:1] in (":", "：", ","):
        return False
    return not (comment_parts.ends_with_verb(line) or is_dated(line))


def _has_more_than_name(found: _Found) -> bool:
    """Return whether the element of a name also contains the date or further links."""
    tree, node, date = found.view.tree, found.part.node, found.date
    links = sum(tree.tag[inner] == "a" and tree.text_sizes[inner] > 0 for inner in range(node, tree.end[node]))
    is_list = "|" in found.part.text
    return is_list or links > 1 or (date is not None and node < date.node < tree.end[node])


def _link_of(tree: Tree, node: int) -> str | None:
    around = (node, *range(node + 1, tree.end[node]), tree.parent[node])
    hrefs = (tree.attrs[each].get("href") for each in around if each >= 0 and tree.tag[each] == "a")
    return next((href for href in hrefs if href and not href.startswith(("#", "javascript:"))), None)


def _line_candidates(views: Sequence[CommentView], dates: Sequence[CommentPart | None]) -> Iterator[_Candidate]:
    """Yield rules for names without an element, cut from the lines with the date or from first lines."""
    for line in _LINES:
        sides = [_side(view, date, line) for view, date in zip(views, dates, strict=True)]
        texts = [side.text for side in sides if side]
        if len(texts) < max(2, comment_parts.MIN_COVERED * len(views)):
            continue
        before, after = _common_words(texts)
        parts = [side and _named_part(side, _without(side.text, before, after)) for side in sides]
        covered = sum(part is not None for part in parts) / len(views)
        names = Counter(part.text for part in parts if part)
        if len(names) > 1 and (len(views) < comment_parts.FEW or max(names.values()) <= _SIGNED * len(views)):
            rule = CommentPartRule(line=line, before=before, after=after)
            yield _Candidate(_COVERED * covered + 2.5 - (line == "first"), rule)


def _side(view: CommentView, date: CommentPart | None, wanted: str) -> CommentPart | None:
    """Return the text before or after the date in its line, or the first line if it has no date."""
    number = 0 if wanted == "first" else view.line_of(date.node) if date else None
    if number is None or not view.lines:
        return None
    line = view.lines[number]
    if len(line.text) > 2 * _MAX_DATE:
        return None
    spans = read_dates(line.text)
    if wanted == "first":
        if spans or len(line.text) > _MAX_NAME or len(view.lines) == 1:
            return None
        return CommentPart(line.runs[0], line.text)
    if not spans:
        return None
    before, behind = line.text[: spans[0].start], line.text[spans[-1].end :]
    text = comment_parts.without_words_behind(before) if wanted == "before" else behind
    return CommentPart(line.runs[0], text) if _LETTER.search(text) else None


def _common_words(texts: Sequence[str]) -> tuple[str, str]:
    """Return the words with which all texts start, and those with which all end."""
    words = [text.split() for text in texts]
    start = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*words, strict=False)))
    end = sum(1 for _ in takewhile(lambda column: len(set(column)) == 1, zip(*map(reversed, words), strict=False)))
    return " ".join(words[0][:start]), " ".join(words[0][len(words[0]) - end :])


def _without(text: str, before: str, after: str) -> str:
    return one_line(text).removeprefix(before).removesuffix(after)


def _named_part(side: CommentPart, text: str) -> CommentPart | None:
    name = clean_name(text.removeprefix(comment_parts.label_before_name(text)))
    return CommentPart(side.node, name) if is_name(name) else None


def _signing_name(view: CommentView, date: CommentPart | None) -> CommentPart | None:
    """Return the name in the line of the date, or in a first line with a verb ("Anna wrote:"), or None."""
    number = view.line_of(date.node) if date else None
    lines = [line for line in view.lines[:2] if comment_parts.ends_with_verb(line.text)][:1]
    if number is not None:
        lines = [view.lines[number], *lines]
    for line in lines:
        # A link is only sure to be a name in a line with a label or a time of day.
        is_signed = bool(comment_parts.label_before_name(line.text) or comment_parts.COUNTED_FROM_NOW.search(line.text))
        is_signed = is_signed or (number is not None and line is view.lines[0] and len(line.runs) > 1)
        for run in sorted(line.runs, key=lambda each: not comment_parts.is_in(view.tree, each, _NAMING | {"a"})):
            text = one_line(view.tree.text[run])
            name = clean_name(text.removeprefix(comment_parts.label_before_name(text)))
            if is_name(name) and (is_signed or not comment_parts.is_action(view.tree, Line([run], name))):
                return CommentPart(run, name, _link_of(view.tree, view.tree.parent[run]))
    return None
