"""What visitors of the live demo tried last, kept for a while so that it can be looked at, downloaded and taught."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import TYPE_CHECKING
from uuid import uuid4

import msgspec

from posterity.model import Page, Post, RuleSet
from posterity.serve.problems import Problem

if TYPE_CHECKING:
    from collections.abc import Mapping

_REMEMBERED = 40
_MAX_BYTES = 64 * 1024 * 1024  # of all their pages together


class Answer(msgspec.Struct, frozen=True, kw_only=True):
    """What one method made of the page, or why it made nothing."""

    method: str
    posts: tuple[Post, ...] = ()
    problem: str | None = None
    seconds: float = 0.0


class Demo(msgspec.Struct, frozen=True, kw_only=True):
    """A page, what is known of its blog, and the answers of the methods."""

    id: str
    page: Page
    index: bool = False
    rules: RuleSet | None = None
    # The other pages of the blog that were fetched, by address, and where their feed is.
    site: "Mapping[str, bytes]" = {}
    # The stylesheets of the page, so that it looks like itself.
    sheets: "Mapping[str, str]" = {}
    notes: tuple[str, ...] = ()
    answers: tuple[Answer, ...] = ()

    def answer(self, method: str) -> Answer:
        """The answer of one method."""
        for answer in self.answers:
            if answer.method == method:
                return answer
        raise Problem(404, f"The method {method!r} was not asked about this page.")


class DemoStore:
    """The last demos; a new one takes the place of the oldest."""

    def __init__(self) -> None:
        self._demos: OrderedDict[str, Demo] = OrderedDict()
        self._lock = threading.Lock()

    def keep(self, demo: Demo) -> Demo:
        """Keep a demo, under a new id if it has none."""
        demo = demo if demo.id else msgspec.structs.replace(demo, id=uuid4().hex)
        with self._lock:
            self._demos[demo.id] = demo
            while len(self._demos) > 1 and (len(self._demos) > _REMEMBERED or self._bytes() > _MAX_BYTES):
                self._demos.popitem(last=False)
        return demo

    def named(self, demo_id: str) -> Demo:
        """The demo with this id, or a `Problem`."""
        with self._lock:
            if demo_id not in self._demos:
                raise Problem(404, "This demo is no longer kept. Try the page again.")
            return self._demos[demo_id]

    def _bytes(self) -> int:
        return sum(
            len(demo.page.body) + sum(map(len, demo.site.values())) + sum(map(len, demo.sheets.values()))
            for demo in self._demos.values()
        )
