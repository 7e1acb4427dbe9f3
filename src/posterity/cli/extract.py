"""`posterity extract`: extract posts from pages, without an archive."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import combining, east_asian_width

import click
import msgspec

from posterity.cli.options import check_url, echo, engine_options, min_confidence_option
from posterity.cli.progress import bytes_read, show_progress
from posterity.errors import PosterityError, UnreadablePage, UsageError
from posterity.extraction.wc_density import FLAGS
from posterity.model import Post, Provenance, TracedProvenance, to_json
from posterity.text.normal_form import count_of, printable
from posterity.urls import without_login

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from posterity.batch import PageResult
    from posterity.classify import PageKind
    from posterity.config import RenderMode
    from posterity.importer.crawl_file import Damage

FORMATS = ("json", "jsonl", "xml", "text", "markdown", "cleaneval", "parquet")
# The fields that --explain shows first, even if they were not found.
_FIELDS = ("title", "authors", "published", "text", "comments")
_MAX_SHOWN_CHARS = 40
_KINDS = {"post": "a post", "index": "an index of posts (--index)", "other": "neither a post nor an index"}
# The separators between two posts.
_SEPARATORS = {"jsonl": "", "text": "\n", "markdown": "\n---\n\n", "cleaneval": "<doc>\n"}


def texts_of(posts: Iterable[Post], format_name: str, *, doc_lines: bool = False) -> Iterator[str]:
    """Yield the output for the posts; with `doc_lines`, every CleanEval document starts with <doc>."""
    if format_name == "json":
        yield from _json_texts(posts)
    elif format_name == "xml":
        from posterity.export.blogbuster_xml import blogbuster_xml

        yield blogbuster_xml(posts)
    else:
        separator = "<doc>\n" if doc_lines and format_name == "cleaneval" else ""
        for post in posts:
            yield separator + _format_post(post, format_name) + "\n"
            separator = _SEPARATORS[format_name]


def _json_texts(posts: Iterable[Post]) -> Iterator[str]:
    """Yield one post as an object, several as an array, so that the output is valid JSON."""
    written = (msgspec.json.format(to_json(post), indent=2).decode() for post in posts)
    first, second = next(written, None), next(written, None)
    if second is None:
        yield f"{first}\n" if first is not None else ""
        return
    yield f"[\n{first},\n{second}"
    yield from (f",\n{text}" for text in written)
    yield "\n]\n"


def _format_post(post: Post, format_name: str) -> str:
    if format_name == "text":
        return post.text
    if format_name == "markdown":
        return post.markdown or post.text
    if format_name == "cleaneval":
        from posterity.export.cleaneval import cleaneval_lines

        return cleaneval_lines(post)
    return to_json(post).decode()


def kind_sentence(name: str, kind: PageKind, confidence: float) -> str:
    """Return the sentence of --explain about the kind of the page."""
    return f"{name} looks like {_KINDS[kind]}, confidence {confidence:.2f}."


def explanation(name: str, post: Post) -> str:
    """Return a table of the fields: value, method, confidence, rule, and the reasons for the value.

    Each reason has the factor by which it changed the odds of the value against the next best one.
    """
    others = [field for field in post.provenance if field not in _FIELDS]
    rows = [("field", "found", "method", "confidence", "rule")]
    rows += [_row(post, field, post.provenance.get(field)) for field in (*_FIELDS, *others)]
    widths = [max(_columns_of(row[column]) for row in rows) for column in range(4)]
    lines = ["  ".join([*(_pad(row[column], widths[column]) for column in range(4)), row[4]]).rstrip() for row in rows]
    for field, source in post.provenance.items():
        if isinstance(source, TracedProvenance) and source.trace:
            lines.append(f"what decided on {field}:")
            lines += [f"  x{change.factor:<8.3g} {change.reason}" for change in source.trace[:8]]
    return "\n".join([f"{name}: {post.url}" if post.url != name else name, *(f"  {line}" for line in lines)])


def _columns_of(text: str) -> int:
    """Return the width of the text on a terminal: wide (CJK) characters take two columns, combining accents none."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def _pad(text: str, columns: int) -> str:
    return text + " " * (columns - _columns_of(text))


