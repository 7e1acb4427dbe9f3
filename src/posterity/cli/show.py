"""`posterity show`: show a blog, a post or a rule set."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import TYPE_CHECKING

import click

from posterity.cli.options import archive_option, echo, echo_json, echo_labelled, json_option
from posterity.errors import ArchiveError, NotInArchive, UsageError
from posterity.text.normal_form import count_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.archive import Archive, Capture, History, Revision
    from posterity.model import Blog, HarvestReport, Post


@click.command()
@click.argument("name", metavar="BLOG|POST")
@click.option("--rules", is_flag=True, help="Print the blog's rules as JSON, for `extract --rules`.")
@click.option("--requests", is_flag=True, help="List all requests to the blog: time, time since the last, status.")
@click.option("--missing", is_flag=True, help="List the posts and files that are not archived, and why.")
@click.option("--history", is_flag=True, help="Print the post's revisions with a word diff between them.")
@click.option("--timemap", is_flag=True, help="List the captures of the post's page as a TimeMap (RFC 7089).")
@archive_option
@json_option
def command(
    name: str, rules: bool, requests: bool, missing: bool, history: bool, timemap: bool, archive: str, as_json: bool
) -> None:
    """Show a blog with its rules and the completeness of its harvest, or a post.

    BLOG is an id, a URL or a host name; POST is an id or a URL.

    \b
    posterity show https://blog.example/
    posterity show blog.example --rules > rules.json
    posterity show blog.example --requests
    posterity show blog.example --missing
    posterity show https://blog.example/2021/03/on-tides/ --history
    """
    from posterity.archive import open_archive

    if rules + requests + missing + history + timemap > 1:
        raise UsageError("Choose one of --rules, --requests, --missing, --history and --timemap.")
    with open_archive(archive) as store:
        if history or timemap:
            post = _post_named(store, name, "--history" if history else "--timemap")
            (_show_timemap if timemap else _show_history)(store, post, as_json=as_json)
            return
        try:
            blog = store.blog(name)
        except NotInArchive as no_blog:
            post = _post_or_nothing(store, name, no_blog)
            if rules or requests or missing:
                option = "--rules" if rules else "--requests" if requests else "--missing"
                hint = f"Name the blog: posterity show {post.blog or 'BLOG'} {option}"
                raise UsageError(f"{name} is a post, but {option} needs a blog. {hint}") from None
            _show_post(store, post, as_json=as_json)
            return
        if requests:
            _show_requests(store, blog, as_json=as_json)
        elif missing:
            _show_missing(store, blog, as_json=as_json)
        else:
            _show_blog(store, blog, rules_only=rules, as_json=as_json)


def _show_requests(store: Archive, blog: Blog, *, as_json: bool) -> None:
    from posterity.archive.overview import requests_to

    for request in requests_to(store, blog.id):
        if as_json:
            echo_json(request)
        else:
            waited = "" if request.waited_s is None else f"+{request.waited_s:.2f} s"
            echo(f"{request.answered_at:%Y-%m-%d %H:%M:%S}  {waited:>10}  {request.status}  {request.url}")


def _show_missing(store: Archive, blog: Blog, *, as_json: bool) -> None:
    if (report := store.report(blog.id)) is None:
        raise NotInArchive(f"No harvest of {blog.url} has ended yet, so it is not known what is missing.")
    if as_json:
        for missing in (*report.missing, *report.missing_media):
            echo_json(missing)
        return
    for post in report.missing:
        echo(f"{post.reason:14}{post.url}  {post.detail}".rstrip())
    for medium in report.missing_media:
        echo(f"{'file':14}{medium.url}  {medium.reason}, in {medium.post}")
    if not (report.missing or report.missing_media):
        echo("Every listed post is archived, with its files.", err=True)


def _show_history(store: Archive, post: Post, *, as_json: bool) -> None:
    history = store.history(post.id)
    if as_json:
        echo_json(history)
        return
    echo(f"{click.style(post.title or '', bold=True)}\n{post.url}\n")
    for line in history_lines(history):
        echo(line)


def _show_timemap(store: Archive, post: Post, *, as_json: bool) -> None:
    from posterity.archive.captures import timemap

    captures = post_captures(store, post)
    if as_json:
        echo_json(captures)
        return
    # RFC 6690 allows relative references; the base is the server that replays the archive.
    echo(timemap(post.url, captures, ""), nl=False)


def _post_named(store: Archive, name: str, option: str) -> Post:
    try:
        blog = store.blog(name)
    except NotInArchive as no_blog:
        return _post_or_nothing(store, name, no_blog)
    try:
        return store.post(name)  # the URL of a blog with a single page is also that of its post
    except NotInArchive:
        raise UsageError(f"{option} needs a post, but {blog.url} is a blog. Use the URL of a post.") from None


def _post_or_nothing(store: Archive, name: str, no_blog: NotInArchive) -> Post:
    try:
        return store.post(name)
    except NotInArchive:
        raise NotInArchive(f"{no_blog} No post has this URL or id either.") from None


def _show_post(store: Archive, post: Post, *, as_json: bool) -> None:
    import msgspec

    tombstones = store.tombstones(post.blog) if post.blog else []
    gone = next((tombstone for tombstone in tombstones if tombstone.id == post.id), None)
    if as_json:
        more = {"gone": {"at": gone.gone_at, "status": gone.status}} if gone else {}
        echo_json({**msgspec.to_builtins(post), **more})
        return
    facts = {
        "title": post.title,
        "url": post.url,
        "authors": ", ".join(post.authors),
        "published": post.published.isoformat() if post.published else None,
        "tags": ", ".join(post.tags),
        "comments": str(len(post.comments)) if post.comments else None,
        "media": str(len(post.media)) if post.media else None,
        "revision": str(post.revision),
        "gone": f"since {gone.gone_at:%Y-%m-%d} (status {gone.status}); this is what was archived" if gone else None,
    }
    for label, text in facts.items():
        if text:
            echo_labelled(label, text)
    echo(f"\n{post.markdown or post.text}")


def _cost(report: HarvestReport | None) -> dict[str, float] | None:
    if report is None or not report.posts:
        return None
    return {"requests_per_post": round(report.requests_per_post, 3), "bytes_per_post": report.bytes_per_post}


def _show_blog(store: Archive, blog: Blog, *, rules_only: bool, as_json: bool) -> None:
    import msgspec

    from posterity.model import to_json

    rules, report = store.rules(blog.id), store.report(blog.id)
    if rules_only:
        echo(msgspec.json.format(to_json(rules), indent=2).decode())
    elif as_json:
        echo_json({"blog": blog, "rules": rules, "report": report, "cost": _cost(report)})
    else:
        from rich.console import Console

        from posterity.cli.summary import print_summary

        echo_labelled("title", blog.title or "")
        due = f", due {blog.due_at:%Y-%m-%d %H:%M} UTC" if blog.due_at and blog.schedule.mode != "paused" else ""
        echo_labelled("updates", f"{blog.schedule}{due}")
        if blog.former_urls:
            echo_labelled("moved", f"from {', '.join(blog.former_urls)}")
        if blog.failing_since:
            echo_labelled("failing", f"every update since {blog.failing_since:%Y-%m-%d}")
        if report:
            print_summary(Console(), report, rules)
        else:
            from posterity.archive.overview import blog_count

            echo_labelled("posts", f"{blog_count(store, blog.id).posts} so far")
            echo_labelled("ended", f"not yet; if no harvest is running, `posterity harvest {blog.url}` continues it")


# Number of unchanged words shown on either side of a change.
_CONTEXT_WORDS = 8
_EVENT = {"gone": "no longer shown by the blog, status {}", "back": "shown by the blog again", "moved": "moved from {}"}


def history_lines(history: History) -> Iterator[str]:
    """Yield the lines of the history in chronological order."""
    events = [(event.at, _EVENT[event.kind].format(event.detail)) for event in history.events]
    before: Revision | None = None
    for revision in history.revisions:
        while events and events[0][0] < revision.seen_at:
            yield _date_line(*events.pop(0))
        yield from _revision_lines(revision, before)
        before = revision
    for at, what in events:
        yield _date_line(at, what)


def post_captures(store: Archive, post: Post) -> list[Capture]:
    """Return the captures of a post's URLs and of the pages its fields were extracted from, oldest first."""
    urls = dict.fromkeys(url for url in (post.url, post.canonical_url) if url)
    for pointer in dict.fromkeys(origin.warc for origin in post.provenance.values() if origin.warc):
        with suppress(ArchiveError):
            urls.setdefault(store.read_page(pointer).url)
    found = {capture.record_id: capture for url in urls for capture in store.captures(url)}
    return sorted(found.values(), key=lambda capture: (capture.fetched_at, capture.record_id))


