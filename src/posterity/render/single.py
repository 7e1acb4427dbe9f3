"""Single pages in a browser, for whoever has no event loop: the pool behind plain calls."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from posterity.render.pool import BrowserPool

if TYPE_CHECKING:
    from typing import Self

    from posterity.config import RenderSettings
    from posterity.render.rendered import Rendered


class Browser:
    """Renders one page after the other; closing it ends the browser.

    `url` is one of the pages: where it lies, the others may lie too, even if that is a private address.
    """

    def __init__(self, url: str, user_agent: str = "", settings: RenderSettings | None = None) -> None:
        self._runner = asyncio.Runner()
        self._pool = BrowserPool(settings, (url,), user_agent)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def rendered(self, url: str) -> Rendered:
        """Return the page after its scripts have run; raise `BrowserMissing` or `Unreachable`."""
        return self._runner.run(self._pool.render(url))

    def close(self) -> None:
        """End the browser."""
        self._runner.run(self._pool.close())
        self._runner.close()
