"""The bundled blog in variants that real blogs come in: every post is harvested, and nothing else."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive
from posterity.demo.blog import SiteOptions
from posterity.demo.server import serving
from posterity.text.normal_form import token_f1, word_counts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from tests.conftest import Posterity

    from posterity.demo.server import TruePost
    from posterity.model import Post

VARIANTS = {
    "everything as it comes": SiteOptions(),
    "attic, flat addresses, Atom": SiteOptions(theme="attic", permalink="flat", feed_format="atom", posts_limit=16),
    "harbour, addresses with a number, JSON Feed": SiteOptions(permalink="query", feed_format="json", posts_limit=14),
    "attic in a folder": SiteOptions(theme="attic", prefix="/almanac", posts_limit=14),
    "in a folder, flat, JSON Feed": SiteOptions(prefix="/a/b", permalink="flat", feed_format="json", posts_limit=14),
    "theme changed over the years": SiteOptions(theme_change="2020-06-01", posts_limit=16),
    "feed of summaries": SiteOptions(feed="summary", posts_limit=16),
    "attic, feed of titles": SiteOptions(theme="attic", feed="titles", feed_format="atom", posts_limit=16),
}  # fmt: skip

Found = tuple[tuple["TruePost", ...], "Mapping[str, Post]"]


@pytest.fixture(scope="module")
def harvests(posterity: Posterity, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Found]:
    folder = tmp_path_factory.mktemp("variants")

    def harvest(number: int, options: SiteOptions) -> Found:
        archive = folder / str(number)
        with serving(options) as blog:
            home = f"{blog.base_url}{options.prefix}/"
            ended = posterity("harvest", home, "--delay", "0", "-q", "--archive", archive)
            assert (ended.returncode, ended.stderr) == (0, "")
        with open_archive(archive) as store:
            return blog.site.truth, {post.url: post for post in store.posts()}

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(VARIANTS, pool.map(harvest, range(len(VARIANTS)), VARIANTS.values()), strict=True))


@pytest.mark.parametrize("name", VARIANTS)
def test_every_post_and_nothing_else(name: str, harvests: dict[str, Found]) -> None:
    truth, posts = harvests[name]
    assert sorted(posts) == sorted(post.url for post in truth)


@pytest.mark.parametrize("name", VARIANTS)
def test_every_title_is_right(name: str, harvests: dict[str, Found]) -> None:
    truth, posts = harvests[name]
    assert {post.url: posts[post.url].title for post in truth} == {post.url: post.title for post in truth}


@pytest.mark.parametrize("name", VARIANTS)
def test_every_article_is_the_article(name: str, harvests: dict[str, Found]) -> None:
    truth, posts = harvests[name]
    scores = {post.title: token_f1(word_counts(posts[post.url].text), word_counts(post.text)) for post in truth}
    assert {title: score for title, score in scores.items() if score < 0.9} == {}
