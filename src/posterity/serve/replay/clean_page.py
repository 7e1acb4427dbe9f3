"""An archived page as safe HTML: only its text, structure and styles, with the fields of the record outlined.

The HTML is serialized from the tree with an allow-list, never copied from the source: no scripts, event handlers,
forms, frames or plug-ins, and no URLs except those of archived files. It is also served in a sandboxed frame (`frame`).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from functools import cache, cached_property
from html import escape
from importlib.resources import files
from urllib.parse import quote

import msgspec

from posterity.archive import Archive
from posterity.archive.captures import STAMP
from posterity.dom import Document, Tree, parse
from posterity.dom.media import COMMENT, CSS_URL, IMPORT_STATEMENT, absolute, media_source, srcset_candidates
from posterity.dom.source import decode
from posterity.dom.tree import TEXT, matches, node_at
from posterity.errors import PosterityError
from posterity.extraction.comments import comment_roots
from posterity.model import FieldRule, Page, Post, RuleSet
from posterity.text.normal_form import letters_and_digits

_MAX_CHARS = 2_000_000  # of all stylesheets of a page; large themes have about 600,000
_CHARSET = re.compile(r"""@charset\s+["'][^"']*["']\s*;""", re.IGNORECASE)
_TAG = re.compile(r"<(?=[a-zA-Z/!?])")


def style_elements(document: Document, files: StoredFiles, plain: str) -> str:
    """Return the page's stylesheets as <style> elements in order, after `plain` if none of them is archived."""
    sheets, is_styled = _sheets(document, files)
    written, left = [] if is_styled else [f"<style>{plain}</style>"], _MAX_CHARS
    for media, css, base_url in sheets:
        text = safe_css(css, base_url, files)
        left -= len(text)
        if left < 0:
            break
        written.append(f'<style media="{escape(media)}">{text}</style>' if media else f"<style>{text}</style>")
    return "".join(written)


def safe_css(css: str, base_url: str, files: StoredFiles, depth: int = 0) -> str:
    """Return a stylesheet with imports inlined and every URL replaced by one of the archive."""
    css = _CHARSET.sub("", COMMENT.sub("", css)).replace("\x00", "")
    parts: list[str] = []
    end = 0
    for found in IMPORT_STATEMENT.finditer(css):
        parts.append(_rewrite_urls(css[end : found.start()], base_url, files))
        parts.append(_inline_import(found, base_url, files, depth))
        end = found.end()
    return "".join([*parts, _rewrite_urls(css[end:], base_url, files)])


def _inline_import(found: re.Match[str], base_url: str, files: StoredFiles, depth: int) -> str:
    """Return the imported stylesheet, or "" if it is not archived."""
    url = absolute(base_url, found[1] or found[2] or found[3])
    text = files.text(url) if url and depth < 2 else None
    if url is None or text is None:
        return ""
    inner = safe_css(text, url, files, depth + 1)
    condition = _TAG.sub("", found[4].strip())
    return f"@media {condition} {{{inner}}}" if condition else inner


def _rewrite_urls(css: str, base_url: str, files: StoredFiles) -> str:
    """Replace every URL by one of the archive, and escape everything that looks like a tag."""
    files.prefetch(
        filter(None, (absolute(base_url, "".join(found).partition("#")[0]) for found in CSS_URL.findall(css)))
    )
    return _TAG.sub(r"\\3c ", CSS_URL.sub(lambda found: _archived_url(found, base_url, files), css))


def _archived_url(found: re.Match[str], base_url: str, files: StoredFiles) -> str:
    named = found[1] or found[2] or found[3] or ""
    if named.startswith(("data:", "#")):
        return found[0]
    url, _, fragment = named.replace('"', "").partition("#")
    stored = files.archived_path(absolute(base_url, url))
    return f'url("{stored}{"#" + fragment if fragment else ""}")' if stored else 'url("data:,")'


def _sheets(document: Document, files: StoredFiles) -> tuple[list[tuple[str, str, str]], bool]:
    """Return media, text and URL of every available stylesheet, and whether they suffice to style the page.

    If a page links stylesheets and none of them is archived, its inline styles do not suffice.
    """
    tree = document.tree
    found = []
    named = gotten = 0
    for node in sorted([*tree.nodes_by_tag.get("link", []), *tree.nodes_by_tag.get("style", [])]):
        attrs = tree.attrs[node]
        media = attrs.get("media") or ""
        if tree.tag[node] == "style":
            found.append((media, tree.plain(node), document.base_url))
            continue
        kinds = (attrs.get("rel") or "").lower().split()
        url = absolute(document.base_url, (attrs.get("href") or "").partition("#")[0])
        if url is None or "stylesheet" not in kinds or "alternate" in kinds:
            continue
        text = files.text(url)
        named += 1
        if text is not None:
            gotten += 1
            # A common trick to defer loading: a script changes the media attribute when the file has loaded.
            media = "all" if "onload" in attrs and media == "print" else media
            found.append((media, text, url))
    return found, bool(gotten) if named else bool(found)


