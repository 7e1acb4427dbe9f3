"""Copies comments from frames and shadow trees into the page.

Disqus, utterances, giscus and others render comments in a frame. To make them part of the stored page, the body of the
frame is inserted after the frame, without scripts. Frames with videos, maps and advertisements are not copied.
"""

from __future__ import annotations

import re
from contextlib import suppress

from playwright.async_api import Error, Frame, Page

from posterity.config import RenderSettings
from posterity.lexicon import any_of, widget_names
from posterity.render.rendered import BehaviourResult
from posterity.render.traffic import Quiet, page_script

COMMENT_FRAME = re.compile(any_of(widget_names("frame")), re.IGNORECASE)
TRIGGER = "document.querySelector('iframe') || [...document.querySelectorAll('*')].some(node => node.shadowRoot)"
_NAMES = """frame => [frame.id, frame.name, frame.title, frame.className, frame.src, frame.parentElement?.id,
    frame.parentElement?.className].join(' ')"""
_BODY = page_script("frame_body")
_JOIN = page_script("join_frame")
_SHADOWS = page_script("join_shadows")


async def join_frames(page: Page, quiet: Quiet, limits: RenderSettings, deadline: float) -> BehaviourResult | None:  # noqa: ARG001
    """Copy the comments of frames and shadow trees into the page; return what was copied."""
    # The innermost first, because frames may be nested.
    frames = [frame for frame in reversed(page.frames) if frame.parent_frame is not None]
    joined = [frame.url for frame in frames if await _is_joined(frame)]
    with suppress(Error):
        joined += ["shadow tree"] * await page.evaluate(_SHADOWS)
    urls = ", ".join(url.partition("?")[0] for url in joined)
    return BehaviourResult("join frames", len(joined), urls) if joined else None


async def is_comment_frame(frame: Frame) -> bool:
    """Return whether the frame shows comments, by its names and those of its parent element."""
    with suppress(Error):
        element = await frame.frame_element()
        return COMMENT_FRAME.search(await element.evaluate(_NAMES)) is not None
    return False


async def _is_joined(frame: Frame) -> bool:
    with suppress(Error):
        if await is_comment_frame(frame):
            element = await frame.frame_element()
            if html := await frame.evaluate(_BODY):
                await element.evaluate(_JOIN, [html, frame.url])
                return True
    return False
