"""A blog on disk as pages with gold: `site/` holds its files, `truth.json` what its posts really contain.

The feed and the pages it links to come along as evidence, so that feed rules are learned exactly as in a harvest:
from what the feed lists, which need not be among the posts that are scored.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin, urlsplit

from posterity.discover.feed import read_feed
from posterity.dom.encoding import decode
from posterity.errors import BrokenFeed, InputError
from posterity.evaluate.sample import Evidence, Gold, GoldComment, GoldPost, Sample, Site

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

TOLERANCE_H = 14  # feed and page may write the day in zones this far apart


def blog_site(folder: Path) -> Site:
    """Return the blog with all posts whose text or fields are known, or raise `InputError`."""
    truth = _truth(folder)
    return Site(name=folder.name, samples=tuple(_samples(folder, truth)), evidence=evidence_of(folder, truth))


def front_page_site(folder: Path, front: dict[str, Any]) -> Site:
    """Return the blog with its front page alone, to be compared with the posts that `front` lists."""
    truth = _truth(folder)
    base = truth.get("base_url") or ""
    posts = tuple(
        GoldPost(url=urljoin(base, post["path"]), title=post.get("title"), date=post.get("date"))
        for post in front.get("posts", ())
    )
    file = folder / str(front.get("file"))
    if not file.is_file():
        return Site(name=folder.name, samples=())
    url = urljoin(base, str(front.get("entry") or "/"))
    # The list leaves posts out: those with hardly any text, and those that no truth is known of.
    listed = {post.url for post in posts}
    others = tuple(other for path in truth.get("post_paths") or () if (other := urljoin(base, path)) not in listed)
    gold = Gold(posts=posts, other_posts=others)
    sample = Sample(id=str(front.get("file")), url=url, html=decode(file.read_bytes())[1], gold=gold, index=True)
    return Site(name=folder.name, samples=(sample,), evidence=evidence_of(folder, truth))


def _truth(folder: Path) -> dict[str, Any]:
    try:
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise InputError(f"The truth of the blog in {folder} cannot be read: {problem}.") from problem
    if not isinstance(truth, dict):
        raise InputError(f"The truth of the blog in {folder} is not a JSON object.")
    return truth


def _samples(folder: Path, truth: dict[str, Any]) -> Iterator[Sample]:
    for post in truth.get("posts", ()):
        file = folder / "site" / post["file"] if post.get("file") else file_of(folder / "site", truth, post["path"])
        if file is not None and file.is_file():
            url = urljoin(truth.get("base_url") or "", post["path"])
            yield Sample(id=post["path"], url=url, html=decode(file.read_bytes())[1], gold=_gold(post))


def _gold(post: dict[str, Any]) -> Gold:
    comments = post.get("comments")
    return Gold(
        body=post.get("text"),
        title=post.get("title"),
        # null means not known, so a blog without names never shows an invented author.
        authors=(post["author"],) if post.get("author") else None,
        date=post.get("date"),
        date_tolerance_h=TOLERANCE_H,
        comments=tuple(
            GoldComment(text=c.get("text") or "", author=c.get("author"), date=c.get("date")) for c in comments
        )
        if comments
        else None,
    )


def evidence_of(folder: Path, truth: dict[str, Any]) -> Evidence | None:
    """Return the feed and the pages behind its links, or None when the blog has no feed that can be read."""
    site = folder / "site"
    if not truth.get("feed_file") or not (site / truth["feed_file"]).is_file():
        return None
    feed_url = urljoin(truth.get("base_url") or "", truth.get("feed_path") or truth["feed_file"])
    try:
        feed = read_feed((site / truth["feed_file"]).read_bytes(), feed_url)
    except BrokenFeed:
        return None
    files = {entry.link: file_of(site, truth, entry.link) for entry in feed.entries if entry.link}
    return Evidence(feed=feed, pages={link: decode(file.read_bytes())[1] for link, file in files.items() if file})


def file_of(site: Path, truth: dict[str, Any], link: str) -> Path | None:
    """Return the file that a web server would answer this address with, or None."""
    path = urlsplit(link).path
    mount = (truth.get("mount") or "/").rstrip("/") + "/"
    path = path.removeprefix(mount) if path.startswith(mount) else path.lstrip("/")
    # Some mirrors keep the percent signs in file names, others resolve them.
    for name in dict.fromkeys((path, unquote(path))):
        stem = name.rstrip("/")
        for candidate in (name, f"{stem}/index.html", f"{stem}.html", f"{stem}/index.htm"):
            file = site / candidate
            if candidate.strip("/") and ".." not in candidate.split("/") and "\0" not in candidate and file.is_file():
                return file
    return None
