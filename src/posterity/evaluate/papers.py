"""The tables of the five papers, with their figures beside the measured ones (`posterity evaluate --paper`).

The papers' pages are no longer available. What can be compared is the order of the methods and the differences between
them, on the most similar public pages. Figures are totalled as in the papers: over posts, not over blogs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from math import isnan
from pathlib import Path
from typing import Literal

import msgspec

from posterity.engine import Engine
from posterity.errors import InputError
from posterity.evaluate.candidates import Candidate, candidates, version_of
from posterity.evaluate.datasets import DataSet, SampleSite
from posterity.evaluate.evaluation import results_of
from posterity.evaluate.measures.text import Score, overlap
from posterity.evaluate.output import EvaluationDisplay, ready_folder
from posterity.evaluate.report import time_on_largest_site
from posterity.evaluate.runner import DEFAULT, Result, Runner, RunSettings
from posterity.evaluate.summary import Row, domain_rows, row, scores_of, share_text

Part = Literal["value", "precision", "recall", "mean_s"]


class Column(msgspec.Struct, frozen=True):
    """A column of a table: its heading, and the measured figure in it."""

    head: str
    measure: str = ""
    part: Part = "value"
    # Whether blogs are counted instead of posts.
    by_blog: bool = False

    def of(self, found: Row, results: Sequence[Result], measure: str = "") -> float | None:
        """Return the measured figure, by the measure of the column or of the row; None without gold for it."""
        if self.part == "mean_s":
            return 1000 * found.mean_s
        if self.by_blog:
            score: float = getattr(blogs_right(results, measure), self.part)
            return score
        if (figure := found.figures.get(self.measure or measure)) is None:
            return None
        return figure.interval.value if self.part == "value" else getattr(figure, self.part)


def blogs_right(results: Sequence[Result], measure: str) -> Score:
    """Return how many blogs are right, among those with posts found and among all.

    BlogBuster counts blogs: its figures are 42, 41 and 38 of 49 Blogger blogs, and 27, 21 and 8 of 28 WordPress blogs.
    The precision of titles and dates is relative to the blogs with posts. The paper does not define when a blog is
    right; here, most of the items found on its page must be right.
    """
    found = sum(score.given > 0 for score in scores_of(results, "posts F1"))
    return overlap(sum(2 * score.hits > score.given for score in scores_of(results, measure)), found, len(results))


class PaperRow(msgspec.Struct, frozen=True):
    """A row: the paper's label, the candidate for it (None if not public), and the published figures.

    `measure` is set if the rows of a table have different measures.
    """

    label: str
    candidate: str | None = None
    published: tuple[float, ...] = ()
    measure: str = ""


class PaperTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a paper. `pages` describes the available pages most similar to its data."""

    name: str
    data: str
    columns: tuple[Column, ...]
    rows: tuple[PaperRow, ...]
    pages: str
    # Only pages made by this engine.
    engine: str = ""
    # Only pages of sites with several pages: one is the reference for another.
    sites_with_several_pages: bool = False


class Paper(msgspec.Struct, frozen=True, kw_only=True):
    """A paper: its title, its tables, and the rivals in them."""

    title: str
    tables: tuple[PaperTable, ...]
    rivals: tuple[str, ...] = ()
    # Whether its data are front pages.
    needs_fronts: bool = False
    # The candidate of Table 3 of E-mCST; Figure 2 of the BlogForever paper.
    domains_of: str | None = None
    has_time_figure: bool = False


@cache
def papers() -> dict[str, Paper]:
    """Return the papers by their numbers."""
    text = files("posterity.evaluate").joinpath("papers.toml").read_text("utf-8")
    found = msgspec.toml.decode(text, type=dict[str, Paper])
    return found | {"001": found["003"]}  # two versions of one paper


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """A published and a measured figure: a line of `--json`."""

    paper: str
    table: str
    row: str
    candidate: str | None = None
    column: str
    published: float | None
    measured: float | None
    pages: int


