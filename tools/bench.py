#!/usr/bin/env python3
"""How good are our methods, beside the best rivals, on the public benchmarks and the real blogs?

    tools/bench.py BENCH [--blogs FOLDER [--fronts FILE]] [--sample N] [--method NAME]... [--rival NAME]...

BENCH is a folder of .jsonl.xz files with gold, FOLDER one of blogs with site/ and truth.json, FILE the list of posts on
their front pages. Prints one table: a row per set and measure, a column per contestant,
and beside them the figures to reach. The sets are explained in docs/bench.md. --sample takes N pages of each set.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import msgspec
from rich.console import Console
from rich.table import Table
from rich.text import Text

from posterity.errors import InputError
from posterity.evaluate.answer import Answer
from posterity.evaluate.contestant import Contestant, contestants
from posterity.evaluate.datasets import DataSet, datasets_in
from posterity.evaluate.display import Display
from posterity.evaluate.evaluation import results_of
from posterity.evaluate.files import ready_folder, write_pages
from posterity.evaluate.measures.tokens import token_counts
from posterity.evaluate.rivals import version_of
from posterity.evaluate.runner import Result, Runner, Settings
from posterity.evaluate.summary import by_contestant, figure, over_blogs, row, scores_of
from posterity.evaluate.table import short
from posterity.extract.method import METHODS

RIVALS = ("trafilatura", "readability-lxml")
SHORT_POST = 50  # words: photo, link and poem posts, where extractors fail most
MANY = 5  # pages of one host from which "together" means something


class Light(msgspec.Struct, frozen=True, kw_only=True):
    """What is kept of a result: a run over all sets must not hold all pages."""

    result: Result
    words: int
    of_host: int


class Line(msgspec.Struct, frozen=True):
    """One line of the table: which results, by which measures, the best rival's figures there, and ours to reach."""

    name: str
    measures: tuple[str, ...]
    chosen: Callable[[Light], bool]
    rivals: str
    aim: str
    per_blog: bool = False


def of(*names: str) -> Callable[[Light], bool]:
    """Choose the results of these data sets."""
    return lambda light: light.result.dataset in names


def is_blog_page(light: Light) -> bool:
    """Choose single pages whose address is a blog's."""
    return bool(light.result.sample.tags.get("blog_url"))


def is_short_blog_page(light: Light) -> bool:
    """Choose those with little text."""
    return is_blog_page(light) and 0 < light.words < SHORT_POST


def is_of_known_host(light: Light) -> bool:
    """Choose the pages that have others of their host beside them."""
    return light.result.dataset == "dragnet" and light.of_host >= MANY


def is_article(light: Light) -> bool:
    """Choose the articles among the pages of many types."""
    return light.result.sample.tags.get("page_type") == "article"


def blog(kind: str) -> Callable[[Light], bool]:
    """Choose the results of whole blogs: "blog:" with their feeds, "bare:" without, "front:" their front pages."""
    return lambda light: light.result.dataset.startswith(kind)