_KEPT = frozenset(
    (
        "a abbr address article aside b blockquote body br caption center cite code col colgroup dd del details dfn "
        "div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd label li main mark nav "
        "ol p pre q rp rt ruby s samp section small span strike strong sub summary sup table tbody td tfoot th thead "
        "time tr tt u ul var"
    ).split()
)
_DROPPED = frozenset(
    (
        "script noscript template head link meta base title iframe frame frameset object embed applet param svg math "
        "audio video source track canvas map area input select textarea button option datalist dialog portal style"
    ).split()
)
_ATTRIBUTES = frozenset(
    (
        "class id style title alt width height colspan rowspan lang dir datetime start align valign border "
        "cellpadding cellspacing bgcolor color face size span open"
    ).split()
)


def clean_page(
    document: Document,
    parts: list[PagePart],
    files: StoredFiles,
    *,
    style: str,
    plain_style: str = "",
    script: str = "",
    nonce: str = "",
    numbered: bool = False,
) -> str:
    """Return the page with the parts outlined.

    `files` knows which pictures and stylesheets are archived. With `numbered`, elements have the number of their node,
    so that a click can be reported to the server. `style`, `script` and `plain_style`, which is for pages without
    usable styles, are the server's own.
    """
    tree = document.tree
    body = next(iter(tree.nodes_by_tag.get("body", [])), 0)
    marks = {part.node: part for part in parts}
    files.prefetch(url for node in tree.nodes_by_tag.get("img", []) for url in _sources(tree, node, document.base_url))
    files.prefetch(filter(None, (_target(tree, node, document.base_url) for node in tree.nodes_by_tag.get("a", []))))
    inner = "".join(_write_nodes(tree, body, marks, files, document.base_url, numbered=numbered))
    language = escape(document.language or "", quote=True)
    ours = f'<script nonce="{nonce}">{script}</script>' if script else ""
    theirs = style_elements(document, files, plain_style)
    root = next(iter(tree.nodes_by_tag.get("html", [])), 0)
    names = "".join(f' {name}="{escape(tree.attrs[root].get(name) or "")}"' for name in ("class", "id"))
    return (
        f'<!doctype html><html lang="{language}"{names}><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width"><title>Archived page</title>'
        f"{theirs}<style>{style}</style></head>{inner}{ours}</html>"
    )


def _write_nodes(
    tree: Tree, start: int, marks: Mapping[int, PagePart], files: StoredFiles, base_url: str, *, numbered: bool
) -> list[str]:
    out: list[str] = []
    open_nodes: list[tuple[int, str]] = []
    node, stop = start, tree.end[start]
    while node < stop:
        while open_nodes and tree.end[open_nodes[-1][0]] <= node:
            out.append(open_nodes.pop()[1])
        tag = tree.tag[node]
        if tag == TEXT:
            out.append(escape(tree.text[node], quote=False))
        elif tag in _DROPPED:
            node = tree.end[node]
            continue
        else:
            written = tag if tag in _KEPT else "span"
            attributes = _attributes(tree, node, written, files, base_url)
            if node in marks:
                part = marks[node]
                attributes += f' data-part="{part.kind}" data-note="{escape(part.note)}"'
            if numbered:
                attributes += f' data-node="{node}"'
            out.append(f"<{written}{attributes}>")
            if written not in ("br", "col", "hr", "img"):
                open_nodes.append((node, f"</{written}>"))
        node += 1
    out += [closing for _, closing in reversed(open_nodes)]
    return out


def _attributes(tree: Tree, node: int, tag: str, files: StoredFiles, base_url: str) -> str:
    attrs = tree.attrs[node]
    kept = [(name, value or "") for name, value in attrs.items() if name in _ATTRIBUTES]
    if "(" in (attrs.get("style") or ""):
        kept = [(name, safe_css(value, base_url, files) if name == "style" else value) for name, value in kept]
    if tag == "a":
        page = files.archived_path(_target(tree, node, base_url))
        kept += [("href", page)] if page else []
    if tag == "img":
        stored = next(filter(None, map(files.archived_path, _sources(tree, node, base_url))), None)
        if stored:
            kept.insert(0, ("src", stored))
        else:
            kept.append(("data-missing", ""))
    return "".join(f' {name}="{escape(value)}"' for name, value in kept)


