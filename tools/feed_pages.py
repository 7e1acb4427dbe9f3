"""Collects training pages without annotations: posts of blogs in public repositories, labelled by full-text feeds.

    python -m tools.feed_pages find MIRRORS --list tools/feed_blogs.json    # which repositories can be used
    python -m tools.feed_pages read MIRRORS --list tools/feed_blogs.json -o feed_pages.jsonl.xz

MIRRORS is a folder with git directories OWNER+NAME/repo. The list contains repository, commit, licence and feed of each
blog, so that the same pages can be read again; the pages themselves are not redistributed. A blog is used if its
repository has a permissive licence and its feed has the full text of its posts. Pages that disagree with the feed, or
that continue after the feed's text, are left out. Only a few pages are taken per theme, to avoid overfitting to themes.

`posterity evaluate` can measure on these pages, and `make train FEED_PAGES=...` can train on them. So far this gains
nothing beyond chance (docs/experiments/hybrid.md), so the weights were trained without them.
"""

from __future__ import annotations

import argparse
import json
import lzma
import re
import subprocess
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import msgspec
from tools.article_labels import labels

from posterity.discover.feed import read_feed
from posterity.dom import parse, text_of
from posterity.dom.source import decode
from posterity.errors import PosterityError
from posterity.evaluate.measures.text import tokens
from posterity.extraction.hybrid.blocks import Blocks, NameTable

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from posterity.model import FeedEntry

_LICENCE_FILE = re.compile(r"(?:licen[sc]e|copying)[^/]*", re.IGNORECASE)
_FEED_FILE = re.compile(
    r"(?:.*/)?(?:(?:atom|feed|rss2?|index|all\.atom)\.(?:xml|atom|rss)|(?:feed|rss)/index\.(?:html|xml|rss))",
    re.IGNORECASE,
)
_NO_HOSTS = frozenset({"blog.example", "example.com", "www.example.com", "yourdomain.com"})
_LICENCES = {
    "MIT": ("Permission is hereby granted, free of charge",),
    "Apache-2.0": ("Apache License", "Version 2.0"),
    "BSD": ("Redistribution and use in source and binary forms",),
    "CC0-1.0": ("CC0 1.0",),
    "CC-BY": ("Creative Commons Attribution",),
}
_RESTRICTED = re.compile(r"NonCommercial|NoDeriv|ShareAlike", re.IGNORECASE)
_MAX_FEED_BYTES, _MAX_PAGE_BYTES = 20_000_000, 2_000_000
_FEEDS = 4  # feeds tried per repository, largest first
_TRIED, _PAGES = 12, 6  # posts examined per blog, and taken
_MIN_WORDS, _MIN_F1 = 10, 0.93
_WHOLE_SUMMARY = 150  # words from which a summary may be a whole post
_SAME_THEME, _THEME_PAGES = 0.55, 10
_GOES_ON = 0.2  # maximum length of siblings after the feed's last paragraph, relative to the article
_MAX_CUT = 0.3  # maximum share of a blog's pages that continue after the feed's text; above it, the feed is truncated


class FeedBlog(msgspec.Struct, frozen=True, kw_only=True):
    """An entry of the list."""

    repository: str
    commit: str
    licence: str
    feed: str


class FeedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A post whose feed entry has its full text; `names` are the classes of its theme."""

    path: str
    entry: Any
    html: str
    text: str
    names: frozenset[str]


class Repository:
    """A git directory without a work tree."""

    def __init__(self, folder: Path) -> None:
        owner, _, name = folder.name.partition("+")
        self.name = f"{owner}/{name}"
        self._git = folder / "repo" / ".git" if (folder / "repo" / ".git").is_dir() else folder / "repo"

    def run(self, *arguments: str) -> bytes:
        """Return the output of git; empty if it fails, because large files may be listed but absent."""
        command = ["git", "-c", "safe.directory=*", "-c", "core.quotepath=false", "--git-dir", str(self._git)]
        return subprocess.run([*command, *arguments], capture_output=True, check=False).stdout

    def files(self, commit: str) -> dict[str, int]:
        """Return the files of a commit with their sizes."""
        found = {}
        for line in self.run("ls-tree", "-r", "-l", commit).decode("utf-8", "replace").splitlines():
            facts, _, path = line.partition("\t")
            size = facts.split()[3]
            found[path] = int(size) if size.isdigit() else 0
        return found

    def read(self, commit: str, path: str) -> bytes:
        """Return a file of a commit."""
        return self.run("show", f"{commit}:{path}")

    def commits(self) -> list[str]:
        """Return the newest commit of every branch, and the last one before feeds were deleted."""
        heads = self.run("for-each-ref", "--format=%(objectname)", "refs/heads", "refs/remotes").decode().split()
        deleted = self.run(
            "log", "--all", "-1", "--diff-filter=D", "--format=%H^", "--", "*feed.xml", "*atom.xml", "*rss.xml"
        )
        names = ["HEAD", *heads, *deleted.decode().split()]
        found = (self.run("rev-parse", "--verify", "-q", f"{name}^{{commit}}").decode().strip() for name in names)
        return list(dict.fromkeys(filter(None, found)))[:6]

    def licence(self, files: dict[str, int], commit: str) -> str | None:
        """Return the name of the permissive licence in the root of a commit."""
        for path in sorted(filter(_LICENCE_FILE.fullmatch, files)):
            text = " ".join(self.read(commit, path).decode("utf-8", "replace").split())
            for name, phrases in _LICENCES.items():
                restricted = name == "CC-BY" and _RESTRICTED.search(text)
                if all(phrase in text for phrase in phrases) and not restricted:
                    return name
        return None


def find_blog(repository: Repository) -> tuple[FeedBlog, list[FeedPage]] | str:
    """Return the blog of a repository with its pages, or the reason why there is none."""
    trees = {commit: repository.files(commit) for commit in repository.commits()}
    # Branches with build output often lack the licence file.
    licence = next(filter(None, (repository.licence(files, commit) for commit, files in trees.items())), None)
    if licence is None:
        return "no permissive licence"
    why = "no feed"
    for commit, files in trees.items():
        feeds = [path for path, size in files.items() if _FEED_FILE.fullmatch(path) and size < _MAX_FEED_BYTES]
        for feed in sorted(feeds, key=lambda path: (-files[path], path))[:_FEEDS]:
            blog = FeedBlog(repository=repository.name, commit=commit, licence=licence, feed=feed)
            pages = pages_of(repository, blog, files)
            if isinstance(pages, str):
                why = pages
            elif pages:
                return blog, pages
    return why


def pages_of(repository: Repository, blog: FeedBlog, files: dict[str, int]) -> list[FeedPage] | str:
    """Return the posts whose full text is in the blog's feed, or the reason why there are none."""
    try:
        feed = read_feed(repository.read(blog.commit, blog.feed), "https://blog.example/")
    except PosterityError:
        return "no feed"
    found, cut, tried = [], 0, 0
    for entry in feed.entries:
        path = file_of(entry, blog.feed, files)
        if tried == _TRIED or path is None:
            continue
        tried += 1
        page = feed_page(path, entry, decode(repository.read(blog.commit, path))[1])
        if isinstance(page, FeedPage):
            found.append(page)
        else:
            cut += page
    if cut > _MAX_CUT * (len(found) + cut):
        return "its feed has beginnings of posts"
    return found[:_PAGES] or "feed and pages disagree"


def feed_page(path: str, entry: FeedEntry, html: str) -> FeedPage | bool:
    """Return the page with the text of its entry, or, if it cannot be used, whether it continues after that text."""
    text = text_of(parse(entry.content or entry.summary or "").tree)
    wanted = Counter(tokens(text))
    if entry.content is None and wanted.total() < _WHOLE_SUMMARY:
        return False
    tree = parse(html).tree
    blocks = Blocks(tree, NameTable({}))
    if wanted.total() < _MIN_WORDS or not len(blocks):
        return False
    found = labels(blocks.texts, text)
    kept = [number for number, label in enumerate(found) if label >= 0.5]
    given = Counter(word for number in kept for word in tokens(blocks.texts[number]))
    if not kept or 2 * (wanted & given).total() < _MIN_F1 * (wanted.total() + given.total()):
        return False
    beside = tree.parent[blocks.elements[kept[-1]]]
    behind = sum(
        len(blocks.texts[number])
        for number in range(kept[-1] + 1, blocks.before[tree.end[beside]])
        if tree.tag[blocks.elements[number]] in ("p", "h2", "h3", "li", "pre", "blockquote")
    )
    if behind > _GOES_ON * sum(len(blocks.texts[number]) for number in kept):
        return True
    inside = set(range(blocks.elements[kept[0]], blocks.elements[kept[-1]] + 1))
    names = {
        name
        for node, attrs in enumerate(tree.attrs)
        if attrs and node not in inside
        for name in (attrs.get("class") or "").split()
        if not any(letter.isdigit() for letter in name)
    }
    return FeedPage(path=path, entry=entry, html=html, text=text, names=frozenset(names))


