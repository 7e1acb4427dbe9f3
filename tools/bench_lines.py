"""The lines of the bench's table: pages, measures, the best rival's figures, and the target figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

import msgspec

from posterity.evaluate.measures import Score
from posterity.evaluate.measures.text import MEAN, score_tcs, score_tokens, tokens
from posterity.evaluate.summary import Interval, figure, interval

if TYPE_CHECKING:
    from posterity.evaluate.datasets import Gold, Prediction

SHORT_POST = 50  # words: photo, link and poem posts, where extractors fail most


class StoredResult(msgspec.Struct, frozen=True, kw_only=True):
    """The stored result of one candidate on one page, without the page, so that all results fit in memory."""

    dataset: str
    candidate: str
    site: str
    page: str
    url: str
    tags: dict[str, bool | str | None]
    scores: dict[str, Score]
    words: int
    diagnosis: str
    seconds: float
    # Scores with the candidate's title prepended to its text, for sets whose annotated texts start with the title.
    titled: dict[str, Score] = {}


def titled_scores(gold: Gold, prediction: Prediction) -> dict[str, Score]:
    """Return the scores of the text with the found title prepended, unless the text already starts with it."""
    title = tokens(prediction.title or "")
    if title and tokens(prediction.text)[: len(title)] != title:
        prediction = msgspec.structs.replace(prediction, text=f"{prediction.title}\n\n{prediction.text}")
    scores = {"token F1": score_tokens(gold, prediction), "TCS": score_tcs(gold, prediction)}
    return {name: score for name, score in scores.items() if score is not None}


class Line(msgspec.Struct, frozen=True):
    """A line of the table. With `per_blog`, every blog has the same weight, regardless of its number of posts.

    With `titled`, titles are prepended to texts in sets whose annotated texts start with them.
    """

    name: str
    measures: tuple[str, ...]
    chosen: Callable[[StoredResult], bool]
    rivals: str
    aim: str
    per_blog: bool = False
    titled: bool = False


def of(*names: str) -> Callable[[StoredResult], bool]:
    """Select the results on these data sets."""
    return lambda result: result.dataset in names


def blog(kind: str) -> Callable[[StoredResult], bool]:
    """Select the results on whole blogs: "blog:" with feeds, "bare:" without feeds, "front:" front pages."""
    return lambda result: result.dataset.startswith(kind)


def is_blog_page(result: StoredResult) -> bool:
    """Select single pages whose URL belongs to a blog."""
    return bool(result.tags.get("blog_url")) and ":" not in result.dataset


def is_short_blog_page(result: StoredResult) -> bool:
    """Select single pages of blogs with little text."""
    return is_blog_page(result) and 0 < result.words < SHORT_POST


def is_brief_blog_page(result: StoredResult) -> bool:
    """Select pages of blogs, by URL or blog software, with up to three times as much text."""
    is_blog = bool(result.tags.get("blog_url") or result.tags.get("blog_cms")) and ":" not in result.dataset
    return is_blog and 0 < result.words < 3 * SHORT_POST


def is_article(result: StoredResult) -> bool:
    """Select the articles of wcxb_dev, which has pages of many types."""
    return of("wcxb_dev")(result) and result.tags.get("page_type") == "article"


ARTICLE = ("token F1", "F1 >= 0.95", "TCS")
FIELDS = ("title", "date", "author")
POSTS = ("posts F1", "post titles F1", "post dates F1")
LINES = (
    Line("blogs with a feed: article", ARTICLE, blog("blog:"), ".956 .856 .909", ".985 .95 .985", per_blog=True),
    Line("the same: fields", FIELDS, blog("blog:"), ".823 .868 .680", ".985 .98 .97", per_blog=True),
    Line("the same: tags and categories", ("tags F1",), blog("blog:"), "-", ".90", per_blog=True),
    Line("the same: comments", ("comments F1",), blog("blog:"), "-", ".97", per_blog=True),
    Line(
        "the same: fields of comments",
        ("comment authors F1", "comment dates F1", "comment parents F1"),
        blog("blog:"),
        "-",
        ".97 .97 .97",
        per_blog=True,
    ),
    Line("the same, feed withheld", ("token F1", "TCS"), blog("bare:"), ".956 .909", ".96 .96", per_blog=True),
    Line("feed withheld: tags and categories", ("tags F1",), blog("bare:"), "-", ".90", per_blog=True),
    Line("front pages", POSTS, blog("front:"), "-", ".97 .97 .95"),
    Line("single blog pages", ("token F1", "TCS"), is_blog_page, ".925 .915", ".95 .95"),
    Line("the same, under 50 words", ("token F1",), is_short_blog_page, ".801", ".88"),
    Line("blog pages by URL or software, under 150 words", ("token F1",), is_brief_blog_page, "-", ".90"),
    Line("single blog pages, titled", ("token F1", "TCS"), is_blog_page, "-", "-", titled=True),
    Line("the same, under 50 words", ("token F1",), is_short_blog_page, "-", "-", titled=True),
    Line("scrapinghub", ("4-gram F1",), of("scrapinghub"), ".964", ".975"),
    Line("trafilatura", ("segments F1",), of("trafilatura"), ".925", ".935"),
    Line("dragnet", ("token F1", "comments text F1"), of("dragnet"), ".910 .724", ".935 .87"),
    Line("dragnet, pages of a host together", ("token F1",), of("hosts:dragnet"), "-", ".955"),
    Line("dragnet, titled", ("token F1", "TCS"), of("dragnet"), "-", "-", titled=True),
    Line("dragnet, pages of a host together, titled", ("token F1", "TCS"), of("hosts:dragnet"), "-", "-", titled=True),
    Line("wcxb_dev, articles", ("token F1",), is_article, ".958", ".97"),
    Line("wcxb_dev, all types", ("token F1",), of("wcxb_dev"), ".901", ".91"),
    Line("cleaneval", ("alignment F",), of("cleaneval"), ".900", ".91"),
    Line("title: wcxb_dev", ("title",), of("wcxb_dev"), ".776", ".88"),
    Line("title: trafilatura", ("title",), of("trafilatura"), ".722", ".82"),
    Line("author: wcxb_dev", ("author", "author invented"), of("wcxb_dev"), ".670 .40", ".80 .08"),
    Line("author: trafilatura", ("author", "author invented"), of("trafilatura"), ".591 .40", ".75 .08"),
    Line("date: wcxb_dev", ("date",), of("wcxb_dev"), ".849", ".91"),
    Line("date: trafilatura", ("date",), of("trafilatura"), ".868", ".91"),
    Line("date: htmldate", ("date",), of("htmldate"), ".922", ".95"),
)  # fmt: skip


def figures(line: Line, results: Iterable[StoredResult]) -> dict[str, list[Interval | None]]:
    """Return the figures of each candidate for a line, in the order of its measures; None if not measured."""
    mine: dict[str, list[StoredResult]] = {}
    for result in results:
        if line.chosen(result):
            mine.setdefault(result.candidate, []).append(result)
    return {name: [_figure(line, some, measure) for measure in line.measures] for name, some in mine.items()}


def _figure(line: Line, results: Sequence[StoredResult], measure: str) -> Interval | None:
    if not line.per_blog:
        return _interval(results, measure, titled=line.titled)
    blogs: dict[str, list[StoredResult]] = {}
    for result in results:
        blogs.setdefault(result.dataset, []).append(result)
    known = [found for of_blog in blogs.values() if (found := _interval(of_blog, measure)) is not None]
    return interval([Score(value=one.value) for one in known], MEAN) if known else None


def _interval(results: Iterable[StoredResult], measure: str, *, titled: bool = False) -> Interval | None:
    given = [result.scores | result.titled if titled else result.scores for result in results]
    scores = [of_page[measure] for of_page in given if measure in of_page]
    return figure(measure, scores).interval if scores else None
