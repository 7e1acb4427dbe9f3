"""Feeds that are broken, wrong, or not what they seem."""

from __future__ import annotations

from dataclasses import replace

from tests.zoo.blog import ORIGIN, Post, Response, Site, Truth, html, redirect, truth_of, write_posts, xml
from tests.zoo.build import add_front, add_posts, blog_site, feed_link
from tests.zoo.feeds import atom_of, json_feed_of, rss, rss_item, rss_of
from tests.zoo.pages import CLASSIC, MODERN, PLAIN, framed, list_page, post_page
from tests.zoo.registry import situation
from tests.zoo.words import writer

_BAD_URLS = (
    "http://127.0.0.1:99999/impossible-port/",
    "http://[::1/broken-ipv6/",
    "http://[fe80::zz]/no-ipv6/",
    "http://exa mple.example/space in host/",
    "http:///no-host/",
    "http://127.0.0.1:port/words-as-port/",
    "mailto:ann@elsewhere.example",
    "http://" + "a" * 300 + ".example/label-too-long/",
)


@situation("feed dates of year 1, year 0, year 99999 and the 31st of February")
def feed_dates_impossible() -> tuple[Site, Truth]:
    posts = write_posts("impossible dates", 16)
    site = blog_site(posts, sitemap=True)
    dates = (
        "Mon, 01 Jan 0001 00:00:00 +0000",
        "Mon, 01 Jan 0000 00:00:00 +0000",
        "Fri, 31 Feb 2023 10:00:00 GMT",
        "Mon, 01 Jan 99999 00:00:00 +0000",
        "Mon, 20 May 2024 09:30:00 +9999",
        "yesterday",
    )
    items = [rss_item(post, date=dates[place] if place < len(dates) else None) for place, post in enumerate(posts[:10])]
    site.pages["/feed.xml"] = xml(rss(items))
    return site, truth_of(posts)


@situation("a copy whose pages link to the original's host only, and whose feed has an unusual name", beyond_links=True)
def copy_with_feed_of_original() -> tuple[Site, Truth]:
    posts = write_posts("copy with an unusual feed", 24)
    site = blog_site(posts, feed="/writing.xml")
    original = b"http://original.invalid"
    for path, page in site.pages.items():
        if isinstance(page, Response):
            body = page.body.replace(ORIGIN.encode(), original).replace(b'href="/', b'href="' + original + b"/")
            site.pages[path] = replace(page, body=body)
    return site, truth_of(posts)


@situation("an Atom feed whose every date is 0001-01-01T00:00:00Z")
def atom_year_one() -> tuple[Site, Truth]:
    posts = write_posts("atom year one", 10)
    site = blog_site(posts)
    feed = atom_of(posts[:8])
    for post in posts[:8]:
        feed = feed.replace(post.date.isoformat(), "0001-01-01T00:00:00Z")
    site.pages["/feed.xml"] = xml(feed)
    return site, truth_of(posts)


@situation("feed entries whose links have impossible ports, broken IPv6 hosts, spaces")
def feed_urls_impossible() -> tuple[Site, Truth]:
    posts = write_posts("impossible urls", 14)
    site = blog_site(posts)
    noise = write_posts("impossible urls noise", len(_BAD_URLS))
    bad = [rss_item(post, link=link) for post, link in zip(noise, _BAD_URLS, strict=True)]
    site.pages["/feed.xml"] = xml(rss([*bad, *(rss_item(post) for post in posts[:8])]))
    return site, truth_of(posts)


@situation("links, pictures and redirects of pages go to impossible URLs")
def page_urls_impossible() -> tuple[Site, Truth]:
    posts = write_posts("impossible links", 14)
    site = blog_site(posts, sitemap=True)
    links = "".join(f'<a href="{url}">x</a><img src="{url}">' for url in _BAD_URLS)
    for place, post in enumerate(posts):
        away = f'<a href="/away/{place}/">read on</a>'
        site.pages[post.path] = post_page(MODERN, post, content=f"{post.html}<p>{links}{away}</p>")
        site.pages[f"/away/{place}/"] = redirect(_BAD_URLS[place % len(_BAD_URLS)])
    return site, truth_of(posts)


