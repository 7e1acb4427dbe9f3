"""From a cleaned page to its post: the main headline, and the final touches that wc-single and wc-multi share.

The appendix of document 002 has them as `getMainHeadline` and `exportDoc`. The headline is the first heading of the
page, of whatever level, else the content of <title>. It becomes the post's title. With the option `addtitle` it is
also the first line of the text, unless the text begins with it already: the thesis does not say so, but a title
that stands twice serves nobody.
"""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Any

from posterity.dom import text_of
from posterity.extract.assemble import post_from
from posterity.model import Provenance
from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from posterity.dom import Document, Tree
    from posterity.extract.wc_options import WcOptions
    from posterity.model import Post

HEADLINE_TAGS = frozenset({"h1", "h2", "h3", "h4", "h5", "h6"})
# The thesis gives no figure; the share of right titles on real pages is in docs/methods/002-wc-cleaner.md.
TITLE_CONFIDENCE = 0.5


def post_of(document: Document, fields: dict[str, Any], provenance: Provenance, options: WcOptions) -> tuple[Post, ...]:
    """Return the page's one post, or nothing when no text is left."""
    if not fields.get("text"):
        return ()
    title = main_headline(document.tree)
    named = {"text": provenance}
    if title:
        if options.addtitle and not one_line(fields["text"]).startswith(title):
            fields = fields | {
                "text": f"{title}\n\n{fields['text']}",
                "html": f"<h1>{escape(title, quote=False)}</h1>{fields['html']}",
                "markdown": f"# {title}\n\n{fields['markdown']}",
            }
        fields = fields | {"title": title}
        named["title"] = Provenance(method=provenance.method, rule="main headline", confidence=TITLE_CONFIDENCE)
    return (post_from(document, fields, named),)


def main_headline(tree: Tree) -> str | None:
    """Return the text of the first visible heading that has any, else of <title>, else None."""
    for node, tag in enumerate(tree.tag):
        if tag in HEADLINE_TAGS and not tree.unseen[node] and (text := one_line(text_of(tree, node))):
            return text
    if "title" in tree.tag:
        return one_line(tree.plain(tree.tag.index("title"))) or None
    return None
