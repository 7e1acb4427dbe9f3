"""Which comment widgets a page carries whose comments come only by script.

Only what marks the place of a thread counts: a script that counts comments stands on every page of a blog.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.links import absolute

if TYPE_CHECKING:
    from posterity.dom import Document

# Blogger's button for more comments stands on every page, and is hidden where these are all.
BLOGGER_HAS_MORE = ".loadmore:not(.hidden):not(.loaded), #comment-holder:empty"
# Frames of Blogger and Jetpack in which a comment is written, and none is read.
_FORM = ":not([id*='editor' i]):not([id*='remote_comment' i]):not([title*='form' i])"
# By name: what finds the place of the thread on a page.
_PLACES = {
    "disqus": "#disqus_thread",
    "isso": "#isso-thread",
    "utterances": "script[src*='utteranc.es/client.js']",
    "giscus": "script[src*='giscus.app/client.js'], giscus-widget, .giscus",
    "waline": "#waline, .waline",
    "valine": "#vcomments, .vcomments",
    "twikoo": "#twikoo, #tcomment",
    "gitalk": "#gitalk-container",
    "remark42": "#remark42",
    "commento": "#commento",
    "cusdis": "#cusdis_thread",
    "hyvor": "hyvor-talk-comments, #hyvor-talk-view",
    "facebook": ".fb-comments",
    "livefyre": "#livefyre-comments, .livefyre",
    "intensedebate": "#idc-container, #IDCommentsPostTitle",
    "graphcomment": "#graphcomment",
    "discourse": "#discourse-comments",
    "artalk": "#Comments.artalk, .artalk",
    "blogger": BLOGGER_HAS_MORE,
    "frame": f"iframe[src*='comment' i]{_FORM}, iframe[id*='comment' i]{_FORM}, iframe[title='Comments' i]",
}
_ANY = ", ".join(_PLACES.values())


def widget_on(document: Document) -> str | None:
    """Return the name of the comment widget on the page, or None."""
    if not document.count(_ANY):
        return None
    return next((name for name, place in _PLACES.items() if document.count(place)), None)


def widget_source(document: Document, widget: str) -> str | None:
    """Return the address that the widget itself comes from, where its place on the page tells it."""
    return next((absolute(document.base_url, src) for src in document.attributes(_PLACES[widget], "src")), None)


def has_acted(widget: str, before: Document, after: Document) -> bool:
    """Tell whether the widget has put anything on the page: words, a form or a frame in its place."""
    inside = ", ".join(f"{place} *" for place in _PLACES[widget].split(", "))
    return after.count(inside) > before.count(inside) or after.count("iframe") > before.count("iframe")
