"""Frames for our own pages: an archived or pasted page with outlines, as a response with the policy it needs."""

from __future__ import annotations

import secrets
from functools import cache
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING

from starlette.responses import HTMLResponse

from posterity.dom import parse
from posterity.serve.headers import frame_policy
from posterity.serve.replay.clean_page import StoredFiles, clean_page
from posterity.serve.replay.parts import parts_on

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from posterity.archive import Archive
    from posterity.model import Page, Post, RuleSet


def frame(
    page: Page,
    posts: Iterable[Post] = (),
    rules: RuleSet | None = None,
    *,
    archive: Archive | None = None,
    sheets: Mapping[str, str] | None = None,
    teach: bool = False,
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """Return the page with the parts of these records outlined; with `teach`, clicks in it are reported to our page.

    Its stylesheets and pictures come from the archive, where there is one, or are the `sheets` given by URL;
    nothing is loaded from elsewhere.
    """
    document = parse(page.body, page.url, page.content_type)
    some = tuple(posts)
    parts = [part for post in some for part in parts_on(document, post, rules)]
    media = {medium.url: medium.file for post in some for medium in post.media if medium.file}
    nonce = secrets.token_urlsafe(16) if teach else None
    html = clean_page(
        document,
        parts,
        StoredFiles(archive, page, media, sheets),
        style=_own("frame.css"),
        plain_style=_own("plain.css"),
        script=_own("teach.js") if teach else "",
        nonce=nonce or "",
        numbered=teach,
    )
    more = {"Content-Security-Policy": frame_policy(nonce), "Cache-Control": "no-store" if teach else "no-cache"}
    # Half characters of broken pages have no UTF-8 form.
    return HTMLResponse(html.encode("utf-8", "replace"), headers={**(headers or {}), **more})


def empty_frame(why: str) -> HTMLResponse:
    """Return a frame that says why there is no page to show; an error of ours would not be shown in a frame at all."""
    style = f"<style>{_own('plain.css')}</style>"
    html = f"<!doctype html><meta charset=utf-8><title>No page</title>{style}<p>{escape(why)}</p>"
    return HTMLResponse(html, 404, {"Content-Security-Policy": frame_policy()})


@cache
def _own(name: str) -> str:
    return files("posterity.serve.replay").joinpath(name).read_text("utf-8")
