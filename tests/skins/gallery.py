"""The skins, each in the style of a platform or with certain markup. A new one is a template and an entry here.

The templates are original: they have the structure, names and usual parts of their kind, but no line of any theme.
Together they have 17 languages, all kinds of feeds, and dates in every place of a page.
"""

from __future__ import annotations

from datetime import UTC, datetime

from tests.skins.skin import Skin

_LINKS = ("link", "quote", "two lines", "link", "plain", "quote", "note")
_NOTES = ("note", "two lines", "photo", "link", "plain again", "quote")

SKINS: tuple[Skin, ...] = (
    Skin(
        name="blogger-2006",
        url_pattern="/{moment:%Y/%m}/{slug}.html",
        feed="atom",
        comments=True,
        newest=datetime(2006, 9, 3, 12, tzinfo=UTC),
    ),
    Skin(name="blogger", language="es", url_pattern="/{moment:%Y/%m}/{slug}.html", feed="atom", comments=True),
    Skin(
        name="tumblr", url_pattern="/post/{number}/{slug}", signed=False, untitled=3, about="/about", archive="/archive"
    ),
    Skin(
        name="typepad",
        url_pattern="/blog/{moment:%Y/%m}/{slug}.html",
        extent="summary",
        comments=True,
        about="/about.html",
        archive="/blog/archives.html",
        newest=datetime(2007, 2, 11, 12, tzinfo=UTC),
    ),
    Skin(name="octopress", url_pattern="/blog/{moment:%Y/%m/%d}/{slug}/", feed="atom", archive="/blog/archives/"),
    Skin(
        name="hakyll",
        language="pl",
        url_pattern="/posts/{moment:%Y-%m-%d}-{slug}.html",
        feed="atom",
        about="/about.html",
        archive="/archive.html",
    ),
    Skin(name="papermod", language="de", url_pattern="/posts/{slug}/", extent="summary"),
    Skin(name="ananke", language="fr", url_pattern="/posts/{slug}/", extent="summary"),
    Skin(
        name="hexo",
        language="zh",
        url_pattern="/{moment:%Y/%m/%d}/{slug}/",
        feed="atom",
        signed=False,
        archive="/archives/",
    ),
    Skin(name="minima", language="cs", url_pattern="/{moment:%Y/%m/%d}/{slug}.html", feed="atom"),
    Skin(name="tailwind", url_pattern="/blog/{slug}", extent="titles", about="/about", archive="/blog"),
    Skin(
        name="hashed",
        language="fi",
        url_pattern="/{slug}-{number:x}",
        comments=True,
        about="/tietoja",
        archive="/kirjoitukset",
    ),
    Skin(
        name="tables",
        language="hu",
        url_pattern="/archives/{number:06d}.html",
        extent="titles",
        about="/about.html",
        archive="/archive.html",
        newest=datetime(2004, 4, 1, 12, tzinfo=UTC),
    ),
    Skin(
        name="breaks", language="ru", url_pattern="/{number}.html", comments=True, about="/profile", archive="/calendar"
    ),
    Skin(
        name="indieweb",
        url_pattern="/{moment:%Y/%m}/{number}",
        feed="json",
        comments=True,
        untitled=2,
        about="/about",
        archive="/archive",
    ),
    Skin(name="newsletter", url_pattern="/p/{slug}", comments=True, about="/about", archive="/archive"),
    Skin(name="magazine", url_pattern="/{slug}/", extent="summary", authors=3, archive="/latest/"),
    Skin(
        name="wordpress-classic",
        language="el",
        url_pattern="/{moment:%Y/%m/%d}/{slug}/",
        comments=True,
        newest=datetime(2009, 6, 30, 12, tzinfo=UTC),
    ),
    Skin(name="ghost", language="ko", url_pattern="/{slug}/"),
    Skin(name="amp", language="ja", url_pattern="/entry/{number}/amp/", feed="atom"),
    Skin(
        name="docusaurus", language="ko", url_pattern="/blog/{slug}", authors=3, about="/about", archive="/blog/archive"
    ),
    Skin(name="right-to-left", language="ar", url_pattern="/{moment:%Y/%m}/{slug}/", comments=True),
    Skin(
        name="contents-first",
        language="de",
        url_pattern="/{moment:%Y}/{slug}/",
        feed="atom",
        about="/ueber/",
        archive="/archiv/",
    ),
    Skin(
        name="comments-inside",
        language="fr",
        url_pattern="/post/{moment:%Y/%m/%d}/{slug}",
        comments=True,
        about="/pages/a-propos",
        archive="/archive",
    ),
    Skin(name="team", language="he", url_pattern="/story/{number}/", extent="summary", authors=3, comments=True),
    Skin(
        name="drupal-thai", language="th", url_pattern="/node/{number}", comments=True, about="/about", archive="/blog"
    ),
    Skin(
        name="day-in-address",
        language="vi",
        url_pattern="/{moment:%Y/%m/%d}/{slug}.html",
        signed=False,
        about="/about.html",
        archive="/archive.html",
    ),
    Skin(
        name="relative-days",
        url_pattern="/@me/{slug}-{number:x}",
        comments=True,
        about="/about",
        archive="/archive",
        days_between=(1, 2),
    ),
    Skin(name="linklog", url_pattern="/linked/{moment:%Y/%m/%d}/{slug}", kinds=_LINKS, feed="atom"),
    Skin(name="microblog", url_pattern="/{moment:%Y/%m/%d}/{number}.html", kinds=_NOTES, untitled=1, signed=False),
)
