"""Lines that themes write around posts: who posted it and when, its tags, the posts before and after.

They stand in the same element as the text on many old themes, look like its last sentence, and are as long as a short
post. What they begin with is translated with the theme, so a few words of the common languages tell them. A line that
says when, and perhaps who, and nothing else, is one in any language.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from posterity.extract.hybrid.article_odds import multiply_odds
from posterity.extract.hybrid.bylines import names_in, opens_byline
from posterity.extract.hybrid.page_dates import dates_in, may_date, start_of_day

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
_MAX_DAY_LINE = 100
_LITTLE = 4  # letters beside a date that say nothing: "am", "г."
_MAX_DAYS = 2  # above and below a post; an article with more such lines is a diary or a programme
_LIKELY, _A_SENTENCE = 0.5, 40  # characters; 30 to 300 are the same on all sets
_SOME = 0.05  # what is less likely is not taken anyway
_DOUBT = 0.05  # what is left of the odds


def doubt_lines_of_themes(page: Page, likely: Numbers) -> None:
    """Lower the odds of such lines."""
    lines: list[int] = []
    days: list[int] = []
    linked = (page.links > page.chars / 2).tolist()
    for number in np.flatnonzero((likely > _SOME) & (page.chars <= _MAX_LINE)).tolist():
        text = page.blocks.texts[number]
        if _BEGINNINGS.match(text) or (linked[number] and _TO_NEIGHBOURS.search(text)):
            lines.append(number)
        elif _only_tells_when(text):
            days.append(number)
    factor = np.ones(len(likely), np.float32)
    factor[lines] = _DOUBT
    if 0 < len(days) <= _MAX_DAYS and _stands_beside_text(lines + days, page, likely):
        factor[days] = _DOUBT
    multiply_odds(likely, factor)


def _stands_beside_text(lines: list[int], page: Page, likely: Numbers) -> bool:
    """Tell whether something likely is left without these lines; else whatever comes next best would be the article."""
    others = likely >= _LIKELY
    others[lines] = False
    return float(page.chars[others].sum()) >= _A_SENTENCE


def _only_tells_when(text: str) -> bool:
    """Tell whether a line says when something was posted, perhaps by whom, and nothing else."""
    if len(text) > _MAX_DAY_LINE or not may_date(text):
        return False
    dates = dates_in(text, "")
    if not dates:
        return False
    rest = text
    for start, end in sorted({(start_of_day(text, date), date.end) for date in dates}, reverse=True):
        rest = rest[:start] + rest[end:]
    return sum(map(str.isalpha, rest)) <= _LITTLE or (opens_byline(rest) and bool(names_in(rest)))
