"""Posts that only some sources name, and what a blog is not asked twice: small sites made for each case."""

from __future__ import annotations

import json
import re
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any

from posterity.archive import open_archive

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import Posterity

WORDS = "tide bread radio harbour lamp stone letter winter paper garden engine river salt copper morning".split()


BROKEN = "application/x-broken"  # a page of this type is an error of the server


def text_of(name: str) -> str:
    start = sum(map(ord, name))
    return " ".join(WORDS[(start + step * (1 + start % 7)) % len(WORDS)] for step in range(60)) + f" {name}"


def post(name: str, menu: str = "") -> str:
    return (
        f"<html><head><title>{name} - Blog</title></head><body>{menu}<article><h1 class='title'>{name}</h1>"
        f"<time datetime='2021-03-{1 + len(name) % 28:02}'>a day</time><div class='body'><p>{text_of(name)}</p></div>"
        "</article></body></html>"
    )


def feed(base: str, links: dict[str, str], extra: str = "") -> str:
    items = "".join(
        f"<item><title>{name}</title><link>{base}{path}</link>"
        f"<pubDate>{1 + len(name) % 28:02} Mar 2021 00:00:00 GMT</pubDate>"
        f"<description><![CDATA[<p>{text_of(name)}</p>]]></description>"
        f"{extra.replace('PATH', base + path)}</item>"
        for name, path in links.items()
    )
    names = 'xmlns:wfw="http://wellformedweb.org/CommentAPI/" xmlns:slash="http://purl.org/rss/1.0/modules/slash/"'
    return f'<rss version="2.0" {names}><channel><title>Blog</title>{items}</channel></rss>'


class Site:
    """Pages by path; what was asked for; paths without a final slash are redirected when `adds_slash` is set."""

    def __init__(self) -> None:
        self.pages: dict[str, tuple[str, str]] = {}
        self.asked: list[str] = []
        self.adds_slash = False
        self.base = ""


@contextmanager
def served() -> Iterator[Site]:
    site = Site()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            site.asked.append(self.path)
            kind, body = site.pages.get(self.path.partition("?")[0], ("", ""))
            if site.adds_slash and f"{self.path}/" in site.pages:
                self.send_response(301)
                self.send_header("Location", f"{self.path}/")
                self.send_header("Content-Length", "0")
                self.end_headers()
                return
            self.send_response(500 if kind == BROKEN else 200 if body else 404)
            self.send_header("Content-Type", kind or "text/plain")
            self.send_header("Content-Length", str(len(body.encode())))
            self.end_headers()
            self.wfile.write(body.encode())

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    site.base = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield site
    finally:
        server.shutdown()
        server.server_close()


def harvested(
    posterity: Posterity, site: Site, archive: Path, path: str = "/", *options: str, code: int = 0
) -> dict[str, Any]:
    command = ("harvest", f"{site.base}{path}", "--delay", "0", "--render", "never", "--json", "--archive", archive)
    ended = posterity(*command, *options)
    assert ended.returncode == code, ended.stderr
    assert bool(ended.stderr) == bool(code)
    with open_archive(archive) as store:
        posts = sorted(post.url.removeprefix(site.base) for post in store.posts())
    return {"posts": posts, "report": json.loads(ended.stdout.splitlines()[-1])["report"]}


HEAD = (
    '<html><head><title>Blog</title><link rel="alternate" type="application/rss+xml" href="/feed.xml">{}</head><body>'
)


def test_section_beside_the_blogs_folder_is_harvested_and_a_wiki_is_not(posterity: Posterity, tmp_path: Path) -> None:
    names = ["on tides", "on bread", "on radios"]
    with served() as site:
        own = {name: f"/blog/{name.replace(' ', '-')}/" for name in names}
        other = {f"{name} ru": f"/blog_ru/{name.replace(' ', '-')}-ru/" for name in names}
        menu = '<a href="/blog_ru">Russian</a><a href="/wiki/">Wiki</a>'
        for name, path in {**own, **other}.items():
            site.pages[path] = ("text/html", post(name))
        for name in names:
            site.pages[f"/wiki/{name.replace(' ', '-')}/"] = ("text/html", f"<html><body><p>{name}</p></body></html>")
        links = "".join(f'<a href="{path}">{name}</a>' for name, path in own.items())
        site.pages["/blog/"] = ("text/html", HEAD.format("") + menu + links)
        site.pages["/feed.xml"] = ("text/xml", feed(site.base, own))
        named = "".join(f"<url><loc>{site.base}{path}</loc></url>" for path in site.pages if path.count("/") == 3)
        site.pages["/sitemap.xml"] = ("text/xml", f"<urlset>{named}</urlset>")
        found = harvested(posterity, site, tmp_path / "archive", "/blog/")
    assert found["posts"] == sorted([*own.values(), *other.values()])


def test_posts_that_only_the_interface_of_wordpress_lists_are_harvested(posterity: Posterity, tmp_path: Path) -> None:
    with served() as site:
        posts = {f"about {word}": f"/{word}-and-more/" for word in WORDS}
        in_feed = dict(list(posts.items())[:5])
        for name, path in posts.items():
            site.pages[path] = ("text/html", post(name))
        links = "".join(f'<a href="{path}">{name}</a>' for name, path in in_feed.items())
        site.pages["/"] = ("text/html", HEAD.format('<link rel="https://api.w.org/" href="/wp-json/">') + links)
        site.pages["/feed.xml"] = ("text/xml", feed(site.base, in_feed))
        listed = [{"link": f"{site.base}{path}"} for path in posts.values()]
        site.pages["/wp-json/wp/v2/posts"] = ("application/json", json.dumps(listed))
        found = harvested(posterity, site, tmp_path / "archive")
    assert found["posts"] == sorted(posts.values())
    sources = {source["source"]: source for source in found["report"]["sources"]}
    assert sources["platform"] == {"source": "platform", "listed": 15, "new": 10}
    assert found["report"]["outcomes"] == {"stored": 15}


