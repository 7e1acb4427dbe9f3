"""Comments from the public APIs of comment services, in their documented formats."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

from posterity.config import RenderSettings
from posterity.dom import parse
from posterity.render.services import dialogue, thread_on

if TYPE_CHECKING:
    from collections.abc import Callable

    from posterity.model import Comment

SETTINGS = RenderSettings(disqus_url="http://disqus.test", github_url="http://github.test")
URL = "https://blog.example/2024/tides.html"


def told(page: str, responses: Callable[[str], object], url: str = URL) -> tuple[Comment, ...] | None:
    """The comments from the requests for a page, with these responses by URL."""
    thread = thread_on(parse(page, url), SETTINGS)
    assert thread is not None
    talk = dialogue(thread)
    try:
        ask = next(talk)
        while True:
            response = responses(ask.url)
            ask = talk.send(response.encode() if isinstance(response, str) else json.dumps(response).encode())
    except StopIteration as end:
        found: tuple[Comment, ...] | None = end.value
        return found


def test_page_without_a_service_has_no_thread() -> None:
    assert thread_on(parse("<article><p>Words.</p></article>", URL), SETTINGS) is None


ISSO = '<script data-isso="//talk.example/isso/" src="x"></script><section id="isso-thread"></section>'


def test_isso_thread_comes_with_answers_below_what_they_answer() -> None:
    reply = {"id": 2, "text": "<p>Yes</p>", "author": "Ben", "created": 1714557600.5, "replies": []}
    first = {
        "id": 1,
        "text": "<p>No</p>",
        "author": None,
        "website": "https://a.example/",
        "created": 1.0,
        "replies": [reply],
    }
    address = "https://talk.example/isso/?uri=%2F2024%2Ftides.html"
    found = told(ISSO, lambda url: {address: {"replies": [first], "hidden_replies": 0, "id": None}}[url])
    assert found is not None
    assert [(one.id, one.parent, one.author, one.text) for one in found] == [
        ("comment-1", None, None, "No"),
        ("comment-2", "comment-1", "Ben", "Yes"),
    ]
    assert found[1].published is not None
    assert found[1].published.isoformat().startswith("2024-05-01T10:00:00")


def test_isso_that_hides_answers_has_not_told_everything() -> None:
    first = {"id": 1, "text": "<p>No</p>", "hidden_replies": 3, "replies": []}
    assert told(ISSO, lambda _: {"replies": [first], "hidden_replies": 0}) is None


DISQUS = """<div id="disqus_thread"></div><script>
var disqus_config = function () { this.page.identifier = 'node/7'; this.page.url = "https://blog.example/7"; };
(function() { var s = document.createElement('script'); s.src = 'https://tides.disqus.com/embed.js'; })();</script>"""


def embedded(posts: list[dict[str, object]], *, more: bool = False) -> str:
    data = {"cursor": {"hasNext": more, "total": len(posts)}, "response": {"posts": posts}, "code": 0}
    return f'<html><body><script type="text/json" id="disqus-threadData">{json.dumps(data)}</script></body></html>'


def test_disqus_frame_tells_the_thread() -> None:
    posts: list[dict[str, object]] = [
        {"id": "11", "parent": None, "author": {"name": "Ann", "profileUrl": "https://disqus.com/by/ann/"},
         "createdAt": "2019-05-03T16:10:00", "message": "<p>First</p>", "isDeleted": False},
        {"id": "12", "parent": 11, "author": {"name": "Ben"}, "createdAt": "2019-05-04T08:00:00",
         "message": "<p>Second</p>"},
        {"id": "13", "parent": None, "author": {}, "message": "", "isDeleted": True},
    ]  # fmt: skip

    def response(url: str) -> str:
        assert parse_qs(urlsplit(url).query) == {
            "base": ["default"], "f": ["tides"], "t_i": ["node/7"], "t_u": ["https://blog.example/7"],
        }  # fmt: skip
        return embedded(posts)

    found = told(DISQUS, response)
    assert found is not None
    assert [(one.id, one.parent, one.author, one.text) for one in found] == [
        ("comment-11", None, "Ann", "First"),
        ("comment-12", "comment-11", "Ben", "Second"),
    ]


def test_disqus_forum_is_found_in_an_address_written_in_pieces() -> None:
    page = DISQUS.replace("'https://tides.disqus.com/embed.js'", """'//' + "tides" + '.disqus.com/embed.js'""")
    thread = thread_on(parse(page, URL), SETTINGS)
    assert thread is not None
    assert parse_qs(urlsplit(thread.request.url).query)["f"] == ["tides"]


def test_disqus_thread_that_goes_on_is_left_to_clicking() -> None:
    assert told(DISQUS, lambda _: embedded([{"id": 1, "message": "<p>First</p>"}], more=True)) is None


def test_answer_that_is_something_else_is_left_to_clicking() -> None:
    assert told(DISQUS, lambda _: "<html><body>Sorry.</body></html>") is None
    assert told(ISSO, lambda _: "<html><body>Sorry.</body></html>") is None


UTTERANCES = '<script src="https://utteranc.es/client.js" repo="ann/talk" issue-term="pathname"></script>'


def test_utterances_comments_are_those_of_the_issue_with_the_pages_path_over_several_pages() -> None:
    asked: list[str] = []

    def response(url: str) -> object:
        asked.append(url)
        if "/search/issues" in url:
            issues = [{"title": "2024/other", "number": 3}, {"title": "2024/tides", "number": 4}]
            return {"total_count": 2, "items": issues}
        page = int(parse_qs(urlsplit(url).query)["page"][0])
        user = {"login": "ben", "html_url": "https://github.com/ben"}
        return [
            {"id": number, "user": user, "created_at": "2024-05-03T16:10:00Z", "body_html": f"<p>Words {number}</p>"}
            for number in range((page - 1) * 100, min(page * 100, 130))
        ]

    found = told(UTTERANCES, response)
    assert found is not None
    assert len(found) == 130
    assert (found[5].id, found[5].author, found[5].text) == ("comment-5", "ben", "Words 5")
    assert '"2024/tides"' in parse_qs(urlsplit(asked[0]).query)["q"][0]
    assert asked[1:] == [
        f"http://github.test/repos/ann/talk/issues/4/comments?per_page=100&page={page}" for page in (1, 2)
    ]


def test_page_without_an_issue_has_no_comments() -> None:
    assert told(UTTERANCES, lambda _: {"items": []}) == ()


BLOGGER = """<link rel=alternate href="https://blog.example/feeds/77/comments/default">
<div id=comments><div class="loadmore"><a>Load more...</a></div></div>"""


def test_blogger_comments_come_from_the_posts_comment_feed_with_what_they_answer() -> None:
    def entry(number: int) -> dict[str, object]:
        responded = [{"rel": "related", "href": f"https://blog.example/feeds/77/comments/default/{number - 1}"}]
        return {
            "id": {"$t": f"tag:blogger.com,1999:blog-1.post-{number}"},
            "author": [{"name": {"$t": "Ann"}, "uri": {"$t": "https://blogger.example/ann"}}],
            "published": {"$t": "2012-01-02T03:04:05.000-08:00"},
            "content": {"$t": f"Words {number}"},
            "link": responded if number % 2 else [],
        }

    def response(url: str) -> object:
        start = int(parse_qs(urlsplit(url).query)["start-index"][0])
        entries = [entry(number) for number in range(start, min(start + 500, 701))]
        return {"feed": {"openSearch$totalResults": {"$t": "700"}, "entry": entries}}

    found = told(BLOGGER, response)
    assert found is not None
    assert len(found) == 700
    assert (found[2].id, found[2].parent, found[2].text) == ("comment-3", "comment-2", "Words 3")
    assert found[1].parent is None


def test_blogger_page_that_shows_all_its_comments_is_not_asked_about() -> None:
    page = '<link rel=alternate href="https://blog.example/feeds/77/comments/default"><div id=comments></div>'
    assert thread_on(parse(page, URL), SETTINGS) is None
