"""What ids and classes call a part of a page: "entry-content", "sidebar", "share", "related".

Authors of themes agree on words. Which words mean what is told twice: by `KINDS`, a list of what people call the parts
of a page, and by a table of how often text under a word belonged to the article, learned from annotated pages
(`tools/train_article.py`).
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from posterity.dom.document import Attributes

# Kinds of parts by the words in their names. A word is a run of letters, or a name with its runs joined by "-".
KINDS: dict[str, str] = {
    "content": "entry-content entry-body entry-text entrybody entrytext entrycontent post-content post-body post-text "
    "post-entry postcontent postbody postentry posttext article-content article-body article-text article-copy "
    "articlecontent articlebody articletext article-main story-content story-body story-text storycontent storybody "
    "storytext blog-content blog-body blogcontent blogbody e-content body-copy bodycopy bodytext body-text page-content "
    "single-content field-name-body content-body maincontent main-content richtext rich-text prose markdown "
    "article-content-body entry-inner post-inner text-content contenttext content-text articlebodytext snap-preview "
    "storycontent description blog-post-content post-single-content td-post-content post-content-body gh-content "
    "wp-block-post-content article-page-content markdown-body",
    "post": "hentry h-entry post blogpost blog-post article entry single-post type-post story blog-entry blogentry "
    "postwrapper post-wrapper article-wrapper blogposting newsarticle item-page node-article",
    "main": "content main primary maincol main-column contents content-area site-main center middle content-main body",
    "comment": "comment comments commentlist comment-list commentlists comment-body comment-content comment-text "
    "commenttext comment-form commentform disqus disqus-thread dsq respond replies reply trackback trackbacks pingback "
    "pingbacks kommentar kommentare cmt livefyre idc commentary-list commentsection comments-area comment-area "
    "commentsarea comment-respond usercomments reader-comments fbcomments commenter",
    "side": "sidebar side widget widgets rail rightcol leftcol right-column left-column rightcolumn leftcolumn aside "
    "secondary tertiary sidecol sidebars widgetarea widget-area right-rail sidebarright sidebarleft rightbar leftbar "
    "rightside leftside",
    "navigation": "nav navi navigation navbar menu submenu menus breadcrumb breadcrumbs pager paging pagination tabs tab "
    "skip topnav mainnav subnav prevnext postnav post-navigation nav-links next previous prev sitemap navlinks "
    "pagenavi pagenav toplinks links dropdown",
    "foot": "footer foot copyright colophon bottom disclaimer legal impressum credits footnav site-info",
    "head": "header masthead topbar banner logo site-title branding tagline hero site-header top site-branding",
    "share": "share sharing social addthis sharedaddy facebook twitter like likes tweet bookmark bookmarks follow addtoany "
    "digg pinterest print email socials share-buttons sharebar sharebuttons sociable shareaholic linkedin whatsapp "
    "buttons toolbar tools jp-sharing",
    "related": "related recommended recommendations recommend also popular trending yarpp outbrain taboola linkwithin "
    "similar latest recent relatedposts related-posts relatedlinks related-articles jp-relatedposts teaser teasers card "
    "cards promo promos featured upnext zergnet headlines more readmore morefrom mostread most-read mostpopular "
    "most-popular listing archive archives carousel slider",
    "about": "meta metadata byline author authors date dates posted tag tags category categories postinfo post-info "
    "timestamp vcard bio postmeta post-meta entry-meta entrymeta postmetadata post-footer entry-footer postfooter label "
    "labels topic topics published keywords author-box authorbox author-bio about dateline time info submitted taxonomy "
    "rating ratings vote votes views edit permalink kicker eyebrow avatar",
    "advert": "ad ads advert adverts advertisement advertising sponsor sponsored sponsors google adsense dfp affiliate "
    "adbox adwrap adunit ad-container leaderboard mpu gpt",
    "sign_up": "newsletter subscribe subscription signup sign-up login signin register form cta donate paywall poll survey "
    "optin contact donation search searchform mailchimp membership rss feed feeds",
    "notice": "cookie cookies consent gdpr popup modal overlay lightbox alert notice tooltip toast dialog drawer banner "
    "offcanvas",
    "unread": "sr-only screen-reader-text screen-reader visually-hidden visuallyhidden hidden hide assistive d-none "
    "offscreen invisible nojs no-js element-invisible u-hidden print-only",
    "caption": "caption photo photos gallery slide slideshow figure image images img wp-caption video media credit "
    "image-caption picture player",
    "contents": "toc table-of-contents tableofcontents toc-container jump",
}
KIND_NAMES = tuple(KINDS)
KIND_BITS: dict[str, int] = {}
for _bit, _words in enumerate(KINDS.values()):
    for _word in _words.split():
        KIND_BITS[_word] = KIND_BITS.get(_word, 0) | 1 << _bit

_PART = re.compile(r"[a-z]+|[A-Z]+(?![a-z])|[A-Z][a-z]+")
_WORD = re.compile(r"[^\W\d_]+|©")
_MAX_SAID = 60  # characters of a text that is judged by its words: a label, not a sentence
_MAX_NAMES = 300  # characters; utility classes can go on for lines
_MAX_WORDS = 16


def joined_names(attrs: Attributes) -> str:
    """Return the id, classes and roles of an element as one text; empty when it has none."""
    names = attrs.get("class") or ""
    if name := attrs.get("id"):
        names = f"{names} {name}"
    if role := attrs.get("role"):
        names = f"{names} {role}"
    if item := attrs.get("itemprop"):
        names = f"{names} {item}"
    return names[:_MAX_NAMES]


def name_words(names: str) -> tuple[str, ...]:
    """Return the names and the words they are made of, in lower case, without digits."""
    found: dict[str, None] = {}
    for name in names.split()[:_MAX_WORDS]:
        parts = [part.lower() for part in _PART.findall(name)]
        if len(parts) > 1:
            found["-".join(parts)] = None
        for word in parts:
            if len(word) > 1:
                found[word] = None
    return tuple(found)


def said_words(text: str) -> list[str]:
    """Return the words of a short text, marked so that they are not taken for names; none of a longer one."""
    if len(text) > _MAX_SAID:
        return []
    words = _WORD.findall(text.lower())
    return [f"{word}." for word in dict.fromkeys(words)]


class NameTable:
    """Words of names with what was learned of them: above 0 where the text below them is article more often."""

    def __init__(self, scores: Mapping[str, float]) -> None:
        self._scores = scores
        # The same names come again on every page of a site.
        self._of_name = lru_cache(maxsize=16_384)(self._one_name)
        self.meaning = lru_cache(maxsize=16_384)(self._meaning)
        self.opinion = lru_cache(maxsize=16_384)(self._opinion)

    def _meaning(self, names: str) -> tuple[int, float]:
        """Return the kinds of part as bits, and the strongest opinions for and against added up."""
        kinds, best, worst = 0, 0.0, 0.0
        for name in names.split()[:_MAX_WORDS]:
            bits, high, low = self._of_name(name)
            kinds |= bits
            if high > best:
                best = high
            if low < worst:
                worst = low
        return kinds, best + worst

    def _one_name(self, name: str) -> tuple[int, float, float]:
        kinds, scores = 0, [0.0]
        for word in name_words(name):
            kinds |= KIND_BITS.get(word, 0)
            scores.append(self._scores.get(word, 0.0))
        return kinds, max(scores), min(scores)

    def _opinion(self, text: str) -> float:
        """Return the mean of what was learned of the words of a short text, such as "Related posts"."""
        found = [score for word in said_words(text) if (score := self._scores.get(word))]
        return sum(found) / len(found) if found else 0.0
