"""Sitemaps with dead URLs, in odd forms and places, and blogs with nothing else."""

from __future__ import annotations

from dataclasses import replace

from tests.zoo.blog import ORIGIN, Request, Response, Site, Truth, html, text, truth_of, write_posts, xml
from tests.zoo.build import add_about, add_posts, blog_site, feed_link
from tests.zoo.feeds import rss_of, sitemap_index_of, sitemap_of
from tests.zoo.pages import CLASSIC, MODERN, framed, list_page
from tests.zoo.registry import situation


def _front_only(seed: str, count: int = 20, path: str = "/{date:%Y/%m}/{slug}/") -> tuple[Site, list[str], Truth]:
    """A blog whose front page and feed show five posts; the others are only in sitemaps."""
    posts = write_posts(seed, count, path)
    theme = replace(MODERN, head=feed_link("/feed.xml"))
    site = Site()
    add_posts(site, posts, theme)
    add_about(site, theme)
    site.pages["/"] = list_page(theme, theme.name, posts[:5])
    site.pages["/feed.xml"] = xml(rss_of(posts[:5]))
    return site, [post.href for post in posts], truth_of(posts)


@situation("sitemap with 300 dead URLs before the living ones")
def sitemap_dead_first() -> tuple[Site, Truth]:
    site, hrefs, truth = _front_only("dead first")
    dead = [f"/2009/{place % 12 + 1:02}/dead-post-{place}/" for place in range(300)]
    site.pages["/sitemap.xml"] = xml(sitemap_of([*dead, *hrefs]))
    return site, truth


@situation("sitemap with dead URLs in runs of forty between living ones")
def sitemap_dead_among() -> tuple[Site, Truth]:
    site, hrefs, truth = _front_only("dead among")
    mixed = []
    for place, href in enumerate(hrefs):
        mixed += [href, *(f"/2011/05/lost-{place}-{each}/" for each in range(40 if place % 5 == 0 else 1))]
    site.pages["/sitemap.xml"] = xml(sitemap_of(mixed))
    return site, truth


@situation("dead URLs answer 200 with a page that says not found")
def sitemap_soft_404() -> tuple[Site, Truth]:
    site, hrefs, truth = _front_only("soft 404")
    dead = [f"/2012/{place % 12 + 1:02}/vanished-{place}/" for place in range(60)]
    site.pages["/sitemap.xml"] = xml(sitemap_of([*dead[:30], *hrefs, *dead[30:]]))
    sentence = "Sorry, the page you are looking for could not be found. Try the search or go back to the start."

    def soft(request: Request) -> Response:
        return framed(MODERN, "Page not found", f"<h1>Page not found</h1><p>{sentence}</p>")

    site.fallback = soft
    site.pages |= {path: html("", 404) for path in ("/robots.txt", "/sitemap_index.xml")}
    return site, replace(truth, forbidden_texts=[sentence])


@situation("sitemap index of four parts, two of them dead and one broken XML")
def sitemap_index_dead_parts() -> tuple[Site, Truth]:
    site, hrefs, truth = _front_only("dead parts", 24)
    site.pages["/sitemap.xml"] = xml(
        sitemap_index_of(f"/sitemap-{name}.xml" for name in ("lost", "a", "gone", "b", "c"))
    )
    site.pages["/sitemap-gone.xml"] = html("<h1>Error</h1>", 500)
    site.pages["/sitemap-a.xml"] = xml(sitemap_of(hrefs[:8]))
    site.pages["/sitemap-b.xml"] = xml(sitemap_of(hrefs[8:16]))
    site.pages["/sitemap-c.xml"] = xml(sitemap_of(hrefs[16:]).replace("</urlset>", "<url><loc>&oops"))
    return site, truth


@situation("the sitemap has an odd name that only robots.txt tells")
def sitemap_in_robots() -> tuple[Site, Truth]:
    site, hrefs, truth = _front_only("in robots")
    site.pages["/robots.txt"] = text(f"User-agent: *\nDisallow: /admin/\nsitemap: {ORIGIN}/maps/content-7.xml\n")
    site.pages["/maps/content-7.xml"] = xml(sitemap_of(hrefs))
    return site, truth


@situation("sitemap compressed as sitemap.xml.gz, named in robots.txt")
def sitemap_gzip() -> tuple[Site, Truth]:
    site, hrefs, truth = _front_only("gzip")
    site.pages["/robots.txt"] = text(f"User-agent: *\nAllow: /\nSitemap: {ORIGIN}/sitemap.xml.gz\n")
    # Compressed per request, because the server cannot insert its origin into compressed bytes.
    site.pages["/sitemap.xml.gz"] = Response(
        body=sitemap_of(hrefs).encode(), headers={"Content-Type": "application/gzip"}, compressed=True
    )
    return site, truth


