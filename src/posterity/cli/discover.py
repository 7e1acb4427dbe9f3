"""`posterity discover`: find more blogs, from links of harvested blogs or by searching for topics in the news."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path

import click
import msgspec

from posterity.cli import options
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
    help="Search for the topics of this source instead: a feed (URL or file), a text, or a .jsonl of {title, text}.",
)  # fmt: skip
@click.option("--search", "service", metavar="URL", help="The search service: a SearXNG instance, or PLUGIN:URL.")
@click.option("--queries", "query_limit", type=click.IntRange(min=1), default=20, show_default=True,
              help="Maximum number of queries, one per news item.")  # fmt: skip
@click.option("--results", type=click.IntRange(min=1), default=64, show_default=True,
              help="Number of results to use from each query.")  # fmt: skip
@click.option("--also", default="blog", show_default=True, metavar="WORDS", help="Words added to every query.")
@click.option("--limit", type=click.IntRange(min=1), default=50, show_default=True,
              help="Maximum number of candidates to check, best first.")  # fmt: skip
@click.option("--no-check", is_flag=True, help="List the candidates without requesting their feeds.")
@click.option("--show-queries", is_flag=True, help="Print the queries and stop.")
@click.option("--harvest", "harvests", is_flag=True, help="Harvest the blogs that were found into the archive.")
@click.option("--posts", "post_limit", type=click.IntRange(min=1), metavar="PAGES",
              help="With --harvest, the maximum number of pages of each blog.")  # fmt: skip
@options.delay_option("Pause between two requests to one host.")
@options.contact_option
@options.allow_private_option
@options.archive_option
@options.json_option
@options.quiet_option
def command(
    blogs: tuple[str, ...], news: tuple[str, ...], service: str | None, query_limit: int, results: int, also: str,
    limit: int, no_check: bool, show_queries: bool, harvests: bool, post_limit: int | None, delay: float, contact: str,
    allow_private: bool, archive: str, as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Find more blogs, and print a list for `harvest -i`.

    Without --news, candidates are the sites that harvested blogs link to: all blogs, or those given as BLOG. Links in
    blogrolls count most, then the number of blogs that link to a site and of their links. With --news, every news item
    becomes a query to the search service: the words of its title, and the words of its text with the highest TF-IDF
    against the other items and the posts of the archive. Function words are left out; names and phrases are quoted.

    The feed of each candidate is looked up with a few requests, with pauses, and only if robots.txt allows it. Sites
    without a feed, sites in private networks and blogs that are already in the archive are left out.

    \b
    posterity discover > more.txt && posterity harvest -i more.txt
    posterity discover blog.example --limit 200 --json
    posterity discover --news https://news.example/rss --search https://searx.example
    posterity discover --news article.txt --show-queries
    posterity discover --news news.xml --search https://searx.example --harvest && posterity export posts.jsonl
    """
    from posterity.discover.candidates import ranked_candidates

    if harvests and (no_check or show_queries):
        raise UsageError("--harvest cannot be combined with --no-check or --show-queries.")
    if news:
        searches = _queries(news, query_limit, also, archive)
        if show_queries:
            options.echo("\n".join(searches))
            return
        if service is None:
            raise UsageError("--news needs a search service. Add --search URL, the URL of a SearXNG instance.")
        known = _archived_urls(archive)
        mentions: Iterable[Mention] = _search_mentions(searches, service, results, delay, quiet=quiet)
    else:
        mentions, known = _link_mentions(archive, blogs)
    candidates = ranked_candidates(mentions, known)[:limit]
    if not candidates:
        raise NoBlog("No further site was found that could be a blog.")
    if no_check:
        _print_candidates(candidates, as_json=as_json)
    else:
        if not (as_json or quiet):
            options.hint_at_contact(contact, [candidate.home for candidate in candidates])
        found = _print_blogs(candidates, delay, allow_private=allow_private, as_json=as_json, quiet=quiet)
        if harvests:
            crawl = CrawlSettings(delay_s=delay, limit_pages=post_limit, contact=contact, allow_private=allow_private)
            _harvest(found, archive, Settings(crawl=crawl), as_json=as_json, quiet=quiet)


def _harvest(blogs: list[str], archive: str, settings: Settings, *, as_json: bool, quiet: bool) -> None:
    """Harvest the found blogs; exit with the same codes as `harvest`."""
    from posterity.cli.harvest import harvest_many_blogs

    if not blogs:
        raise NoBlog("None of the candidates is a blog, so there is nothing to harvest.")
    harvest_many_blogs(blogs, archive, min(len(blogs), 4), settings, as_json=as_json, quiet=quiet)


def _link_mentions(archive: str, names: tuple[str, ...]) -> tuple[list[Mention], list[str]]:
    from posterity.archive import open_archive
    from posterity.crawl.find_blogs import mentions_by

    with open_archive(archive) as store:
        known = store.blogs()
        chosen = [store.blog(name) for name in names] or known
        if not chosen:
            raise UsageError("The archive contains no blogs, so there are no links. Harvest a blog, or use --news.")
        return [mention for blog in chosen for mention in mentions_by(store, blog)], [blog.url for blog in known]


def _has_archive(archive: str) -> bool:
    """Return whether the archive exists; --news works without one."""
    return "://" in archive or Path(archive).exists()


