"""Pages beside the posts that the feed names: the same posts in another language, and the second pages of posts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.integration.harvest.test_sources import HEAD, feed, harvested, served, text_of

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Posterity

NAMES = ("tides", "bread", "radios", "salt", "rope", "lamps")
PAGE = """<html><head><title>{title}</title>{head}</head><body><h1>{title}</h1><time datetime="{day}">{day}</time>
<div class="body"><p>{text}</p></div>{below}</body></html>"""


def page(name: str, head: str = "", below: str = "") -> tuple[str, str]:
    day = f"2021-03-{1 + sum(map(ord, name)) % 28:02}"
    return "text/html", PAGE.format(title=name, head=head, day=day, text=text_of(name), below=below)


def test_posts_in_another_language_are_posts_of_the_blog(posterity: Posterity, tmp_path: Path) -> None:
    with served() as site:
        links = "".join(f"<p><a href='/posts/{name}/'>{name}</a></p>" for name in NAMES)
        site.pages["/"] = ("text/html", f"{HEAD.format('')}{links}</body></html>")
        for name in NAMES:
            head = "".join(
                f"<link rel=alternate hreflang={code} href=/{where}{name}/>"
                for code, where in (("en", "posts/"), ("fr", "fr/posts/"))
            )
            site.pages[f"/posts/{name}/"] = page(name, head)
            site.pages[f"/fr/posts/{name}/"] = page(f"{name} en français", head)
        site.pages["/feed.xml"] = ("application/rss+xml", feed(site.base, {name: f"/posts/{name}/" for name in NAMES}))
        found = harvested(posterity, site, tmp_path / "archive")["posts"]
    assert found == sorted(f"/{where}{name}/" for name in NAMES for where in ("posts/", "fr/posts/"))


def test_translations_of_old_posts_are_posts_of_a_blog_whose_new_ones_have_none(
    posterity: Posterity, tmp_path: Path
) -> None:
    with served() as site:
        links = "".join(f"<p><a href='/{name}/'>{name}</a></p>" for name in NAMES)
        site.pages["/"] = ("text/html", f"{HEAD.format('')}{links}</body></html>")
        for name in NAMES:
            head = f"<link rel=alternate hreflang=it href=/it/{name}-2/>" if name in NAMES[4:] else ""
            site.pages[f"/{name}/"] = page(name, head)
        for name in NAMES[4:]:
            site.pages[f"/it/{name}-2/"] = page(f"{name} in italiano")
        new = {name: f"/{name}/" for name in NAMES[:4]}
        site.pages["/feed.xml"] = ("application/rss+xml", feed(site.base, new))
        found = harvested(posterity, site, tmp_path / "archive")["posts"]
    assert found == sorted([*(f"/{name}/" for name in NAMES), *(f"/it/{name}-2/" for name in NAMES[4:])])


def test_second_page_of_a_post_is_no_post(posterity: Posterity, tmp_path: Path) -> None:
    paths = {name: f"/2021/03/12/{name}/" for name in NAMES}
    with served() as site:
        links = "".join(f"<p><a href='{path}'>{name}</a></p>" for name, path in paths.items())
        site.pages["/"] = ("text/html", f"{HEAD.format('')}{links}</body></html>")
        for name, path in paths.items():
            site.pages[path] = page(name, below=f"<p>Pages: 1 <a href='{path}2/'>2</a></p>")
            site.pages[f"{path}2/"] = page(f"{name}, the second half")
        site.pages["/feed.xml"] = ("application/rss+xml", feed(site.base, paths))
        found = harvested(posterity, site, tmp_path / "archive")["posts"]
    assert found == sorted(paths.values())


def test_post_that_reloads_itself_is_stored_and_asked_for_once(posterity: Posterity, tmp_path: Path) -> None:
    paths = {name: f"/posts/{name}/" for name in NAMES}
    with served() as site:
        links = "".join(f"<p><a href='{path}'>{name}</a></p>" for name, path in paths.items())
        site.pages["/"] = ("text/html", f"{HEAD.format('')}{links}</body></html>")
        for name, path in paths.items():
            site.pages[path] = page(name, "<meta http-equiv=refresh content='30; url=./'>" if name == "rope" else "")
        site.pages["/feed.xml"] = ("application/rss+xml", feed(site.base, paths))
        found = harvested(posterity, site, tmp_path / "archive")["posts"]
    assert found == sorted(paths.values())
    assert site.asked.count("/posts/rope/") == 1
