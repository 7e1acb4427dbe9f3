"""Date, author and tags as a page or its address declares them, for pages on which no learned rule finds any.

Open Graph, microdata, microformats and JSON-LD are written by software for other software: most of it is right, some
of it is the date of an edit or the name of the blog. So these values carry a lower confidence than a learned rule's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.declared import declared_terms
from posterity.dom.structured_data import json_ld, names_told
from posterity.extract.found_field import Found, aware
from posterity.model import Provenance
from posterity.text.dates import read_dates
from posterity.urls.day import day_in_address

if TYPE_CHECKING:
    from posterity.dom import Document

# Surest first: (selector, attribute, confidence).
_DATES = (
    ('meta[property="article:published_time"]', "content", 0.8),
    ('meta[itemprop="datePublished"]', "content", 0.8),
    ('time[itemprop="datePublished"]', "datetime", 0.8),
    ("time.dt-published", "datetime", 0.8),
    ("time[pubdate]", "datetime", 0.75),
)
_JSON_LD_CONFIDENCE = 0.75
_ADDRESS_CONFIDENCE = 0.7
_LONE_TIME_CONFIDENCE = 0.6
_MAX_NAME = 80
_MAX_TAGS = 20


def declared_date(document: Document) -> Found | None:
    """Return the date that the page declares, else the day that its address names."""
    for selector, attribute, confidence in _DATES:
        for value in document.attributes(selector, attribute)[:1]:
            found = _read(value, selector, confidence)
            if found:
                return found
    for item in json_ld(document):
        given = item.get("datePublished")
        found = _read(given, "JSON-LD datePublished", _JSON_LD_CONFIDENCE) if isinstance(given, str) else None
        if found:
            return found
    return date_in_address(document.url) or _lone_time(document)


def date_in_address(url: str) -> Found | None:
    """Return the day that the address names with year, month and day, or None."""
    told = day_in_address(url)
    if told is None:
        return None
    fields = {"published": told[0], "published_precision": "day"}
    return Found(fields, Provenance(method="address", rule=told[1], confidence=_ADDRESS_CONFIDENCE))


def declared_authors(document: Document) -> Found | None:
    """Return the authors that the page's JSON-LD names."""
    items = json_ld(document)
    for item in items:
        told = (name for name in names_told(item.get("author"), items) if len(name) <= _MAX_NAME)
        names = tuple(dict.fromkeys(told))
        if names and "headline" in item:
            provenance = Provenance(method="declared", rule="JSON-LD author", confidence=_JSON_LD_CONFIDENCE)
            return Found({"authors": names}, provenance)
    return None


def declared_tags(document: Document) -> Found | None:
    """Return the tags that the page declares; a cloud of them is nobody's."""
    tags, rule = declared_terms(document)
    if not tags or len(tags) > _MAX_TAGS:
        return None
    return Found({"tags": tags}, Provenance(method="declared", rule=rule, confidence=_JSON_LD_CONFIDENCE))


def _lone_time(document: Document) -> Found | None:
    """A page with one <time datetime> dates itself; with several it may date its neighbours."""
    values = set(document.attributes("time[datetime]", "datetime"))
    return _read(values.pop(), "time[datetime]", _LONE_TIME_CONFIDENCE) if len(values) == 1 else None


def _read(value: str, rule: str, confidence: float) -> Found | None:
    readings = read_dates(value)
    if not readings or readings[0].ambiguous:
        return None
    first = readings[0]
    fields = {"published": aware(first, None), "published_precision": first.precision}
    return Found(fields, Provenance(method="declared", rule=rule, confidence=confidence))
