"""The expected values of the gallery are on the pages of the posts."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from typing import TYPE_CHECKING

import pytest
from tests.skins.feed import LISTED
from tests.skins.gallery import SKINS
from tests.skins.languages import LANGUAGES
from tests.skins.site import site_of

from posterity.discover.feed import read_feed
from posterity.evaluate.measures.text import tokens

if TYPE_CHECKING:
    from tests.skins.skin import Skin

every_skin = pytest.mark.parametrize("skin", SKINS, ids=lambda skin: skin.name)


@every_skin
def test_page_shows_all_that_is_said_of_its_post(skin: Skin) -> None:
    site = site_of(skin)
    assert len({post.url for post in site.blog.posts}) == len(site.pages) == 14
    for post in site.blog.posts:
        page = unescape(site.pages[post.url])
        assert not Counter(tokens(post.text)) - Counter(tokens(re.sub("<[^>]+>", " ", page)))
        assert (post.title or "") in page
        assert not skin.signed or post.author in page
        assert all(comment.text in page and comment.author in page for comment in post.thread)


@every_skin
def test_skin_draws_the_same_pages_every_time(skin: Skin) -> None:
    assert site_of(skin) == site_of(skin)


@every_skin
def test_feed_has_the_newest_posts(skin: Skin) -> None:
    site = site_of(skin)
    feed = read_feed(site.feed, f"{site.blog.url}/feed")
    newest = site.blog.posts[:LISTED]
    assert [entry.link for entry in feed.entries] == [post.url for post in newest]
    assert [entry.title for entry in feed.entries] == [post.title for post in newest]
    assert [entry.published for entry in feed.entries] == [post.moment.replace(second=0) for post in newest]
    assert all((entry.content is not None) == (skin.extent == "full") for entry in feed.entries)


def test_every_language_is_worn_by_a_skin() -> None:
    assert {skin.language for skin in SKINS} == set(LANGUAGES)
