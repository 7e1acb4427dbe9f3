"""The comments of a post are read in the same way from any page source."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from posterity.blog.comments import CommentReader
from posterity.blog.page_source import run_at_once
from posterity.discover.comments import comments_url
from posterity.dom import parse
from posterity.model import Comment, FeedEntry, RuleSet

if TYPE_CHECKING:
    from tests.unit.blog.conftest import MakePage, StorePages

    from posterity.blog.page_source import StoredPages
    from posterity.model import Page

HOST = "https://x.example"
URL = f"{HOST}/a/"
HTML = f'<link rel="https://api.w.org/" href="{HOST}/wp-json/"><body class="single postid-7"><p>A post.'
FEED = f"{URL}feed/"
WORDS = ("tides", "bread", "salt", "rope", "lamps", "radios")


def words_of(name: str) -> str:
    return f"What you write about {name} is true, and I have seen it myself at the harbour last winter."


def thread_page(count: int) -> str:
    comments = "".join(
        f"<div class=reply><b class=who>Reader {name}</b><div class=words><p>{words_of(name)}</p></div></div>"
        for name in WORDS[:count]
    )
    return f"<article><h1>A post</h1><p>{'All about the sea. ' * 30}</p></article><section>{comments}</section>"


def comment_feed(count: int) -> str:
    items = "".join(
        f"<item><title>By: Reader {name}</title><link>{URL}#comment-{number}</link>"
        f"<dc:creator>Reader {name}</dc:creator><description>{words_of(name)}</description></item>"
        for number, name in enumerate(WORDS[:count], 1)
    )
    return f"<rss version='2.0' xmlns:dc='http://purl.org/dc/elements/1.1/'><channel>{items}</channel></rss>"


def read(
    pages: StoredPages, post: Page, entry: FeedEntry | None = None, shown: tuple[Comment, ...] = ()
) -> tuple[Comment, ...]:
    document = parse(post.body, post.url)
    return run_at_once(CommentReader(pages).all_comments(post, document, entry, shown, RuleSet()))


def entry_of(count: int) -> FeedEntry:
    return FeedEntry(link=URL, comment_feed=FEED, comment_count=count)


def test_deep_threads_are_read_from_the_stored_rest_data(page: MakePage, stored: StorePages) -> None:
    post = page(URL, HTML)
    shown = tuple(
        Comment(id=f"comment-{number}", parent=f"comment-{min(number, 5) - 1}" if number > 1 else None)
        for number in range(1, 7)
    )
    told = msgspec.json.encode([{"id": number, "parent": number - 1} for number in range(1, 7)]).decode()
    url = comments_url(parse(HTML, URL)) or ""
    with_data = stored([page(url, told, kind="application/json")])
    assert [one.parent for one in read(with_data, post, shown=shown)][-1] == "comment-5"
    assert [one.parent for one in read(stored([]), post, shown=shown)][-1] == "comment-4"


def test_comments_are_those_of_the_feed_where_the_page_shows_fewer(page: MakePage, stored: StorePages) -> None:
    post = page(URL, thread_page(0))
    found = read(stored([post, page(FEED, comment_feed(3), kind="application/rss+xml")]), post, entry_of(3))
    assert [(one.author, one.text) for one in found] == [(f"Reader {name}", words_of(name)) for name in WORDS[:3]]


def test_comments_of_the_page_stay_where_they_are_as_many_as_announced(page: MakePage, stored: StorePages) -> None:
    shown = (Comment(id="c1", text="One"), Comment(id="c2", text="Two"))
    post = page(URL, thread_page(2))
    pages = stored([post, page(FEED, comment_feed(3), kind="application/rss+xml")])
    assert read(pages, post, entry_of(2), shown) == shown
    assert read(stored([post]), post, entry_of(3), shown) == shown


def test_rules_are_learned_from_a_feed_that_is_shorter_than_announced(page: MakePage, stored: StorePages) -> None:
    post = page(URL, thread_page(6))
    found = read(stored([post, page(FEED, comment_feed(3), kind="application/rss+xml")]), post, entry_of(6))
    assert [one.text for one in found] == [words_of(name) for name in WORDS]


def declaring(path: str) -> str:
    return f'<link rel="alternate" type="application/rss+xml" href="{path}"><article><p>A post.</p></article>'


def test_short_feed_is_taken_where_the_page_shows_nothing_of_it(page: MakePage, stored: StorePages) -> None:
    post = page(URL, "<article><h1>A post</h1><p>All about the sea.</p></article>")
    found = read(stored([page(FEED, comment_feed(4), kind="application/rss+xml")]), post, entry_of(6))
    assert [comment.author for comment in found] == [f"Reader {name}" for name in WORDS[:4]]


def test_comment_feed_that_the_page_declares_is_read_without_a_count(page: MakePage, stored: StorePages) -> None:
    post = page(URL, declaring(FEED))
    pages = stored([post, page(FEED, comment_feed(3), kind="application/rss+xml")])
    assert [comment.author for comment in read(pages, post)] == ["Reader tides", "Reader bread", "Reader salt"]


def test_feed_of_the_whole_blog_is_no_comment_feed_of_a_post(page: MakePage, stored: StorePages) -> None:
    post = page(URL, declaring(f"{HOST}/comments/feed/"))
    pages = stored([post, page(f"{HOST}/comments/feed/", comment_feed(3), kind="application/rss+xml")])
    assert read(pages, post) == ()


def test_declared_comment_feeds_are_given_up_where_they_have_no_more_than_the_pages(
    page: MakePage, stored: StorePages
) -> None:
    posts = [page(f"{HOST}/{number}/", declaring(f"{HOST}/{number}/feed/")) for number in range(9)]
    feeds = [page(f"{HOST}/{number}/feed/", comment_feed(0), kind="application/rss+xml") for number in range(8)]
    last = page(f"{HOST}/8/feed/", comment_feed(2), kind="application/rss+xml")
    reader = CommentReader(stored([*posts, *feeds, last]))
    for post in posts:
        found = run_at_once(reader.all_comments(post, parse(post.body, post.url), None, (), RuleSet()))
        assert found == ()


def test_feeds_of_other_posts_show_where_that_of_a_post_is_that_names_none(page: MakePage, stored: StorePages) -> None:
    posts = [page(f"{HOST}/{number}/", declaring(f"{HOST}/{number}/feed/")) for number in range(2)]
    silent = page(f"{HOST}/2/", "<article><p>A post.</p></article>")
    feeds = [page(f"{HOST}/{number}/feed/", comment_feed(2), kind="application/rss+xml") for number in range(3)]
    reader = CommentReader(stored([*posts, silent, *feeds]))
    for post in (*posts, silent):
        found = run_at_once(reader.all_comments(post, parse(post.body, post.url), None, (), RuleSet()))
        assert len(found) == 2


def test_page_that_announces_more_comments_than_it_shows_has_its_feed_read(page: MakePage, stored: StorePages) -> None:
    posts = [page(f"{HOST}/{number}/", declaring(f"{HOST}/{number}/feed/")) for number in range(8)]
    feeds = [page(f"{HOST}/{number}/feed/", comment_feed(0), kind="application/rss+xml") for number in range(8)]
    busy = page(f"{HOST}/8/", declaring(f"{HOST}/8/feed/") + "<h3>2 comments</h3>")
    last = page(f"{HOST}/8/feed/", comment_feed(2), kind="application/rss+xml")
    reader = CommentReader(stored([*posts, *feeds, busy, last]))
    found = [
        run_at_once(reader.all_comments(post, parse(post.body, post.url), None, (), RuleSet()))
        for post in (*posts, busy)
    ]
    assert [len(comments) for comments in found] == [0] * 8 + [2]


def test_comment_feeds_that_cannot_be_read_are_missing(page: MakePage, stored: StorePages) -> None:
    post = page(URL, declaring(FEED))
    reader = CommentReader(stored([post]))
    assert run_at_once(reader.all_comments(post, parse(post.body, post.url), None, (), RuleSet())) == ()
    assert reader.missing == [FEED]


def test_comments_of_the_feed_keep_the_parents_that_the_page_shows(page: MakePage, stored: StorePages) -> None:
    post = page(URL, declaring(FEED))
    shown = (Comment(id="comment-1", text="One"), Comment(id="comment-2", text="Two", parent="comment-1"))
    pages = stored([post, page(FEED, comment_feed(3), kind="application/rss+xml")])
    assert [comment.parent for comment in read(pages, post, shown=shown)] == [None, "comment-1", None]


def test_rule_from_a_comment_feed_that_overflows_serves_other_posts(page: MakePage, stored: StorePages) -> None:
    post, other = page(URL, thread_page(6)), page(f"{HOST}/b/", thread_page(5))
    reader = CommentReader(stored([post, other, page(FEED, comment_feed(3), kind="application/rss+xml")]))
    found = run_at_once(reader.all_comments(post, parse(post.body, post.url), entry_of(6), (), RuleSet()))
    assert [one.author for one in found] == [f"Reader {name}" for name in WORDS]
    entry = FeedEntry(link=other.url)
    more = run_at_once(reader.all_comments(other, parse(other.body, other.url), entry, (), RuleSet()))
    assert [one.text for one in more] == [words_of(name) for name in WORDS[:5]]
