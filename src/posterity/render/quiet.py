"""When a page has come to rest: nothing is asked for, and nothing changes."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from playwright.async_api import Error

if TYPE_CHECKING:
    from collections.abc import Sequence

    from playwright.async_api import Page

    from posterity.config import RenderSettings
    from posterity.render.traffic import Traffic

# Resolves when the document has not changed for `quiet` ms, or after `most` ms. Where nothing is drawn
# yet, or a place for comments is still empty, something is to come: then it waits longer. Gives the signs seen then.
_UNCHANGED = """([quiet, empty, most]) => new Promise(done => {
    const content = 'p, article, li, h1, h2, h3, img, td, pre', places = '#disqus_thread:empty, #isso-thread:empty, ' +
        '.giscus:empty, .utterances:empty, #waline:empty, #remark42:empty, #commento:empty, #cusdis_thread:empty';
    const wait = () => !document.querySelector(content) || document.querySelector(places) ? empty : quiet;
    let timer = setTimeout(end, wait());
    const last = setTimeout(end, most);
    const watch = new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(end, wait()); });
    function end() { watch.disconnect(); clearTimeout(timer); clearTimeout(last); done(SIGNS); }
    watch.observe(document, {childList: true, subtree: true, characterData: true});
})"""
_STEP_S = 0.02


class Quiet:
    """Waits for one page; `signs` are what to look for on it whenever it is at rest (JavaScript, true or false)."""

    def __init__(self, page: Page, traffic: Traffic, settings: RenderSettings, signs: Sequence[str]) -> None:
        self._page, self._traffic = page, traffic
        self._script = _UNCHANGED.replace("SIGNS", f"[{', '.join(f'!!({sign})' for sign in signs)}]")
        self.seen = [False] * len(signs)
        self._quiet_s, self._empty_s, self._most_s = settings.quiet_s, settings.empty_s, settings.settle_timeout_s

    @property
    def is_waiting(self) -> bool:
        """Tell whether the page waits for an answer."""
        return self._traffic.under_way > 0

    async def reached(self) -> None:
        """Return when the page is at rest, or when it has had its time."""
        end = time.monotonic() + self._most_s
        while (left := end - time.monotonic()) > 0:
            with suppress(Error):  # a page that goes elsewhere by itself is waited for there
                waits = [self._quiet_s * 1000, self._empty_s * 1000, left * 1000]
                self.seen = await self._page.evaluate(self._script, waits)
            if not self._traffic.under_way:
                return
            while self._traffic.under_way and time.monotonic() < end:
                await asyncio.sleep(_STEP_S)
