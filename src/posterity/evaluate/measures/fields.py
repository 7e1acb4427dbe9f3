"""Measures of fields, comments, posts and elements: right, wrong or missing, for precision and recall (BlogBuster, 6).

A title is right if its letters and digits are equal, a date if the day is, authors if the sets of names are. Elements
of the article, such as links, are counted by kind.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Literal
from urllib.parse import unquote, urlsplit

from posterity.evaluate.datasets import TOLERANCE_H, FoundItem, Gold, GoldComment, GoldPost, Prediction
from posterity.evaluate.elements import ArticleElement, Elements
from posterity.evaluate.measures.text import Score, overlap, right_or_wrong, shared_score, token_counts, tokens
from posterity.model.post import aware
from posterity.text.normal_form import letters_and_digits


def score_title(gold: Gold, prediction: Prediction) -> Score | None:
    """Return whether the title is right; None without a gold title."""
    if not gold.title:
        return None
    return right_or_wrong(same_name(gold.title, prediction.title), bool(prediction.title))


def score_date(gold: Gold, prediction: Prediction) -> Score | None:
    """Return whether the day is right; None without a gold date."""
    if not gold.date:
        return None
    return right_or_wrong(same_day(gold.date, prediction.date, gold.date_tolerance_h), bool(prediction.date))


def score_author(gold: Gold, prediction: Prediction) -> Score | None:
    """Return whether all names are right and none is missing; None without gold authors."""
    if not gold.authors:
        return None
    wanted, given = set(map(letters_and_digits, gold.authors)), set(map(letters_and_digits, prediction.authors))
    return right_or_wrong(wanted == given, bool(prediction.authors))


def score_invented_author(gold: Gold, prediction: Prediction) -> Score | None:
    """Return 1.0 if an author is given for a page without one (lower is better); None if the page has authors."""
    return Score(value=float(bool(prediction.authors))) if gold.authors == () else None


def score_tags(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the overlap of tags and categories; None if they are unknown, or if none are wanted and none given."""
    if gold.tags is None:
        return None
    wanted, given = (set(filter(None, map(letters_and_digits, tags))) for tags in (gold.tags, prediction.tags))
    return overlap(len(wanted & given), len(given), len(wanted)) if wanted or given else None


def same_name(wanted: str | None, given: str | None) -> bool:
    """Return whether two titles or names are equal, ignoring case, punctuation and spaces."""
    return bool(wanted and given) and letters_and_digits(wanted or "") == letters_and_digits(given or "")


def same_day(wanted: str | None, given: str | None, tolerance_h: int = 0) -> bool:
    """Return whether two ISO times are on the same day, each in its own zone, or within the tolerance."""
    left, right = moment(wanted), moment(given)
    if left is None or right is None:
        return False
    if left.date() == right.date():
        return True
    return tolerance_h > 0 and abs(aware(left) - aware(right)) <= timedelta(hours=tolerance_h)


def moment(text: str | None) -> datetime | None:
    """Parse an ISO time; if only its date can be parsed, return the date, else None."""
    text = (text or "").strip().replace("Z", "+00:00")
    for part in (text, text[:10]):
        with suppress(ValueError):
            return datetime.fromisoformat(part)
    return None


SAME = 0.8  # the bench's bound for "the same comment"


def score_comments(gold: Gold, prediction: Prediction) -> Score | None:
    """Return how many comments were found; None without gold comments."""
    if not gold.comments:
        return None
    matched = pair_up([comment.text for comment in gold.comments], [comment.text for comment in prediction.comments])
    return overlap(len(matched), len(prediction.comments), len(gold.comments))


def score_comment_authors(gold: Gold, prediction: Prediction) -> Score | None:
    """Return how many comments have the right author; None without gold comments with authors."""
    return _comment_field(gold, prediction, "author", lambda want, got, _: same_name(want.author, got.author))


def score_comment_dates(gold: Gold, prediction: Prediction) -> Score | None:
    """Return how many comments have the right day; None without gold comments with dates."""
    hours = gold.date_tolerance_h
    return _comment_field(gold, prediction, "date", lambda want, got, _: same_day(want.date, got.date, hours))


