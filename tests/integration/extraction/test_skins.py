"""How well blogs of thirty different skins are read: floors that nobody may fall below (tests/skins/floors.py).

Real blogs are few and hide what they do not have. These have the markup of many platforms and 17 languages, and every
word of them is known. `python -m tests.skins` prints the figures.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from tests.skins.floors import WEAK, below
from tests.skins.gallery import SKINS
from tests.skins.measuring import (
    figures_of_front,
    figures_of_kinds,
    figures_of_posts,
    read_alone,
    read_front,
    read_together,
    read_with_feed,
)
from tests.skins.site import site_of

if TYPE_CHECKING:
    from tests.skins.skin import Skin

every_skin = pytest.mark.parametrize("skin", SKINS, ids=lambda skin: skin.name)


@every_skin
def test_feed_teaches_rules_that_read_every_post_of_the_blog(skin: Skin) -> None:
    figures = figures_of_posts(read_with_feed(skin, site_of(skin)))
    assert figures
    assert not below(skin.name, "feed", figures)


@every_skin
def test_posts_are_read_from_the_pages_of_a_blog_without_a_feed(skin: Skin) -> None:
    assert not below(skin.name, "together", figures_of_posts(read_together(skin, site_of(skin))))


@every_skin
def test_post_is_read_from_its_page_alone(skin: Skin) -> None:
    assert not below(skin.name, "alone", figures_of_posts(read_alone(skin, site_of(skin))))


@every_skin
def test_front_page_gives_the_posts_that_stand_on_it(skin: Skin) -> None:
    assert not below(skin.name, "front", figures_of_front(read_front(site_of(skin))))


@every_skin
def test_posts_lists_and_other_pages_are_told_apart(skin: Skin) -> None:
    assert not below(skin.name, "kind", figures_of_kinds(site_of(skin)))


def test_every_weakness_is_of_a_skin_in_the_gallery() -> None:
    assert set(WEAK) <= {skin.name for skin in SKINS}
