"""Clicks "show more", "older comments" and "view replies" repeatedly, in the page and in comment frames.

Buttons are recognised by their text (20 languages), their ARIA label or their class. A button is not clicked again if
its last click did not make the page grow. Links are clicked without following them.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress

from playwright.async_api import Error, Page

from posterity.config import RenderSettings
from posterity.lexicon import any_of, words_for
from posterity.render.behaviours.frames import is_comment_frame
from posterity.render.rendered import BehaviourResult
from posterity.render.traffic import Quiet

# Whole phrases, for writing systems without spaces between words.
PHRASES = f"^(?:{any_of(words_for('show_more.phrase'))})$"

ASKING = frozenset(words_for("show_more.ask"))
BESIDE = frozenset(words_for("show_more.beside"))


TRIGGER = """document.querySelector('button, [role=button], summary, input[type=button], [onclick], [class*=more i], ' +
    '[class*=replies i], a:not([href]), a[href^="#"], a[href^="javascript:" i], iframe')"""
# Clicks at most `most` buttons, and returns their labels. `size` is the number of elements before the last click.
_CLICK = """most => {
    const asks = new Set(ASKING), goes = new Set(BESIDE), phrase = new RegExp(PHRASES, 'u');
    const memory = window.__posterity ||= {spent: new WeakSet(), last: [], size: 0};
    const size = document.querySelectorAll('body *:not(script):not(style):not(link)').length;
    if (size <= memory.size) memory.last.forEach(button => memory.spent.add(button));
    const worded = text => {
        const plain = text.normalize('NFC').toLowerCase().trim();
        if (!plain || plain.length > 60) return false;
        if (phrase.test(plain)) return true;
        const words = plain.match(/[\\p{L}\\p{M}]+/gu) || [];
        // "Reply" alone opens a form, and "More" alone a menu.
        return (words.length > 1 || /\\d/.test(plain)) && words.some(word => asks.has(word)) && words.every(word => asks.has(word) || goes.has(word));
    };
    const classed = /(?:^|[\\s_-])(?:load|show|view|see)-?(?:more|older|hidden|all|replies)(?![a-z])|more-?(?:comments|replies)|infinite-handle/i;
    const leads = button => {
        const href = button.getAttribute('href');
        return button.localName === 'a' && href && !/^(?:#|javascript:)/i.test(href);
    };
    const found = [...document.querySelectorAll(
        'button, [role=button], a, summary, input[type=button], [onclick], [class*=more i], [class*=replies i]'
    )].filter(button => {
        if (memory.spent.has(button) || button.disabled || button.closest('nav, form:not([class*=comment i])')) return false;
        if (button.children.length > 4 || button.type === 'submit' && button.form) return false;
        const named = classed.test(button.className + ' ' + button.id);
        if (leads(button) && !named) return false;
        const labels = [button.innerText ?? button.textContent ?? '', button.ariaLabel || '', button.title || '', button.value || ''];
        const shown = button.getClientRects().length > 0;
        return shown && (labels.some(text => worded(String(text))) || named && /^[^\\n]{0,60}$/.test(labels[0].trim()));
    });
    const outer = found.filter(button => !found.some(other => other !== button && other.contains(button))).slice(0, most);
    const stop = event => event.preventDefault();
    window.addEventListener('click', stop); window.addEventListener('submit', stop, true);
    const click = window.__posterity_rest?.click || (button => button.click());
    outer.forEach(click);
    window.removeEventListener('click', stop); window.removeEventListener('submit', stop, true);
    memory.last = outer; memory.size = size;
    return outer.map(button => (button.innerText || button.textContent || button.ariaLabel || '').trim().slice(0, 40));
}"""  # noqa: E501
for _name, _words in (("ASKING", sorted(ASKING)), ("BESIDE", sorted(BESIDE)), ("PHRASES", PHRASES)):
    _CLICK = _CLICK.replace(_name, json.dumps(_words, ensure_ascii=False), 1)


async def show_more(page: Page, quiet: Quiet, limits: RenderSettings, deadline: float) -> BehaviourResult | None:
    """Click until the page no longer grows."""
    clicked: list[str] = []
    url = page.url
    while (left := limits.max_clicks - len(clicked)) > 0 and time.monotonic() < deadline:
        round_: list[str] = []
        inner = [frame for frame in page.frames if frame.parent_frame is not None and await is_comment_frame(frame)]
        for frame in [page.main_frame, *inner]:
            with suppress(Error):
                round_ += await frame.evaluate(_CLICK, left - len(round_))
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
