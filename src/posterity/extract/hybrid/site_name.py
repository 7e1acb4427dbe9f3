"""What a site calls itself, and whether a text is that name rather than a title or a person."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom.structured_data import types_of
from posterity.text.normal_form import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.dom.structured_data import StructuredData

_METAS = ("og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher", "copyright")
_TYPES = frozenset({"WebSite", "Organization", "NewsMediaOrganization", "Corporation", "Blog"})
_MUCH = 0.6  # "The Example Times" and example.com share less than this, "Example Times" and exampletimes.com more


def site_names(host: str, data: StructuredData) -> frozenset[str]:
    """Return the names of the site by their letters and digits: its host, and what its pages declare."""
    labels = host.split(".")
    names = {host, labels[0], labels[-2] if len(labels) > 1 else ""}
    names.update(data.first(meta) for meta in _METAS)
    for item in data.items:
        names.add(_text(data.resolved(item.get("publisher")).get("name")))
        if _TYPES.intersection(types_of(item)):
            names.add(_text(item.get("name")))
    return frozenset(filter(None, map(letters_and_digits, names)))


def is_site_name(text: str, names: Iterable[str]) -> bool:
    """Tell whether a text is one of the names, or differs from it by little."""
    return is_key_of_site(letters_and_digits(text), names)


def is_key_of_site(key: str, names: Iterable[str]) -> bool:
    """Tell the same of the letters and digits of a text."""
    length = len(key)
    return bool(key) and any(
        (name in key and len(name) > _MUCH * length) or (key in name and length > _MUCH * len(name)) for name in names
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