def evaluate_paper(
    number: str,
    datasets: Sequence[DataSet],
    out: Path,
    *,
    display: EvaluationDisplay,
    settings: RunSettings = DEFAULT,
    engine: Engine | None = None,
    sample: int | None = None,
) -> list[Compared]:
    """Run the paper's comparison, print its tables with measured figures, and write them to `out`."""
    paper = papers()[number]
    if paper.needs_fronts and any(dataset.kind != "front page" for dataset in datasets):
        raise InputError(f"The tables of paper {number} are about front pages: describe them with --fronts FILE.")
    chosen = _candidates(paper, display)
    ready_folder(out)
    results: list[Result] = []
    sites: list[SampleSite] = []
    with Runner(settings, engine) as runner:
        for dataset in datasets:
            read = dataset.sites(sample)
            results += results_of(dataset.name, read, chosen, runner, display)
            sites += read
    compared = [one for table in paper.tables for one in _compare(number, table, results)]
    domains = [one for one in domain_rows(results) if one.candidate == paper.domains_of]
    written = _markdown(number, paper, compared, domains)
    if paper.has_time_figure and (figure := time_on_largest_site(results, sites)):
        (out / f"paper-{number}-time.svg").write_text(figure.svg(), encoding="utf-8")
        written += f"\n![CPU time over the pages of one blog](paper-{number}-time.svg)\n"
    (out / f"paper-{number}.md").write_text(written, encoding="utf-8")
    display.records(compared, domains)
    display.print(written)
    display.print(f"The tables are {out / f'paper-{number}.md'}.")
    return compared


def _candidates(paper: Paper, display: EvaluationDisplay) -> list[Candidate]:
    """Return the candidates of all tables; rivals that are not installed are reported and left out."""
    installed = []
    for name in paper.rivals:
        try:
            version_of(name)
        except InputError as problem:
            display.print(str(problem))
        else:
            installed.append(name)
    named = dict.fromkeys(line.candidate for table in paper.tables for line in table.rows if line.candidate)
    return candidates((name for name in named if name not in paper.rivals), installed)


def _compare(number: str, table: PaperTable, results: Sequence[Result]) -> Iterable[Compared]:
    kept = [result for result in results if table.engine in str(result.sample.tags.get("engine")).lower()]
    if table.sites_with_several_pages:
        pages = Counter((result.dataset, result.site, result.candidate) for result in kept)
        kept = [result for result in kept if pages[result.dataset, result.site, result.candidate] > 1]
    for line in table.rows:
        mine = [result for result in kept if result.candidate == line.candidate]
        found = row(table.name, line.candidate or "", mine) if mine else None
        for place, column in enumerate(table.columns):
            yield Compared(
                paper=number,
                table=table.name,
                row=line.label,
                candidate=line.candidate,
                column=column.head,
                published=next((figure for figure in line.published[place : place + 1] if not isnan(figure)), None),
                measured=column.of(found, mine, line.measure) if found else None,
                pages=len(mine),
            )


def _markdown(number: str, paper: Paper, compared: Sequence[Compared], domains: Sequence[Row]) -> str:
    parts = [f"## {number}: {paper.title}\n"]
    for table in paper.tables:
        cells = [one for one in compared if one.table == table.name]
        pages = max((one.pages for one in cells), default=0)
        if not pages:
            parts.append(f"### {table.name}\n\nNot measured: the data has no {table.pages}.\n")
            continue
        # A column without published figures only has the measured ones.
        known = {one.column for one in cells if one.published is not None}
        heads = [
            head
            for column in table.columns
            for head in ((f"{column.head}, paper", "here") if column.head in known else (column.head,))
        ]
        lines = [_line(["", "method", *heads]), _line(["---"] * (2 + len(heads)))]
        for line in table.rows:
            own = [one for one in cells if (one.row, one.candidate) == (line.label, line.candidate)]
            figures = [
                _text(value)
                for one in own
                for value in ((one.published, one.measured) if one.column in known else (one.measured,))
            ]
            lines.append(_line([line.label, f"`{line.candidate}`" if line.candidate else "-", *figures]))
        parts.append(f"### {table.name}\n\nPaper: {table.data}. Here: {table.pages}, {pages} of them.\n")
        parts.append("\n".join(lines) + "\n")
    if domains:
        lines = [_line(["domain", "posts", "ACS", "TCS"]), _line(["---"] * 4)]
        for one in sorted(domains, key=lambda each: -(each.value("ACS") or 0.0)):
            lines.append(_line([one.dataset, str(one.pages), _text(one.value("ACS")), _text(one.value("TCS"))]))
        parts.append(f"### By domain (`{paper.domains_of}`)\n\n" + "\n".join(lines) + "\n")
    return "\n".join(parts)


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _text(value: float | None) -> str:
    if value is None:
        return "-"
    return share_text(value) if value <= 1 else f"{value:.1f}"
