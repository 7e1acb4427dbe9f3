"""Updates docs/quality.md: the bench's tables, and the ten worst pages of each set with a diagnosis.

Only the parts between the markers are generated; the text around them is kept.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tools.bench_lines import LINES, StoredResult, figures

from posterity.evaluate.elements import KINDS
from posterity.evaluate.measures import HEADLINES
from posterity.evaluate.summary import share_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from posterity.evaluate.measures import Score
    from posterity.evaluate.summary import Interval

WORST = 10
_PARTS = ("table", "elements", "worst")
# The columns of the table of elements: kind of job and candidate, rivals in the format that preserves most elements.
_ELEMENT_COLUMNS = {
    "with rules": ("blog:", ""),
    "feed withheld": ("bare:", ""),
    "trafilatura, Markdown": ("blog:", "trafilatura-markdown"),
    "readability-lxml, HTML": ("blog:", "readability-lxml"),
}


def table_rows(names: Sequence[str], results: Sequence[StoredResult]) -> list[list[str]]:
    """Return the lines of the table that have results: set, measures, candidates, best rival, target."""
    rows = []
    for line in LINES:
        found = figures(line, results)
        if found:
            cells = [_cell(found.get(name)) for name in names]
            rows.append([line.name, ", ".join(line.measures), *cells, line.rivals, line.aim])
    return rows


def element_rows(method: str, results: Sequence[StoredResult]) -> list[list[str]]:
    """Return the table of elements, heading first: for each kind the number, then recall and precision."""
    head = [
        "kind",
        "elements",
        *(f"{method} {name}" if not who else name for name, (_, who) in _ELEMENT_COLUMNS.items()),
    ]
    chosen = {
        name: [one for one in results if one.dataset.startswith(kind) and one.candidate == (who or method)]
        for name, (kind, who) in _ELEMENT_COLUMNS.items()
    }
    rows = [
        [kind, f"{sum(one.scores[kind].wanted for one in first if kind in one.scores):,.0f}"]
        + [_shares([one.scores[kind] for one in mine if kind in one.scores]) for mine in chosen.values()]
        for first in [chosen["with rules"]]
        for kind in KINDS
    ]
    pages = [f"{sum('headings' in one.scores or 'links' in one.scores for one in mine):,}" for mine in chosen.values()]
    return [head, *rows, ["pages with the right text and any of it", "", *pages]]


def _shares(scores: Sequence[Score]) -> str:
    """Return pooled recall and precision."""
    hits, given, wanted = (sum(getattr(one, name) for one in scores) for name in ("hits", "given", "wanted"))
    return f"{share_text(hits / wanted)} {share_text(hits / given) if given else '-'}" if wanted else "-"


def _cell(intervals: Sequence[Interval | None] | None) -> str:
    return " ".join("-" if one is None else share_text(one.value) for one in intervals) if intervals else "-"


def write_page(path: Path, names: Sequence[str], results: Sequence[StoredResult], sample: int | None = None) -> None:
    """Rewrite the generated parts of the page; the worst pages are those of the first candidate."""
    text = path.read_text(encoding="utf-8")
    table = [*_table(names, results), "", _extent(names[0], results, sample)]
    head, *body = element_rows(names[0], results)
    elements = [_row(head), _row(["---"] * len(head)), *map(_row, body)]
    for part, lines in zip(_PARTS, (table, elements, _worst(results, names[0])), strict=True):
        begin, end = f"<!-- {part}: begin, written by tools/bench.py -->", f"<!-- {part}: end -->"
        before, _, rest = text.partition(begin)
        _, found, after = rest.partition(end)
        if not found:
            raise SystemExit(f"{path} has no marks {begin} and {end}: put them where the {part} belongs.")
        text = "\n".join([before + begin, "", *lines, "", end + after])
    path.write_text(text, encoding="utf-8")


def _table(names: Sequence[str], results: Sequence[StoredResult]) -> list[str]:
    head = ["set", "measures", *names, "best rival elsewhere", "to reach"]
    return [_row(head), _row(["---"] * len(head)), *map(_row, table_rows(names, results))]


def _extent(name: str, results: Sequence[StoredResult], sample: int | None) -> str:
    pages = sum(result.candidate == name for result in results)
    what = f"a sample, at most {sample} pages of each set and blog" if sample else "all pages of the sets"
    return f"{pages:,} pages: {what}."


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cell.replace('|', '¦') for cell in cells)} |"


def _worst(results: Sequence[StoredResult], method: str) -> list[str]:
    lines: list[str] = []
    for name, in_set in _by_set(result for result in results if result.candidate == method).items():
        measure = next((one for one in HEADLINES if any(one in result.scores for result in in_set)), None)
        scored = [result for result in in_set if measure in result.scores and result.scores[measure].value < 1.0]
        if measure is None or not scored:
            continue
        scored.sort(key=lambda result: (result.scores[measure].value, result.url, result.page))
        lines += [f"### {name}", "", _row([measure, "page", "what is wrong"]), _row(["---"] * 3)]
        lines += [
            _row([share_text(result.scores[measure].value), _page(result), result.diagnosis or "-"])
            for result in scored[:WORST]
        ]
        lines.append("")
    return lines[:-1]


def _page(result: StoredResult) -> str:
    where = result.url or result.page
    return f"`{where if len(where) <= 90 else where[:89] + '…'}`"


def _by_set(results: Iterable[StoredResult]) -> dict[str, list[StoredResult]]:
    sets: dict[str, list[StoredResult]] = {}
    for result in results:
        kind, colon, _ = result.dataset.partition(":")
        name = {"blog": "blogs with a feed", "bare": "blogs, feed withheld", "front": "front pages"}.get(kind, "")
        sets.setdefault(name if colon and name else result.dataset, []).append(result)
    return sets
