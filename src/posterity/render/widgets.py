"""Which comment widgets a page carries whose comments come only by script.

Only what marks the place of a thread counts: a script that counts comments stands on every page of a blog.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from posterity.dom import Document

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
    "blogger": "#comments .loadmore, .comments .loadmore, #comment-holder:empty",
    "frame": "iframe[src*='comment' i], iframe[id*='comment' i], iframe[title='Comments' i]",
}
_ANY = ", ".join(_PLACES.values())


def widget_on(document: Document) -> str | None:
    """Return the name of the comment widget on the page, or None."""
    if not document.count(_ANY):
        return None
    return next((name for name, place in _PLACES.items() if document.count(place)), None)
