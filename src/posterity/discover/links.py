"""Links of a page, canonical and without duplicates: pages, translations, sibling sections, icons, stylesheets."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from urllib.parse import urljoin, urlsplit

import msgspec

from posterity.dom import Document
from posterity.dom.document import declared_url
from posterity.dom.media import COMMENT, CSS_IMPORT, CSS_URL, absolute
from posterity.urls import PostPattern, Scope, canonical_url
from posterity.urls.kinds import is_in_section, is_language, is_listing, is_trap

# <link> elements for adjacent pages, lists of posts (older WordPress has one for each month), and other languages.
_LINKS = (
    "a[href], area[href], link[rel~=next][href], link[rel~=prev][href], link[rel~=archives][href], "
    "link[rel~=contents][href], link[rel~=first][href], link[rel~=last][href], "
    "link[rel~=alternate][hreflang][href]:not([type])"
)
# Drop-down lists of months, and clickable cards.
_OTHER_LINKS = "option[value], [data-href], [onclick]"
_IS_PLACE = re.compile(
    r"(?:https?://|\.{0,2}/|\?)[^\s'\"()]+|[^\s'\"():]+\.(?:html?|php|aspx?)(?:[?#]\S*)?", re.IGNORECASE
)
_ON_CLICK = re.compile(
    r"\b(?:location(?:\.href)?\s{0,9}=|(?:location\.(?:assign|replace)|window\.open)\()\s{0,9}['\"]([^'\"]+)"
)


def page_links(document: Document) -> list[str]:
    """Return the URLs that the page links to."""
    return document.fact(_links)


def _links(document: Document) -> list[str]:
    base = document.base_url
    root = urljoin(base, "/")
    hrefs = [*document.attributes(_LINKS, "href"), *_other_links(document)]
    # Absolute paths are resolved against the root: the same links are on every page, so the cache already has them.
    found = (absolute(base if _is_relative(href) else root, href) for href in dict.fromkeys(hrefs))
    return list(dict.fromkeys(canonical_url(link) for link in found if link))


def _other_links(document: Document) -> Iterator[str]:
    """URLs that are opened by a click or a selection instead of a link."""
    for element in document.elements(_OTHER_LINKS):
        clicked = _ON_CLICK.search(element.attrs.get("onclick") or "")
        places = (element.attrs.get("data-href"), element.attrs.get("value"))
        url = clicked[1] if clicked else next(filter(None, places), None)
        if url and _IS_PLACE.fullmatch(url.strip()):
            yield url


_PAGING = re.compile(r"/(?:page|older|p)/?\d+|[?&](?:paged?|offset|start|before|max-date|updated-max)=", re.IGNORECASE)


def may_load_more(document: Document) -> bool:
    """Return whether a front page may load more posts by script: it has scripts and no link to a next page."""
    if not document.has("script") or document.has("link[rel~=next], a[rel~=next]"):
        return False
    return not any(_PAGING.search(url) for url in page_links(document))


def _is_relative(href: str) -> bool:
    """Whether the URL depends on the folder of the page."""
    return not href.startswith(("/", "http://", "https://"))


_DECLARED = "link[rel~=alternate][hreflang][href]:not([type]), a[hreflang][href]"
_MIN_URLS = 2
# A person writes in two or three languages; ten are machine translations.
_MOST_LANGUAGES = 3


def translations_on(document: Document) -> dict[str, str]:
    """Return the declared URLs of the page in other languages on its own host, each with its language code.

    None are returned when there are more languages than a person writes.
    """
    own, found = canonical_url(document.url), dict[str, str]()
    hosts = {urlsplit(url).netloc for url in (own, declared_url(document) or own)}
    for element in document.elements(_DECLARED):
        url = canonical_url(absolute(document.base_url, element.attrs.get("href")) or "")
        if url != own and urlsplit(url).netloc in hosts:
            found.setdefault(url, (element.attrs.get("hreflang") or "").lower())
    return found if len(found) <= _MOST_LANGUAGES else {}


def translated_posts(
    pages: Iterable[Document], scope: Scope, pattern: PostPattern, own_url: Callable[[str], str] = str
) -> dict[str, list[str]]:
    """Return the translations that these posts declare and whose URLs do not fit the pattern, by language.

    `own_url` maps a URL to the blog's host: the pages of a copy name the URLs of the original.
    """
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for page in pages:
        for declared, language in translations_on(page).items():
            url = own_url(declared)
            if scope.is_on_host(url) and not pattern.fits(url):
                found[language][url] = None
    several = {language: list(urls) for language, urls in found.items() if len(urls) >= _MIN_URLS}
    return several if len(several) <= _MOST_LANGUAGES else {}


def sibling_sections(
    own: str, scope: Scope, pattern: PostPattern, linked: Iterable[str], named: Iterable[str]
) -> dict[str, list[str]]:
    """Return candidate folders beside the blog's folder `own` and the URLs in them, the fullest first.

    `linked` are the URLs that the home page links to, `named` all known URLs. If the blog was requested by its folder,
    only folders with a related name count as sections; /projects/ does not.
    """
    if own == "/":
        return {}
    into = {folder for url in linked if scope.is_on_host(url) and (folder := _folder(url, own))}
    found: dict[str, list[str]] = defaultdict(list)
    # The names of folders may be translated, too: /en/travel/ and /tr/seyahat/.
    anywhere = msgspec.structs.replace(pattern, prefix=own) if is_language(own) else PostPattern()
    for url in named:
        folder = _folder(url, own)
        if folder not in into or folder == own or not scope.is_on_host(url) or is_trap(url) or is_listing(url):
            continue
        if scope.folders != ("/",) and not _is_related(folder, own):
            continue
        moved = _move_url(url, folder, own)
        if pattern.fits(moved) or (is_language(folder) and anywhere.is_near(moved)):
            found[folder].append(url)
    fullest = sorted(found, key=lambda folder: -len(found[folder]))
    return {folder: found[folder] for folder in fullest if len(found[folder]) >= _MIN_URLS}


def _folder(url: str, own: str) -> str:
    """The folder of the URL at the depth of the blog's own."""
    deep = own.count("/") - 1
    folders = [folder for folder in urlsplit(url).path.split("/") if folder]
    return f"/{'/'.join(folders[:deep])}/" if len(folders) >= deep else ""


