"""The lexicon: knowledge about pages as data, and its loader.

    languages/<code>.toml  words of labels in one language, by role (see `roles.toml`);
                           `mul` has language-independent ones: names of services, symbols, given names
    widgets/<name>.toml    one comment widget: the place of its thread, the meaning of its classes
    parts.toml             names that templates give to parts of a page (values of id, class, itemprop, rel)
    declarations.toml      names of <meta> elements, types of schema.org
    embeds.toml            players and frames of other sites: their URLs and contents
    urls.toml              words in URLs of lists, profiles, service pages
    hosts.toml             sites that are not blogs, languages by country
    scripts.toml           letters and languages of each script

A value is a list of regular expressions, or a string of them separated by spaces. Nothing is compiled here: callers
join alternatives with `any_of` and add the context. Files are read on first use.
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
    """A comment widget. If a page has several, the one with the lowest rank is used."""

    rank: int
    name: str = ""
    # Selectors of the element in which the thread appears; not of scripts that count comments, which are on every page.
    place: tuple[str, ...] = ()
    # The id or class of that element, and a selector for it while it is still empty.
    thread: str = ""
    waits_for: str = ""
    # A substring of the names or the URL of its frame.
    frame: str = ""
    # Classes of a comment and of its parts, separated by spaces.
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
    # The parameter of the player's URL with the URL of the media.
    source: str = ""


class LanguageHabits(msgspec.Struct, frozen=True):
    """Additions to CLDR for the dates of one language: words for days, months and "one", and further CLDR locales."""

    days_ago: dict[str, int]
    months: dict[str, int]
    one: tuple[str, ...]
    locales: tuple[str, ...]


def any_of(words: Iterable[str]) -> str:
    """Join words to alternatives of a regular expression, without a group around them."""
    return "|".join(words)


@cache
def words_for(*roles: str) -> tuple[str, ...]:
    """Return the words of all languages for these roles, such as "byline.by"; KeyError for an unused role."""
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
    """Return the words of one language for a role; empty for an unknown language or a role without words."""
    section, _, key = role.partition(".")
    return frozenset(_split_words(_languages().get(code, {}).get(section, {}).get(key, "")))


def language_codes() -> tuple[str, ...]:
    """Return the codes in URLs of all languages in the lexicon: two letters, or those of a country instead."""
    countries = url_words("section.country_as_language")
    return tuple(sorted({code for code in _languages() if len(code) == 2}.union(countries)))


def language_habits(code: str) -> LanguageHabits:
    """Return the date habits of a language by its ISO 639 code; empty for one without a file."""
    table = _languages().get(code, {})
    date = table.get("date", {})
    one, locales = (tuple(_split_words(date.get(name, ""))) for name in ("one", "locales"))
    return LanguageHabits(table.get("days_ago", {}), table.get("months", {}), one, locales)


def part_names(*keys: str) -> tuple[str, ...]:
    """Return entries of parts.toml, such as "comment.text"."""
    return tuple(_entries("parts.toml", keys))


def part_patterns(section: str) -> dict[str, str]:
    """Return a section of parts.toml as a pattern for each name."""
    return {name: any_of(_split_words(entry)) for name, entry in _table("parts.toml")[section].items()}


def part_words(section: str) -> dict[str, tuple[str, ...]]:
    """Return a section of parts.toml as the words for each name."""
    return {name: tuple(_split_words(entry)) for name, entry in _table("parts.toml")[section].items()}


def declarations(*keys: str) -> tuple[str, ...]:
    """Return entries of declarations.toml, such as "meta.author"."""
    return tuple(_entries("declarations.toml", keys))


def declared_names(section: str) -> dict[str, tuple[str, ...]]:
    """Return a section of declarations.toml as the names of each kind."""
    return {kind: tuple(_split_words(entry)) for kind, entry in _table("declarations.toml")[section].items()}


def url_words(*keys: str) -> tuple[str, ...]:
    """Return entries of urls.toml, such as "listing.term"."""
    return tuple(_entries("urls.toml", keys))


@cache
def hosts_without_blogs() -> frozenset[str]:
    """Return hosts that many blogs link to but that are not blogs."""
    return frozenset(host for entry in _table("hosts.toml")["not_blogs"].values() for host in _split_words(entry))


@cache
def language_of_country() -> dict[str, str]:
    """Return the probable language of pages by country-code top-level domain."""
    return dict(_table("hosts.toml")["country_language"])


@cache
def language_aliases() -> dict[str, str]:
    """Return CLDR's language tags by the outdated tags that pages still declare."""
    return dict(_table("hosts.toml")["language_alias"])


def scripts(section: Literal["letters", "languages"]) -> dict[str, str]:
    """Return the letters or the languages of each script."""
    return _table("scripts.toml")[section]


@cache
def widgets() -> tuple[Widget, ...]:
    """Return the comment widgets, lowest rank first."""
    found = []
    for file in _FOLDER.joinpath("widgets").iterdir():
        widget = msgspec.toml.decode(file.read_bytes(), type=Widget)
        found.append(msgspec.structs.replace(widget, name=file.name.removesuffix(".toml")))
    return tuple(sorted(found, key=lambda widget: widget.rank))


@cache
def embed_providers() -> tuple[EmbedProvider, ...]:
    """Return the known providers of embeds in the order to try them."""
    tables = _table("embeds.toml")
    return tuple(msgspec.convert(table, EmbedProvider) for name, table in tables.items() if name != "ignored")


@cache
def ignored_embeds() -> tuple[str, ...]:
    """Return patterns of the URLs of frames that are not part of an article."""
    return tuple(_entries("embeds.toml", ["ignored.match"]))


def widget_names(role: Literal["thread", "waits_for", "frame", "comment", "text", "author", "date"]) -> tuple[str, ...]:
    """Return the names that any widget uses for one of its parts."""
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
    """All languages, sorted by code so that patterns made from them are the same on every machine."""
    folder = _FOLDER.joinpath("languages")
    names = sorted(file.name for file in folder.iterdir())
    return {name.removesuffix(".toml"): _table(f"languages/{name}") for name in names}
