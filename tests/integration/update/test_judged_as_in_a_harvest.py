"""Pages that an update finds are judged by the lists, feeds and sitemaps of the blog, as in a harvest."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from tests.zoo.blog import Post, Site, paths, write_posts, xml
from tests.zoo.build import add_posts, blog_site, feed_link
from tests.zoo.feeds import sitemap_index_of, sitemap_of
from tests.zoo.measure import path_key
from tests.zoo.pages import MODERN, fill_post, framed, items
from tests.zoo.server import serve

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path


def run(*arguments: str) -> None:
    command = [sys.executable, "-m", "posterity", *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
    assert ended.returncode == 0, ended.stderr


def updated(site: Site, change: Callable[[], None], folder: Path) -> set[str]:
    """Harvest the blog, change it, update it, and return the paths of what is stored."""
    archive, out = str(folder / "archive"), folder / "posts.jsonl"
    with serve(site) as served:
        options = ("--delay", "0", "--render", "never", "-q", "--archive", archive)
        run("harvest", served.origin + site.start, "--no-media", *options)
        change()
        run("update", served.origin + site.start, *options)
    run("export", str(out), "--archive", archive, "-q")
    return {path_key(json.loads(line)["url"]) for line in out.read_text("utf-8").splitlines()}


def test_page_of_a_new_section_is_no_post(tmp_path: Path) -> None:
    posts = write_posts("news", 14, "/{slug}/")
    walks = write_posts("walks", 4, "/walks/{slug}/")
    site = blog_site(posts[2:], sitemap=True)

    def change() -> None:
        grown = blog_site(posts, sitemap=True)
        theme = replace(MODERN, head=feed_link("/feed.xml"))
        add_posts(grown, walks, theme)
        front = replace(walks[0], title="Walks", path="/walks/")
        links = items(theme, walks)
        grown.pages["/walks/"] = framed(theme, "Walks", fill_post(theme, front, content=links))
        named = ["/", "/about/", "/walks/", *(post.href for post in [*posts, *walks])]
        grown.pages["/sitemap.xml"] = xml(sitemap_of(named))
        site.pages = grown.pages

    assert "/walks" not in updated(site, change, tmp_path)


def test_post_that_a_sitemap_of_posts_names_is_stored_whatever_its_url(tmp_path: Path) -> None:
    posts = write_posts("old news", 12)
    found = write_posts("other news", 1, "/recipes/{slug}.html")

    def parts(site: Site, named: Sequence[Post]) -> None:
        index = sitemap_index_of(["/post-sitemap.xml"])
        site.pages["/sitemap.xml"] = xml(index.replace("</loc>", f"</loc><lastmod>2024-05-{len(named)}</lastmod>"))
        site.pages["/post-sitemap.xml"] = xml(sitemap_of(post.href for post in named))

    site = blog_site(posts, feed=None, sitemap=True)
    parts(site, posts)

    def change() -> None:
        add_posts(site, found)
        parts(site, [*found, *posts])

    assert set(paths(found)) <= updated(site, change, tmp_path)
