"""The data of the lexicon: every entry is valid, described and used."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import posterity
from posterity import lexicon

SOURCE = Path(posterity.__file__).parent
FOLDER = SOURCE / "lexicon"
LANGUAGES = sorted((FOLDER / "languages").glob("*.toml"))
TABLES = ("parts", "declarations", "urls")
WHOLE_SECTIONS = {"detail", "author", "date", "title", "place", "block", "whole_name", "meta_title", "meta_date"}


def table(path: Path) -> dict[str, dict[str, str | list[str]]]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def roles(path: Path) -> set[str]:
    return {f"{section}.{key}" for section, entries in table(path).items() for key in entries}


@pytest.fixture(scope="module")
def code() -> str:
    return "\n".join(file.read_text(encoding="utf-8") for file in SOURCE.rglob("*.py"))


@pytest.mark.parametrize("path", LANGUAGES, ids=lambda path: path.stem)
def test_roles_of_a_language_are_described(path: Path) -> None:
    described = roles(FOLDER / "roles.toml")
    counted = {"days_ago.", "months."}
    assert {role for role in roles(path) if not role.startswith(tuple(counted))} <= described


def test_described_roles_have_words() -> None:
    known = set().union(*map(roles, LANGUAGES))
    assert {role for role in roles(FOLDER / "roles.toml") if not role.endswith("*")} <= known


def test_roles_are_used(code: str) -> None:
    by_habits = {"date.one", "date.locales"}
    made = {"date.modified", "date.other", "date.published"}  # f"date.{what}"
    for role in roles(FOLDER / "roles.toml") - by_habits - made - {"days_ago.*", "months.*"}:
        assert f'"{role}"' in code or f"'{role}'" in code, role


@pytest.mark.parametrize("name", TABLES)
def test_entries_are_used(name: str, code: str) -> None:
    for key in roles(FOLDER / f"{name}.toml"):
        if key.partition(".")[0] in WHOLE_SECTIONS:
            continue
        assert f'"{key}"' in code or f"'{key}'" in code, key


@pytest.mark.parametrize(
    "path", [*LANGUAGES, *(FOLDER / f"{name}.toml" for name in TABLES)], ids=lambda path: path.stem
)
def test_words_are_regular_expressions(path: Path) -> None:
    for entries in table(path).values():
        for entry in entries.values():
            for word in entry.split() if isinstance(entry, str) else entry if isinstance(entry, list) else ():
                re.compile(word)


def test_words_of_a_role_come_from_all_languages_once() -> None:
    by = lexicon.words_for("byline.by")
    assert {"by", "von", "par", "por"} <= set(by)
    assert len(by) == len(set(by))


def test_unknown_role_is_an_error() -> None:
    with pytest.raises(KeyError):
        lexicon.words_for("byline.nobody")


def test_language_without_a_file_has_no_habits() -> None:
    assert lexicon.language_habits("tlh").months == {}


def test_widgets_have_ranks_of_their_own() -> None:
    ranks = [widget.rank for widget in lexicon.widgets()]
    assert ranks == sorted(set(ranks))
    assert all(widget.place or widget.frame for widget in lexicon.widgets())


def test_every_widget_is_one_file() -> None:
    assert {widget.name for widget in lexicon.widgets()} == {path.stem for path in (FOLDER / "widgets").glob("*.toml")}
