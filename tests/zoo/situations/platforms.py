"""Blogs in the style of known engines, whose front page and feed have only the newest posts."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.zoo.blog import ORIGIN, Post, Request, Response, Site, Truth, html, not_found, truth_of, write_posts, xml
from tests.zoo.build import add_about, add_posts, blog_site, feed_link
from tests.zoo.feeds import atom_of, rss_of, sitemap_index_of, sitemap_of
from tests.zoo.pages import CLASSIC, DOCS, MODERN, TABLES, Theme, framed, list_page, post_page
from tests.zoo.registry import situation

_SHOWN = 5


def _newest_only(posts: list[Post], theme: Theme, feed: str, kind: str = "application/rss+xml") -> tuple[Site, Theme]:
    """Post pages without links to others, and a front page and a feed with the newest posts."""
    theme = replace(theme, head=theme.head + feed_link(feed, kind))
    site = Site()
    add_posts(site, posts, theme)
    add_about(site, theme)
    site.pages["/"] = list_page(theme, theme.name, posts[:_SHOWN])
    if kind == "application/rss+xml":
        site.pages[feed] = xml(rss_of(posts[:_SHOWN]))
    return site, theme


@situation("WordPress: the REST interface lists all, feed and front page five")
def wordpress_rest() -> tuple[Site, Truth]:
    posts = write_posts("wordpress rest", 22, "/{date:%Y/%m/%d}/{slug}/", first=100)
    head = '<meta name="generator" content="WordPress 6.4.3"><link rel="https://api.w.org/" href="/wp-json/">'
    site, _ = _newest_only(posts, replace(CLASSIC, head=head), "/feed/")
    site.pages["/feed/"] = lambda request: (
        html("", 404) if "paged" in request.query else xml(rss_of(posts[:_SHOWN]), "application/rss+xml")
    )
    site.pages["/wp-json/"] = xml(
        json.dumps({"name": "Kite", "namespaces": ["wp/v2"], "routes": {}}), "application/json"
    )

    def listed(request: Request) -> Response:
        size, page = int(request.query.get("per_page", "10")), int(request.query.get("page", "1"))
        shown = posts[(page - 1) * size : page * size]
        if not shown:
            return xml(json.dumps({"code": "rest_post_invalid_page_number"}), "application/json")
        rows = [
            {
                "id": post.number,
                "date_gmt": f"{post.date:%Y-%m-%dT%H:%M:%S}",
                "link": ORIGIN + post.href,
                "slug": post.slug,
                "status": "publish",
                "type": "post",
                "title": {"rendered": post.title},
                "content": {"rendered": post.html, "protected": False},
            }
            for post in shown
        ]
        headers = {"X-WP-Total": str(len(posts)), "X-WP-TotalPages": str(-(-len(posts) // size))}
        response = xml(json.dumps(rows), "application/json")
        return replace(response, headers=dict(response.headers) | headers)

    site.pages["/wp-json/wp/v2/posts"] = listed
    return site, truth_of(posts)


@situation("Blogger: the feed is paged by start-index and max-results")
def blogger_feed() -> tuple[Site, Truth]:
    posts = write_posts("blogger", 24, "/{date:%Y/%m}/{slug}.html")
    head = '<meta content="blogger" name="generator">'
    site, _ = _newest_only(posts, replace(CLASSIC, head=head), "/feeds/posts/default", "application/atom+xml")

    def feed(request: Request) -> Response:
        start, size = int(request.query.get("start-index", "1")), int(request.query.get("max-results", "5"))
        total = '<openSearch:totalResults xmlns:openSearch="http://a9.com/-/spec/opensearchrss/1.0/">24</openSearch:totalResults>'
        return xml(atom_of(posts[start - 1 : start - 1 + size], more=total), "application/atom+xml")

    site.pages["/feeds/posts/default"] = feed
    return site, truth_of(posts)


@situation("Ghost: sitemap index of posts, pages, tags and authors")
def ghost_sitemaps() -> tuple[Site, Truth]:
    posts = write_posts("ghost", 20, "/{slug}/")
    pages = write_posts("ghost pages", 3, "/{slug}/")
    head = '<meta name="generator" content="Ghost 5.80">'
    site, theme = _newest_only(posts, replace(MODERN, head=head), "/rss/")
    for page in pages:
        site.pages[page.path] = framed(
            theme, page.title, f'<article class="page"><h1>{page.title}</h1>{page.html}</article>'
        )
    tags = sorted({f"/tag/{tag}/" for post in posts for tag in post.tags})
    site.pages |= {tag: list_page(theme, tag, posts[:4]) for tag in [*tags, "/author/ann/"]}
    parts = {"posts": [post.href for post in posts], "pages": [page.href for page in pages], "tags": tags}
    parts["authors"] = ["/author/ann/"]
    site.pages["/sitemap.xml"] = xml(sitemap_index_of(f"/sitemap-{name}.xml" for name in parts))
    site.pages |= {f"/sitemap-{name}.xml": xml(sitemap_of(hrefs)) for name, hrefs in parts.items()}
    return site, truth_of(posts)


@situation("Substack: /api/v1/archive lists all, pages are /p/slug")
def substack_archive() -> tuple[Site, Truth]:
    posts = write_posts("substack", 20, "/p/{slug}")
    head = '<link rel="preconnect" href="https://substackcdn.com">'
    site, _ = _newest_only(posts, replace(MODERN, head=head), "/feed")

    def archive(request: Request) -> Response:
        start, size = int(request.query.get("offset", "0")), int(request.query.get("limit", "12"))
        rows = [
            {"id": post.number, "title": post.title, "slug": post.slug, "canonical_url": ORIGIN + post.href}
            | {"post_date": post.date.isoformat(), "audience": "everyone", "type": "newsletter"}
            for post in posts[start : start + size]
        ]
        return xml(json.dumps(rows), "application/json")

    site.pages["/api/v1/archive"] = archive
    site.pages["/sitemap.xml"] = xml(sitemap_of(post.href for post in posts))
    return site, truth_of(posts)


@situation("Tumblr: /api/read/json and /page/N, pages are /post/number/slug")
def tumblr_api() -> tuple[Site, Truth]:
    posts = write_posts("tumblr", 20, "/post/6180{number:04}/{slug}", paragraphs=1)
    head = (
        '<meta name="twitter:app:name:iphone" content="Tumblr"><link rel="icon" href="https://assets.tumblr.com/x.png">'
    )
    site, _ = _newest_only(posts, replace(MODERN, head=head), "/rss")

    def api(request: Request) -> Response:
        start, size = int(request.query.get("start", "0")), int(request.query.get("num", "20"))
        rows = [
            {"id": str(post.number), "url-with-slug": ORIGIN + post.href, "url": ORIGIN + post.href, "type": "regular"}
            for post in posts[start : start + size]
        ]
        text = json.dumps({"posts-start": start, "posts-total": len(posts), "posts": rows})
        return xml(f"var tumblr_api_read = {text};", "text/javascript")

    site.pages["/api/read/json"] = api
    return site, truth_of(posts)


@situation("LiveJournal: /calendar, years and days; pages are /1234.html")
def journal_calendar() -> tuple[Site, Truth]:
    posts = write_posts("journal", 18, "/{number}.html", days=30, first=1200)
    theme = replace(
        TABLES, nav='<a href="/">Recent</a> <a href="/calendar">Calendar</a> <a href="/profile">Profile</a>'
    )
    site, theme = _newest_only(posts, theme, "/data/rss")
    years = sorted({f"{post.date:%Y}" for post in posts})
    days: dict[str, list[Post]] = {}
    for post in posts:
        days.setdefault(f"/{post.date:%Y/%m/%d}/", []).append(post)
    links = "".join(f'<a href="/{year}/">{year}</a> ' for year in years)
    site.pages["/calendar"] = framed(theme, "Calendar", links)
    for year in years:
        cells = "".join(f'<td><a href="{day}">1</a></td>' for day in days if day.startswith(f"/{year}"))
        site.pages[f"/{year}/"] = framed(theme, year, f"{links}<table><tr>{cells}</tr></table>")
    site.pages |= {day: list_page(theme, day, theirs) for day, theirs in days.items()}
    site.pages["/profile"] = framed(theme, "Profile", "<h1>Profile</h1><p>Likes kites.</p>")
    return site, truth_of(posts)


@situation("Movable Type: monthly archives with whole posts, pages are /archives/000123.html")
def movable_type() -> tuple[Site, Truth]:
    posts = write_posts("movable type", 20, "/archives/{number:06}.html", days=14, first=120)
    months = sorted({f"{post.date:%Y_%m}" for post in posts}, reverse=True)
    nav = "".join(f'<a href="/archives/{month}.html">{month}</a> ' for month in months)
    site, theme = _newest_only(posts, replace(CLASSIC, nav=nav), "/index.rdf")
    item = '<div class="entry"><h3>$title</h3>$excerpt<p>Posted at <a href="$href">$day</a></p></div>'
    for month in months:
        shown = [post for post in posts if f"{post.date:%Y_%m}" == month]
        site.pages[f"/archives/{month}.html"] = list_page(replace(theme, item=item), month, shown, whole=True)
    return site, truth_of(posts)


@situation("a static blog in two languages: the root forwards to /en/, each language has its feed")
def two_languages() -> tuple[Site, Truth]:
    site = Site()
    everything = []
    for code in ("en", "de"):
        posts = write_posts(f"two languages {code}", 10, f"/{code}/posts/{{slug}}/", code=code)
        everything += posts
        nav = f'<a href="/{code}/">Home</a> <a href="/en/">EN</a> <a href="/de/">DE</a>'
        theme = replace(MODERN, language=code, nav=nav, head=feed_link(f"/{code}/index.xml"))
        add_posts(site, posts, theme, linked=True)
        site.pages[f"/{code}/"] = list_page(theme, theme.name, posts[:_SHOWN])
        site.pages[f"/{code}/posts/"] = list_page(theme, "Posts", posts)
        site.pages[f"/{code}/index.xml"] = xml(rss_of(posts))
        site.pages[f"/{code}/sitemap.xml"] = xml(sitemap_of([f"/{code}/", *(post.href for post in posts)]))
    site.pages["/"] = html('<!doctype html><html><head><meta http-equiv="refresh" content="0; url=/en/"></head></html>')
    site.pages["/sitemap.xml"] = xml(sitemap_index_of(["/en/sitemap.xml", "/de/sitemap.xml"]))
    return site, truth_of(everything)


@situation("Docusaurus: the blog's listing shows whole posts; archive and tags beside; docs in the same sitemap")
def docusaurus_blog() -> tuple[Site, Truth]:
    posts = write_posts("docusaurus", 14, "/blog/{date:%Y/%m/%d}/{slug}")
    docs = write_posts("docusaurus docs", 8, "/docs/{slug}")
    head = feed_link("/blog/rss.xml") + '<meta name="generator" content="Docusaurus v3.1.0">'
    theme = replace(DOCS, head=head, nav='<a href="/docs/intro">Docs</a> <a href="/blog">Blog</a>')
    site = Site(start="/blog")
    add_posts(site, posts, theme, linked=True)
    add_posts(site, docs, theme, linked=True)
    tags = sorted({f"/blog/tags/{tag}" for post in posts for tag in post.tags})
    for number in range(3):
        path = f"/blog/page/{number + 1}" if number else "/blog"
        older = f'<a href="/blog/page/{number + 2}">Older Entries</a>' if number < 2 else ""
        site.pages[path] = list_page(theme, "Blog", posts[number * 5 : number * 5 + 5], whole=True, after=older)
    site.pages |= {tag: list_page(theme, tag, posts[:4]) for tag in tags}
    site.pages["/blog/archive"] = list_page(theme, "Archive", posts)
    site.pages["/blog/rss.xml"] = xml(rss_of(posts))
    site.pages["/"] = framed(theme, theme.name, '<h1>A tool</h1><a href="/docs/intro">Start</a>')
    hrefs = ["/", "/blog", "/blog/archive", *tags, *(each.href for each in [*posts, *docs])]
    site.pages["/sitemap.xml"] = xml(sitemap_of(hrefs))
    return site, truth_of(posts)


@situation("Hexo: /archives/ by year and month in pages, no feed, no sitemap")
def hexo_archives() -> tuple[Site, Truth]:
    posts = write_posts("hexo", 22, "/{date:%Y/%m/%d}/{slug}/", days=25)
    theme = replace(MODERN, nav='<a href="/">Home</a> <a href="/archives/">Archives</a> <a href="/tags/">Tags</a>')
    site = blog_site(posts, theme=theme, feed=None, linked=False, paging=None)
    for number in range(3):
        path = f"/archives/page/{number + 1}/" if number else "/archives/"
        older = f'<a class="extend next" href="/archives/page/{number + 2}/">Next</a>' if number < 2 else ""
        site.pages[path] = list_page(theme, "Archives", posts[number * 8 : number * 8 + 8], after=older)
    for month in {f"{post.date:%Y/%m}" for post in posts}:
        shown = [post for post in posts if f"{post.date:%Y/%m}" == month]
        site.pages[f"/archives/{month}/"] = list_page(theme, month, shown)
    return site, truth_of(posts)


@situation("a newsletter archive: posts are numbered issues, the front page is a sign-up form")
def newsletter_issues() -> tuple[Site, Truth]:
    posts = write_posts("newsletter", 16, "/issues/{number}")
    theme = replace(MODERN, nav='<a href="/">Sign up</a> <a href="/issues">Past issues</a>')
    site = Site()
    add_posts(site, posts, theme)
    form = (
        "<h1>The Paper Kite</h1><p>A letter every week.</p><form><input name='mail'><button>Subscribe</button></form>"
    )
    site.pages["/"] = framed(theme, theme.name, form)
    site.pages["/issues"] = list_page(theme, "Past issues", posts)
    return site, truth_of(posts)


@situation("an unknown path is answered with the front page and status 200")
def unknown_paths_show_front() -> tuple[Site, Truth]:
    posts = write_posts("unknown paths", 14)
    site = blog_site(posts)
    front = site.pages["/"]
    site.pages["/robots.txt"] = html("", 404)

    def respond(request: Request) -> Response:
        return front if isinstance(front, Response) else not_found(request)

    site.fallback = respond
    dead = "".join(f'<a href="/lost/{place}/">lost</a> ' for place in range(8))
    for post in posts:
        site.pages[post.path] = post_page(MODERN, post, after=dead)
    return site, truth_of(posts)


_FORM = """<h2 id="comments">Comments</h2><h2>Post a comment</h2><div id="thanks"><p>Thanks for signing in.</p>
<form method="post" action="/mt-comments.cgi"><label>Comments:</label><textarea name="text"></textarea></form></div>"""


@situation("Movable Type: one element holds the post, who posted it and when, and the headings of an empty thread")
def movable_type_without_container() -> tuple[Site, Truth]:
    posts = write_posts("without container", 14, "/archives/{number:06}.html", paragraphs=2)
    post = (
        "<h2>$day</h2><h3>$title</h3>$content<p class=posted>Posted by $author at $day 10:30 PM</p>" + _FORM + "$after"
    )
    site = blog_site(posts, theme=replace(CLASSIC, post=post), feed="/index.xml", linked=False)
    return site, replace(truth_of(posts), forbidden_texts=["Post a comment", "Posted by"])
