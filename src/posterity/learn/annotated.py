"""Rules in the manner of BlogBuster from a few annotated pages.

The authors of BlogBuster wrote their rules by hand and named learning them from a small annotated corpus as future
work (document 000, section 7). Here a page comes with an annotation, JSON that quotes its posts or points at them:

    {"posts": [{"title": "...", "date": "2010-01-31", "author": "...", "text": "..."}]}
    {"selectors": {"post": "div.post", "text": ".entry", "title": "h2", "date": ".meta .date"}}

The quoted parts are found on the page (`annotated_places`), the element around one post and no other is the post,
what such elements have in common becomes patterns (`annotated_names`), and where title, date and text stand
relative to the post becomes a step. The result is the TOML of a rule file, to be read, changed and passed to the
method `blogbuster`.

All posts of a page have to be annotated: what is around two annotated posts is known not to be one.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from posterity.errors import InputError, NothingLearned
from posterity.learn.annotated_names import Names, Place, common_names, patterns_of
from posterity.learn.annotated_places import PlacedPost, QuotedPage
from posterity.learn.annotated_selectors import selected

if TYPE_CHECKING:
    from collections.abc import Sequence

    from posterity.dom import Document, Tree

_FIELDS = ("title", "date", "author")
_ORDER = ("self", "descendants", "previous-siblings", "before")


class AnnotatedPost(msgspec.Struct, frozen=True, kw_only=True):
    """What a person says about one post of a page. A date is an ISO day, or the words that stand on the page."""

    text: str = ""
    title: str | None = None
    date: str | None = None
    author: str | None = None


class Annotation(msgspec.Struct, frozen=True, kw_only=True):
    """What a person says about one page; selectors for title, date, author and text look inside each post."""

    posts: tuple[AnnotatedPost, ...] = ()
    selectors: dict[str, str] = {}


class _Example(msgspec.Struct, frozen=True, kw_only=True):
    tree: "Tree"
    post: int
    parts: PlacedPost


class _Way(NamedTuple):
    """How a part was found: without a name, where relative to the post, in which attribute."""

    bare: bool
    where: str
    read: str


def annotation_from_json(text: str | bytes) -> Annotation:
    """Return the annotation, or raise `InputError` with what is wrong in it."""
    try:
        return msgspec.json.decode(text, type=Annotation)
    except (msgspec.DecodeError, msgspec.ValidationError, UnicodeError) as problem:
        raise InputError(f"The annotation cannot be used: {problem}.") from problem


def rules_from_annotated(pages: Sequence[tuple[Document, Annotation]]) -> str:
    """Return the TOML of a rule file that finds the annotated posts, or raise `NothingLearned`."""
    examples = [example for document, annotation in pages for example in _examples(document.tree, annotation)]
    if not examples:
        raise NothingLearned(
            "None of the annotated posts was found on its page. Check that pages and annotations belong together."
        )
    trees = list({id(document.tree): document.tree for document, _ in pages}.values())
    lines = ['name = "annotated"', 'match = "word"', 'date_search = "first-readable"', "fields_leave_text = true"]
    posts = [Place(example.tree, example.post) for example in examples]
    for places in (
        [place for place in posts if patterns_of(place)],
        [place for place in posts if not patterns_of(place)],
    ):
        lines += _step_lines("post", "", common_names(places, trees)) if places else []
    for field in ("text", *_FIELDS):
        lines += _field_lines(field, examples, trees)
    return "\n".join([*lines, ""])


def _examples(tree: Tree, annotation: Annotation) -> list[_Example]:
    if annotation.selectors:
        return _pointed_at(tree, annotation.selectors)
    page = QuotedPage(tree)
    placed = [place for post in annotation.posts if (place := _quoted(page, post))]
    texts = [place.text for place in placed]
    return [_Example(tree=tree, post=_post_node(tree, place, texts), parts=place) for place in placed]


def _quoted(page: QuotedPage, post: AnnotatedPost) -> PlacedPost | None:
    text = page.text_node(post.text)
    if text is None:
        return None
    date = page.date_node(post.date, text) if post.date else None
    return PlacedPost(
        text=text,
        title=page.same_text(post.title, text) if post.title else None,
        author=page.same_text(post.author, text, headings_first=False) if post.author else None,
        date=date[0] if date else None,
        date_attribute=date[1] if date else "",
    )


def _pointed_at(tree: Tree, selectors: dict[str, str]) -> list[_Example]:
    examples = []
    for post in selected(tree, selectors.get("post", "body")):
        first = {
            field: next(iter(selected(tree, css, post)), None) for field, css in selectors.items() if field != "post"
        }
        date = first.get("date")
        attribute = next(
            (name for name in ("datetime", "content") if date is not None and tree.attrs[date].get(name)), ""
        )
        text = first.get("text")
        parts = PlacedPost(
            text=post if text is None else text,
            title=first.get("title"),
            date=date,
            author=first.get("author"),
            date_attribute=attribute,
        )
        examples.append(_Example(tree=tree, post=post, parts=parts))
    return examples


def _post_node(tree: Tree, place: PlacedPost, texts: list[int]) -> int:
    """The smallest named element around as much of the post as goes without a second post in it."""
    best = node = place.text
    wanted = {part for part in (place.title, place.date) if part is not None}
    node = tree.parent[node]
    while node > 0 and not any(node <= text < tree.end[node] and text != place.text for text in texts):
        reached = sum(node <= part < tree.end[node] for part in wanted)
        known = sum(best <= part < tree.end[best] for part in wanted)
        named = tree.attrs[node].get("class") or tree.attrs[node].get("id") or tree.tag[node] == "article"
        if reached > known and named and tree.tag[node] != "body":
            best = node
        node = tree.parent[node]
    return best


def _field_lines(field: str, examples: list[_Example], trees: list[Tree]) -> list[str]:
    """The steps of one field, one for each place relative to the post at which it was found, surest first."""
    found: dict[_Way, list[Place]] = defaultdict(list)
    for example in examples:
        node = getattr(example.parts, field)
        if node is None:
            continue
        place, where = Place(example.tree, node), _where(example, node)
        # A name far above all posts is the blog's own, not that of a post's author.
        if (field, where) != ("author", "before"):
            read = example.parts.date_attribute if field == "date" else ""
            found[_Way(not patterns_of(place), where, read)].append(place)
    # An element with a name is surer than "the first <p>"; after that, what was seen more often.
    ways = sorted(found, key=lambda way: (way.bare, -len(found[way]), _ORDER.index(way.where), way.read))
    return [line for way in ways for line in _step_lines(field, way.where, common_names(found[way], trees), way.read)]


def _where(example: _Example, node: int) -> str:
    tree, post = example.tree, example.post
    if node == post:
        return "self"
    if post < node < tree.end[post]:
        return "descendants"
    if node < post and tree.parent[node] == tree.parent[post]:
        return "previous-siblings"
    return "before"


def _step_lines(field: str, where: str, names: Names, read: str = "") -> list[str]:
    lines = ["", f"[[{field}]]"]
    if where:
        lines += [f"step = {_toml(f'learned {field}')}", f"where = {_toml(where)}", 'order = "document"']
    lines.append(f"tags = {_toml(names.tags)}")
    if names.patterns:
        lines += [f"attributes = {_toml(names.attributes)}", f"patterns = {_toml(names.patterns)}"]
    if read:
        lines.append(f"read = {_toml(read)}")
    return lines


def _toml(value: str | tuple[str, ...]) -> str:
    """A string or a list of strings; names without control characters are written alike in JSON and TOML."""
    return json.dumps(value, ensure_ascii=False)
