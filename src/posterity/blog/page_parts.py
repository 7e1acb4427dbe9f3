"""Posts that do not correspond to one page: a post on several pages, and several posts on one page.

WordPress splits a post with `<!--nextpage-->`, magazines with `?page=2`; the parts become one record. Blogs before
permalinks had all posts of a month or year on one page, and their feeds link to anchors: each post becomes a record. So
does each post of a handmade blog on a single page.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import parse_qsl, urldefrag, urlsplit

import msgspec

from posterity.blog.entrance import is_list_name
from posterity.blog.page_source import PageSource, page_or_none
from posterity.discover.links import page_links
from posterity.dom import Document
from posterity.dom.media import absolute
from posterity.extraction import Context, extract_posts
from posterity.model import Feed, Page, Post, Provenance
from posterity.model.post import origins_on
from posterity.urls import canonical_url, place_key, post_id

MAX_PARTS = 60
_PART_FOLDER = re.compile(r"(?:page|part|seite|teil)?[-/]?(\d{1,2})(?:\.\w{3,5})?", re.IGNORECASE)
_PART_SUFFIX = re.compile(r"[-_.](?:page|part|seite|teil|p)?[-_]?(\d{1,2})", re.IGNORECASE)
_PART_PARAMETERS = frozenset({"page", "paged", "pg", "part", "seite", "teil"})
_ENDING = re.compile(r"\.\w{3,5}$")
_NEXT = "link[rel~=next], a[rel~=next]"
# Parts of one post differ. A page that repeats the words is the first one, requested with another parameter.
_SAME_WORDS = 0.6


def part_number(post_url: str, url: str) -> int | None:
    """Return the part of the post at this URL, from 2 on, or None if it is something else."""
    path, query = _path_and_query(url)
    own_path, own_query = _path_and_query(post_url)
    if path == own_path:
        more = [pair for pair in parse_qsl(query) if pair not in parse_qsl(own_query)]
        is_part = len(more) == 1 and more[0][0].lower() in _PART_PARAMETERS and more[0][1].isdecimal()
        return _from_two(more[0][1]) if is_part else None
    stem = _ENDING.sub("", own_path)
    if own_query or query or "/" not in own_path:
        return None
    if path.startswith(f"{stem}/"):
        match = _PART_FOLDER.fullmatch(path[len(stem) + 1 :])
    else:
        match = _PART_SUFFIX.fullmatch(_ENDING.sub("", path)[len(stem) :]) if path.startswith(stem) else None
    return _from_two(match[1]) if match else None


def _path_and_query(url: str) -> tuple[str, str]:
    path, _, query = place_key(url).partition("?")
    return path.rstrip("/"), query


def _from_two(digits: str) -> int | None:
    number = int(digits[:3])
    return number if 2 <= number <= MAX_PARTS else None


def part_urls(document: Document, post_url: str) -> dict[int, str]:
    """Return the further parts of the post that this page links to, by number, without those that may be posts."""
    return {number: url for number, url in _possible_parts(document, post_url).items() if not _is_suffix(post_url, url)}


def _possible_parts(document: Document, post_url: str) -> dict[int, str]:
    """Return the parts by number. URLs with a suffix must be declared as the next page: /report-2 may be a post."""
    following = [absolute(document.base_url, href) for href in document.attributes(_NEXT, "href")]
    declared = {canonical_url(url) for url in following if url}
    found: dict[int, str] = {}
    stem = _ENDING.sub("", _path_and_query(post_url)[0])
    for url in page_links(document):
        number = part_number(post_url, url) if stem in url else None
        if number is not None and (url in declared or not _is_suffix(post_url, url)):
            found.setdefault(number, url)
    return dict(sorted(found.items()))


def _is_suffix(post_url: str, url: str) -> bool:
    own, path = _path_and_query(post_url)[0], _path_and_query(url)[0]
    return path != own and not path.startswith(f"{_ENDING.sub('', own)}/")


async def join_parts(
    source: PageSource, document: Document, post: Post, read: Callable[[Page, Document], Post | None]
) -> tuple[Post, list[str]]:
    """Return the post with the text of its further pages, and their URLs; `read` makes the record of a page.

    Reading ends at the first part that is missing or that repeats what came before.
    """
    parts, urls = [post], list[str]()
    waiting = _possible_parts(document, post.url)
    number = 2
    while number in waiting and number <= MAX_PARTS:
        page = await page_or_none(source, waiting[number])
        further = source.document(page) if page is not None and page.status < 400 else None
        part = read(page, further) if page is not None and further is not None else None
        if part is None or further is None or any(_has_same_words(each, part) for each in parts):
            break
        if _is_suffix(post.url, waiting[number]) and part.title != post.title:
            break  # the next post, whose URL happens to end in a number
        parts.append(part)
        urls.append(waiting[number])
        waiting = _possible_parts(further, post.url) | waiting
        number += 1
    return (_join_records(parts, urls) if urls else post), urls


def _has_same_words(left: Post, right: Post) -> bool:
    old, new = set(left.text.split()), set(right.text.split())
    return len(old & new) >= _SAME_WORDS * len(new)


def _join_records(parts: list[Post], urls: list[str]) -> Post:
    first = parts[0]
    media = {medium.url: medium for part in parts for medium in part.media}
    pages = Provenance(method="joined", rule=" ".join(urls), confidence=1.0, at=first.provenance["text"].at)
    return msgspec.structs.replace(
        first,
        text="\n\n".join(part.text for part in parts),
        html="\n".join(part.html or "" for part in parts),
        markdown="\n\n".join(part.markdown or "" for part in parts),
        media=tuple(media.values()),
        links=tuple(dict.fromkeys(link for part in parts for link in part.links)),
        provenance=first.provenance | {"parts": pages},
    )


_MIN_POSTS = 3  # on one page, of a blog without a feed


def links_to_anchors(feeds: tuple[Feed, ...]) -> bool:
    """Return whether the posts of these feeds are anchors on pages that several of them share."""
    links = {entry.link for feed in feeds for entry in feed.entries if entry.link and urlsplit(entry.link).fragment}
    pages = {place_key(link) for link in links}
    return len(links) >= 2 * len(pages) > 0


def anchored_posts(
    page: Page, document: Document, *, blog: str, has_feed: bool, is_in_feed: bool = False
) -> list[Post]:
    """Return the posts on a page that have an anchor there, each with the anchor in its URL.

    `has_feed`: feeds link to anchors; `is_in_feed`: to those of this page. On other pages, most posts must have dates,
    or the page must be called "blog": the sections of a page about a person or a product are not posts.
    """
    context = Context(index=True, fetched_at=page.fetched_at)
    own = place_key(document.url)
    warc = str(page.warc) if page.warc else None
    found = []
    for post in extract_posts(document, context=context):
        page_url, anchor = urldefrag(post.url)
        if not anchor or place_key(page_url) != own or not post.text:
            continue
        origins = origins_on(post.provenance, warc, page.fetched_at)
        found.append(
            msgspec.structs.replace(post, id=post_id(post.url), canonical_url=post.url, blog=blog, provenance=origins)
        )
    dated = sum(post.published is not None for post in found)
    is_of_posts = is_in_feed or 2 * dated > len(found) or is_list_name(document.url)
    return found if is_of_posts and len(found) >= (2 if has_feed else _MIN_POSTS) else []
