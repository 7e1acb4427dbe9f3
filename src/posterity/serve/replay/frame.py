"""The response with an archived or pasted page for a frame; the page is cleaned in a worker process."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from html import escape

from starlette.responses import HTMLResponse

from posterity.model import Page, Post, RuleSet
from posterity.serve.extraction import ExtractionPool, FrameRequest
from posterity.serve.middleware import frame_policy
from posterity.serve.replay.clean_page import own_file


def frame(
    pool: ExtractionPool,
    page: Page,
    posts: Iterable[Post] = (),
    rules: RuleSet | None = None,
    *,
    archive: str | None = None,
    sheets: Mapping[str, str] | None = None,
    select: bool = False,
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """Return the page with the fields of these records outlined; with `select`, it reports clicks to the parent page.

    Stylesheets and pictures come from the archive, if given, and from `sheets`, by URL; nothing else is loaded.
    """
    nonce = secrets.token_urlsafe(16) if select else None
    request = FrameRequest(
        page=page, posts=tuple(posts), rules=rules, archive=archive, sheets=dict(sheets or {}), nonce=nonce
    )
    html = pool.extract(request).html
    more = {"Content-Security-Policy": frame_policy(nonce), "Cache-Control": "no-store" if select else "no-cache"}
    # Lone surrogates of broken pages have no UTF-8 form.
    return HTMLResponse(html.encode("utf-8", "replace"), headers={**(headers or {}), **more})


def empty_frame(why: str) -> HTMLResponse:
    """Return a page with the reason why there is none: a problem response may not be framed."""
    style = f"<style>{own_file('plain.css')}</style>"
    html = f"<!doctype html><meta charset=utf-8><title>No page</title>{style}<p>{escape(why)}</p>"
    return HTMLResponse(html, 404, {"Content-Security-Policy": frame_policy()})
