"""Blogs that need scripts: infinite scroll, "load more", and pages built in the browser."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.zoo.blog import Post, Request, Response, Site, Truth, html, not_found, truth_of, write_posts, xml
from tests.zoo.build import add_posts, feed_link
from tests.zoo.feeds import rss_of
from tests.zoo.pages import MODERN, framed, items
from tests.zoo.registry import situation

_BATCH = 6

_SCRIPT = """<script>
let page = 0, busy = false, done = false;
async function more() {
  if (busy || done) return;
  busy = true;
  const batch = await (await fetch('/api/posts?page=' + (++page))).json();
  for (const post of batch) {
    const card = document.createElement('article');
    card.innerHTML = '<h2><a href="' + post.url + '">' + post.title + '</a></h2><p>' + post.summary + '</p>';
    document.getElementById('posts').append(card);
  }
  done = batch.length < %d;
  busy = false;
  if (done) document.getElementById('more')?.remove();
}
%s
</script>"""
_SCROLL = """addEventListener('scroll', () => {
  if (innerHeight + scrollY > document.body.scrollHeight - 300) more();
});"""
_OBSERVE = """const seen = new IntersectionObserver(async ([entry]) => {
  if (!entry.isIntersecting) return;
  await more();
  if (!done) { seen.unobserve(end); seen.observe(end); }
}, { rootMargin: '200px' });
const end = document.getElementById('end');
seen.observe(end);"""
_ROUTE = """const post = DATA[location.pathname];
const root = document.getElementById('root');
const row = ([path, each]) => '<h2><a href="' + path + '">' + each.title + '</a></h2>';
if (post) {
  document.title = post.title;
  root.innerHTML = '<article><h1>' + post.title + '</h1>' + post.html + '</article>';
} else root.innerHTML = Object.entries(DATA).map(row).join('');"""
_FROM_JSON = """const row = each => '<h2><a href="' + each.url + '">' + each.title + '</a></h2>';
const list = JSON.parse(document.getElementById('data').textContent);
document.getElementById('posts').innerHTML = list.map(row).join('');"""
_TALL = "<style>article { min-height: 260px }</style>"


def _api(posts: list[Post]) -> dict[str, Response]:
    batches = {}
    for start in range(0, len(posts) + _BATCH, _BATCH):
        batch = [
            {"url": post.href, "title": post.title, "summary": post.summary, "html": post.html, "slug": post.slug}
            for post in posts[start : start + _BATCH]
        ]
        batches[f"/api/posts?page={start // _BATCH + 1}"] = xml(json.dumps(batch), "application/json")
    return batches


def _front(site: Site, posts: list[Post], start: str, body: str, *, feed: bool) -> None:
    head = _TALL + (feed_link("/feed.xml") if feed else "")
    if feed:
        site.pages["/feed.xml"] = xml(rss_of(posts[:5]))
    script = _SCRIPT % (_BATCH, start)
    site.pages["/"] = framed(MODERN, MODERN.name, body + script, head=head)
    site.pages |= _api(posts)


def _scrolling(seed: str, *, feed: bool, shown: int = 0) -> tuple[Site, Truth]:
    """Posts are on the server's pages; the front page fetches their list during scrolling."""
    posts = write_posts(seed, 20)
    site = Site()
    add_posts(site, posts)
    start = f"page = {shown // _BATCH};{_SCROLL}" if shown else _OBSERVE
    body = f'<div id="posts">{items(MODERN, posts[:shown])}</div><div id="end"></div>'
    _front(site, posts, start, body, feed=feed)
    return site, truth_of(posts)


@situation("infinite scroll, nothing without scripts, with a feed of five", needs_browser=True)
def scroll_with_feed() -> tuple[Site, Truth]:
    return _scrolling("scroll feed", feed=True)


@situation("infinite scroll, nothing without scripts, no feed", needs_browser=True)
def scroll_without_feed() -> tuple[Site, Truth]:
    return _scrolling("scroll", feed=False)


@situation("infinite scroll below six posts of the server, with a feed of five", needs_browser=True)
def scroll_below_posts() -> tuple[Site, Truth]:
    return _scrolling("scroll below", feed=True, shown=_BATCH)


def _button(seed: str, *, feed: bool) -> tuple[Site, Truth]:
    posts = write_posts(seed, 20)
    site = Site()
    add_posts(site, posts)
    body = f'<div id="posts">{items(MODERN, posts[:_BATCH])}</div><button id="more" onclick="more()">Load more</button>'
    _front(site, posts, "page = 1;", body, feed=feed)
    return site, truth_of(posts)


@situation("a 'load more' button below six posts, with a feed of five", needs_browser=True)
def load_more_with_feed() -> tuple[Site, Truth]:
    return _button("load more feed", feed=True)


@situation("a 'load more' button below six posts, no feed", needs_browser=True)
def load_more_without_feed() -> tuple[Site, Truth]:
    return _button("load more", feed=False)


def _application(seed: str, *, feed: bool, status: int = 200) -> tuple[Site, Truth]:
    """Every URL has the same empty page, filled by the script; `status` applies to all except the home page."""
    posts = write_posts(seed, 10, "/{slug}")
    site = Site()
    by_path = {post.path: post for post in posts}
    data = json.dumps({post.path: {"title": post.title, "html": post.html} for post in posts})
    head = feed_link("/feed.xml") if feed else ""
    body = '<div id="root"></div><script src="/app.js"></script>'
    page = f"<!doctype html><html><head><title>Kite</title>{head}</head><body>{body}</body></html>"
    site.pages["/"] = html(page)
    site.pages["/app.js"] = xml(f"const DATA = {data};\n{_ROUTE}", "text/javascript")
    if feed:
        site.pages["/feed.xml"] = xml(rss_of(posts[:6], extent="summary"))

    def respond(request: Request) -> Response:
        return html(page, status) if request.path in by_path else not_found(request)

    site.fallback = respond
    return site, truth_of(posts)


@situation("all pages are put together by a script, with a feed of summaries", needs_browser=True)
def application_with_feed() -> tuple[Site, Truth]:
    return _application("application feed", feed=True)


@situation("all pages are put together by a script, no feed", needs_browser=True)
def application_without_feed() -> tuple[Site, Truth]:
    return _application("application", feed=False)


@situation("the same on a server of files: the application is its 404.html", needs_browser=True, beyond_links=True)
def application_as_404() -> tuple[Site, Truth]:
    return _application("application as 404", feed=False, status=404)


@situation("the page has the posts as JSON in a script element, links come from it; feed of five", needs_browser=True)
def links_from_json() -> tuple[Site, Truth]:
    posts = write_posts("json links", 14)
    site = Site()
    add_posts(site, posts, replace(MODERN, head=feed_link("/feed.xml")))
    data = json.dumps([{"url": post.href, "title": post.title} for post in posts])
    body = (
        f'<div id="posts"></div><script type="application/json" id="data">{data}</script><script>{_FROM_JSON}</script>'
    )
    site.pages["/"] = framed(MODERN, MODERN.name, body, head=feed_link("/feed.xml"))
    site.pages["/feed.xml"] = xml(rss_of(posts[:5]))
    return site, truth_of(posts)
