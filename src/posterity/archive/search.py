"""Full-text search over posts and comments: filtered, ranked, with the matches in context."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import msgspec
from sqlalchemy import Connection, Row, func, select, text, tuple_
from sqlalchemy.exc import DBAPIError

from posterity.archive import search_index
from posterity.archive.blogs import blog_named
from posterity.archive.database import ABSENT_DATE, date_key
from posterity.archive.schema import comments, posts, search_entries
from posterity.errors import NotInArchive, UsageError
from posterity.text import search_words

LENGTH = 200
# Longer searches are aborted, so that one visitor cannot block the processor. Most searches take milliseconds.
SEARCH_S, _WAIT_FACTOR = 3.0, 5  # the limit on elapsed time, as a multiple of that on processor time
_STEPS = 20_000  # of SQLite's virtual machine between two checks of the clock: about a millisecond
_MAX_TERMS = 32
_MAX_PREFIXES = 3
_MIN_PREFIX = 2  # letters; a tenth of all words may begin with the same letter
_WINDOW = 400  # characters; texts are split into words window by window, because most have their first hit early
_SAME_BEGINNING = 3  # first letters that a word with more than one typo shares with the correct word
_FAR_LENGTH = 6  # two typos turn shorter words into too many others
_MAX_APART = 2
_MAX_SEARCHED = 50_000  # characters of a text that are searched for the snippet of a hit


class Snippet(msgspec.Struct, frozen=True):
    """A piece of text on one line; `marks` are the starts and ends of the matching words."""

    text: str
    marks: tuple[tuple[int, int], ...] = ()

    def marked(self, before: str, after: str) -> str:
        """Return the text with these signs around the matching words."""
        pieces, end = [], 0
        for start, stop in self.marks:
            pieces += [self.text[end:start], before, self.text[start:stop], after]
            end = stop
        return "".join([*pieces, self.text[end:]])


def snippet(text: str, terms: list[search_index.Term]) -> Snippet:
    """Return about two lines around the first matching word, or the beginning of the text."""
    first = _first_match(text, terms)
    start = 0 if first is None else _word_start(text, max(0, first - LENGTH // 3))
    place = start + LENGTH
    space = re.compile(r"\s").search(text, place, place + 30)
    stop = space.start() if space else min(place, len(text))
    piece = " ".join(text[start:stop].split())
    before, after = "… " if start else "", " …" if stop < len(text) else ""
    marks = ((begin + len(before), end + len(before)) for begin, end in _matches(piece, terms))
    return Snippet(before + piece + after, tuple(marks))


def _first_match(text: str, terms: list[search_index.Term]) -> int | None:
    """Return the position of the first match. Windows overlap, so that no phrase is split."""
    for begin in range(0, min(len(text), _MAX_SEARCHED), _WINDOW):
        start = _word_start(text, begin)
        for first, _ in _matches(text[start : begin + _WINDOW + LENGTH], terms):
            return start + first
    return None


def _matches(text: str, terms: list[search_index.Term]) -> list[tuple[int, int]]:
    """Return the starts and ends of the matching words, without overlaps."""
    plain = search_words.fold_for_search(text)
    shown = (term for term in terms if term.role != "not" and term.column is None)
    spelled = ((spelling, term.prefix) for term in shown for spelling in term.spellings)
    wanted = [(spelling, is_prefix) for spelling, is_prefix in spelled if spelling[0] in plain]
    words = search_words.found_words(text) if wanted else []
    # Longest first, so that a phrase is marked rather than its first word.
    wanted.sort(key=lambda one: -len(one[0]))
    beginnings = tuple({spelling[0] for spelling, _ in wanted})
    found: list[tuple[int, int]] = []
    place = 0
    while place < len(words):
        begins = words[place].word.startswith(beginnings)
        here = next((one for one in wanted if _is_at(*one, words, place)), None) if begins else None
        if here is not None:
            spelling, is_prefix = here
            last = words[place + len(spelling) - 1]
            ends = range(last.start + 1, last.stop)
            prefix_ends = (end for end in ends if spelling[-1] in search_words.fold_for_search(text[last.start : end]))
            found.append((words[place].start, next(prefix_ends, last.stop) if is_prefix else last.stop))
        place += len(here[0]) if here else 1
    return found


def _is_at(spelling: tuple[str, ...], is_prefix: bool, words: list[search_words.FoundWord], place: int) -> bool:
    there = tuple(word.word for word in words[place : place + len(spelling)])
    if not is_prefix or len(there) != len(spelling):
        return there == spelling
    return there[:-1] == spelling[:-1] and there[-1].startswith(spelling[-1])


def _word_start(text: str, place: int) -> int:
    space = re.compile(r"\s").search(text, max(0, place - 1), place + 30)
    return space.end() if place and space else place


# Beyond this, hits are counted only if the index alone suffices; looking up each hit takes some microseconds.
COUNTED_HITS = 10_000
# Ranking takes some microseconds per hit: 10 ms for these. Visitors do not look at more, and the title counts most.
RANKED_HITS = 2_000
FACET_SAMPLE = 2_000  # looked up in 10 ms; a share of a tenth has a standard error of a fifteenth of itself
_MOST_FACETS = 12
_SHARES = 65_536


class Filters(msgspec.Struct, frozen=True, kw_only=True):
    """Conditions for hits besides the words; `since` is inclusive, `until` exclusive."""

    blog_id: str | None = None
    author: str | None = None
    tag: str | None = None
    language: str | None = None
    since: datetime | None = None
    until: datetime | None = None


class Facets(msgspec.Struct, frozen=True, kw_only=True):
    """The numbers of hits by blog, language, year, author and tag, most frequent first.

    If there are many hits, the numbers are estimated from a sample (`sampled`); with filters, `hits` is at most
    `COUNTED_HITS`.
    """

    hits: int
    sampled: bool = False
    blogs: tuple[tuple[str, int], ...] = ()
    languages: tuple[tuple[str, int], ...] = ()
    years: tuple[tuple[str, int], ...] = ()
    authors: tuple[tuple[str, int], ...] = ()
    tags: tuple[tuple[str, int], ...] = ()


class ArchiveHit(msgspec.Struct, frozen=True, kw_only=True):
    """A post or comment that contains the words; a larger score is a better hit, 0 means that it was not ranked."""

    post_id: str
    url: str
    title: str | None
    blog: str | None
    comment_id: str | None
    author: str | None
    published: datetime | None
    snippet: Snippet
    score: float


def search_archive(connection: Connection, query: str, filters: Filters, limit: int, offset: int) -> list[ArchiveHit]:
    """Return the best hits first; equal ones in the order in which they were stored.

    If a query has more than `RANKED_HITS` hits, those with its words in their titles come first, then the most recently
    stored `RANKED_HITS`, ranked, then the others. Unranked hits are sorted by the time of storing, latest first, and
    have the score 0.
    """
    terms, filters = _understood(connection, query, filters)
    if not search_index.alternatives(terms):
        raise UsageError("The search has no words. Use at least one, as in `posterity search salt bread`.")
    # The words of a tag are indexed with the post, not with its comments.
    terms += search_index.label_terms(filters.author, None)
    with time_limit(connection):
        values = _filter_values(filters) | _entry_range(connection, filters)
        # The entry from which on hits are ranked; None if there are so few that all are ranked.
        first = connection.scalar(*_statement(connection, terms, values | {"offset": RANKED_HITS - 1}, _NEWEST))
        if first is None:
            rows = _rows(connection, terms, values | {"limit": limit, "offset": offset}, _RANKED)
        else:
            rows = _rows_of_many(connection, terms, values, first, offset + limit)[offset:]
    # Look up the posts and comments of the hits, all at once.
    found = connection.execute(select(posts).where(posts.c.id.in_(sorted({row.post_id for row in rows}))))
    stored: dict[str, Row[Any]] = {post.id: post for post in found}
    places = [(row.post_id, row.position) for row in rows if row.position != search_index.POST_POSITION]
    chosen = select(comments).where(tuple_(comments.c.post_id, comments.c.position).in_(places))
    comment_at = {(one.post_id, one.position): one for one in connection.execute(chosen)} if places else {}
    return [_hit(row, stored[row.post_id], comment_at.get((row.post_id, row.position)), terms) for row in rows]


def _understood(connection: Connection, query: str, filters: Filters) -> tuple[list[search_index.Term], Filters]:
    query, filters = _with_typed_filters(connection, query, filters)
    return [_with_unprefixed_forms(connection, term) for term in checked_terms(query)], filters


def _with_unprefixed_forms(connection: Connection, term: search_index.Term) -> search_index.Term:
    """Add the forms without prefix of a Hebrew or Arabic word that was typed with one.

    If the letters are not a prefix (the first ones of "book" mean "like" in Arabic), the rest is rarer than the word.
    """
    rests = search_words.without_clitics(term.words[0]) if len(term.words) == 1 and term.role != "not" else []
    if not rests:
        return term
    counts = search_index.word_counts(connection, [term.words[0], *rests])
    nouns = [rest for rest in rests if counts.get(rest, 0) >= max(1, counts.get(term.words[0], 0))]
    return msgspec.structs.replace(term, forms=(*term.forms, *nouns))


def suggest_query(connection: Connection, query: str, filters: Filters) -> str | None:
    """Return a similar query that has hits, for one that has none; None if there is no such query.

    An unknown word is replaced by the most frequent of the most similar words, or used as a prefix.
    """
    try:
        corrected = _correct_query(connection, query)
        if corrected == query:
            return None
        hits = search_archive(connection, corrected, filters, 1, 0)
    except UsageError:  # it takes too long, or a filter names an unknown blog
        return None
    return _as_spelled(corrected, query, hits[0].snippet) if hits else None


def _as_spelled(corrected: str, query: str, found: Snippet) -> str:
    """Return the corrected query with new words as the hit spells them, because the index has them without accents."""
    for start, stop in found.marks:
        spelled = found.text[start:stop]
        new = re.compile(rf"(?<!\w){re.escape(search_words.fold_for_search(spelled))}(?!\w)")
        corrected = corrected if new.search(query) else new.sub(spelled, corrected)
    return corrected


def _correct_query(connection: Connection, query: str) -> str:
    """Return the query with the words that the archive does not have replaced."""
    filters_in = [match.span() for match in _TYPED_FILTER.finditer(query)]
    pieces, end = [], 0
    with time_limit(connection):
        for match in search_index.WORDS_OF_QUERY.finditer(query):
            is_filter = any(start <= match.start() < stop for start, stop in filters_in)
            if is_filter or (match["minus"] or match[0] == "OR"):
                continue
            name = "phrase" if match["word"] is None else "word"
            pieces += [query[end : match.start(name)], _corrected_words(connection, match[name])]
            end = match.end(name)
    return "".join(pieces) + query[end:]


def _corrected_words(connection: Connection, typed: str) -> str:
    terms = search_index.query_terms(f'"{typed}"')
    words = terms[0].words if terms else ()
    forms = {form for word in words for form in (word, *search_words.without_clitics(word))}
    known = search_index.word_counts(connection, forms)
    if terms and terms[0].accented and all(word in known for word in words):
        return " ".join(words)  # only the accents differ
    if not words or typed.endswith("*") or all(word in known for word in words):
        return typed
    return " ".join(word if word in known else nearest_word(connection, word) for word in words)


def nearest_word(connection: Connection, word: str) -> str:
    """Return the most similar word of the archive; else `word*` if words begin with it, or the word itself."""
    near = search_index.word_counts(connection, search_words.misspellings(word))
    if not near and len(word) >= _FAR_LENGTH:
        near = search_index.words_beginning(connection, word[:_SAME_BEGINNING])
        near = {other: count for other, count in near.items() if search_words.edit_distance(word, other) <= _MAX_APART}
    if near:
        best = min(near, key=lambda other: (search_words.edit_distance(word, other), -near[other], other))
        return search_words.fold_for_search(best)
    longer = len(word) >= _SAME_BEGINNING and search_index.words_beginning(connection, word)
    return f"{word}*" if longer else word


def _entry_range(connection: Connection, filters: Filters) -> dict[str, int]:
    """Return the range of the ids of entries that can be hits: those of one blog are mostly together."""
    if filters.blog_id is None:
        return {"first": 0, "last": 2**62}
    of_blog = select(func.min(search_entries.c.id), func.max(search_entries.c.id)).join_from(
        posts, search_entries, search_entries.c.post_id == posts.c.id
    )
    first, last = connection.execute(of_blog.where(posts.c.blog_id == filters.blog_id)).one()
    return {"first": first or 0, "last": last or 0}


def _rows_of_many(
    connection: Connection, terms: list[search_index.Term], values: dict[str, Any], first: int, count: int
) -> list[Row[Any]]:
    """Return the first `count` hits of a query that has too many to rank them all."""
    page = {"limit": count, "offset": 0}
    in_titles = [
        msgspec.structs.replace(term, column="title") if term.column is None and term.role != "not" else term
        for term in terms
    ]
    found: dict[int, Row[Any]] = {}
    if in_titles != terms:
        found = {row.id: row for row in _rows(connection, in_titles, values | page, _UNRANKED)}
    if len(found) < count:
        ranked = _rows(connection, terms, values | page | {"first": first}, _RANKED)
        found |= {row.id: row for row in ranked if row.id not in found}
    if len(found) < count:
        others = _rows(connection, terms, values | page | {"last": first - 1}, _UNRANKED)
        found |= {row.id: row for row in others if row.id not in found}
    return list(found.values())[:count]


def _rows(connection: Connection, terms: list[search_index.Term], values: dict[str, Any], sql: str) -> list[Row[Any]]:
    return list(connection.execute(*_statement(connection, terms, values, sql)))


def search_facets(connection: Connection, query: str, filters: Filters) -> Facets:
    """Return the numbers of hits by blog, language, year, author and tag."""
    terms, filters = _understood(connection, query, filters)
    if not search_index.alternatives(terms):
        return Facets(hits=0)
    # The words of a tag are indexed with the post, not with its comments.
    terms += search_index.label_terms(filters.author, None)
    values = _filter_values(filters)
    with time_limit(connection):
        statement = _COUNTS if values else _ALL_COUNTS
        values |= _entry_range(connection, filters)
        hits = connection.scalar(*_statement(connection, terms, values | {"limit": COUNTED_HITS}, statement)) or 0
        share = min(1.0, FACET_SAMPLE / max(1, hits))
        sample = {"share": round(share * _SHARES), "limit": 2 * FACET_SAMPLE} | values
        # Plain tuples: reading a field of a row by its name takes longer than finding it in the database.
        rows = [tuple(row) for row in connection.execute(*_statement(connection, terms, sample, _SAMPLES))]
        authors, tags = LabelCounts(rows, 4), LabelCounts(rows, 5)
        spelled = spellings(connection, authors.examples() | tags.examples())
    scale = hits / max(1, len(rows)) if share < 1 else 1.0

    def counted(found: Counter[str]) -> tuple[tuple[str, int], ...]:
        return tuple((name, round(count * scale)) for name, count in found.most_common(_MOST_FACETS) if name)

    def named(found: LabelCounts) -> tuple[tuple[str, int], ...]:
        parts = ((spelled.get(name, name), count) for name, count in counted(found.counts))
        return tuple(sorted(parts, key=lambda one: (-one[1], search_words.name_order(one[0]))))

    return Facets(
        hits=hits,
        sampled=share < 1,
        blogs=counted(Counter(row[1] for row in rows if row[1])),
        languages=counted(Counter(row[2] for row in rows if row[2])),
        years=counted(Counter(row[3][:4] for row in rows if row[3] < ABSENT_DATE)),
        authors=named(authors),
        tags=named(tags),
    )


class LabelCounts:
    """Counts of the names in one column. Many rows have the same labels, which are split only once."""

    def __init__(self, rows: Sequence[tuple[str, ...]], column: int) -> None:
        self.counts: Counter[str] = Counter()
        self._post: dict[str, str] = {}
        posts_of = {row[column]: row[0] for row in reversed(rows)}
        for lines, count in Counter([row[column] for row in rows]).items():
            for name in filter(None, lines.split("\n")):
                self.counts[name] = self.counts.get(name, 0) + count
                self._post.setdefault(name, posts_of[lines])

    def examples(self, most: int = _MOST_FACETS) -> set[str]:
        """Return the ids of posts that show the spelling of the most frequent names."""
        return {self._post[name] for name, _ in self.counts.most_common(most)}


def spellings(connection: Connection, post_ids: set[str]) -> dict[str, str]:
    """Return the spellings of authors and tags in posts and their comments, by their form in the index."""
    found: dict[str, str] = {}
    ids = sorted(post_ids)
    for row in connection.execute(select(posts.c.document).where(posts.c.id.in_(ids)).order_by(posts.c.id)):
        facts = msgspec.json.decode(row.document, type=_PostFacts)
        for name in (*facts.authors, *facts.tags, *facts.categories):
            found.setdefault(search_index.labels([name]).strip("\n"), name)
    written = select(comments.c.author).where(comments.c.post_id.in_(ids), comments.c.author.is_not(None))
    for row in connection.execute(written.order_by(comments.c.post_id, comments.c.position)):
        found.setdefault(search_index.labels([row.author]).strip("\n"), row.author)
    return found


def checked_terms(query: str) -> list[search_index.Term]:
    """Return the terms of a query; raise `UsageError` for one that would take too long."""
    terms = search_index.query_terms(query)
    # In scripts without spaces, each character is indexed as a word, but real words have several characters.
    if sum(1 if word.isascii() else 0.25 for term in terms for word in term.words) > _MAX_TERMS:
        raise UsageError(f"This search has more than {_MAX_TERMS} words. Leave some out.")
    prefixes = [term for term in terms if term.prefix]
    if len(prefixes) > _MAX_PREFIXES:
        raise UsageError(f"This search has more than {_MAX_PREFIXES} words that end in *. Leave some out.")
    if any(sum(map(len, term.words)) < _MIN_PREFIX for term in prefixes):
        raise UsageError(f"Write at least {_MIN_PREFIX} letters before *.")
    return terms


@contextmanager
def time_limit(connection: Connection, seconds: float = SEARCH_S) -> Iterator[None]:
    """Abort queries of a search after some seconds, with `UsageError`."""
    bare: Any = connection.connection.driver_connection
    is_sqlite = connection.dialect.name == "sqlite"
    if is_sqlite:
        # Processor time, because on a busy machine or a cold disk a normal search may wait longer than it computes.
        computed, ended = time.thread_time() + seconds, time.monotonic() + _WAIT_FACTOR * seconds
        bare.set_progress_handler(lambda: time.thread_time() > computed or time.monotonic() > ended, _STEPS)
    else:
        connection.execute(text(f"SET LOCAL statement_timeout = {round(seconds * 1000)}"))
    try:
        yield
    except DBAPIError as problem:
        if "interrupted" in str(problem.orig) or "statement timeout" in str(problem.orig):
            raise UsageError(f"This search took longer than {seconds:g} seconds. Use rarer words.") from problem
        raise
    finally:
        if is_sqlite:
            bare.set_progress_handler(None, 0)
    if not is_sqlite:
        connection.execute(text("SET LOCAL statement_timeout = DEFAULT"))


_TYPED_FILTER = re.compile(r"(?<!\S)(-?)(blog|before|after|lang|language):(\S+)", re.IGNORECASE)


def _with_typed_filters(connection: Connection, query: str, filters: Filters) -> tuple[str, Filters]:
    """Move blog:, before:, after: and lang: from a query to the filters, which take precedence if already set."""
    typed: dict[str, Any] = {}
    for minus, name, value in _TYPED_FILTER.findall(query):
        if minus:
            raise UsageError(f"{name}: cannot be excluded. Leave out the - before it, or the filter.")
        match name.lower():
            case "blog":
                typed["blog_id"] = _blog_id(connection, value)
            case "before":
                typed["until"] = _first_moment(value)
            case "after":
                typed["since"] = _first_moment(value)
            case _:
                typed["language"] = value
    missing = {name: value for name, value in typed.items() if getattr(filters, name) is None}
    return _TYPED_FILTER.sub(" ", query), msgspec.structs.replace(filters, **missing)


def _blog_id(connection: Connection, name: str) -> str:
    try:
        return blog_named(connection, name).id
    except NotInArchive as problem:
        raise UsageError(str(problem)) from problem


def _first_moment(typed: str) -> datetime:
    """Return the beginning of a day, a month or a year."""
    try:
        day = typed + "-01-01"[len(typed) - 4 :] if len(typed) in (4, 7) else typed
        return datetime.fromisoformat(day).replace(tzinfo=UTC)
    except ValueError as problem:
        raise UsageError(f"{typed} is not a date. Write it as 2020, 2020-05 or 2020-05-31.") from problem


def _statement(
    connection: Connection, terms: list[search_index.Term], parameters: dict[str, Any], statement: str
) -> tuple[Any, dict[str, Any]]:
    where = "".join(f" AND {test}" for name, test in _FILTERS.items() if name in parameters)
    parts = {name: part.format(where=where) for name, part in _PARTS[connection.dialect.name].items()}
    return text(statement.format(**parts)), parameters | {"words": search_index.match_expression(connection, terms)}


_FILTERS = {
    "blog_id": "e.blog_id = :blog_id",
    "author": "e.authors LIKE :author ESCAPE '!'",
    "tag": "e.tags LIKE :tag ESCAPE '!'",
    "language": "(e.language = :language OR e.language LIKE :language || '-%')",
    "since": f"e.published >= :since AND e.published < '{ABSENT_DATE}'",
    "until": "e.published < :until",
}
# SQL that differs between the databases: all hits, those in a range of entries with the filters, ids and scores.
_PARTS = {
    "sqlite": {
        "all_hits": "FROM search_index WHERE search_index MATCH :words",
        "hits": """FROM search_index f JOIN search_entries e ON e.id = f.rowid
            WHERE search_index MATCH :words AND f.rowid BETWEEN :first AND :last{where}""",
        "id": "f.rowid",
        # `bm25`, not the column `rank`, which FTS5 also computes for hits that the filters exclude.
        "score": f"-bm25(search_index, {search_index.RANK_WEIGHTS})",
    },
    "postgresql": {
        "all_hits": "FROM search_entries e WHERE e.words @@ CAST(:words AS tsquery)",
        "hits": """FROM search_entries e
            WHERE e.words @@ CAST(:words AS tsquery) AND e.id BETWEEN :first AND :last{where}""",
        "id": "e.id",
        "score": "ts_rank_cd('{{0.1, 0.3, 0.5, 1.0}}', e.words, CAST(:words AS tsquery), 1)",
    },
}
_RANKED = """SELECT e.id, e.post_id, e.position, {score} AS score {hits}
    ORDER BY score DESC, {id} LIMIT :limit OFFSET :offset"""
_UNRANKED = """SELECT e.id, e.post_id, e.position, 0.0 AS score {hits}
    ORDER BY {id} DESC LIMIT :limit OFFSET :offset"""
_NEWEST = "SELECT e.id {hits} ORDER BY {id} DESC LIMIT 1 OFFSET :offset"
_ALL_COUNTS = "SELECT count(*) {all_hits}"
_COUNTS = "SELECT count(*) FROM (SELECT 1 {hits} LIMIT :limit) found"
# Entries are sampled by their ids, multiplied so that neighbours are scattered (Knuth's multiplicative hashing):
# the same query gets the same result, and no blog or year is favoured.
_SAMPLES = """SELECT e.post_id, e.blog_id, e.language, e.published, e.authors, e.tags {hits}
    AND ((({id} * 2654435761) >> 12) & 65535) < :share LIMIT :limit"""


def _filter_values(filters: Filters) -> dict[str, Any]:
    values = {
        "blog_id": filters.blog_id,
        "author": search_index.label_pattern(filters.author) if filters.author else None,
        "tag": search_index.label_pattern(filters.tag) if filters.tag else None,
        "language": filters.language,
        "since": date_key(filters.since) if filters.since else None,
        "until": date_key(filters.until) if filters.until else None,
    }
    return {name: value for name, value in values.items() if value is not None}


class _PostFacts(msgspec.Struct):
    """The fields of a stored document that hits and facets need."""

    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    published: datetime | None = None


def _hit(row: Row[Any], post: Row[Any], comment: Row[Any] | None, terms: list[search_index.Term]) -> ArchiveHit:
    facts = msgspec.json.decode(post.document, type=_PostFacts)
    published = facts.published
    if comment is not None:
        published = msgspec.convert(comment.published, datetime) if comment.published else None
    return ArchiveHit(
        post_id=post.id,
        url=post.url,
        title=post.title,
        blog=post.blog_id,
        comment_id=comment.id if comment else None,
        author=comment.author if comment else ", ".join(facts.authors) or None,
        published=published,
        snippet=snippet(comment.text if comment else post.text, terms),
        score=row.score,
    )
