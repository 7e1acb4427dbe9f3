"""The format `markdown`: a folder of Markdown files with YAML front matter for Hugo, Jekyll, Eleventy and Pelican.

    _posts/DATE-NAME.md      one file per post; _posts/HOST/... if there are several blogs
    _undated/NAME.md         posts without a date, which Jekyll would ignore
    media/                   images and other files of the posts
    search/                  a page that searches titles, tags and beginnings of posts, with its data
    hugo.toml _config.yml eleventy.config.cjs pelicanconf.py
                             the generators' settings; layouts, _layouts and _includes contain templates

A post keeps its path on the blog. Links between posts point to the copies.
"""

from __future__ import annotations

import json
import re
import shutil
from importlib import resources
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from posterity.export.files import file_name, id_name, post_name
from posterity.export.media_paths import LocalPaths
from posterity.export.temporary import spool_posts

if TYPE_CHECKING:
    from pathlib import Path

    from posterity.archive import Archive
    from posterity.export.selection import Source
    from posterity.model import Comment, Post

_SEARCHED_CHARS = 1000  # the search page loads the list of all posts: a megabyte per thousand posts
# Control characters, line separators that YAML 1.1 folds, byte order marks, surrogates.
_NOT_YAML = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
# Hugo would run these as shortcodes, even inside code.
_SHORTCODE = re.compile(r"\{\{(?=[<%])")


def write_markdown(source: Source, out: Path) -> None:
    """Write the folder."""
    by_host = len(source.blogs) > 1
    with resources.as_file(resources.files("posterity.export") / "markdown_site") as templates:
        # Not copytree, which continues when the disk is full and then reports every file.
        for template in sorted(path for path in templates.rglob("*") if path.is_file()):
            # pelicanconf.py is stored as .txt, so that linters do not check it.
            target = out / str(template.relative_to(templates)).removesuffix(".txt")
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(template, target)
    _write_settings(source, out)
    for name in ("_posts", "_undated", "media"):
        (out / name).mkdir()
    with LocalPaths(by_host=by_host) as paths, spool_posts(source.posts) as posts:
        for post in posts:
            paths.add(post)
        with (out / "search" / "posts.json").open("w", encoding="utf-8", errors="replace") as listed:
            for number, post in enumerate(posts):
                facts = {
                    "url": paths.path(post.url),
                    "title": post.title or "",
                    "date": f"{post.published.date()}" if post.published else None,
                    "tags": [*post.tags, *post.categories],
                    "text": post.text[:_SEARCHED_CHARS],
                }
                listed.write(("," if number else "[") + "\n" + json.dumps(facts, ensure_ascii=False))
            listed.write("\n]\n")
        for post in posts:
            text = markdown_file(post, paths, copied_media(post, source.archive, out / "media"))
            folder = out / ("_posts" if post.published else "_undated")
            folder = folder / file_name(urlsplit(post.url).netloc) if by_host else folder
            folder.mkdir(exist_ok=True)
            file = folder / f"{post_name(post)}.md"
            if file.exists():
                file = folder / f"{post_name(post)}-{id_name(post.id)}.md"
            file.write_text(text, encoding="utf-8", errors="replace")


def markdown_file(post: Post, paths: LocalPaths, media: dict[str, str]) -> str:
    """Return the post as a Markdown file. The front matter has JSON values, which are valid YAML."""
    path = paths.path(post.url)
    facts: dict[str, Any] = {
        "title": post.title or "", "subtitle": post.subtitle,
        "date": post.published.isoformat() if post.published else None,
        "lastmod": post.modified.isoformat() if post.modified else None, "authors": list(post.authors),
        "tags": list(post.tags), "categories": list(post.categories), "series": [post.series] if post.series else [],
        "image": media.get(post.cover or "", post.cover), "lang": post.language, "license": post.license,
        "description": post.summary, "url": path, "permalink": path, "original_url": post.url, "id": post.id,
        "comments": [_comment(comment) for comment in post.comments],
    }  # fmt: skip
    lines = [f"{key}: {_yaml(value)}" for key, value in facts.items() if value not in (None, [])]
    article = _SHORTCODE.sub("{{ ", paths.with_local_links(post.markdown or post.text, media))
    return "---\n" + "\n".join(lines) + f"\n---\n\n{article}\n"


def copied_media(post: Post, archive: Archive, folder: Path) -> dict[str, str]:
    """Copy the media files of a post, and return the path for each URL; files not in the archive are left out."""
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
    """Return the value as JSON, with escapes for characters that YAML does not allow (YAML 1.2, 5.1 and 5.4)."""
    text = json.dumps(msgspec.to_builtins(value), ensure_ascii=False)
    return _NOT_YAML.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _comment(comment: Comment) -> dict[str, Any]:
    facts = msgspec.structs.asdict(comment) | {"html": None, "type": comment.type or None}
    return {name: value for name, value in facts.items() if value is not None}


def _write_settings(source: Source, out: Path) -> None:
    """Insert title and language into the settings of the generators."""
    for name in ("hugo.toml", "_config.yml", "eleventy.config.cjs", "pelicanconf.py"):
        text = (out / name).read_text(encoding="utf-8")
        for word, value in (("@TITLE@", source.title), ("@LANGUAGE@", source.language or "en")):
            text = text.replace(f'"{word}"', msgspec.json.encode(value).decode())
        (out / name).write_text(text, encoding="utf-8")
