"""The changes that rebuilding makes to an archive's records: counted, listed, and written unless it is a dry run."""

from __future__ import annotations

from base64 import b64decode
from collections import Counter
from datetime import datetime
from hashlib import sha256
from typing import Any, Literal
from urllib.parse import unquote

import msgspec

from posterity.archive import Archive
from posterity.archive.history import changed_fields, with_files_of, with_gaps_filled
from posterity.blog.page_source import ResponseLookup
from posterity.blog.records import FEED_ENTRY
from posterity.errors import NotInArchive
from posterity.model import Media, Post
from posterity.text.normal_form import one_line, token_f1, word_counts
from posterity.urls import place_key

# Fields for which the feed is the reliable source, each with the fields that change along with it.
_FEED_FIELDS = {
    "title": ("title",),
    "authors": ("authors",),
    "published": ("published", "published_precision"),
    "modified": ("modified",),
    "tags": ("tags",),
}


def with_kept_fields(new: Post, old: Post) -> Post:
    """Return the new record with the old one's id, media files, comments if it had more, and fields from its feed.

    Media files are kept only for what the article still shows or links to.
    """
    fields: dict[str, Any] = {"id": old.id}
    provenance = dict(new.provenance)
    if len(new.comments) < len(old.comments):
        fields["comments"] = old.comments
        provenance |= _origin(old, "comments")
    # Linked files are not part of the page; only the old record knows that they were downloaded.
    shown = {medium.url for medium in new.media}
    linked = [medium for medium in old.media if medium.file and medium.url in new.links and medium.url not in shown]
    fields["media"] = (*new.media, *linked)
    for field, parts in _FEED_FIELDS.items():
        if _is_from_feed(old, field) and not _is_from_feed(new, field):
            fields |= {part: getattr(old, part) for part in parts}
            provenance |= _origin(old, field)
    return with_files_of(msgspec.structs.replace(new, provenance=provenance, **fields), old)


def is_older(new: Post, old: Post) -> bool:
    """Return whether the new record was made from an older page than the stored one."""
    left, right = _seen_at(new), _seen_at(old)
    return left is not None and right is not None and left < right


SAME_TEXT = 0.5  # word F1; below it, two extractions of a page are of different parts of it


def is_worse(new: Post, old: Post) -> bool:
    """Return whether the new record has another text than the stored one, with less confidence."""
    left, right = (post.provenance.get("text") for post in (old, new))
    if left is None or right is None or right.confidence >= left.confidence:
        return False
    return token_f1(word_counts(old.text), word_counts(new.text)) < SAME_TEXT


_SHOWN_CHARS = 60


def _field_change(field: str, old: Post, new: Post) -> FieldChange:
    before, after = (origin_of(post, field) for post in (old, new))
    why = f"{after}, as before" if before == after else f"{after}, before {before}"
    return FieldChange(before=_short(getattr(old, field)), after=_short(getattr(new, field)), why=why)


def origin_of(post: Post, field: str) -> str:
    """Return the rule or the method that gave a field; the fields of an article have the source of its text."""
    origin = post.provenance.get(field) or post.provenance.get("text")
    if origin is None:
        return "unknown"
    return f"rule {origin.rule}" if origin.method == "feed" and origin.rule else origin.method


def _short(value: object) -> str:
    """Return a value on one line, or the length of a list of objects."""
    if isinstance(value, tuple) and not all(isinstance(part, str) for part in value):
        return str(len(value))
    text = one_line(", ".join(value) if isinstance(value, tuple) else str(value or ""))
    return text if len(text) <= _SHOWN_CHARS else f"{text[:_SHOWN_CHARS]}… ({len(text)} characters)"


def _is_from_feed(post: Post, field: str) -> bool:
    origin = post.provenance.get(field)
    return origin is not None and origin.method == FEED_ENTRY


def _origin(post: Post, field: str) -> dict[str, Any]:
    return {field: post.provenance[field]} if field in post.provenance else {}


def _seen_at(post: Post) -> datetime | None:
    origin = post.provenance.get("text")
    return origin.at if origin is not None else None


def with_stored_media(post: Post, pages: ResponseLookup, archive: Archive) -> Post:
    """Return the post with the files of its media, which are stored in the archive if they are not yet."""
    post = with_data_images(post, archive)
    if not any(_is_stored(medium, pages) for medium in post.media):
        return post
    return msgspec.structs.replace(post, media=tuple(_with_file(medium, pages, archive) for medium in post.media))


