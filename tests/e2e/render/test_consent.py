"""Banners that lie over a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.e2e.render.conftest import Draw

FIXED = "position:fixed;bottom:0"


def test_banner_is_closed_with_the_button_that_refuses(draw: Draw) -> None:
    page = draw(
        f"<p>Words.</p><div id=cookie-bar style='{FIXED}'>We use cookies. <button onclick=\"said.textContent='all'\">"
        "Accept all</button>"
        "<button onclick=\"said.textContent='none'; this.parentElement.remove()\">Reject all</button></div>"
        "<p id=said></p>"
    )
    assert '<p id="said">none</p>' in page.html
    assert page.actions == "close consent 1 (Reject all)"


@pytest.mark.parametrize(
    ("text", "button"),
    [
        ("Diese Seite verwendet Cookies.", "Einverstanden"),
        ("Ce site utilise des cookies.", "Tout accepter"),
        ("Usamos cookies en este sitio.", "Aceptar"),
        ("このサイトはクッキーを使用しています。", "同意する"),
    ],
)
def test_banner_of_another_language_is_closed_where_it_only_offers_to_agree(draw: Draw, text: str, button: str) -> None:
    page = draw(
        f'<p>Words.</p><div role=dialog>{text}<button onclick="this.parentElement.remove()">{button}</button></div>'
    )
    assert text not in page.html


def test_banner_that_does_not_close_is_hidden(draw: Draw) -> None:
    page = draw(f"<p>Words.</p><div class=consent style='{FIXED}'>We value your privacy.</div>")
    assert 'hidden=""' in page.html


def test_post_about_cookies_stays(draw: Draw) -> None:
    page = draw("<article><h1>Cookies</h1><p>Consent is what bakers call it.</p><button>Accept</button></article>")
    assert page.actions == "nothing to do"
    assert "hidden" not in page.html
