"""The lexicon: knowledge about pages as data, and its loader.

    languages/<code>.toml  words of labels in one language, by role; `roles.toml` describes each role;
                           `mul` has what belongs to no one language: names of services, symbols, given names
    widgets/<name>.toml    one comment widget: where its thread is, what its classes mean
    parts.toml             names that templates give to parts of a page (values of id, class, itemprop, rel)
    declarations.toml      names of <meta> elements, types of schema.org
    embeds.toml            players and frames of other sites: their URLs, what they show
    urls.toml              words in URLs of lists, profiles, service pages
    hosts.toml             sites that are no blogs, languages by country

A value is a list of regular expressions, or one text of them with spaces between. Nothing is compiled here: a consumer
joins what it needs with `any_of` and adds what surrounds it. Files are read when they are first asked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import msgspec

_Entry = str | list[str]
_FOLDER = files(__package__)


class Widget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A comment widget. Of two on one page, that with the lower rank counts."""

    rank: int
    name: str = ""
    # Selectors of the place where the thread appears. A script that counts comments is on every page, and is no place.
    place: tuple[str, ...] = ()
    # The id or class of that place, and a selector for it while it is still empty.
    thread: str = ""
    waits_for: str = ""
    # A part of the names or of the URL of its frame.
    frame: str = ""
    # Classes of a comment and of its parts, with spaces between.
    comment: str = ""
    text: str = ""
    author: str = ""
    date: str = ""


class EmbedProvider(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A site whose players and frames are embedded in articles; `embeds.toml` explains the keys."""

    match: str
    name: str
    kind: Literal["image", "audio", "video", "document", "embed"]
    page: str = ""
    poster: str = ""
    # The parameter of the player's URL that has the URL of what it plays.
    source: str = ""


class LanguageHabits(msgspec.Struct, frozen=True):
    """How one language writes dates, beyond what CLDR has: words for days, months, "one", and CLDR locales to add."""

    days_ago: dict[str, int]
    months: dict[str, int]
    one: tuple[str, ...]
    locales: tuple[str, ...]


def any_of(words: Iterable[str]) -> str:
    """Return the alternatives of a regular expression; the caller puts them into a group."""
    return "|".join(words)


@cache
def words_for(*roles: str) -> tuple[str, ...]:
    """Return the words of all languages for these roles, such as "byline.by"; KeyError for a role that no one has."""
    found: dict[str, None] = {}
    for role in roles:
        section, _, key = role.partition(".")
        tables = [table[section] for table in _languages().values() if key in table.get(section, ())]
        if not tables:
            raise KeyError(role)
        for table in tables:
            found |= dict.fromkeys(_split_words(table[key]))
    return tuple(found)


@cache
def words_in(code: str, role: str) -> frozenset[str]:
    """Return the words of one language for a role; none for a language without a file or without words for it."""
    section, _, key = role.partition(".")
    return frozenset(_split_words(_languages().get(code, {}).get(section, {}).get(key, "")))


def language_codes() -> tuple[str, ...]:
    """Return the two-letter codes of all languages that the lexicon has words of."""
    return tuple(sorted(code for code in _languages() if len(code) == 2))


def language_habits(code: str) -> LanguageHabits:
    """Return how the language of an ISO 639 code writes dates; all empty for one without a file."""
    table = _languages().get(code, {})
    date = table.get("date", {})
    return LanguageHabits(
        table.get("days_ago", {}),
        table.get("months", {}),
        tuple(_split_words(date.get("one", ""))),
        tuple(_split_words(date.get("locales", ""))),
    )


def part_names(*keys: str) -> tuple[str, ...]:
    """Return entries of parts.toml, such as "comment.text"."""
    return tuple(_entries("parts.toml", keys))


def part_patterns(section: str) -> dict[str, str]:
    """Return a section of parts.toml: a pattern for each of its names."""
    return {name: any_of(_split_words(entry)) for name, entry in _table("parts.toml")[section].items()}


def part_words(section: str) -> dict[str, tuple[str, ...]]:
    """Return a section of parts.toml: for each of its names the words for it."""
    return {name: tuple(_split_words(entry)) for name, entry in _table("parts.toml")[section].items()}


def declarations(*keys: str) -> tuple[str, ...]:
    """Return entries of declarations.toml, such as "meta.author"."""
    return tuple(_entries("declarations.toml", keys))


def declared_names(section: str) -> dict[str, tuple[str, ...]]:
    """Return a section of declarations.toml: for each kind the names of it."""
    return {kind: tuple(_split_words(entry)) for kind, entry in _table("declarations.toml")[section].items()}


def url_words(*keys: str) -> tuple[str, ...]:
    """Return entries of urls.toml, such as "listing.term"."""
    return tuple(_entries("urls.toml", keys))


@cache
def hosts_without_blogs() -> frozenset[str]:
    """Return the hosts that are no blogs although many blogs link to them."""
    return frozenset(host for entry in _table("hosts.toml")["not_blogs"].values() for host in _split_words(entry))


@cache
def language_of_country() -> dict[str, str]:
    """Return the language that pages under a country's top-level domain are probably in."""
    return dict(_table("hosts.toml")["country_language"])


@cache
def language_aliases() -> dict[str, str]:
    """Return the tags that CLDR uses instead of older ones that pages still declare."""
    return dict(_table("hosts.toml")["language_alias"])


@cache
def widgets() -> tuple[Widget, ...]:
    """Return the comment widgets, those with the lowest rank first."""
    found = []
    for file in _FOLDER.joinpath("widgets").iterdir():
        widget = msgspec.toml.decode(file.read_bytes(), type=Widget)
        found.append(msgspec.structs.replace(widget, name=file.name.removesuffix(".toml")))
    return tuple(sorted(found, key=lambda widget: widget.rank))


@cache
def embed_providers() -> tuple[EmbedProvider, ...]:
    """Return the known providers of embeds, in the order in which they are tried."""
    tables = _table("embeds.toml")
    return tuple(msgspec.convert(table, EmbedProvider) for name, table in tables.items() if name != "ignored")


@cache
def ignored_embeds() -> tuple[str, ...]:
    """Return patterns of the URLs of frames that are no part of an article."""
    return tuple(_entries("embeds.toml", ["ignored.match"]))


def widget_names(role: Literal["thread", "waits_for", "frame", "comment", "text", "author", "date"]) -> tuple[str, ...]:
    """Return the names that all widgets together have for one of their parts."""
    return tuple(name for widget in widgets() for name in getattr(widget, role).split())


def _entries(file: str, keys: Iterable[str]) -> Iterator[str]:
    for key in keys:
        section, _, name = key.partition(".")
        yield from _split_words(_table(file)[section][name])


def _split_words(entry: _Entry) -> list[str]:
    return entry.split() if isinstance(entry, str) else entry


@cache
def _table(file: str) -> dict[str, dict[str, Any]]:
    return msgspec.toml.decode(_FOLDER.joinpath(file).read_bytes(), type=dict[str, dict[str, Any]])


@cache
def _languages() -> dict[str, dict[str, dict[str, Any]]]:
    """All languages by code, in the order of their codes, so that patterns made of them are the same everywhere."""
    folder = _FOLDER.joinpath("languages")
    names = sorted(file.name for file in folder.iterdir())
    return {name.removesuffix(".toml"): _table(f"languages/{name}") for name in names}
