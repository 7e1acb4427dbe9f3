"""Addresses of the pages that nearly every site has beside its posts: about, contact, links, imprint.

They are made with the same template as posts, often dated, and in blogs whose posts lie at the root nothing else tells
them apart. Only the name of a page at the root says so: /2012/links/ is a post about links.
"""

from __future__ import annotations

import re
from urllib.parse import unquote, urlsplit

_WORDS = (
    "about(?:-?(?:me|us|this-(?:blog|site)|the-author))? contact(?:-?(?:me|us))? imprint privacy(?:-policy)? "
    "disclaimer links friends blogroll guest-?book search sitemap login colophon resume cv portfolio "
    # the same in other languages of Latin letters
    "impressum datenschutz(?:erklaerung)? (?:ueber|uber)(?:-?(?:mich|uns))? kontakt a-?propos contacto contato "
    "contatti liens sobre(?:-?mi)? acerca(?:-?de(?:-?mi)?)? chi-sono mentions-legales hakkimda iletisim o-mnie "
    "over-?mij om-?(?:mig|meg|oss) tietoja rol(?:am|unk) o-(?:mne|nas|blogu) quem-sou"
)
_NAME = re.compile(rf"/(?:pages?/|p/)?(?:{_WORDS.replace(' ', '|')})(?:\.\w{{3,5}})?/?", re.IGNORECASE)


def is_service_page(url: str) -> bool:
    """Tell whether the address is a page of that kind at the root of its host."""
    try:
        return _NAME.fullmatch(unquote(urlsplit(url).path)) is not None
    except ValueError:
        return False
