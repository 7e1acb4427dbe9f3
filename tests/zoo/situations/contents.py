"""Posts that do not look like posts: tiny, without words, in other scripts, encodings and broken markup."""

from __future__ import annotations

from dataclasses import replace

from tests.zoo.blog import Post, Response, Site, Truth, html, paths, truth_of, write_posts, xml
from tests.zoo.build import add_posts, blog_site, feed_link
from tests.zoo.feeds import rss_of
from tests.zoo.pages import CLASSIC, MODERN, PLAIN, TABLES, framed, list_page, neighbours, post_page
from tests.zoo.registry import situation
from tests.zoo.words import writer


@situation("an ordinary blog: feed, sitemap, paging; nothing is odd")
def ordinary_blog() -> tuple[Site, Truth]:
    posts = write_posts("ordinary", 25)
    return blog_site(posts, sitemap=True), truth_of(posts)


def _short(seed: str, count: int, words: int, path: str = "/{date:%Y/%m}/{slug}/") -> list[Post]:
    hand = writer(seed)
    return [replace(post, paragraphs=[hand.sentence(words)]) for post in write_posts(seed, count, path)]


@situation("link blog: a link and one sentence each")
def link_blog() -> tuple[Site, Truth]:
    posts = _short("link blog", 24, 9)
    site = blog_site(posts)
    for place, post in enumerate(posts):
        link = f'<p><a href="https://elsewhere.example/{post.number}">{post.title}</a></p>{post.html}'
        site.pages[post.path] = post_page(MODERN, post, content=link, after=neighbours(posts, place))
    return site, truth_of(posts)


@situation("posts of thirty words")
def posts_of_thirty_words() -> tuple[Site, Truth]:
    posts = _short("thirty words", 18, 30)
    return blog_site(posts, theme=CLASSIC), truth_of(posts)


@situation("notes of five words without a title, no feed")
def notes_untitled() -> tuple[Site, Truth]:
    posts = [replace(post, title="") for post in _short("untitled", 18, 6, "/notes/{number}/")]
    theme = replace(MODERN, item='<div class="note"><p>$excerpt</p><a href="$href">$day</a></div>')
    theme = replace(
        theme, post='<div class="h-entry note"><div class="e-content">$content</div><a href="">$day</a></div>$after'
    )
    return blog_site(posts, theme=theme, feed=None), truth_of(posts)


@situation("photo blog: a title, a picture, no text")
def photo_blog() -> tuple[Site, Truth]:
    posts = write_posts("photos", 18, "/photo/{number}")
    site = blog_site(posts, extent="titles")
    for place, post in enumerate(posts):
        picture = f'<p><img src="/pictures/{post.number}.jpg" width="1200" height="800" alt=""></p>'
        site.pages[post.path] = post_page(MODERN, post, content=picture, after=neighbours(posts, place))
    return site, Truth(posts=paths(posts))


@situation("video blog: a title, a frame of another host, a line")
def video_blog() -> tuple[Site, Truth]:
    posts = _short("videos", 16, 8, "/watch/{slug}")
    site = blog_site(posts, extent="titles")
    for place, post in enumerate(posts):
        film = f'<iframe src="https://video.example/embed/{post.number}"></iframe>{post.html}'
        site.pages[post.path] = post_page(MODERN, post, content=film, after=neighbours(posts, place))
    return site, Truth(posts=paths(posts))


@situation("right to left: Hebrew")
def right_to_left() -> tuple[Site, Truth]:
    posts = write_posts("hebrew", 14, "/{date:%Y/%m}/{number}/", code="he")
    return blog_site(posts, theme=replace(CLASSIC, language="he")), truth_of(posts)


@situation("Chinese without spaces, no feed")
def chinese_without_feed() -> tuple[Site, Truth]:
    posts = write_posts("chinese", 14, "/archives/{number}.html", code="zh")
    return blog_site(posts, theme=replace(MODERN, language="zh"), feed=None), truth_of(posts)


@situation("Japanese diary with short entries and summaries in the feed")
def japanese_diary() -> tuple[Site, Truth]:
    posts = write_posts("japanese", 14, "/diary/{date:%Y%m%d}", code="ja", paragraphs=2)
    return blog_site(posts, theme=replace(CLASSIC, language="ja"), extent="summary"), truth_of(posts)