def score_comment_parents(gold: Gold, prediction: Prediction) -> Score | None:
    """Return how many replies have the right parent; None without gold replies."""
    return _comment_field(
        gold, prediction, "parent", lambda want, got, ids: got.parent == ids.get(want.parent or "", "")
    )


def _comment_field(
    gold: Gold,
    prediction: Prediction,
    name: Literal["author", "date", "parent"],
    is_right: Callable[[GoldComment, FoundItem, Mapping[str, str | None]], bool],
) -> Score | None:
    """Score a field of comments; comments not found have it wrong. `is_right` gets the found ids by gold id."""
    comments, given = gold.comments or (), prediction.comments
    wanted = [place for place, comment in enumerate(comments) if getattr(comment, name)]
    if not wanted:
        return None
    pairs = pair_up([comment.text for comment in comments], [comment.text for comment in given])
    ids = {own: given[pairs[place]].id for place, one in enumerate(comments) if (own := one.id) and place in pairs}
    hits = sum(place in pairs and is_right(comments[place], given[pairs[place]], ids) for place in wanted)
    return overlap(hits, sum(bool(getattr(comment, name)) for comment in given), len(wanted))


def score_comments_text(gold: Gold, prediction: Prediction) -> Score | None:
    """Return the token overlap of all comments as one text; None without gold comments."""
    if not gold.comments_text:
        return None
    given = "\n".join(comment.text for comment in prediction.comments)
    return shared_score(token_counts(given), token_counts(gold.comments_text))


def pair_up(wanted: Sequence[str], given: Sequence[str]) -> dict[int, int]:
    """Match each wanted text with the most similar given text that is still free, if it is similar enough.

    Equal texts are looked up, and others compared only if their lengths allow a match, so that a thread of a thousand
    comments does not take a million comparisons.
    """
    bags = [Counter(tokens(text)) for text in given]
    equal: dict[frozenset[tuple[str, int]], list[int]] = defaultdict(list)
    for index in reversed(range(len(bags))):
        equal[frozenset(bags[index].items())].append(index)
    pairs: dict[int, int] = {}
    used: set[int] = set()
    for place, text in enumerate(wanted):
        bag = Counter(tokens(text))
        same = equal[frozenset(bag.items())]
        while same and same[-1] in used:
            same.pop()
        best = same[-1] if same else _most_similar(bag, bags, (n for n in range(len(bags)) if n not in used))
        if best is not None:
            pairs[place] = best
            used.add(best)
    return pairs


def _most_similar(bag: Counter[str], bags: Sequence[Counter[str]], free: Iterable[int]) -> int | None:
    words = bag.total()
    best, best_score = None, 0.0
    for index in free:
        others = bags[index].total()
        if 2 * min(words, others) < SAME * (words + others):
            continue
        score = shared_score(bags[index], bag).value
        if score >= SAME and score > best_score:
            best, best_score = index, score
    return best


# Queries that identify a post; all others are ignored.
_POST_QUERY = re.compile(r"(?:p|page_id|id|post|entry)=[\w-]+")


def score_posts(gold: Gold, prediction: Prediction) -> Score | None:
    """Return how many posts were found; None without gold posts."""
    if not gold.posts:
        return None
    given = _records(gold, prediction)
    return overlap(len(pair_posts(gold.posts, given)), len(given), len(gold.posts))


def score_post_titles(gold: Gold, prediction: Prediction) -> Score | None:
    """Return how many of the posts' titles were found; None without gold titles."""
    return _field(gold, prediction, "title", lambda want, got: same_name(want.title, got.title))


def score_post_dates(gold: Gold, prediction: Prediction) -> Score | None:
    """Return how many of the posts' days were found; None without gold dates in ISO form."""
    return _field(gold, prediction, "date", lambda want, got: same_day(want.date, got.date, TOLERANCE_H))


def _field(gold: Gold, prediction: Prediction, name: str, right: Callable[[GoldPost, FoundItem], bool]) -> Score | None:
    posts = gold.posts or ()
    # Only ISO dates are compared, not texts of forums such as "2 days ago".
    readable = [name != "date" or re.match(r"\d{4}-\d\d-\d\d", post.date or "") for post in posts]
    wanted = [place for place, post in enumerate(posts) if getattr(post, name) and readable[place]]
    if not wanted:
        return None
    given = _records(gold, prediction)
    pairs = pair_posts(posts, given)
    hits = sum(place in pairs and right(posts[place], given[pairs[place]]) for place in wanted)
    return overlap(hits, sum(bool(getattr(found, name)) for found in given), len(wanted))


