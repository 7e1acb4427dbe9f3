"""Data sets on disk: JSON lines of annotated pages, mirrors of blogs with a truth.json, and folders of either.

A line is `{"id", "url", "html", "gold": {...}, "tags": {...}}`; files may be compressed with xz or gzip. A blog is a
folder with `site/` and `truth.json`.

A page is a `Sample`: the input of a method, and the gold standard for its result. A field of `Gold` that is None is
unknown and not measured. An empty field means that the page has no such value: an author found there is invented.
"""

from __future__ import annotations

import gzip
import json
import lzma
import random
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TextIO
from urllib.parse import unquote, urljoin, urlsplit

import msgspec

from posterity.discover.feed import read_feed
from posterity.dom import parse, text_of
from posterity.dom.source import decode
from posterity.dom.terms import term_in
from posterity.errors import BrokenFeed, InputError
from posterity.evaluate.elements import (
    ArticleElement,
    elements_of_html,
    elements_of_markdown,
    gold_elements,
    theme_optional,
)
from posterity.export.cleaneval import cleaneval_lines
from posterity.model import Comment, Feed, Post

# CleanEval files start with a line "URL: ..." and mark every block with <p>, <h> or <l> (Baroni et al., LREC 2008).
_MARKED = re.compile(r"\s*(?:URL\b[^\n]*\n\s*)?<[phl]>", re.IGNORECASE)

# CleanEval never closes a block; forum posts about HTML do.
_CLOSED = re.compile(r"</[a-z]+>", re.IGNORECASE)


class GoldComment(msgspec.Struct, frozen=True, kw_only=True):
    """An expected comment; `parent` is the `id` of the comment that it replies to."""

    text: str = ""
    author: str | None = None
    date: str | None = None
    id: str | None = None
    parent: str | None = None


class GoldPost(msgspec.Struct, frozen=True, kw_only=True):
    """An expected post of a front page or a forum thread."""

    url: str | None = None
    title: str | None = None
    text: str | None = None
    author: str | None = None
    date: str | None = None


class Gold(msgspec.Struct, frozen=True, kw_only=True):
    """The correct values of a page."""

    body: str | None = None
    title: str | None = None
    authors: tuple[str, ...] | None = None
    date: str | None = None
    # Feed and page may give the date in different time zones; 0 requires the same calendar day.
    date_tolerance_h: int = 0
    # Tags and categories together: which is which differs from theme to theme.
    tags: tuple[str, ...] | None = None
    comments: tuple[GoldComment, ...] | None = None
    # All comments as one text, if the data set does not separate them.
    comments_text: str | None = None
    segments_with: tuple[str, ...] = ()
    segments_without: tuple[str, ...] = ()
    comment_segments: tuple[str, ...] = ()
    posts: tuple[GoldPost, ...] | None = None
    # URLs of further posts that may be on the page: neither required nor wrong.
    other_posts: tuple[str, ...] = ()
    # The elements of the article's node, by kind.
    elements: dict[str, list[ArticleElement]] | None = None

    @property
    def is_marked(self) -> bool:
        """Whether the body has CleanEval's block marks, and is not just a text that starts with a tag."""
        return bool(self.body and _MARKED.match(self.body) and not _CLOSED.search(self.body))


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A page of a data set. `html` is decoded text, because encoding detection is not evaluated."""

    id: str
    url: str = ""
    html: str
    gold: Gold
    tags: Mapping[str, bool | str | None] = {}
    # Whether this is a front page with several posts.
    index: bool = False


class SiteEvidence(msgspec.Struct, frozen=True, kw_only=True):
    """The evidence for a blog's rules: its feed, and the pages that the feed links to."""

    feed: Feed
    pages: Mapping[str, str]


class SampleSite(msgspec.Struct, frozen=True, kw_only=True):
    """The pages of one host or blog, which methods may compare."""

    name: str
    samples: tuple[Sample, ...]
    evidence: SiteEvidence | None = None


class FoundItem(msgspec.Struct, frozen=True, kw_only=True):
    """A post or comment that was found on the page."""

    text: str = ""
    url: str | None = None
    title: str | None = None
    author: str | None = None
    date: str | None = None
    # Only for comments: the id, and the id of the comment replied to.
    id: str | None = None
    parent: str | None = None


class Prediction(msgspec.Struct, frozen=True, kw_only=True):
    """The result of a candidate on one page: the text of all posts, the first post's fields, all posts and comments.

    A crash, a timeout and a page without posts give the empty prediction.
    """

    text: str = ""
    # The text with CleanEval's marks; only if the gold standard has them.
    marked: str = ""
    title: str | None = None
    authors: tuple[str, ...] = ()
    date: str | None = None
    tags: tuple[str, ...] = ()
    posts: tuple[FoundItem, ...] = ()
    comments: tuple[FoundItem, ...] = ()
    # Links, images and other elements of the first post, by kind; only if the gold standard has them.
    elements: dict[str, list[ArticleElement]] = {}


