"""Which <form> is a form, and which is a page.

Search boxes, comment forms and subscriptions are no part of an article, and nobody reads them. But ASP.NET and JSF
put the whole page into one <form>, and some editors an article. A form is read like any block when it holds running
text: words outside of labels, links, buttons and fields.

The bound is the one that divides the 3,940 forms on the pages of five public benchmarks best: of the 3,911 with fewer
words one holds more than half of its page's article, of the 29 with more words 17 do.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.tree import TEXT, UNSEEN_TAGS, is_hidden
from posterity.text.words import words

if TYPE_CHECKING:
    from posterity.dom.tree import Tree

MIN_WORDS = 120
_NOT_RUNNING = UNSEEN_TAGS | {"a", "button", "input", "label", "legend", "textarea"}
# The hidden fields by which frameworks know a page again that they wrapped into a form.
_WHOLE_PAGE = frozenset({"__viewstate", "javax.faces.viewstate"})


def is_real_form(tree: Tree, form: int) -> bool:
    """Tell whether this <form> is one to fill in, and not an article or a whole page."""
    found = 0
    index, stop = form + 1, tree.end[form]
    while index < stop:
        tag = tree.tag[index]
        if tag == TEXT:
            found += len(words(tree.text[index]))
            if found >= MIN_WORDS:
                return False
        elif tag == "input" and (tree.attrs[index].get("name") or "").lower() in _WHOLE_PAGE:
            return False
        elif tag in _NOT_RUNNING or is_hidden(tree.attrs[index]):
            index = tree.end[index]
            continue
        index += 1
    return True
