"""Scrolls to the end, and again if the page has grown: infinite scroll, lazy comments, lazy images.

Only on pages where a script or a frame may observe what is in view; on all others, scrolling changes nothing.
"""

from __future__ import annotations

import time
from contextlib import suppress

from playwright.async_api import Error, Page

from posterity.config import RenderSettings
from posterity.render.rendered import BehaviourResult
from posterity.render.traffic import Quiet, page_script

WATCH = page_script("watch")
TRIGGER = """(window.__posterityWatched || window.onscroll || document.onscroll || document.querySelector('iframe'))
    && (document.scrollingElement || document.documentElement).scrollHeight > window.innerHeight"""
_TO_THE_END = page_script("scroll")

_HEIGHT = "(document.scrollingElement || document.documentElement).scrollHeight"


async def scroll_to_end(page: Page, quiet: Quiet, limits: RenderSettings, deadline: float) -> BehaviourResult | None:
    """Scroll until the page no longer grows."""
    times = grown = 0
    with suppress(Error):  # the page navigated or was closed
        reached = await page.evaluate(_HEIGHT)
        while times < limits.max_scrolls and time.monotonic() < deadline:
            requests = quiet.requests
            height = await page.evaluate(_TO_THE_END)
            times += 1
            # Scrolling has caused no request, and the page has not grown.
            if quiet.requests == requests and height <= reached:
                break
            await quiet.wait()
            height = await page.evaluate(_HEIGHT)
            grown += height > reached
            reached = height
    return BehaviourResult("scroll", times) if grown else None
