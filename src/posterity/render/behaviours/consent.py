"""Closes consent banners, with "reject" if that is offered; banners that cannot be closed are hidden."""

from __future__ import annotations

from contextlib import suppress

from playwright.async_api import Error, Page

from posterity.config import RenderSettings
from posterity.lexicon import any_of, part_names, words_for
from posterity.render.rendered import BehaviourResult
from posterity.render.traffic import Quiet, page_script

ABOUT = any_of(words_for("consent.about"))
REJECT = f"^(?:{any_of(words_for('consent.reject'))})"
_BANNER_NAMES = any_of(part_names("other.consent"))
ACCEPT = f"^(?:{any_of(words_for('consent.accept'))})"


TRIGGER = """document.querySelector('[id*=cookie i], [class*=cookie i], [id*=consent i], [class*=consent i], '
    + '[class*=gdpr i], [id*=cmp i], [class*=cmp i], [class*=privacy i], dialog[open], [role=dialog], '
    + '[aria-modal=true]')
    || [...document.body.children].some(node => getComputedStyle(node).position === 'fixed')"""
_CLOSE = page_script("consent")


async def close_consent(page: Page, quiet: Quiet, limits: RenderSettings, deadline: float) -> BehaviourResult | None:  # noqa: ARG001
    """Close the consent banners of the page."""
    done: list[str] = []
    with suppress(Error):
        done = await page.evaluate(_CLOSE, [ABOUT, REJECT, ACCEPT, _BANNER_NAMES])
    if done:
        await quiet.wait()
    return BehaviourResult("close consent", len(done), ", ".join(done)) if done else None
