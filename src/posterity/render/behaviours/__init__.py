"""What is done on a page that somebody reading it would do: close the banner, scroll down, ask for the rest.

Each is one file with one function, page in and what it did out, and with a cheap test (JavaScript) of whether
the page has anything for it at all: all tests are run whenever the page has come to rest, and most pages show
none. They are run in this order, and are bounded in clicks, time and bytes. To add one, write its file and name it
here, or install a package with an entry point in the group `posterity.behaviours`: a pair of test and function.
"""

from __future__ import annotations

from importlib.metadata import entry_points
from typing import TYPE_CHECKING

from posterity.render.behaviours import consent, frames, scroll, show_more

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from playwright.async_api import Page

    from posterity.config import RenderSettings
    from posterity.render.rendered import BehaviourResult
    from posterity.render.traffic import Quiet

    Behaviour = Callable[[Page, Quiet, RenderSettings, float], Awaitable[BehaviourResult | None]]

# By test; frames are joined last, when everything is open.
BEHAVIOURS: tuple[tuple[str, Behaviour], ...] = (
    (consent.TRIGGER, consent.close_consent),
    (scroll.TRIGGER, scroll.scroll_to_end),
    (show_more.TRIGGER, show_more.show_more),
    *(point.load() for point in sorted(entry_points(group="posterity.behaviours"))),
    (frames.TRIGGER, frames.join_frames),
)

__all__ = ["BEHAVIOURS"]