def prediction_of(posts: Sequence[Post], gold: Gold | None = None) -> Prediction:
    """Convert the posts of a page to a prediction. Its text is that of all posts."""
    if not posts:
        return Prediction()
    first = posts[0]
    elements: dict[str, list[ArticleElement]] = {}
    if gold and gold.elements is not None:
        written = elements_of_markdown(first.markdown, first.url) if first.markdown else None
        elements = elements_of_html(first.html or "", first.url) if written is None else written
    return Prediction(
        text=_join_texts(post.text for post in posts),
        marked=_join_texts(cleaneval_lines(post) for post in posts) if gold and gold.is_marked else "",
        title=_clean(first.title),
        authors=tuple(filter(None, map(_clean, first.authors))),
        date=first.published.isoformat() if first.published else None,
        tags=tuple(filter(None, map(_clean, (*first.tags, *first.categories)))),
        posts=tuple(
            _found_item(post, ", ".join(post.authors), url=_clean(post.url), title=_clean(post.title)) for post in posts
        ),
        comments=tuple(
            _found_item(comment, comment.author, id=comment.id, parent=comment.parent)
            for post in posts
            for comment in post.comments
            if not comment.is_trackback
        ),
        elements=elements,
    )


def _found_item(found: Post | Comment, author: str | None, **more: str | None) -> FoundItem:
    date = found.published.isoformat() if found.published else None
    return FoundItem(text=_clean(found.text) or "", author=_clean(author), date=date, **more)


def _join_texts(texts: Iterable[str]) -> str:
    return "\n\n".join(filter(None, map(_clean, texts)))


def _clean(text: str | None) -> str | None:
    """Replace lone surrogates, which some rivals return and which cannot be encoded."""
    return text.encode("utf-8", "replace").decode() if text else None


TOLERANCE_H = 14  # the largest offset of a time zone from UTC: those of feed and page may be this far apart


def blog_site(folder: Path) -> SampleSite:
    """Return the blog with all posts that its truth.json annotates; raise `InputError` if that cannot be read."""
    truth = _truth(folder)
    return SampleSite(name=folder.name, samples=tuple(_samples(folder, truth)), evidence=evidence_of(folder, truth))


def front_page_site(folder: Path, front: dict[str, Any]) -> SampleSite:
    """Return the blog with only its front page, annotated with the posts that `front` lists."""
    truth = _truth(folder)
    base = truth.get("base_url") or ""
    # Texts, so that a post found without its title and link is still matched.
    texts = {post.get("path"): post.get("text") for post in truth.get("posts") or ()}
    posts = tuple(
        GoldPost(url=urljoin(base, path), title=post.get("title"), date=post.get("date"), text=texts.get(path))
        for post in front.get("posts", ())
        for path in (post["path"],)
    )
    file = folder / str(front.get("file"))
    if not file.is_file():
        return SampleSite(name=folder.name, samples=())
    url = urljoin(base, str(front.get("entry") or "/"))
    # The list omits posts with hardly any text and posts without annotations.
    listed = {post.url for post in posts}
    others = tuple(other for path in truth.get("post_paths") or () if (other := urljoin(base, path)) not in listed)
    gold = Gold(posts=posts, other_posts=others)
    html, tags = decode(file.read_bytes())[1], {"engine": truth.get("engine")}
    sample = Sample(id=str(front.get("file")), url=url, html=html, gold=gold, index=True, tags=tags)
    return SampleSite(name=folder.name, samples=(sample,), evidence=evidence_of(folder, truth))


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
            yield Sample(id=post["path"], url=url, html=decode(file.read_bytes())[1], gold=_blog_gold(post))


def _blog_gold(post: dict[str, Any]) -> Gold:
    comments = post.get("comments")
    return Gold(
        body=post.get("text"),
        title=post.get("title"),
        # null means unknown, so invented authors cannot be detected here.
        authors=(post["author"],) if post.get("author") else None,
        date=post.get("date"),
        date_tolerance_h=TOLERANCE_H,
        comments=tuple(map(_gold_comment, comments)) if comments else None,
    )


def _gold_comment(comment: dict[str, Any]) -> GoldComment:
    fields = {name: comment.get(name) for name in ("author", "date", "id", "parent")}
    return GoldComment(text=comment.get("text") or "", **fields)


def _with_tags(samples: Sequence[Sample], selector: str) -> list[Sample]:
    """Return the pages with gold tags: the texts of the elements that a CSS selector matches."""
    found = []
    for sample in samples:
        terms = (term_in(text_of(tree)) for tree in parse(sample.html, sample.url).all(selector))
        gold = msgspec.structs.replace(sample.gold, tags=tuple(dict.fromkeys(filter(None, terms))))
        found.append(msgspec.structs.replace(sample, gold=gold))
    return found


