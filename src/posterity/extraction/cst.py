"""Methods `cst` and `mcst`: the block with the highest importance in the page's Content Structure Tree.

Document 004, sections 3 and 4. `cst` is CST*, the paper's baseline: weights 1.0 for text, 0.75 for links and 40 for
images, attenuation (2). `mcst` is its modification: only text, attenuation (3). Both have one option, `clean`, the
HTML cleaner, on by default. The rows of Table 2 are then `cst` with {"clean": False}, `cst`, `mcst` and `e-mcst`.

Where the paper leaves a choice:
- The cleaner does two things: it drops scripts and comments, and it repairs markup. Our parser repairs every page
  as a browser would and drops comments, so the option only affects scripts, styles and other unseen elements.
- Without the cleaner, the block's code is part of the extracted text, as it must have been in the paper's first
  row; HTML and Markdown stay clean.
- Neither method extracts title, date or author.
"""

from __future__ import annotations

import msgspec

from posterity.dom import Document
from posterity.dom.tree import node_path
from posterity.extraction.content_structure import (
    ORIGINAL_WEIGHTS,
    TEXT_ONLY,
    attenuation_by_depth,
    attenuation_by_depth_and_width,
    main_block,
)
from posterity.extraction.method import Context
from posterity.extraction.record import article_fields, post_from
from posterity.model import Post, Provenance
from posterity.text.normal_form import one_line

CST_CONFIDENCE = 0.631  # 004, Table 2, data set 1: TCS of CST* with the cleaner
MCST_CONFIDENCE = 0.797  # 004, Table 2: TCS of mCST


def cst_posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the page's main block by CST*, or nothing if the page has no content."""
    clean = _clean(context)
    block = main_block(document.tree, ORIGINAL_WEIGHTS, attenuation_by_depth, clean=clean)
    return _posts(document, block, Provenance(method="cst", confidence=CST_CONFIDENCE), clean=clean)


def mcst_posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the page's main block by mCST, or nothing if the page has no text outside links."""
    clean = _clean(context)
    block = main_block(document.tree, TEXT_ONLY, attenuation_by_depth_and_width, clean=clean)
    return _posts(document, block, Provenance(method="mcst", confidence=MCST_CONFIDENCE), clean=clean)


def _clean(context: Context) -> bool:
    return context.options.get("clean", True) is not False


def _posts(document: Document, block: int | None, found: Provenance, *, clean: bool) -> tuple[Post, ...]:
    if block is None:
        return ()
    tree = document.tree
    fields = article_fields(tree, document.base_url, block)
    if not clean:
        fields["text"] = one_line(tree.plain(block))
    provenance = msgspec.structs.replace(found, rule=tree.path(block), node=node_path(tree, block))
    return (post_from(document, fields, {"text": provenance}),)
