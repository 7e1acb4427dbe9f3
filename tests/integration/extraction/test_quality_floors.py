"""How good the default method is on the bundled blog in all its variants: floors that nobody may fall below.

Its pages have share bars, author boxes, related posts, tag lists, comment threads and forms. Figures on other people's
pages are in docs/quality.md; these here can be checked anywhere, at every change.
"""

from __future__ import annotations

import re
from statistics import fmean
from typing import TYPE_CHECKING, TypeAlias

import pytest

from posterity.demo.server import SiteOptions, build
from posterity.dom import parse
from posterity.extraction import Context, extract, extract_index
from posterity.extraction.feed import learn
from posterity.text.normal_form import letters_and_digits, token_f1, word_counts

if TYPE_CHECKING:
    from datetime import date

    from posterity.demo.server import DemoSite, TruePost
    from posterity.model import Post

BASE = "https://almanac.example"
VARIANTS = {
    "full feed": SiteOptions(base_url=BASE),
    "summary feed": SiteOptions(base_url=BASE, feed="summary"),
    "feed of titles": SiteOptions(base_url=BASE, feed="titles"),
    "no feed": SiteOptions(base_url=BASE, feed="none"),
    "older theme, no feed": SiteOptions(base_url=BASE, theme="attic", feed="none"),
    "older theme, full feed": SiteOptions(base_url=BASE, theme="attic"),
    "theme changed, full feed": SiteOptions(base_url=BASE, theme_change="2024-01-01", feed_entries=20),
}
_FEED = re.compile(r"rss|feed|atom")


Found: TypeAlias = "list[tuple[TruePost, Post]]"


@pytest.fixture(scope="module", params=VARIANTS)
def site(request: pytest.FixtureRequest) -> DemoSite:
    return build(VARIANTS[request.param])


@pytest.fixture(scope="module")
def found(site: DemoSite) -> Found:
    """Every post with all that a harvest would know."""
    return found_on(site, context_of(site))


def context_of(site: DemoSite) -> Context:
    """What a harvest would know: rules where there is a feed, the other pages where there is none."""
    pages = {post.url: site[post.path].body for post in site.truth}
    feeds = [path for path, one in site.items() if "xml" in one.content_type and _FEED.search(path)]
    blog_feeds = [path for path in feeds if "comment" not in path]
    if site.options.feed == "none" or not blog_feeds:
        return Context(site=tuple(parse(body, url) for url, body in pages.items()))
    return Context(rules=learn(site[blog_feeds[0]].body, pages, feed_url=BASE + blog_feeds[0]))


def found_on(site: DemoSite, context: Context) -> Found:
    found = [(post, extract(site[post.path].body, post.url, context=context)) for post in site.truth]
    return [(truth, post) for truth, post in found if post is not None]


def article_f1(truth: TruePost, post: Post) -> float:
    return token_f1(word_counts(truth.text), word_counts(post.text))


def test_articles_stay_above_the_floor(site: DemoSite, found: Found) -> None:
    assert len(found) == len(site.truth)
    assert fmean(article_f1(truth, post) for truth, post in found) >= 0.99


def test_fields_stay_above_the_floors(found: Found) -> None:
    assert (
        fmean(letters_and_digits(truth.title) == letters_and_digits(post.title or "") for truth, post in found) >= 0.97
    )
    assert fmean(day(post) == truth.published.date() for truth, post in found) == 1
    assert fmean(truth.author in post.authors for truth, post in found) >= 0.97


def test_comments_are_never_in_the_article(found: Found) -> None:
    for truth, post in found:
        assert not any(comment.text in post.text for comment in truth.comments if len(comment.text) > 40)


@pytest.mark.parametrize(("theme", "floor"), [("no feed", 0.995), ("older theme, no feed", 0.968)])
def test_single_page_out_of_nowhere_stays_above_the_floors(theme: str, floor: float) -> None:
    site = build(VARIANTS[theme])
    found = found_on(site, Context())
    assert len(found) == len(site.truth)
    assert fmean(article_f1(truth, post) for truth, post in found) >= floor
    assert fmean(day(post) == truth.published.date() for truth, post in found) >= 0.97
    assert fmean(truth.author in post.authors for truth, post in found) >= 0.95


def test_front_page_gives_every_post_that_it_shows(site: DemoSite) -> None:
    posts = extract_index(site["/"].body, f"{BASE}/")
    newest = site.truth[: len(posts)]
    assert len(posts) >= 5
    assert [post.title for post in posts] == [truth.title for truth in newest]
    assert [post.url for post in posts] == [truth.url for truth in newest]
    assert [day(post) for post in posts] == [truth.published.date() for truth in newest]


def day(post: Post) -> date | None:
    return post.published.date() if post.published else None


def photo_page(site: DemoSite, truth: TruePost) -> bytes:
    """The page of a post with one picture and nothing else."""
    words = "<p><img src=/images/loaf.png alt='A loaf'></p>"
    return re.sub(
        rb'(?s)(<div class="entry-content">).*?(<div class="share-bar">)',
        rb"\1" + words.encode() + rb"\2",
        site[truth.path].body,
    )


def test_photo_post_among_others_is_a_picture_and_not_its_comments() -> None:
    site = build(VARIANTS["no feed"])
    rest = tuple(parse(site[truth.path].body, truth.url) for truth in site.truth)
    context = Context(site=rest)
    for truth in site.truth[:6]:
        post = extract(photo_page(site, truth), truth.url, context=context)
        assert post is not None
        assert [media.url.rpartition("/")[2] for media in post.media if media.url != post.cover] == ["loaf.png"]
        assert len(post.text.split()) < 5
