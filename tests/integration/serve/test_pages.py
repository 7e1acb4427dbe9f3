"""Pages of blogs and posts with everything that can have happened to them."""

from __future__ import annotations

import re
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import msgspec
import pytest
from tests.integration.serve.running import Served, served

from posterity.archive import open_archive
from posterity.model import (
    Blog,
    Comment,
    FieldRule,
    HarvestReport,
    Media,
    MissingPost,
    Post,
    Provenance,
    Rule,
    RuleSet,
    SourceCount,
)
from posterity.model.rules import Layout
from posterity.serve.health import BlogLines
from posterity.urls import blog_id, post_id

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HOME = "https://old.example/"
NOW = datetime.now(UTC)
BLOG = Blog(
    id=blog_id(HOME), url=HOME, title="Old", language="de", harvested_at=NOW - timedelta(days=40),
    updated_at=NOW - timedelta(days=2), due_at=NOW - timedelta(hours=1), results=("news", "quiet", "failed", "failed"),
)  # fmt: skip
POST = Post(
    id=post_id(f"{HOME}1"), url=f"{HOME}1", blog=BLOG.id, title="First", text="The quick brown fox sleeps.",
    html="<p>The quick brown fox sleeps.</p>", comments=(Comment(id="1", text="Nice\nlines"),),
    provenance={
        "text": Provenance(method="feed", rule="div.e", confidence=0.2), "odd": Provenance(method="x", confidence=1),
    },
)  # fmt: skip
RULE = FieldRule(rule=Rule("class", "e", "div"), confidence=0.9, pages=3, of_pages=4)


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A server of a blog that had a life: edits, a page that went away, updates that failed, posts that are missing."""
    folder = tmp_path_factory.mktemp("old") / "archive"
    with open_archive(folder, create=True) as archive:
        archive.put_blog(BLOG)
        archive.put_blog(Blog(id=blog_id("https://new.example/"), url="https://new.example/"))
        archive.put_posts([POST, *(msgspec.structs.replace(POST, id=f"p{n}", url=f"{HOME}x{n}") for n in range(60))])
        archive.put_post(msgspec.structs.replace(POST, text="The slow brown fox sleeps well.", title="First, again"))
        archive.mark_gone(POST.id, 410)
        layouts = (Layout(fields={"text": (RULE,)}),)
        archive.put_rules(
            BLOG.id,
            RuleSet(fields={"text": (RULE,)}, layouts=layouts, evidence=(f"{HOME}1",), scores={f"{HOME}1": 0.9}),
        )
        archive.put_report(
            HarvestReport(
                blog=BLOG.id, url=HOME, started_at=NOW, ended_at=NOW, ended_because="nothing is left", posts=61,
                errors=2,
                sources=(SourceCount(source="feed", listed=90, new=90),),
                missing=tuple(MissingPost(url=f"{HOME}m{n}", reason="httpError", detail="404") for n in range(29)),
            )
        )  # fmt: skip
    with served(folder) as site:
        yield site


def text(site: Served, path: str) -> str:
    response = site.ask.get(path, headers={"Accept": "text/html"})
    assert response.status_code == 200, response.text
    return " ".join(response.text.split())


def test_first_page_tells_what_is_wrong(old: Served) -> None:
    page = text(old, "/")
    assert "68 %" in page
    assert "2 errors" in page
    assert "update failed" in page
    assert "29 listed posts are missing." in page
    assert "unknown" in page


def test_blog_tells_what_is_missing_and_why(old: Served) -> None:
    page = text(old, f"/blogs/{BLOG.id}")
    assert "29 missing posts" in page
    assert "httpError: 404" in page
    assert "nothing is left" in page
    assert "due now" in page
    assert "1 layout" in page
    assert "<b>1</b> no longer online" in page


def test_blog_without_anything_has_a_page(old: Served) -> None:
    assert "No posts yet." in text(old, "/blogs/new.example")


def test_long_list_of_posts_has_pages(old: Served) -> None:
    first = text(old, f"/blogs/{BLOG.id}")
    place = first.partition('rel="next" href="')[2].partition('"')[0]
    assert place
    assert "The newest" in text(old, place.partition("#")[0])


def test_edit_is_shown_word_by_word(old: Served) -> None:
    page = text(old, f"/posts/{POST.id}")
    assert "<del>quick</del><ins>slow</ins>" in page
    assert "Deleted" in page
    assert "no longer online since" in page
    assert '<th scope="row">odd</th>' in page


def test_post_without_a_stored_page_says_so_in_its_frame(old: Served) -> None:
    response = old.ask.get(f"/posts/{POST.id}/page")
    assert response.status_code == 404
    assert "contains no page of" in response.text
    assert "frame-ancestors 'self'" in response.headers["content-security-policy"]


def test_new_rules_are_a_new_version(old: Served) -> None:
    rules = old.ask.get(f"/api/v1/blogs/{BLOG.id}/rules").json()
    rules["fields"]["title"] = rules["fields"]["text"]
    stored = old.ask.put(f"/api/v1/blogs/{BLOG.id}/rules", json=rules).json()
    assert stored["version"] == 2
    assert old.ask.get(f"/api/v1/blogs/{BLOG.id}/rules?version=1").json()["fields"].keys() == {"text"}
    assert old.ask.put(f"/api/v1/blogs/{BLOG.id}/rules", content=b"{}x").status_code == 422


def test_history_tells_that_a_post_went_away(old: Served) -> None:
    assert old.ask.get(f"/api/v1/posts/{POST.id}/history").json()["events"][0]["kind"] == "gone"


def test_search_page_links_to_what_was_probably_meant(site: Served) -> None:
    assert 'Did you mean <a dir="auto" href="/search?q=bread">bread</a>?' in text(site, "/search?q=braed")


@pytest.mark.parametrize(
    "path", ["/search", "/search?q=fox&year=x", "/search?q=!!", "/search?q=fox&start=5000", "/search?q=fox&tag=a"]
)
def test_search_page_bears_any_question(old: Served, path: str) -> None:
    assert "Search" in text(old, path)


def test_icon_is_the_blogs_own_and_else_a_letter(own_archive: Path) -> None:
    with open_archive(own_archive) as archive, served(own_archive) as site:
        (blog,) = archive.blogs()
        archive.put_blog(msgspec.structs.replace(blog, icon=None))
        assert "<text" in site.ask.get(f"/blogs/{blog.id}/icon").text
        for body, said, kind in (
            (b"\x89PNG\r\n\x1a\n...", "image/vnd.microsoft.icon", "image/png"),
            (b"\x00\x00\x01\x00...", None, "image/x-icon"),
            (b"<svg><script>top.ran = 1</script></svg>", "image/svg+xml", "image/svg+xml"),
        ):
            medium = archive.put_media(body, said, f"{blog.url}favicon.ico")
            archive.put_blog(msgspec.structs.replace(blog, icon=medium))
            response = site.ask.get(f"/blogs/{blog.id}/icon")
            assert (response.content, response.headers["content-type"]) == (body, kind)
            assert response.headers["content-security-policy"].startswith("sandbox;")
        page = archive.put_media(b"<html><script>top.ran = 1</script>", "text/html", f"{blog.url}favicon.ico")
        archive.put_blog(msgspec.structs.replace(blog, icon=page))
        assert "<text" in site.ask.get(f"/blogs/{blog.id}/icon").text, "a page is no icon"


def test_harvest_that_a_limit_ended_is_not_called_whole(own_archive: Path) -> None:
    with open_archive(own_archive) as archive, served(own_archive) as site:
        (blog,) = archive.blogs()
        report = archive.report(blog.id)
        assert report is not None
        archive.put_report(msgspec.structs.replace(report, ended_because="the page limit was reached (--limit)"))
        health = site.ask.get(f"/api/v1/blogs/{blog.id}").json()["health"]
        assert (health["grade"], health["cut_short"]) == ("fair", True)
        assert "The harvest was cut short" in text(site, f"/blogs/{blog.id}")


def test_what_others_store_is_on_the_first_page_soon(own_archive: Path) -> None:
    with open_archive(own_archive) as archive, served(own_archive) as site:
        archive.put_blog(Blog(id=blog_id(HOME), url=HOME, title="A blog of somebody else"))
        for _ in range(100):
            if "A blog of somebody else" in text(site, "/"):
                return
            time.sleep(0.1)
    raise AssertionError("the first page does not follow the archive")


def test_tag_alone_lists_its_posts_newest_first(site: Served) -> None:
    page = text(site, "/search?tag=bread")
    listed = site.ask.get("/api/v1/posts", params={"tag": "bread"}).json()["items"]
    places = [page.index(f'/posts/{post["id"]}"') for post in listed]
    assert places == sorted(places)
    assert "There is no such post." in text(site, "/search?tag=nothingofthiskind")


@pytest.mark.parametrize(
    ("form", "start"), [("json", "{"), ("xml", "<?xml"), ("text", ""), ("markdown", "")], ids=lambda one: one or "any"
)
def test_record_can_be_downloaded(site: Served, post: dict[str, str], form: str, start: str) -> None:
    response = site.ask.get(f"/posts/{post['id']}/record", params={"form": form})
    assert response.status_code == 200
    assert response.headers["content-disposition"].startswith("attachment; filename=")
    assert response.text.startswith(start)
    assert " ".join(post["text"].split()[:4]) in response.text
    assert site.ask.get(f"/posts/{post['id']}/record?form=none").status_code == 404


def test_demo_of_a_front_page_lists_its_posts(site: Served) -> None:
    posts = "".join(
        f'<article class=post><h2><a href="/{n}/">Post number {n}</a></h2>'
        f"<time datetime=2024-03-0{n}>{n} March 2024</time>"
        f"<p>{'Words of the post, as many as it takes to look like one. ' * 4}</p></article>"
        for n in range(1, 5)
    )
    wish = {"html": f"<main>{posts}</main>", "url": "https://salt.example/", "methods": ["hybrid"], "index": True}
    page = text(site, site.ask.post("/demo", json=wish).json()["href"])
    assert page.count('<th scope="row" dir="auto">Post number') == 4
    assert "<td>2024-03-04</td>" in page


def test_blogs_are_ordered_and_chosen_on_the_first_page(tmp_path: Path) -> None:
    with open_archive(tmp_path / "archive", create=True) as archive:
        for name in "fedcba":
            url = f"https://{name}.example/"
            archive.put_blog(
                Blog(id=blog_id(url), url=url, title=f"Blog {name}", harvested_at=NOW + timedelta("defbac".index(name)))
            )
            archive.put_posts(
                Post(id=f"{name}{one}", url=f"{url}{one}", blog=blog_id(url), text="x")
                for one in range("beacfd".index(name))
            )
    with served(tmp_path / "archive") as site:

        def names(path: str) -> str:
            return "".join(re.findall(r">Blog (\w)</a>", text(site, path)))

        assert names("/") == "cabfed"
        assert names("/?order=name") == "abcdef"
        assert names("/?order=posts") == "dfcaeb"
        assert names("/?find=BLOG+C") == names("/?find=c.exam&order=health") == "c"
        assert "No blog matches." in text(site, "/?find=nothing&order=none")


def test_closed_counts_stay_as_they_were(own_archive: Path) -> None:
    with open_archive(own_archive) as archive:
        lines = BlogLines(archive)
        before = lines.all()
        lines.close()
    lines.refresh()
    assert lines.all() == before != []


def test_trackbacks_are_marked_and_not_counted_as_comments(tmp_path: Path) -> None:
    trackback = Comment(id="2", author="Ebb", text="As they wrote", type="trackback")
    with open_archive(tmp_path / "archive", create=True) as archive:
        archive.put_blog(BLOG)
        archive.put_post(msgspec.structs.replace(POST, comments=(*POST.comments, trackback)))
    with served(tmp_path / "archive") as site:
        page = text(site, f"/posts/{POST.id}")
    assert "1 comment, 1 trackback</h2>" in page
    assert page.count('<span class="muted">trackback</span>') == 1


def test_text_of_a_blog_has_its_own_direction(tmp_path: Path) -> None:
    with open_archive(tmp_path / "archive", create=True) as archive:
        archive.put_blog(msgspec.structs.replace(BLOG, title="مدونة الخبز"))
        archive.put_post(
            msgspec.structs.replace(
                POST, title="أنواع الخبز", authors=("ليلى",), tags=("طبخ",), text="خبز طازج كل صباح", html="<p>خبز طازج"
            )
        )
    with served(tmp_path / "archive") as site:
        page = text(site, f"/posts/{POST.id}")
        assert '<h1 dir="auto">أنواع الخبز' in page
        assert '<div class="article" dir="auto"><p>خبز' in page
        assert '<article class="comment" dir="auto">' in page
        assert "<bdi>ليلى</bdi>" in page
        found = text(site, "/search?q=خبز")
        assert re.search(r'<a dir="auto" href="/posts/[^"]*">أنواع الخبز', found)
        assert '<p dir="auto"><mark>خبز</mark>' in found
        assert '<h1 dir="auto">مدونة الخبز' in text(site, f"/blogs/{BLOG.id}")


def test_post_plays_stored_films_and_links_embeds(own_archive: Path) -> None:
    with open_archive(own_archive) as archive, served(own_archive) as site:
        (blog,) = archive.blogs()
        film = archive.put_media(b"film", "video/mp4", f"{blog.url}film.mp4")
        player = Media(url="https://vimeo.com/12345", kind="video", provider="Vimeo", title="Ebb")
        html = f'<video src="{film.url}" controls></video><figure><a href="{player.url}">Ebb</a></figure>'
        archive.put_post(Post(id="film", url=f"{blog.url}film/", blog=blog.id, html=html, media=(film, player)))
        response = site.ask.get("/posts/film")
        assert f'src="/media/{film.file}"' in response.text
        assert "not stored" not in response.text
        assert "media-src 'self'" in response.headers["content-security-policy"]
        sent = site.ask.get(f"/media/{film.file}", headers={"Range": "bytes=1-2"})
        assert (sent.status_code, sent.content, sent.headers["content-type"]) == (206, b"il", "video/mp4")
        assert "content-disposition" not in sent.headers