@situation("a page of the feed is nested 100,000 elements deep")
def page_nested_deep() -> tuple[Site, Truth]:
    posts = write_posts("nested deep", 12)
    site = blog_site(posts)
    deep = "<div>" * 100_000 + "deep down" + "</div>" * 100_000
    site.pages["/deep/"] = html(f"<html><head><title>Deep</title></head><body>{deep}</body></html>")
    hole = replace(posts[0], path="/deep/", title="Deep", paragraphs=["deep down"])
    site.pages["/feed.xml"] = xml(rss([rss_item(hole), *(rss_item(post) for post in posts[:8])]))
    return site, replace(truth_of(posts), optional=["/deep/"])


@situation("the texts of the feed stand on no page: no rules can be learned")
def feed_texts_match_nothing() -> tuple[Site, Truth]:
    posts = write_posts("texts match nothing", 14)
    other = write_posts("quite other texts", 14, code="de")
    site = blog_site(posts, sitemap=True)
    items = [
        replace(post, paragraphs=them.paragraphs, title=them.title) for post, them in zip(posts, other, strict=True)
    ]
    site.pages["/feed.xml"] = xml(rss_of(items[:10]))
    return site, truth_of(posts)


@situation("the declared feed has one entry, the home page; the good feed is declared after it")
def feed_single_entry_home() -> tuple[Site, Truth]:
    posts = write_posts("single entry", 14)
    theme = replace(MODERN, head=feed_link("/index.xml") + feed_link("/posts.xml"))
    site = blog_site(posts, theme=theme, feed=None)
    home = replace(posts[0], path="/", title="Welcome")
    site.pages["/index.xml"] = xml(rss_of([home]))
    site.pages["/posts.xml"] = xml(rss_of(posts[:10]))
    return site, truth_of(posts)


@situation("index.xml lists all pages of a static site, undated ones first; /posts/index.xml lists posts")
def feed_of_all_pages() -> tuple[Site, Truth]:
    posts = write_posts("all pages", 14, "/posts/{slug}/")
    pages = write_posts("pages not posts", 6, "/{slug}/")
    theme = replace(MODERN, head=feed_link("/index.xml"))
    site = blog_site(posts, theme=theme, feed=None, paging="/posts/page/{}/")
    for page in pages:
        site.pages[page.path] = framed(theme, page.title, f"<h1>{page.title}</h1>{page.html}")
    site.pages["/posts/"] = list_page(replace(theme, head=feed_link("/posts/index.xml")), "Posts", posts)
    site.pages["/posts/index.xml"] = xml(rss_of(posts))
    undated = [rss_item(page, date="Mon, 01 Jan 0001 00:00:00 +0000") for page in pages]
    listings = [replace(posts[0], path=path, title=path.strip("/").title()) for path in ("/posts/", "/tags/music/")]
    site.pages["/index.xml"] = xml(rss([*undated, *map(rss_item, listings), *map(rss_item, posts)]))
    theme = replace(theme, nav=theme.nav + ' <a href="/posts/">Posts</a>')
    add_front(site, posts, theme, paging=None)
    return site, truth_of(posts)


@situation("a site of pages whose menu needs scripts; its dated feed lists the pages, and two of them are blogs")
def feed_of_menu() -> tuple[Site, Truth]:
    blogs = {name: write_posts(f"menu {name}", 7, f"/{name}/Entries/{{slug}}.html") for name in ("Blog", "Kites")}
    theme = replace(PLAIN, nav="")
    pages = write_posts("pages of a menu", 16, "/{slug}.html")
    site = Site()
    for page in pages:
        site.pages[page.path] = framed(theme, page.title, page.html)
    for name, posts in blogs.items():
        add_posts(site, posts, theme, linked=True)
        list_of_scripts = f"<p>{name}</p><div id='summary'></div><script>show('rss.xml')</script>"
        site.pages[f"/{name}/{name}.html"] = framed(theme, name, list_of_scripts, head=feed_link("rss.xml"))
        items = (rss_item(post) for post in posts[:4])
        site.pages[f"/{name}/rss.xml"] = xml(rss(items, title=name, link=f"{ORIGIN}/{name}/{name}.html"))
    site.pages["/"] = html(f'<meta http-equiv="refresh" content="0;url={pages[0].href}">')
    lists = [replace(pages[0], path=f"/{name}/{name}.html", title=name) for name in blogs]
    menu = [replace(page, paragraphs=[page.title]) for page in (*pages[:4], *lists, *pages[4:])]
    site.pages["/feed.xml"] = xml(atom_of(menu))
    return site, truth_of([post for posts in blogs.values() for post in posts])


