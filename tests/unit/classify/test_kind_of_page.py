"""Post, index or other, for pages without further context."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import posterity
from posterity.classify.page_kind import is_surely_index
from posterity.dom import parse

if TYPE_CHECKING:
    from posterity.classify import PageKind

TEXT = "The water comes and goes, and whoever lives at the shore knows when, without looking it up in a table. "
TEASER = "<article class=post><h2><a href=/{0}/>Title {0}</a></h2><time>12 March 2024</time><p>{1}</p></article>"
LISTED = "".join(TEASER.format(name, TEXT) for name in ("tides", "bread", "walks", "rain"))
POST = f"<article><h1>On tides</h1><p>12 March 2024</p>{f'<p>{TEXT}</p>' * 6}</article>"
RELATED = "".join(f"<li><h4><a href=/{name}/>{name}</a></h4>" for name in ("bread", "walks", "rain"))
PAGES: dict[str, tuple[str, str, PageKind]] = {
    "front page": ("https://blog.example/", LISTED, "index"),
    "list of a month": ("https://blog.example/2024/03/", LISTED, "index"),
    "post": ("https://blog.example/2024/03/on-tides/", POST, "post"),
    "post without an address": ("", POST, "post"),
    "post with related posts": ("https://blog.example/on-tides/", f"{POST}<ul>{RELATED}</ul>", "post"),
    "product": (
        "https://shop.example/boots",
        '<script type="application/ld+json">{"@type": "Product"}</script><h1>Boots</h1><p>Warm.</p><p>44 euro</p>',
        "other",
    ),
    "imprint": ("https://blog.example/impressum/", f"<h1>Imprint</h1><p>{TEXT}</p>", "other"),
    "about in German": ("https://blog.example/ueber/", f"<h1>Ich</h1>{f'<p>{TEXT}</p>' * 6}", "other"),
    "post dated by its address alone": (
        "https://blog.example/20240312.html",
        f"<h1>On tides</h1><div>{TEXT}</div>",
        "post",
    ),
    "nothing": ("https://blog.example/lost/", "<p>Not found</p>", "other"),
}


@pytest.mark.parametrize("page", PAGES)
def test_kind(page: str) -> None:
    url, html, kind = PAGES[page]
    found, confidence = posterity.page_kind(f"<body>{html}</body>", url)
    assert found == kind
    assert 1 / 3 < confidence <= 1


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("declared", ["", *(f"<meta property=og:type content={kind}>" for kind in ("article", "blog"))])
@pytest.mark.parametrize("least", [0.5, 0.9, 0.99])
def test_page_is_surely_an_index_if_its_kind_is_that_sure(page: str, declared: str, least: float) -> None:
    url, body, _ = PAGES[page]
    html = f"{declared}<body>{body}</body>"
    kind, confidence = posterity.page_kind(html, url)
    assert is_surely_index(parse(html, url), least) == (kind == "index" and confidence >= least)


def test_what_the_page_declares_makes_surer() -> None:
    declared = '<meta property=og:type content=article><meta property=article:published_time content="2024-03-12">'
    assert posterity.page_kind(declared + POST)[1] > posterity.page_kind(POST)[1]


def test_page_beside_the_posts_of_wordpress_is_none_of_them() -> None:
    html = f"<body class='page-template-default page page-id-2'>{POST}</body>"
    assert posterity.page_kind(html, "https://blog.example/about/")[0] == "other"
