"""Scores of a blog of the gallery by the measures of the bench: with its feed, without it, page by page."""

from __future__ import annotations

from collections import defaultdict
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from tests.skins.feed import LISTED
from tests.skins.skin import NOW

from posterity.dom import parse
from posterity.errors import NothingLearned
from posterity.evaluate.datasets import Gold, GoldComment, GoldPost, Prediction, prediction_of
from posterity.evaluate.measures import MEASURE, page_scores
from posterity.extraction import Context, extract_index, page_kind
from posterity.extraction.feed import learn
from posterity.extraction.method import extract_posts

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from tests.skins.blog import SkinPost
    from tests.skins.site import SkinSite
    from tests.skins.skin import Skin

    from posterity.evaluate.measures.text import Score

Figures: TypeAlias = "dict[str, float]"

_POST_MEASURES = {
    "token F1": "article",
    "title": "title",
    "date": "date",
    "author": "author",
    "comments F1": "comments",
    "comment authors F1": "commenters",
    "comment dates F1": "comment dates",
    "comment parents F1": "parents",
}
_FRONT_MEASURES = {"posts F1": "posts", "post titles F1": "titles", "post dates F1": "dates"}


class Read(NamedTuple):
    """A page of the gallery with the correct and the extracted posts."""

    page: str
    gold: Gold
    response: Prediction


def read_with_feed(skin: Skin, site: SkinSite) -> list[Read]:
    """Return all posts, read by the rules learned from the feed; most older ones are not in the feed."""
    listed = {post.url: site.pages[post.url] for post in site.blog.posts[:LISTED]}
    try:
        rules = learn(site.feed, listed, feed_url=f"{site.blog.url}/feed", now=NOW)
    except NothingLearned:
        rules = None
    return _read(skin, site, Context(rules=rules, fetched_at=NOW))


def read_together(skin: Skin, site: SkinSite) -> list[Read]:
    """Return all posts, read without a feed but together with the other pages of the blog."""
    others = tuple(parse(html, url) for url, html in site.pages.items())
    return _read(skin, site, Context(site=others, fetched_at=NOW))


def read_alone(skin: Skin, site: SkinSite) -> list[Read]:
    """Return all posts, each read as a single page without context."""
    return _read(skin, site, Context(fetched_at=NOW))


def read_front(site: SkinSite) -> Read:
    """Return the front page with the posts on it."""
    url, html = site.front
    gold = Gold(
        posts=tuple(GoldPost(url=post.url, title=post.title, date=post.moment.isoformat()) for post in site.shown)
    )
    return Read(url, gold, prediction_of(extract_index(html, url, context=Context(fetched_at=NOW))))


def kinds_recognised(site: SkinSite) -> dict[str, bool]:
    """Return for every page whether its kind is recognised without further context."""
    wanted = [(page, "post") for page in site.pages.items()]
    wanted += [(site.front, "index"), (site.archive, "index"), (site.about, "other")]
    return {url: page_kind(html, url)[0] == kind for (url, html), kind in wanted}


def figures_of_posts(reads: Iterable[Read]) -> Figures:
    """Return the scores of the posts, by measure."""
    return _totals(reads, _POST_MEASURES)


def figures_of_front(read: Read) -> Figures:
    """Return the scores of the front page."""
    return _totals([read], _FRONT_MEASURES)


def figures_of_kinds(site: SkinSite) -> Figures:
    """Return the share of pages whose kind is recognised."""
    return {"right": fmean(kinds_recognised(site).values())}


def figures(skin: Skin, site: SkinSite) -> dict[str, Figures]:
    """Return all scores of the skin, by way of reading."""
    return {
        "feed": figures_of_posts(read_with_feed(skin, site)),
        "together": figures_of_posts(read_together(skin, site)),
        "alone": figures_of_posts(read_alone(skin, site)),
        "front": figures_of_front(read_front(site)),
        "kind": figures_of_kinds(site),
    }


def _read(skin: Skin, site: SkinSite, context: Context) -> list[Read]:
    return [
        Read(
            post.url,
            _gold(skin, post),
            prediction_of(extract_posts(parse(site.pages[post.url], post.url), context=context)),
        )
        for post in site.blog.posts
    ]


def _gold(skin: Skin, post: SkinPost) -> Gold:
    return Gold(
        body=post.text,
        title=post.title,
        authors=(post.author,) if skin.signed else None,
        date=post.moment.isoformat(),
        comments=tuple(_gold_comments(post)),
    )


def _gold_comments(post: SkinPost) -> Iterable[GoldComment]:
    for comment in post.comments:
        own = f"{comment.moment.isoformat()} {comment.author}"
        for each in (comment, *comment.replies):
            yield GoldComment(
                text=each.text,
                author=each.author,
                date=each.moment.isoformat(),
                id=f"{each.moment.isoformat()} {each.author}",
                parent=own if each is not comment else None,
            )


def _totals(reads: Iterable[Read], measures: dict[str, str]) -> Figures:
    scores: dict[str, list[Score]] = defaultdict(list)
    for name, score in _scores(reads):
        if name in measures:
            scores[name].append(score)
    return {measures[name]: MEASURE[name].total.of(scores[name]) for name in measures if scores[name]}


def _scores(reads: Iterable[Read]) -> Iterator[tuple[str, Score]]:
    for read in reads:
        yield from page_scores(read.gold, read.response).items()
