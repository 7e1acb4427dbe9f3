"""Search queries from news: the words of a title, and the words that tell its text from the others, by TF-IDF.

As the BlogBuster authors gathered their corpus: all words from the titles of news items, along with distinctive words
identified through TF/IDF (document 000, section 5). No list of stop words is needed: what stands in every text tells
nothing, in any language.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from typing import TYPE_CHECKING

import msgspec

from posterity.text.normal_form import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

# With only a few texts to compare, "the" and "and" look distinctive; in alphabetic scripts, short words seldom are.
_MIN_LETTERS = 4
_CJK = "\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
# A run of Chinese or Japanese characters is cut into pairs, the usual index terms of languages without spaces.
_TERM = re.compile(rf"[{_CJK}]{{2}}|[^\W_{_CJK}]+(?:[-'’][^\W_{_CJK}]+)*")
# Search services cut long queries or find nothing for them.
MAX_QUERY_WORDS = 12


class NewsItem(msgspec.Struct, frozen=True, kw_only=True):
    """A text that somebody wrote about something: what blogs may have written about too."""

    title: str = ""
    text: str = ""


def queries(items: Sequence[NewsItem], distinctive: int = 4, also: str = "") -> list[str]:
    """Return one query for each item: the words of its title, then its most distinctive ones; equal ones come once.

    `also` is added to each. An item without words gives none.
    """
    weights = _weights([item.title + "\n" + item.text for item in items])
    found = []
    for item, words in zip(items, weights, strict=True):
        title = _terms(one_line(item.title))
        known = {word.casefold() for word in title}
        more = [word for word in key_words(words, distinctive + len(known)) if word not in known][:distinctive]
        chosen = [*title[: MAX_QUERY_WORDS - len(more)], *more]
        if chosen:
            found.append(" ".join([*chosen, *also.split()]))
    return list(dict.fromkeys(found))


def key_words(weights: dict[str, float], count: int) -> list[str]:
    """Return the words that weigh most, the heaviest first."""
    return sorted(weights, key=lambda word: (-weights[word], word))[:count]


def _weights(texts: Sequence[str]) -> list[dict[str, float]]:
    """The TF-IDF weight of every word in each text: (1 + log tf) * log((1 + N) / df)."""
    counts = [Counter(word.casefold() for word in _terms(text) if _is_telling(word)) for text in texts]
    in_texts = Counter(word for count in counts for word in count)
    return [
        {word: (1 + math.log(number)) * math.log((1 + len(texts)) / in_texts[word]) for word, number in count.items()}
        for count in counts
    ]


def _terms(text: str) -> list[str]:
    return _TERM.findall(text)


def _is_telling(word: str) -> bool:
    is_pair = len(word) == 2 and "\u3040" <= word[0] <= "\u9fff"
    is_acronym = len(word) > 1 and word.isupper()
    return is_pair or is_acronym or (len(word) >= _MIN_LETTERS and not word.isdigit())
