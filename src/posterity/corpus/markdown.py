"""A folder of Markdown files with YAML front matter, one a post, as Hugo and Jekyll read them."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urlsplit

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from posterity.model import Post


def write_markdown(posts: Iterable[Post], out: Path) -> None:
    """Write `BLOG-HOST/DATE-SLUG.md` for every post; a name that is taken gets the post's id behind it."""
    out.mkdir(parents=True)
    for post in posts:
        folder = out / file_name(urlsplit(post.url).netloc)
        folder.mkdir(exist_ok=True)
        name = post_name(post)
        file = folder / f"{name}.md"
        if file.exists():
            file = folder / f"{name}-{post.id}.md"
        file.write_text(markdown_file(post), encoding="utf-8")


def markdown_file(post: Post) -> str:
    """Return the post as a Markdown file. Values are written as JSON, which every YAML reader understands."""
    facts: dict[str, Any] = {
        "title": post.title or "",
        "date": post.published.isoformat() if post.published else None,
        "authors": list(post.authors),
        "tags": list(post.tags),
        "categories": list(post.categories),
        "lang": post.language,
        "original_url": post.url,
        "id": post.id,
    }
    lines = [f"{key}: {msgspec.json.encode(value).decode()}" for key, value in facts.items() if value not in (None, [])]
    return "---\n" + "\n".join(lines) + f"\n---\n\n{post.markdown or post.text}\n"


def post_name(post: Post) -> str:
    """Return the file's name without its ending: the day, then the last words of the address."""
    path = unquote(urlsplit(post.url).path).rstrip("/")
    last = re.sub(r"\.\w{2,5}$", "", path.rsplit("/", 1)[-1])
    last = post.title or post.id if last in ("", "index") else last
    day = f"{post.published:%Y-%m-%d}-" if post.published else ""
    return day + (file_name(last) or post.id)


def file_name(text: str) -> str:
    """Return the text as a name that every file system takes; letters of all scripts stay."""
    kept = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", text)).strip("-.").lower()
    # 255 bytes is the limit of most file systems, and a letter may take four.
    return kept.encode()[:120].decode(errors="ignore").rstrip("-.")
