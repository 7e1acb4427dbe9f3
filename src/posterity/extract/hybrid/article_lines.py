"""Lines that themes write around posts: who posted it and when, its tags, the posts before and after.

They stand in the same element as the text on many old themes, look like its last sentence, and are as long as a short
post. What they begin with is translated with the theme, so a few words of the common languages tell them.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from posterity.extract.hybrid.article_odds import multiply_odds

if TYPE_CHECKING:
    from posterity.extract.hybrid.block_page import Page
    from posterity.extract.hybrid.block_surroundings import Numbers

# Left out, since authors begin sentences with them as often: "Related:", "Read more:", "Category:", "Published by".
_BEGINNINGS = re.compile(
    r"\W*(?:"
    r"this (?:entry|post) was\b|posted (?:by|on|in|at|under)\b|(?:filed|archived) under\b|tagged(?: with\b| as\b|:)|"
    r"(?:tags|categories|labels) ?:|permalink\b|trackback|share this\b|e-?mail this\b|bookmark the\b|"
    r"(?:next|previous|older|newer|related) (?:posts?|entry|entries|articles?|story|stories)\b|"
    r"veröffentlicht (?:am|von|in|unter)\b|geschrieben (?:von|am)\b|kategorien? ?:|schlagw[oö]rter?\b|abgelegt unter\b|"
    r"dieser (?:beitrag|eintrag) wurde\b|"
    r"publié (?:le|par|dans)\b|catégories? ?:|classé dans\b|étiquettes ?:|cet article a été\b|"
    r"publicado (?:en|por|el|em)\b|etiquetas ?:|categorías? ?:|archivado en\b|esta entrada fue\b|"
    r"pubblicato (?:in|da|il)\b|categorie ?:|questo articolo è stato\b|"
    r"geplaatst (?:in|op|door)\b|опубликовано\b|рубрик[аи] ?:|метки ?:|投稿日|カテゴリー? ?[:：]|タグ ?[:：])",
    re.IGNORECASE,
)
# "« The post before | Main | The post after »"
_TO_NEIGHBOURS = re.compile(r"^[«‹←]|\| ?(?:main|home) ?\|", re.IGNORECASE)
_MAX_LINE = 300  # characters
_SOME = 0.05  # what is less likely is not taken anyway
_DOUBT = 0.05  # what is left of the odds


def doubt_lines_of_themes(page: Page, likely: Numbers) -> None:
    """Lower the odds of such lines."""
    factor = np.ones(len(likely), np.float32)
    for number in np.flatnonzero((likely > _SOME) & (page.chars <= _MAX_LINE)).tolist():
        if _BEGINNINGS.match(text := page.blocks.texts[number]) or (
            page.links[number] > page.chars[number] / 2 and _TO_NEIGHBOURS.search(text)
        ):
            factor[number] = _DOUBT
    multiply_odds(likely, factor)