@situation("the feed at the root lists three sections of the site, with dates and texts; /blog/ has a feed of its own")
def feed_of_dated_sections() -> tuple[Site, Truth]:
    posts = write_posts("dated sections", 14, "/blog/{slug}/")
    theme = replace(MODERN, head=feed_link("/index.xml"))
    site = Site()
    add_posts(site, posts, theme)
    pages = write_posts("beside the blog", 2, "/{slug}/")
    for page in pages:
        site.pages[page.path] = framed(theme, page.title, page.html)
    links = "".join(f'<p><a href="{href}">{href}</a></p>' for href in ("/blog/", *(page.href for page in pages)))
    site.pages["/"] = framed(theme, theme.name, f"<p>Hello.</p>{links}")
    site.pages["/blog/"] = list_page(replace(theme, head=feed_link("/blog/index.xml")), "Blog", posts)
    items = map(rss_item, posts)
    site.pages["/blog/index.xml"] = xml(rss(items, title="Blog", link=f"{ORIGIN}/blog/"))
    blog = replace(pages[0], path="/blog/", title="Blog")
    site.pages["/index.xml"] = xml(rss_of([*pages, blog]))
    return site, truth_of(posts)


@situation("the comment feed is declared before the feed of posts")
def comment_feed_first() -> tuple[Site, Truth]:
    posts = write_posts("comments first", 14)
    theme = replace(CLASSIC, head=feed_link("/comments/feed/", title="Comments") + feed_link("/feed/", title="Posts"))
    site = blog_site(posts, theme=theme, feed=None)
    hand = writer("comments first")
    comments = [
        replace(post, path=f"{post.path}#comment-{place}", title=f"By {post.author}", paragraphs=[hand.sentence()])
        for place, post in enumerate(posts[:10])
    ]
    site.pages["/comments/feed/"] = xml(rss_of(comments, title="Comments on The Paper Kite"))
    site.pages["/feed/"] = xml(rss_of(posts[:10]))
    return site, truth_of(posts)


@situation("no feed of the whole, one feed for each of three sections")
def section_feeds_only() -> tuple[Site, Truth]:
    sections = {name: write_posts(f"section {name}", 8, f"/{name}/{{slug}}/") for name in ("essays", "notes", "links")}
    heads = "".join(feed_link(f"/{name}/feed.xml", title=name) for name in sections)
    nav = "".join(f'<a href="/{name}/">{name.title()}</a> ' for name in sections)
    theme = replace(MODERN, head=heads, nav=MODERN.nav + nav)
    site = Site()
    for name, posts in sections.items():
        add_posts(site, posts, theme)
        site.pages[f"/{name}/"] = list_page(theme, name.title(), posts)
        site.pages[f"/{name}/feed.xml"] = xml(rss_of(posts[:6]))
    everything = [post for posts in sections.values() for post in posts]
    site.pages["/"] = list_page(theme, theme.name, [posts[0] for posts in sections.values()])
    return site, truth_of(everything)


@situation("a greeting at the root; two lists declare a feed each, and one is not called as lists of posts are")
def feeds_of_lists() -> tuple[Site, Truth]:
    sections = {name: write_posts(f"list {name}", 9, f"/{name}/{{slug}}/") for name in ("blog", "analyses")}
    nav = "".join(f'<a href="/{name}/">{name.title()}</a> ' for name in sections)
    theme = replace(MODERN, nav=MODERN.nav + nav)
    site = Site()
    for name, posts in sections.items():
        add_posts(site, posts, theme)
        own = replace(theme, head=feed_link(f"/{name}/index.xml"))
        site.pages[f"/{name}/"] = list_page(own, name.title(), posts)
        site.pages[f"/{name}/index.xml"] = xml(rss_of(posts[:6]))
    site.pages["/"] = framed(theme, theme.name, "<p>Hello. Here are some words on kites and analyses.</p>")
    return site, truth_of([post for posts in sections.values() for post in posts])


