"""The figures as tables on a terminal: articles, fields, time and failures, and who beats whom."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.table import Table
from rich.text import Text

from posterity.evaluate.measures import MEASURE, MEASURES
from posterity.evaluate.summary import headline

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from posterity.evaluate.runner import Result
    from posterity.evaluate.statistics import Comparison
    from posterity.evaluate.summary import Figure, Row


def tables(title: str, rows: Sequence[Row]) -> list[Table]:
    """Return the tables of one data set: one per group of measures that it has gold for."""
    found = [_measures_table(title, rows, group) for group in ("article", "fields")]
    return [table for table in found if table is not None] + [_time_table(title, rows)]


def _measures_table(title: str, rows: Sequence[Row], group: str) -> Table | None:
    there = [
        measure.name
        for measure in MEASURES
        if measure.group == group and any(measure.name in row.figures for row in rows)
    ]
    if not there:
        return None
    by = headline(rows)
    order = sorted(rows, key=lambda row: -(row.value(by or "") or 0.0))
    table = _table(f"{title}: {'the article' if group == 'article' else 'its fields'}", ["contestant", *there])
    for row in order:
        cells = [_cell(row.figures.get(measure), measure == by) for measure in there]
        table.add_row(
            Text(row.contestant), *(_best(cell, row, measure, rows) for cell, measure in zip(cells, there, strict=True))
        )
    return table


def _cell(figure: Figure | None, with_interval: bool) -> str:
    if figure is None:
        return "-"
    bounds = f" ±{short(figure.interval.half_width)}" if with_interval else ""
    return short(figure.interval.value) + bounds


def _best(cell: str, row: Row, measure: str, rows: Sequence[Row]) -> Text:
    values = [value for one in rows if (value := one.value(measure)) is not None]
    top = (min if MEASURE[measure].lower_is_better else max)(values, default=None)
    is_top = len(rows) > 1 and row.value(measure) is not None and row.value(measure) == top
    return Text(cell, style="bold" if is_top else "")


def _time_table(title: str, rows: Sequence[Row]) -> Table:
    table = _table(
        f"{title}: CPU time a page, and failures",
        ["contestant", "pages", "mean ms", "median ms", "95 % ms", "failures"],
    )
    for row in sorted(rows, key=lambda row: row.mean_s):
        times = (f"{1000 * seconds:.1f}" for seconds in (row.mean_s, row.median_s, row.p95_s))
        table.add_row(Text(row.contestant), str(row.pages), *times, str(row.failures or "-"))
    return table


def comparison_table(title: str, measure: str, found: Iterable[Comparison]) -> Table:
    """Return the best contestant against the others, with the p-value of each difference."""
    table = _table(f"{title}: page by page, {measure}", ["better", "than", "by", "wins", "losses", "ties", "p"])
    for one in found:
        ties = one.pages - one.wins - one.losses
        table.add_row(
            Text(one.first),
            Text(one.second),
            f"{one.difference:.3f}",
            str(one.wins),
            str(one.losses),
            str(ties),
            p_text(one.p_value),
        )
    return table


def failures_table(title: str, results: Iterable[Result], at_most: int = 20) -> Table | None:
    """Return the pages that gave no answer, and why; None when there are none."""
    failed = [result for result in results if result.outcome.failure]
    if not failed:
        return None
    table = _table(f"{title}: {len(failed)} failures, counted as empty answers", ["contestant", "page", "why"], left=3)
    for result in failed[:at_most]:
        table.add_row(Text(result.contestant), Text(result.sample.id[:60]), Text((result.outcome.failure or "")[:100]))
    if len(failed) > at_most:
        table.add_row("...", f"and {len(failed) - at_most} more", "")
    return table


def domain_table(title: str, rows: Iterable[Row]) -> Table:
    """Return ACS and TCS of each domain (E-mCST paper, Table 3)."""
    table = _table(f"{title}: by domain", ["domain", "contestant", "pages", "ACS", "TCS"], left=2)
    for row in sorted(rows, key=lambda row: (row.contestant, -row.pages)):
        acs, tcs = (_cell(row.figures.get(name), with_interval=False) for name in ("ACS", "TCS"))
        table.add_row(Text(row.dataset), Text(row.contestant), str(row.pages), acs, tcs)
    return table


def blogs_table(rows: Sequence[Row]) -> Table:
    """Return one row per blog with everybody's headline figure, the hardest blog first."""
    by = headline(rows) or ""
    names = list(dict.fromkeys(row.contestant for row in rows))
    blogs: dict[str, dict[str, Row]] = {}
    for row in rows:
        blogs.setdefault(row.dataset, {})[row.contestant] = row
    table = _table(f"blog by blog: {by}", ["blog", "pages", *names])
    best = {blog: max(row.value(by) or 0.0 for row in mine.values()) for blog, mine in blogs.items()}
    for blog, mine in sorted(blogs.items(), key=lambda pair: best[pair[0]]):
        cells = (_cell(mine[name].figures.get(by), with_interval=False) if name in mine else "-" for name in names)
        table.add_row(Text(blog), str(max(row.pages for row in mine.values())), *cells)
    return table


def _table(title: str, columns: Sequence[str], left: int = 1) -> Table:
    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
    for place, column in enumerate(columns):
        table.add_column(column, justify="left" if place < left else "right", overflow="fold")
    return table


def short(value: float) -> str:
    """Return a share in three digits, as the papers print it: .956."""
    return f"{value:.3f}".removeprefix("0")


def p_text(p: float) -> str:
    """Return a p-value; below what the draws can tell, only that."""
    return f"{p:.3f}" if p >= 0.001 else "< .001"
