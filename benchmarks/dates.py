"""Measures the speed and accuracy of date parsing, compared with dateparser and python-dateutil in the same run.

    python benchmarks/dates.py            a table for the texts below
    python benchmarks/dates.py PAGE.html  times for the short texts of a page; accuracy is still that of the texts below

dateparser searches a text for dates, like Posterity. dateutil only parses texts that are dates, so it skips words
(`fuzzy`); it only knows English. Times are CPU times, the best of three. Languages are loaded before measuring, and
Posterity's cache of parsed texts is cleared before every round.
"""

from __future__ import annotations

import sys
import time
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from dateparser.search import search_dates  # type: ignore[import-untyped]
from dateutil import parser as dateutil_parser  # type: ignore[import-untyped]

from posterity.dom import parse
from posterity.text.dates import read_dates
from posterity.text.dates.reading import forget_texts

if TYPE_CHECKING:
    from collections.abc import Callable

LANGUAGES = ("de", "fr", "en")
DAY = date(2021, 3, 12)
LATER = date(2021, 3, 25)
TEXTS: tuple[tuple[str, date | None], ...] = (
    ("Home", None),
    ("About the author", None),
    ("3 comments", None),
    ("Posted by Anna in Gardening", None),
    ("Read more about hedgehogs in winter", None),
    ("Archive (17)", None),
    ("Version 2.10.2021.4", None),
    ("Call 01.02.03.04.05", None),
    ("© 2004 to 2021", None),
    ("2021-03-12T10:15:00+01:00", DAY),
    ("March 12, 2021", DAY),
    ("Posted on Friday, March 12th, 2021 at 3:05 pm by Anna", DAY),
    ("12. März 2021 um 15:05 Uhr", DAY),
    ("Publié le 12 mars 2021 à 15h05", DAY),
    ("25.03.2021", LATER),
    ("Fri, 12 Mar 2021 10:15:00 +0200", DAY),
)


def posterity_days(text: str) -> set[date]:
    return {found.moment.date() for found in read_dates(text, languages=LANGUAGES)}


def dateparser_days(text: str) -> set[date]:
    return {moment.date() for _, moment in search_dates(text, languages=list(LANGUAGES)) or ()}


def dateutil_days(text: str) -> set[date]:
    try:
        found = dateutil_parser.parse(text, fuzzy=True)
    except (ValueError, OverflowError):
        return set()
    assert isinstance(found, datetime)
    return {found.date()}


READERS: dict[str, Callable[[str], set[date]]] = {
    "posterity": posterity_days,
    "dateparser": dateparser_days,
    "dateutil": dateutil_days,
}


def seconds_per_text(read: Callable[[str], set[date]], texts: list[str], rounds: int) -> float:
    def once() -> float:
        start = time.process_time()
        for _ in range(rounds):
            forget_texts()
            for text in texts:
                read(text)
        return (time.process_time() - start) / rounds / len(texts)

    return min(once() for _ in range(3))


def short_texts(path: str) -> list[str]:
    tree = parse(Path(path).read_bytes()).tree
    return [" ".join(text.split()) for text in tree.text if text.strip() and len(text) < 200]


def main() -> None:
    texts = short_texts(sys.argv[1]) if len(sys.argv) > 1 else [text for text, _ in TEXTS]
    for read in READERS.values():
        for text in texts:
            read(text)
    times = {name: seconds_per_text(read, texts, 20 if name != "dateparser" else 1) for name, read in READERS.items()}
    print(f"{len(texts)} texts; languages {', '.join(LANGUAGES)}")
    for name, read in READERS.items():
        right = sum(read(text) == ({day} if day else set()) for text, day in TEXTS)
        ratio = times[name] / times["posterity"]
        print(f"{name:12} {times[name] * 1e6:9.1f} µs/text {ratio:7.1f} x  own texts right: {right} of {len(TEXTS)}")


if __name__ == "__main__":
    main()
