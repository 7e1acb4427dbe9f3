"""`python -m tests.skins [NAME...]`: the scores of each skin of the gallery, as a table in Markdown."""

from __future__ import annotations

import sys
from statistics import fmean

import click
from tests.skins.gallery import SKINS
from tests.skins.measuring import Figures, figures
from tests.skins.site import site_of

_POST = ("article", "title", "date", "author", "comments", "commenters", "comment dates", "parents")
COLUMNS = {
    "feed": _POST,
    "together": ("article",),
    "alone": _POST,
    "front": ("posts", "titles", "dates"),
    "kind": ("right",),
}


def main(names: list[str]) -> None:
    """Print a row for every skin, and the means."""
    headings = [f"{way} {measure}" for way, measures in COLUMNS.items() for measure in measures]
    click.echo("| Skin | " + " | ".join(headings) + " |")
    click.echo("|---|" + "--:|" * len(headings))
    lines = []
    for skin in SKINS:
        if not names or skin.name in names:
            line = _line(figures(skin, site_of(skin)))
            lines.append(line)
            click.echo(_row(skin.name, line))
    click.echo(_row("mean", [_mean(column) for column in zip(*lines, strict=True)]))


def _line(found: dict[str, Figures]) -> list[float | None]:
    return [found[way].get(measure) for way, measures in COLUMNS.items() for measure in measures]


def _mean(column: tuple[float | None, ...]) -> float | None:
    given = [figure for figure in column if figure is not None]
    return fmean(given) if given else None


def _row(name: str, cells: list[float | None]) -> str:
    return f"| {name} | " + " | ".join(map(_written, cells)) + " |"


def _written(figure: float | None) -> str:
    """A score with three decimals; a perfect one as 1."""
    return "" if figure is None else "1" if figure == 1 else f"{figure:.3f}".removeprefix("0")


if __name__ == "__main__":
    main(sys.argv[1:])