def with_data_images(post: Post, archive: Archive) -> Post:
    """Return the post with the images that its page embeds (`data:`) as files of the archive.

    In the record, their URL is that of the post, with a fragment that depends on their bytes.
    """
    fields = {"html": post.html or "", "markdown": post.markdown or ""}
    media: list[Media] = []
    for medium in post.media:
        content = _data_of(medium.url)
        if content is None:
            media.append(medium)
            continue
        kind = medium.url.partition(";")[0].removeprefix("data:").lower()
        name = f"image-{sha256(content).hexdigest()[:16]}.{kind.rpartition('/')[2].replace('jpeg', 'jpg')}"
        url = f"{post.url.partition('#')[0]}#{name}"
        stored = archive.put_media(content, kind, url)
        media.append(msgspec.structs.replace(stored, url=url, alt=medium.alt, title=medium.title))
        fields = {field: text.replace(medium.url, url) for field, text in fields.items()}
    if all(medium.url == before.url for medium, before in zip(media, post.media, strict=True)):
        return post
    return msgspec.structs.replace(post, media=tuple(media), **{key: text for key, text in fields.items() if text})


def _data_of(url: str) -> bytes | None:
    head, comma, data = url.partition(",")
    if not (comma and head.lower().startswith("data:image/")):
        return None
    try:
        return b64decode(unquote(data), validate=True)
    except ValueError:
        return None


def _is_stored(medium: Media, pages: ResponseLookup) -> bool:
    if medium.file or medium.is_embed:
        return False
    response = pages.response(medium.url)
    return response is not None and not response.is_page


def _with_file(medium: Media, pages: ResponseLookup, archive: Archive) -> Media:
    page = pages.find(medium.url) if _is_stored(medium, pages) else None
    if page is None or not page.body:
        return medium
    mime = page.content_type.partition(";")[0].strip() or None
    stored = archive.put_media(page.body, mime, medium.url)
    return msgspec.structs.replace(medium, file=stored.file, digest=stored.digest, mime=stored.mime)


_BATCH = 100

State = Literal["new", "changed", "same", "kept", "forgotten"]


class FieldChange(msgspec.Struct, frozen=True, kw_only=True):
    """The values of a field before and after, shortened if they are long, and their rules or methods."""

    before: str
    after: str
    why: str


class PostChange(msgspec.Struct, frozen=True, kw_only=True):
    """The outcome for one post; `fields` are those whose content has changed, `changes` show how and why.

    `kept`: the stored record stays, because it is from a newer page, because the post is at another URL now, or
    because the new text is another one with less confidence.
    """

    url: str
    state: State
    fields: tuple[str, ...] = ()
    changes: dict[str, FieldChange] = {}


class RecordChanges:
    """Compares records with the stored ones, writes them in batches, and counts the changes."""

    def __init__(self, archive: Archive, *, dry_run: bool) -> None:
        self._archive, self._dry_run = archive, dry_run
        self._waiting: list[Post] = []
        self.posts: list[PostChange] = []
        self.touched: set[str] = set()
        self.comments = self.media = 0

    def take(self, post: Post, pages: ResponseLookup) -> PostChange:
        """Compare a record with the stored one and queue it for writing."""
        old = stored_post(self._archive, post)
        self.touched.add(old.id if old is not None else post.id)
        post = post if self._dry_run else with_stored_media(post, pages, self._archive)
        self.comments += len(post.comments)
        self.media += sum(not medium.is_embed for medium in post.media)
        change = self._compare(post, old)
        self.posts.append(change)
        return change

    def _compare(self, post: Post, old: Post | None) -> PostChange:
        if self._archive.is_forgotten(post.url):
            return PostChange(url=post.url, state="forgotten")
        if old is None:
            self._write(post)
            return PostChange(url=post.url, state="new")
        if is_older(post, old) or not _is_same_place(post, old) or is_worse(post, old):
            return PostChange(url=post.url, state="kept")
        post = with_gaps_filled(with_kept_fields(post, old), old)
        fields = changed_fields(old, post)
        self._write(post)
        changes = {field: _field_change(field, old, post) for field in fields}
        return PostChange(url=post.url, state="changed" if fields else "same", fields=fields, changes=changes)

    def _write(self, post: Post) -> None:
        self._waiting.append(post)
        if len(self._waiting) >= _BATCH:
            self.flush()

    def flush(self) -> None:
        """Write the queued records."""
        if self._waiting and not self._dry_run:
            # A rebuilt record is no evidence that the blog still shows the post.
            self._archive.put_posts(self._waiting, alive=False)
        self._waiting = []

    def counts(self) -> dict[str, int]:
        """Return the number of posts in each state."""
        return dict(Counter(change.state for change in self.posts))

    def fields(self) -> dict[str, int]:
        """Return the number of posts whose content has changed, by field."""
        return dict(Counter(field for change in self.posts for field in change.fields).most_common())


def stored_post(archive: Archive, post: Post) -> Post | None:
    """Return the stored record of a post, by its id or by its URL; None if there is none."""
    for name in (post.id, post.url):
        try:
            return archive.post(name)
        except NotInArchive:
            continue
    return None


def _is_same_place(post: Post, old: Post) -> bool:
    """Return whether the post is still at this URL; otherwise its page here is outdated."""
    places = {place_key(url) for url in (old.url, old.canonical_url) if url}
    return post.id == old.id or place_key(post.url) in places