def _records(gold: Gold, prediction: Prediction) -> tuple[FoundItem, ...]:
    """Return the found posts without optional ones; in a forum thread, comments are also posts."""
    wanted = gold.posts or ()
    if not any(post.url or post.title for post in wanted):
        return prediction.posts + prediction.comments
    if not gold.other_posts:
        return prediction.posts
    others = {path_key(url) for url in gold.other_posts}
    required = set(pair_posts(wanted, prediction.posts).values())
    numbered = enumerate(prediction.posts)
    return tuple(post for number, post in numbered if number in required or _post_key(post) not in others)


def pair_posts(wanted: Sequence[GoldPost], given: Sequence[FoundItem]) -> dict[int, int]:
    """Match wanted posts with given posts, by URL, then by title, then by text."""
    pairs: dict[int, int] = {}
    for key in (_post_key, _title):
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


def _post_key(post: GoldPost | FoundItem) -> str:
    return path_key(post.url) if post.url else ""


def _title(post: GoldPost | FoundItem) -> str:
    return letters_and_digits(post.title or "")


def path_key(url: str) -> str:
    """Return a key for URLs of a post on one host: the path, and a query that identifies the post."""
    try:
        # Mirrors encode "?" in file names as %3F.
        parts = urlsplit(re.sub("%3f", "?", url, flags=re.IGNORECASE))
    except ValueError:
        return url
    path = unquote(parts.path, errors="replace").casefold()
    path = re.sub(r"/index\.(?:html?|php)$", "/", path).rstrip("/") or "/"
    query = unquote(parts.query, errors="replace").casefold().removesuffix(".html")
    return f"{path}?{query}" if _POST_QUERY.fullmatch(query) else path


RIGHT_TEXT = 0.9  # token F1; below it, the figures would measure the choice of the node


def scorer_of(kind: str) -> Callable[[Gold, Prediction], Score | None]:
    """Return the measure of one kind of element."""

    def score(gold: Gold, prediction: Prediction) -> Score | None:
        if gold.elements is None or not gold.body:
            return None
        if shared_score(token_counts(prediction.text), token_counts(gold.body)).value < RIGHT_TEXT:
            return None
        return _score(kind, gold.elements, prediction.elements)

    return score


def _score(kind: str, wanted: Elements, given: Elements) -> Score | None:
    embeds, links = _matched_embeds(wanted.get("embeds", []), given)
    if kind == "embeds":
        hits = embeds
        rest = len(given.get("embeds", ())) - hits
        extra = max(0, rest) if given.get("embeds") else 0
    else:
        keys = links if kind == "links" else Counter(e.keys[0] for e in given.get(kind, ()) if not e.optional)
        hits, extra = _count_matches(wanted.get(kind, []), keys)
    needed = sum(not element.optional for element in wanted.get(kind, ()))
    # Dollar signs are also prices and shell variables, so formulas only count on pages that have some.
    if not needed and (not extra or kind == "formulas"):
        return None
    return overlap(hits, hits + extra, needed)


def _count_matches(wanted: Iterable[ArticleElement], given: Counter[str]) -> tuple[int, int]:
    """Return the number of required elements found, and of given elements that match nothing."""
    rest, hits = given.copy(), 0
    for element in sorted(wanted, key=lambda each: each.optional):
        if (key := next((key for key in element.keys if rest[key] > 0), None)) is not None:
            rest[key] -= 1
            hits += not element.optional
    return hits, sum(count for count in rest.values() if count > 0)


def _matched_embeds(wanted: Iterable[ArticleElement], given: Elements) -> tuple[int, Counter[str]]:
    """Return the number of embeds found, as players or as links to them, and the links that are not embeds."""
    links = Counter(element.keys[0] for element in given.get("links", ()))
    players = Counter(element.keys[0] for element in given.get("embeds", ()))
    hits = 0
    for element in wanted:
        for pool in (players, links):
            found = next((url for url in pool if pool[url] > 0 and any(key in url for key in element.keys)), None)
            if found is not None:
                pool[found] -= 1
                hits += not element.optional
                break
    return hits, links