@situation("windows-1251, declared in the page alone")
def encoded_cyrillic() -> tuple[Site, Truth]:
    posts = write_posts("cyrillic", 14, "/{number}.html", code="ru")
    head = '<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1251">'
    site = blog_site(posts, theme=replace(TABLES, head=head), feed=None)
    for path, page in site.pages.items():
        if isinstance(page, Response):
            body = page.body.decode().encode("cp1251", "xmlcharrefreplace")
            site.pages[path] = replace(page, body=body, headers={"Content-Type": "text/html"})
    return site, truth_of(posts)


@situation("UTF-16 pages with a byte order mark")
def encoded_utf16() -> tuple[Site, Truth]:
    posts = write_posts("utf16", 10, "/{slug}.htm", code="el")
    site = blog_site(posts, theme=replace(PLAIN, language="el"))
    for path, page in site.pages.items():
        if isinstance(page, Response) and path != "/feed.xml":
            body = page.body.decode().replace('<meta charset="utf-8">', "").encode("utf-16")
            site.pages[path] = replace(page, body=body, headers={"Content-Type": "text/html"})
    return site, truth_of(posts)


@situation("pages without Content-Type, with NUL bytes and wrong UTF-8 here and there")
def bytes_broken() -> tuple[Site, Truth]:
    posts = write_posts("broken bytes", 14)
    site = blog_site(posts)
    for post in posts:
        page = post_page(MODERN, post)
        body = page.body.replace(b"</header>", b"\x00</header><!-- \xff\xfe\xc3 -->")
        site.pages[post.path] = Response(body=body)
    return site, truth_of(posts)


@situation("unclosed elements, two <body>, text after </html>, a stray </div> before the article")
def markup_broken() -> tuple[Site, Truth]:
    posts = write_posts("broken markup", 14)
    site = blog_site(posts, theme=CLASSIC)
    for place, post in enumerate(posts):
        paragraphs = "".join(f"<p>{each}<b>" for each in post.paragraphs)
        heading = f"</div></td><body class=x><h2 class=entry-title>{post.title}"
        body = f"{heading}<div class=entry-body>{paragraphs}</div></html>"
        page = framed(CLASSIC, post.title, f"{body}{neighbours(posts, place)}<p>unclosed <!-- comment")
        site.pages[post.path] = page
    return site, truth_of(posts)


@situation("XHTML served as application/xhtml+xml with a prolog")
def xhtml_pages() -> tuple[Site, Truth]:
    posts = write_posts("xhtml", 12)
    site = blog_site(posts, theme=CLASSIC)
    for path, page in site.pages.items():
        if isinstance(page, Response) and not path.endswith(".xml"):
            body = b'<?xml version="1.0" encoding="utf-8"?>\n' + page.body
            site.pages[path] = replace(page, body=body, headers={"Content-Type": "application/xhtml+xml"})
    return site, truth_of(posts)


@situation("all posts have the same title")
def titles_equal() -> tuple[Site, Truth]:
    posts = [replace(post, title="Weeknotes") for post in write_posts("weeknotes", 16)]
    return blog_site(posts), truth_of(posts)


@situation("a diary of forms: four fifths of every text are the same, only an answer differs")
def texts_nearly_equal() -> tuple[Site, Truth]:
    posts = write_posts("nearly equal", 16, "/log/{number}/")
    shared = posts[0].paragraphs[:3]
    posts = [replace(post, paragraphs=[*shared, post.paragraphs[0]]) for post in posts]
    truth = truth_of(posts)
    return blog_site(posts), replace(truth, texts={post.path: [post.paragraphs[-1][:50]] for post in posts})


@situation("posts are poems in <pre> and lines with <br>")
def poems() -> tuple[Site, Truth]:
    posts = write_posts("poems", 14, "/poem/{slug}.html", paragraphs=2)
    site = blog_site(posts, theme=PLAIN)
    for place, post in enumerate(posts):
        lines = post.paragraphs[0].replace(". ", ".\n").replace(", ", ",\n")
        content = f"<pre>{lines}</pre>" if place % 2 else lines.replace("\n", "<br>\n")
        site.pages[post.path] = post_page(PLAIN, post, content=content, after=neighbours(posts, place))
    return site, Truth(posts=paths(posts))


@situation("one post of 400 kB among ordinary ones")
def post_very_long() -> tuple[Site, Truth]:
    posts = write_posts("very long", 12)
    hand = writer("very long text")
    posts[4] = replace(posts[4], paragraphs=[hand.paragraph() for _ in range(2500)])
    return blog_site(posts), truth_of(posts)


