"""What a page may not do to us."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.errors import Unreachable
from posterity.render.pool import Browser

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Response, Web
    from tests.e2e.render.conftest import Draw


def test_dialogs_are_dismissed(draw: Draw) -> None:
    page = draw(
        "<p id=said></p><script>alert('Hello'); said.textContent = confirm('Sure?') + ' ' + prompt('Who?')</script>"
    )
    assert '<p id="said">false null</p>' in page.html


def test_download_is_refused_and_the_page_stays(draw: Draw) -> None:
    page = draw(
        "<p>Words.</p><a id=a href='data:application/zip,xx' download=x.zip>x</a><script>a.click()</script>",
    )
    assert "Words." in page.html


def test_window_that_a_page_opens_does_no_harm(draw: Draw) -> None:
    page = draw("<p>Words.</p><script>window.open('elsewhere')</script>", elsewhere="<p>Buy!</p>")
    assert "Words." in page.html


def test_service_worker_is_not_installed(draw: Draw) -> None:
    page = draw(
        "<p id=said>Words.</p><script>navigator.serviceWorker.register('data/worker.js')"
        ".then(found => said.textContent = found ? 'in' : 'out', () => said.textContent = 'out')</script>",
        data_worker_js="",
    )
    assert '<p id="said">out</p>' in page.html


def test_pictures_are_not_fetched(draw: Draw) -> None:
    page = draw("<p>Words.</p><img src=picture.png>", picture_png="")
    assert not [one.url for one in page.received if "picture" in one.url]


def test_page_cannot_reach_private_addresses_of_others(draw: Draw) -> None:
    page = draw(
        "<p id=said>Words.</p><script>for (const url of ['http://10.255.255.1/', 'http://169.254.169.254/latest/'])"
        "fetch(url, {mode: 'no-cors'})</script>"
    )
    assert set(page.failed) == {"http://10.255.255.1/", "http://169.254.169.254/latest/"}


def test_blog_on_the_web_cannot_lead_to_this_machine(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    inside = serve({"/": response("<p>Secret.</p>")})
    with Browser("http://192.0.2.1/") as browser, pytest.raises(Unreachable, match="private IP address"):
        browser.rendered(f"{inside.base_url}/")
    assert inside.paths == []


def test_redirect_leads_to_no_private_address_either(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    blog = serve({"/": response(status=302, location="http://10.255.255.1/")})
    with Browser(blog.base_url) as browser, pytest.raises(Unreachable):
        browser.rendered(f"{blog.base_url}/")
