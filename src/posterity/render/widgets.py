"""Which comment widgets a page carries whose comments come only by script.

Only the place of a thread counts: a script that counts comments stands on every page of a blog.
"""

from __future__ import annotations

from posterity.dom import Document
from posterity.dom.metadata import absolute
from posterity.lexicon import widgets

# By name: the selectors of the place of the thread on a page.
PLACES = {widget.name: ", ".join(widget.place) for widget in widgets() if widget.place}
_ANY = ", ".join(PLACES.values())


def widget_on(document: Document) -> str | None:
    """Return the name of the comment widget on the page, or None."""
    if not document.count(_ANY):
        return None
    return next((name for name, place in PLACES.items() if document.count(place)), None)


def widget_source(document: Document, widget: str) -> str | None:
    """Return the URL that the widget itself comes from, where its place on the page has it."""
    return next((absolute(document.base_url, src) for src in document.attributes(PLACES[widget], "src")), None)


def has_acted(widget: str, before: Document, after: Document) -> bool:
    """Tell whether the widget has put anything on the page: words, a form or a frame in its place."""
    inside = ", ".join(f"{place} *" for place in PLACES[widget].split(", "))
    return after.count(inside) > before.count(inside) or after.count("iframe") > before.count("iframe")