def _target(tree: Tree, node: int, base_url: str) -> str | None:
    return absolute(base_url, (tree.attrs[node].get("href") or "").partition("#")[0])


def _sources(tree: Tree, node: int, base_url: str) -> Iterator[str]:
    """Yield the URLs under which the picture may be archived, best first."""
    attrs = tree.attrs[node]
    sets = (attrs.get(name) or "" for name in ("srcset", "data-srcset"))
    listed = (found for one in sets for _, found in srcset_candidates(one))
    for named in (media_source(tree, node), attrs.get("src"), *listed):
        if url := absolute(base_url, named):
            yield url.partition("#")[0]


class StoredFiles:
    """The archived pictures, pages and stylesheets that a page refers to.

    `media` maps URLs to names of files in the archive's media folder, `sheets` to texts of loaded stylesheets.
    """

    def __init__(
        self, archive: Archive | None, page: Page, media: Mapping[str, str], sheets: Mapping[str, str] | None = None
    ) -> None:
        self._archive = archive
        self._sheets = sheets or {}
        self._fetched_at = page.fetched_at
        self._media = media
        self._captured: dict[str, bool] = {}

    def prefetch(self, urls: Iterable[str]) -> None:
        """Look up many URLs in one query, before they are used one by one."""
        wanted = [url for url in dict.fromkeys(urls) if url not in self._captured and url not in self._media]
        if wanted and self._archive is not None:
            found = self._archive.captured_among(wanted)
            self._captured |= {url: url in found for url in wanted}

    def archived_path(self, url: str | None) -> str | None:
        """Return the path of the archived file on this server, or None."""
        if url is None:
            return None
        if url in self._media:
            return f"/media/{self._media[url]}"
        self.prefetch([url])
        if not self._captured.get(url):
            return None
        return f"/memento/{self._fetched_at.strftime(STAMP)}/{quote(url, safe='/?&=%:;+,@!$*~[]-._')}"

    def text(self, url: str) -> str | None:
        """Return the text of a stylesheet, stored at or near the time of the page, or None."""
        if url in self._sheets or self._archive is None:
            return self._sheets.get(url)
        moment = self._fetched_at.isoformat()
        found = [one for one in self._archive.captures(url) if one.status == 200 and "css" in (one.mime or "")]
        if not found:
            return None
        before = [one for one in found if one.fetched_at <= moment]
        nearest = before[-1] if before else found[0]
        try:
            stored = self._archive.read_page(f"{nearest.file}#{nearest.offset}")
        except PosterityError:  # taken down or damaged: the page is readable without it
            return None
        return decode(stored.body, stored.content_type)[1]


def framed_html(
    page: Page,
    posts: Iterable[Post],
    rules: RuleSet | None,
    *,
    archive: Archive | None,
    sheets: Mapping[str, str],
    nonce: str | None,
) -> str:
    """Return the cleaned page with the fields of these records outlined; with a nonce, a script reports clicks."""
    document = parse(page.body, page.url, page.content_type)
    some = tuple(posts)
    parts = [part for post in some for part in parts_on(document, post, rules)]
    media = {medium.url: medium.file for post in some for medium in post.media if medium.file}
    return clean_page(
        document,
        parts,
        StoredFiles(archive, page, media, sheets),
        style=own_file("frame.css"),
        plain_style=own_file("plain.css"),
        script=own_file("select.js") if nonce else "",
        nonce=nonce or "",
        numbered=nonce is not None,
    )


@cache
def own_file(name: str) -> str:
    """Return the text of a bundled file for frames, such as `frame.css`."""
    return files("posterity.serve.replay").joinpath(name).read_text("utf-8")


KINDS = ("article", "title", "author", "date", "tags", "comment", "removed")
_MIN_RUN = 3  # letters; shorter runs occur anywhere
_MAX_LOOKED_AT = 500_000_000  # letters of records that are searched for runs: half a second


class PagePart(msgspec.Struct, frozen=True, kw_only=True):
    """An element, the field that it is, and where this comes from."""

    node: int
    kind: str
    method: str = ""
    rule: str | None = None
    confidence: float | None = None

    @property
    def note(self) -> str:
        """The tooltip of the outline."""
        sure = f"{self.confidence:.0%} sure".replace("%", " %") if self.confidence is not None else ""
        return " · ".join(filter(None, (self.kind, self.rule or self.method, sure)))


