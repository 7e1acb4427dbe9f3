"""Clicks "show more", "older comments" and "view replies" repeatedly, in the page and in comment frames.

Buttons are recognised by their text (20 languages), their ARIA label or their class. A button is not clicked again if
its last click did not make the page grow. Links are clicked without following them.
"""

from __future__ import annotations

import time
from contextlib import suppress

from playwright.async_api import Error, Page

from posterity.config import RenderSettings
from posterity.lexicon import any_of, words_for
from posterity.render.behaviours.frames import is_comment_frame
from posterity.render.rendered import BehaviourResult
from posterity.render.traffic import Quiet, page_script

# Whole phrases, for writing systems without spaces between words.
PHRASES = f"^(?:{any_of(words_for('show_more.phrase'))})$"

ASKING = frozenset(words_for("show_more.ask"))
BESIDE = frozenset(words_for("show_more.beside"))


TRIGGER = """document.querySelector('button, [role=button], summary, input[type=button], [onclick], [class*=more i], ' +
    '[class*=replies i], a:not([href]), a[href^="#"], a[href^="javascript:" i], iframe')"""
_CLICK = page_script("show_more")


async def show_more(page: Page, quiet: Quiet, limits: RenderSettings, deadline: float) -> BehaviourResult | None:
    """Click until the page no longer grows."""
    clicked: list[str] = []
    url, words = page.url, (list(ASKING), list(BESIDE), PHRASES)
    while (left := limits.max_clicks - len(clicked)) > 0 and time.monotonic() < deadline:
        round_: list[str] = []
        inner = [frame for frame in page.frames if frame.parent_frame is not None and await is_comment_frame(frame)]
        for frame in [page.main_frame, *inner]:
            with suppress(Error):
                round_ += await frame.evaluate(_CLICK, [left - len(round_), *words])
        if not round_:
            break
        clicked += round_
        await quiet.wait()
        if page.url != url:  # the button was a link to another page
            with suppress(Error):
                await page.goto(url)
                await quiet.wait()
            break
    return BehaviourResult("show more", len(clicked), ", ".join(dict.fromkeys(clicked))[:200]) if clicked else None