@situation("a blog asked for by its folder; the host's root has another feed")
def feed_for_folder() -> tuple[Site, Truth]:
    posts = write_posts("folder feed", 12, "/blog/{slug}/")
    news = write_posts("company news", 8, "/news/{slug}/")
    site = Site(start="/blog/")
    company = replace(MODERN, name="Kite Factory", head=feed_link("/feed.xml"))
    add_posts(site, news, company)
    site.pages["/"] = list_page(company, company.name, news, after='<a href="/blog/">Blog</a>')
    site.pages["/feed.xml"] = xml(rss_of(news))
    add_posts(site, posts, company, linked=True)
    add_front(site, posts, company, at="/blog/", paging="/blog/page/{}/")
    site.pages["/blog/feed.xml"] = xml(rss_of(posts[:8]))
    return site, truth_of(posts)


@situation("the declared feed is a 404, the usual place has one")
def feed_declared_wrongly() -> tuple[Site, Truth]:
    posts = write_posts("declared wrongly", 12)
    site = blog_site(posts, theme=replace(CLASSIC, head=feed_link("/old/rss.php")), feed=None)
    site.pages["/feed/"] = xml(rss_of(posts[:8]))
    return site, truth_of(posts)


@situation("feed links are relative paths")
def feed_links_relative() -> tuple[Site, Truth]:
    posts = write_posts("relative links", 12)
    site = blog_site(posts)
    site.pages["/feed.xml"] = xml(rss(rss_item(post, link=post.href) for post in posts[:8]))
    return site, truth_of(posts)


@situation("feed links name the old host of the blog, which is gone")
def feed_links_old_host() -> tuple[Site, Truth]:
    posts = write_posts("old host", 12)
    site = blog_site(posts)
    old = "http://old-kite.example"
    site.pages["/feed.xml"] = xml(rss((rss_item(post, link=old + post.href) for post in posts[:8]), link=f"{old}/"))
    return site, truth_of(posts)


@situation("feed links go through a counting redirect on the same host")
def feed_links_redirect() -> tuple[Site, Truth]:
    posts = write_posts("counting redirect", 12)
    site = blog_site(posts)
    for post in posts:
        site.pages[f"/~r/kite/{post.number}/"] = redirect(f"{ORIGIN}{post.href}?utm_source=feed&utm_medium=rss", 302)
    items = (rss_item(post, link=f"{ORIGIN}/~r/kite/{post.number}/") for post in posts[:8])
    site.pages["/feed.xml"] = xml(rss(items))
    return site, truth_of(posts)


def _damaged(posts: list[Post], damage: bytes) -> tuple[Site, Truth]:
    site = blog_site(posts)
    site.pages["/feed.xml"] = xml(damage, "text/html")
    return site, truth_of(posts)


@situation("feed with undeclared entities and bare ampersands")
def feed_xml_entities() -> tuple[Site, Truth]:
    posts = write_posts("entities", 12)
    feed = rss_of(posts[:8]).replace("<description>Notes", "<description>Tea&nbsp;& notes&hellip; &bogus; 3 < 4")
    return _damaged(posts, feed.encode())


@situation("feed with a byte order mark, blank lines and a PHP warning before the declaration")
def feed_xml_preamble() -> tuple[Site, Truth]:
    posts = write_posts("preamble", 12)
    return _damaged(
        posts, b"\xef\xbb\xbf\n\n<br />Warning: something in feed.php on line 3\n" + rss_of(posts[:8]).encode()
    )


@situation("feed that says UTF-8 and is windows-1252, with control characters")
def feed_xml_encoding() -> tuple[Site, Truth]:
    posts = write_posts("wrong encoding", 12)
    feed = rss_of(posts[:8]).replace("Notes", "Caf\xe9 notes \x0b\x01 \x93quoted\x94")
    return _damaged(posts, feed.encode("cp1252", "replace"))


