"""Behaviours: simulated user actions, such as closing the consent banner, scrolling down, clicking "show more".

Each behaviour is one module with a function and a trigger, a cheap JavaScript condition. All triggers are evaluated
when the page is idle; most pages match none. Behaviours run in the order below, limited in clicks, time and bytes. To
add one, write its module and add it here, or install a package with an entry point in the group `posterity.behaviours`:
a pair of trigger and function.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from importlib.metadata import entry_points

from playwright.async_api import Page

from posterity.config import RenderSettings
from posterity.render.behaviours import consent, frames, scroll, show_more
from posterity.render.rendered import BehaviourResult
from posterity.render.traffic import Quiet

Behaviour = Callable[[Page, Quiet, RenderSettings, float], Awaitable[BehaviourResult | None]]

# Pairs of trigger and function; frames are joined last, when everything has been expanded.
BEHAVIOURS: tuple[tuple[str, Behaviour], ...] = (
    (consent.TRIGGER, consent.close_consent),
    (scroll.TRIGGER, scroll.scroll_to_end),
    (show_more.TRIGGER, show_more.show_more),
    *(point.load() for point in sorted(entry_points(group="posterity.behaviours"))),
    (frames.TRIGGER, frames.join_frames),
)

__all__ = ["BEHAVIOURS"]
