"""Scrolls to the end, and again if the page has grown: infinite scroll, lazy comments, lazy images.

Only on pages where a script or a frame may observe what is in view; on all others, scrolling changes nothing.
"""

from __future__ import annotations

import time
from contextlib import suppress

from playwright.async_api import Error, Page

from posterity.config import RenderSettings
from posterity.render.rendered import BehaviourResult
from posterity.render.traffic import Quiet

# Runs before the page's own scripts, and records whether one of them observes scrolling or visibility.
WATCH = """(() => {
    const Observer = window.IntersectionObserver, listen = EventTarget.prototype.addEventListener;
    window.IntersectionObserver = class extends Observer {
        constructor(...given) { super(...given); window.__posterityWatched = true; }
    };
    EventTarget.prototype.addEventListener = function (type, ...given) {
        if (type === 'scroll' || type === 'wheel') window.__posterityWatched = true;
        return listen.call(this, type, ...given);
    };
})()"""
TRIGGER = """(window.__posterityWatched || window.onscroll || document.onscroll || document.querySelector('iframe'))
    && (document.scrollingElement || document.documentElement).scrollHeight > window.innerHeight"""
# Waits for an animation frame at every step, so that observers are called; returns the height of the page.
_TO_THE_END = """async () => {
    const root = document.scrollingElement || document.documentElement;
    const nextFrame = () => new Promise(done => { requestAnimationFrame(done); setTimeout(done, 100); });
    for (let top = window.scrollY; top < root.scrollHeight - window.innerHeight; top += window.innerHeight) {
        window.scrollTo(0, top); await nextFrame();
    }
    window.scrollTo(0, root.scrollHeight); await nextFrame(); await nextFrame();
    return root.scrollHeight;
}"""

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