def _elements(sample: Sample, selectors: Mapping[str, Any]) -> dict[str, list[ArticleElement]] | None:
    given = selectors.get("body")
    bodies = [body for body in (given if isinstance(given, list) else [given]) if isinstance(body, str)]
    document = parse(sample.html, sample.url)
    for body in (one.strip() for alternatives in bodies for one in alternatives.split("||")):
        if document.has(body):
            dropped = ", ".join(f"{body} {each}" for each in selectors.get("body_drop") or ())
            whole = document.without(dropped) if dropped else document
            parts = [found for found in (document.first(body), whole.first(body)) if found]
            return gold_elements(parts, sample.url, sample.gold.body or "")
    return None


def evidence_of(folder: Path, truth: dict[str, Any]) -> SiteEvidence | None:
    """Return the feed and the pages it links to, or None if the blog has no readable feed."""
    site = folder / "site"
    if not truth.get("feed_file") or not (site / truth["feed_file"]).is_file():
        return None
    feed_url = urljoin(truth.get("base_url") or "", truth.get("feed_path") or truth["feed_file"])
    try:
        feed = read_feed((site / truth["feed_file"]).read_bytes(), feed_url)
    except BrokenFeed:
        return None
    files = {entry.link: file_of(site, truth, entry.link) for entry in feed.entries if entry.link}
    return SiteEvidence(feed=feed, pages={link: decode(file.read_bytes())[1] for link, file in files.items() if file})


def file_of(site: Path, truth: dict[str, Any], link: str) -> Path | None:
    """Return the file that a web server would send for this URL, or None."""
    path = urlsplit(link).path
    mount = (truth.get("mount") or "/").rstrip("/") + "/"
    path = path.removeprefix(mount) if path.startswith(mount) else path.lstrip("/")
    # Some mirrors keep percent-encoding in file names, others decode it.
    for name in dict.fromkeys((path, unquote(path))):
        stem = name.rstrip("/")
        for candidate in (name, f"{stem}/index.html", f"{stem}.html", f"{stem}/index.htm"):
            file = site / candidate
            if candidate.strip("/") and ".." not in candidate.split("/") and "\0" not in candidate and file.is_file():
                return file
    return None


# URLs of web archives, such as web.archive.org/web/20130807id_/http://host/...
_ARCHIVED = re.compile(r"^https?://[^/]+/(?:web|wayback)/\d{4,14}[a-z_]*/(?=https?://)")


def host_of(url: str) -> str:
    """Return the original host of a page, without "www.", or "" if the URL has none."""
    try:
        return (urlsplit(_ARCHIVED.sub("", url)).hostname or "").removeprefix("www.")
    except ValueError:
        return ""


def sites_of(samples: Iterable[Sample]) -> list[SampleSite]:
    """Group the samples by host, in the order of the first page of each host."""
    by_host: dict[str, list[Sample]] = {}
    for sample in samples:
        host = host_of(sample.url)
        # A page without a host is its own site; NUL cannot occur in a host name.
        by_host.setdefault(host or f"\0{sample.id}", []).append(sample)
    return [SampleSite(name=name.lstrip("\0"), samples=tuple(pages)) for name, pages in by_host.items()]


SEED = 20_260  # arbitrary but fixed, so that all runs draw the same pages


class DataSet(msgspec.Struct, frozen=True):
    """The location of a data set. Nothing is read before `sites` is called."""

    name: str
    kind: Literal["pages", "blog", "front page"]
    path: Path
    # For a front page: its description.
    front: dict[str, Any] = {}
    # For a blog: the CSS selector of the tags and categories of a post, to evaluate them.
    tags: str = ""

    def sites(self, sample: int | None = None) -> list[SampleSite]:
        """Return the pages grouped by host or blog; at most `sample` of them, always the same ones."""
        if self.kind == "pages":
            return sites_of(pick_samples(read_samples(self.path), sample))
        site = blog_site(self.path) if self.kind == "blog" else front_page_site(self.path, self.front)
        samples = pick_samples(site.samples, sample)
        if self.kind == "blog":
            selectors = _truth(self.path).get("selectors") or {}
            # The elements below the node that the blog's CSS selector for articles matches.
            found = [_elements(sample, selectors) for sample in samples]
            known = iter(theme_optional([elements for elements in found if elements is not None]))
            samples = [
                sample
                if elements is None
                else msgspec.structs.replace(sample, gold=msgspec.structs.replace(sample.gold, elements=next(known)))
                for sample, elements in zip(samples, found, strict=True)
            ]
            samples = _with_tags(samples, self.tags) if self.tags else samples
        return [msgspec.structs.replace(site, samples=tuple(samples))] if samples else []