def parts_on(document: Document, post: Post, rules: RuleSet | None = None) -> list[PagePart]:
    """Return the elements of the page that are fields of the record, in document order."""
    found = _Finder(document, post, rules).parts()
    unique = {part.node: part for part in sorted(found, key=lambda part: KINDS.index(part.kind), reverse=True)}
    return sorted(unique.values(), key=lambda part: part.node)


class _Finder:
    """Finds the elements of one record on one page."""

    def __init__(self, document: Document, post: Post, rules: RuleSet | None) -> None:
        self.tree, self.post = document.tree, post
        learned = (rule for fields in _all_fields(rules) for some in fields.values() for rule in some)
        self._known = {str(rule.rule): rule for rule in learned}
        self._learned = rules

    def parts(self) -> list[PagePart]:
        article = next(iter(self._nodes("text")), None) if self.post.text else None
        found = [
            ("article", "text", article),
            ("title", "title", self._visible("title")),
            ("author", "authors", self._visible("authors")),
            ("date", "published", self._visible("published")),
            *(("tags", "tags", node) for node in self._nodes("tags")),
            *(("comment", "comments", node) for node in self._comments()),
        ]
        parts = [self._part(kind, field, node) for kind, field, node in found if node is not None]
        if article is not None:
            parts += [self._removed_part(node) for node in self._removed_nodes(article, {part.node for part in parts})]
        return parts

    def _part(self, kind: str, field: str, node: int) -> PagePart:
        if (origin := self.post.provenance.get(field)) is None:
            return PagePart(node=node, kind=kind)
        return PagePart(node=node, kind=kind, method=origin.method, rule=origin.rule, confidence=origin.confidence)

    def _nodes(self, field: str) -> list[int]:
        """Return the elements that a field of the record was extracted from."""
        origin = self.post.provenance.get(field)
        if origin is None or not getattr(self.post, field):
            return []
        node = node_at(self.tree, origin.node) if origin.node else None
        if node is not None:
            return [node]
        used = self._known.get(origin.rule) if origin.rule else None
        # Values from the feed have no rule; the learned rule finds their element on other pages, and so on this one.
        learned = self._learned.rules_for(field)[:1] if self._learned else ()
        return [node for one in ([used] if used else learned) for node in matches(self.tree, one.rule)]

    def _visible(self, field: str) -> int | None:
        return next((node for node in self._nodes(field) if not self.tree.unseen[node]), None)

    def _comments(self) -> Iterator[int]:
        if not self.post.comments:
            return
        learned = self._learned.rules_for("comment_text") if self._learned else ()
        named = [node for rule in learned[:1] for node in matches(self.tree, rule.rule)]
        yield from named if len(named) >= len(self.post.comments) else sorted(comment_roots(self.tree))

    @cached_property
    def _out(self) -> dict[int, FieldRule]:
        """The elements that learned OUT rules remove from the article."""
        learned = [one for fields in _all_fields(self._learned) for one in fields.get("out", ())]
        return {node: one for one in reversed(learned) for node in matches(self.tree, one.rule)}

    def _removed_part(self, node: int) -> PagePart:
        rule = next((self._out[one] for one in range(node, self.tree.end[node]) if one in self._out), None)
        if rule is None:
            return PagePart(node=node, kind="removed")
        return PagePart(node=node, kind="removed", method="feed", rule=rule.rule.css, confidence=rule.confidence)

    def _removed_nodes(self, article: int, taken: set[int]) -> Iterator[int]:
        """Yield the largest elements inside the article whose visible text is missing in the record."""
        tree, text = self.tree, letters_and_digits(self.post.text)
        shown, kept = [0] * len(tree), [0] * len(tree)
        looked_at, others = 0, [*sorted(taken), len(tree)]
        for node in range(tree.end[article] - 1, article, -1):
            if tree.tag[node] == TEXT and not tree.unseen[node]:
                run = letters_and_digits(tree.text[node])
                shown[node] = len(run)
                looked_at += len(text)
                kept[node] = len(run) if looked_at > _MAX_LOOKED_AT or run[:60] in text else 0
            shown[tree.parent[node]] += shown[node]
            kept[tree.parent[node]] += kept[node]
        node, end = article + 1, tree.end[article]
        while node < end:
            is_known = node in taken or tree.unseen[node]
            is_removed = not is_known and tree.tag[node] != TEXT and shown[node] >= _MIN_RUN and not kept[node]
            is_removed = is_removed and others[bisect_right(others, node)] >= tree.end[node]
            if is_removed:
                yield node
            node = tree.end[node] if is_known or is_removed else node + 1


def _all_fields(rules: RuleSet | None) -> list[Mapping[str, tuple[FieldRule, ...]]]:
    return [rules.fields, *(layout.fields for layout in rules.layouts)] if rules else []
