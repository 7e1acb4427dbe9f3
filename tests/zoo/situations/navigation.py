"""Ways to old posts: paging, calendars, neighbours, stubs, traps; posts split over pages or several on one page."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from tests.zoo.blog import (
    ORIGIN,
    Post,
    Request,
    Response,
    Site,
    Truth,
    html,
    not_found,
    redirect,
    text,
    truth_of,
    write_posts,
    xml,
)  # fmt: skip
from tests.zoo.build import add_about, add_front, add_posts, blog_site, feed_link
from tests.zoo.feeds import rss_of, sitemap_of
from tests.zoo.pages import CLASSIC, MODERN, PLAIN, TABLES, fill_post, framed, items, list_page, neighbours, post_page
from tests.zoo.registry import situation
from tests.zoo.words import writer

if TYPE_CHECKING:
    from collections.abc import Sequence


@situation("no feed, no sitemap: only 'older posts'")
def only_older_posts() -> tuple[Site, Truth]:
    posts = write_posts("only older", 24)
    return blog_site(posts, feed=None, linked=False, theme=CLASSIC), truth_of(posts)


@situation("no feed; paging by ?page=N and a numbered list of pages")
def paging_by_query() -> tuple[Site, Truth]:
    posts = write_posts("paging query", 24, "/{slug}")
    site = blog_site(posts, feed=None, linked=False, paging="/?page={}")
    return site, truth_of(posts)


@situation("paging by offset: /?start=5, /?start=10, each page links to the next alone")
def paging_by_offset() -> tuple[Site, Truth]:
    posts = write_posts("paging offset", 20, "/{slug}.html")
    site = Site()
    add_posts(site, posts, CLASSIC)
    for start in range(0, 20, 5):
        older = f'<a href="?start={start + 5}">&raquo;</a>' if start < 15 else ""
        site.pages[f"/?start={start}" if start else "/"] = list_page(
            CLASSIC, CLASSIC.name, posts[start : start + 5], after=older
        )
    return site, truth_of(posts)


@situation("only previous and next links between posts; the front page shows the newest post whole")
def only_neighbours() -> tuple[Site, Truth]:
    posts = write_posts("only neighbours", 24, "/{number}.html")
    site = Site()
    add_posts(site, posts, PLAIN, linked=True)
    site.pages["/"] = framed(PLAIN, PLAIN.name, fill_post(PLAIN, posts[0], after=neighbours(posts, 0)))
    return site, truth_of(posts)


@situation("only a calendar: months, days with posts linked from them; no feed")
def only_calendar() -> tuple[Site, Truth]:
    posts = write_posts("only calendar", 20, "/{date:%Y/%m/%d}/{slug}/", days=4)
    site = Site()
    add_posts(site, posts, CLASSIC)
    months = sorted({f"{post.date:%Y/%m}" for post in posts}, reverse=True)
    for place, month in enumerate(months):
        days = "".join(
            f'<td><a href="/{post.date:%Y/%m/%d}/">{post.date.day}</a></td>'
            for post in posts
            if f"{post.date:%Y/%m}" == month
        )
        before = f'<a href="/{months[place + 1]}/">&laquo;</a>' if place + 1 < len(months) else ""
        calendar = f'<table id="wp-calendar"><caption>{month}</caption><tr>{days}</tr></table>{before}'
        site.pages[f"/{month}/"] = framed(CLASSIC, month, calendar)
        if not place:
            site.pages["/"] = framed(CLASSIC, CLASSIC.name, f"<p>Welcome, choose a day.</p>{calendar}")
    for post in posts:
        same = [each for each in posts if each.date.date() == post.date.date()]
        site.pages[f"/{post.date:%Y/%m/%d}/"] = list_page(CLASSIC, f"{post.date:%d %B %Y}", same)
    return site, truth_of(posts)


@situation("robots.txt forbids paging; month and year pages are free")
def paging_forbidden() -> tuple[Site, Truth]:
    posts = write_posts("paging forbidden", 24, "/{date:%Y/%m}/{slug}/", days=20)
    site = blog_site(posts, listed=6, linked=False, theme=CLASSIC)
    site.pages["/robots.txt"] = text("User-agent: *\nDisallow: /page/\nDisallow: /tags/\n")
    months = _add_months(site, posts)
    years = sorted({month[:6] for month in months}, reverse=True)
    links = '<a href="/page/2/">Older</a>' + _links(years)
    site.pages["/"] = list_page(CLASSIC, CLASSIC.name, posts[:5], head=feed_link("/feed.xml"), after=links)
    for year in years:
        site.pages[year] = framed(CLASSIC, year, _links([month for month in months if month.startswith(year)]))
    return site, truth_of(posts)


def _links(hrefs: Sequence[str]) -> str:
    rows = "".join(f'<li><a href="{href}">{href}</a></li>' for href in hrefs)
    return f"<ul>{rows}</ul>"


@situation("the home page is a stub with a meta refresh to /weblog/")
def home_meta_refresh() -> tuple[Site, Truth]:
    return _behind_stub(html('<html><head><meta http-equiv="refresh" content="0; url=weblog/"></head><body></body>'))


@situation("the home page redirects (302) to /weblog/, with a cookie")
def home_redirects() -> tuple[Site, Truth]:
    return _behind_stub(replace(redirect("/weblog/", 302), headers={"Location": "/weblog/", "Set-Cookie": "a=b"}))


@situation("the home page moves on to a host that is gone; feed and posts are where they were")
def home_leads_nowhere() -> tuple[Site, Truth]:
    posts = write_posts("home leads nowhere", 14)
    site = blog_site(posts, listed=14)
    site.pages["/"] = html('<html><head><meta http-equiv="refresh" content="0; url=http://127.0.0.1:9/"></head><body>')
    return site, truth_of(posts)


@situation("the home page is a frameset")
def home_frameset() -> tuple[Site, Truth]:
    frames = '<frameset cols="20%,80%"><frame src="menu.html"><frame src="/weblog/" name="main"></frameset>'
    site, truth = _behind_stub(html(f"<html><head><title>Kite</title></head>{frames}</html>"))
    site.pages["/menu.html"] = html(
        '<a href="/weblog/" target="main">weblog</a> <a href="/about/" target="main">me</a>'
    )
    return site, truth


@situation("the home page moves on by a line of script to /weblog/")
def home_script_redirect() -> tuple[Site, Truth]:
    body = '<script>window.location.href = "/weblog/";</script><noscript><a href="/weblog/">Go on</a></noscript>'
    return _behind_stub(html(f"<html><head><title>…</title></head><body>{body}</body></html>"))


def _behind_stub(stub: Response) -> tuple[Site, Truth]:
    posts = write_posts("behind stub", 14, "/weblog/{date:%Y}/{slug}.html")
    site = Site()
    theme = replace(CLASSIC, head=feed_link("/weblog/index.rdf"))
    add_posts(site, posts, theme, linked=True)
    add_front(site, posts, theme, at="/weblog/", paging="/weblog/page{}.html")
    add_about(site, theme)
    site.pages["/weblog/index.rdf"] = xml(rss_of(posts[:7]))
    site.pages["/"] = stub
    return site, truth_of(posts)


@situation("a welcome page at the root, the blog is one of its links, no feed declared there")
def home_welcome_page() -> tuple[Site, Truth]:
    site, truth = _behind_stub(
        framed(
            PLAIN,
            "Welcome",
            '<h1>Hello</h1><p>I draw kites.</p><p><a href="/weblog/">My blog</a> <a href="/about/">Me</a>',
        )
    )
    return site, truth


@situation("links relative to <base href>, which is another folder")
def base_href() -> tuple[Site, Truth]:
    posts = write_posts("base href", 14, "/site/entries/{slug}.html")
    site = Site()
    theme = replace(CLASSIC, head='<base href="/site/entries/">', nav='<a href="../../">Home</a>')
    short = [replace(post, path=f"{post.slug}.html") for post in posts]
    for place, post in enumerate(posts):
        site.pages[post.path] = post_page(theme, post, after=neighbours(short, place))
    site.pages["/"] = list_page(theme, theme.name, short[:4])
    return site, truth_of(posts)


@situation("an endless calendar: every month has a page that links to the month before and after")
def trap_calendar() -> tuple[Site, Truth]:
    posts = write_posts("trap calendar", 14, "/{date:%Y/%m/%d}/{slug}/")
    site = blog_site(posts, theme=replace(CLASSIC, nav=f'{CLASSIC.nav} <a href="/calendar/2024/5/">Calendar</a>'))

    def month(request: Request) -> Response:
        parts = request.path.strip("/").split("/")
        if len(parts) != 3 or parts[0] != "calendar" or not (parts[1] + parts[2]).isdigit():
            return not_found(request)
        first = date(min(max(int(parts[1]), 1000), 9000), min(max(int(parts[2]), 1), 12), 15)
        links = "".join(
            f'<a href="/calendar/{each.year}/{each.month}/">{each:%B %Y}</a> '
            for each in (first - timedelta(days=30), first + timedelta(days=30), first + timedelta(days=365))
        )
        shown = [post for post in posts if (post.date.year, post.date.month) == (first.year, first.month)]
        return list_page(CLASSIC, f"{first:%B %Y}", shown, after=links)

    site.fallback = month
    return site, truth_of(posts)


@situation("a server that shows its first post under every day, with links to the days before and after")
def endless_days_of_one_post() -> tuple[Site, Truth]:
    posts = write_posts("endless days", 14, "/{date:%Y/%m/%d}/{slug}/")
    site = blog_site(posts, theme=CLASSIC)
    first = posts[-1]

    def day(request: Request) -> Response:
        parts = request.path.strip("/").split("/")
        if len(parts) != 4 or parts[3] != first.slug:
            return not_found(request)
        date = datetime(int(parts[0]), int(parts[1]), int(parts[2]), 9, tzinfo=UTC)
        near = [date + timedelta(days=days) for days in (-31, -1, 1, 31)]
        links = "".join(f'<a href="/{each:%Y/%m/%d}/{first.slug}/">{each:%d %B}</a> ' for each in near)
        return post_page(CLASSIC, replace(first, date=date), after=f"<p>{links}</p>")

    site.pages.pop(first.path)
    site.fallback = day
    # A few duplicates could be posts repeated by their author.
    days = (first.date + timedelta(days=days) for days in range(-400, 400) if days)
    return site, replace(truth_of(posts), optional=[f"/{each:%Y/%m/%d}/{first.slug}/" for each in days])


@situation("tags that combine without end: /tag/a/, /tag/a+b/, /tag/a+b+c/, sorted five ways")
def trap_facets() -> tuple[Site, Truth]:
    posts = write_posts("trap facets", 14, "/{slug}/")
    words = ["red", "blue", "long", "silk", "paper", "storm"]
    nav = "".join(f'<a href="/tag/{word}/">{word}</a> ' for word in words)
    site = blog_site(posts, theme=replace(MODERN, nav=MODERN.nav + nav))

    def facet(request: Request) -> Response:
        if not request.path.startswith("/tag/"):
            return not_found(request)
        chosen = request.path.strip("/").split("/")[1].split("+")
        links = [f"/tag/{'+'.join([*chosen, word])}/" for word in words if word not in chosen[-2:]]
        links += [f"{request.path}?sort={key}&view={view}" for key in ("date", "title") for view in ("list", "grid")]
        after = "".join(f'<a href="{link}">{link}</a> ' for link in links)
        start = len(request.path) % len(posts)
        return list_page(MODERN, "+".join(chosen), posts[start : start + 3], after=after)

    site.fallback = facet
    return site, truth_of(posts)


@situation("relative links without a slash make ever longer paths: /a/b/a/b/…, all answered with 200")
def trap_relative_links() -> tuple[Site, Truth]:
    posts = write_posts("trap relative", 12, "/{slug}.html")
    site = blog_site(posts)

    def any_path(request: Request) -> Response:
        if request.path.endswith((".xml", ".txt", ".gz", ".json")) or not request.path.startswith(
            ("/more", "/archive")
        ):
            return not_found(request)
        links = '<a href="more/">more</a> <a href="archive/more/">archive</a>'
        return list_page(MODERN, "More", posts[:3], after=links)

    site.fallback = any_path
    site.pages["/about/"] = framed(MODERN, "About", '<h1>About</h1><p>Me.</p><a href="/more/">more</a>')
    return site, truth_of(posts)


@situation("posts are anchors on one archive page a year, the feed links to the anchors")
def posts_as_anchors() -> tuple[Site, Truth]:
    posts = write_posts("anchors", 18, "/{date:%Y}.html#a{number}", days=30)
    site = Site()
    years = sorted({post.date.year for post in posts}, reverse=True)
    nav = "".join(f'<a href="/{year}.html">{year}</a> ' for year in years)
    theme = replace(TABLES, head=feed_link("/rss.xml"), nav=nav)

    def entry(post: Post) -> str:
        anchor = f'<a name="a{post.number}" id="a{post.number}"></a>'
        date_line = f'<h4>{post.date:%d %B %Y} <a href="{post.path}">#</a></h4>'
        return f'<div class="day">{anchor}<h3>{post.title}</h3>{date_line}{post.html}</div>'

    for year in years:
        theirs = [post for post in posts if post.date.year == year]
        site.pages[f"/{year}.html"] = framed(theme, str(year), "".join(map(entry, theirs)))
    site.pages["/"] = framed(theme, theme.name, "".join(map(entry, posts[:4])))
    site.pages["/rss.xml"] = xml(rss_of(posts[:8]))
    return site, truth_of(posts)


@situation("made by hand, no feed: all posts stand on the home page, below headings with an id", beyond_links=True)
def posts_on_one_page() -> tuple[Site, Truth]:
    posts = write_posts("one page", 9, "/#{slug}", days=40)
    theme = replace(MODERN, nav='<a href="/">Log</a> <a href="/me.html">Me</a>')
    site = Site()
    site.pages["/"] = framed(
        theme,
        theme.name,
        "".join(f'<h2 id="{post.slug}">{post.title}</h2><p>{post.date:%d %B %Y}</p>{post.html}' for post in posts),
    )
    hand = writer("me")
    sections = "".join(f'<h2 id="{name}">{name}</h2><p>{hand.paragraph()}</p>' for name in ("work", "music", "family"))
    site.pages["/me.html"] = framed(theme, "Me", sections)
    return site, truth_of(posts)


def _split(seed: str, part: str, *, link_rel: bool = False) -> tuple[Site, Truth]:
    """A blog in which every second post has three pages; pages two and three are at `part`."""
    posts = write_posts(seed, 12, "/{slug}/", paragraphs=6)
    site = blog_site(posts)
    aliases: dict[str, str] = {}
    texts = {}
    for post in posts[::2]:
        addresses = [post.path, *(part.format(path=post.path, number=number) for number in (2, 3))]
        third = len(post.paragraphs) // 3
        pieces = [post.paragraphs[:third], post.paragraphs[third : 2 * third], post.paragraphs[2 * third :]]
        numbers = " ".join(f'<a href="{address}">{number + 1}</a>' for number, address in enumerate(addresses))
        for number, (address, piece) in enumerate(zip(addresses, pieces, strict=True)):
            more = addresses[number + 1] if number < 2 else None
            head = f'<link rel="next" href="{more}">' if link_rel and more else ""
            below = f'<div class="page-links">Pages: {numbers}</div>'
            site.pages[address] = post_page(MODERN, post, content=_paragraphs(piece) + below, head=head)
        aliases |= dict.fromkeys(addresses[1:], post.path)
        texts[post.path] = [piece[0][:50] for piece in pieces]
    truth = truth_of(posts, aliases=aliases)
    return site, replace(truth, texts=dict(truth.texts) | texts)


def _paragraphs(paragraphs: Sequence[str]) -> str:
    return "".join(f"<p>{each}</p>" for each in paragraphs)


@situation("posts split over /x/, /x/2/, /x/3/")
def split_by_path() -> tuple[Site, Truth]:
    return _split("split path", "{path}{number}/")


@situation("posts split over ?page=2, ?page=3")
def split_by_query() -> tuple[Site, Truth]:
    return _split("split query", "{path}?page={number}")


@situation("posts split over pages named by rel=next alone")
def split_by_rel_next() -> tuple[Site, Truth]:
    return _split("split rel", "{path}part-{number}.html", link_rel=True)


@situation("the archive page lists all posts by title, the front page shows three; no feed")
def archive_page_lists_all() -> tuple[Site, Truth]:
    posts = write_posts("archive lists", 30, "/writing/{slug}")
    theme = replace(PLAIN, nav='<a href="/">Home</a> <a href="/writing">Everything</a>')
    site = Site()
    add_posts(site, posts, theme)
    site.pages["/"] = list_page(theme, theme.name, posts[:3])
    site.pages["/writing"] = framed(theme, "Everything", f"<h1>Everything</h1>{items(theme, posts)}")
    return site, truth_of(posts)


@situation("all posts are listed on the front page by title, in a table with dates; no feed")
def front_page_table() -> tuple[Site, Truth]:
    posts = write_posts("front table", 24, "/{slug}.html")
    rows = "".join(
        f'<tr><td>{post.date:%Y-%m-%d}</td><td><a href="{post.href}">{post.title}</a></td></tr>' for post in posts
    )
    site = Site()
    add_posts(site, posts, PLAIN)
    site.pages["/"] = framed(PLAIN, PLAIN.name, f"<table>{rows}</table>")
    return site, truth_of(posts)


@situation("links between pages carry fragments, empty hrefs and javascript:")
def links_odd() -> tuple[Site, Truth]:
    posts = write_posts("odd links", 14)
    site = blog_site(posts, sitemap=False, linked=False)
    odd = "".join(f'<a href="{href}">x</a>' for href in ("", "#", "javascript:go()", "tel:123", "?", "//", "http://"))
    for place, post in enumerate(posts):
        following = posts[(place + 1) % len(posts)]
        links = f'{odd}<a href="{following.href}#comments">next</a><a href="{ORIGIN}{following.href}#respond">r</a>'
        site.pages[post.path] = post_page(MODERN, post, after=links)
    site.pages["/sitemap.xml"] = xml(sitemap_of(f"{post.href}#main" for post in posts[:3]))
    return site, truth_of(posts)


@situation("the home page is a greeting without links, and the blog is in /blog/", beyond_links=True)
def greeting_at_root() -> tuple[Site, Truth]:
    posts = write_posts("greeting at root", 14, "/blog/{date:%Y/%m}/{slug}/")
    site = blog_site(posts, feed="/blog/feed.xml")
    site.pages["/blog/"] = site.pages["/"]
    site.pages["/"] = html("<h1>Hello!</h1>")
    return site, truth_of(posts)


@situation("a copy of a greeting and a blog in /blog/: links to the original's host, no feed named", beyond_links=True)
def copy_of_greeting() -> tuple[Site, Truth]:
    posts = write_posts("copy of a greeting", 14, "/blog/{slug}/")
    copied, site = blog_site(posts, feed=None), Site()
    copied.pages["/blog/"] = copied.pages["/"]
    copied.pages["/"] = html('<h1>Hello!</h1><a href="/blog/">Blog</a>')
    for path, page in copied.pages.items():
        if isinstance(page, Response):
            site.pages[path] = replace(page, body=page.body.replace(b'href="/', b'href="http://original.invalid/'))
    site.pages["/blog/feed/"] = xml(rss_of(posts[:8]).replace(ORIGIN, "http://original.invalid"))
    return site, truth_of(posts)


@situation("the home page is a card that links to a file and a page, and not to the blog in /blog/", beyond_links=True)
def card_at_root() -> tuple[Site, Truth]:
    site, truth = greeting_at_root()
    site.pages["/"] = html('<h1>Maren</h1><a href="/card.pdf">Card</a> <a href="/kites.html">Kites</a>')
    site.pages["/kites.html"] = html("<h1>Kites</h1><p>I make kites of paper and bamboo.</p>")
    return site, truth


@situation("a shell script's blog: posts, tag_x.html, all_posts.html and all_tags.html side by side, no dates on posts")
def lists_beside_posts() -> tuple[Site, Truth]:
    posts = write_posts("lists beside posts", 12, "/{slug}.html")
    theme = replace(PLAIN, head=feed_link("/feed.rss"), post="<div class=content><h3>$title</h3>$content</div>")
    site = Site()
    tags = {f"/tag_{name}.html": posts[number::4] for number, name in enumerate(("wind", "paper", "bamboo", "string"))}
    rows = "".join(f'<li><a href="{path}">{path[5:-5]}</a> - {len(each)} posts</li>' for path, each in tags.items())
    links = '<p><a href="/all_posts.html">View more posts</a> <a href="/all_tags.html">All tags</a></p>'
    for path, tagged in tags.items():
        site.pages[path] = framed(theme, path, f"<div class=content>{items(theme, tagged)}</div>")
    site.pages["/all_tags.html"] = framed(
        theme, "All tags", f"<div class=content><h3>All tags</h3><ul>{rows}</ul></div>"
    )
    site.pages["/all_posts.html"] = framed(
        theme, "All posts", f"<div class=content><h3>All posts</h3>{_links([post.href for post in posts])}</div>"
    )
    add_posts(site, posts, theme)
    site.pages["/"] = list_page(theme, theme.name, posts[:4], after=links)
    site.pages["/feed.rss"] = xml(rss_of(posts[:4]))
    return site, truth_of(posts)


@situation("made by hand, no feed: the list is called notes-index.html and introduces each note with a paragraph")
def list_in_prose() -> tuple[Site, Truth]:
    posts = write_posts("list in prose", 8, "/notes/{slug}.html", paragraphs=6)
    nav = "".join(f'<a href="/{name}.html">{name}</a> ' for name in ("notes-index", "publications", "equipment"))
    theme = replace(PLAIN, nav=nav, post="<h1>$title</h1>$content<p>Date: $day</p>")
    hand = writer("list in prose")
    pages = {name: "".join(f"<p>{hand.paragraph()}</p>" for _ in range(4)) for name in ("publications", "equipment")}
    notes = "".join(f'<h2><a href="{post.href}">{post.title}</a></h2><p>{hand.paragraph()}</p>' for post in posts)
    site = Site(pages={f"/{name}.html": framed(theme, name.title(), body) for name, body in pages.items()})
    site.pages["/"] = framed(theme, theme.name, f"<p>{hand.paragraph()}</p>")
    site.pages["/notes-index.html"] = framed(theme, "Notes", f"<p>{hand.paragraph()}</p>{notes}")
    add_posts(site, posts, theme)
    return site, truth_of(posts)


@situation("the harvest is given the URL of an old post, which the feed does not list")
def start_at_post() -> tuple[Site, Truth]:
    posts = write_posts("start at post", 14)
    site = blog_site(posts, listed=5)
    site.start = posts[-3].path
    return site, truth_of(posts)


@situation("the home page has the header Refresh, which leads to /weblog/", beyond_links=True)
def home_refresh_header() -> tuple[Site, Truth]:
    return _behind_stub(html("<html><body></body></html>", Refresh="0; url=/weblog/"))


@situation("the feed is named by the header Link of the home page alone", beyond_links=True)
def feed_in_link_header() -> tuple[Site, Truth]:
    posts = write_posts("feed in header", 14)
    site = blog_site(posts, feed=None, paging=None, linked=False)
    for path in [path for path in site.pages if path.startswith("/tags/")]:
        del site.pages[path]
    front = list_page(MODERN, MODERN.name, posts[:3])
    link = '<http://[::1/>; rel=prev, </x/y>; rel="alternate"; type="application/rss+xml"; title="All"'
    site.pages["/"] = replace(front, headers=dict(front.headers) | {"Link": link})
    site.pages["/x/y"] = xml(rss_of(posts))
    return site, truth_of(posts)


@situation("no feed; further pages are named by the header Link alone", beyond_links=True)
def paging_in_link_header() -> tuple[Site, Truth]:
    posts = write_posts("paging in header", 20)
    site = Site()
    add_posts(site, posts, CLASSIC)
    for number in range(4):
        page = list_page(CLASSIC, CLASSIC.name, posts[number * 5 : number * 5 + 5])
        link = {"Link": f'</older/{number + 1}>; rel="next"'} if number < 3 else {}
        site.pages[f"/older/{number}" if number else "/"] = replace(page, headers=dict(page.headers) | link)
    return site, truth_of(posts)


@situation("no feed: the months are a list to choose from, with a script that goes there", beyond_links=True)
def months_to_choose() -> tuple[Site, Truth]:
    posts = write_posts("months to choose", 24, "/{date:%Y/%m}/{slug}/", days=12)
    site = Site()
    add_posts(site, posts, CLASSIC)
    months = _add_months(site, posts)
    options = "".join(f'<option value="{month}">{month[1:-1]}</option>' for month in months)
    choice = f'<select onchange="location = this.value"><option value="">Select month</option>{options}</select>'
    site.pages["/"] = list_page(CLASSIC, CLASSIC.name, posts[:3], after=choice)
    return site, truth_of(posts)


def _add_months(site: Site, posts: Sequence[Post]) -> list[str]:
    """Add a list of the posts of each month, the latest first; return the paths of these lists."""
    months = sorted({f"/{post.date:%Y/%m}/" for post in posts}, reverse=True)
    for month in months:
        site.pages[month] = list_page(CLASSIC, month, [post for post in posts if post.path.startswith(month)])
    return months


@situation("no feed: a cover without links shows the list of posts in a frame", beyond_links=True)
def list_in_frame() -> tuple[Site, Truth]:
    posts = write_posts("list in frame", 16, "/{slug}.html")
    site = Site()
    add_posts(site, posts, PLAIN)
    rows = "".join(f'<li>{post.date:%d.%m.%Y} <a href="{post.href}" target="_top">{post.title}</a>' for post in posts)
    site.pages["/list.html"] = html(f"<html><body><ul>{rows}</ul></body></html>")
    site.pages["/"] = html('<html><head><title>Kite</title></head><body><h1>Kite</h1><iframe src="list.html"></iframe>')
    return site, truth_of(posts)


@situation("no feed: the posts are cards to click on, without links", beyond_links=True)
def cards_to_click() -> tuple[Site, Truth]:
    posts = write_posts("cards to click", 16, "/{slug}/")
    site = Site()
    add_posts(site, posts, MODERN)
    clicks = (
        "onclick=\"window.location.href = '{}'\"",
        "onclick='location.assign(\"{}\")'",
        'data-href="{}"',
    )
    cards = "".join(
        f'<div class="card" {clicks[post.number % 3].format(post.href)}><h2>{post.title}</h2>'
        f"<p>{post.date:%d %B %Y}</p><p>{post.summary}</p></div>"
        for post in posts
    )
    site.pages["/"] = framed(MODERN, MODERN.name, cards)
    return site, truth_of(posts)


@situation("no feed: the months are named in the head alone, as older themes of WordPress did", beyond_links=True)
def months_in_head() -> tuple[Site, Truth]:
    posts = write_posts("months in head", 24, "/{date:%Y/%m}/{slug}/", days=12)
    site = Site()
    months = _add_months(site, posts)
    head = "".join(f'<link rel="archives" title="{month}" href="{month}">' for month in months)
    add_posts(site, posts, CLASSIC, head=head)
    site.pages["/"] = list_page(CLASSIC, CLASSIC.name, posts[:3], head=head)
    return site, truth_of(posts)


@situation("no feed: the home page shows the newest post whole and links to years, which link to months")
def years_of_months() -> tuple[Site, Truth]:
    posts = write_posts("years of months", 18, "/{date:%Y/%m}/{slug}/", days=25)
    months = sorted({f"/{post.date:%Y/%m}/" for post in posts}, reverse=True)
    years = sorted({month[:6] for month in months}, reverse=True)
    site = Site()
    add_posts(site, posts, PLAIN)
    site.pages["/"] = framed(PLAIN, PLAIN.name, fill_post(PLAIN, posts[0], after=_links(years)))
    for year in years:
        site.pages[year] = framed(PLAIN, year, _links([month for month in months if month.startswith(year)]))
    for month in months:
        site.pages[month] = framed(PLAIN, month, _links([post.href for post in posts if post.path.startswith(month)]))
    return site, truth_of(posts)


@situation("no feed: the home page links to months alone, whose pages show posts whole and link to them by a sign")
def months_of_whole_posts() -> tuple[Site, Truth]:
    posts = write_posts("months of whole posts", 24, "/{date:%Y/%m}/{slug}.html", days=12)
    months = sorted({f"/{post.date:%Y/%m}/" for post in posts}, reverse=True)
    site = Site()
    add_posts(site, posts, CLASSIC)
    site.pages["/"] = framed(CLASSIC, CLASSIC.name, f"<h2>Issues</h2>{_links(months)}")
    for month in months:
        shown = [
            f'<h2>{post.title}</h2><div class="blog-body">{post.html}</div>'
            f'<p class="posted"><a href="{post.href}">#</a>{post.date:%d %B %Y}</p>'
            for post in posts
            if post.path.startswith(month)
        ]
        site.pages[month] = framed(CLASSIC, month, "<hr>".join(shown))
    return site, truth_of(posts)
