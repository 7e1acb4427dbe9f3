"""The tables of the five papers, with their figures beside the measured ones (`posterity evaluate --paper`).

The papers' pages are no longer available. What can be compared is the order of the methods and the differences between
them, on the most similar public pages. Figures are totalled as in the papers: over posts, not over blogs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
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
        figure = found.figures.get(self.measure or measure)
        if figure is None:
            return None
        return figure.interval.value if self.part == "value" else getattr(figure, self.part)


def blogs_right(results: Sequence[Result], measure: str) -> Score:
    """Return how many blogs are right, among those with posts found and among all.

    BlogBuster counts blogs: its figures are 42, 41 and 38 of 49 Blogger blogs, and 27, 21 and 8 of 28 WordPress blogs.
    The precision of titles and dates is relative to the blogs with posts. The paper does not define when a blog is
    right; here, most of the items found on its page must be right.
    """
    found = sum(score.given > 0 for score in scores_of(results, "posts F1"))
    right = sum(2 * score.hits > score.given for score in scores_of(results, measure))
    return overlap(right, found, len(results))


class PaperRow(msgspec.Struct, frozen=True):
    """A row: the paper's label, the candidate for it (None if not public), and the published figures.

    `measure` is set if the rows of a table have different measures.
    """

    label: str
    candidate: str | None
    published: tuple[float | None, ...] = ()
    measure: str = ""


class PaperTable(msgspec.Struct, frozen=True, kw_only=True):
    """A table of a paper. `pages` describes the available pages most similar to its data; `keep` selects them."""

    name: str
    data: str
    columns: tuple[Column, ...]
    rows: tuple[PaperRow, ...]
    pages: str
    keep: Callable[[Result], bool] | None = None
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


def _p_r_f(measure: str) -> tuple[Column, ...]:
    return Column("P", measure, "precision"), Column("R", measure, "recall"), Column("F", measure)


def _engine(words: str) -> Callable[[Result], bool]:
    return lambda result: words in str(result.sample.tags.get("engine")).lower()


_ALIGNMENT = _p_r_f("alignment F")
_SIMILARITY = (Column("ACS", "ACS"), Column("TCS", "TCS"))
_ELEMENTS = {"Blog posts": "posts F1", "Title": "post titles F1", "Date": "post dates F1"}


def _front_table(name: str, data: str, published: Sequence[tuple[float, ...]], engine: str = "") -> PaperTable:
    figures = dict(zip(_ELEMENTS, published, strict=True))
    return PaperTable(
        name=name,
        data=data,
        columns=(*(msgspec.structs.replace(one, by_blog=True) for one in _p_r_f("")), Column("F by post")),
        rows=(
            *(PaperRow(one, "blogbuster", figures[one], measure) for one, measure in _ELEMENTS.items()),
            *(PaperRow(one, "blogbuster+rules=blogs", (), measure) for one, measure in _ELEMENTS.items()),
            *(PaperRow(one, "hybrid", (), measure) for one, measure in _ELEMENTS.items()),
        ),
        pages=f"front pages made by {engine}" if engine else "all front pages",
        keep=_engine(engine.lower()) if engine else None,
    )


PAPERS: dict[str, Paper] = {
    "003": Paper(
        title="BlogForever Crawler: Techniques and Algorithms to Harvest Modern Weblogs",
        rivals=("readability-lxml", "boilerpy3", "goose3"),
        has_time_figure=True,
        tables=(
            PaperTable(
                name="Table 2: extraction success rates",
                data="2,300 posts of the Spinn3r data set",
                columns=(Column("Article", "Dice > 0.5"), Column("Title", "title Dice > 0.5")),
                rows=(
                    PaperRow("our approach", "blogforever", (0.930, 0.950)),
                    PaperRow("Readability", "readability-lxml", (0.881, 0.740)),
                    PaperRow("Boilerpipe", "boilerpy3", (0.793, None)),
                    PaperRow("Goose", "goose3", (0.792, 0.849)),
                    PaperRow("feed", "feed"),
                    PaperRow("hybrid", "hybrid"),
                ),
                pages="posts of blogs with a feed",
            ),
        ),
    ),
    "002": Paper(
        title="Web Content Cleaning",
        tables=(
            PaperTable(
                name="Table 3.1: Gold standard",
                data="58 pages of CleanEval",
                columns=_ALIGNMENT,
                rows=(
                    PaperRow("WCP (text and markup as R)", None, (0.841, 0.653)),
                    PaperRow("BTE", "bte", (0.8728, 0.8540, 0.8342)),
                    PaperRow("WCC 1", "wc-single", (0.9083, 0.7976, 0.8124)),
                    PaperRow("WCC 2", "wc-single+sparse", (0.8917, 0.8157, 0.8005)),
                ),
                pages="all pages",
            ),
            PaperTable(
                name="Tables 3.2 and 3.3: Silver standard",
                data="100 pages in pairs of one site",
                columns=_ALIGNMENT,
                rows=(
                    PaperRow("BTE", "bte", (0.8364, 0.7296, 0.6878)),
                    PaperRow("WCC 1", "wc-single", (0.9209, 0.5813, 0.6253)),
                    PaperRow("WCC 2", "wc-single+sparse", (0.8841, 0.6723, 0.6716)),
                    PaperRow("WCC 0", "wc-multi", (0.8507, 0.6946, 0.6614)),
                    PaperRow("WCC F", "wc-multi+fromtarget", (0.8337, 0.7060, 0.6605)),
                    PaperRow("WCC P", "wc-multi+prune", (0.8516, 0.6886, 0.6568)),
                    PaperRow("WCC R", "wc-multi+sparse", (0.8284, 0.7609, 0.6863)),
                    PaperRow("WCC PR", "wc-multi+prune+sparse", (0.8293, 0.7550, 0.6792)),
                    PaperRow("WCC PF", "wc-multi+prune+fromtarget", (0.8346, 0.7036, 0.6591)),
                ),
                pages="pages of sites with several pages",
                sites_with_several_pages=True,
            ),
            PaperTable(
                name="Table 3.4: time consumption (Silver standard)",
                data="100 pages; 2.5 GHz Pentium, 2009; without validation of the markup",
                columns=(Column("ms a page", part="mean_s"),),
                rows=(
                    PaperRow("BTE", "bte", (173.1,)),
                    PaperRow("WCC 1", "wc-single", (174.2,)),
                    PaperRow("WCC 0", "wc-multi", (276.1,)),
                    PaperRow("WCC R", "wc-multi+sparse", (271.1,)),
                ),
                pages="pages of sites with several pages",
                sites_with_several_pages=True,
            ),
        ),
    ),
    "004": Paper(
        title="Main content extraction from blog posts (E-mCST)",
        domains_of="e-mcst",
        tables=(
            PaperTable(
                name="Table 2: comparison of the methods",
                data="set 1 (4,713 posts on two hosts) and set 2 (3,557 posts on ten domains)",
                columns=(*_SIMILARITY, Column("ACS, set 2", "ACS"), Column("TCS, set 2", "TCS")),
                rows=(
                    PaperRow("CST*", "cst+clean=false", (0.878, 0.445, 0.900, 0.642)),
                    PaperRow("CST* + HTMLCleaner", "cst", (0.908, 0.631, 0.902, 0.656)),
                    PaperRow("mCST", "mcst", (0.940, 0.797, 0.957, 0.797)),
                    PaperRow("E-mCST", "e-mcst", (0.982, 0.944, 0.980, 0.956)),
                ),
                pages="all posts",
            ),
        ),
    ),
    "000": Paper(
        title="BlogBuster: A tool for extracting corpora from the blogosphere",
        needs_fronts=True,
        tables=(
            _front_table(
                "Table 2: blogs from Blogger",
                "49 front pages",
                ((1.0, 0.8571, 0.9230), (0.9762, 0.8367, 0.9011), (0.9048, 0.7755, 0.8352)),
                "Blogger",
            ),
            _front_table(
                "Table 3: blogs from WordPress",
                "28 front pages",
                ((1.0, 0.9643, 0.9818), (0.7778, 0.7500, 0.7636), (0.2963, 0.2857, 0.2909)),
                "WordPress",
            ),
            _front_table(
                "Table 4: all blogs",
                "416 front pages",
                ((1.0, 0.5264, 0.6898), (0.9041, 0.4760, 0.6236), (0.3151, 0.1659, 0.2173)),
            ),
        ),
    ),
}
PAPERS["001"] = PAPERS["003"]  # two versions of one paper


class Compared(msgspec.Struct, frozen=True, kw_only=True):
    """A published and a measured figure: a line of `--json`."""

    paper: str
    table: str
    row: str
    candidate: str | None
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
    paper = PAPERS[number]
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
    kept = [result for result in results if table.keep is None or table.keep(result)]
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
                published=line.published[place] if place < len(line.published) else None,
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
