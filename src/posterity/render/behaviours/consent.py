"""Closes consent banners, with "reject" if that is offered; banners that cannot be closed are hidden."""

from __future__ import annotations

from contextlib import suppress

from playwright.async_api import Error, Page

from posterity.config import RenderSettings
from posterity.lexicon import any_of, part_names, words_for
from posterity.render.rendered import BehaviourResult
from posterity.render.traffic import Quiet

ABOUT = any_of(words_for("consent.about"))
REJECT = f"^(?:{any_of(words_for('consent.reject'))})"
_BANNER_NAMES = any_of(part_names("other.consent"))
ACCEPT = f"^(?:{any_of(words_for('consent.accept'))})"


TRIGGER = """document.querySelector('[id*=cookie i], [class*=cookie i], [id*=consent i], [class*=consent i], '
    + '[class*=gdpr i], [id*=cmp i], [class*=cmp i], [class*=privacy i], dialog[open], [role=dialog], '
    + '[aria-modal=true]')
    || [...document.body.children].some(node => getComputedStyle(node).position === 'fixed')"""
# A banner floats above the page or is marked up as a dialog, is short, and mentions cookies or consent.
_CLOSE = """([about, reject, accept, names]) => {
    const speaks = new RegExp(about, 'iu'), no = new RegExp(reject, 'iu'), yes = new RegExp(accept, 'iu');
    const floats = node => ['fixed', 'sticky'].includes(getComputedStyle(node).position);
    const named = node => new RegExp(names, 'i').test(node.id + ' ' + node.className);
    const banners = [...document.querySelectorAll('div, section, aside, dialog, footer, form, [role=dialog]')].filter(
        node => (named(node) || node.matches('dialog, [role=dialog], [aria-modal=true]') || node.parentElement === document.body)
            && node.textContent.length < 4000 && speaks.test(node.textContent)
            && (floats(node) || node.matches('dialog[open], [role=dialog], [aria-modal=true]')));
    const done = [];
    for (const banner of banners) {
        if (!banner.isConnected || banners.some(other => other !== banner && other.contains(banner))) continue;
        const buttons = [...banner.querySelectorAll('button, [role=button], input[type=button], input[type=submit], a')];
        const labelOf = button => (button.innerText || button.value || button.ariaLabel || '').trim();
        const button = buttons.find(one => no.test(labelOf(one))) || buttons.find(one => yes.test(labelOf(one)));
        const stop = event => event.preventDefault();
        window.addEventListener('click', stop); window.addEventListener('submit', stop, true);
        if (button) { button.click(); done.push(labelOf(button).slice(0, 40)); } else done.push('hidden');
        window.removeEventListener('click', stop); window.removeEventListener('submit', stop, true);
        if (banner.isConnected) { banner.hidden = true; banner.style.setProperty('display', 'none', 'important'); }
    }
    if (done.length) for (const node of [document.documentElement, document.body])
        node.style.setProperty('overflow', 'auto', 'important');
    return done;
}"""  # noqa: E501


async def close_consent(page: Page, quiet: Quiet, limits: RenderSettings, deadline: float) -> BehaviourResult | None:  # noqa: ARG001
    """Close the consent banners of the page."""
    done: list[str] = []
    with suppress(Error):
        done = await page.evaluate(_CLOSE, [ABOUT, REJECT, ACCEPT, _BANNER_NAMES])
    if done:
        await quiet.wait()
    return BehaviourResult("close consent", len(done), ", ".join(done)) if done else None