@situation("feed that ends in the middle of an entry")
def feed_xml_cut_off() -> tuple[Site, Truth]:
    posts = write_posts("cut off", 12)
    feed = rss_of(posts[:8]).encode()
    return _damaged(posts, feed[: len(feed) * 2 // 3])


@situation("feed without entries, sitemap complete")
def feed_empty() -> tuple[Site, Truth]:
    posts = write_posts("feed empty", 12)
    site = blog_site(posts, sitemap=True, linked=False, paging=None)
    site.pages["/feed.xml"] = xml(rss([]))
    return site, truth_of(posts)


@situation("JSON Feed in pages joined by next_url, no other way to old posts")
def feed_json_paged() -> tuple[Site, Truth]:
    posts = write_posts("json paged", 20)
    site = Site()
    add_posts(site, posts)
    head = feed_link("/feed.json", "application/feed+json")
    site.pages["/"] = list_page(replace(MODERN, head=head), MODERN.name, posts[:5])
    for number in range(4):
        more = f"{ORIGIN}/feed/{number + 2}.json" if number < 3 else None
        path = f"/feed/{number + 1}.json" if number else "/feed.json"
        site.pages[path] = xml(json_feed_of(posts[number * 5 : number * 5 + 5], more), "application/feed+json")
    return site, truth_of(posts)


@situation("RSS paged by ?paged=N as WordPress does, front page shows five posts, no paging of pages")
def feed_paged_query() -> tuple[Site, Truth]:
    posts = write_posts("paged query", 22, "/{date:%Y/%m/%d}/{slug}/")
    generator = '<meta name="generator" content="WordPress 6.4.3">'
    theme = replace(CLASSIC, head=feed_link("/feed/") + generator)
    site = Site()
    add_posts(site, posts, theme)
    site.pages["/"] = list_page(theme, theme.name, posts[:5])
    more = "<generator>https://wordpress.org/?v=6.4.3</generator>"
    site.pages["/feed/"] = xml(rss_of(posts[:8], more=more))
    for number in range(1, 4):
        site.pages[f"/feed/?paged={number}"] = xml(rss_of(posts[(number - 1) * 8 : number * 8], more=more))
    for number in range(4, 8):
        site.pages[f"/feed/?paged={number}"] = html("<h1>Not found</h1>", 404)
    return site, truth_of(posts)


@situation("Atom with archives of RFC 5005, each month one document")
def feed_atom_archives() -> tuple[Site, Truth]:
    posts = write_posts("atom archives", 20)
    site = Site()
    add_posts(site, posts)
    kind = "application/atom+xml"
    site.pages["/"] = list_page(replace(MODERN, head=feed_link("/atom.xml", kind)), MODERN.name, posts[:4])
    for number in range(4):
        link = f'<link rel="prev-archive" href="{ORIGIN}/atom/{number + 2}.xml"/>' if number < 3 else ""
        path = f"/atom/{number + 1}.xml" if number else "/atom.xml"
        site.pages[path] = xml(atom_of(posts[number * 5 : number * 5 + 5], more=link), kind)
    return site, truth_of(posts)


@situation("feed with summaries only")
def feed_summaries() -> tuple[Site, Truth]:
    posts = write_posts("summaries", 14)
    return blog_site(posts, theme=CLASSIC, extent="summary"), truth_of(posts)


@situation("feed with titles only")
def feed_titles() -> tuple[Site, Truth]:
    posts = write_posts("titles only", 14)
    return blog_site(posts, extent="titles"), truth_of(posts)


@situation("the home page is dead (500), the feed that is asked for works and lists all")
def home_dead_feed_alive() -> tuple[Site, Truth]:
    posts = write_posts("home dead", 12)
    site = blog_site(posts, listed=12, linked=False)
    site.start = "/feed.xml"
    site.pages["/"] = html("<h1>Internal Server Error</h1>", 500)
    return site, truth_of(posts)


@situation("the home page is dead (404), the feed at its usual place works")
def home_gone_feed_usual() -> tuple[Site, Truth]:
    posts = write_posts("home gone", 12)
    site = blog_site(posts, feed="/feed/", linked=True)
    del site.pages["/"]
    return site, truth_of(posts)


@situation("feed lists posts that are gone (410, 404) among living ones")
def feed_entries_gone() -> tuple[Site, Truth]:
    posts = write_posts("entries gone", 18)
    site = blog_site(posts, listed=14)
    gone = posts[:9:2]
    for place, post in enumerate(gone):
        site.pages[post.path] = html("<h1>Gone</h1><p>This post was withdrawn.</p>", 410 if place % 2 else 404)
    return site, truth_of([post for post in posts if post not in gone])


@situation("a podcast feed of enclosures is declared first, its links are audio files")
def feed_of_audio() -> tuple[Site, Truth]:
    posts = write_posts("audio feed", 12)
    theme = replace(MODERN, head=feed_link("/podcast.xml", title="Podcast"))
    site = blog_site(posts, theme=theme)
    audio = Response(body=b"ID3" + bytes(5000), headers={"Content-Type": "audio/mpeg"})
    items = []
    for post in posts[:6]:
        site.pages[f"/audio/{post.number}.mp3"] = audio
        items.append(rss_item(post, link=f"{ORIGIN}/audio/{post.number}.mp3", extent="titles"))
    site.pages["/podcast.xml"] = xml(rss(items))
    return site, truth_of(posts)


@situation("the server fails at some posts again and again, and the feed has their whole texts", beyond_links=True)
def feed_outlives_pages() -> tuple[Site, Truth]:
    posts = write_posts("feed outlives pages", 12)
    site = blog_site(posts)
    for post in posts[:3]:
        site.pages[post.path] = html("<h1>Error</h1>", 500)
    site.pages["/feed.xml"] = xml(rss([rss_item(post) for post in posts[:8]]))
    return site, truth_of(posts)


@situation("all pages of a blog are gone, and its feed still has the last texts", beyond_links=True)
def feed_outlives_blog() -> tuple[Site, Truth]:
    posts = write_posts("feed outlives blog", 9)
    site = Site()
    site.pages["/"] = html('<link rel="alternate" type="application/rss+xml" href="/feed.xml"><p>Closed.</p>')
    site.pages["/feed.xml"] = xml(rss([rss_item(post) for post in posts]))
    return site, truth_of(posts)


@situation("a blog moved to another folder, and its feed has whole texts under the old URLs, which are gone")
def feed_of_old_folder() -> tuple[Site, Truth]:
    posts = write_posts("feed of old folder", 12)
    site = blog_site(posts)
    site.pages["/feed.xml"] = xml(rss([rss_item(post, link=f"/old{post.path}") for post in posts[:8]]))
    return site, truth_of(posts)


@situation("the licence of the blog stands as RDF in the head of every page, as Movable Type writes it")
def licence_as_rdf() -> tuple[Site, Truth]:
    posts = write_posts("licence as rdf", 12)
    rdf = '<!-- <rdf:RDF xmlns="http://web.resource.org/cc/"><Work rdf:about=""><license/></Work></rdf:RDF> -->'
    theme = replace(CLASSIC, head=f"{rdf}{feed_link('/feed.xml')}")
    return blog_site(posts, theme=theme), truth_of(posts)


@situation("a link blog: the titles of the feed link to other sites, and guid is the post")
def feed_links_elsewhere() -> tuple[Site, Truth]:
    posts = write_posts("feed links elsewhere", 14)
    site = blog_site(posts)
    items = (
        rss_item(post, link=f"https://site{post.number}.example/").replace(
            f"<guid>https://site{post.number}.example/", f"<guid>{ORIGIN}{post.href}"
        )
        for post in posts[:8]
    )
    site.pages["/feed.xml"] = xml(rss(items))
    return site, truth_of(posts)


@situation("the feed is a program with a parameter, and a link alone names it; the front page shows five posts")
def feed_by_parameter() -> tuple[Site, Truth]:
    posts = write_posts("feed by parameter", 14)
    site = blog_site(posts, feed=None, paging=None, linked=False)
    nav = '<a href="/syndication.php?type=rss">Subscribe</a>'
    site.pages["/"] = list_page(MODERN, MODERN.name, posts[:5], after=nav)
    site.pages["/syndication.php?type=rss"] = xml(rss_of(posts))
    return site, truth_of(posts)


@situation("a young blog's feed lists its pages too, with dates of year 1, and they outnumber the posts")
def feed_of_pages_of_year_one() -> tuple[Site, Truth]:
    posts = write_posts("posts of a young blog", 2, "/posts/{slug}/")
    pages = write_posts("pages of a young blog", 3, "/{slug}/")
    undated = replace(
        MODERN, post='<article class="post"><h1 class="post-title">$title</h1><div>$content</div></article>'
    )
    site = blog_site(
        posts,
        feed="/index.xml",
        theme=replace(MODERN, nav=" ".join(f'<a href="{page.href}">Page</a>' for page in pages)),
    )
    add_posts(site, pages, undated)
    items = [rss_item(page, date="Mon, 01 Jan 0001 00:00:00 +0000") for page in pages]
    site.pages["/index.xml"] = xml(rss([*items, *map(rss_item, posts)]))
    return site, truth_of(posts)
