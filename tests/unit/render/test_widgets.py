"""Which pages carry a comment widget."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.render.widgets import widget_on


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
    ],
)
def test_page_without_a_thread_has_none(markup: str) -> None:
    assert widget_on(parse(f"<body><p>Words.</p>{markup}</body>")) is None
