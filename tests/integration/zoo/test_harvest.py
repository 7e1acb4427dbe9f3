"""Odd and hostile blogs harvested as a person would: every post, nothing but posts, and a report that adds up.

The situations here are those of `tests.zoo` that stand for one cause each; `python -m tests.zoo` runs all of them.
"""

from __future__ import annotations

import json
import subprocess
import sys
from typing import TYPE_CHECKING, Any

import pytest
from tests.zoo.measure import path_key
from tests.zoo.registry import all_situations
from tests.zoo.server import serve

if TYPE_CHECKING:
    from pathlib import Path

WHOLE = (
    "atom-year-one",
    "bodies-cut",
    "canonical-home",
    "canonical-shared",
    "card-at-root",
    "case-ignored",
    "check-for-robots",
    "copy-behind-redirect",
    "copy-by-trackbacks",
    "copy-in-folder",
    "copy-in-two-languages",
    "copy-of-folder",
    "copy-of-greeting",
    "copy-with-feed-of-original",
    "copy-with-links-to-original",
    "copy-without-feed",
    "database-error-once",
    "depths-differ",
    "empty-body-once",
    "errors-sometimes",
    "feed-dates-impossible",
    "feed-for-folder",
    "feed-in-link-header",
    "feed-lists-sections",
    "feed-of-all-pages",
    "feed-of-dated-sections",
    "feed-of-menu",
    "feed-of-notes-alone",
    "feed-of-old-folder",
    "feed-outlives-blog",
    "feed-outlives-pages",
    "feed-single-entry-home",
    "feed-texts-match-nothing",
    "feed-urls-impossible",
    "feeds-of-lists",
    "greeting-at-root",
    "home-frameset",
    "home-leads-nowhere",
    "language-in-sitemap",
    "licence-as-rdf",
    "list-in-prose",
    "lists-beside-posts",
    "locked-posts",
    "login-wall",
    "maintenance-once",
    "mirror-of-short-links",
    "months-of-whole-posts",
    "moved-posts",
    "numbered-names",
    "older-posts-in-tables",
    "only-neighbours",
    "packed-by-header-alone",
    "page-nested-deep",
    "paging-in-link-header",
    "permalink-archives-number",
    "permalink-cgi",
    "permalink-day",
    "permalink-number-in-month",
    "permalink-query-name",
    "permalink-query-path",
    "permalink-year",
    "posts-on-one-page",
    "posts-with-several-galleries",
    "projects-beside-folder",
    "projects-without-dates",
    "section-feeds-only",
    "session-ids-path",
    "session-ids-query",
    "single-post",
    "sitemap-dead-first",
    "sitemap-of-paths",
    "sitemap-of-small-sections",
    "sitemap-soft-404",
    "split-by-path",
    "split-by-query",
    "split-by-rel-next",
    "start-at-post",
    "three-themes",
    "tumblr-api",
)
# What lists, feeds and sitemaps tell of a page decides on these.
STORED = (
    "check-for-robots",
    "copy-in-two-languages",
    "copy-with-links-to-original",
    "feed-in-link-header",
    "feed-of-all-pages",
    "feed-outlives-blog",
    "feed-outlives-pages",
    "language-in-sitemap",
    "list-in-frame",
    "permalink-query-category",
)
SITUATIONS = {situation.name: situation for situation in all_situations()}


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "posterity", *arguments], capture_output=True, text=True, check=False, timeout=600
    )


def harvested(name: str, archive: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """Return the records of a harvest of the situation, and its report."""
    site, _ = SITUATIONS[name].build()
    with serve(site) as served:
        url = served.origin + site.start
        ended = run("harvest", url, "--delay", "0", "--render", "never", "--no-media", "-q", "--archive", str(archive))
        assert ended.returncode == 0, ended.stderr
    posts = exported(archive)
    blog = json.loads(run("list", "--json", "--archive", str(archive)).stdout.splitlines()[0])
    shown = run("show", blog["id"], "--json", "--archive", str(archive))
    assert shown.returncode == 0, shown.stderr
    return posts, json.loads(shown.stdout)["report"]


def exported(archive: Path) -> list[dict[str, Any]]:
    out = archive.parent / f"{archive.name}.jsonl"
    assert run("export", str(out), "--archive", str(archive), "-q").returncode == 0
    return [json.loads(line) for line in out.read_text("utf-8").splitlines()]


@pytest.mark.parametrize("name", WHOLE)
def test_every_post_and_nothing_else_is_stored(name: str, tmp_path: Path) -> None:
    posts, report = harvested(name, tmp_path / "archive")
    _, truth = SITUATIONS[name].build()
    assert {path_key(post["url"]) for post in posts} == {path_key(path) for path in truth.posts}
    # Every URL that a source named has exactly one outcome.
    assert sum(report["outcomes"].values()) == sum(source["new"] for source in report["sources"])
    assert report["outcomes"]["stored"] <= report["posts"] == len(posts)


@pytest.mark.parametrize("name", STORED)
def test_stored_pages_give_the_posts_of_the_harvest(name: str, tmp_path: Path) -> None:
    posts, _ = harvested(name, tmp_path / "archive")
    imported = run("import", *map(str, (tmp_path / "archive").rglob("*.warc.gz")), "--archive", str(tmp_path / "again"))
    assert imported.returncode == 0, imported.stderr
    assert _shown(exported(tmp_path / "again")) == _shown(posts)
    remade = run("reextract", "--all", "--archive", str(tmp_path / "archive"))
    assert remade.returncode == 0, remade.stderr
    (tmp_path / "archive.jsonl").unlink()
    assert _shown(exported(tmp_path / "archive")) == _shown(posts)


def _shown(posts: list[dict[str, Any]]) -> dict[str, tuple[Any, ...]]:
    return {post["url"]: (post["title"], post["text"], post.get("published")) for post in posts}
