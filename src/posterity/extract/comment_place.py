"""Where on a page the comments are, asked of the parser: most pages have none, and their trees need not be read.

Reading the whole tree of a page costs more than all other fields together. One look-up tells whether any element can
be a comment at all; if so, the first known container that holds all of them is read, else the smallest element that
does.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from posterity.dom.element import ancestors_of_all
from posterity.extract.comment_signs import CONTAINERS, SIGNS_OF_CLASSES, sign_of_id
from posterity.extract.comment_words import text_announces

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.dom import Document, Tree
    from posterity.dom.element import Element
    from posterity.dom.tree import Attributes
    from posterity.extract.comment_signs import Sign

# All that can be named as a comment or a container. Capitals make no difference in pages without a doctype. What
# "comment" and "kommentar" have in common, and "komentar" and "comentario", is looked for once; a name that has it by
# chance says nothing.
_NAMED = (
    '[class]:is([class*="omment" i], [class*="oment" i], .posterity-frame, .yorum, .cmt), '
    '[id]:is([id^="c" i], [id*="comment" i], [id*="cmt" i], [id*="reply" i], [id*="isso" i], [id="disqus_thread" i])'
)
NO_COMMENT_TAGS = frozenset({"body", "html", "form", "a", "span", "h2", "h3"})
_NOT_COMMENTS = re.compile(r"recent|sidebar|respond$|comment-?form|pingback|trackback", re.IGNORECASE)


def comment_tree(document: Document) -> Tree | None:
    """Return a tree with all elements of the page that can be comments, as small as can be had; None for none."""
    named = list(_named(document))
    places = _containers(named)
    # Highlighted code is full of <span class="comment">.
    candidates = [element for element, sign in named if sign.is_comment and (sign.number or element.tag != "span")]
    if not candidates:
        # Only a place that is named as theirs can hold comments without names, or one that a line announces.
        return places[0].tree if places else document.tree if text_announces(document.raw_text) else None
    around = ancestors_of_all(candidates)
    for place in places:
        if place in around:
            return place.tree
    # Where all are something else, comments without names may be elsewhere on the page.
    are_something_else = all(element.tag in NO_COMMENT_TAGS for element in candidates) or any(
        element.tag == "noscript" or is_something_else(element.tag, element.attrs) for element in around
    )
    return document.tree if are_something_else or not around else around[0].tree


def is_something_else(tag: str, attrs: Attributes) -> bool:
    """Tell whether an element is named as something else than a comment or a list of comments."""
    names = f"{attrs.get('id') or ''} {attrs.get('class') or ''}"
    return tag not in NO_COMMENT_TAGS and _NOT_COMMENTS.search(names) is not None and "comment-respond-" not in names


def _containers(named: Iterable[tuple[Element, Sign]]) -> list[Element]:
    """The known containers that are there once, the surest first."""
    found: dict[str, list[Element]] = {}
    for element, sign in named:
        for name in sign.containers:
            if element.tag not in NO_COMMENT_TAGS:  # the heading above them holds none
                found.setdefault(name, []).append(element)
    return [found[place][0] for place in CONTAINERS if len(found.get(place, ())) == 1]


def _named(document: Document) -> Iterator[tuple[Element, Sign]]:
    """The elements whose id or classes say something of comments, with what they say."""
    for element in document.elements(_NAMED):
        name, classes = element.attrs.get("id"), element.attrs.get("class")
        if name and (sign := sign_of_id(name)) is not None:
            yield element, sign
        if classes and (sign := SIGNS_OF_CLASSES[classes]) is not None:
            yield element, sign
