"""Odd permalinks: queries, scripts other than Latin, lengths, characters, and posts that moved."""

from __future__ import annotations

import re
from dataclasses import replace
from urllib.parse import quote

from tests.zoo.blog import (
    ORIGIN,
    Post,
    Request,
    Response,
    Site,
    Truth,
    html,
    move,
    not_found,
    redirect,
    truth_of,
    write_posts,
    xml,
)
from tests.zoo.build import add_posts, blog_site, feed_link
from tests.zoo.feeds import rss, rss_item, rss_of, sitemap_of
from tests.zoo.pages import CLASSIC, MODERN, PLAIN, Theme, list_page, neighbours, post_page
from tests.zoo.registry import situation
from tests.zoo.words import writer


def _by_query(seed: str, pattern: str, *, feed: bool = True, theme: Theme = CLASSIC) -> tuple[Site, Truth]:
    """A blog whose posts differ only in their query; other queries show the front page."""
    posts = write_posts(seed, 16, pattern, first=11)
    site = blog_site(posts, theme=theme, feed="/rss.php" if feed else None, paging="/index.php?page={}")
    front = site.pages["/"]
    site.pages |= {"/index.php": front, "/show.asp": front}
    return site, truth_of(posts)


@situation("permalinks /?p=12")
def permalink_query_p() -> tuple[Site, Truth]:
    return _by_query("query p", "/?p={number}")


@situation("permalinks /show.asp?id=12, no feed")
def permalink_query_id() -> tuple[Site, Truth]:
    return _by_query("query id", "/show.asp?id={number}", feed=False)


@situation("permalinks /index.php?post=12&lang=en")
def permalink_query_post() -> tuple[Site, Truth]:
    return _by_query("query post", "/index.php?post={number}&lang=en")


@situation("permalinks /index.php?/archives/12-slug.html")
def permalink_query_path() -> tuple[Site, Truth]:
    return _by_query("query path", "/index.php?/archives/{number}-{slug}.html")


@situation("no feed: posts are /wiki.pl?SaltAndStone, names without a value")
def permalink_query_name() -> tuple[Site, Truth]:
    posts = write_posts("query name", 16, "/wiki.pl?{slug}")
    names = {post.path: "/wiki.pl?" + "".join(word.title() for word in post.slug.split("-")) for post in posts}
    posts = [replace(post, path=names[post.path]) for post in posts]
    return blog_site(posts, theme=CLASSIC, feed=None, paging="/page{}.html"), truth_of(posts)


@situation("a program in /cgi-bin/ is the blog, with forms for comments of another program")
def permalink_cgi() -> tuple[Site, Truth]:
    posts = write_posts("cgi", 16, "/cgi-bin/blog.cgi/{date:%Y/%m/%d}/{slug}.html")
    site = Site()
    for place, post in enumerate(posts):
        form = f'<a href="/cgi-bin/comments.cgi?entry={post.number}">Add a comment</a>'
        site.pages[post.path] = post_page(CLASSIC, post, after=neighbours(posts, place) + form)
    site.pages["/cgi-bin/blog.cgi"] = list_page(CLASSIC, CLASSIC.name, posts[:6])
    site.pages["/"] = html('<h1>A host</h1><p>Pages of this host.</p><a href="/cgi-bin/blog.cgi">weblog</a>')
    return site, truth_of(posts)


@situation("one post a day at /2014/08/08/, beside others with a name below their day")
def permalink_day() -> tuple[Site, Truth]:
    posts = write_posts("day", 16, "/{date:%Y/%m/%d}/{slug}/")
    posts = [
        replace(post, path=f"/{post.date:%Y/%m/%d}/") if place % 3 == 0 else post for place, post in enumerate(posts)
    ]
    return blog_site(posts, theme=CLASSIC), truth_of(posts)


@situation("all posts at /2014/08/08/, one a day; the months are lists")
def permalink_day_alone() -> tuple[Site, Truth]:
    posts = write_posts("day alone", 16, "/{date:%Y/%m/%d}/")
    site = blog_site(posts, theme=CLASSIC)
    for month in sorted({f"/{post.date:%Y/%m}/" for post in posts}):
        site.pages[month] = list_page(CLASSIC, month, [post for post in posts if post.path.startswith(month)])
    return site, truth_of(posts)


@situation("a post called /2023 that looks back on a year, in the feed among others")
def permalink_year() -> tuple[Site, Truth]:
    posts = write_posts("year", 14, "/{slug}")
    posts[3] = replace(posts[3], path="/2023", title="2023")
    return blog_site(posts), truth_of(posts)


