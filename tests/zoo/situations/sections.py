"""Blogs in several parts: sections, languages, older themes, and other sites on the same host."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

from tests.zoo.blog import ORIGIN, Post, Response, Site, Truth, html, truth_of, write_posts, xml
from tests.zoo.build import add_about, add_front, add_posts, blog_site, feed_link
from tests.zoo.feeds import rss, rss_item, rss_of, sitemap_of
from tests.zoo.pages import CLASSIC, DOCS, MODERN, PLAIN, TABLES, framed, list_page, post_page
from tests.zoo.registry import situation

_LONG_AGO = datetime(2004, 3, 14, 12, tzinfo=UTC)


@situation("sections /notes/, /posts/ and /de/ at the root, each with its own template; the feed has /posts/ only")
def sections_own_templates() -> tuple[Site, Truth]:
    sections = {
        "/posts/": (write_posts("own posts", 10, "/posts/{date:%Y}/{slug}/"), MODERN),
        "/notes/": (write_posts("own notes", 10, "/notes/{number}/", paragraphs=2), PLAIN),
        "/de/": (write_posts("own de", 8, "/de/{slug}.html", code="de"), CLASSIC),
    }
    nav = "".join(f'<a href="{path}">{path.strip("/")}</a> ' for path in sections)
    site = Site()
    for path, (posts, theme) in sections.items():
        dressed = replace(theme, nav=nav, head=feed_link("/feed.xml"))
        add_posts(site, posts, dressed)
        site.pages[path] = list_page(dressed, path.strip("/").title(), posts)
    articles = sections["/posts/"][0]
    site.pages["/"] = list_page(replace(MODERN, nav=nav, head=feed_link("/feed.xml")), MODERN.name, articles[:5])
    site.pages["/feed.xml"] = xml(rss_of(articles[:8]))
    return site, truth_of([post for posts, _ in sections.values() for post in posts])


@situation("older half in a table layout of 2003 without dates; the feed shows the new ones only")
def older_posts_in_tables() -> tuple[Site, Truth]:
    new = write_posts("tables new", 14, "/{date:%Y/%m}/{slug}/")
    old = write_posts("tables old", 14, "/archive/{number:04}.html", newest=_LONG_AGO)
    site = blog_site([*new, *old], sitemap=True)
    add_posts(site, old, replace(TABLES, nav='<A HREF="/">home</A> <A HREF="/archive/">archive</A>'))
    site.pages["/archive/"] = list_page(TABLES, "Archive", old)
    return site, truth_of([*new, *old])


@situation("a blog in three themes of three engines, one address pattern, old pages reached by paging only")
def three_themes() -> tuple[Site, Truth]:
    posts = write_posts("three themes", 24, "/{date:%Y/%m/%d}/{slug}/", days=60)
    site = blog_site(posts, feed="/feed/")
    add_posts(site, posts[8:16], CLASSIC)
    add_posts(site, posts[16:], TABLES)
    return site, truth_of(posts)


@situation("posts without any date, in page, address or feed")
def posts_without_date() -> tuple[Site, Truth]:
    posts = write_posts("without date", 14, "/{slug}")
    site = blog_site(posts, theme=PLAIN)
    feed = rss_of(posts[:10])
    for post in posts:
        feed = feed.replace(f"<pubDate>{post.date:%a, %d %b %Y %H:%M:%S} +0000</pubDate>", "")
    site.pages["/feed.xml"] = xml(feed)
    return site, truth_of(posts)


@situation("slugs of digits alone: /2007/10/16/21/")
def digit_slugs() -> tuple[Site, Truth]:
    posts = write_posts("digit slugs", 16, "/{date:%Y/%m/%d}/{number}/")
    site = blog_site(posts, theme=CLASSIC)
    for post in posts:
        day = [each for each in posts if each.date.date() == post.date.date()]
        site.pages[f"/{post.date:%Y/%m/%d}/"] = list_page(CLASSIC, f"{post.date:%d %B %Y}", day)
        month = [each for each in posts if f"{each.date:%Y%m}" == f"{post.date:%Y%m}"]
        site.pages[f"/{post.date:%Y/%m}/"] = list_page(CLASSIC, f"{post.date:%B %Y}", month)
    return site, truth_of(posts)


@situation("/uncategorized/x/ and /travel/asia/x/ beside /x/")
def depths_differ() -> tuple[Site, Truth]:
    patterns = ("/{slug}/", "/uncategorized/{slug}/", "/travel/asia/{slug}/")
    posts = [
        replace(post, path=patterns[place % 3].format(slug=post.slug))
        for place, post in enumerate(write_posts("depths", 18))
    ]
    site = blog_site(posts)
    site.pages["/feed.xml"] = xml(rss_of([post for post in posts if post.path.count("/") == 2]))
    site.pages["/travel/asia/"] = list_page(MODERN, "Asia", [post for post in posts if "asia" in post.path])
    return site, truth_of(posts)


@situation("/posts/x/ and /gallery/x/ in one feed beside /tags/x/ listings of the same shape")
def tags_shaped_like_posts() -> tuple[Site, Truth]:
    texts = write_posts("shape posts", 10, "/posts/{slug}/")
    pictures = write_posts("shape gallery", 8, "/gallery/{slug}/", paragraphs=2)
    posts = [post for pair in zip(texts, pictures, strict=False) for post in pair] + texts[8:]
    posts = [replace(post, tags=(f"subject-{post.number}", f"mood-{post.number % 7}")) for post in posts]
    return blog_site(posts, sitemap=True), truth_of(posts)


@situation("pages of projects on the same host, the blog was asked for by its folder")
def projects_beside_folder() -> tuple[Site, Truth]:
    posts = write_posts("beside folder", 12, "/log/{slug}/")
    projects = write_posts("projects", 10, "/projects/{slug}/")
    site = Site(start="/log/")
    theme = replace(
        MODERN, nav='<a href="/log/">Log</a> <a href="/projects/">Projects</a>', head=feed_link("/log/feed.xml")
    )
    add_posts(site, posts, theme, linked=True)
    add_posts(site, projects, theme, linked=True)
    add_front(site, posts, theme, at="/log/", paging="/log/page/{}/")
    site.pages["/projects/"] = list_page(theme, "Projects", projects)
    site.pages["/"] = list_page(theme, "A person", [*posts[:3], *projects[:3]])
    site.pages["/log/feed.xml"] = xml(rss_of(posts[:6]))
    site.pages["/sitemap.xml"] = xml(sitemap_of(post.href for post in [*projects, *posts]))
    return site, truth_of(posts)


@situation("a list of projects without dates, in the menu of a blog that dates its posts")
def projects_without_dates() -> tuple[Site, Truth]:
    posts = write_posts("beside projects", 20)
    nav = '<a href="/">Home</a> <a href="/about/">About</a> <a href="/projects/">Projects</a>'
    site = blog_site(posts, theme=replace(MODERN, nav=nav))
    projects = write_posts("undated projects", 14, "/projects/{slug}/")
    theme = replace(PLAIN, nav=nav)
    add_posts(site, projects, theme)
    site.pages["/projects/"] = list_page(theme, "Projects", projects)
    return site, truth_of(posts)


@situation("two people's blogs in two folders of one host; one was asked for")
def two_blogs_one_host() -> tuple[Site, Truth]:
    site = Site(start="/~ann/")
    blogs = {}
    for name in ("ann", "bob"):
        posts = blogs[name] = write_posts(f"host of {name}", 14, f"/~{name}/{{date:%Y}}/{{slug}}.html")
        other = "/~bob/" if name == "ann" else "/~ann/"
        theme = replace(CLASSIC, name=f"{name}'s pages", head=feed_link(f"/~{name}/rss.xml"))
        theme = replace(theme, nav=f'<a href="/~{name}/">Home</a> <a href="{other}">My neighbour</a>')
        add_posts(site, posts, theme, linked=True)
        add_front(site, posts, theme, at=f"/~{name}/", paging=f"/~{name}/p{{}}.html")
        site.pages[f"/~{name}/rss.xml"] = xml(rss_of(posts[:6]))
    site.pages["/"] = html('<h1>Host</h1><a href="/~ann/">ann</a> <a href="/~bob/">bob</a>')
    return site, truth_of(blogs["ann"])


@situation("documentation of a project beside its blog, feed for the blog")
def docs_beside_blog() -> tuple[Site, Truth]:
    posts = write_posts("docs blog", 10, "/blog/{date:%Y/%m/%d}/{slug}/")
    docs = write_posts("docs pages", 14, "/docs/guide/{slug}/")
    nav = '<a href="/">Start</a> <a href="/docs/">Docs</a> <a href="/blog/">Blog</a>'
    theme = replace(DOCS, nav=nav + "".join(f'<a href="{page.href}">{page.title}</a>' for page in docs))
    site = Site(start="/blog/")
    add_posts(site, docs, theme, linked=True)
    add_posts(site, posts, replace(theme, head=feed_link("/blog/rss.xml")), linked=True)
    site.pages["/docs/"] = list_page(theme, "Docs", docs)
    site.pages["/blog/"] = list_page(replace(theme, head=feed_link("/blog/rss.xml")), "Blog", posts)
    site.pages["/"] = framed(theme, theme.name, "<h1>A library</h1><p>It does a thing well.</p>")
    site.pages["/blog/rss.xml"] = xml(rss_of(posts, extent="summary"))
    site.pages["/sitemap.xml"] = xml(sitemap_of(["/", "/docs/", *(each.href for each in [*docs, *posts])]))
    return site, truth_of(posts)


@situation("a documentation site at the root with a blog in it, without a feed")
def docs_root_blog_inside() -> tuple[Site, Truth]:
    site, truth = docs_beside_blog()
    del site.pages["/blog/rss.xml"]
    for path, page in site.pages.items():
        if isinstance(page, Response):
            site.pages[path] = replace(page, body=page.body.replace(feed_link("/blog/rss.xml").encode(), b""))
    return site, truth


@situation("a wiki beside the blog, linked from every page")
def wiki_beside_blog() -> tuple[Site, Truth]:
    posts = write_posts("wiki blog", 12, "/{date:%Y/%m}/{slug}/")
    articles = write_posts("wiki", 12, "/wiki/{slug}")
    links = "".join(f'<li><a href="{each.href}">{each.title}</a></li>' for each in articles)
    site = blog_site(posts, theme=replace(CLASSIC, nav=f"{CLASSIC.nav}<ul>{links}</ul>"))
    for article in articles:
        tools = f'<p><a href="/wiki/{article.slug}?action=edit">edit</a> <a href="/wiki/Special:Log">log</a></p>'
        body = f"<h1 id='firstHeading'>{article.title}</h1><div class='mw-parser-output'>{article.html}</div>{tools}"
        site.pages[article.path] = framed(PLAIN, article.title, body)
        site.pages[f"{article.path}?action=edit"] = framed(PLAIN, "Edit", "<form><textarea></textarea></form>")
    return site, truth_of(posts)


@situation("shop pages beside the blog, in the same frame and the same sitemap")
def shop_beside_blog() -> tuple[Site, Truth]:
    posts = write_posts("shop blog", 12, "/blog/{slug}")
    goods = write_posts("shop goods", 14, "/products/{slug}", paragraphs=1)
    nav = '<a href="/">Shop</a> <a href="/blog">Blog</a> <a href="/cart">Cart</a>'
    theme = replace(MODERN, nav=nav, name="Kites and Strings")
    site = blog_site(posts, theme=theme, feed="/blog.atom", sitemap=True, paging=None)
    for good in goods:
        buy = '<p class="price">19.00 EUR</p><form action="/cart"><button>Add to cart</button></form>'
        site.pages[good.path] = framed(theme, good.title, f"<h1>{good.title}</h1>{buy}{good.html}")
    site.pages["/blog"] = list_page(replace(theme, head=feed_link("/blog.atom")), "Blog", posts)
    site.pages["/sitemap.xml"] = xml(sitemap_of(each.href for each in [*goods, *posts]))
    return site, truth_of(posts)


@situation("three authors with /author/ pages that show whole posts, and a bio each")
def author_pages() -> tuple[Site, Truth]:
    posts = write_posts("author pages", 16)
    site = blog_site(posts, theme=CLASSIC, sitemap=True)
    names = sorted({post.author for post in posts})
    for name in names:
        theirs = [post for post in posts if post.author == name]
        path = f"/author/{name.split()[0].lower()}/"
        site.pages[path] = list_page(CLASSIC, name, theirs, whole=True)
    links = "".join(f'<a rel="author" href="/author/{name.split()[0].lower()}/">{name}</a>' for name in names)
    for post in posts:
        site.pages[post.path] = post_page(CLASSIC, post, after=f"<p>{links}</p>")
    return site, truth_of(posts)


@situation("attachment pages with a picture and no text, linked from posts and in the sitemap")
def attachment_pages() -> tuple[Site, Truth]:
    posts = write_posts("attachments", 12, "/{date:%Y/%m}/{slug}/")
    site = blog_site(posts, theme=CLASSIC, sitemap=True)
    attached = []
    for post in posts:
        path = f"{post.path}img_{post.number:04}/"
        attached.append(path)
        picture = f'<a href="{path}"><img src="/files/{post.number}.jpg" alt=""></a>'
        site.pages[post.path] = post_page(CLASSIC, post, content=f"{post.html}<p>{picture}</p>")
        shown = f'<p class="attachment"><img src="/files/{post.number}.jpg"></p>'
        site.pages[path] = post_page(CLASSIC, replace(post, title=f"img_{post.number:04}"), content=shown)
    site.pages["/sitemap.xml"] = xml(sitemap_of([*(post.href for post in posts), *attached]))
    return site, truth_of(posts)


@situation("locked posts: a password form, a paywall after the first paragraph")
def locked_posts() -> tuple[Site, Truth]:
    posts = write_posts("locked", 16)
    site = blog_site(posts)
    locked, paid = posts[1:14:6], posts[3:16:5]
    form = "This content is password protected. To view it please enter your password below:"
    wall = "This post is for paying subscribers only. Subscribe now to keep reading."
    for post in locked:
        body = f'<form class="post-password-form" method="post"><p>{form}</p><input type="password"></form>'
        site.pages[post.path] = post_page(MODERN, replace(post, title=f"Protected: {post.title}"), content=body)
    for post in paid:
        body = f'<p>{post.paragraphs[0]}</p><div class="paywall"><h2>Keep reading</h2><p>{wall}</p></div>'
        data = '<script type="application/ld+json">{"@type":"BlogPosting","isAccessibleForFree":false}</script>'
        site.pages[post.path] = post_page(MODERN, post, content=body, head=data)
    texts = {post.path: [post.fragment] for post in posts if post not in [*locked, *paid]}
    texts |= {post.path: [post.paragraphs[0][:60]] for post in paid}
    shut = [post.path for post in [*locked, *paid]]
    truth = truth_of(posts)
    return site, replace(truth, texts=texts, restricted=shut, forbidden_texts=[form, wall])


@situation("posts link to PDF, zip and picture files with addresses like posts")
def files_like_posts() -> tuple[Site, Truth]:
    posts = write_posts("files", 12, "/{date:%Y/%m}/{slug}")
    site = blog_site(posts)
    for post in posts:
        name = f"/{post.date:%Y/%m}/paper-{post.number}"
        kinds = {f"{name}.pdf": "application/pdf", f"{name}.zip": "application/zip", name: "application/pdf"}
        links = "".join(f'<a href="{path}">paper</a> ' for path in kinds)
        site.pages[post.path] = post_page(MODERN, post, content=f"{post.html}<p>{links}</p>")
        for path, kind in kinds.items():
            site.pages[path] = Response(body=b"%PDF-1.4\n" + bytes(3000), headers={"Content-Type": kind})
    return site, truth_of(posts)


def _small_blog(seed: str, count: int, *, feed: bool) -> tuple[Site, list[Post]]:
    posts = write_posts(seed, count)
    return blog_site(posts, feed="/feed.xml" if feed else None), posts


@situation("a blog of one post, with a feed")
def single_post_feed() -> tuple[Site, Truth]:
    site, posts = _small_blog("single feed", 1, feed=True)
    return site, truth_of(posts)


@situation("a blog of one post, without a feed")
def single_post() -> tuple[Site, Truth]:
    site, posts = _small_blog("single", 1, feed=False)
    return site, truth_of(posts)


@situation("a blog of three posts, without a feed")
def three_posts() -> tuple[Site, Truth]:
    site, posts = _small_blog("three", 3, feed=False)
    return site, truth_of(posts)


@situation("a blog without posts: a welcome, a page about it, an empty feed")
def empty_blog() -> tuple[Site, Truth]:
    site = blog_site([])
    site.pages["/"] = framed(
        MODERN, MODERN.name, "<p>Nothing here yet. Come back soon.</p>", head=feed_link("/feed.xml")
    )
    add_about(site)
    return site, Truth(posts=())


@situation("the feed lists only the two sections of the site, without dates; each section has its feed")
def feed_lists_sections() -> tuple[Site, Truth]:
    sections = {
        "/essays/": write_posts("essays", 9, "/essays/{slug}/"),
        "/notes/": write_posts("notes", 7, "/notes/{slug}/"),
    }
    site = Site()
    for path, posts in sections.items():
        theme = replace(MODERN, head=feed_link(f"{path}index.xml"))
        add_posts(site, posts, theme)
        site.pages[path] = list_page(theme, path.strip("/").title(), posts)
        site.pages[f"{path}index.xml"] = xml(rss_of(posts))
    items = "".join(f"<item><title>{path}</title><link>{ORIGIN}{path}</link></item>" for path in sections)
    channel = f"<title>A site</title><link>{ORIGIN}/</link>{items}"
    site.pages["/index.xml"] = xml(f'<rss version="2.0"><channel>{channel}</channel></rss>')
    links = "".join(f'<a href="{path}">{path}</a> ' for path in sections)
    home = replace(MODERN, head=feed_link("/index.xml"), nav=links)
    site.pages["/"] = framed(home, home.name, f"<h1>{home.name}</h1><p>Essays and notes.</p>")
    posts = [post for some in sections.values() for post in some]
    site.pages["/sitemap.xml"] = xml(sitemap_of([*sections, *(post.href for post in posts)]))
    return site, truth_of(posts)


@situation("posts of another language in the sitemap, in another template; a course beside them is no blog")
def language_in_sitemap() -> tuple[Site, Truth]:
    posts = write_posts("own language", 12, "/blog/{slug}/")
    others = write_posts("other language", 6, "/de/{slug}/", code="de")
    course = write_posts("course", 6, "/course/{slug}/")
    site = blog_site(posts, sitemap=False)
    add_posts(site, others, CLASSIC)
    add_posts(site, course, MODERN)
    named = [post.href for post in [*posts, *others, *course]]
    site.pages["/sitemap.xml"] = xml(sitemap_of(named))
    return site, truth_of([*posts, *others])


@situation("two posts of one day, the second called like the first with a number; pages name their next post")
def numbered_names() -> tuple[Site, Truth]:
    posts = write_posts("numbered", 12, "/{date:%Y/%m}/{slug}/")
    posts[4] = replace(posts[4], path=f"{posts[5].path.rstrip('/')}-2/")
    site = blog_site(posts)
    for place, post in enumerate(posts[1:], 1):
        head = f'<link rel="next" href="{posts[place - 1].href}">'
        site.pages[post.path] = post_page(MODERN, post, head=head, after=f'<a href="{posts[place - 1].href}">next</a>')
    return site, truth_of(posts)


@situation("a feed of notes alone, which nothing declares, with URLs of another host; /blog lists the posts")
def feed_of_notes_alone() -> tuple[Site, Truth]:
    notes = write_posts("notes alone", 10, "/til/{date:%Y-%m-%d}-{slug}/", paragraphs=2)
    posts = write_posts("posts beside notes", 12, "/blog/posts/{date:%Y}/{slug}/", days=60)
    nav = '<a href="/blog">Blog</a> <a href="/til">Notes</a> <a href="/projects/">Projects</a>'
    theme, plain = replace(MODERN, nav=nav), replace(CLASSIC, nav=nav)
    site = Site()
    add_posts(site, notes, plain)
    add_posts(site, posts, theme)
    site.pages["/"] = framed(theme, theme.name, f'<p>Hello. I wrote <a href="{posts[0].href}">this</a> last.</p>')
    site.pages["/blog"] = list_page(theme, "Blog", posts)
    site.pages["/til"] = list_page(plain, "Notes", notes)
    add_about(site, theme, "/projects/")
    site.pages["/index.xml"] = xml(rss_of(notes).replace(ORIGIN, "https://original.invalid"))
    return site, truth_of([*notes, *posts])


@situation("/blog/ was asked for, which links to two of the notes; the list of notes declares a feed of its own")
def section_with_own_feed() -> tuple[Site, Truth]:
    posts = write_posts("blog of notes", 14, "/blog/{slug}/")
    notes = write_posts("notes of blog", 8, "/notes/{slug}/", newest=datetime(2023, 5, 1, tzinfo=UTC))
    nav = '<a href="/blog/">Blog</a> <a href="/notes/">Notes</a>'
    theme = replace(MODERN, nav=nav + "".join(f' <a href="{note.href}">{note.title}</a>' for note in notes[:2]))
    site = Site(start="/blog/")
    add_posts(site, notes, replace(MODERN, nav=nav))
    add_posts(site, posts, theme, linked=True)
    add_front(site, posts, replace(theme, head=feed_link("/blog/feed.xml")), at="/blog/", paging="/blog/page/{}/")
    site.pages["/notes/"] = list_page(replace(MODERN, nav=nav, head=feed_link("/notes/feed.xml")), "Notes", notes[:3])
    site.pages["/blog/feed.xml"] = xml(rss_of(posts[:8]))
    site.pages["/notes/feed.xml"] = xml(rss_of(notes))
    return site, truth_of([*posts, *notes])


@situation("one of three languages was asked for; the menu links to the others, and the sitemap names all posts")
def one_language_of_three() -> tuple[Site, Truth]:
    site = Site(start="/de/")
    nav = '<a href="/">EN</a> <a href="/de/">DE</a> <a href="/fr/">FR</a>'
    languages = {
        folder: write_posts(f"three languages {code}", 10, f"{folder}posts/{{slug}}/", code=code)
        for folder, code in (("/", "en"), ("/de/", "de"), ("/fr/", "fr"))
    }
    for folder, posts in languages.items():
        theme = replace(MODERN, nav=nav, head=feed_link(f"{folder}index.xml"))
        add_posts(site, posts, theme)
        add_front(site, posts, theme, at=folder, paging=f"{folder}page/{{}}/")
        site.pages[f"{folder}index.xml"] = xml(rss_of(posts[:6]))
    site.pages["/sitemap.xml"] = xml(sitemap_of(post.href for posts in languages.values() for post in posts))
    return site, truth_of(languages["/de/"])


@situation("the home page leads to one of two languages, with folders of translated names; one sitemap has both")
def home_in_one_language() -> tuple[Site, Truth]:
    site = Site()
    nav = '<a href="/de/">DE</a> <a href="/en/">EN</a>'
    languages = {
        "/de/": write_posts("home in German", 10, "/de/reisen/{slug}/", code="de"),
        "/en/": write_posts("home in English", 6, "/en/travel/{slug}/"),
    }
    for folder, posts in languages.items():
        theme = replace(MODERN, nav=nav, head=feed_link(f"{folder}index.xml"))
        add_posts(site, posts, theme)
        add_front(site, posts, theme, at=folder)
        add_about(site, theme, f"{folder}about/")
        site.pages[f"{folder}index.xml"] = xml(rss_of(posts))
    site.pages["/"] = html('<meta http-equiv="refresh" content="0; url=/de/">')
    both = [*languages["/de/"], *languages["/en/"]]
    others = ["/de/about/", "/en/about/", "/en/travel/gone/"]
    site.pages["/sitemap.xml"] = xml(sitemap_of([*others, *(post.href for post in both)]))
    return site, truth_of(both)


@situation("the home page leads to one of two languages, which have no feed and lists in a folder of posts")
def home_in_one_language_without_feed() -> tuple[Site, Truth]:
    site = Site()
    theme = replace(MODERN, nav='<a href="/de/">DE</a> <a href="/en/">EN</a>')
    languages = {
        folder: write_posts(f"without feed {code}", 6, f"{folder}blog/{{slug}}/", code=code)
        for folder, code in (("/de/", "de"), ("/en/", "en"))
    }
    for folder, posts in languages.items():
        add_posts(site, posts, theme)
        add_front(site, posts, theme, at=folder)
    site.pages["/"] = html('<meta http-equiv="refresh" content="0; url=/de/">')
    both = [*languages["/de/"], *languages["/en/"]]
    site.pages["/sitemap.xml"] = xml(sitemap_of(post.href for post in both))
    return site, truth_of(both)


@situation("one of three languages was asked for, whose posts declare their translations")
def one_language_with_translations() -> tuple[Site, Truth]:
    site = Site(start="/de/")
    languages = {
        folder: write_posts(f"translated {code}", 10, f"{folder}posts/post-{{number}}/", code=code)
        for folder, code in (("/", "en"), ("/de/", "de"), ("/fr/", "fr"))
    }
    for folder, posts in languages.items():
        theme = replace(MODERN, head=feed_link(f"{folder}index.xml"))
        for post in posts:
            others = (f"{other}posts/post-{post.number}/" for other in languages if other != folder)
            heads = (f'<link rel="alternate" hreflang="{url[1:3]}" href="{url}">' for url in others)
            site.pages[post.path] = post_page(theme, post, head="".join(heads))
        add_front(site, posts, theme, at=folder, paging=f"{folder}page/{{}}/")
        site.pages[f"{folder}index.xml"] = xml(rss_of(posts[:6]))
    return site, truth_of(languages["/de/"])


@situation("a generator gave the pages in its feed no date, not even those of the posts: the year 1")
def feed_of_year_one() -> tuple[Site, Truth]:
    posts = write_posts("year one", 12, "/{slug}/")
    about = replace(write_posts("about in feed", 1)[0], path="/about/", title="About")
    site = blog_site(posts, sitemap=True)
    add_posts(site, [about], replace(MODERN, post=MODERN.post.replace('datetime="$iso">$day', ">")))
    site.pages["/feed.xml"] = xml(
        rss(rss_item(post, date="Mon, 01 Jan 0001 00:00:00 +0000") for post in [about, *posts])
    )
    return site, truth_of(posts)


@situation(
    "categories of one post each, beside the posts and in the same sitemap, show its beginning like a whole post"
)
def categories_of_one_post() -> tuple[Site, Truth]:
    posts = write_posts("one post each", 12, "/{slug}/")
    posts = [replace(post, tags=(f"subject-{post.number}",)) for post in posts]
    theme = replace(
        MODERN, item=MODERN.post.replace("$title", '<a href="$href">$title</a>').replace("$content", "$excerpt")
    )
    theme = replace(theme, item=theme.item.replace("$after", ""))
    site = blog_site(posts, theme=theme)
    for post in posts:
        site.pages[f"/{post.tags[0]}/"] = list_page(theme, post.tags[0], [post])
    site.pages["/sitemap.xml"] = xml(sitemap_of(path for path in site.pages if path != "/feed.xml"))
    return site, truth_of(posts)
