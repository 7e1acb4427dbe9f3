"""The books of one update: what was new, edited, gone or back, and what the posts said before."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from posterity.archive.seen import Seen
from posterity.errors import NotInArchive
from posterity.fetch.known import AGAIN, ANSWERED, GIVEN_UP
from posterity.model.update_report import UpdateReport
from posterity.text.words import token_f1, word_counts
from posterity.urls import canonical_url

if TYPE_CHECKING:
    from posterity.archive import Archive
    from posterity.fetch.known import Known, KnownPost
    from posterity.model import Page, Post

_GONE = (404, 410)
_SAME_TEXT = 0.5  # word F1: an edited post is still the same, another post on the same subject is not


class UpdateBooks:
    """Counts as the update goes, and writes into the archive what is no new text: failures, tombstones, moves."""

    def __init__(self, archive: Archive, known: Known) -> None:
        self.archive, self.known = archive, known
        self.started_at = datetime.now(UTC)
        self.relearned = False
        self.counts: Counter[str] = Counter()
        self._came_from: dict[str, KnownPost] = {}
        self._stored: dict[str, str] = {}
        self._new: dict[str, int] = {}

    def expect_move(self, post: KnownPost, page: Page) -> None:
        """A stored post is asked for: if its page redirects or declares another address now, the post has moved."""
        self._came_from[canonical_url(page.url)] = post

    def answered(self, post: KnownPost, page: Page) -> None:
        """A post's page was there."""
        self._see(post, page.status, page.fetched_at, ANSWERED)

    def failed(self, post: KnownPost, status: int, at: datetime) -> bool:
        """A post's page was not there; tell whether it is gone by now.

        404 or 410 on two runs is a tombstone. Other failures are tried once more and then left to the samples.
        """
        before = post.failed_before
        if post.is_gone:
            self._see(post, status, at, GIVEN_UP)
            return False
        if status in _GONE and before in _GONE:
            self.archive.mark_gone(post.id, status, at)
            self._see(post, status, at, GIVEN_UP)
            self.counts["gone"] += 1
            return True
        self._see(post, status, at, AGAIN if before is None or status in _GONE else GIVEN_UP)
        self.counts["missing"] += status in _GONE
        return False

    def stored(self, post: Post, state: str) -> None:
        """A post is in the archive; what is different from before is counted by what it is."""
        known = self.known.with_id(post.id)
        if known is not None and known.is_gone:
            self.counts["back"] += 1
        self._stored[post.url] = post.id
        if state == "new":
            self._new[post.id] = len(post.comments)
        elif state == "changed":
            self._count_edit(post)

    def settle_moves(self) -> None:
        """Let old addresses lead to the posts that were found behind them; such a post is not new."""
        for url, origin in self._came_from.items():
            post = self._post_behind(url)
            if post is None or post.id == origin.id or not self._is_same_post(origin, post):
                continue
            self.archive.mark_moved(origin.id, post.id)
            self.counts["moved"] += 1
            self._new.pop(post.id, None)

    def report(self, ended_because: str, **facts: Any) -> UpdateReport:
        """Return what the update brought."""
        counts = self.counts + Counter(new=len(self._new), comments=sum(self._new.values()))
        return UpdateReport(
            blog=self.known.blog.id,
            url=self.known.blog.url,
            started_at=self.started_at,
            ended_at=datetime.now(UTC),
            ended_because=ended_because,
            relearned=self.relearned,
            **(dict(counts) | facts),
        )

    def _count_edit(self, post: Post) -> None:
        """New comments alone are no edit of the post."""
        *_, before, now = self.archive.history(post.id).revisions
        known = {comment.id for comment in before.post.comments}
        self.counts["comments"] += sum(comment.id not in known for comment in now.post.comments)
        self.counts["edited"] += bool(set(now.changed) - {"comments"})

    def _post_behind(self, url: str) -> Post | None:
        try:
            return self.archive.post(self._stored.get(url, url))
        except NotInArchive:
            return None

    def _is_same_post(self, origin: KnownPost, post: Post) -> bool:
        """Themes declare wrong addresses, too, and blogs lead deleted posts to another one."""
        before = self.archive.post(origin.id)
        return token_f1(word_counts(before.text), word_counts(post.text)) >= _SAME_TEXT

    def _see(self, post: KnownPost, status: int, at: datetime, kind: str) -> None:
        self.archive.mark_seen(self.known.blog.id, Seen(url=post.url, status=status, fetched_at=at, kind=kind))