@situation("each post is at /?p=12 and at /?page_id=12, and links lead to both")
def permalink_query_twice() -> tuple[Site, Truth]:
    site, truth = _by_query("query twice", "/?p={number}")
    for path in truth.posts:
        other = path.replace("?p=", "?page_id=")
        page = site.pages[path]
        assert isinstance(page, Response)
        body = page.body.replace(b"</body>", f'<a href="{other}">print</a></body>'.encode())
        site.pages[path] = site.pages[other] = replace(page, body=body)
    return site, truth


@situation("permalinks /index.php/archives/12/")
def permalink_path_info() -> tuple[Site, Truth]:
    posts = write_posts("path info", 14, "/index.php/archives/{number}/", first=7)
    site = blog_site(posts, theme=CLASSIC, paging="/index.php/page/{}/", feed="/index.php/feed/")
    site.pages["/index.php"] = site.pages["/"]
    return site, truth_of(posts)


@situation("no feed: permalinks /index.php/archives/12/, and below each comment a link that shows the post again")
def permalink_archives_number() -> tuple[Site, Truth]:
    posts = write_posts("archives number", 14, "/index.php/archives/{number}/", first=7)
    site = blog_site(posts, feed=None, paging="/index.php/page/{}/")
    for place, post in enumerate(posts):
        replies = "".join(f'<a href="{post.path}?replyTo={number}">Reply</a>' for number in range(3))
        site.pages[post.path] = post_page(MODERN, post, after=neighbours(posts, place) + replies)
    site.pages["/index.php"] = site.pages["/"]
    return site, truth_of(posts)


@situation("a copy by wget: titles link to wp-trackback.php%3Fp=12.html, which led to the post")
def copy_by_trackbacks() -> tuple[Site, Truth]:
    posts = write_posts("trackbacks", 14, "/wp-trackback.php%3Fp={number}.html", first=112)
    site = blog_site(posts, theme=CLASSIC, feed=None, paging="/index.html%3Fpaged={}.html")
    site.pages = {path.replace("%3F", "?"): page for path, page in site.pages.items()}
    return site, truth_of(move(posts, "/wp-trackback.php?p={number}.html"))


@situation("permalinks /2021/03/12/, with a number in place of the day")
def permalink_number_in_month() -> tuple[Site, Truth]:
    posts = write_posts("number in month", 26, "/{date:%Y}/{date:%m}/{number}/", first=21)
    posts = [replace(post, path=f"{post.path[:9]}{post.number * 5 - 90}/") for post in posts]
    return blog_site(posts, theme=CLASSIC, paging="/page/{}/"), truth_of(posts)


@situation("permalinks of hex digits, /p/9f8a7c6d5e4b")
def permalink_hex() -> tuple[Site, Truth]:
    posts = [replace(post, path=f"/p/{post.number * 2654435761 % 2**48:012x}") for post in write_posts("hex", 14)]
    return blog_site(posts), truth_of(posts)


@situation("permalinks are dates, /20240520.html")
def permalink_date_file() -> tuple[Site, Truth]:
    posts = write_posts("date file", 16, "/{date:%Y%m%d}.html")
    return blog_site(posts, theme=PLAIN, paging="/older{}.html"), truth_of(posts)


@situation("slugs of one short word at the root: /tea/ beside /about/")
def permalink_one_word() -> tuple[Site, Truth]:
    posts = write_posts("one word", 14)
    taken = dict.fromkeys(post.slug.split("-")[0] for post in posts)
    posts = [replace(post, path=f"/{word}/") for post, word in zip(posts, taken, strict=False)]
    return blog_site(posts), truth_of(posts)


@situation("slugs of 220 characters")
def permalink_long() -> tuple[Site, Truth]:
    posts = write_posts("long slugs", 12)
    posts = [
        replace(post, path=f"/{post.date:%Y}/{(post.slug + '-' + '-very' * 60)[:220]}-{post.number}/") for post in posts
    ]
    return blog_site(posts), truth_of(posts)


@situation("slugs with spaces, commas, brackets, quotes, plus signs and colons")
def permalink_characters() -> tuple[Site, Truth]:
    marks = ("my post ({})", "tea, milk & {}", "it's {}!", "c++ no. {}", "part: {}", "100 percent [{}]")
    posts = write_posts("characters", 12)
    posts = [replace(post, path=f"/blog/{marks[place % 6].format(post.number)}") for place, post in enumerate(posts)]
    return blog_site(posts), truth_of(posts)


