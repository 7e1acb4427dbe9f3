"""How many posts a blog probably has: capture and recapture over two lists.

One list is what the blog lists itself (feed, sitemap, interface), the other what its pages link to. Posts that are on
both tell how complete each is: Chapman's form of the Lincoln-Petersen estimate (Chapman 1951), which stays finite and
nearly unbiased for few posts, with the variance of Seber (1970). The interval is Chao's (1987): the logarithm of the
number of unknown posts is taken as normal, so that it never falls below what is known.

The estimate assumes that being on one list says nothing about being on the other. Both lists favour the same posts as a
rule (what a sitemap leaves out, menus leave out too): then it is too low, and a lower bound rather than a guess.
"""

from __future__ import annotations

from math import exp, log, sqrt

from posterity.model import PostEstimate

_Z = 1.96  # of the normal distribution, for 95 %


def estimated_posts(listed: int, linked: int, both: int) -> PostEstimate | None:
    """Return the estimate from the sizes of two lists and of what they share; None when one of them is empty."""
    if not listed or not linked:
        return None
    known = listed + linked - both
    total = (listed + 1) * (linked + 1) / (both + 1) - 1
    spread = (listed + 1) * (linked + 1) * (listed - both) * (linked - both) / ((both + 1) ** 2 * (both + 2))
    unknown = total - known
    if unknown <= 0:
        return PostEstimate(posts=known, low=known, high=known, listed=listed, linked=linked, both=both)
    factor = exp(_Z * sqrt(log(1 + spread / unknown**2)))
    return PostEstimate(
        posts=round(total),
        low=round(known + unknown / factor),
        high=round(known + unknown * factor),
        listed=listed,
        linked=linked,
        both=both,
    )
