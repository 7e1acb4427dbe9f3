"""Threads of newer engines and services, and of invented layouts: grid rows, custom elements, figures."""

# ruff: noqa: E501  markup is easier to read in whole lines

from __future__ import annotations

from tests.unit.extraction.comment_engines import Engine
from tests.unit.extraction.comments_by_language import Thread

NEWER: dict[str, Thread] = {
    "discourse embed": Thread(
        "en",
        Engine(
            '<article id="post-{number}" class="post"><a href="#" class="username-avatar"><img src="/a.png" alt=""></a><div class="cooked"><div class="post-info"><a class="username regular" href="{url}">{author}</a><a class="post-date" title="{iso}" href="#p{number}">{day}</a></div>{text}</div></article>',
            '<header><a href="/t/1" class="button">Continue Discussion</a> <span class="replies">{count} replies</span></header>',
            '<footer><a class="button" href="/t/1">Continue Discussion</a></footer>',
            day="%d %B %Y",
            threads=False,
            times=False,
        ),
    ),
    "ghost comments-ui": Thread(
        "en",
        Engine(
            '<div class="flex flex-row w-full"><div class="mb-2 mr-3 flex flex-col"><div class="w-9 h-9"><p class="text-lg font-sans">A</p></div></div><div class="grow"><div class="mb-2 flex"><div><h4 class="font-sans text-base font-bold">{author}</h4><span class="text-sm text-neutral-500"><span>Reader</span><span class="mx-[.3em]">·</span><span title="{day}">{day}</span></span></div></div><div class="mt mb-2 pr-4"><p class="gh-comment-content">{joined}</p></div><div class="flex"><button>2</button><button>Reply</button></div>{kids}</div></div>',
            '<section class="gh-comments"><h2 class="title">Member discussion</h2><span>{count} comments</span>',
            "</section>",
            day="%d %b %Y, %H:%M",
            kids='<div class="ml-4">{kids}</div>',
        ),
    ),
    "valine": Thread(
        "zh",
        Engine(
            '<div class="vcard" id="{hex}"><img class="vimg" src="/g.png"><div class="vh"><div class="vhead"><a class="vnick" rel="nofollow" href="{url}" target="_blank">{author}</a> <span class="vsys">Chrome 80</span> <span class="vsys">Windows 10</span></div><div class="vmeta"><span class="vtime">{day}</span><span class="vat" data-vm-id="{hex}">回复</span></div><div class="vcontent">{text}</div><div class="vreply-wrapper"></div><div class="vquote">{kids}</div></div></div>',
            '<div id="vcomments" class="v"><div class="vcount"><span class="vnum">{count}</span> 评论</div><div class="vcards">',
            "</div></div>",
            day="%Y-%m-%d",
            times=False,
        ),
    ),
    "gitalk": Thread(
        "zh",
        Engine(
            '<div class="gt-comment"><div class="gt-avatar gt-comment-avatar"><img src="/g.png"></div><div class="gt-comment-content"><div class="gt-comment-header"><a class="gt-comment-username" href="{url}">{author}</a><span class="gt-comment-text">发表于</span><span class="gt-comment-date">{day}</span><a class="gt-comment-like">1</a></div><div class="gt-comment-body markdown-body">{text}</div></div></div>',
            '<div class="gt-container"><div class="gt-meta"><span class="gt-counts"><a>{count}</a> 条评论</span></div><div class="gt-comments">',
            "</div></div>",
            day="%Y-%m-%d %H:%M",
            threads=False,
        ),
    ),
    "bitrix": Thread(
        "ru",
        Engine(
            '<div class="blog-comment-line"></div><div class="blog-comment-cont"><div class="blog-comment-info"><div class="blog-author"><a class="blog-author-icon" href="{url}"></a><a href="{url}">{author}</a></div><div class="blog-comment-date">{day}</div></div><div class="blog-clear-float"></div><div class="blog-comment-content">{text}</div><div class="blog-comment-meta"><span class="blog-comment-answer"><a href="#">Ответить</a></span></div></div>',
            '<div class="blog-comments" id="blg-comment-7"><div class="blog-comment-title">Комментарии</div>',
            "</div>",
            day="%d.%m.%Y %H:%M:%S",
            threads=False,
        ),
    ),
    "tilda": Thread(
        "ru",
        Engine(
            '<div class="t-commento__card"><div class="t-commento__top"><div class="t-name t-name_xs">{author}</div><div class="t-descr t-descr_xxs">{day}</div></div><div class="t-text t-text_sm">{joined}</div></div>',
            '<div class="t-container"><div class="t-title t-title_xs">Комментарии ({count})</div>',
            "</div>",
            day="%d.%m.%Y %H:%M",
            threads=False,
        ),
    ),
    "vc.ru": Thread(
        "ru",
        Engine(
            '<div class="comment" data-id="{number}" style="--level: {depth}"><div class="comment__branches"></div><div class="comment__content"><div class="author"><a class="author__avatar" href="{url}"></a><div class="author__main"><a class="author__name" href="{url}">{author}</a></div><div class="author__details"><a class="comment__detail" href="?comment={number}"><time datetime="{iso}">{day}</time></a></div></div><div class="comment__text">{text}</div><div class="comment__actions"><button>Ответить</button><button>Развернуть ветку</button></div></div></div>',
            '<div class="comments"><div class="comments__title">{count} комментариев</div>',
            "</div>",
            day="%d.%m.%Y",
            threads=False,
        ),
    ),
    "dev.to": Thread(
        "en",
        Engine(
            '<details class="comment-wrapper js-comment-wrapper" open><summary><span>Collapse</span></summary><div id="comment-node-{number}" class="comment single-comment-node" data-path="/x/comment/{hex}"><div class="comment__inner"><a href="{url}" class="shrink-0 crayons-avatar"><img alt="{author} profile image" src="/p.png"></a><div class="inner-comment comment__details"><div class="comment__content"><div class="comment__header"><a href="{url}" class="crayons-link crayons-link--secondary">{author}</a><span class="color-base-30">•</span><a href="/x/comment/{hex}" class="comment-date crayons-link"><time datetime="{iso}">{day}</time></a></div><div class="comment__body text-styles">{text}</div></div><footer class="comment__footer"><button>Like</button><a href="#">Reply</a></footer></div></div></div>{kids}</details>',
            '<section id="comments"><header><h2>Top comments <span>({count})</span></h2></header><div class="comments" id="comment-trees-container">',
            "</div></section>",
            day="%b %d",
        ),
    ),
    "hashnode": Thread(
        "en",
        Engine(
            '<div class="css-1ab{odd} flex"><div class="mr-2"><img alt="" src="/p.png"></div><div><div class="flex"><a class="font-semibold" href="{url}">{author}</a><p class="text-sm text-slate-500">Commented on {day}</p></div><div class="prose">{text}</div><div class="flex"><button>Like</button><button>Reply</button></div></div></div>',
            '<section class="blog-comments-root"><h3>Comments ({count})</h3>',
            "</section>",
            day="%b %d, %Y",
            threads=False,
            times=False,
        ),
    ),
    "lemmy": Thread(
        "en",
        Engine(
            '<li class="comment list-unstyled"><article id="comment-{number}" class="details comment-node py-2"><div class="ms-2"><div class="d-flex"><a class="person-listing" href="{url}"><span>{author}</span></a><span class="unselectable">3</span><span class="moment-time" data-tippy-content="{full}">{day}</span></div><div class="comment-content"><div class="md-div">{text}</div></div><button>Reply</button></div></article>{kids}</li>',
            '<h5>Comments</h5><ul class="comments">',
            "</ul>",
            kids='<ul class="comments border-top">{kids}</ul>',
            day="%Y-%m-%d %H:%M",
        ),
    ),
    "hacker news": Thread(
        "en",
        Engine(
            '<tr class="athing comtr" id="{number}"><td><table border="0"><tr><td class="ind" indent="{depth}"><img src="s.gif" height="1" width="{indent}"></td><td valign="top" class="votelinks"><a id="up_{number}" href="#">*</a></td><td class="default"><div style="margin-top:2px"><span class="comhead"><a href="{url}" class="hnuser">{author}</a> <span class="age" title="{iso}"><a href="item?id={number}">{day}</a></span> | <a href="#{number}">next</a> <a class="togg">[-]</a></span></div><br><div class="comment"><div class="commtext c00">{joined}</div><div class="reply"><p><font size="1"><u><a href="reply?id={number}">reply</a></u></font></div></div></td></tr></table></td></tr>',
            '<table border="0" class="comment-tree">',
            "</table>",
            day="on %B %d, %Y",
            times=True,
        ),
    ),
    "wp discuz": Thread(
        "de",
        Engine(
            '<div id="wpd-comm-{number}_0" class="comment wpd_comment_level-{level}"><div class="wpd-comment-wrap"><div class="wpd-comment-left"><div class="wpd-avatar"><img alt="{author}" src="/a.png"></div></div><div id="comment-{number}" class="wpd-comment-right"><div class="wpd-comment-header"><div class="wpd-comment-author"><a href="{url}" rel="noreferrer ugc nofollow">{author}</a></div><div class="wpd-comment-date" title="{day}"><i class="far fa-clock"></i> vor 12 Jahren</div></div><div class="wpd-comment-text">{text}</div><div class="wpd-comment-footer"><div class="wpd-vote">0</div><div class="wpd-reply-button"><span>Antworten</span></div></div></div></div>{kids}</div>',
            '<div class="wpdiscuz_top_clearing"></div><div id="comments" class="comments-area"><div id="wpdcom"><div class="wpd-thread-head"><div class="wpd-thread-info">{count} <span>Kommentare</span></div></div><div id="wpd-threads" class="wpd-thread-wrapper"><div class="wpd-thread-list">',
            "</div></div></div></div>",
            day="%d.%m.%Y %H:%M",
        ),
    ),
    "jetpack": Thread(
        "es",
        Engine(
            '<li class="comment {odd} thread-{odd} depth-{level} wp-block-comment" id="li-comment-{number}"><div class="wp-block-columns"><div class="wp-block-column"><img class="avatar" src="/a.png" alt=""></div><div class="wp-block-column"><div class="wp-block-comment-author-name"><a rel="external nofollow ugc" href="{url}">{author}</a></div><div class="wp-block-group"><div class="wp-block-comment-date"><time datetime="{iso}"><a href="#comment-{number}">{day}</a></time></div></div><div class="wp-block-comment-content">{text}</div><div class="wp-block-comment-reply-link"><a class="comment-reply-link" href="#">Responder</a></div></div></div>{kids}</li>',
            '<div class="wp-block-comments"><h2 class="wp-block-comments-title">{count} respuestas a “Mareas”</h2><ol class="wp-block-comment-template">',
            "</ol></div>",
            kids="<ol>{kids}</ol>",
            day="%d/%m/%Y",
        ),
    ),
    "talkyard": Thread(
        "en",
        Engine(
            '<li id="post-{number}" class="dw-t dw-depth-{depth}"><div class="dw-p" id="post-{number}"><div class="dw-p-hd esPostHd"><a class="dw-p-by esP_By" href="{url}"><span class="esP_By_U">{author}</span></a><a class="dw-p-at" href="#post-{number}"><span class="esTimeExact">{day}</span></a></div><div class="dw-p-bd"><div class="dw-p-bd-blk">{text}</div></div></div><div class="esPA"><a class="dw-a-like">Like</a><a class="dw-a-reply">Reply</a></div>{kids}</li>',
            '<div class="dw-debate"><ol class="dw-res dw-singles">',
            "</ol></div>",
            kids='<ol class="dw-res">{kids}</ol>',
            day="%Y-%m-%d %H:%M",
        ),
    ),
    "fastcomments": Thread(
        "en",
        Engine(
            '<div class="fast-comments-comment" data-fast-comments-comment-id="{hex}"><div class="inner"><div class="avatar-wrapper"><img class="avatar" src="/a.png"></div><div class="comment-upper-right"><a class="user-name" href="{url}">{author}</a><div class="date" title="{full}">{day}</div></div><div class="content"><span>{joined}</span></div><div class="toolbar"><button class="reply">Reply</button><button class="vote">Vote</button></div></div><div class="children">{kids}</div></div>',
            '<div class="fast-comments"><div class="count">{count} Comments</div><div class="comments">',
            "</div></div>",
            day="%B %d, %Y %H:%M",
        ),
    ),
    "openweb": Thread(
        "en",
        Engine(
            '<li class="spcv_list-item" data-spmark="message-{hex}"><article class="components-MessageLayout-index__wrapper"><div class="components-MessageLayout-index__top-wrapper"><div data-testid="user"><span class="src-components-Username-index__username">{author}</span></div><time datetime="{iso}" class="components-MessageDetails-index__date">{day}</time></div><div class="components-MessageLayout-index__message-view"><div class="components-MessageContent-components-Highlightable-index__root">{text}</div></div><div class="components-MessageActions-index__messageActionsWrapper"><button>Reply</button><button>Share</button></div></article>{kids}</li>',
            '<div data-spot-im-class="conversation-root"><h4>Conversation</h4><span>{count} Comments</span><ul class="spcv_messages-list">',
            "</ul></div>",
            kids='<ul class="spcv_children-list">{kids}</ul>',
            day="%d %B, %Y",
        ),
    ),
    "reddit embed": Thread(
        "en",
        Engine(
            '<div class="thing comment noncollapsed" id="thing_t1_{hex}"><p class="parent"><a name="{hex}"></a></p><div class="midcol"><div class="arrow up"></div></div><div class="entry unvoted"><p class="tagline"><a class="expand" href="#">[–]</a><a href="{url}" class="author may-blank">{author}</a> <span class="score unvoted">7 points</span> <time title="{full}" datetime="{iso}" class="live-timestamp">12 years ago</time> <a class="numchildren">(2 children)</a></p><form class="usertext"><div class="usertext-body may-blank-within md-container"><div class="md">{text}</div></div></form><ul class="flat-list buttons"><li><a class="bylink" href="#">permalink</a></li><li><a href="#">embed</a></li></ul></div><div class="child">{kids}</div></div>',
            '<div class="commentarea"><div class="panestack-title"><span class="title">all {count} comments</span></div><div class="sitetable nestedlisting">',
            "</div></div>",
            kids='<div class="sitetable listing">{kids}</div>',
        ),
    ),
    "halo": Thread(
        "zh",
        Engine(
            '<li class="comment-item" id="c-{number}"><div class="item-avatar"><img src="/a.png"></div><div class="item-main"><div class="item-meta"><span class="item-name">{author}</span><span class="item-time">{day}</span><span class="item-os">Mac OS</span></div><div class="item-text">{text}</div><span class="item-reply">回复</span>{kids}</div></li>',
            '<halo-widget><div class="head">{count} 条评论</div><ul>',
            "</ul></halo-widget>",
            kids="<ul>{kids}</ul>",
            day="%Y年%m月%d日 %H:%M",
        ),
    ),
    "xpressengine": Thread(
        "ko",
        Engine(
            '<li class="fdb_itm clear" id="comment_{number}" style="margin-left:{indent}px"><div class="meta"><a href="#popup_menu_area" class="member_{number}">{author}</a> <span class="date">{day}</span></div><div class="comment_{number}_1 xe_content">{text}</div><div class="fdb_nav img_tx"><a class="re_comment" href="#">댓글</a></div></li>',
            '<div id="{count}_comment" class="fdb_lst_wrp"><div class="fdb_tag">댓글 <b>{count}</b></div><ul class="fdb_lst_ul">',
            "</ul></div>",
            day="%Y.%m.%d %H:%M",
        ),
    ),
    "seesaa": Thread(
        "ja",
        Engine(
            '<div class="comment-body">{joined}<div class="posted">Posted by <a href="{url}">{author}</a> at {day}</div></div>',
            '<div class="comments"><a name="comment"></a><h3>この記事へのコメント</h3>',
            "</div>",
            day="%Y年%m月%d日 %H:%M",
            threads=False,
        ),
    ),
    "excite": Thread(
        "ja",
        Engine(
            '<div class="POST_COMMENT"><span class="cmt_name">Commented by <a href="{url}">{author}</a> <span class="cmt_date">at {day}</span></span><div class="cmt_body">{joined}</div></div>',
            '<div class="POST_CMTS"><span class="cmt_head">Commented</span>',
            "</div>",
            day="%Y-%m-%d %H:%M",
            threads=False,
        ),
    ),
    "blogspot contempo": Thread(
        "pt",
        Engine(
            '<li class="comment" id="c{long}"><div class="avatar-image-container"><img src="/a.png" alt=""></div><div class="comment-block"><div class="comment-header"><cite class="user"><a href="{url}" rel="nofollow">{author}</a></cite><span class="icon user"></span><span class="datetime secondary-text"><a rel="nofollow" href="#c{long}">{day}</a></span></div><p class="comment-content">{joined}</p><span class="comment-actions secondary-text"><a class="comment-reply">Responder</a></span></div><div class="comment-replies"><div class="comment-replybox-single"></div>{kids}</div></li>',
            '<section class="comments embed" id="comments"><a name="comments"></a><h3 class="title">{count} comentários:</h3><div id="Blog1_comments-block-wrapper"><ol id="top-ra">',
            "</ol></div></section>",
            kids='<div class="comment-thread inline-thread"><ol>{kids}</ol></div>',
            day="%d/%m/%Y %H:%M",
        ),
    ),
    "cusdis light": Thread(
        "it",
        Engine(
            '<div class="my-4"><div class="flex items-center"><div class="mr-2 font-medium">{author}</div></div><div class="text-gray-500 text-sm">{day}</div><div class="text-gray-500 my-2"><p>{joined}</p></div><div><button class="font-medium text-sm">Rispondi</button></div>{kids}</div>',
            '<div id="cusdis_thread" data-app-id="x"><div class="all:unset">',
            "</div></div>",
            kids='<div class="pl-4 border-l-2">{kids}</div>',
            day="%Y-%m-%d %H:%M",
        ),
    ),
    "telegram": Thread(
        "ru",
        Engine(
            '<div class="tgme_post_discussion_message js-message" data-post-id="{number}"><div class="user_img"><i class="tgme_widget_message_user_photo"><img src="/a.png"></i></div><div class="message_body"><div class="message_author"><a class="author_name" href="{url}"><span dir="auto">{author}</span></a></div><div class="js-message_text message_text" dir="auto">{joined}</div><div class="message_footer"><span class="message_info"><a class="message_date" href="#"><time datetime="{iso}">{day}</time></a></span><span class="message_reply">Ответить</span></div></div></div>',
            '<div class="tgme_discussion"><h3 class="tgme_post_discussion_header">{count} комментариев</h3><div class="tgme_post_discussion_messages">',
            "</div></div>",
            day="%d.%m.%Y",
            threads=False,
        ),
    ),
    "mediawiki": Thread(
        "en",
        Engine(
            '<div class="c-item {odd}" id="comment-{number}"><div class="c-container"><div class="c-user"><a href="{url}" title="User">{author}</a></div><div class="c-time">{day}</div><div class="c-score">Score 0 +-</div><div class="c-comment">{joined}</div><div class="c-actions"><a>Reply</a> | <a href="#comment-{number}">Permalink</a></div></div></div>',
            '<div class="comments-body"><div class="c-form-title">Comments</div>',
            "</div>",
            day="%H:%M, %d %B %Y",
            threads=False,
        ),
    ),
    "forem custom elements": Thread(
        "fr",
        Engine(
            '<x-reponse data-rang="{depth}"><x-tete><x-nom>{author}</x-nom> <x-quand>{day}</x-quand></x-tete><x-corps>{text}</x-corps>{kids}</x-reponse>',
            "<x-fil><h3>{count} réactions</h3>",
            "</x-fil>",
            day="%d/%m/%Y %H:%M",
        ),
    ),
    "bare paragraphs": Thread(
        "en",
        Engine(
            '<p><a href="{url}">{author}</a> ({day}): {joined}</p>',
            "<h4>{count} responses</h4>",
            "",
            day="%Y-%m-%d %H:%M",
            threads=False,
        ),
    ),
    "list with cite behind": Thread(
        "es",
        Engine(
            '<li>{text}<p class="firma">— <cite><a href="{url}">{author}</a></cite>, {day}</p></li>',
            '<h3>Comentarios</h3><ol class="voces">',
            "</ol>",
            day="%d/%m/%Y %H:%M",
            threads=False,
        ),
    ),
    "grid rows": Thread(
        "de",
        Engine(
            '<div role="row" class="zeile"><div role="cell" class="links"><strong>{author}</strong><br>{day} Uhr</div><div role="cell" class="rechts">{text}</div></div>',
            '<h2>{count} Rückmeldungen</h2><div role="table" class="gitter">',
            "</div>",
            day="%d.%m.%Y, %H:%M",
            threads=False,
        ),
    ),
    "blockquote figures": Thread(
        "en",
        Engine(
            '<figure class="m-q"><blockquote>{text}</blockquote><figcaption><a href="{url}">{author}</a> · <time datetime="{iso}">{day}</time></figcaption>{kids}</figure>',
            '<section aria-label="Comments"><h2>What readers said</h2>',
            "</section>",
            day="%B %d, %Y",
        ),
    ),
}
