"""Every feature has a weight and every weight a feature, and a record lists the training data."""

from __future__ import annotations

import ast
import json
import re
from functools import cache
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest
from tests.skins.gallery import SKINS
from tests.skins.site import site_of
from tools.weights_record import record_path, sha256

from posterity.dom import parse
from posterity.extraction.hybrid import author, date, title
from posterity.extraction.hybrid.article import Article, article_on
from posterity.extraction.hybrid.candidates import NONE, OFFSET, SLOPE, page_facts, surroundings
from posterity.extraction.hybrid.model import ARTICLE_WEIGHTS, COLUMNS, CONTEXT_COLUMNS, FIELD_WEIGHTS, learned_weights
from posterity.lexicon import declared_names, part_patterns

HYBRID = Path(str(files("posterity.extraction.hybrid")))
FIELDS = ("title", "author", "date")
_WORD = re.compile(r"[\w.-]+")


def record_of(weights: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(record_path(HYBRID / weights).read_text(encoding="utf-8"))
    return found


@cache
def features_on_skins() -> dict[str, set[str]]:
    """Return the names of all features of titles, authors and dates on pages of every skin."""
    found: dict[str, set[str]] = {field: set() for field in FIELDS}
    for skin in SKINS:
        for url, html in list(site_of(skin).pages.items())[:3]:
            document = parse(html, url)
            page = page_facts(document, article_on(document) or Article(node=0, confidence=0.0, why=""))
            around = surroundings(page, -1)
            values = {
                "title": title.title_values(page),
                "author": author.author_values(page, around),
                "date": date.date_values(page, around),
            }
            for field in FIELDS:
                found[field] |= {feature for value in values[field] for feature in value.features}
    return found


@pytest.mark.parametrize("field", FIELDS)
def test_every_feature_of_a_field_was_seen_in_training(field: str) -> None:
    without = record_of(FIELD_WEIGHTS)["features without a weight"]
    assert isinstance(without, dict)
    seen = {*learned_weights(field), *without[field]}
    unknown = features_on_skins()[field] - seen
    # There are too many combinations of sources, or of source and place: only their words must occur.
    words = {word for name in seen for word in _WORD.findall(name)}
    combined = {name for name in unknown if name.startswith("given by ") or ", " in name}
    assert not unknown - combined
    assert not {name for name in combined if not words.issuperset(_WORD.findall(name))}


@pytest.mark.parametrize("field", FIELDS)
def test_every_weight_of_a_field_is_of_a_feature_in_the_code(field: str) -> None:
    written = {
        word
        for module in HYBRID.glob("*.py")
        for node in ast.walk(ast.parse(module.read_text(encoding="utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
        for word in _WORD.findall(node.value)
    }
    # Kinds of names and of declarations are features too; they are in the lexicon.
    for section in ("author", "date", "title", "place"):
        written.update(part_patterns(section))
    for section in ("meta_title", "meta_date"):
        written.update(declared_names(section))
    names = learned_weights(field).keys() - {NONE, SLOPE, OFFSET}
    assert not {name for name in names if {word for word in _WORD.findall(name) if not word.isdecimal()} - written}


def test_most_weights_decide_something_on_the_skins() -> None:
    used = [name for field in FIELDS for name in learned_weights(field) if name in features_on_skins()[field]]
    assert len(used) > 250


def test_columns_of_the_article_model_are_those_it_was_trained_with() -> None:
    assert record_of(ARTICLE_WEIGHTS)["columns"] == list(COLUMNS)


def test_every_split_of_the_article_model_asks_for_a_column() -> None:
    with np.load(HYBRID / ARTICLE_WEIGHTS) as weights:
        asked = {
            name: set(weights[f"{name}_columns"][np.isfinite(weights[f"{name}_borders"])].tolist())
            for name in ("first", "second")
        }
    assert asked["first"] <= set(range(len(COLUMNS)))
    assert asked["second"] <= set(range(len(COLUMNS) + len(CONTEXT_COLUMNS)))
    # A model would load even without a group of its columns, so most columns must be used.
    assert len(asked["first"] | asked["second"]) > 0.8 * (len(COLUMNS) + len(CONTEXT_COLUMNS))


@pytest.mark.parametrize("weights", [ARTICLE_WEIGHTS, FIELD_WEIGHTS])
def test_record_is_of_these_weights_and_names_command_and_inputs(weights: str) -> None:
    record = record_of(weights)
    assert record["weights"] == {"file": weights, "sha256": sha256(HYBRID / weights)}
    assert str(record["command"]).startswith("python -m tools.")
    inputs = record["inputs"]
    assert isinstance(inputs, list)
    for given in inputs:
        assert re.fullmatch("[0-9a-f]{64}", given["sha256"])
        assert given["pages"] > 0
        assert given["file"] in str(record["command"])
