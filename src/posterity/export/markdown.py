"""A folder of Markdown files with YAML front matter that Hugo, Jekyll, Eleventy and Pelican build as it is.

    _posts/DATE-NAME.md      one a post; _posts/HOST/... when there are several blogs
    _undated/NAME.md         posts without a date, which Jekyll would not take for posts
    media/                   pictures and other files of the posts
    search/                  a page that searches titles, tags and beginnings of posts, and its list of posts
    hugo.toml _config.yml eleventy.config.cjs pelicanconf.py
                             their settings; layouts, _layouts and _includes hold the templates of the first three

A post keeps the path that it had on its blog. Links between posts lead to the copies.
"""

from __future__ import annotations

import json
import re
import shutil
from importlib import resources
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from posterity.export.files import file_name, post_name
from posterity.export.media_paths import LocalPaths
from posterity.export.temporary import spool_posts

if TYPE_CHECKING:
    from pathlib import Path

    from posterity.archive import Archive
    from posterity.export.selection import Source
    from posterity.model import Comment, Post

_TEMPLATES = "markdown_site"
_SEARCHED_CHARS = 1000  # a visitor loads the list of all posts: a megabyte for a thousand of them
# Control characters, line separators that YAML 1.1 folds, marks of byte order, halves of characters.
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
# Hugo takes these for its own commands, also inside of code.
_SHORTCODE = re.compile(r"\{\{(?=[<%])")


def write_markdown(source: Source, out: Path) -> None:
    """Write the folder."""
    by_host = len(source.blogs) > 1
    with resources.as_file(resources.files("posterity.export") / _TEMPLATES) as templates:
        # Not copytree, which goes on when the disk is full and then complains of every file.
        for template in sorted(path for path in templates.rglob("*") if path.is_file()):
            place = out / str(template.relative_to(templates)).removesuffix(
                ".txt"
            )  # a script of Python is none of ours
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(template, place)
    _write_settings(source, out)
    for folder in ("_posts", "_undated", "media"):
        (out / folder).mkdir()
    with LocalPaths(by_host=by_host) as paths, spool_posts(source.posts) as posts:
        for post in posts:
            paths.add(post)
        with (out / "search" / "posts.json").open("w", encoding="utf-8", errors="replace") as listed:
            for number, post in enumerate(posts):
                listed.write(("," if number else "[") + "\n" + _searchable(post, paths))
            listed.write("\n]\n")
        for post in posts:
            media = copied_media(post, source.archive, out / "media")
            text = markdown_file(post, paths, media)
            _free_file(_folder(out, post, by_host=by_host), post).write_text(text, encoding="utf-8", errors="replace")


def markdown_file(post: Post, paths: LocalPaths, media: dict[str, str]) -> str:
    """Return the post as a Markdown file. Values are written as JSON, which every YAML reader understands."""
    path = paths.path(post.url)
    facts: dict[str, Any] = {
        "title": post.title or "",
        "date": post.published.isoformat() if post.published else None,
        "lastmod": post.modified.isoformat() if post.modified else None,
        "authors": list(post.authors),
        "tags": list(post.tags),
        "categories": list(post.categories),
        "lang": post.language,
        "license": post.license,
        "description": post.summary,
        "url": path,
        "permalink": path,
        "original_url": post.url,
        "id": post.id,
        "comments": [_comment(comment) for comment in post.comments],
    }
    lines = [f"{key}: {_yaml(value)}" for key, value in facts.items() if value not in (None, [])]
    article = _SHORTCODE.sub("{{ ", paths.with_local_links(post.markdown or post.text, media))
    return "---\n" + "\n".join(lines) + f"\n---\n\n{article}\n"


def _searchable(post: Post, paths: LocalPaths) -> str:
    """What the search page of the site knows of a post."""
    facts = {
        "url": paths.path(post.url),
        "title": post.title or "",
        "date": f"{post.published.date()}" if post.published else None,
        "tags": [*post.tags, *post.categories],
        "text": post.text[:_SEARCHED_CHARS],
    }
    return json.dumps(facts, ensure_ascii=False)


def copied_media(post: Post, archive: Archive, folder: Path) -> dict[str, str]:
    """Copy the files of a post's media and return where each URL is now; what is not in the archive is left out."""
    places = {}
    for medium in post.media:
        if not medium.file:
            continue
        here, there = archive.media_path(medium.file), folder / medium.file
        if not there.exists():
            if not here.is_file():
                continue
            there.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(here, there)
        places[medium.url] = f"/{folder.name}/{medium.file}"
    return places


def _yaml(value: Any) -> str:
    """The value as JSON, with the characters escaped that JSON allows and YAML does not (1.2, 5.1 and 5.4)."""
    text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False)
    return _NOT_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _comment(comment: Comment) -> dict[str, Any]:
    facts = msgspec.structs.asdict(comment) | {"html": None, "type": comment.type or None}
    return {name: value for name, value in facts.items() if value is not None}


def _folder(out: Path, post: Post, *, by_host: bool) -> Path:
    folder = out / ("_posts" if post.published else "_undated")
    folder = folder / file_name(urlsplit(post.url).netloc) if by_host else folder
    folder.mkdir(exist_ok=True)
    return folder


def _free_file(folder: Path, post: Post) -> Path:
    """Where to write the post; a name that is taken gets the post's id behind it."""
    file = folder / f"{post_name(post)}.md"
    return folder / f"{post_name(post)}-{post.id}.md" if file.exists() else file


def _write_settings(source: Source, out: Path) -> None:
    """Put title and language into the settings of the generators."""
    for name in ("hugo.toml", "_config.yml", "eleventy.config.cjs", "pelicanconf.py"):
        text = (out / name).read_text(encoding="utf-8")
        for word, value in (("@TITLE@", source.title), ("@LANGUAGE@", source.language or "en")):
            text = text.replace(f'"{word}"', msgspec.json.encode(value).decode())
        (out / name).write_text(text, encoding="utf-8")