def datasets_in(paths: Iterable[Path], fronts: Path | None = None) -> list[DataSet]:
    """Return the data sets in these paths; with `fronts`, only the front pages of blogs that this file describes."""
    found = [dataset for path in paths for dataset in _in(path)]
    if fronts is not None:
        described = _json_of(fronts)
        blogs = (one for one in found if one.kind == "blog" and one.name in described)
        found = [DataSet(f"{one.name} (front)", "front page", one.path, described[one.name]) for one in blogs]
    if not found:
        raise InputError("No data set was found. Use .jsonl files, or folders that contain a truth.json or such files.")
    return found


def _in(path: Path) -> list[DataSet]:
    if path.is_file():
        return [DataSet(path.name.split(".jsonl")[0], "pages", path)]
    if not path.is_dir():
        raise InputError(f"There is no file or folder {path}.")
    if (path / "truth.json").is_file():
        return [DataSet(path.name, "blog", path)]
    lines = [file for file in sorted(path.iterdir()) if file.is_file() and ".jsonl" in file.suffixes]
    files = [DataSet(file.name.split(".jsonl")[0], "pages", file) for file in lines]
    return files + [DataSet(truth.parent.name, "blog", truth.parent) for truth in sorted(path.glob("*/truth.json"))]


def read_samples(path: Path) -> Iterator[Sample]:
    """Yield the pages of a file line by line; raise `InputError` with the number of an invalid line."""
    try:
        with _open_text(path) as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _sample(line, f"{path.name}, line {number}")
    except (OSError, EOFError, lzma.LZMAError, UnicodeDecodeError) as problem:
        raise InputError(f"The data set {path} cannot be read: {problem}.") from problem


def _open_text(path: Path) -> TextIO:
    if path.suffix == ".xz":
        return lzma.open(path, "rt", encoding="utf-8")
    if path.suffix == ".gz":
        return gzip.open(path, "rt", encoding="utf-8")
    return path.open(encoding="utf-8")


def _sample(line: str, place: str) -> Sample:
    try:
        record = json.loads(line)
        # JSON can contain lone surrogates, which cannot be encoded later.
        html = str(record["html"]).encode("utf-8", "replace").decode()
        url = record.get("url")
        # Some data sets have labels instead of URLs; no URL is better than a wrong one.
        return Sample(
            id=str(record.get("id") or place),
            url=url if isinstance(url, str) and url.startswith(("http://", "https://")) else "",
            html=html,
            gold=_gold(record.get("gold") or {}),
            tags=record.get("tags") or {},
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise InputError(
            f'{place} is not an annotated page: a line is a JSON object with "html" and an object "gold" ({problem}).'
        ) from problem


def _gold(gold: object) -> Gold:
    if not isinstance(gold, dict):
        raise TypeError(f"gold is {json.dumps(gold)[:40]}")
    author = gold.get("author")
    return Gold(
        body=_text(gold.get("body")),
        title=_text(gold.get("title")),
        authors=None if author is None else _texts([author] if isinstance(author, str) else author),
        date=_text(gold.get("date")),
        comments_text=_text(gold.get("comments")),
        segments_with=_texts(gold.get("with")),
        segments_without=_texts(gold.get("without")),
        comment_segments=_texts(gold.get("comment_segments")),
        posts=tuple(map(_gold_post, gold["posts"])) if gold.get("posts") else None,
    )


def _gold_post(post: dict[str, Any]) -> GoldPost:
    return GoldPost(
        author=_text(post.get("user")), **{name: _text(post.get(name)) for name in ("text", "date", "title", "url")}
    )


def _text(value: object) -> str | None:
    """Return a string unchanged; NaN and numbers, which spreadsheets leave for unknown texts, become None."""
    return value if isinstance(value, str) else None


def _texts(values: Iterable[object] | None) -> tuple[str, ...]:
    return tuple(value for value in values or () if isinstance(value, str) and value)


def pick_samples(samples: Iterable[Sample], count: int | None) -> list[Sample]:
    """Return a uniform random sample of at most `count`, always the same one, in the original order."""
    if count is None:
        return list(samples)
    # Algorithm R (Vitter 1985): one pass with at most `count` pages in memory.
    rng = random.Random(SEED)  # noqa: S311 - a draw of pages, not a secret
    kept: list[tuple[int, Sample]] = []
    for place, sample in enumerate(samples):
        if len(kept) < count:
            kept.append((place, sample))
        elif (slot := rng.randrange(place + 1)) < count:
            kept[slot] = (place, sample)
    return [sample for _, sample in sorted(kept, key=lambda pair: pair[0])]


def _json_of(path: Path) -> dict[str, Any]:
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise InputError(f"The file {path} cannot be read: {problem}.") from problem
    if not isinstance(content, dict):
        raise InputError(f"The file {path} does not describe front pages: a JSON object by blog name is expected.")
    return content
