"""What people call the parts of a page: the words in ids and classes by the kind of part they speak of.

A word is a run of letters, or a whole name with its runs joined by "-". The first kinds are names of articles, the
others of what stands around them.
"""

from __future__ import annotations

KINDS: dict[str, str] = {
    # What only the text of one article is called.
    "body": (
        "entry-content entry-body entrybody entrytext entry-text post-body postbody post-content postcontent post-"
        "entry postentry article-body articlebody article-content articlecontent e-content story-body storybody "
        "storycontent story-content td-post-content wp-block-post-content blog-post-content blog-post-body single-"
        "post-content gh-content post-text posttext article-text articletext entry-inner snap-preview post-bodycopy "
        "postmessage post-body-text article-body-text blogbody blog-body bodytext field-name-body node-body "
        "posterous-autopost entry-single single-entry-content post-full-content c-entry-content article-body-content "
        "post-article-body"
    ),
    "content": (
        "entry entry-content entry-body entry-text entrybody entrytext entrycontent post-content post-body post-text "
        "post-entry postcontent postbody postentry posttext article-content article-body article-text article-copy "
        "articlecontent articlebody articletext article-main story-content story-body story-text storycontent "
        "storybody storytext blog-content blog-body blogcontent blogbody e-content body-copy bodycopy bodytext body-"
        "text page-content single-content field-name-body content-body maincontent main-content richtext rich-text "
        "prose markdown article-content-body entry-inner post-inner text-content contenttext content-text "
        "articlebodytext snap-preview description blog-post-content post-single-content td-post-content post-content-"
        "body gh-content wp-block-post-content article-page-content markdown-body"
    ),
    # The article with its title and all that belongs to it.
    "post": (
        "hentry h-entry post blogpost blog-post article entry single-post type-post story blog-entry blogentry "
        "postwrapper post-wrapper article-wrapper blogposting newsarticle item-page node-article"
    ),
    "main": "content main primary maincol main-column contents content-area site-main center middle content-main body",
    "comment": (
        "comment comments commentlist comment-list commentlists comment-body comment-content comment-text commenttext "
        "comment-form commentform disqus disqus-thread dsq respond replies reply trackback trackbacks pingback "
        "pingbacks kommentar kommentare cmt livefyre idc commentary-list commentsection comments-area comment-area "
        "commentsarea comment-respond usercomments reader-comments fbcomments commenter commentbody commentsbody "
        "commentcontent commentblock commentbox commentitem commententry commentwrapper commentpost commentbit "
        "commentmeta commentauthor"
    ),
    "side": (
        "sidebar side widget widgets rail rightcol leftcol right-column left-column rightcolumn leftcolumn aside "
        "secondary tertiary sidecol sidebars widgetarea widget-area right-rail sidebarright sidebarleft rightbar "
        "leftbar rightside leftside"
    ),
    "navigation": (
        "nav navi navigation navbar menu submenu menus breadcrumb breadcrumbs pager paging pagination tabs tab skip "
        "topnav mainnav subnav prevnext postnav post-navigation nav-links next previous prev sitemap navlinks "
        "pagenavi pagenav toplinks links dropdown"
    ),
    "foot": "footer foot copyright colophon bottom disclaimer legal impressum credits footnav site-info",
    "head": "header masthead topbar banner logo site-title branding tagline hero site-header top site-branding",
    "share": (
        "share sharing social addthis sharedaddy facebook twitter like likes tweet bookmark bookmarks follow addtoany "
        "digg pinterest print email socials share-buttons sharebar sharebuttons sociable shareaholic linkedin "
        "whatsapp buttons toolbar tools jp-sharing"
    ),
    "related": (
        "related recommended recommendations recommend also popular trending yarpp outbrain taboola linkwithin "
        "similar latest recent relatedposts related-posts relatedlinks related-articles jp-relatedposts teaser "
        "teasers card cards promo promos featured upnext zergnet headlines more readmore morefrom mostread most-read "
        "mostpopular most-popular listing archive archives carousel slider"
    ),
    "about": (
        "meta metadata byline author authors date dates posted tag tags category categories postinfo post-info "
        "timestamp vcard bio postmeta post-meta entry-meta entrymeta postmetadata post-footer entry-footer postfooter "
        "label labels topic topics published keywords author-box authorbox author-bio about dateline time info "
        "submitted taxonomy rating ratings vote votes views edit permalink kicker eyebrow avatar"
    ),
    "advert": (
        "ad ads advert adverts advertisement advertising sponsor sponsored sponsors google adsense dfp affiliate "
        "adbox adwrap adunit ad-container leaderboard mpu gpt"
    ),
    "sign_up": (
        "newsletter subscribe subscription signup sign-up login signin register form cta donate paywall poll survey "
        "optin contact donation search searchform mailchimp membership rss feed feeds"
    ),
    "notice": (
        "cookie cookies consent gdpr popup modal overlay lightbox alert notice tooltip toast dialog drawer banner "
        "offcanvas"
    ),
    "unread": (
        "sr-only screen-reader-text screen-reader visually-hidden visuallyhidden hidden hide assistive d-none "
        "offscreen invisible nojs no-js element-invisible u-hidden print-only"
    ),
    "caption": (
        "caption photo photos gallery slide slideshow figure image images img wp-caption video media credit image-"
        "caption picture player"
    ),
    "contents": "toc table-of-contents tableofcontents toc-container jump",
}
KIND_NAMES = tuple(KINDS)
WANTED_KINDS = 4  # the first of them
# Every word with the bits of the kinds it speaks of.
KIND_BITS: dict[str, int] = {}
for _bit, _words in enumerate(KINDS.values()):
    for _word in _words.split():
        KIND_BITS[_word] = KIND_BITS.get(_word, 0) | 1 << _bit
