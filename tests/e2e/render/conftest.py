"""A real browser for the tests of rendering, and the pages that they look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import pytest

from posterity.errors import BrowserMissing
from posterity.render.chromium import browser_executable
from posterity.render.pool import Browser

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.conftest import Response, Web

    from posterity.render.rendered import Rendered


class Draw(Protocol):
    """A page's body in, the page as a browser drew it out."""

    def __call__(self, body: str, **others: str) -> Rendered: ...


@pytest.fixture(scope="session", autouse=True)
def _needs_a_browser() -> None:
    try:
        browser_executable()
    except BrowserMissing as problem:
        pytest.skip(str(problem))


@pytest.fixture(scope="session")
def draw(serve: Callable[[dict[str, Response]], Web], response: type[Response]) -> Iterator[Draw]:
    """Draws a page that is served on loopback; `others` are further files of its site, `data_1` being /data/1."""
    web = serve({})
    count = 0
    with Browser(web.base_url) as browser:

        def rendered(body: str, **others: str) -> Rendered:
            nonlocal count
            count += 1
            page = f"<!doctype html><html lang=en><head><title>Page</title></head><body>{body}</body></html>"
            web.responses[f"/{count}/"] = response(page)
            for name, text in others.items():
                kind = "application/json" if name.startswith("data") else "text/html; charset=utf-8"
                web.responses[f"/{count}/{name.replace('_', '/')}"] = response(text, kind)
            return browser.rendered(f"{web.base_url}/{count}/")

        yield rendered
