"""Posts of a page with several, their titles and their dates (BlogBuster, section 6, Tables 2 to 4).

A post of a front page is found when one with its address or, failing that, its title is given; a post of a thread,
which has neither, when one with its words is. Titles and dates count as right only on a post that was found, so a
missed post costs its title and date as well.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit

from posterity.evaluate.measures.comments import pair_up
from posterity.evaluate.measures.fields import same_day, same_name
from posterity.evaluate.measures.score import Score, overlap
from posterity.text.normal_form import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from posterity.evaluate.answer import Answer, Found
    from posterity.evaluate.sample import Gold, GoldPost

# Queries that name a post where the path does not; all others are decoration.
_POST_QUERY = re.compile(r"(?:p|page_id|id|post|entry)=[\w-]+")
_TOLERANCE_H = 14  # the widest step between two zones of the world, nearly


def score_posts(gold: Gold, answer: Answer) -> Score | None:
    """Return how many posts were found; None on pages without a list of posts."""
    if not gold.posts:
        return None
    given = _records(gold, answer)
    return overlap(len(paired(gold.posts, given)), len(given), len(gold.posts))


def score_post_titles(gold: Gold, answer: Answer) -> Score | None:
    """Return how many of the posts' titles were found; None where the gold posts have no titles."""
    return _field(gold, answer, "title", lambda want, got: same_name(want.title, got.title))


def score_post_dates(gold: Gold, answer: Answer) -> Score | None:
    """Return how many of the posts' days were found; None where the gold posts have no ISO dates."""
    return _field(gold, answer, "date", lambda want, got: same_day(want.date, got.date, _TOLERANCE_H))


def _field(gold: Gold, answer: Answer, name: str, right: Callable[[GoldPost, Found], bool]) -> Score | None:
    posts = gold.posts or ()
    # Forums write "2 days ago" and the like; only days that can be read are compared.
    wanted = [
        place for place, post in enumerate(posts) if getattr(post, name) and (name != "date" or _is_day(post.date))
    ]
    if not wanted:
        return None
    given = _records(gold, answer)
    pairs = paired(posts, given)
    hits = sum(place in pairs and right(posts[place], given[pairs[place]]) for place in wanted)
    return overlap(hits, sum(bool(getattr(found, name)) for found in given), len(wanted))


def _is_day(text: str | None) -> bool:
    return bool(re.match(r"\d{4}-\d\d-\d\d", text or ""))


def _records(gold: Gold, answer: Answer) -> tuple[Found, ...]:
    """The posts without those that are right and not asked for; in a thread, comments are posts as well."""
    wanted = gold.posts or ()
    if not any(post.url or post.title for post in wanted):
        return answer.posts + answer.comments
    if not gold.other_posts:
        return answer.posts
    others = {path_key(url) for url in gold.other_posts}
    asked_for = set(paired(wanted, answer.posts).values())
    return tuple(
        post for number, post in enumerate(answer.posts) if number in asked_for or _address(post) not in others
    )


def paired(wanted: Sequence[GoldPost], given: Sequence[Found]) -> dict[int, int]:
    """Return for each wanted post that was found the given one it goes with."""
    pairs: dict[int, int] = {}
    for key in (_address, _title):
        by_key: dict[str, list[int]] = {}
        for index, found in enumerate(given):
            by_key.setdefault(key(found), []).append(index)
        used = set(pairs.values())
        for place, post in enumerate(wanted):
            free = [index for index in by_key.get(key(post), ()) if index not in used]
            if place not in pairs and key(post) and free:
                pairs[place] = free[0]
                used.add(free[0])
    rest = [place for place, post in enumerate(wanted) if place not in pairs and post.text]
    free = [index for index in range(len(given)) if index not in set(pairs.values())]
    by_words = pair_up([wanted[place].text or "" for place in rest], [given[index].text for index in free])
    return pairs | {rest[place]: free[index] for place, index in by_words.items()}


def _address(post: GoldPost | Found) -> str:
    return path_key(post.url) if post.url else ""


def _title(post: GoldPost | Found) -> str:
    return letters_and_digits(post.title or "")


def path_key(url: str) -> str:
    """Return what two addresses of the same post on one host share: path and a query that names the post."""
    try:
        # Mirrors keep "?" in file names as %3F.
        parts = urlsplit(re.sub("%3f", "?", url, flags=re.IGNORECASE))
    except ValueError:
        return url
    path = unquote(parts.path, errors="replace").casefold()
    path = re.sub(r"/index\.(?:html?|php)$", "/", path).rstrip("/") or "/"
    query = unquote(parts.query, errors="replace").casefold().removesuffix(".html")
    return f"{path}?{query}" if _POST_QUERY.fullmatch(query) else path
