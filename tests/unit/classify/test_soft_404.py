"""Error pages with status 200."""

from __future__ import annotations

import pytest

from posterity.classify.page_kind import is_soft_404, kind_of_page
from posterity.dom import parse

URL = "https://blog.example/2012/01/vanished/"


@pytest.mark.parametrize(
    "heading",
    ["Page not found", "404", "Error 404", "Seite nicht gefunden", "Page introuvable", "Страница не найдена",
     "Sayfa bulunamadı", "ページが見つかりません", "页面不存在", "페이지를 찾을 수 없습니다", "الصفحة غير موجودة"],
)  # fmt: skip
def test_page_that_says_that_there_is_none_is_no_post(heading: str) -> None:
    page = parse(f"<title>{heading} – Tides</title><h1>{heading}</h1><p>{'Sorry about that. ' * 6}</p>", URL)
    assert is_soft_404(page)
    assert kind_of_page(page)[0] == "other"


def test_short_post_with_the_number_in_its_title_is_no_error_page() -> None:
    assert not is_soft_404(parse("<title>Post 404</title><h1>Post 404</h1><p>A few words on tides.</p>", URL))


def test_long_post_about_missing_pages_is_a_post() -> None:
    text = "<p>Every web server has an error page, and most of them were written in a hurry one evening.</p>" * 12
    page = parse(f"<title>404</title><h1>Why a page is not found</h1><time>2012-01-02</time>{text}", URL)
    assert not is_soft_404(page)
    assert kind_of_page(page)[0] == "post"


def test_error_page_that_explains_itself_at_length_is_one() -> None:
    why = "The page that you asked for was moved, renamed or removed by its owner, or its name was mistyped. " * 8
    assert is_soft_404(parse(f"<title>Error 404 - Tides</title><h1>Error 404</h1><p>{why}</p>", URL))
    assert not is_soft_404(parse(f"<title>Why 404 is not found</title><h1>Not found</h1><p>{why}</p>", URL))
