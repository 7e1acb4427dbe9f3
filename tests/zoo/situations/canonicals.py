"""Wrong canonical links, and copies of posts at other URLs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from tests.zoo.blog import (
    HOST,
    ORIGIN,
    Post,
    Request,
    Response,
    Site,
    Truth,
    html,
    redirect,
    truth_of,
    write_posts,
    xml,
)
from tests.zoo.build import PER_PAGE, blog_site
from tests.zoo.feeds import rss, rss_item, sitemap_of
from tests.zoo.pages import CLASSIC, MODERN, PLAIN, Theme, list_page, neighbours, post_page
from tests.zoo.registry import situation

if TYPE_CHECKING:
    from collections.abc import Callable


def _canonical(href: str) -> str:
    return f'<link rel="canonical" href="{href}">'


def _with_canonicals(posts: list[Post], href: Callable[[Post], str], theme: Theme = MODERN) -> Site:
    site = blog_site(posts, theme=theme, sitemap=True)
    theme = replace(theme, head='<link rel="alternate" type="application/rss+xml" href="/feed.xml">')
    for place, post in enumerate(posts):
        head = _canonical(href(post))
        site.pages[post.path] = post_page(theme, post, head=head, after=neighbours(posts, place))
    return site


@situation("the canonical link of every post is the home page")
def canonical_home() -> tuple[Site, Truth]:
    posts = write_posts("canonical home", 14)
    return _with_canonicals(posts, lambda _: f"{ORIGIN}/"), truth_of(posts)


@situation("posts with comments have /comment-page-1/ as their canonical link")
def canonical_comment_page() -> tuple[Site, Truth]:
    posts = write_posts("canonical comments", 14)
    site = _with_canonicals(posts, lambda post: ORIGIN + post.href + "comment-page-1/" * (post.number % 3 > 0), CLASSIC)
    for post in posts:
        site.pages[f"{post.path}comment-page-1/"] = site.pages[post.path]
    return site, truth_of(posts, aliases={f"{post.path}comment-page-1/": post.path for post in posts})


@situation("every canonical link is on another host, where copies were published")
def canonical_other_host() -> tuple[Site, Truth]:
    posts = write_posts("canonical elsewhere", 14)
    return _with_canonicals(posts, lambda post: f"https://elsewhere.example/@kite/{post.slug}-9f3"), truth_of(posts)


@situation("a third of the posts has its canonical link on another host")
def canonical_sometimes_other_host() -> tuple[Site, Truth]:
    posts = write_posts("canonical sometimes", 15)
    away = "https://elsewhere.example/copy"
    return _with_canonicals(posts, lambda post: (away if post.number % 3 == 0 else ORIGIN) + post.href), truth_of(posts)


@situation("all posts of a month share one canonical link, the month's page")
def canonical_shared() -> tuple[Site, Truth]:
    posts = write_posts("canonical shared", 16)
    site = _with_canonicals(posts, lambda post: f"{ORIGIN}/{post.date:%Y/%m}/")
    for month in {f"/{post.date:%Y/%m}/" for post in posts}:
        site.pages[month] = list_page(MODERN, month, [post for post in posts if post.path.startswith(month)])
    return site, truth_of(posts)


@situation("canonical links are broken: empty, javascript:, a template's placeholder, an impossible port")
def canonical_broken() -> tuple[Site, Truth]:
    posts = write_posts("canonical broken", 14)
    bad = ("", "javascript:void(0)", "{{ page.url }}", "http://127.0.0.1:99999/x/", "http://[::1/", "#")
    return _with_canonicals(posts, lambda post: bad[post.number % len(bad)]), truth_of(posts)


@situation("canonical links name https where only http answers, feed links have no scheme")
def canonical_https() -> tuple[Site, Truth]:
    posts = write_posts("canonical https", 12)
    site = _with_canonicals(posts, lambda post: f"https:{HOST}{post.href}")
    site.pages["/feed.xml"] = xml(rss(rss_item(post, link=f"{HOST}{post.href}") for post in posts[:8]))
    return site, truth_of(posts)


@situation("every post has copies: ?p=N, /amp/, /print/, ?replytocom=, ?share=")
def copies_everywhere() -> tuple[Site, Truth]:
    posts = write_posts("copies", 12)
    site = blog_site(posts, theme=CLASSIC)
    aliases = dict[str, str]()
    for place, post in enumerate(posts):
        others = [f"{post.path}amp/", f"{post.path}print/", f"{post.path}?replytocom=7", f"{post.path}?share=mail"]
        links = "".join(f'<a href="{other}">link</a> ' for other in (*others, f"/?p={post.number}"))
        page = post_page(CLASSIC, post, head=_canonical(ORIGIN + post.href), after=links + neighbours(posts, place))
        site.pages[post.path] = site.pages[f"/?p={post.number}"] = page
        for other in others:
            site.pages[other] = post_page(PLAIN, post) if "print" in other or "amp" in other else page
        aliases |= dict.fromkeys([*others, f"/?p={post.number}"], post.path)
    return site, truth_of(posts, aliases=aliases)


@situation("posts answer with and without .html, links use both, no canonical link")
def copies_html_suffix() -> tuple[Site, Truth]:
    posts = write_posts("html suffix", 14, "/{slug}.html")
    site = blog_site(posts)
    short = [replace(post, path=post.path.removesuffix(".html")) for post in posts]
    for place, post in enumerate(short):
        site.pages[post.path] = post_page(MODERN, post, after=neighbours(short, place))
    site.pages["/about/"] = list_page(MODERN, "About", short)
    return site, truth_of(posts, aliases={post.path: full.path for post, full in zip(short, posts, strict=True)})


@situation("session ids in the query of every link, new with every request")
def session_ids_query() -> tuple[Site, Truth]:
    posts = write_posts("session query", 14, "/{slug}.php")
    return _with_sessions(posts, lambda href, number: f"{href}?PHPSESSID={number:032x}"), truth_of(posts)


@situation(";jsessionid in the path of every link, new with every request")
def session_ids_path() -> tuple[Site, Truth]:
    posts = write_posts("session path", 14, "/entry/{slug}")
    return _with_sessions(posts, lambda href, number: f"{href};jsessionid={number:032X}"), truth_of(posts)


@situation("session ids beside the parameter that names the post")
def session_ids_beside_post() -> tuple[Site, Truth]:
    posts = write_posts("session beside", 14, "/show.php?id={number}")
    site = _with_sessions(posts, lambda href, number: f"{href}{'&' if '?' in href else '?'}sid={number:024x}")
    return site, truth_of(posts)


def _with_sessions(posts: list[Post], signed: Callable[[str, int], str]) -> Site:
    """A blog without a feed that has session ids in its links."""
    counter = iter(range(1, 1_000_000))

    def respond(request: Request) -> Response:
        session = next(counter) * 7919
        marked = [replace(post, path=signed(post.path, session)) for post in posts]
        theme = replace(CLASSIC, nav=f'<a href="{signed("/", session)}">Home</a>')
        path = request.path.split(";")[0]
        wanted = f"{path}?id={request.query['id']}" if "id" in request.query else path
        for place, post in enumerate(posts):
            if post.path == wanted:
                return post_page(theme, marked[place], after=neighbours(marked, place))
        number = int(path.removeprefix("/older/")) if path.startswith("/older/") else 1
        shown = marked[(number - 1) * PER_PAGE : number * PER_PAGE]
        if (path != "/" and not path.startswith("/older/")) or not shown:
            return html("<h1>Not found</h1>", 404)
        older = f'<a href="{signed(f"/older/{number + 1}", session)}">Older</a>' if len(shown) == PER_PAGE else ""
        return list_page(theme, theme.name, shown, after=older)

    return Site(fallback=respond)


@situation("tracking parameters on links of feed, pages and sitemap")
def tracking_parameters() -> tuple[Site, Truth]:
    posts = write_posts("tracking", 14)
    site = blog_site(posts)
    tracked = [
        replace(post, path=f"{post.path}?utm_source=home&utm_campaign=c{place}&fbclid=x{place}y")
        for place, post in enumerate(posts)
    ]
    site.pages["/feed.xml"] = xml(rss(rss_item(post, link=f"{ORIGIN}{post.href}?utm_source=rss") for post in posts[:8]))
    site.pages["/"] = list_page(MODERN, MODERN.name, tracked, head='<link rel="alternate" href="/feed.xml">')
    site.pages["/sitemap.xml"] = xml(sitemap_of(f"{post.href}?ref=sitemap" for post in posts))
    return site, truth_of(posts)


@situation("links in upper and lower case, the server does not care")
def case_differs() -> tuple[Site, Truth]:
    posts = write_posts("case differs", 14, "/Blog/{slug}.aspx")
    site = blog_site(posts)
    lower = {path.lower(): page for path, page in site.pages.items()}
    shouted = [replace(post, path=post.path.upper()) for post in posts]
    lower["/about/"] = list_page(MODERN, "About", shouted)

    def respond(request: Request) -> Response:
        page = lower.get(request.path.lower())
        return page if isinstance(page, Response) else html("<h1>Not found</h1>", 404)

    aliases = {spelled: post.path for post in posts for spelled in (post.path.lower(), post.path.upper())}
    return Site(fallback=respond), truth_of(posts, aliases=aliases)


@situation("links without the last slash redirect to it")
def slash_redirects() -> tuple[Site, Truth]:
    posts = write_posts("slash redirects", 14)
    bare = [replace(post, path=post.path.rstrip("/")) for post in posts]
    site = blog_site(bare)
    for post, short in zip(posts, bare, strict=True):
        site.pages[post.path] = site.pages[short.path]
        site.pages[short.path] = redirect(ORIGIN + post.href)
    return site, truth_of(posts)


@situation("two posts, and later two more, have the very same text under other titles and dates")
def same_text_twice() -> tuple[Site, Truth]:
    posts = write_posts("same text", 14)
    posts[5] = replace(posts[5], paragraphs=posts[2].paragraphs)
    posts[11] = replace(posts[11], paragraphs=posts[7].paragraphs, title=posts[7].title)
    return blog_site(posts), truth_of(posts)


@situation("tag pages show one post whole, in the layout of a post")
def tag_pages_like_posts() -> tuple[Site, Truth]:
    posts = [replace(post, tags=(f"topic-{post.number}",)) for post in write_posts("tags like posts", 14, "/{slug}/")]
    site = blog_site(posts)
    for post in posts:
        site.pages[f"/tags/{post.tags[0]}/"] = post_page(MODERN, replace(post, title=post.tags[0]))
    return site, truth_of(posts)