@situation("Cyrillic slugs: links as they are, in upper-case and in lower-case percent signs")
def permalink_non_ascii() -> tuple[Site, Truth]:
    posts = write_posts("non ascii", 15, "/{date:%Y}/{slug}/", code="ru")
    site = blog_site(posts, theme=replace(MODERN, language="ru"))
    lower = [replace(post, path=quote(post.path).lower()) for post in posts]
    site.pages["/about/"] = list_page(MODERN, "О блоге", lower)
    front = site.pages["/"]
    if isinstance(front, Response):
        body = front.body
        for post in posts:
            body = body.replace(post.href.encode(), post.path.encode())
        site.pages["/"] = replace(front, body=body)
    return site, truth_of(posts)


@situation("a server that ignores case; every page links to the others in a case of its own")
def case_ignored() -> tuple[Site, Truth]:
    posts = write_posts("case", 40, "/{date:%Y}/{slug}.html")
    plain = blog_site(posts, listed=40)
    by_case = {path.lower(): page for path, page in plain.pages.items()}
    hand = writer("case of links")

    def any_case(request: Request) -> Response:
        page = by_case.get(request.path.lower())
        return page if isinstance(page, Response) else not_found(request)

    def spelled(match: re.Match[bytes]) -> bytes:
        return b"".join(bytes([each]).upper() if hand.number(0, 1) else bytes([each]) for each in match[0])

    for path, page in by_case.items():
        if isinstance(page, Response) and not path.endswith(".xml"):
            by_case[path] = replace(page, body=re.sub(rb'(?<=href="/)[^"]*', spelled, page.body))
    return Site(fallback=any_case), truth_of(posts)


@situation("posts moved: old addresses in feed and links redirect (301) to new ones")
def moved_posts() -> tuple[Site, Truth]:
    old = write_posts("moved", 14, "/archives/{number:05}.html")
    new = move(old, "/{date:%Y/%m}/{slug}/")
    site = blog_site(old)
    for before, after in zip(old, new, strict=True):
        site.pages[after.path] = site.pages[before.path]
        site.pages[before.path] = redirect(after.href)
    return site, truth_of(new)


@situation("half of the posts moved twice, in a chain of three redirects over two schemes of addresses")
def moved_in_chains() -> tuple[Site, Truth]:
    posts = write_posts("chains", 14, "/{slug}")
    oldest = move(posts, "/?p={number}")
    site = blog_site([replace(old if old.number % 2 else new) for old, new in zip(oldest, posts, strict=True)])
    for old, post in zip(oldest, posts, strict=True):
        site.pages[post.path] = post_page(MODERN, post)
        site.pages[old.path] = redirect(f"/node/{post.number}", 302)
        site.pages[f"/node/{post.number}"] = redirect(f"{ORIGIN}/{post.slug}/", 301)
        site.pages[f"/{post.slug}/"] = redirect(f"/{post.slug}", 308)
    return site, truth_of(posts)


@situation("some addresses of sitemap and feed redirect to themselves or in a circle", beyond_links=True)
def redirect_loops() -> tuple[Site, Truth]:
    posts = write_posts("loops", 16)
    site = blog_site(posts, sitemap=True)
    broken = posts[::4]
    for place, post in enumerate(broken):
        if place % 2:
            site.pages[post.path] = redirect(post.href, 302)
        else:
            site.pages[post.path] = redirect(f"{post.href}b/", 302)
            site.pages[f"{post.path}b/"] = redirect(post.href, 302)
    # The texts of the latest are in the feed.
    return site, truth_of([post for post in posts if post not in broken or post in posts[:10]])


@situation("deleted posts redirect to the home page")
def deleted_to_home() -> tuple[Site, Truth]:
    posts = write_posts("deleted home", 16)
    site = blog_site(posts, sitemap=True)
    gone = posts[1::4]
    for post in gone:
        site.pages[post.path] = redirect("/", 302)
    return site, truth_of([post for post in posts if post not in gone])


@situation("feed links in one scheme of addresses, pages link in another, both answer, canonical links tell")
def two_schemes() -> tuple[Site, Truth]:
    posts = write_posts("two schemes", 14, "/{date:%Y/%m}/{slug}/")
    site = blog_site(posts)
    for place, post in enumerate(posts):
        page = post_page(
            MODERN,
            post,
            head=f'<link rel="canonical" href="{ORIGIN}{post.href}">',
            after=neighbours(posts, place),
        )
        site.pages[post.path] = site.pages[f"/node/{post.number}"] = page
    items = (rss_item(post, link=f"{ORIGIN}/node/{post.number}") for post in posts[:8])
    site.pages["/feed.xml"] = xml(rss(items))
    site.pages["/sitemap.xml"] = xml(sitemap_of(f"/node/{post.number}" for post in posts))
    return site, truth_of(posts, aliases={f"/node/{post.number}": post.path for post in posts})


