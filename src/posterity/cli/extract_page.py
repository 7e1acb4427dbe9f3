"""One page to its posts, by the chosen method: the boundary at which whatever goes wrong on a page becomes a value."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

import msgspec

from posterity.errors import PosterityError, UnreadablePage
from posterity.extract import page_kind
from posterity.identify import PageKind
from posterity.model import Post, sure_part

if TYPE_CHECKING:
    from posterity.cli.extract_rules import Chosen
    from posterity.cli.extract_sources import GivenPage
    from posterity.extract.method import Context

_log = logging.getLogger(__name__)


class Outcome(msgspec.Struct, frozen=True):
    """What a page gave: its posts, or what is wrong with it. `kind` is what it looks like, where somebody asks."""

    name: str
    posts: tuple[Post, ...] = ()
    problem: PosterityError | None = None
    kind: tuple[PageKind, float] | None = None


def outcome_of(page: GivenPage, chosen: Chosen, context: Context) -> Outcome:
    """Return the posts of the page; `context` is what the method may know besides."""
    try:
        posts = _posts_on(page, chosen, context)
        return Outcome(page.name, posts, kind=page_kind(page.body, page.url) if chosen.explain else None)
    except PosterityError as problem:
        return Outcome(page.name, problem=problem)


def sure_outcome(outcome: Outcome, demands: dict[str, float]) -> Outcome:
    """Return the outcome with what is sure enough of its posts."""
    sure = (sure_part(post, demands) for post in outcome.posts)
    return msgspec.structs.replace(outcome, posts=tuple(post for post in sure if post is not None))


def _posts_on(page: GivenPage, chosen: Chosen, context: Context) -> tuple[Post, ...]:
    from posterity.dom import parse
    from posterity.dom.binary import is_binary

    if not page.body.strip():
        raise UnreadablePage(f"{page.name} is empty.")
    if is_binary(page.body):
        raise UnreadablePage(f"{page.name} is not a page: its bytes are not text.")
    try:
        document = parse(page.body, page.url, page.content_type)
        found = chosen.run(document, context)
    except PosterityError:
        raise
    except Exception as problem:
        # The boundary around one page: a bug that one page shows must not cost the others.
        _log.exception("The method %s failed on %s", chosen.name, page.name)
        raise PosterityError(f"{page.name} met a bug in posterity ({problem!r}). Please report it.") from problem
    return tuple(_signed(post, page, number) for number, post in enumerate(found, start=1))


def _signed(post: Post, page: GivenPage, number: int) -> Post:
    """Return the post with the id of its input line, and with the WARC record that it was read from."""
    changes: dict[str, Any] = {}
    if page.id is not None:
        changes["id"] = page.id if number == 1 else f"{page.id}#{number}"
    if page.warc:
        changes["provenance"] = {
            field: msgspec.structs.replace(source, warc=page.warc, at=page.fetched_at)
            for field, source in post.provenance.items()
        }
    return msgspec.structs.replace(post, **changes) if changes else post
