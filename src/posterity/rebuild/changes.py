"""What rebuilding does to the records of an archive: counted, named, and written unless it is only tried."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Literal

import msgspec

from posterity.archive.sameness import changed_fields
from posterity.errors import NotInArchive
from posterity.rebuild.media import with_stored_media
from posterity.rebuild.merge import is_older, with_what_was_known
from posterity.urls import place_key

if TYPE_CHECKING:
    from posterity.archive import Archive
    from posterity.model import Post
    from posterity.rebuild.neighbours import Answers

_BATCH = 100

State = Literal["new", "changed", "same", "kept", "forgotten"]


class PostChange(msgspec.Struct, frozen=True, kw_only=True):
    """What became of one post; `fields` are those whose content differs now.

    `kept`: the stored record stays, since it is of a newer page, or since the post lives at another address by now.
    """

    url: str
    state: State
    fields: tuple[str, ...] = ()


class Changes:
    """Takes records one after the other, writes them in batches, and keeps the books."""

    def __init__(self, archive: Archive, *, dry_run: bool) -> None:
        self._archive, self._dry_run = archive, dry_run
        self._waiting: list[Post] = []
        self.posts: list[PostChange] = []
        self.touched: set[str] = set()
        self.comments = self.media = 0

    def take(self, post: Post, shelf: Answers) -> PostChange:
        """Compare a record with the stored one and put it down for writing."""
        old = stored_post(self._archive, post)
        self.touched.add(old.id if old is not None else post.id)
        post = post if self._dry_run else with_stored_media(post, shelf, self._archive)
        self.comments += len(post.comments)
        self.media += len(post.media)
        change = self._compared(post, old)
        self.posts.append(change)
        return change

    def _compared(self, post: Post, old: Post | None) -> PostChange:
        if self._archive.is_forgotten(post.url):
            return PostChange(url=post.url, state="forgotten")
        if old is None:
            self._write(post)
            return PostChange(url=post.url, state="new")
        if is_older(post, old) or not _is_same_place(post, old):
            return PostChange(url=post.url, state="kept")
        post = with_what_was_known(post, old)
        fields = changed_fields(old, post)
        self._write(post)
        return PostChange(url=post.url, state="changed" if fields else "same", fields=fields)

    def _write(self, post: Post) -> None:
        self._waiting.append(post)
        if len(self._waiting) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Write what waits."""
        if self._waiting and not self._dry_run:
            # A record made again says nothing about whether the blog still shows the post.
            self._archive.put_posts(self._waiting, alive=False)
        self._waiting = []

    def counts(self) -> dict[str, int]:
        """Return how many posts there are in every state."""
        return dict(Counter(change.state for change in self.posts))

    def fields(self) -> dict[str, int]:
        """Return how many posts have another content now, by field."""
        return dict(Counter(field for change in self.posts for field in change.fields).most_common())


def stored_post(archive: Archive, post: Post) -> Post | None:
    """Return the stored record of a post, by its id or by its address; None when there is none."""
    for name in (post.id, post.url):
        try:
            return archive.post(name)
        except NotInArchive:
            continue
    return None


def _is_same_place(post: Post, old: Post) -> bool:
    """An address that leads to a post elsewhere was given up: its page tells of the past."""
    places = {place_key(url) for url in (old.url, old.canonical_url) if url}
    return post.id == old.id or place_key(post.url) in places