@situation("session ids in the links of pages; feed and sitemap are clean")
def session_ids_with_feed() -> tuple[Site, Truth]:
    posts = write_posts("session feed", 14, "/{slug}.php")
    site = blog_site(posts, theme=CLASSIC)
    by_path = dict(site.pages)
    counter = iter(range(1, 1_000_000))

    def signed(request: Request) -> Response:
        page = by_path.get(request.path)
        if not isinstance(page, Response):
            return not_found(request)
        if request.path.endswith(".xml"):
            return page
        session = f"?PHPSESSID={next(counter) * 7919:032x}".encode()
        body = page.body.replace(b'.php"', b".php" + session + b'"').replace(b'/"', b"/" + session + b'"')
        return replace(page, body=body)

    return Site(fallback=signed), truth_of(posts)


@situation("the week's posts stand in a folder each, with index.html and without in links")
def index_html_links() -> tuple[Site, Truth]:
    posts = write_posts("index html", 14, "/{date:%Y}/{slug}/")
    indexed = [replace(post, path=f"{post.path}index.html") for post in posts]
    site = blog_site(posts)
    add_posts(site, indexed, MODERN, linked=True)
    site.pages["/about/"] = list_page(MODERN, "About", indexed)
    site.pages["/index.html"] = site.pages["/"]
    return site, truth_of(posts, aliases={post.path: full.path for post, full in zip(indexed, posts, strict=True)})


@situation("previews and views for telephones: ?preview=true, /mobile/x/, /en/x/, with canonical links")
def preview_copies() -> tuple[Site, Truth]:
    posts = write_posts("previews", 12, "/{slug}/")
    site = blog_site(posts)

    def linked(post: Post, place: int) -> Response:
        copies = (f"{post.path}?preview=true", f"/en{post.path}", f"/mobile{post.path}")
        links = "".join(f'<a href="{copy}">another view</a> ' for copy in copies)
        return post_page(MODERN, post, after=links + neighbours(posts, place))

    aliases = {}
    for place, post in enumerate(posts):
        site.pages[post.path] = linked(post, place)
        for copy in (f"/en{post.path}", f"/mobile{post.path}"):
            head = f'<link rel="canonical" href="{ORIGIN}{post.href}">'
            site.pages[copy] = post_page(PLAIN, post, head=head)
            aliases[copy] = post.path
    site.pages["/feed.xml"] = xml(rss_of(posts[:8]))
    return site, truth_of(posts, aliases=aliases)


@situation("a copy of a blog: all its links, lists and feeds lead to the original's host, now gone", beyond_links=True)
def copy_with_links_to_original() -> tuple[Site, Truth]:
    posts = write_posts("copy of a blog", 24)
    site = blog_site(posts, sitemap=True)
    original = b"http://original.invalid"
    for path, page in site.pages.items():
        if isinstance(page, Response):
            body = page.body.replace(ORIGIN.encode(), original).replace(b'href="/', b'href="' + original + b"/")
            site.pages[path] = replace(page, body=body)
    del site.pages["/robots.txt"]
    return site, truth_of(posts)


@situation("the same copy in a folder: the original had its home page at the root of its host", beyond_links=True)
def copy_in_folder() -> tuple[Site, Truth]:
    posts = write_posts("copy in a folder", 24)
    original = blog_site(posts, sitemap=True)
    site = Site(start="/copy/")
    for path, page in original.pages.items():
        if isinstance(page, Response) and path != "/robots.txt":
            body = page.body.replace(ORIGIN.encode(), b"http://original.invalid")
            site.pages[f"/copy{path}"] = replace(page, body=body.replace(b'href="/', b'href="http://original.invalid/'))
    return site, truth_of([replace(post, path=f"/copy{post.path}") for post in posts])


@situation("a copy of an archive page and posts: no feed, all links lead to the original's host", beyond_links=True)
def copy_without_feed() -> tuple[Site, Truth]:
    posts = write_posts("copy without feed", 14, "/archives/{number:06}.html")
    site = Site(start="/archives.html")
    theme = replace(CLASSIC, head=feed_link("http://original.invalid/index.rdf"))
    add_posts(site, posts, theme, linked=True)
    site.pages["/archives.html"] = list_page(theme, "Archives", posts)
    for path, page in site.pages.items():
        if isinstance(page, Response):
            site.pages[path] = replace(page, body=page.body.replace(b'href="/', b'href="http://original.invalid/'))
    return site, truth_of(posts)


