"""How well each skin must be read at least. Raised when we get better, never lowered.

Most skins reach the usual floors. Those that do not are named with what they reach at present: each is a weakness to
mend, and its line goes when that is done.
"""

from __future__ import annotations

_POSTS = {"article": 0.97, "title": 1.0, "date": 1.0, "author": 1.0, "comments": 0.97}

USUAL: dict[str, dict[str, float]] = {
    "feed": _POSTS,
    "together": _POSTS,
    "alone": _POSTS,
    "front": {"posts": 1.0, "titles": 1.0, "dates": 1.0},
    # Of the pages of 14 posts, the front page, the archive and the page about the blog, all but one.
    "kind": {"right": 16 / 17},
}

WEAK: dict[str, dict[str, float]] = {
    "tumblr": {"together article": 0.44, "alone article": 0.57},
    "hakyll": {"together article": 0.93, "alone article": 0.93},
    "ananke": {"together article": 0.77, "alone article": 0.64},
    "tailwind": {"together article": 0.95, "alone article": 0.95, "alone author": 0.28},
    "hashed": {
        "feed comments": 0.0,
        "together article": 0.53,
        "together author": 0.0,
        "together comments": 0.0,
        "alone article": 0.7,
        "alone author": 0.0,
        "alone comments": 0.0,
        "front posts": 0.0,
        "front titles": 0.0,
        "front dates": 0.0,
    },
    "tables": {
        "together article": 0.89,
        "together title": 0.0,
        "together date": 0.14,
        "together author": 0.0,
        "alone article": 0.8,
        "alone title": 0.0,
        "alone date": 0.14,
        "alone author": 0.0,
        "front posts": 0.0,
        "front titles": 0.0,
        "front dates": 0.0,
    },
    "breaks": {
        "feed comments": 0.0,
        "together article": 0.72,
        "together comments": 0.0,
        "alone article": 0.8,
        "alone comments": 0.0,
        "front dates": 0.0,
    },
    "wordpress-classic": {"together article": 0.93, "together author": 0.0, "alone article": 0.91, "alone author": 0.0},
    "right-to-left": {"together author": 0.0, "alone author": 0.0},
    "contents-first": {"feed article": 0.92, "alone article": 0.88},
    "comments-inside": {
        "feed article": 0.78,
        "feed comments": 0.0,
        "together article": 0.86,
        "together author": 0.5,
        "together comments": 0.0,
        "alone article": 0.85,
        "alone author": 0.5,
        "alone comments": 0.0,
        "front posts": 0.18,
        "front titles": 0.18,
        "front dates": 0.25,
    },
    "team": {"feed article": 0.74, "feed comments": 0.0, "together comments": 0.0, "alone comments": 0.0},
    "drupal-thai": {
        "together date": 0.0,
        "together author": 0.0,
        "alone date": 0.0,
        "alone author": 0.0,
        "front dates": 0.0,
    },
    "day-in-address": {"kind right": 0.88},
    "relative-days": {
        "feed comments": 0.0,
        "together article": 0.94,
        "together date": 0.0,
        "together comments": 0.0,
        "alone article": 0.91,
        "alone date": 0.0,
        "alone comments": 0.0,
        "front dates": 0.0,
        "kind right": 0.76,
    },
    "linklog": {"together article": 0.93, "alone article": 0.93, "alone title": 0.0, "front titles": 0.0},
    "microblog": {"front posts": 0.0, "front dates": 0.0, "kind right": 0.88},
}


def floors_of(name: str, way: str) -> dict[str, float]:
    """Return the floor of every measure for this skin, by what there is to go by."""
    return {measure: WEAK.get(name, {}).get(f"{way} {measure}", usual) for measure, usual in USUAL[way].items()}


def below(name: str, way: str, figures: dict[str, float]) -> dict[str, tuple[float, float]]:
    """Return the figures that are below their floors, each with its floor."""
    floors = floors_of(name, way)
    return {measure: (figure, floors[measure]) for measure, figure in figures.items() if figure < floors[measure]}
