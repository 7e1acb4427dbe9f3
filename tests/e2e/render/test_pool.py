"""The browser's life: started late, bounded, renewed, and replaced when it dies."""

from __future__ import annotations

import asyncio
import os
import signal
from typing import TYPE_CHECKING

import pytest

from posterity.config import RenderSettings
from posterity.errors import BrowserMissing, Unreachable
from posterity.render.pool import BrowserPool

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Response, Web

SLOW = (
    "<p>Words.</p><script>setTimeout(() => document.body.insertAdjacentHTML('beforeend', '<p>Late.</p>'), 40)</script>"
)


@pytest.fixture(scope="module")
def web(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> Web:
    return serve({f"/{number}/": response(f"<title>{number}</title>{SLOW}") for number in range(20)})


def test_no_browser_is_started_before_the_first_page(web: Web) -> None:
    async def use() -> int:
        async with BrowserPool(own_urls=[web.base_url]) as pool:
            return pool.launches

    assert asyncio.run(use()) == 0


def test_killed_browser_costs_no_other_page(web: Web) -> None:
    async def use() -> tuple[list[str], int]:
        async with BrowserPool(RenderSettings(pages=2), [web.base_url]) as pool:
            await pool.render(f"{web.base_url}/0/")
            running = [asyncio.ensure_future(pool.render(f"{web.base_url}/{number}/")) for number in range(8)]
            await running[0]
            main = next(number for number, kind in (await pool.process_ids()).items() if kind == "browser")
            os.kill(main, signal.SIGKILL)
            return [one.html for one in await asyncio.gather(*running)], pool.launches

    pages, launches = asyncio.run(use())
    assert [f"<title>{number}</title>" in html for number, html in enumerate(pages)] == [True] * 8
    assert launches == 2


def test_worn_browser_is_replaced(web: Web) -> None:
    async def use() -> int:
        async with BrowserPool(RenderSettings(pages=1, recycle_pages=3), [web.base_url]) as pool:
            for number in range(7):
                await pool.render(f"{web.base_url}/{number}/")
            return pool.launches

    assert asyncio.run(use()) == 3


def test_page_that_does_not_end_costs_its_time_and_no_more(
    serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    site = serve({"/": response("<p>Words.</p><script>while (true) {}</script>"), "/good/": response("<p>Good.</p>")})

    async def use() -> str:
        async with BrowserPool(RenderSettings(pages=1, page_timeout_s=4), [site.base_url]) as pool:
            with pytest.raises(Unreachable):
                await pool.render(f"{site.base_url}/")
            return (await pool.render(f"{site.base_url}/good/")).html

    assert "Good." in asyncio.run(use())


def test_address_where_nothing_answers_is_an_error_that_says_so() -> None:
    async def use() -> None:
        async with BrowserPool(own_urls=["http://127.0.0.1:9/"]) as pool:
            await pool.render("http://127.0.0.1:9/")

    with pytest.raises(Unreachable, match=r"127\.0\.0\.1:9"):
        asyncio.run(use())


def test_browser_that_does_not_start_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POSTERITY_BROWSER", "/bin/false")

    async def use() -> None:
        async with BrowserPool() as pool:
            await pool.render("http://192.0.2.1/")

    with pytest.raises(BrowserMissing, match="/bin/false"):
        asyncio.run(use())
