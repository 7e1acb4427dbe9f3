"""The minimum scores of each skin, which are raised with improvements and never lowered.

Most skins reach the usual floors. The others are listed with their present scores: each is a weakness to fix, after
which its line is removed.
"""

from __future__ import annotations

_POSTS = {
    "article": 0.97,
    "title": 1.0,
    "date": 1.0,
    "author": 1.0,
    "comments": 0.97,
    "commenters": 0.97,
    # Some skins show comments without a date, or without the year; most do not show replies, or not their parents.
    "comment dates": 0.0,
    "parents": 0.0,
}

USUAL: dict[str, dict[str, float]] = {
    "feed": _POSTS | {"article": 0.99},
    "together": _POSTS,
    "alone": _POSTS,
    "front": {"posts": 1.0, "titles": 1.0, "dates": 1.0},
    # All but one of the pages: 14 posts, the front page, the archive and the about page.
    "kind": {"right": 16 / 17},
}

WEAK: dict[str, dict[str, float]] = {
    "tumblr": {"kind right": 0.82},
    "hashed": {"alone article": 0.93},
    "tables": {"together article": 0.89, "together title": 0.0, "alone article": 0.83, "alone title": 0.0},
    "breaks": {"alone article": 0.94},
    "wordpress-classic": {"together author": 0.92, "alone article": 0.95, "alone author": 0.92},
    "relative-days": {"kind right": 0.76},
    "linklog": {"together article": 0.95, "alone article": 0.95, "alone title": 0.0, "front titles": 0.0},
}


def floors_of(name: str, way: str) -> dict[str, float]:
    """Return the floor of every measure for this skin and way of reading."""
    return {measure: WEAK.get(name, {}).get(f"{way} {measure}", usual) for measure, usual in USUAL[way].items()}


def below(name: str, way: str, figures: dict[str, float]) -> dict[str, tuple[float, float]]:
    """Return the scores below their floors, each with its floor."""
    floors = floors_of(name, way)
    return {measure: (figure, floors[measure]) for measure, figure in figures.items() if figure < floors[measure]}
