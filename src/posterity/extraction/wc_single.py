"""Method `wc-single`: the element with most of the text and the fewest structural tags.

Web Content Cleaning (document 002), section 2.3. `wc_density` computes the density and the descent; this module makes
the post of the target node.

`sparse` omits documents "according to density"; the paper does not say of which node. Here it is the target node: a
page with a good article beside a large menu is not a page of tables and lists. An omitted document gives no post.
"""

from __future__ import annotations

from posterity.dom import Document
from posterity.dom.tree import node_path
from posterity.extraction.method import Context
from posterity.extraction.record import fields_of_node
from posterity.extraction.wc_density import is_sparse, post_of, statistics, target_node, wc_options
from posterity.model import Post, Provenance

CONFIDENCE = 0.81  # F-score of WCC1 on the CleanEval Gold standard, Table 3.1


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the post in the target node; nothing for an empty page, or a sparse one with the option `sparse`."""
    options = wc_options(context.options)
    tree = document.tree
    found = statistics(tree)
    target = target_node(tree, found)
    if not found.chars[target] or (options.sparse and is_sparse(found, target)):
        return ()
    share = f"{found.chars[target]} of {found.chars[0]} characters, {found.density(target):.1f} a tag"
    rule = f"{tree.path(target)}: {share}"
    provenance = Provenance(method="wc-single", rule=rule, node=node_path(tree, target), confidence=CONFIDENCE)
    return post_of(document, fields_of_node(tree, document.base_url, target), provenance, options)
