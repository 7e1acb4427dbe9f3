"""`posterity discover`: more blogs, from the links of harvested ones or from what the news is about."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import click
import msgspec

from posterity.cli.options import (
    allow_private_option,
    archive_option,
    contact_option,
    echo,
    hint_at_contact,
    json_option,
    quiet_option,
)
from posterity.cli.progress import show_progress
from posterity.config import CrawlSettings, Settings
from posterity.discover.candidates import BlogCandidate, Mention, NewsItem
from posterity.discover.feed import looks_like_feed, read_feed
from posterity.dom import parse, text_of
from posterity.errors import InputError, NoBlog, PosterityError, UsageError
from posterity.text.normal_form import count_of
from posterity.urls import is_http_url


@click.command()
@click.argument("blogs", nargs=-1, metavar="[BLOG...]")
@click.option(
    "--news", multiple=True, metavar="FEED|FILE",
    help="Search for what this is about instead: a feed (URL or file), a text, a .jsonl of {title, text}.",
)  # fmt: skip
@click.option("--search", "service", metavar="URL", help="The search service: a SearXNG instance, or PLUGIN:ADDRESS.")
@click.option("--queries", "query_limit", type=click.IntRange(min=1), default=20, show_default=True,
              help="How many queries at most, one for each news item.")  # fmt: skip
@click.option("--results", type=click.IntRange(min=1), default=64, show_default=True,
              help="How many results of each query count.")  # fmt: skip
@click.option("--also", default="blog", show_default=True, metavar="WORDS", help="Words added to every query.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True,
              help="How many candidates to look at, the best first.")  # fmt: skip
@click.option("--no-check", is_flag=True, help="List the candidates without requesting their feeds.")
@click.option("--show-queries", is_flag=True, help="Print the queries and stop.")
@click.option("--harvest", "harvests", is_flag=True, help="Harvest the blogs that were found into the archive.")
@click.option("--posts", "post_limit", type=click.IntRange(min=1), metavar="PAGES",
              help="With --harvest, at most so many pages of each blog.")  # fmt: skip
@click.option("--delay", type=click.FloatRange(min=0), default=1.0, show_default=True, metavar="SECONDS",
              help="Between two requests to one host.")  # fmt: skip
@contact_option
@allow_private_option
@archive_option
@json_option
@quiet_option
def command(
    blogs: tuple[str, ...], news: tuple[str, ...], service: str | None, query_limit: int, results: int, also: str,
    limit: int, no_check: bool, show_queries: bool, harvests: bool, post_limit: int | None, delay: float, contact: str,
    allow_private: bool, archive: str, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Find more blogs, and print a list that `harvest -i` reads.

    Without --news: the blogs that harvested blogs link to, all of them or those that are named. A place in a blogroll
    counts most, then how many blogs link to it and how often. With --news: key words of every item become a query to
    the search service: the words of its title and what is distinctive of its text by TF-IDF, against the other items
    and the posts of the archive. Function words are left out, names and phrases are quoted.

    The feed of each candidate is requested, politely: robots.txt, a pause, a handful of requests. What has none is left
    out, and so is what lies in a private network. Blogs that are in the archive already are not listed.

    \b
    posterity discover > more.txt && posterity harvest -i more.txt
    posterity discover blog.example --limit 200 --json
    posterity discover --news https://news.example/rss --search https://searx.example
    posterity discover --news article.txt --show-queries
    posterity discover --news news.xml --search https://searx.example --harvest && posterity export posts.jsonl
    """
    from posterity.discover.candidates import ranked_candidates

    if harvests and (no_check or show_queries):
        raise UsageError("--harvest needs blogs that were checked. Leave out --no-check and --show-queries.")
    if news:
        searches = _queries(news, query_limit, also, archive)
        if show_queries:
            echo("\n".join(searches))
            return
        if service is None:
            raise UsageError("Which search service? Give --search URL, that of a SearXNG instance.")
        known = _archived_urls(archive)
        mentions: Iterable[Mention] = _search_mentions(searches, service, results, delay, quiet=quiet)
    else:
        mentions, known = _link_mentions(archive, blogs)
    candidates = ranked_candidates(mentions, known)[:limit]
    if not candidates:
        raise NoBlog("No other site was found that could be a blog.")
    if no_check:
        _print_candidates(candidates, as_json=as_json)
    else:
        if not (as_json or quiet):
            hint_at_contact(contact, [candidate.home for candidate in candidates])
        found = _print_blogs(candidates, delay, allow_private=allow_private, as_json=as_json, quiet=quiet)
        if harvests:
            crawl = CrawlSettings(delay_s=delay, limit_pages=post_limit, contact=contact, allow_private=allow_private)
            _harvest(found, archive, Settings(crawl=crawl), as_json=as_json, quiet=quiet)


def _harvest(blogs: list[str], archive: str, settings: Settings, *, as_json: bool, quiet: bool) -> None:
    """Harvest the blogs that were found; exit as `harvest` does when one of them fails."""
    from posterity.cli.harvest import harvest_many_blogs

    if not blogs:
        raise NoBlog("None of the candidates is a blog, so there is nothing to harvest.")
    harvest_many_blogs(blogs, archive, min(len(blogs), _BLOGS_AT_ONCE), settings, as_json=as_json, quiet=quiet)


def _link_mentions(archive: str, names: tuple[str, ...]) -> tuple[list[Mention], list[str]]:
    from posterity.archive import open_archive
    from posterity.crawl.find_blogs import mentions_by

    with open_archive(archive) as store:
        known = store.blogs()
        chosen = [store.blog(name) for name in names] or known
        if not chosen:
            raise UsageError("The archive holds no blog whose links could be followed. Harvest one, or give --news.")
        return [mention for blog in chosen for mention in mentions_by(store, blog)], [blog.url for blog in known]