def test_what_pages_do_not_show_is_taken_from_the_interface_of_wordpress(posterity: Posterity, tmp_path: Path) -> None:
    with served() as site:
        posts = {f"about {word}": f"/{word}-and-more/" for word in WORDS}
        authors = dict(zip(posts, ["Ada Wren", "Ben Ostler", "Cleo Marsh"] * 5, strict=True))
        for name, path in posts.items():
            site.pages[path] = ("text/html", re.sub("<time.*</time>", "", post(name)))
        in_feed = dict(list(posts.items())[:5])
        rss = feed(site.base, in_feed)
        for name in in_feed:
            rss = rss.replace(f"<item><title>{name}<", f"<item><dc:creator>{authors[name]}</dc:creator><title>{name}<")
        site.pages["/feed.xml"] = ("text/xml", rss.replace("<rss", '<rss xmlns:dc="http://purl.org/dc/elements/1.1/"'))
        site.pages["/"] = ("text/html", HEAD.format('<link rel="https://api.w.org/" href="/wp-json/">'))
        listed = [
            {
                "link": f"{site.base}{path}",
                "date_gmt": f"2021-03-{1 + len(name) % 28:02}T00:00:00",
                "_embedded": {"author": [{"name": authors[name]}], "wp:term": [[{"name": name.split()[1].title()}]]},
            }
            for name, path in posts.items()
        ]
        site.pages["/wp-json/wp/v2/posts"] = ("application/json", json.dumps(listed))
        harvested(posterity, site, tmp_path / "archive")
    with open_archive(tmp_path / "archive") as store:
        (blog,) = store.blogs()
        found = {record.title: record for record in store.posts(blog.id)}
    assert {name: record.authors for name, record in found.items()} == {name: (authors[name],) for name in posts}
    later = [record for name, record in found.items() if name not in in_feed]
    assert all(record.published is not None and len(record.tags) == 1 for record in later)


def test_host_that_adds_a_slash_and_has_no_comment_feeds_is_soon_understood(
    posterity: Posterity, tmp_path: Path
) -> None:
    with served() as site:
        site.adds_slash = True
        posts = {f"about {word}": f"/{word}-and-more" for word in WORDS}
        for name, path in posts.items():
            site.pages[f"{path}/"] = ("text/html", post(name))
        links = "".join(f'<a href="{path}">{name}</a>' for name, path in posts.items())
        site.pages["/"] = ("text/html", HEAD.format("") + links)
        listed = "<slash:comments>3</slash:comments><wfw:commentRss>PATH/comments.xml</wfw:commentRss>"
        site.pages["/feed.xml"] = ("text/xml", feed(site.base, posts, listed))
        found = harvested(posterity, site, tmp_path / "archive", code=10)  # without the comments that the feed counts
        asked = list(site.asked)
    assert found["posts"] == sorted(f"{path}/" for path in posts.values())
    assert sum(path in posts.values() for path in asked) == 3
    # Three failures are enough; some more were under way when the third came.
    assert 3 <= sum(path.endswith("comments.xml") for path in asked) < len(posts)


def test_harvest_ends_at_its_size_limit_and_the_next_one_goes_on(posterity: Posterity, tmp_path: Path) -> None:
    with served() as site:
        posts = {f"about {word}": f"/{word}-and-more/" for word in WORDS}
        for name, path in posts.items():
            site.pages[path] = ("text/html", post(name) + "<!-- " + "x" * 20_000 + " -->")
        links = "".join(f'<a href="{path}">{name}</a>' for name, path in posts.items())
        site.pages["/"] = ("text/html", HEAD.format("") + links)
        site.pages["/feed.xml"] = ("text/xml", feed(site.base, dict(list(posts.items())[:3])))
        cut = harvested(posterity, site, tmp_path / "archive", "/", "--size-limit", "120kB")
        whole = harvested(posterity, site, tmp_path / "archive")
    assert "--size-limit" in cut["report"]["ended_because"]
    assert 120_000 <= cut["report"]["bytes"] < 300_000
    assert {missing["reason"] for missing in cut["report"]["missing"]} <= {"pageLimit"}
    assert whole["posts"] == sorted(posts.values())


def test_feed_at_which_the_server_fails_is_named_and_one_that_is_gone_is_not(
    posterity: Posterity, tmp_path: Path
) -> None:
    with served() as site:
        posts = {f"about {word}": f"/2021/{word}-and-more/" for word in WORDS}
        for name, path in posts.items():
            site.pages[path] = ("text/html", post(name))
        links = "".join(f'<h2><a href="{path}">{name}</a></h2>' for name, path in posts.items())
        site.pages["/"] = ("text/html", HEAD.format("") + links)
        gone = harvested(posterity, site, tmp_path / "gone")
        site.pages["/feed.xml"] = (BROKEN, "Out of order")
        failed = harvested(posterity, site, tmp_path / "failed", code=10)
    assert gone["posts"] == failed["posts"] == sorted(posts.values())
    assert gone["report"]["notes"] == []
    (note,) = failed["report"]["notes"]
    assert note.startswith("a feed could not be read: ")
    assert f"{site.base}/feed.xml" in note