@situation("sitemap as a list of lines, sitemap.txt")
def sitemap_text() -> tuple[Site, Truth]:
    site, hrefs, truth = _front_only("text sitemap")
    site.pages["/robots.txt"] = text(f"User-agent: *\nAllow: /\nSitemap: {ORIGIN}/sitemap.txt\n")
    site.pages["/sitemap.txt"] = text("\n".join(ORIGIN + href for href in hrefs))
    return site, truth


@situation("sitemap of ten kinds of pages, posts are a fifth of it; no feed")
def sitemap_of_everything() -> tuple[Site, Truth]:
    posts = write_posts("everything", 12, "/journal/{slug}/")
    site = Site()
    add_posts(site, posts, CLASSIC, linked=True)
    others = []
    for kind in ("tag", "category", "author", "shop", "gallery"):
        for place in range(8):
            path = f"/{kind}/{kind}-{place}/"
            others.append(path)
            site.pages[path] = list_page(CLASSIC, f"{kind.title()} {place}", posts[place : place + 3])
    site.pages["/"] = list_page(CLASSIC, CLASSIC.name, posts[:5])
    site.pages["/sitemap.xml"] = xml(sitemap_of([*others[:20], *(post.href for post in posts), *others[20:]]))
    return site, truth_of(posts)


@situation("sitemap with empty, relative, foreign, repeated and impossible locations")
def sitemap_locations_impossible() -> tuple[Site, Truth]:
    site, hrefs, truth = _front_only("odd locations")
    bad = ["http://127.0.0.1:99999/x/", "http://[::1/x/", "https://elsewhere.example/post/", "mailto:a@b.example", ""]
    feed = sitemap_of([*bad, *hrefs[:10], *hrefs]).replace("<loc></loc>", "<loc/><lastmod>0000-13-45</lastmod>")
    site.pages["/sitemap.xml"] = xml(feed)
    return site, truth


@situation("a sitemap index that contains itself and a chain of ten indexes")
def sitemap_index_loop() -> tuple[Site, Truth]:
    site, hrefs, truth = _front_only("index loop", 14)
    site.pages["/sitemap.xml"] = xml(sitemap_index_of(["/sitemap.xml", "/chain-0.xml", "/posts.xml"]))
    for place in range(10):
        site.pages[f"/chain-{place}.xml"] = xml(sitemap_index_of([f"/chain-{place + 1}.xml", "/sitemap.xml"]))
    site.pages["/posts.xml"] = xml(sitemap_of(hrefs))
    return site, truth


@situation("feed and sitemap disagree: the feed has the newest, the sitemap stopped years ago")
def sitemap_stale() -> tuple[Site, Truth]:
    posts = write_posts("stale", 20)
    site = blog_site(posts, listed=8, linked=False)
    site.pages["/sitemap.xml"] = xml(sitemap_of(post.href for post in posts[8:]))
    site.pages["/"] = list_page(MODERN, MODERN.name, posts[:3], head=feed_link("/feed.xml"))
    return site, truth_of(posts)


@situation("static copy: paths in sitemap_index.xml and post-sitemap.xml; three posts lie in a folder less")
def sitemap_of_paths() -> tuple[Site, Truth]:
    site, _, _ = _front_only("sitemap of paths", 18, "/{date:%Y}/{slug}/")
    posts = write_posts("sitemap of paths", 18, "/{date:%Y}/{slug}/")
    odd = write_posts("sitemap of odd paths", 3, "/{slug}/")
    add_posts(site, odd, MODERN)
    own = "<urlset>" + "".join(f"<url><loc>{post.href}</loc></url>" for post in [*posts, *odd]) + "</urlset>"
    pages = "<urlset><url><loc>/about/</loc></url></urlset>"
    parts = "".join(f"<sitemap><loc>/{name}-sitemap.xml</loc></sitemap>" for name in ("post", "page"))
    site.pages["/sitemap.xml"] = xml(f"<sitemapindex>{parts}</sitemapindex>")
    site.pages |= {"/post-sitemap.xml": xml(own), "/page-sitemap.xml": xml(pages)}
    return site, truth_of([*posts, *odd])


@situation("the sitemap alone names the only post of each of three sections, beside pages of a shop")
def sitemap_of_small_sections() -> tuple[Site, Truth]:
    posts = write_posts("small sections", 40)
    lone = [*write_posts("lone", 1, "/essays/{slug}/"), *write_posts("alone", 1, "/notes/{slug}.html")]
    lone += write_posts("allein", 1, "/de/{slug}/", code="de")
    site = blog_site(posts, sitemap=True)
    add_posts(site, lone, replace(MODERN, head=feed_link("/feed.xml")))
    shop = [f"/{name}/{each}/" for name in ("tin", "oak", "silk") for each in ("lamp", "bowl")]
    site.pages |= {path: framed(MODERN, "Goods", "<h1>Goods</h1><p>To be had by mail.</p>") for path in shop}
    named = ["/", "/about/", *shop, *(post.href for post in [*posts, *lone])]
    site.pages["/sitemap.xml"] = xml(sitemap_of(named))
    return site, truth_of([*posts, *lone])
