"""Pages with a comment widget."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.render.services.dialogue import has_acted, widget_on, widget_source

URL = "https://blog.example/2024/tides.html"


@pytest.mark.parametrize(
    ("markup", "name"),
    [
        ('<div id="disqus_thread"></div>', "disqus"),
        ('<section id="isso-thread"></section>', "isso"),
        ('<script src="https://utteranc.es/client.js" repo="a/b"></script>', "utterances"),
        ('<script src="https://giscus.app/client.js"></script>', "giscus"),
        ('<div id="waline"></div>', "waline"),
        ('<div class="fb-comments"></div>', "facebook"),
        ('<iframe src="https://talk.example/comments/7"></iframe>', "frame"),
        ('<div id="comments"><div class="loadmore"><a>Load more</a></div></div>', "blogger"),
    ],
)
def test_place_of_a_thread_names_its_widget(markup: str, name: str) -> None:
    assert widget_on(parse(f"<body><p>Words.</p>{markup}</body>")) == name


@pytest.mark.parametrize(
    "markup",
    [
        '<script src="https://tides.disqus.com/count.js"></script>',
        '<iframe src="https://video.example/embed/7"></iframe>',
        '<div id="comments"><div class="comment">Static.</div></div>',
        '<div id="comments"><p>All.</p><div class="loadmore hidden"><a>Load more</a></div></div>',
        '<iframe id="comment-editor" src="https://www.blogger.com/comment/frame/7"></iframe>',
        '<iframe id="jetpack_remote_comment" title="Comment Form" src="https://jetpack.example/comment/"></iframe>',
    ],
)
def test_page_without_a_thread_has_none(markup: str) -> None:
    assert widget_on(parse(f"<body><p>Words.</p>{markup}</body>")) is None


def test_widget_that_is_a_script_tells_where_it_comes_from() -> None:
    page = parse('<body><script src="/js/own.js"></script><script src="//giscus.app/client.js"></script></body>', URL)
    assert widget_source(page, "giscus") == "https://giscus.app/client.js"
    assert widget_source(parse('<div id="waline"></div>'), "waline") is None


@pytest.mark.parametrize(
    ("rendered", "acted"),
    [
        ('<div id="waline"></div>', False),
        ('<div id="waline">No connection</div>', False),
        ('<div id="waline"><form></form></div>', True),
        ('<div id="waline"></div><iframe src="https://waline.example/"></iframe>', True),
    ],
)
def test_widget_has_acted_when_something_stands_in_its_place(rendered: str, *, acted: bool) -> None:
    assert has_acted("waline", parse('<div id="waline"></div>'), parse(rendered)) is acted