def _row(post: Post, field: str, source: Provenance | None) -> tuple[str, str, str, str, str]:
    found = _short_value(getattr(post, field, None))
    if source is None:
        return field, found, "-", "-", ""
    return field, found, source.method, f"{source.confidence:.2f}", source.rule or ""


def _short_value(value: object) -> str:
    if not value:
        return "not found"
    if isinstance(value, tuple):
        value = f"{len(value)} of them" if not isinstance(value[0], str) else ", ".join(value)
    text = " ".join(str(value).split())
    return text if len(text) <= _MAX_SHOWN_CHARS else f"{text[: _MAX_SHOWN_CHARS - 1]}…"


def _print(text: str) -> None:
    # Some pages contain lone surrogates, which cannot be encoded.
    text = printable(text) if sys.stdout.isatty() else text
    click.echo(text.encode("utf-8", "replace"), nl=False)


def _thesis_switches(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the switches of wc-single and wc-multi, by the names in `wc_density.FLAGS`."""
    for flag in reversed(FLAGS):
        if flag.option or flag.name == "--clave":
            function = click.option(flag.name, is_flag=True, help=f"{flag.does[0].upper()}{flag.does[1:]}.")(function)
    return function


@click.command()
@click.argument("pages", nargs=-1, required=True, metavar="PAGE...")
@click.option(
    "--method",
    metavar="NAME",
    help="hybrid (default), feed, blogforever, blogbuster, cst, mcst, e-mcst, bte, wc-single, wc-multi; "
    "+switch sets an option, as in cst+clean=false.",
)
@click.option(
    "--url",
    metavar="URL",
    default="",
    callback=check_url,
    help="URL of the page in a file or on standard input; for a folder, the URL of its root.",
)
@click.option("--feed", metavar="FILE|URL", help="First learn rules from this feed and the given pages.")
@click.option(
    "--rules",
    "rules_file",
    metavar="FILE",
    help="Rules: JSON from posterity learn, TOML for blogbuster (or published, blogs), or an IN/OUT rule file.",
)
@click.option(
    "--reference", metavar="FILE", help="Second page for wc-multi; by default the site's page of median size."
)
@click.option(
    "--render",
    type=click.Choice(["auto", "always", "never"]),
    is_flag=False,
    flag_value="always",
    default="auto",
    show_default=True,
    help="Render pages of the web in a browser: only those that are empty without it, all (with all their comments), "
    "or none.",
)
@click.option(
    "--sorted",
    "sorted_file",
    metavar="OUT.warc.gz",
    help="Also write the responses of the given crawl files to this WARC file, grouped by site.",
)
@click.option("--index", is_flag=True, help="Extract several posts from each page (a front page).")
@click.option(
    "--format", "format_name", type=click.Choice(FORMATS), default="json", show_default=True, help="Output format."
)
@click.option(
    "--explain",
    is_flag=True,
    help="Print to stderr the kind of page, and for every field the rule, the confidence and the reasons.",
)
@min_confidence_option
@click.option(
    "--out", metavar="FOLDER", help="Folder or s3://bucket/name for the partitioned corpus of --format parquet."
)
@click.option("--blogs-only", is_flag=True, help="Write only posts of sites that are blogs; with --format parquet.")
@engine_options
@_thesis_switches
def command(
    pages: tuple[str, ...], method: str | None, url: str, feed: str | None, rules_file: str | None,
    reference: str | None, render: RenderMode, index: bool, format_name: str, explain: bool,
    min_confidence: dict[str, float], clave: bool, sorted_file: str | None, out: str | None, blogs_only: bool,
    engine: str, scheduler: str | None, **switches: bool,
) -> None:  # fmt: skip
    """Extract the posts from pages, without an archive.

    PAGE is a file, a folder, a URL, a WARC or ARC file, a .jsonl[.xz|.gz] file of {"id", "url", "html"}, or - for
    standard input. Several pages of one host improve each other's results.

    WARC and ARC files may contain thousands of sites in any order: they are first grouped by site, in $TMPDIR, and the
    rules of each site are learned from its own feed and pages. Their posts are printed last, grouped by site; damaged
    records are listed.

    A page that cannot be read is reported and skipped; exit code 9 means that no page could be read.

    \b
    posterity extract https://blog.example/2021/tides/ --explain
    posterity extract page.html --url https://blog.example/2021/tides/ --format markdown
    posterity extract mirror/ --feed mirror/feed.xml --format jsonl > posts.jsonl
    posterity extract crawl.arc.gz --sorted sorted.warc.gz --prune --format cleaneval
    posterity extract front.html --index --rules blogs --format xml
    posterity extract pages.jsonl.xz --min-confidence authors=0.7 --format jsonl
    posterity extract https://blog.example/ --render always --index --method blogbuster
    posterity extract 's3://crawl/*.warc.gz' --blogs-only --format parquet --out corpus --engine dask
    """
    if format_name == "parquet":
        _extract_corpus(pages, out, engine, scheduler, method=method, blogs_only=blogs_only)
        return
    if out or blogs_only or engine != "local" or scheduler:
        raise UsageError("--out, --blogs-only, --engine and --scheduler are for --format parquet.")
    from posterity.batch import extract_pages

    damaged: list[Damage] = []

    def report_damage(damage: Damage) -> None:
        damaged.append(damage)
        echo(f"posterity: skipped a damaged record, {damage}.", err=True)

    outcomes: list[PosterityError | None] = []
    with bytes_read("reading") as progress:
        results = extract_pages(
            pages, url=url, method=method, options={name: True for name, value in switches.items() if value}, feed=feed,
            rules=rules_file, reference=reference, render=render, index=index, min_confidence=min_confidence,
            explain=explain, sorted_file=sorted_file, on_damage=report_damage, progress=progress,
        )  # fmt: skip
        seen = show_progress(results, "extracting", "pages", quiet=sys.stdout.isatty())
        for text in texts_of(_found_posts(seen, outcomes, explain=explain), format_name, doc_lines=clave):
            _print(text)
    if damaged:
        echo(f"posterity: {len(damaged)} damaged records were skipped; they are listed above.", err=True)
    if problems := [problem for problem in outcomes if problem is not None]:
        _exit_after(problems, len(outcomes))


def _extract_corpus(
    patterns: tuple[str, ...],
    out: str | None,
    engine: str,
    scheduler: str | None,
    *,
    method: str | None,
    blogs_only: bool,
) -> None:
    """Write the posts of crawl files as a partitioned corpus, and print the counts."""
    from posterity.batch.partitions import PartitionJob, extract_partitions, matching_files
    from posterity.engine import engine_named

    if not out:
        raise UsageError("--format parquet needs --out FOLDER.")
    target = out if "://" in out else str(Path(out).absolute())
    files = tuple(matching_files(patterns))
    job = PartitionJob(inputs=files, out=target.rstrip("/"), method=method, blogs_only=blogs_only)
    with engine_named(engine, scheduler) as runner:
        report = extract_partitions(job, runner)
    echo(
        f"{count_of(report.posts, 'post')} of {count_of(report.blogs, 'blog')} among {count_of(report.hosts, 'host')}, "
        f"out of {count_of(report.responses, 'response')} in {count_of(report.files, 'file')}: see {out}.",
        err=True,
    )
    if report.damaged:
        echo(f"posterity: {count_of(report.damaged, 'damaged record')} left out.", err=True)
    if report.failed:
        echo(f"posterity: {count_of(report.failed, 'page')} could not be extracted.", err=True)


def _found_posts(
    results: Iterable[PageResult], outcomes: list[PosterityError | None], *, explain: bool
) -> Iterator[Post]:
    """Yield the posts of all pages, and append each page's problem, or None, to `outcomes`."""
    for result in results:
        outcomes.append(result.problem)
        if result.problem is not None:
            name = without_login(result.name)
            about = "" if name in str(result.problem) else f"{name}: "
            echo(f"posterity: {about}{result.problem}", err=True)
            continue
        if not result.posts:
            echo(f"posterity: nothing was found on {result.name}.", err=True)
        if result.kind is not None:
            echo(kind_sentence(result.name, *result.kind), err=True)
        for post in result.posts:
            yield post
            if explain:
                echo(explanation(result.name, post), err=True)


def _exit_after(problems: list[PosterityError], count: int) -> None:
    if count == 1:
        sys.exit(problems[0].exit_code)
    echo(f"posterity: {len(problems)} of {count} pages could not be read; the reasons are above.", err=True)
    if len(problems) == count:
        sys.exit(UnreadablePage.exit_code)
