"""Servers that fail: too many requests, errors now and then, resets, slowness, walls."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.zoo.blog import (
    Handler,
    Post,
    Request,
    Response,
    Site,
    Truth,
    html,
    redirect,
    text,
    truth_of,
    write_posts,
    xml,
)
from tests.zoo.build import blog_site
from tests.zoo.feeds import rss, rss_item, sitemap_of
from tests.zoo.pages import MODERN, framed
from tests.zoo.registry import situation

if TYPE_CHECKING:
    from collections.abc import Callable

_ERROR = html("<h1>Internal Server Error</h1>", 500)


def _once(first: Response, then: Response) -> Handler:
    def respond(request: Request) -> Response:
        return then if request.earlier else first

    return respond


def _first_fails(seed: str, first: Callable[[Response], Response], every: int = 3) -> tuple[Site, Truth]:
    """A blog where the first request for every n-th post fails, and later ones do not."""
    posts = write_posts(seed, 14)
    site = blog_site(posts)
    for post in posts[::every]:
        page = site.pages[post.path]
        if isinstance(page, Response):
            site.pages[post.path] = _once(first(page), page)
    return site, truth_of(posts)


@situation("429 with Retry-After: 1, once for some posts")
def too_many_requests() -> tuple[Site, Truth]:
    return _first_fails("429", lambda _: html("<h1>Too many</h1>", 429, **{"Retry-After": "1"}), 6)


@situation("500 at the first request of every third post")
def errors_sometimes() -> tuple[Site, Truth]:
    return _first_fails("500", lambda _: _ERROR)


@situation("503 with Retry-After as a date in the past, once for some posts")
def unavailable_sometimes() -> tuple[Site, Truth]:
    header = {"Retry-After": "Mon, 01 Jan 2001 00:00:00 GMT"}
    return _first_fails("503", lambda _: html("<h1>Back soon</h1>", 503, **header), 5)


@situation("the connection is reset at the first request of some posts")
def connection_reset() -> tuple[Site, Truth]:
    return _first_fails("reset", lambda _: Response(reset=True), 5)


@situation("an empty body with status 200 at the first request of some posts")
def empty_body_once() -> tuple[Site, Truth]:
    return _first_fails("empty body", lambda page: replace(page, body=b""), 6)


def _notice(title: str, *sentences: str) -> Response:
    """A notice with status 200 in place of a page, without a menu and links to the blog."""
    shown = "".join(f"<p>{sentence}</p>" for sentence in sentences)
    return html(f"<!DOCTYPE html><html><head><title>{title}</title></head><body><h1>{title}</h1>{shown}</body></html>")


_MAINTENANCE = _notice("Maintenance", "Briefly unavailable for scheduled maintenance.", "Check back in a minute.")
_CHECK = "This server needs to review the security of your connection before it shows the page."


@situation("a notice of maintenance, with status 200, at the first request of some posts and of a list")
def maintenance_once() -> tuple[Site, Truth]:
    site, truth = _first_fails("maintenance", lambda _: _MAINTENANCE)
    page = site.pages["/page/2/"]
    assert isinstance(page, Response)
    site.pages["/page/2/"] = _once(_MAINTENANCE, page)
    return site, replace(truth, forbidden_texts=["Check back in a minute"])


@situation("an error of the database, with status 200, at the first request of one post")
def database_error_once() -> tuple[Site, Truth]:
    return _first_fails("database", lambda _: _notice("Error establishing a database connection"), 14)


@situation("a check for robots in place of some posts, with another number each time")
def check_for_robots() -> tuple[Site, Truth]:
    posts = write_posts("check", 15)
    site = blog_site(posts, sitemap=True)
    blocked = posts[11:]  # none is in the feed
    for post in blocked:
        site.pages[post.path] = lambda asked: _notice(
            "Just a moment...", _CHECK, f"You asked for {asked.path}. Number: 8f{asked.earlier}c{len(asked.path)}"
        )
    return site, replace(truth_of([post for post in posts if post not in blocked]), forbidden_texts=[_CHECK])


@situation("every body is shorter than its header announces")
def bodies_cut() -> tuple[Site, Truth]:
    posts = write_posts("cut", 10)
    site = blog_site(posts)
    site.pages = {path: replace(page, missing=50) for path, page in site.pages.items() if isinstance(page, Response)}
    return site, truth_of(posts)


@situation("headers claim that the bodies are packed, and they are not")
def packed_by_header_alone() -> tuple[Site, Truth]:
    posts = write_posts("packed", 12)
    site = blog_site(posts)
    site.pages["/robots.txt"] = text("User-agent: *\nDisallow: /private/\n")
    for path, page in site.pages.items():
        if isinstance(page, Response):
            site.pages[path] = replace(page, headers={**page.headers, "Content-Encoding": "gzip"})
    return site, truth_of(posts)


@situation("the home page fails once (503)")
def home_fails_once() -> tuple[Site, Truth]:
    return _path_fails_once("home fails", "/")


@situation("the feed fails once (500)")
def feed_fails_once() -> tuple[Site, Truth]:
    return _path_fails_once("feed fails", "/feed.xml")


@situation("the sitemap fails once (connection reset), and it alone knows the old posts")
def sitemap_fails_once() -> tuple[Site, Truth]:
    posts = write_posts("sitemap fails", 14)
    site = blog_site(posts, listed=4, paging=None, linked=False)
    site.pages["/sitemap.xml"] = _once(Response(reset=True), xml(sitemap_of(post.href for post in posts)))
    site.pages["/robots.txt"] = text("User-agent: *\nSitemap: @ORIGIN@/sitemap.xml\n")
    return site, truth_of(posts)


def _path_fails_once(seed: str, path: str) -> tuple[Site, Truth]:
    posts = write_posts(seed, 12)
    site = blog_site(posts)
    page = site.pages[path]
    if isinstance(page, Response):
        site.pages[path] = _once(replace(_ERROR, status=503), page)
    return site, truth_of(posts)


@situation("some pages take two seconds")
def slow_pages() -> tuple[Site, Truth]:
    posts = write_posts("slow", 12)
    site = blog_site(posts)
    for post in posts[::5]:
        page = site.pages[post.path]
        if isinstance(page, Response):
            site.pages[post.path] = replace(page, delay_s=2.0)
    return site, truth_of(posts)


@situation("a third of the posts answers 500 for ever")
def errors_for_ever() -> tuple[Site, Truth]:
    posts = write_posts("500 for ever", 15)
    site = blog_site(posts)
    broken = posts[::5]
    for post in broken:
        site.pages[post.path] = _ERROR
    return site, truth_of([post for post in posts if post not in broken])


@situation("some posts redirect to a login page, some answer 401 and 403")
def login_wall() -> tuple[Site, Truth]:
    posts = write_posts("login", 16)
    site = blog_site(posts)
    shut = posts[1::4]
    sentence = "Please log in with your name and your password to go on."
    site.pages["/login/"] = framed(MODERN, "Log in", f"<h1>Log in</h1><p>{sentence}</p><form><input></form>")
    walls = (redirect("/login/?next=x", 302), html(f"<p>{sentence}</p>", 401), html("<h1>Forbidden</h1>", 403))
    for place, post in enumerate(shut):
        site.pages[post.path] = walls[place % 3]
    truth = truth_of([post for post in posts if post not in shut])
    return site, replace(truth, forbidden_texts=[sentence], optional=[post.path for post in shut])


@situation("the first visit is answered with a redirect that sets a cookie")
def cookie_redirect() -> tuple[Site, Truth]:
    posts = write_posts("cookie", 12)
    site = blog_site(posts)
    page = site.pages["/"]
    if isinstance(page, Response):
        gate = replace(
            redirect("/?welcome=1", 302), headers={"Location": "/?welcome=1", "Set-Cookie": "seen=1; Path=/"}
        )
        site.pages["/?welcome=1"] = page
        site.pages["/"] = _once(gate, page)
    return site, truth_of(posts)


@situation("robots.txt is an HTML page with status 200")
def robots_html() -> tuple[Site, Truth]:
    posts = write_posts("robots html", 12)
    site = blog_site(posts)
    site.pages["/robots.txt"] = framed(MODERN, "Welcome", "<p>User-agent: what? Disallow: / you say.</p>")
    return site, truth_of(posts)


@situation("robots.txt forbids a section; its posts stand in feed and sitemap")
def robots_forbids_section() -> tuple[Site, Truth]:
    free = write_posts("robots free", 12, "/{date:%Y}/{slug}/")
    private = write_posts("robots private", 6, "/private/{slug}/")
    posts: list[Post] = [*free[:3], *private, *free[3:]]
    site = blog_site(posts, sitemap=True, linked=False)
    site.pages["/robots.txt"] = text("User-agent: *\nDisallow: /private/\n\nSitemap: @ORIGIN@/sitemap.xml\n")
    return site, truth_of(free)


@situation("robots.txt with a byte order mark, old line ends, wild cards and nonsense")
def robots_odd() -> tuple[Site, Truth]:
    posts = write_posts("robots odd", 12)
    site = blog_site(posts)
    lines = [
        "\ufeffUser-agent: *",
        "Disallow: /*?replytocom=",
        "Disallow: /tags/*$",
        "Crawl-delay: soon",
        "nonsense",
        "",
    ]
    site.pages["/robots.txt"] = text("\r".join(lines))
    return site, truth_of(posts)


@situation("twenty dead entries in a row in the feed, before and after living ones")
def feed_dead_run() -> tuple[Site, Truth]:
    posts = write_posts("dead run", 16)
    site = blog_site(posts, linked=False, paging=None)
    dead = write_posts("dead run gone", 20, "/2008/{slug}/")
    entries = [*posts[:4], *dead, *posts[4:]]
    site.pages["/feed.xml"] = xml(rss(map(rss_item, entries)))
    return site, truth_of(posts)


@situation("odd headers: quoted charset, dates that are none, Link with a broken IPv6 host")
def headers_odd() -> tuple[Site, Truth]:
    posts = write_posts("odd headers", 12)
    site = blog_site(posts)
    odd = {"Content-Type": 'TEXT/HTML;Charset="utf8"', "Last-Modified": "never", "Date": "0", "Content-Language": "??"}
    for path, page in site.pages.items():
        if isinstance(page, Response) and not path.endswith(".xml"):
            site.pages[path] = replace(page, headers=odd | {"Link": '<http://[::1/>; rel="canonical", <>; rel=next'})
    return site, truth_of(posts)


@situation("a mirror of files without endings, of which the server does not know the type")
def types_unknown() -> tuple[Site, Truth]:
    posts = write_posts("types unknown", 14, "/{date:%Y/%m}/{slug}")
    site = blog_site(posts, feed=None)
    for post in posts:
        kind = ("application/octet-stream", "text/plain; charset=utf-8")[post.number % 2]
        page = site.pages[post.path]
        assert isinstance(page, Response)
        site.pages[post.path] = replace(page, headers={"Content-Type": kind})
    return site, truth_of(posts)