ARTICLE = ("token F1", "F1 >= 0.95", "TCS")
FIELDS = ("title", "date", "author")
POSTS = ("posts F1", "post titles F1", "post dates F1")
LINES = (
    Line("blogs with a feed: article", ARTICLE, blog("blog:"), ".956 .856 .909", ".985 .95 .985", per_blog=True),
    Line("the same: fields", FIELDS, blog("blog:"), ".823 .868 .680", ".985 .98 .97", per_blog=True),
    Line("the same: comments", ("comments F1",), blog("blog:"), "-", ".92", per_blog=True),
    Line("the same, feed withheld", ("token F1", "TCS"), blog("bare:"), ".956 .909", ".96 .96", per_blog=True),
    Line("front pages", POSTS, blog("front:"), "-", ".97 .97 .95"),
    Line("single blog pages", ("token F1", "TCS"), is_blog_page, ".925 .915", ".95 .95"),
    Line("the same, under 50 words", ("token F1",), is_short_blog_page, ".801", ".88"),
    Line("scrapinghub", ("4-gram F1",), of("scrapinghub"), ".964", ".975"),
    Line("trafilatura", ("segments F1",), of("trafilatura"), ".925", ".935"),
    Line("dragnet", ("token F1", "comments text F1"), of("dragnet"), ".910 .724", ".935 .82"),
    Line("dragnet, hosts with 5 pages", ("token F1",), is_of_known_host, "-", ".955"),
    Line("wcxb_dev, articles", ("token F1",), lambda one: of("wcxb_dev")(one) and is_article(one), ".958", ".97"),
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


def light(results: Sequence[Result]) -> list[Light]:
    """Return the results without pages and answers, with what lines choose by."""
    per_host: dict[tuple[str, str], int] = {}
    for result in results:
        key = result.contestant, result.site
        per_host[key] = per_host.get(key, 0) + 1
    return [
        Light(
            result=msgspec.structs.replace(
                result,
                sample=msgspec.structs.replace(result.sample, html=""),
                outcome=msgspec.structs.replace(result.outcome, answer=Answer()),
            ),
            words=token_counts(result.sample.gold.body or "").total(),
            of_host=per_host[result.contestant, result.site],
        )
        for result in results
    ]


def cells(line: Line, results: Iterable[Light]) -> dict[str, str]:
    """Return each contestant's figures for a line, in the order of its measures."""
    chosen = [one.result for one in results if line.chosen(one)]
    return {
        name: " ".join(_figure(line, mine, measure) for measure in line.measures)
        for name, mine in by_contestant(chosen).items()
    }


def _figure(line: Line, results: Sequence[Result], measure: str) -> str:
    if line.per_blog:
        blogs: dict[str, list[Result]] = {}
        for result in results:
            blogs.setdefault(result.dataset, []).append(result)
        (together,) = over_blogs("", [row(name, "", mine) for name, mine in blogs.items()])
        value = together.value(measure)
        return "-" if value is None else short(value)
    scores = scores_of(results, measure)
    return short(figure(measure, scores).interval.value) if scores else "-"


def ready_methods() -> list[str]:
    """Return the methods of the table whose modules exist."""
    return [name for name, place in METHODS.items() if importlib.util.find_spec(place.partition(":")[0])]


def ready_rivals() -> list[str]:
    """Return those of the two strongest rivals that are installed."""
    ready = []
    for name in RIVALS:
        try:
            version_of(name)
        except InputError as missing:
            print(missing)
        else:
            ready.append(name)
    return ready


def jobs(arguments: argparse.Namespace, everybody: list[Contestant]) -> Iterable[tuple[DataSet, list[Contestant]]]:
    """Yield what is to be run: sets, blogs, blogs again without their feeds, front pages."""
    for dataset in datasets_in([arguments.bench]):
        yield dataset, everybody
    if arguments.blogs is None:
        return
    learners = [one for one in everybody if "rules" in one.needs and one.can_play(with_feed=False)]
    for dataset in datasets_in([arguments.blogs]):
        yield _renamed(dataset, "blog:"), everybody
        if learners:
            yield _renamed(dataset, "bare:"), learners
    if arguments.fronts is not None:
        for dataset in datasets_in([arguments.blogs], arguments.fronts):
            yield _renamed(dataset, "front:"), everybody


def _renamed(dataset: DataSet, prefix: str) -> DataSet:
    return msgspec.structs.replace(dataset, name=prefix + dataset.name)


def main() -> None:
    """Run what was asked for and print the table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("bench", type=Path)
    parser.add_argument("--blogs", type=Path)
    parser.add_argument("--fronts", type=Path)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--method", action="append")
    parser.add_argument("--rival", action="append")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--out", type=Path, default=Path("evaluation"))
    arguments = parser.parse_args()
    everybody = contestants(arguments.method or ready_methods(), arguments.rival or ready_rivals())
    display = Display()
    out = ready_folder(arguments.out)
    kept: list[Light] = []
    settings = Settings(workers=arguments.workers)
    with Runner(settings) as runner, Runner(msgspec.structs.replace(settings, without_feed=True)) as bare:
        for dataset, players in jobs(arguments, everybody):
            with_feed = not dataset.name.startswith("bare:")
            results = results_of(
                dataset.name, dataset.sites(arguments.sample), players, runner if with_feed else bare, display
            )
            write_pages(out, results, append=bool(kept))
            kept += light(results)
    Console(width=None if display.console.is_terminal else 240).print(the_table(everybody, kept))


def the_table(everybody: Sequence[Contestant], kept: Sequence[Light]) -> Table:
    """Return the table: lines without results are left out."""
    table = Table(title="How good", title_justify="left")
    for name in ("set", "measures", *(one.name for one in everybody), "best rival", "to reach"):
        table.add_column(name, overflow="fold")
    for line in LINES:
        found = cells(line, kept)
        if found:
            figures = (found.get(one.name, "-") for one in everybody)
            table.add_row(Text(line.name), Text(", ".join(line.measures)), *figures, line.rivals, line.aim)
    return table


if __name__ == "__main__":
    main()
