"""Method `wc-multi`: what a page has in common with another page of its site is taken out, the rest is the article.

Web Content Cleaning (document 002), section 2.4. Menus, headers and footers come from templates, so they have the
same structure and text on both pages. Both are walked side by side (`wc_levels`); where they part, the common text
goes (`wc_lowest_level`, `wc_strings`). The modes of Table 3.3 are options (`wc_options`) and combine freely.

Where the text leaves a choice:

- The output is what is left of the text below the node where the walk began. The thesis converts one by one the
  nodes at which it parted; they hold all text that is left, and one record reads better than several.
- The page to compare with is `context.reference`, else the page of median size of `context.site` (`wc_reference`),
  else there is none and the page is cleaned alone. A page is never compared with itself.
- `prune` and `fromtarget` together compare the structure of the two target nodes, because these are what is going
  to be cleaned.
- `sparse` looks at the target node of the page before anything is taken out of it, as in wc-single.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.tree import TEXT
from posterity.extract.kept_text import fields_of_kept, fields_of_node, visible_texts
from posterity.extract.wc_density import Statistics, body_of, is_sparse, statistics, target_node
from posterity.extract.wc_levels import is_similar_by_child_count, parting_pairs, visible_items
from posterity.extract.wc_lowest_level import clean_lowest_level, cut_common
from posterity.extract.wc_options import wc_options
from posterity.extract.wc_record import post_of
from posterity.extract.wc_reference import is_same_page, reference_page
from posterity.model import Provenance

if TYPE_CHECKING:
    from posterity.dom import Document, Tree
    from posterity.extract.method import Context
    from posterity.extract.wc_lowest_level import Kept
    from posterity.extract.wc_options import WcOptions
    from posterity.model import Post

CONFIDENCE = 0.66  # F-score of WCC without modes on the Silver standard, Table 3.3
SINGLE_CONFIDENCE = 0.63  # of WCC1 on the same pages, Table 3.2


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the post that is left; nothing when no text is, or when the page is sparse and these are omitted."""
    options = wc_options(context.options)
    found = statistics(document.tree)
    target = target_node(document.tree, found)
    if not found.chars[target] or (options.sparse and is_sparse(found, target)):
        return ()
    reference = None if options.singlemode else _reference(document, context)
    if reference is None:
        return _cleaned_alone(
            document, target, found, options, "single mode" if options.singlemode else "no reference page"
        )
    doc_node, ref_node = _beginnings(document.tree, reference.tree, target, options)
    if options.prune and not is_similar_by_child_count(document.tree, doc_node, reference.tree, ref_node):
        return _cleaned_alone(document, target, found, options, "unlike the reference page")
    kept = diff_clean(document.tree, doc_node, reference.tree, ref_node)
    left = sum(map(len, kept.values()))
    provenance = Provenance(
        method="wc-multi",
        rule=f"{document.tree.path(doc_node)}: {left} of {found.chars[doc_node]} characters not in the reference page",
        confidence=CONFIDENCE,
    )
    return post_of(document, fields_of_kept(document.tree, document.base_url, kept), provenance, options)


def diff_clean(doc_tree: Tree, doc_node: int, ref_tree: Tree, ref_node: int) -> Kept:
    """Return the texts below the page's node, without what they share with those below the reference page's node."""
    kept: Kept = {node: doc_tree.text[node] for node in visible_texts(doc_tree, doc_node)}
    for pair in parting_pairs(doc_tree, doc_node, ref_tree, ref_node):
        if doc_tree.tag[pair.doc] == TEXT:
            cut_common(doc_tree, pair.doc, ref_tree.text[pair.ref].split(), kept)
        else:
            doc_list, ref_list = visible_items(doc_tree, pair.doc), visible_items(ref_tree, pair.ref)
            clean_lowest_level(doc_tree, doc_list, ref_tree, ref_list, kept)
    return kept


def _reference(document: Document, context: Context) -> Document | None:
    if context.reference is not None and not is_same_page(context.reference, document):
        return context.reference
    return reference_page(context.site, document)


def _beginnings(tree: Tree, ref_tree: Tree, target: int, options: WcOptions) -> tuple[int, int]:
    """Return where the walk begins in both pages."""
    if options.fromtarget:
        return target, target_node(ref_tree, statistics(ref_tree))
    return body_of(tree), body_of(ref_tree)


def _cleaned_alone(
    document: Document, target: int, found: Statistics, options: WcOptions, why: str
) -> tuple[Post, ...]:
    rule = f"{why}, so cleaned alone: {document.tree.path(target)}, {found.density(target):.1f} characters a tag"
    provenance = Provenance(method="wc-multi", rule=rule, confidence=SINGLE_CONFIDENCE)
    return post_of(document, fields_of_node(document.tree, document.base_url, target), provenance, options)
