"""The built site: no broken links, and the expected values are those on the pages."""

from dataclasses import replace
from datetime import date
from functools import cache
from html.parser import HTMLParser
from itertools import product
from urllib.parse import urldefrag, urljoin, urlsplit

import pytest

from posterity.demo.blog import Permalink, SiteOptions, Theme
from posterity.demo.posts import plain_text
from posterity.demo.server import DemoSite, build

built = cache(build)

THEMES: list[Theme] = ["harbour", "attic"]
PERMALINKS: list[Permalink] = ["dated", "query", "flat"]
VARIANTS = [
    SiteOptions(theme=theme, permalink=permalink, prefix=prefix)
    for theme, permalink, prefix in product(THEMES, PERMALINKS, ["", "/blog"])
]
every_variant = pytest.mark.parametrize("options", VARIANTS, ids=lambda o: f"{o.theme}-{o.permalink}{o.prefix}")


class Anchors(HTMLParser):
    """URLs, ids and the nesting of comments in one page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.links: list[str] = []
        self.ids: list[str] = []
        self.comment_parents: dict[str, str | None] = {}
        self._open: list[tuple[str, str | None]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.links += [value for name in ("href", "src") if (value := values.get(name))]
        name = values.get("id")
        if name:
            self.ids.append(name)
        if name and name.startswith("comment-"):
            outer = [opened for _, opened in self._open if opened and opened.startswith("comment-")]
            self.comment_parents[name] = outer[-1] if outer else None
        if tag in {"li", "div"}:
            self._open.append((tag, name))

    def handle_endtag(self, tag: str) -> None:
        if tag in {"li", "div"}:
            assert self._open.pop()[0] == tag


def html_of(site: DemoSite, path: str) -> str:
    return site[path].body.decode()


def words_of(html: str) -> str:
    return " ".join(plain_text(html).split())


def internal_links(site: DemoSite, path: str) -> set[tuple[str, str]]:
    base = site.options.base_url
    found = set()
    for link in Anchors(html_of(site, path)).links:
        address, fragment = urldefrag(urljoin(base + path, link))
        if address.startswith(base):
            found.add((address.removeprefix(base), fragment))
    return found


@every_variant
def test_every_internal_link_resolves(options: SiteOptions) -> None:
    site = built(options)
    ids = {path: set(Anchors(html_of(site, path)).ids) for path in site if "html" in site[path].content_type}
    for page in ids:
        for path, fragment in internal_links(site, page):
            assert path in site, f"{page} links to {path}"
            assert not fragment or fragment in ids[path], f"{page} links to {path}#{fragment}"


@every_variant
def test_every_page_can_be_reached_from_the_front_page(options: SiteOptions) -> None:
    site = built(options)
    waiting, seen = ["/"], {"/"}
    while waiting:
        path = waiting.pop()
        if "html" in site[path].content_type:
            new = {link for link, _ in internal_links(site, path)} - seen
            seen |= new
            waiting.extend(new)
    unlinked = {
        "/robots.txt",
        f"{options.prefix}/sitemap.xml",
        f"{options.prefix}/404.html",
        "/favicon.ico",
        f"{options.prefix}/assets/{'attic' if options.theme == 'harbour' else 'harbour'}.css",
    }
    assert set(site) - seen == unlinked


@every_variant
def test_truth_stands_on_its_page(options: SiteOptions) -> None:
    site = built(options)
    assert len(site.truth) == 36
    for post in site.truth:
        shown = words_of(html_of(site, post.path))
        assert " ".join(post.text.split()) in shown
        assert " ".join(post.title.split()) in shown
        assert post.author
        assert post.author in shown
        assert all(" ".join(comment.text.split()) in shown for comment in post.comments)
        assert all(image.src in site and image.caption in shown for image in post.images)


@pytest.mark.parametrize("theme", THEMES)
def test_comment_threads_nest_as_the_truth_says(theme: Theme) -> None:
    site = built(SiteOptions(theme=theme))
    for post in site.truth:
        parents = {f"comment-{c.id}": f"comment-{c.parent}" if c.parent else None for c in post.comments}
        assert list(Anchors(html_of(site, post.path)).comment_parents.items()) == list(parents.items())


def test_permalink_styles() -> None:
    paths = {style: {post.path for post in built(SiteOptions(permalink=style)).truth} for style in PERMALINKS}
    assert "/2019/09/23/salt-loaf/" in paths["dated"]
    assert "/?p=17" in paths["query"]
    assert "/salt-loaf.html" in paths["flat"]
    assert "/blog/?p=17" in built(SiteOptions(permalink="query", prefix="/blog"))


def test_code_keeps_its_lines_and_its_indentation() -> None:
    (post,) = [post for post in built().truth if "forty-lines" in post.path]
    assert "\n        if before < here >= after:\n            yield hours, here\n" in post.text


def test_front_page_has_six_posts_a_page() -> None:
    site = built()
    pages = ["/", *(f"/page/{page}/" for page in range(2, 7))]
    assert all(html_of(site, page).count('<article class="post summary">') == 6 for page in pages)
    assert "/page/7/" not in site


def test_theme_change_gives_older_posts_the_other_theme() -> None:
    site = built(SiteOptions(theme_change="2022-01-08"))
    for post in site.truth:
        newer = post.published.date() >= date(2022, 1, 8)
        assert post.theme == ("harbour" if newer else "attic")
        assert ('class="entry-content"' in html_of(site, post.path)) is newer
        assert ('id="story"' in html_of(site, post.path)) is not newer


def test_hidden_authors_are_neither_on_the_page_nor_in_the_truth() -> None:
    site = built(SiteOptions(authors_on_page=False))
    told = [post.author for post in site.truth]
    assert all(told[:10])
    assert told[10:] == [None] * 26
    assert not any("/author/" in path for path in site)
    assert 'rel="author"' not in html_of(site, site.truth[0].path)
    assert not any(post.author for post in built(SiteOptions(authors_on_page=False, authors_in_feed=False)).truth)


def test_language_of_a_post_is_the_language_of_its_page() -> None:
    site = built()
    for post in site.truth:
        assert f'<html lang="{post.language}">' in html_of(site, post.path)


def test_titles_are_escaped() -> None:
    site = built()
    (post,) = [post for post in site.truth if post.title.startswith('"Flour')]
    assert "&#34;Flour &amp; Water&#34; &amp; other half-truths" in html_of(site, post.path)


def test_posts_limit_shows_the_blog_as_it_was() -> None:
    early, later = built(SiteOptions(posts_limit=7)), built()
    assert early.truth == later.truth[-7:]
    assert all(path in early for page in early.truth for path, _ in internal_links(early, page.path))


def test_sitemap_and_robots() -> None:
    options = SiteOptions(base_url="http://blog.example", prefix="/blog")
    site = built(options)
    assert "Sitemap: http://blog.example/blog/sitemap.xml" in html_of(site, "/robots.txt")
    assert all(f"<loc>{post.url}</loc>" in html_of(site, "/blog/sitemap.xml") for post in site.truth)
    bare = built(replace(options, sitemap=False))
    assert "/blog/sitemap.xml" not in bare
    assert "Sitemap" not in html_of(bare, "/robots.txt")


def test_missing_page_is_a_404() -> None:
    site = built()
    assert site["/404.html"].status == 404
    assert site.missing is site["/404.html"]
    assert {resource.status for path, resource in site.items() if path != "/404.html"} == {200}


def test_same_options_give_the_same_bytes() -> None:
    assert dict(build()) == dict(build())


def test_no_link_leaves_for_a_real_host() -> None:
    # A harvest of the demo that follows external links must not reach real sites.
    site = built()
    hosts = {
        urlsplit(link).hostname
        for path, resource in site.items()
        if "html" in resource.content_type
        for link in Anchors(html_of(site, path)).links
    }
    assert all(host is None or host == "127.0.0.1" or host.endswith(".example") for host in hosts)
