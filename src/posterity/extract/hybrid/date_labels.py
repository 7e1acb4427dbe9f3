"""What the words before a date say of it: that something was published, changed, or that it is about something else."""

from __future__ import annotations

import re
from functools import lru_cache

# Of words that end at the same place the first counts: "updated on" holds "on".
_SAYS = {
    "says modified": re.compile(
        r"updat\w*(?: on\b)?|modifi\w*(?: on\b)?|aktualisier\w*(?: am\b)?|ge[äa]ndert(?: am\b)?|\blast\b|letzte\w*|"
        r"edited(?: on\b)?|revis|review|\bstand\b|mis[ea]? à jour|actualiz|aggiornat|bijgewerkt|更新|обновл",
        re.IGNORECASE,
    ),
    "says other": re.compile(
        r"©|copyright|\(c\)|expire|event|termin|until|bis zum|joined|member|since|seit|registr|geboren|born|retrieved|"
        r"accessed|abgerufen|visited",
        re.IGNORECASE,
    ),
    "says published": re.compile(
        r"publi|posted|erschienen|ver[öo]ffentlicht|erstellt|geschrieben|written|created|\bon\b|\bam\b|\bvom\b|datum|"
        r"\bdate|первонач|опубл|发布|時間|时间|发表",
        re.IGNORECASE,
    ),
}


@lru_cache(maxsize=4096)
def said_of_date(label: str) -> str | None:
    """Return the sign of the last word in a label that says what kind of date follows, None when none does."""
    ends = {
        sign: found[-1] for sign, pattern in _SAYS.items() if (found := [hit.end() for hit in pattern.finditer(label)])
    }
    return max(ends, key=ends.__getitem__) if ends else None
