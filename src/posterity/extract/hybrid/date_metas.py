"""What kind of date a <meta> element holds, told from its name."""

from __future__ import annotations

import re

_KINDS = {
    "published": (
        "article:published_time og:article:published_time article:published datepublished dc.date.issued "
        "dcterms.issued dc.date.created dcterms.created dc.issued citation_publication_date citation_online_date "
        "citation_date parsely-pub-date sailthru.date pubdate publish-date publish_date published_time publishdate "
        "published-date published datecreated cxenseparse:recs:publishtime cxenseparse:publishtime date-pub "
        "shareaholic:article_published_time article.published publication_date article.created displaydate "
        "og:pubdate og:published_time rnews:datepublished ptime originalpublicationdate"
    ),
    "date": "date dc.date dcterms.date og:date article.date cdate created release_date",
    "modified": (
        "article:modified_time og:updated_time datemodified last-modified dcterms.modified article:modified "
        "revised lastmod updated_time og:article:modified_time shareaholic:article_modified_time dc.date.modified "
        "eomportal-lastupdate"
    ),
}
_KIND_OF_NAME = {name: kind for kind, names in _KINDS.items() for name in names.split()}
_SOME_DATE = re.compile(r"date|time|publish|upload|created")


def kind_of_meta(name: str) -> str | None:
    """Return "published", "modified", "date", or "some" for a name that only sounds like a date; None for others."""
    return _KIND_OF_NAME.get(name) or ("some" if _SOME_DATE.search(name) else None)