@situation("long threads of comments below short posts")
def comments_longer_than_posts() -> tuple[Site, Truth]:
    posts = write_posts("long threads", 12, paragraphs=1)
    site = blog_site(posts, theme=CLASSIC)
    for place, post in enumerate(posts):
        hand = writer(f"thread {place}")
        said = "".join(
            f'<li class="comment"><cite>Reader {number}</cite><p>{hand.paragraph()}</p></li>' for number in range(15)
        )
        after = f'<ol class="commentlist" id="comments">{said}</ol>{neighbours(posts, place)}'
        site.pages[post.path] = post_page(CLASSIC, post, after=after)
    return site, truth_of(posts)


@situation("the front page shows whole posts, post pages are linked by the date alone")
def permalinks_on_dates() -> tuple[Site, Truth]:
    posts = write_posts("on dates", 18, "/archives/{number:06}.html")
    item = '<div class="entry"><h3>$title</h3>$excerpt<p>Posted at <a href="$href">$day</a></p></div>'
    theme = replace(CLASSIC, item=item, head=feed_link("/index.rdf"))
    site = Site()
    add_posts(site, posts, theme)
    for number in range(3):
        older = f'<a href="/page{number + 2}.html">older</a>' if number < 2 else ""
        path = f"/page{number + 1}.html" if number else "/"
        site.pages[path] = list_page(theme, theme.name, posts[number * 6 : number * 6 + 6], whole=True, after=older)
    site.pages["/index.rdf"] = xml(rss_of(posts[:6], extent="summary"))
    return site, truth_of(posts)


@situation("reviews: every post is a table of facts and two sentences")
def reviews_as_tables() -> tuple[Site, Truth]:
    posts = _short("reviews", 14, 16, "/review/{slug}")
    site = blog_site(posts, extent="summary")
    for place, post in enumerate(posts):
        rows = "".join(
            f"<tr><th>{each}</th><td>{post.number}</td></tr>" for each in ("Pages", "Year", "Stars", "Price")
        )
        content = f"<table>{rows}</table>{post.html}"
        site.pages[post.path] = post_page(MODERN, post, content=content, after=neighbours(posts, place))
    return site, truth_of(posts)


@situation("every page has a cookie banner and a newsletter box longer than the posts")
def boilerplate_heavy() -> tuple[Site, Truth]:
    posts = write_posts("boilerplate", 14, paragraphs=2)
    hand = writer("banner")
    banner = "".join(f"<p>{hand.paragraph()}</p>" for _ in range(8))
    frame = MODERN.frame.replace("<main", f'<div id="cookie-consent">{banner}</div><main')
    site = blog_site(posts, theme=replace(MODERN, frame=frame))
    return site, truth_of(posts)


@situation("the page about the blog, the imprint and the privacy page look like posts")
def pages_like_posts() -> tuple[Site, Truth]:
    posts = write_posts("pages like posts", 14, "/{slug}/")
    site = blog_site(posts, sitemap=True)
    nav = '<a href="/imprint/">Imprint</a> <a href="/privacy/">Privacy</a> <a href="/contact/">Contact</a>'
    for name in ("about", "imprint", "privacy", "contact"):
        page = write_posts(f"static {name}", 1, f"/{name}/")[0]
        site.pages[f"/{name}/"] = framed(MODERN, name.title(), f"<h1>{name.title()}</h1>{page.html}{nav}")
    body = framed(MODERN, MODERN.name, nav).body.decode()
    site.pages["/legal/"] = html(body)
    return site, truth_of(posts)


@situation("posts of pictures: a gallery in each, several in some; only a sitemap names the older ones")
def posts_with_several_galleries() -> tuple[Site, Truth]:
    posts = write_posts("galleries", 20, "/{slug}/")
    site = blog_site(posts, sitemap=True, paging=None, linked=False)
    for post in posts:
        count = 1 if post in posts[:10] or post.number % 2 else 3
        texts = [
            f'<div class="gallery"><figure><img src="/{post.number}.jpg"></figure>{part}</div>'
            for part in [f"<p>{each}</p>" for each in post.paragraphs[:count]]
        ]
        rest = "".join(f"<p>{each}</p>" for each in post.paragraphs[count:])
        site.pages[post.path] = post_page(MODERN, post, content="".join(texts) + rest)
    feed = [replace(post, paragraphs=post.paragraphs[:1]) for post in posts[:10]]
    site.pages["/feed.xml"] = xml(rss_of(feed))
    return site, Truth(posts=paths(posts))
