"""Which method `posterity extract` runs, with which rules: what --method, --rules, --feed and --index come to.

A rule file says itself what it is: JSON that `posterity learn` wrote, the TOML of `blogbuster`, or IN/OUT rules, which
begin with a bracket. IN/OUT rules are a method of their own.
"""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from posterity.errors import InputError, NothingLearned, UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.cli.extract_sources import Sources
    from posterity.extract.method import Method
    from posterity.model import FeedEntry, RuleSet

# Learning reads all of them at once. A feed has some tens of entries, and a page for each is enough.
_MAX_LEARNED_PAGES = 1_000


class Chosen(msgspec.Struct, frozen=True, kw_only=True):
    """A method and what it is told about every page."""

    name: str
    run: "Method"
    options: dict[str, object] = {}
    rules: "RuleSet | None" = None
    # By page: what the feed says of it.
    entries: "dict[str, FeedEntry]" = {}
    # Is somebody going to ask what kind of page each is?
    explain: bool = False


def chosen_method(method: str | None, rules_file: str | None, feed: str | None, sources: Sources) -> Chosen:
    """Return the method that the options name or imply, ready to run, or raise `UsageError` or `InputError`."""
    from posterity.evaluate.contestant import Contestant
    from posterity.extract.in_out_rules import in_out_rules
    from posterity.extract.in_out_rules import posts as in_out_posts
    from posterity.extract.method import DEFAULT_METHOD, method_named

    wanted = Contestant(method, "method") if method else None
    name, options = (wanted.base, wanted.options) if wanted else (None, {})
    if name:
        method_named(name)  # a wrong name is told before anything is read or fetched
    rules, entries = _from_feed(feed, sources) if feed else (None, {})
    if rules_file:
        kind, content = _read_rules(rules_file)
        if kind == "in-out":
            with _named(rules_file):
                in_out_rules(content)
            _expect(name, (), rules_file, "IN/OUT rules are a method of their own: leave --method out")
            return Chosen(name="in-out", run=in_out_posts, options={"rules_text": content}, entries=entries)
        if kind == "learned":
            from posterity.model import RuleSet, from_json

            _expect(name, ("feed", "hybrid"), rules_file, "learned rules are for --method hybrid or feed")
            with _named(rules_file):
                rules = from_json(content, RuleSet)
        else:
            _expect(name, ("blogbuster",), rules_file, "rules in TOML are for --method blogbuster")
            name, options = "blogbuster", {**options, kind: content}
    name = name or DEFAULT_METHOD
    return Chosen(name=name, run=method_named(name), options=options, rules=rules, entries=entries)


@contextmanager
def _named(file: str) -> Iterator[None]:
    """Say which file it is that holds no rules."""
    try:
        yield
    except InputError as problem:
        raise InputError(f"The rules {file} cannot be used. {problem}") from problem


def _expect(name: str | None, fitting: tuple[str, ...], file: str, hint: str) -> None:
    if name is not None and name not in fitting:
        raise UsageError(f"The rules in {file} do not fit --method {name}: {hint}.")


def _read_rules(file: str) -> tuple[str, str]:
    """Return what kind of rules the file holds, and its text. The package's own rule files go by their names."""
    from posterity.extract.blogbuster_rules import RULE_FILES, rules_from_toml

    if file in RULE_FILES and not Path(file).exists():
        return "rules", file
    try:
        text = Path(file).read_text(encoding="utf-8-sig")
    except OSError as problem:
        raise InputError(f"The rules {file} cannot be read: {problem.strerror}.") from problem
    except UnicodeDecodeError as problem:
        raise InputError(f"The rules {file} are not text: {problem}.") from problem
    lines = (line.strip() for line in text.splitlines())
    first = next((line for line in lines if line and not line.startswith("#")), "")
    if first.startswith("{"):
        return "learned", text
    if first.startswith("("):
        return "in-out", text
    with _named(file):
        rules_from_toml(text)
    return "rules_text", text


def _from_feed(feed: str, sources: Sources) -> tuple[RuleSet, dict[str, FeedEntry]]:
    """Learn from the feed and the given pages; what the feed says of a page goes along with it."""
    from posterity.cli.extract_sources import GivenPage
    from posterity.cli.mirror import file_of
    from posterity.discover.feed import read_feed
    from posterity.learn import learn
    from posterity.learn.evidence import matched_pages

    body, url = _feed_body(feed)
    parsed = read_feed(body, url)
    for folder in sources.folders:
        for entry in parsed.entries:
            file = file_of(entry.link, folder) if entry.link else None
            if file is not None and entry.link:
                sources.known_urls[file] = entry.link
    pages: dict[str, bytes | str] = {}
    for page in sources.pages():
        if isinstance(page, GivenPage):
            pages[page.url] = page.body
        if len(pages) >= _MAX_LEARNED_PAGES:
            break
    entries = dict(matched_pages(parsed.entries, pages))
    if not entries:
        raise NothingLearned(
            f"The feed {feed} links to none of the given pages. Pages are known by their addresses: give --url, or the "
            "folder that holds them as a mirror does."
        )
    return learn(parsed, pages), entries


def _feed_body(feed: str) -> tuple[bytes, str]:
    if feed.lower().startswith(("http://", "https://")):
        from posterity.cli.fetch_page import fetch_feed

        page = fetch_feed(feed)
        return page.body, page.url
    try:
        return Path(feed).read_bytes(), ""
    except OSError as problem:
        raise InputError(f"The feed {feed} cannot be read: {problem.strerror}.") from problem
