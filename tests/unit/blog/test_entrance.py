"""From a blog's URL to its home page and its feeds, which are assessed by their entries."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from posterity.blog.entrance import Entrance, doubtful_entries, find_entrance, list_pages
from posterity.blog.page_source import run_at_once
from posterity.errors import BrokenFeed, EmptyFeed, NoBlog, Unreachable
from posterity.model import Feed, FeedEntry
from posterity.urls import Scope

if TYPE_CHECKING:
    from tests.unit.blog.conftest import MakePage, StorePages

    from posterity.blog.page_source import StoredPages

# feedparser warns about a future change for every feed without update dates.
pytestmark = pytest.mark.filterwarnings("ignore:To avoid breaking existing software:DeprecationWarning")

HOST = "https://salt.example"
HOME = f"{HOST}/"
RSS = "application/rss+xml"


def feed(*links: str, title: str = "Salt", texts: bool = False) -> str:
    text = "<description>&lt;p&gt;All of the post.&lt;/p&gt;</description>"
    body = f"<content:encoded>{'All of it. ' * 20}</content:encoded>"
    items = "".join(f"<item><title>{link}</title><link>{link}</link>{body if texts else text}</item>" for link in links)
    space = "http://purl.org/rss/1.0/modules/content/"
    channel = f"<channel><title>{title}</title><link>{HOME}</link>{items}</channel>"
    return f"<rss version='2.0' xmlns:content='{space}'>{channel}</rss>"


def declaring(*paths: str) -> str:
    return "".join(f"<link rel=alternate type={RSS} href={path}>" for path in paths) + "<h1>Salt</h1>"


def posts(*names: str, folder: str = "") -> list[str]:
    return [f"{HOST}/{folder}{name}/" for name in names]


def entrance(pages: StoredPages, url: str = HOME, feed_url: str | None = None) -> Entrance:
    return run_at_once(find_entrance(pages, url, feed_url=feed_url))


def test_declared_feed_is_the_feed(page: MakePage, stored: StorePages) -> None:
    pages = stored([page(HOME, declaring("/rss")), page(f"{HOST}/rss", feed(*posts("a", "b")), kind=RSS)])
    found = entrance(pages)
    assert found.feed is not None
    assert (found.home_url, found.feed.url, found.problem) == (HOME, f"{HOST}/rss", None)
    assert found.home is not None


@pytest.mark.parametrize(
    "comments",
    [
        feed(f"{HOST}/a/#comment-1", f"{HOST}/b/#comment-2", f"{HOST}/a/#comment-3"),
        feed(*posts("a", "b", "c"), title="Comments on: Salt"),
        feed(*posts("a", "b", "c"), title="Kommentare für Salt"),
    ],
)
def test_feed_of_comments_is_not_the_feed_although_it_is_declared_first(
    page: MakePage, stored: StorePages, comments: str
) -> None:
    pages = stored(
        [
            page(HOME, declaring("/talk", "/rss")),
            page(f"{HOST}/talk", comments, kind=RSS),
            page(f"{HOST}/rss", feed(*posts("a", "b")), kind=RSS),
        ]
    )
    assert [one.url for one in entrance(pages).feeds] == [f"{HOST}/rss"]


def test_feed_about_the_asked_folder_comes_first_and_the_other_adds_its_entries_of_that_folder(
    page: MakePage, stored: StorePages
) -> None:
    own, others = posts("a", "b", folder="ada/"), posts("x", "y", "z", folder="bob/")
    older = posts("c", folder="ada/")
    pages = stored(
        [
            page(f"{HOST}/ada/", declaring("/all.rss", "/ada.rss")),
            page(f"{HOST}/all.rss", feed(*others, own[0], *older), kind=RSS),
            page(f"{HOST}/ada.rss", feed(*own), kind=RSS),
        ]
    )
    found = entrance(pages, f"{HOST}/ada/")
    assert [one.url for one in found.feeds] == [f"{HOST}/ada.rss", f"{HOST}/all.rss"]
    assert [entry.link for entry in found.entries()] == [*own, *older]


def test_entries_of_other_folders_stay_where_the_whole_host_is_asked_for(page: MakePage, stored: StorePages) -> None:
    links = [*posts("a", "b", folder="ada/"), *posts("x", "y", folder="bob/")]
    pages = stored([page(HOME, declaring("/rss")), page(f"{HOST}/rss", feed(*links), kind=RSS)])
    assert [entry.link for entry in entrance(pages).entries()] == links


def test_undated_entries_and_lists_are_doubtful_where_most_entries_are_others() -> None:
    day = datetime(2021, 3, 12, tzinfo=UTC)

    def doubtful(undated: list[str], dated: list[str]) -> set[str]:
        entries = (
            *(FeedEntry(link=link) for link in undated),
            *(FeedEntry(link=link, published=day) for link in dated),
        )
        return doubtful_entries([Feed(url=f"{HOST}/rss", format="rss20", entries=entries)])

    assert doubtful(posts("about"), posts("a", "b")) == {"salt.example/about"}
    assert doubtful([], [*posts("a", "b"), f"{HOST}/tags/sea/"]) == {"salt.example/tags/sea"}
    assert doubtful(posts("a", "b"), posts("c")) == set()
    assert doubtful(posts("a", "b"), []) == set()
    assert doubtful(posts("about", "a", "b"), []) == {"salt.example/about"}
    assert doubtful([], posts("about", "a")) == set()
    assert doubtful(posts("uses", "now"), posts("c", folder="posts/")) == {"salt.example/uses", "salt.example/now"}


def test_entry_with_a_text_is_a_post_although_its_url_is_like_that_of_a_list() -> None:
    day = datetime(2021, 3, 12, tzinfo=UTC)
    others = [FeedEntry(link=link, published=day) for link in posts("a", "b")]
    year = FeedEntry(link=f"{HOST}/2021", published=day, content=f"<p>{'The tide of this year. ' * 6}</p>")
    assert doubtful_entries([Feed(url=f"{HOST}/rss", format="rss20", entries=(year, *others))]) == set()


def test_home_page_among_other_entries_is_doubtful() -> None:
    day = datetime(2021, 3, 12, tzinfo=UTC)

    def doubtful(*links: str) -> set[str]:
        entries = tuple(FeedEntry(link=link, published=day) for link in links)
        return doubtful_entries([Feed(url=f"{HOST}/rss", format="rss20", home=HOST, entries=entries)])

    assert doubtful(*posts("a", "b"), HOME) == {"salt.example"}
    assert doubtful(f"{HOME}#a", f"{HOME}#b") == set()


def test_further_feed_of_tags_lists_no_posts() -> None:
    day = datetime(2021, 3, 12, tzinfo=UTC)
    own, tags = (tuple(FeedEntry(link=link, published=day) for link in posts(*names)) for names in ("ab", ("tags/x",)))
    main, further = (Feed(url=f"{HOST}/{some}", format="rss20", entries=some) for some in (own, tags))
    assert doubtful_entries([main, further]) == {"salt.example/tags/x"}
    assert doubtful_entries([further]) == set()


@pytest.mark.parametrize(
    "instead", ["", "<noframes><body><p>This page uses frames.</p></body></noframes>", "<NOFRAMES>No frames</NOFRAMES>"]
)
def test_home_page_of_frames_is_the_frame_with_most_links(page: MakePage, stored: StorePages, instead: str) -> None:
    frames = f"<frameset cols='20%,*'><frame src=logo.html><frame src=main.html>{instead}</frameset>"
    pages = stored(
        [
            page(HOME, frames),
            page(f"{HOST}/logo.html", "<p>Salt</p>"),
            page(f"{HOST}/main.html", "<a href=/a/>a</a><a href=/b/>b</a>"),
        ]
    )
    found = entrance(pages)
    assert found.home is not None
    assert (found.home.url, found.home_url) == (f"{HOST}/main.html", f"{HOST}/main.html")


def test_frame_with_links_to_other_hosts_is_no_home_page(page: MakePage, stored: StorePages) -> None:
    counter = "<a href=https://stats.example/>Visitors</a><a href=https://ink.example/>Ink</a>"
    pages = stored([page(HOME, "<p>Salt</p><iframe src=counter.html></iframe>"), page(f"{HOST}/counter.html", counter)])
    assert entrance(pages).home_url == HOME


def test_of_two_feeds_of_the_same_posts_the_one_with_texts_is_kept(page: MakePage, stored: StorePages) -> None:
    pages = stored(
        [
            page(HOME, declaring("/short", "/whole")),
            page(f"{HOST}/short", feed(*posts("a", "b")), kind=RSS),
            page(f"{HOST}/whole", feed(*posts("a", "b"), texts=True), kind=RSS),
        ]
    )
    assert [one.url for one in entrance(pages).feeds] == [f"{HOST}/whole"]


def test_feed_with_entries_that_lead_home_is_none_and_the_usual_places_are_tried(
    page: MakePage, stored: StorePages
) -> None:
    pages = stored(
        [
            page(HOME, declaring("/news")),
            page(f"{HOST}/news", feed(HOME, HOME), kind=RSS),
            page(f"{HOST}/feed/", feed(*posts("a", "b")), kind=RSS),
        ]
    )
    assert [one.url for one in entrance(pages).feeds] == [f"{HOST}/feed/"]


def test_feed_that_the_user_names_is_read_besides(page: MakePage, stored: StorePages) -> None:
    pages = stored([page(HOME, "<h1>Salt"), page(f"{HOST}/odd", feed(*posts("a", "b")), kind="text/html")])
    assert entrance(pages).feeds == ()
    found = entrance(pages, feed_url=f"{HOST}/odd").feed
    assert found is not None
    assert found.url == f"{HOST}/odd"


def test_feed_that_is_asked_for_leads_to_its_home_page(page: MakePage, stored: StorePages) -> None:
    pages = stored([page(HOME, "<h1>Salt"), page(f"{HOST}/rss", feed(*posts("a", "b")), kind=RSS)])
    found = entrance(pages, f"{HOST}/rss")
    assert found.home is not None
    assert (found.home.url, found.home_url, len(found.feeds)) == (HOME, HOME, 1)


def test_feed_without_a_home_page_is_an_entrance(page: MakePage, stored: StorePages) -> None:
    pages = stored([page(f"{HOST}/rss", feed(*posts("a", "b")), kind=RSS)])
    found = entrance(pages)
    assert (found.home, found.home_url, len(found.feeds)) == (None, HOME, 1)


def test_page_called_blog_may_declare_the_feed(page: MakePage, stored: StorePages) -> None:
    pages = stored(
        [
            page(HOME, "<h1>Ada</h1><a href=/about>About</a> <a href=/blog/>Blog</a>"),
            page(f"{HOST}/blog/", declaring("/blog/entries")),
            page(f"{HOST}/blog/entries", feed(*posts("a", "b", folder="blog/")), kind="text/plain"),
        ]
    )
    found = entrance(pages).feed
    assert found is not None
    assert found.url == f"{HOST}/blog/entries"


def test_lists_of_posts_are_known_by_their_names() -> None:
    links = [f"{HOST}{path}" for path in ("/about", "/archive.html", "/blog/", "/2019/", "/blog/tides", "/posts")]
    links.append("https://elsewhere.example/blog/")
    assert list_pages(links, Scope.of(HOME), HOME) == [
        f"{HOST}{path}" for path in ("/blog/", "/2019/", "/posts", "/archive.html")
    ]


@pytest.mark.parametrize(("body", "problem"), [("<h1>Lost", BrokenFeed), (feed(), EmptyFeed)])
def test_what_is_wrong_with_the_declared_feed_is_the_problem(
    page: MakePage, stored: StorePages, body: str, problem: type[Exception]
) -> None:
    found = entrance(stored([page(HOME, declaring("/rss")), page(f"{HOST}/rss", body, kind="text/html")]))
    assert found.feeds == ()
    assert isinstance(found.problem, problem)


def test_picture_is_no_blog_and_nothing_is_unreachable(page: MakePage, stored: StorePages) -> None:
    with pytest.raises(NoBlog, match="not a web page"):
        entrance(stored([page(HOME, "x", kind="image/png")]))
    with pytest.raises(Unreachable):
        entrance(stored([]))


def test_earlier_states_of_a_feed_add_their_entries(page: MakePage, stored: StorePages) -> None:
    pages = stored(
        [
            page(HOME, declaring("/rss")),
            page(f"{HOST}/rss", feed(*posts("a", "b")), kind=RSS),
            page(f"{HOST}/rss", feed(*posts("b", "c")), kind=RSS, days=5),
        ]
    )
    assert [entry.link for entry in entrance(pages).entries()] == posts("b", "c", "a")


def test_feed_of_a_copy_leads_to_the_page_beside_it_that_declares_it(page: MakePage, stored: StorePages) -> None:
    copy = "https://copy.example"
    given = page(f"{copy}/blog/rss", feed(*posts("a", "b")), kind=RSS)
    assert entrance(stored([given, page(f"{copy}/", declaring("/blog/rss"))]), given.url).home_url == f"{copy}/"
    assert entrance(stored([given, page(f"{copy}/blog/", declaring("rss"))]), given.url).home_url == f"{copy}/blog/"


def test_page_that_does_not_declare_the_given_feed_is_not_its_home(page: MakePage, stored: StorePages) -> None:
    given = page("https://feeds.example/salt/", feed(*posts("a", "b")), kind=RSS)
    service = page("https://feeds.example/", declaring("/news"))
    assert entrance(stored([given, service]), given.url).home_url == HOME


def test_feed_in_any_usual_place_is_found_although_the_home_page_is_gone(page: MakePage, stored: StorePages) -> None:
    for place in ("index.rdf", "feeds/posts/default"):
        pages = stored([page(HOME, status=404), page(f"{HOST}/{place}", feed(*posts("a", "b")), kind=RSS)])
        found = entrance(pages).feed
        assert found is not None
        assert found.url == f"{HOST}/{place}"
