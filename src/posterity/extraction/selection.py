"""Selection of records by day, language, author, tag and length."""

from __future__ import annotations

from datetime import date

import msgspec

from posterity.model import Post
from posterity.text.language import contradicting_language, detect_language, same_language
from posterity.text.normal_form import words


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """The conditions for selecting posts; without conditions, every post is selected.

    `blogs` are ids, URLs or hosts. Days are in the post's own time zone, both inclusive; posts without a date match no
    day. The language of a post that declares none is detected. One of several languages, authors or tags must match.
    """

    blogs: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    languages: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    min_words: int = 0
    # Include earlier revisions of the posts in exports.
    history: bool = False

    def fits(self, post: Post) -> bool:
        """Return whether the post meets the conditions, ignoring `blogs`."""
        return (
            self._on_time(post)
            and _shares(self.authors, post.authors)
            and _shares(self.tags, (*post.tags, *post.categories))
            and (not self.min_words or len(words(post.text)) >= self.min_words)
            and (not self.languages or self._in_language(post))
        )

    def _on_time(self, post: Post) -> bool:
        if self.since is None and self.until is None:
            return True
        if post.published is None:
            return False
        return (self.since or date.min) <= post.published.date() <= (self.until or date.max)

    def _in_language(self, post: Post) -> bool:
        # Records of earlier versions of Posterity have the declared language, even if it is wrong.
        found = contradicting_language(post.text, post.language) if post.language else detect_language(post.text)
        language = found.language if found else post.language
        return bool(language) and any(_covers(wanted, language or "") for wanted in self.languages)


def _shares(wanted: tuple[str, ...], there: tuple[str, ...]) -> bool:
    return not wanted or not {name.casefold() for name in wanted}.isdisjoint(name.casefold() for name in there)


def _covers(wanted: str, language: str) -> bool:
    """`de` covers `de-AT`; `de-AT` covers nothing else."""
    if "-" in wanted:
        return wanted.casefold() == language.replace("_", "-").casefold()
    return same_language(wanted, language)