def _archived_urls(archive: str) -> list[str]:
    from posterity.archive import open_archive

    if not _has_archive(archive):
        return []
    with open_archive(archive) as store:
        return [blog.url for blog in store.blogs()]


# Posts of the archive used as background for TF-IDF; more change little.
_BACKGROUND_POSTS = 1_000


def _queries(news: tuple[str, ...], limit: int, also: str, archive: str) -> list[str]:
    from posterity.discover.candidates import background_of, queries

    items = [item for name in news for item in news_items(name)]
    found = queries(items, also=also, background=background_of(_archived_texts(archive)))[:limit]
    if not found:
        raise NoBlog("The sources of --news contain no words to search for.")
    return found


def _archived_texts(archive: str) -> Iterator[str]:
    from posterity.archive import open_archive

    if not _has_archive(archive):
        return
    with open_archive(archive) as store:
        for post in islice(store.posts(), _BACKGROUND_POSTS):
            yield f"{post.title or ''}\n{post.text}"


def _search_mentions(
    searches: list[str], service: str, results: int, delay: float, *, quiet: bool
) -> Iterator[Mention]:
    from posterity.crawl.find_blogs import search_service
    from posterity.http_client import fetch_api

    chosen = search_service(service, fetch_api)
    last_problem: PosterityError | None = None
    succeeded = 0
    for number, query in enumerate(searches):
        if number and delay:
            time.sleep(delay)
        try:
            for rank, hit in enumerate(chosen.hits(query, results), start=1):
                yield Mention(query, "search", hit.url, rank)
            succeeded += 1
        except PosterityError as problem:
            last_problem = problem
            if not quiet:
                options.echo(f"posterity: the query {query!r} failed: {problem}", err=True)
    if not succeeded and last_problem is not None:
        raise last_problem


def _print_candidates(candidates: list[BlogCandidate], *, as_json: bool) -> None:
    for candidate in candidates:
        if as_json:
            options.echo_json(candidate)
        else:
            options.echo(f"# {_reason(candidate.score, candidate.sources, candidate.mentions)}\n{candidate.home}")


def _print_blogs(
    candidates: list[BlogCandidate], delay: float, *, allow_private: bool, as_json: bool, quiet: bool
) -> list[str]:
    """Print the candidates that are blogs, and return their URLs."""
    from posterity.crawl.find_blogs import FoundBlog, checked_candidates
    from posterity.http_client import fetch_feed, fetch_untrusted

    fetch = fetch_feed if allow_private else fetch_untrusted
    printed: dict[str, None] = {}
    left_out = 0
    checked = checked_candidates(candidates, fetch, delay_s=delay)
    for found in show_progress(checked, "requesting feeds", "candidates", total=len(candidates), quiet=quiet):
        if as_json:
            options.echo_json(found)
        elif isinstance(found, FoundBlog) and found.url not in printed:
            latest = f", the latest of {found.latest:%Y-%m-%d}" if found.latest else ""
            options.echo(f"# {found.title or 'Untitled'}: {found.entries} entries in {found.feed_url}{latest}")
            options.echo(f"# {_reason(found.score, found.sources, found.mentions)}\n{found.url}")
        if isinstance(found, FoundBlog):
            printed[found.url] = None
        else:
            left_out += 1
    if not quiet:
        skipped = count_of(left_out, "candidate")
        options.echo(f"{count_of(len(printed), 'blog')}, {skipped} skipped (--json shows why)", err=True)
    return list(printed)


def _reason(score: float, sources: int, mentions: dict[str, int]) -> str:
    words = {"blogroll": "in blogrolls", "post": "in posts", "comment": "by commenters", "search": "among hits"}
    parts = ", ".join(f"{mentions[place]} {word}" for place, word in words.items() if place in mentions)
    return f"score {score:g}, from {sources} {'queries' if 'search' in mentions else 'blogs'}: {parts}"


def news_items(name: str) -> list[NewsItem]:
    """Return the items of a feed (URL or file) or of a .jsonl file; any other file is one item."""
    if is_http_url(name):
        from posterity.http_client import fetch_feed

        page = fetch_feed(name)
        return _from_feed(page.body, page.url)
    try:
        body = Path(name).read_bytes()
    except OSError as problem:
        raise InputError(f"{name} cannot be read: {problem.strerror}.") from problem
    if name.lower().endswith(".jsonl"):
        try:
            return [msgspec.json.decode(line, type=NewsItem) for line in body.splitlines() if line.strip()]
        except msgspec.MsgspecError as problem:
            raise InputError(f"{name} does not contain {{title, text}} objects: {problem}.") from problem
    if looks_like_feed(body):
        return _from_feed(body, "")
    try:
        title, _, text = body.decode("utf-8-sig").strip().partition("\n")
    except UnicodeDecodeError as problem:
        raise InputError(f"{name} is neither a feed nor UTF-8 text.") from problem
    return [NewsItem(title=title, text=text)]


def _from_feed(body: bytes, url: str) -> list[NewsItem]:
    return [
        NewsItem(title=_plain(entry.title or ""), text=_plain(entry.content or entry.summary or ""))
        for entry in read_feed(body, url).entries
    ]


def _plain(html: str) -> str:
    return text_of(parse(html).tree) if html else ""