def _archived_urls(archive: str) -> list[str]:
    """Return the URLs of the blogs in the archive; for a search there may be no archive yet."""
    from posterity.archive import open_archive

    if "://" not in archive and not Path(archive).exists():
        return []
    with open_archive(archive) as store:
        return [blog.url for blog in store.blogs()]


_BLOGS_AT_ONCE = 4
# So many posts of the archive tell which words are common; the rest would change little.
_BACKGROUND_POSTS = 1_000


def _queries(news: tuple[str, ...], limit: int, also: str, archive: str) -> list[str]:
    from posterity.discover.candidates import background_of, queries

    items = [item for name in news for item in news_items(name)]
    found = queries(items, also=also, background=background_of(_archived_texts(archive)))[:limit]
    if not found:
        raise NoBlog("There are no words to search for in what --news names.")
    return found


def _archived_texts(archive: str) -> Iterator[str]:
    from posterity.archive import open_archive

    if "://" not in archive and not Path(archive).exists():
        return
    with open_archive(archive) as store:
        for post in islice(store.posts(), _BACKGROUND_POSTS):
            yield f"{post.title or ''}\n{post.text}"


def _search_mentions(
    searches: list[str], service: str, results: int, delay: float, *, quiet: bool
) -> Iterator[Mention]:
    from posterity.crawl.find_blogs import search_service
    from posterity.discover.candidates import Mention
    from posterity.http_client import fetch_api

    chosen = search_service(service, fetch_api)
    problem: PosterityError | None = None
    succeeded = 0
    for number, query in enumerate(searches):
        if number and delay:
            time.sleep(delay)
        try:
            for rank, hit in enumerate(chosen.hits(query, results), start=1):
                yield Mention(query, "search", hit.url, rank)
            succeeded += 1
        except PosterityError as trouble:
            problem = trouble
            if not quiet:
                echo(f"posterity: the query {query!r} failed: {trouble}", err=True)
    if not succeeded and problem is not None:
        raise problem


def _print_candidates(candidates: list[BlogCandidate], *, as_json: bool) -> None:
    from posterity.model import to_json

    for one in candidates:
        if as_json:
            click.echo(to_json(one).decode())
        else:
            echo(f"# {_why(one.score, one.sources, one.mentions)}\n{one.home}")


def _print_blogs(
    candidates: list[BlogCandidate], delay: float, *, allow_private: bool, as_json: bool, quiet: bool
) -> list[str]:
    """Print the candidates that are blogs, and return their URLs."""
    from posterity.crawl.find_blogs import FoundBlog, checked_candidates
    from posterity.http_client import fetch_feed, fetch_named_by_others
    from posterity.model import to_json

    fetch = fetch_feed if allow_private else fetch_named_by_others
    printed: dict[str, None] = {}
    left_out = 0
    checked = checked_candidates(candidates, fetch, delay_s=delay)
    for one in show_progress(checked, "asking for feeds", "candidates", total=len(candidates), quiet=quiet):
        if as_json:
            click.echo(to_json(one).decode())
        elif isinstance(one, FoundBlog) and one.url not in printed:
            latest = f", the latest of {one.latest:%Y-%m-%d}" if one.latest else ""
            echo(f"# {one.title or 'Untitled'}: {one.entries} entries in {one.feed_url}{latest}")
            echo(f"# {_why(one.score, one.sources, one.mentions)}\n{one.url}")
        if isinstance(one, FoundBlog):
            printed[one.url] = None
        else:
            left_out += 1
    if not quiet:
        echo(
            f"{count_of(len(printed), 'blog')}, {count_of(left_out, 'candidate')} left out (--json shows why)", err=True
        )
    return list(printed)


def _why(score: float, sources: int, mentions: dict[str, int]) -> str:
    words = {"blogroll": "in blogrolls", "post": "in posts", "comment": "by commenters", "search": "among hits"}
    parts = ", ".join(f"{mentions[place]} {word}" for place, word in words.items() if place in mentions)
    return f"score {score:g}, from {sources} {'queries' if 'search' in mentions else 'blogs'}: {parts}"


def news_items(name: str) -> list[NewsItem]:
    """Return the items of a feed at a URL or in a file, of a .jsonl file, or the one text of any other file."""
    if is_http_url(name):
        from posterity.http_client import fetch_feed

        page = fetch_feed(name)
        return _from_feed(page.body, page.url)
    try:
        body = Path(name).read_bytes()
    except OSError as problem:
        raise InputError(f"{name} cannot be read: {problem.strerror}.") from problem
    if name.lower().endswith(".jsonl"):
        return _from_lines(body, name)
    if looks_like_feed(body):
        return _from_feed(body, "")
    try:
        title, _, text = body.decode("utf-8-sig").strip().partition("\n")
    except UnicodeDecodeError as problem:
        raise InputError(f"{name} is neither a feed nor a text in UTF-8.") from problem
    return [NewsItem(title=title, text=text)]


def _from_feed(body: bytes, url: str) -> list[NewsItem]:
    return [
        NewsItem(title=_plain(entry.title or ""), text=_plain(entry.content or entry.summary or ""))
        for entry in read_feed(body, url).entries
    ]


def _plain(html: str) -> str:
    return text_of(parse(html).tree) if html else ""


def _from_lines(body: bytes, name: str) -> list[NewsItem]:
    try:
        return [msgspec.json.decode(line, type=NewsItem) for line in body.splitlines() if line.strip()]
    except msgspec.MsgspecError as problem:
        raise InputError(f"{name} is no file of {{title, text}}: {problem}.") from problem