def _is_related(folder: str, own: str) -> bool:
    """Whether one folder name begins with the other (/blog/ and /blog-fr/), or the name is usual for posts."""
    name, own_name = folder.rstrip("/").rpartition("/")[2].lower(), own.rstrip("/").rpartition("/")[2].lower()
    return name.startswith(own_name) or own_name.startswith(name) or is_in_section(f"{folder}x")


def _move_url(url: str, folder: str, own: str) -> str:
    parts = urlsplit(url)
    return parts._replace(path=own + parts.path.removeprefix(folder)).geturl()


# Icons for browser tabs first; icons for home screens of phones only if there are no others.
_ICONS = ("link[rel~=icon][href]", "link[rel~=apple-touch-icon][href]", "link[rel~=apple-touch-icon-precomposed][href]")
_USUAL_ICON = "/favicon.ico"  # the default when a page declares no icon (HTML standard, 4.6.7.8)
_SIZE = re.compile(r"(?<!\d)(\d+)x\d+", re.IGNORECASE)
_LARGEST_ICON = 192  # pixels, as on a phone's home screen; larger ones are pictures


def icon_url(document: Document) -> str:
    """Return the URL of the blog's icon as the page declares it, else the default URL."""
    for selector in _ICONS:
        found = [
            (_size(tree.attrs[0].get("sizes")), url)
            for tree in document.all(selector)
            if (url := absolute(document.base_url, tree.attrs[0].get("href")))
        ]
        if found:
            return max(found, key=lambda pair: pair[0])[1]
    return urljoin(document.url, _USUAL_ICON)


def stylesheets(document: Document) -> list[str]:
    """Return the distinct URLs of the page's stylesheets, without alternate ones."""
    linked = [
        absolute(document.base_url, tree.attrs[0].get("href"))
        for tree in document.all("link[rel~=stylesheet][href]")
        if "alternate" not in (tree.attrs[0].get("rel") or "").lower().split()
    ]
    written = [url for tree in document.all("style") for url in imports(tree.plain(0), document.base_url)]
    return list(dict.fromkeys(url for url in [*linked, *written] if url))


def imports(css: str, base_url: str) -> list[str]:
    """Return the stylesheets that a stylesheet imports."""
    return _urls_in(CSS_IMPORT, css, base_url)


def fonts_and_pictures(css: str, base_url: str) -> list[str]:
    """Return the other URLs in a stylesheet: fonts and images."""
    imported = set(imports(css, base_url))
    return [url for url in _urls_in(CSS_URL, css, base_url) if url not in imported]


def _urls_in(pattern: re.Pattern[str], css: str, base_url: str) -> list[str]:
    named = ("".join(found).partition("#")[0] for found in pattern.findall(COMMENT.sub("", css)))
    return list(dict.fromkeys(url for name in named if (url := absolute(base_url, name))))


def _size(sizes: str | None) -> int:
    """The largest usable size of the icon; 0 without a size, or if all sizes are too large."""
    fitting = [size for found in _SIZE.findall(sizes or "") if (size := int(found)) <= _LARGEST_ICON]
    return max(fitting, default=0)
