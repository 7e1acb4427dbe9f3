"""Which posts of an archive a corpus holds."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import msgspec

from posterity.corpus.language import identified, same_language
from posterity.text.words import words

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.archive import Archive
    from posterity.model import Post


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """What a post must be to come into the corpus; without a word, every post does.

    `blogs` are ids, addresses or hosts. Days are those of the post's own time zone, both included; a post without a
    date is on no day. A post without a declared language has the one that its text is in. Of several languages,
    authors or tags, one is enough.
    """

    blogs: tuple[str, ...] = ()
    since: date | None = None
    until: date | None = None
    languages: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    min_words: int = 0

    def fits(self, post: Post) -> bool:
        """Tell whether the post is one of them, whatever its blog."""
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
        language = post.language or ((found := identified(post.text)) and found.language)
        return bool(language) and any(_covers(wanted, language or "") for wanted in self.languages)


EVERYTHING = Selection()


def blog_by_blog(archive: Archive, selection: Selection) -> Selection:
    """Return the selection with every blog named, so that the posts of each come together."""
    return selection if selection.blogs else msgspec.structs.replace(selection, blogs=_all_ids(archive))


def selected(archive: Archive, selection: Selection) -> Iterator[Post]:
    """Stream the posts, blog by blog where blogs are named, by time of publication, those without last."""
    yield from (post for post in _of_blogs(archive, selection.blogs) if selection.fits(post))


def _of_blogs(archive: Archive, names: tuple[str, ...]) -> Iterator[Post]:
    if not names:
        yield from archive.posts()
        return
    # Two names may mean one blog, and its posts come once.
    for blog_id in dict.fromkeys(archive.blog(name).id for name in names):
        yield from archive.posts(blog_id)


def _shares(wanted: tuple[str, ...], there: tuple[str, ...]) -> bool:
    return not wanted or not {name.casefold() for name in wanted}.isdisjoint(name.casefold() for name in there)


def _covers(wanted: str, language: str) -> bool:
    """`de` covers `de-AT`; `de-AT` covers nothing else."""
    if "-" in wanted:
        return wanted.casefold() == language.replace("_", "-").casefold()
    return same_language(wanted, language)


def _all_ids(archive: Archive) -> tuple[str, ...]:
    return tuple(blog.id for blog in archive.blogs())
