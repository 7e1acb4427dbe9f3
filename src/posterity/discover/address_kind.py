"""Which addresses are of a kind: a post's, perhaps a post's, a list's or any other page's, and what it looks like.

What one visit teaches about an address holds for all of its kind: /page/2/ speaks for /page/3/, one tag for all tags.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import urlsplit

import msgspec

from posterity.urls.listing import is_listing

if TYPE_CHECKING:
    from posterity.urls import PostPattern

Role: TypeAlias = Literal["post", "near", "list", "page"]

# Words of lists stay what they are; other words below the first folder are names that vary.
_LIST_WORD = re.compile(
    r"(?:tags?|categor(?:y|ies)|topics?|labels?|authors?|archives?|archiv|page|older|index|posts|blog|sitemap)(?:\.\w+)?",
    re.IGNORECASE,
)
_LIST_FOLDER = re.compile(r"/(?:archiv|blog\b|posts\b|index\b|older\b|sitemap)|[?&](?:offset|start)=", re.IGNORECASE)
_ENDING = re.compile(r"\.\w+$")


class AddressKind(msgspec.Struct, frozen=True):
    """What an address promises (`role`), and the marks that addresses of its kind share."""

    role: Role
    marks: frozenset[str]

    def likeness(self, other: AddressKind) -> float:
        """Return how many marks both have, from 0.0 to 1.0; a post's address says nothing about a list's."""
        if (self.role in _OF_POSTS) != (other.role in _OF_POSTS):
            return 0.0
        return len(self.marks & other.marks) / len(self.marks | other.marks)


_OF_POSTS = ("post", "near")


def address_kind(url: str, pattern: PostPattern) -> AddressKind:
    """Return the kind of an address on a blog whose posts have this pattern."""
    parts = urlsplit(url)
    folders = [re.sub(r"\d+", "0", folder) for folder in parts.path.split("/") if folder]
    marks = {f"{depth}:{_mark(folder, depth, len(folders))}" for depth, folder in enumerate(folders)}
    marks |= {f"?{parameter.partition('=')[0]}" for parameter in parts.query.split("&") if parameter}
    return AddressKind(_role(url, pattern), frozenset(marks | {f"#{len(folders)}"}))


def _mark(folder: str, depth: int, folders: int) -> str:
    """The folder itself where it says something about its kind, else how it ends."""
    if folder == "0" or _LIST_WORD.fullmatch(folder) or (depth == 0 and folders > 1):
        return folder
    ending = _ENDING.search(folder)
    return f"*{ending.group()}" if ending else "*"


def _role(url: str, pattern: PostPattern) -> Role:
    if pattern.fits(url):
        return "post"
    if pattern.is_near(url):
        return "near"
    local = url.partition("://")[2].partition("/")[2]
    return "list" if is_listing(url) or _LIST_FOLDER.search(f"/{local}") else "page"