def file_of(entry: FeedEntry, feed: str, files: dict[str, int]) -> str | None:
    """Return the file of a post's URL, in the folder of the feed or one of its parents."""
    if not entry.link:
        return None
    parts = [part for part in unquote(urlsplit(entry.link).path).split("/") if part]
    folders = feed.split("/")[:-1]
    for depth in range(len(folders), -1, -1):
        for skipped in range(min(3, len(parts))):
            stem = "/".join((*folders[:depth], *parts[skipped:]))
            for path in (stem, f"{stem}/index.html", f"{stem}.html"):
                if 0 < files.get(path, 0) < _MAX_PAGE_BYTES and path.endswith((".html", ".htm")):
                    return path
    return None


def capped(blogs: Sequence[tuple[FeedBlog, list[FeedPage]]]) -> Iterator[tuple[FeedBlog, int, list[FeedPage]]]:
    """Yield the blogs with the number of their theme and the pages taken, at most `_THEME_PAGES` per theme."""
    themes: list[tuple[frozenset[str], int]] = []
    for blog, pages in blogs:
        names = pages[0].names
        alike = [
            number
            for number, (other, _) in enumerate(themes)
            if len(names & other) >= _SAME_THEME * max(1, len(names | other))
        ]
        if not alike:
            themes.append((names, 0))
        theme = alike[0] if alike else len(themes) - 1
        taken = pages[: max(0, _THEME_PAGES - themes[theme][1])]
        themes[theme] = (themes[theme][0], themes[theme][1] + len(taken))
        if taken:
            yield blog, theme, taken


def line_of(blog: FeedBlog, theme: int, page: FeedPage) -> dict[str, Any]:
    """Return the page in the form that `posterity evaluate` reads."""
    entry: FeedEntry = page.entry
    return {
        "id": f"{blog.repository}:{page.path}",
        "url": url_of(blog, page),
        "html": page.html,
        # No date: feeds have UTC dates and most pages do not, so the day may differ.
        "gold": {"body": page.text, "title": entry.title, "author": list(entry.authors) or None},
        "tags": {"page_type": "article", "label": "feed", "theme": str(theme)},
    }


def url_of(blog: FeedBlog, page: FeedPage) -> str:
    """Return the URL of a post; if its host is local or a placeholder, one derived from the repository's name."""
    link = page.entry.link or ""
    host = urlsplit(link).hostname or ""
    if "." in host and host not in _NO_HOSTS and not host[0].isdigit():
        return link
    return f"https://{blog.repository.replace('/', '.').lower()}.example/{page.path.removesuffix('index.html')}"


def main() -> None:
    """Find blogs, or read the pages of those in the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("find", "read"))
    parser.add_argument("mirrors", type=Path)
    parser.add_argument("--list", type=Path, required=True)
    parser.add_argument("-o", "--out", type=Path)
    options = parser.parse_args()
    if options.action == "find":
        folders = sorted(folder for folder in options.mirrors.iterdir() if (folder / "repo").is_dir())
        blogs = []
        for folder in folders:
            result = find_blog(Repository(folder))
            print(folder.name, result if isinstance(result, str) else f"{len(result[1])} pages", flush=True)
            blogs += [result] if not isinstance(result, str) else []
        chosen = [blog for blog, _, _ in capped(blogs)]
        options.list.write_bytes(msgspec.json.format(msgspec.json.encode(chosen), indent=1) + b"\n")
        return
    read = []
    for blog in msgspec.json.decode(options.list.read_bytes(), type=list[FeedBlog]):
        repository = Repository(options.mirrors / blog.repository.replace("/", "+"))
        pages = pages_of(repository, blog, repository.files(blog.commit))
        print(blog.repository, pages if isinstance(pages, str) else f"{len(pages)} pages", flush=True)
        read += [(blog, pages)] if not isinstance(pages, str) else []
    with lzma.open(options.out, "wt", encoding="utf-8") as lines:
        for blog, theme, pages in capped(read):
            for page in pages:
                lines.write(json.dumps(line_of(blog, theme, page), ensure_ascii=False) + "\n")


if __name__ == "__main__":
    main()