@situation("a copy of a blog in a folder of its host; its feed names the folder without a slash", beyond_links=True)
def copy_of_folder() -> tuple[Site, Truth]:
    posts = write_posts("copy of a folder", 12, "/{slug}")
    site = blog_site(posts, feed=None, theme=replace(MODERN, head=feed_link("/index.xml")))
    old = "https://original.invalid/garden"
    items = [rss_item(post, link=f"{old}{post.href}") for post in posts[:8]]
    site.pages["/index.xml"] = xml(rss(items, link=old))
    site.pages["/sitemap.xml"] = xml(sitemap_of([post.href for post in posts]).replace(ORIGIN, old))
    site.pages["/"] = list_page(MODERN, MODERN.name, posts[:2], head=feed_link("/index.xml"))
    for path in [path for path in site.pages if path.startswith(("/page/", "/tags/"))]:
        del site.pages[path]
    add_posts(site, posts)
    return site, truth_of(posts)


@situation("a copy asked for by the folder of one language; the other one is beside it", beyond_links=True)
def copy_in_two_languages() -> tuple[Site, Truth]:
    posts = write_posts("copy in two languages", 12, "/en/posts/{slug}/")
    translated = write_posts("copy in another language", 12, "/de/posts/{slug}/", code="de")
    site = Site(start="/en/")
    for code, some in (("en", posts), ("de", translated)):
        theme = replace(
            MODERN, head=feed_link(f"/{code}/index.xml"), nav='<a href="/en/posts/">en</a> <a href="/de/posts/">de</a>'
        )
        add_posts(site, some, theme)
        site.pages[f"/{code}/"] = list_page(theme, theme.name, [*some[:5], *translated[:3]])
        site.pages[f"/{code}/posts/"] = list_page(theme, "Posts", some)
        site.pages[f"/{code}/index.xml"] = xml(rss_of(some[:8]))
    for path, page in site.pages.items():
        if isinstance(page, Response):
            body = page.body.replace(ORIGIN.encode(), b"http://original.invalid")
            site.pages[path] = replace(page, body=body.replace(b'href="/', b'href="http://original.invalid/'))
    return site, truth_of([*posts, *translated])


@situation("a copy in several languages: its first page redirects to the original's host, now gone", beyond_links=True)
def copy_behind_redirect() -> tuple[Site, Truth]:
    posts = write_posts("copy behind redirect", 14, "/en/posts/{slug}/")
    site = Site()
    theme = replace(MODERN, head=feed_link("/en/index.xml"), nav='<a href="/en/posts/">Posts</a>')
    add_posts(site, posts, theme)
    site.pages["/en/"] = list_page(theme, theme.name, posts[:5])
    site.pages["/en/posts/"] = list_page(theme, "Posts", posts)
    site.pages["/en/index.xml"] = xml(rss_of(posts[:8]).replace(ORIGIN, "http://original.invalid"))
    site.pages["/"] = html('<meta http-equiv="refresh" content="0; url=http://original.invalid/en/">')
    return site, truth_of(posts)


@situation("a mirror: lists link to posts as ?p=12, as to pictures and pages; the feed has the dated URLs")
def mirror_of_short_links() -> tuple[Site, Truth]:
    posts = write_posts("mirror of short links", 30, "/{date:%Y/%m/%d}/{slug}/", first=40)
    short = move(posts, "/index.html%3Fp={number}.html")
    site = blog_site(short, feed="/feed/", linked=False, paging="/page/{}/")
    site.pages["/feed/"] = xml(rss_of(posts[:5]))
    for post, full in zip(short, posts, strict=True):
        pictures = "".join(
            f'<a href="/index.html%3Fp={post.number * 20 + place}.html">a picture</a>' for place in range(8)
        )
        page = post_page(CLASSIC, full, after=pictures, head=f'<link rel="canonical" href="{post.href}">')
        site.pages[full.path] = site.pages[post.path.replace("%3F", "?")] = page
        del site.pages[post.path]
    site.fallback = _picture
    return site, truth_of([*posts[:5], *move(short[5:], "/index.html?p={number}.html")])


def _picture(request: Request) -> Response:
    """The page of a picture, as in a mirror of WordPress."""
    if not request.path.startswith("/index.html?p="):
        return not_found(request)
    return html(f'<html><head><title>{request.path}</title></head><body class="attachment"><img src="/x.png"></body>')


@situation("permalinks /view.php?cat=2&id=12, no feed: the category is a parameter of the post")
def permalink_query_category() -> tuple[Site, Truth]:
    posts = write_posts("permalink category", 14, "/view.php?cat=2&id={number}")
    return blog_site(posts, feed=None, paging="/index.php?start={}"), truth_of(posts)
