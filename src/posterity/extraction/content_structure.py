"""The Content Structure Tree of a page and its most important block (CST*, mCST).

Follows "extended CST" (document 004, section 3), which is based on Li & Yang (2009). Every element is an HTML item
node, a block; texts, images and links are content nodes. The importance of a block is computed bottom-up:

    mu(N) = sum of gamma(C) * mu(C) over N's item children C + sum of theta over N's content children   (1)

where theta weighs text, links and images, and gamma is the attenuation quotient. The block with the highest
importance is the main block. One pass down collects the nodes and one pass up adds, so each node is visited twice.

Where the paper leaves a choice:
- Formula (1) has one product and one sum, so gamma attenuates only the item children; content counts in full. The
  symbols do not say whose gamma it is; section 2 says "the sum of attenuated-importance of its descendants and the
  content items", so each child is attenuated by its own depth and width. With the gamma of N itself, mCST has TCS
  .771 instead of .820 and E-mCST .863 instead of .891 on our 350 posts (paper .797 and .944).
- D, "the depth of the node", is the distance from <body>, the root of the CST: 0 for <body> itself. The paper says
  both that nodes near the root are attenuated and that deeper ones are; the formula in D decides.
- It is illegible whether formula (2) is a fraction or a plain logarithm; "attenuation" requires 1 / log(D). Logarithms
  in (2) and (3) are to base 10: only then is (2) continuous at D = 10 and (3) equal to 1 for a root with one child.
- With (2), gamma is 1 down to depth 10 and <body> hardly ever loses to a block inside it. Ties go to the innermost
  block, so that CST* at least drops wrappers that add nothing.
- A link is a content node, a leaf: its words are not text. Only <a href> is a link; <a name> is an item. An image
  inside a link is an image too. <area>, <link> and CSS images do not count.
- The size of a text is its length in characters with white space folded; white space alone is not a node.
- C, "the number of the children", includes items and contents.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log10
from typing import TypeAlias

import msgspec

from posterity.dom import Tree
from posterity.dom.tree import TEXT, UNSEEN_TAGS

# gamma of a node, from its depth D and the number C of its children (at least 1)
Attenuation: TypeAlias = "Callable[[int, int], float]"

_SHALLOW = 10  # formula (2): no attenuation down to this depth


class Weights(msgspec.Struct, frozen=True, kw_only=True):
    """The contributions of one character of text, one link and one image to theta."""

    text: float = 1.0
    link: float = 0.0
    image: float = 0.0


ORIGINAL_WEIGHTS = Weights(text=1.0, link=0.75, image=40.0)  # 004, section 3: the optimum Li & Yang report
TEXT_ONLY = Weights(text=1.0)  # 004, section 3, modification (2)


def attenuation_by_depth(depth: int, _children: int) -> float:
    """Formula (2)."""
    return 1.0 if depth <= _SHALLOW else 1.0 / log10(depth)


def attenuation_by_depth_and_width(depth: int, children: int) -> float:
    """Formula (3): a wide block is attenuated more than a narrow one."""
    return 1.0 / (log10(depth + 10) * log10(10 * children))


class ContentStructure:
    """The item nodes of a page in document order, with D, C and the sum of theta of each (lists over all nodes)."""

    __slots__ = ("children", "depth", "items", "theta")

    def __init__(self, tree: Tree, body: int, weights: Weights, *, clean: bool) -> None:
        self.items: list[int] = []
        self.depth = [0] * len(tree)
        self.children = [0] * len(tree)
        self.theta = [0.0] * len(tree)
        self._collect(tree, body, weights, UNSEEN_TAGS if clean else frozenset())

    def _collect(self, tree: Tree, body: int, weights: Weights, removed: frozenset[str]) -> None:
        tags, ends, attrs, parents = tree.tag, tree.end, tree.attrs, tree.parent
        depth, children, theta = self.depth, self.children, self.theta
        self.items.append(body)
        node, stop = body + 1, ends[body]
        while node < stop:
            tag, parent = tags[node], parents[node]
            if tag in removed:
                node = ends[node]
                continue
            if tag == TEXT:
                size = len(" ".join(tree.text[node].split()))
                if size:
                    theta[parent] += weights.text * size
                    children[parent] += 1
                node += 1
                continue
            children[parent] += 1
            if tag == "img" or (tag == "a" and "href" in attrs[node]):
                theta[parent] += _theta(tree, node, weights)
                node = ends[node]
                continue
            depth[node] = depth[parent] + 1
            self.items.append(node)
            node += 1


def main_block(tree: Tree, weights: Weights, attenuation: Attenuation, *, clean: bool = True) -> int | None:
    """Return the block with the highest importance, or None if no block has any.

    Without `clean`, scripts and styles stay in the tree and their code counts as text.
    """
    body = next((node for node in tree.children(0) if tree.tag[node] == "body"), None) if len(tree) else None
    if body is None:
        return None
    structure = ContentStructure(tree, body, weights, clean=clean)
    importance = _importance(tree, structure, attenuation)
    best, highest = None, 0.0
    for node in structure.items:
        mu = importance[node]
        # A later node before the best one's end is inside it.
        if mu > highest or (mu == highest and best is not None and node < tree.end[best]):
            best, highest = node, mu
    return best


def _importance(tree: Tree, structure: ContentStructure, attenuation: Attenuation) -> list[float]:
    """Formula (1) for every item node, bottom-up."""
    depth, children, theta, parents = structure.depth, structure.children, structure.theta, tree.parent
    below, importance = [0.0] * len(tree), [0.0] * len(tree)
    for node in reversed(structure.items):
        mu = importance[node] = theta[node] + below[node]
        if mu:
            below[parents[node]] += attenuation(depth[node], children[node]) * mu
    return importance


def _theta(tree: Tree, node: int, weights: Weights) -> float:
    """Return the theta of an image, or of a link with the images inside it."""
    if tree.tag[node] == "img":
        return weights.image
    return weights.link + weights.image * tree.tag[node : tree.end[node]].count("img")