def _revision_lines(revision: Revision, before: Revision | None) -> Iterator[str]:
    if before is None:
        length = count_of(len(revision.post.text.split()), "word")
        yield _date_line(revision.seen_at, f"revision {revision.revision}, {length}")
        return
    changed = ", ".join(revision.changed) or "nothing"
    yield _date_line(revision.seen_at, f"{revision.kind}, revision {revision.revision}: {changed} changed")
    for field in revision.changed:
        # These change with the text, and would repeat its diff.
        if field not in ("markdown", "html"):
            old, new = (_plain_text(getattr(state.post, field)) for state in (before, revision))
            yield f"  {click.style(f'{field:10}', bold=True)}{marked_diff(old, new)}"


def marked_diff(old: str, new: str) -> str:
    """Return the diff of two texts in the format of `git diff --word-diff`, with colour codes."""
    from posterity.archive.history import word_diff

    pieces = word_diff(old, new)
    marks = []
    for place, piece in enumerate(pieces):
        if piece.kind == "out":
            marks.append(click.style(f"[-{piece.text}-]", fg="red"))
        elif piece.kind == "in":
            marks.append(click.style(f"{{+{piece.text}+}}", fg="green"))
        else:
            head, tail = (_CONTEXT_WORDS if inner else 0 for inner in (place > 0, place < len(pieces) - 1))
            marks.append(_shorten(piece.text, head=head, tail=tail))
    return "".join(marks)


def _shorten(text: str, *, head: int, tail: int) -> str:
    """Keep the first `head` and the last `tail` words, and replace the words between with an ellipsis."""
    words = re.findall(r"\S+\s*|\s+", text)
    if len(words) <= head + tail + 1:
        return text
    return "".join([*words[:head], "… ", *(words[-tail:] if tail else ())])


def _plain_text(value: object) -> str:
    if isinstance(value, tuple):
        return "\n".join(_plain_text(part) for part in value)
    if value is None:
        return ""
    for facts in (("author", "text"), ("url", "digest")):  # a comment, a medium
        if hasattr(value, facts[0]):
            return " ".join(str(getattr(value, fact)) for fact in facts if getattr(value, fact))
    return str(value)


def _date_line(at: object, what: str) -> str:
    return f"{click.style(f'{at:%Y-%m-%d %H:%M}', bold=True)}  {what}"
