"""Threads of further engines and services, with comments in the language of their users, and parts that are no threads.

The class names of most are not in the lexicon. A thread is read completely, with its first two comments, and with only
the first.
"""

# ruff: noqa: E501  markup is easier to read in whole lines

from __future__ import annotations

from tests.unit.extraction.comment_engines import Engine
from tests.unit.extraction.comments_by_language import Thread

FURTHER: dict[str, Thread] = {
    "dotclear": Thread(
        "fr",
        Engine(
            '<dt id="c{number}" class="{odd}"><a href="#c{number}" class="comment-number">{place}.</a> Le <span>{day}</span> par <a href="{url}" rel="nofollow">{author}</a></dt><dd class="{odd}">{text}</dd>',
            '<div id="comments"><h3>Commentaires</h3><dl>',
            "</dl></div>",
            day="%d/%m/%Y, %H:%M",
            threads=False,
        ),
    ),
    "dotclear 2003": Thread(
        "fr",
        Engine(
            '<p class="infos" id="c{number}">Le {day}, par <strong>{author}</strong></p><blockquote>{text}</blockquote>',
            '<h3 id="co">Commentaires</h3>',
            "",
            day="%d/%m/%Y à %H:%M",
            threads=False,
        ),
    ),
    "typecho": Thread(
        "zh",
        Engine(
            '<li id="comment-{number}" class="comment-body comment-parent comment-{odd}"><div class="comment-author" itemprop="creator"><span itemprop="image"><img class="avatar" src=a.png alt="{author}"></span><cite class="fn" itemprop="name"><a href="{url}" rel="external nofollow">{author}</a></cite></div>'
            '<div class="comment-meta"><a href="/archives/3/#comment-{number}"><time itemprop="commentTime" datetime="{iso}">{day}</time></a></div><div class="comment-content" itemprop="commentText">{text}</div><div class="comment-reply"><a href="?replyTo={number}#respond-post-3" rel="nofollow">回复</a></div>{kids}</li>',
            '<div id="comments"><h3>已有 {count} 条评论</h3><ol class="comment-list">',
            "</ol></div>",
            '<div class="comment-children"><ol class="comment-list">{kids}</ol></div>',
            day="%Y-%m-%d %H:%M",
        ),
    ),
    "z-blog": Thread(
        "zh",
        Engine(
            '<ul class="msg" id="cmt{number}"><li class="msgname"><img class="avatar" src=a.png alt="" width="32">&nbsp;<span class="commentname"><a href="{url}" rel="nofollow" target="_blank">{author}</a></span><br><small>&nbsp;发布于&nbsp;{day}:22&nbsp;&nbsp;<span class="revertcomment"><a href="#comment" onclick="RevertComment(\'{number}\')">回复该评论</a></span></small></li><li class="msgarticle">{joined}{kids}</li></ul>',
            '<label id="AjaxCommentBegin"></label>',
            '<label id="AjaxCommentEnd"></label>',
            day="%Y-%m-%d %H:%M",
        ),
    ),
    "emlog": Thread(
        "zh",
        Engine(
            '<div class="comment" id="comment-{number}"><a name="{number}"></a><div class="avatar"><img src=a.png></div><div class="comment-info"><b>{author}</b><br><span class="comment-time">{day}</span><div class="comment-content">{joined}</div><div class="comment-reply"><a href="#comment-{number}" onclick="commentReply({number},this)">回复</a></div></div>{kids}</div>',
            '<a name="comments"></a><p class="comment-header"><b>评论：</b></p>',
            "",
            day="%Y-%m-%d %H:%M",
        ),
    ),
    "discuz": Thread(
        "zh",
        Engine(
            '<dl id="comment_{number}_li" class="bbda ptm pbm cl"><dd class="m avt"><a href="space-uid-5.html"><img src=a.png></a></dd><dt><span class="y xw0"><a href="spacecp-reply-{number}" onclick="x">回复</a></span><a href="space-uid-5.html" id="author_{number}">{author}</a> <span class="xg1 xw0">{day}</span></dt><dd id="comment_{number}">{joined}</dd></dl>',
            '<div class="bm bw0"><h3 class="bbs pbn">评论 (<span id="comment_replynum">{count}</span> 个评论)</h3><div id="comment_ul" class="xld xlda">',
            "</div></div>",
            day="%Y-%m-%d %H:%M",
            threads=False,
        ),
    ),
    "tistory": Thread(
        "ko",
        Engine(
            '<li id="comment{number}"><div class="rp_general"><span class="name"><img src=a.gif alt=""> <a href="{url}" rel="external nofollow">{author}</a></span> <span class="date">{day} <a href="#" onclick="r" class="address">신고</a></span> <span class="control"><a href="#" class="modify">수정/삭제</a> <a href="#" class="write">댓글쓰기</a></span><p>{joined}</p></div>{kids}</li>',
            '<div class="entryComment"><h3>댓글</h3><ol>',
            "</ol></div>",
            "<ul>{kids}</ul>",
            day="%Y.%m.%d %H:%M",
        ),
    ),
    "naver": Thread(
        "ko",
        Engine(
            '<li class="u_cbox_comment cbox_module__comment_{number} _user_id_no_x"><div class="u_cbox_comment_box"><div class="u_cbox_area"><div class="u_cbox_thumb"><a class="u_cbox_thumb_wrap"><img src=a.png alt="프로필 이미지" class="u_cbox_img_profile"></a></div><div class="u_cbox_info"><span class="u_cbox_info_main"><a href="{url}" class="u_cbox_name"><span class="u_cbox_name_area"><span class="u_cbox_nick_area"><span class="u_cbox_nick">{author}</span></span></span></a></span><span class="u_cbox_info_sub"></span></div>'
            '<div class="u_cbox_text_wrap"><span class="u_cbox_contents">{joined}</span></div><div class="u_cbox_info_base"><span class="u_cbox_date" data-value="{iso}">{day}</span><a class="u_cbox_btn_report"><em class="u_cbox_ico_bar"></em><em class="u_cbox_in_report">신고</em></a></div><div class="u_cbox_tool"><a class="u_cbox_btn_reply"><strong class="u_cbox_reply_txt">답글</strong><span class="u_cbox_reply_cnt">0</span></a><div class="u_cbox_recomm_set"><strong class="u_vc">공감/비공감</strong><a class="u_cbox_btn_recomm"><em class="u_cbox_cnt_recomm">3</em></a></div></div></div></div>{kids}</li>',
            '<div class="u_cbox"><div class="u_cbox_head"><h5 class="u_cbox_title">댓글</h5><span class="u_cbox_count">{count}</span></div><ul class="u_cbox_list">',
            "</ul></div>",
            '<div class="u_cbox_reply_area"><ul class="u_cbox_list">{kids}</ul></div>',
            day="%Y. %m. %d. %H:%M",
        ),
    ),
    "ameba 2009": Thread(
        "ja",
        Engine(
            '<div class="each_comment"><a name="c{number}"></a><p class="comment_title"><span class="comment_title_num">{place} ■</span>無題</p><p class="comment_body">{joined}</p><p class="comment_author"><a href="{url}" rel="nofollow">{author}</a> <span class="comment_date">{day}:20</span></p></div>',
            '<div id="comment_module"><a name="cbox"></a><h2 class="comment_tit">コメント</h2><p class="comment_btn"><a href="#">[コメントをする]</a></p><div id="comment_list">',
            "</div></div>",
            day="%Y-%m-%d %H:%M",
            threads=False,
        ),
    ),
    "ameba": Thread(
        "ja",
        Engine(
            '<li class="skin-commentItem" data-uranus-x><p class="skin-commentTitle">{place}. Re:Tides</p><p class="skin-commentBody">{joined}</p><p class="skin-commentMeta"><a class="skin-commentAuthor" href="{url}">{author}</a> <time class="skin-commentTime">{day}:20</time> <a class="skin-btnText">返信する</a></p></li>',
            '<div class="skin-entryComments"><h2>コメント({count})</h2><ul>',
            "</ul></div>",
            day="%Y-%m-%d %H:%M",
            threads=False,
        ),
    ),
    "fc2": Thread(
        "ja",
        Engine(
            '<h4 class="sub_header"><a name="comment{number}" id="comment{number}"></a>はじめまして</h4><div class="sub_body">{joined}</div><ul class="sub_footer"><li>{day}:22</li> | <li>URL</li> | <li>{author}</li> | <li>#-</li> | <li><a href="?mode=edit&amp;rno={number}">編集</a></li></ul>',
            '<div id="cm" class="sub_content"><h3>コメント</h3>',
            "</div>",
            day="%Y/%m/%d(木) %H:%M",
            threads=False,
        ),
    ),
    "fc2 2006": Thread(
        "ja",
        Engine(
            '<div class="cmt"><h3 class="cmttitle">No title</h3><p class="cmtbody">{joined}</p><p class="cmtinfo">{day} | URL | {author} #- [ <a href="?edit{number}">編集</a>]</p></div>',
            '<div id="comment"><h2>コメント</h2>',
            "</div>",
            day="%Y/%m/%d %H:%M",
            threads=False,
        ),
    ),
    "hatena blog": Thread(
        "ja",
        Engine(
            '<li class="entry-comment" id="comment-13574{number}"><p class="comment-user-name"><span class="comment-nickname" data-user-name="x"><a class="comment-user-id hatena-id-icon" href="{url}">{author}</a></span></p><div class="comment-content">{text}</div><p class="comment-metadata"><time data-relative datetime="{iso}" title="{iso}">{day}</time></p></li>',
            '<div class="comment-box js-comment-box"><ul class="comment js-comment">',
            '</ul><a class="leave-comment-title">コメントを書く</a></div>',
            day="%Y-%m-%d %H:%M",
            threads=False,
        ),
    ),
    "hatena diary": Thread(
        "ja",
        Engine(
            '<p><a name="c{number}"><span class="canchor"><img src=c.gif></span></a><span class="commentator"><a href="{url}">{author}</a></span> <span class="timestamp">{day}</span><br>{joined}</p>',
            '<div class="comment"><div class="caption"><a href="?comment">コメントを書く</a></div><div class="commentshort">',
            "</div></div>",
            day="%Y/%m/%d %H:%M",
            threads=False,
        ),
    ),
    "livedoor": Thread(
        "ja",
        Engine(
            '<li><div class="comment-set" id="comment-{number}"><div class="comment-attr"><span class="comment-number">{place}.</span><span class="comment-author"><a href="{url}">{author}</a></span></div><div class="comment-date">{day}</div><div class="comment-body">{joined}</div></div></li>',
            '<div class="article-comments"><h3>コメント一覧 ({count})</h3><ul id="comment-list">',
            "</ul></div>",
            day="%Y年%m月%d日 %H:%M",
            threads=False,
        ),
    ),
    "cocolog": Thread(
        "ja",
        Engine(
            '<a id="c{number}"></a><div class="comment-{number}"><p>{joined}</p><p class="posted">投稿: <a href="{url}" rel="nofollow">{author}</a> | <a href="#c{number}">{day}</a></p></div>',
            '<h2 id="comments">コメント</h2>',
            "",
            day="%Y年%m月%d日 %H時%M分",
            threads=False,
        ),
    ),
    "substack": Thread(
        "en",
        Engine(
            '<div class="comment" id="comment-77{number}"><div class="pencraft pc-display-flex pc-gap-12"><a href="{url}"><div class="profile-img-wrap"><img alt="{author}\'s avatar" src=a.png></div></a><div class="pencraft pc-display-flex flexGrow"><div class="pencraft meta"><a href="{url}" class="pencraft name-x1">{author}</a><a href="/p/tides/comment/77{number}" class="pencraft date-y2" title="{day}">{day}</a></div><div class="comment-body">{text}</div><div class="pencraft actions"><a>Like (2)</a><a>Reply</a><a>Share</a></div></div></div>{kids}</div>',
            '<div class="single-post-section comments-section"><h4>Discussion about this post</h4><div class="tabs"><button>Comments</button><button>Restacks</button></div><div class="comment-list-container"><div class="comment-list"><div class="comment-list-items">',
            "</div></div></div></div>",
            '<div class="comment-list"><div class="comment-list-collapser"></div><div class="comment-list-items">{kids}</div></div>',
            day="%b %d, %Y",
            times=False,
        ),
    ),
    "medium": Thread(
        "en",
        Engine(
            '<div class="pw-responses-x ab q"><div class="l fd"><div class="ab"><a href="{url}?source=responses"><img alt="{author}" class="l em" src=a.png></a><div class="ln"><div class="ab q"><a class="af ag" href="{url}"><p class="be b dw z">{author}</p></a></div><p class="be b lo z dn">{day}</p></div></div><div class="lp l"><pre class="lq lr"><div class="ls lt">{joined}</div></pre></div><div class="lu ab"><button class="clap">11</button><button><p class="be b z">Reply</p></button></div></div>{kids}</div>',
            '<div class="kz l"><h2 class="be lf">Responses ({count})</h2><div class="lh">',
            "</div></div>",
            '<div class="replies-lx">{kids}</div>',
            day="%b %d, %Y",
            times=False,
        ),
    ),
    "squarespace 5": Thread(
        "en",
        Engine(
            '<div class="comment-wrapper" id="comment{hex}"><div class="body">{text}</div><div class="comment-footer-wrapper"><div class="signature">{day} | <span class="unregistered-author-icon"><span class="unregistered-author"><a href="{url}" rel="nofollow">{author}</a></span></span></div></div></div>',
            '<div class="journal-comment-area-wrapper"><div class="caption">Reader Comments ({count})</div>',
            "</div>",
            day="%B %d, %Y at %I:%M%p",
            threads=False,
        ),
    ),
    "squarespace 7": Thread(
        "en",
        Engine(
            '<div class="comment clear" id="comment-{hex}"><div class="comment-header"><div class="comment-avatar"><img src=a.png></div><span class="author"><a href="{url}">{author}</a></span><span class="date" title="{day}">14 years ago</span><span class="likes-count">0 Likes</span></div><div class="comment-body">{text}</div><div class="comment-btn-wrapper"><span class="comment-btn">Reply</span></div><div class="replies">{kids}</div></div>',
            '<div class="squarespace-comments"><div class="comment-header-wrapper"><h2>Comments ({count})</h2><div class="sort">Newest First <span>Oldest First</span></div></div><div class="comment-list">',
            "</div></div>",
            day="%B %d, %Y %I:%M%p",
        ),
    ),
    "weebly": Thread(
        "en",
        Engine(
            '<div class="blogCommentOuter blogCommentLevel{depth}" style="margin-left:{indent}px" id="comment-{number}"><div class="blogComment"><div class="blogCommentHeading"><div class="blogCommentHeadingInner"><div class="blogCommentAuthor"><span class="name"><a target="_blank" href="{url}" rel="nofollow">{author}</a></span></div><div class="blogCommentDate"><span class="date">{day}:34</span></div></div></div><div class="blogCommentText">{text}</div><div class="blogCommentReply"><a href="javascript:;">Reply</a></div></div></div>',
            '<div class="blogCommentSection"><div class="blogCommentSectionTitle" id="commentAreaTitle">{count} Comments</div><div id="commentArea">',
            "</div></div>",
            day="%m/%d/%Y %H:%M",
        ),
    ),
    "wix": Thread(
        "es",
        Engine(
            '<div data-hook="comment-{number}" class="s1xKYZ"><div class="JsR0u"><div class="dFh1r"><div role="img" class="GVZv2"></div></div><div class="d3Azz"><div data-hook="comment-author" class="Q4wPp">{author}</div><div class="rR6vG"><span data-hook="time-ago" class="f0kD3">{day}</span></div></div></div><div class="iFHn8"><div class="Sq5oA">{text}</div></div><div class="jA3Rd"><button class="w6bKl">Me gusta</button><button class="oNa7m">Reaccionar</button></div><div class="r3pL9">{kids}</div></div>',
            '<section class="b2wqT"><h2 class="tL0fP">{count} comentarios</h2><div class="z2rEv">',
            "</div></section>",
            day="%d/%m/%Y",
            times=False,
        ),
    ),
    "coral": Thread(
        "en",
        Engine(
            '<div class="IndentedComment-root coral-indent-{depth}" style="padding-left:{indent}px"><article id="comment-{hex}" class="coral coral-comment coral-reacted-0" data-testid="comment-{hex}"><div class="coral-comment-topBar"><button class="coral-username coral-comment-username"><span>{author}</span></button> <button class="coral-timestamp"><time datetime="{iso}" title="{day}">{day}</time></button></div><div class="coral-content coral-comment-content">{text}</div><div class="coral-comment-buttonBar"><button>Respect</button><button>Reply</button><button>Share</button><button>Report</button></div></article></div>',
            '<div id="coral_thread"><div class="coral-tabBar"><span>Comments</span> <span class="coral-counter">{count}</span></div><div id="comments-allComments-log" role="log">',
            "</div></div>",
        ),
    ),
    "vuukle": Thread(
        "en",
        Engine(
            '<div class="v-comment-wrap v-lvl-{depth}" style="margin-left:{indent}px"><div class="v-avatar">A</div><div class="v-c-right"><div class="v-user-row"><span class="v-username">{author}</span><span class="v-dot">•</span><span class="v-when">{day}</span></div><div class="v-c-text">{text}</div><div class="v-acts"><span>▲ 3</span><span>▼ 0</span><span>Reply</span><span>Share</span></div></div></div>',
            '<div id="vuukle-comments"><div class="v-top"><b>{count}</b> comments</div><div class="v-sort">Best | Latest | Oldest</div>',
            "</div>",
            day="%d %b %Y %H:%M",
        ),
    ),
    "commentics": Thread(
        "it",
        Engine(
            '<section class="cmtx_comment_section"><article class="cmtx_comment_box cmtx_clear" data-cmtx-comment-id="{number}" itemprop="comment" itemscope itemtype="https://schema.org/Comment"><div class="cmtx_content_area"><div class="cmtx_user_area"><div><div class="cmtx_gravatar_area"><img src=a.png class="cmtx_gravatar"></div></div></div><div class="cmtx_main_area"><div class="cmtx_user_container"><div class="cmtx_user_area_1"><span class="cmtx_name cmtx_name_without_website"><span class="cmtx_name_text" itemprop="author">{author}</span></span></div><div class="cmtx_date_area"><time class="cmtx_date" datetime="{iso}" title="{day}" itemprop="dateCreated">{day}</time></div></div><div class="cmtx_comment_area" itemprop="text">{text}</div><div class="cmtx_action_area"><a class="cmtx_vote_link"><span class="cmtx_vote_count">0</span></a><a class="cmtx_reply_link">Rispondi</a></div></div></div></article>{kids}</section>',
            '<div id="cmtx_container"><div class="cmtx_comments_container"><h3 class="cmtx_comments_heading">Commenti ({count})</h3><div class="cmtx_comment_boxes">',
            "</div></div></div>",
            '<div class="cmtx_reply_container">{kids}</div>',
            day="%d/%m/%Y %H:%M",
        ),
    ),
    "hashover": Thread(
        "en",
        Engine(
            '<div id="hashover-c{number}" class="hashover-comment"><div class="hashover-header"><span class="hashover-avatar"><a href="#hashover-c{number}">#{place}</a></span></div><div class="hashover-balloon"><div class="hashover-header"><span class="hashover-comment-name hashover-name-plain"><a href="{url}" rel="noopener noreferrer nofollow">{author}</a></span> <a href="#hashover-c{number}" class="hashover-date-permalink" title="Permalink">{day}</a></div><div class="hashover-content">{joined}</div><div class="hashover-footer"><span class="hashover-likes"></span> <a class="hashover-comment-reply" href="?reply">Reply</a></div></div>{kids}</div>',
            '<div id="hashover" class="hashover"><div id="hashover-count-wrapper"><span id="hashover-count">Showing {count} Comments</span></div><div id="hashover-sort-section">',
            "</div></div>",
            day="%B %d, %Y at %I:%M%p",
        ),
    ),
    "staticman": Thread(
        "en",
        Engine(
            '<article id="comment{place}" class="js-comment comment" itemprop="comment" itemscope itemtype="https://schema.org/Comment"><div class="comment__avatar-wrapper"><img class="comment__avatar" src=a.png alt="{author}"></div><div class="comment__content-wrapper"><h3 class="comment__author" itemprop="author" itemscope><a rel="external nofollow" itemprop="url" href="{url}"><span itemprop="name">{author}</span></a></h3><p class="comment__date"><a href="#comment{place}" itemprop="url"><time datetime="{iso}" itemprop="datePublished">{day}</time></a></p><div itemprop="text">{text}</div></div></article>',
            '<div class="page__comments"><h4 class="page__comments-title">Comments</h4><section class="js-comments">',
            "</section></div>",
            threads=False,
        ),
    ),
    "webmention.io": Thread(
        "en",
        Engine(
            '<li class="wm-reply"><a class="reaction" rel="nofollow ugc" title="{author} replied" href="{url}status/{number}"><img src=a.png alt="" loading="lazy"></a> <a class="source" rel="nofollow ugc" href="{url}">{author}</a> <span class="text">{joined}</span></li>',
            '<div id="webmentions"><h2>Responses</h2><ul class="wm-list">',
            '</ul><h2>Reactions</h2><ul class="wm-reacts"><li><a class="reaction" rel="nofollow ugc" title="Zoe liked" href="http://z.example/"><img src=z.png>❤️</a></li></ul></div>',
            threads=False,
            dates=False,
        ),
    ),
    "cactus": Thread(
        "en",
        Engine(
            '<div class="cactus-comment"><div class="cactus-comment-avatar"><div class="cactus-comment-avatar-placeholder"><p class="cactus-matrixto-placeholder">A</p></div></div><div class="cactus-comment-content"><div class="cactus-comment-header"><p class="cactus-comment-displayname"><a href="https://matrix.to/#/@x:cactus.chat">{author}</a></p><p class="cactus-comment-time" title="{day}">13 years ago</p></div><div class="cactus-comment-body"><div class="cactus-message-text">{text}</div></div></div></div>',
            '<div class="cactus-container"><div class="cactus-editor"><div class="cactus-editor-above"><p class="cactus-editor-name"></p></div><textarea placeholder="Add a comment"></textarea><button class="cactus-button">Post</button></div><div class="cactus-comments-container"><div class="cactus-comments-list">',
            "</div></div></div>",
            threads=False,
        ),
    ),
    "jcomments": Thread(
        "ru",
        Engine(
            '<div class="{odd}" id="comment-item-{number}"><div class="rbox"><div class="rbox_tr"><div class="rbox_m"><div class="comment-box usertype-guest"><span class="comments-vote"><span class="vote-none">0</span></span><a class="comment-anchor" href="/tides#comment-{number}" id="comment-{number}">#{place}</a> <span class="comment-author">{author}</span> <span class="comment-date">{day}</span><div class="comment-body" id="comment-body-{number}">{joined}</div><span class="comments-buttons"><a href="#" onclick="x">Цитировать</a></span></div></div></div></div></div>{kids}',
            '<div id="jc"><div id="comments"><h4>Комментарии</h4><div id="comments-list" class="comments-list">',
            "</div></div></div>",
            '<div class="comments-list">{kids}</div>',
            day="%d.%m.%Y %H:%M",
        ),
    ),
    "k2": Thread(
        "en",
        Engine(
            '<li class="{odd}"><span class="commentLink"><a href="/tides#comment{number}" name="comment{number}" id="comment{number}">Comment Link</a></span><img src=a.png alt="{author}" width="48"><span class="commentDate">{day}</span> <span class="commentAuthorName">posted by <a href="{url}" title="{author}" target="_blank" rel="nofollow">{author}</a></span><p>{joined}</p><span class="commentToolbar"><a href="#">Report</a></span><br class="clr"></li>',
            '<a name="itemCommentsAnchor" id="itemCommentsAnchor"></a><div class="itemComments"><h3 class="itemCommentsCounter"><span>{count}</span> comments</h3><ul class="itemCommentsList">',
            "</ul></div>",
            day="%A, %d %B %Y %H:%M",
            threads=False,
        ),
    ),
    "ghost": Thread(
        "en",
        Engine(
            '<div class="flex w-full flex-row"><div class="mb-2 mr-2 flex flex-col items-center"><div class="flex-0 mb-3"><figure class="relative h-9 w-9"><div class="flex items-center"><p class="font-sans text-lg">A</p></div></figure></div></div><div class="grow"><div class="-mt-[3px] mb-2 flex flex-wrap"><h4 class="font-sans text-base font-bold">{author}</h4><div class="flex items-baseline font-sans text-sm"><span><span class="mx-[0.3em]">·</span>{day}</span></div></div><div class="mt mb-2 pr-4"><div class="gh-body">{text}</div></div><div class="flex items-center gap-4"><button type="button">2</button><button type="button">Reply</button></div><div class="mb-4 mt-8">{kids}</div></div></div>',
            '<section class="ghost-display flex flex-col"><div class="mb-12"><h2>Member discussion</h2><p>{count} comments</p></div>',
            "</section>",
            day="%b %d, %Y",
            times=False,
        ),
    ),
    "pixnet": Thread(
        "zh",
        Engine(
            '<ul class="single-post"><a name="comment-{number}"></a><li class="post-info"><span class="floor">#{place} </span><span class="user-name"><a href="{url}">{author}</a></span>於 <span class="post-time">{day}</span></li><li class="post-text">{text}</li></ul>',
            '<div id="comment"><h3 class="inner">留言列表 ({count})</h3><div id="comment-text">',
            "</div></div>",
            day="%Y/%m/%d %H:%M",
            threads=False,
        ),
    ),
    "over-blog": Thread(
        "fr",
        Engine(
            '<div class="ob-comment"><img class="ob-avatar" src=a.png alt="{author}"><p class="ob-info"><span class="ob-user"><span class="ob-name">{author}</span></span> <span class="ob-date">{day}</span></p><p class="ob-message"><span class="ob-text">{joined}</span></p><p class="ob-reply"><a class="ob-link">Répondre</a></p>{kids}</div>',
            '<div class="ob-comments"><span class="ob-title">Commenter cet article</span><div class="ob-list">',
            "</div></div>",
            '<div class="ob-replies">{kids}</div>',
            day="%d/%m/%Y %H:%M",
        ),
    ),
    "canalblog": Thread(
        "fr",
        Engine(
            '<a name="c{number}"></a><h3>Tides</h3><p>{joined}</p><div class="itemfooter">Posté par <a href="{url}" rel="nofollow">{author}</a>, {day} | <a href="?rid={number}#reply">Répondre</a></div>',
            '<div class="blogbody" id="comments"><h3 class="dateheader">Commentaires</h3>',
            "</div>",
            day="%d mai %Y à %H:%M",
            threads=False,
        ),
    ),
    "sapo": Thread(
        "pt",
        Engine(
            '<div class="comment-wrap" style="margin-left:{indent}px"><a name="t{number}"></a><div class="comment_head">De <a href="{url}" rel="nofollow"><b>{author}</b></a> a {day}</div><div class="comment_body">{joined}</div><div class="comment_foot"><a href="?replyto={number}">Responder</a> {parent_paren}</div></div>',
            '<div class="comentarios"><h3>{count} comentários</h3>',
            "</div>",
            day="%d de Maio de %Y às %H:%M",
        ),
    ),
    "blog.hu": Thread(
        "hu",
        Engine(
            '<div class="comment" id="c{number}"><h4 class="cim"><a href="{url}" class="nick">{author}</a> <a class="time" href="#c{number}">{day}:07</a></h4><div class="commentText">{joined}</div><div class="lab"><a href="#">Válasz erre</a></div></div>',
            '<div id="comments"><h3>Kommentek:</h3><p class="disclaimer">A hozzászólások a vonatkozó jogszabályok értelmében felhasználói tartalomnak minősülnek.</p>',
            "</div>",
            day="%Y.%m.%d. %H:%M",
            threads=False,
        ),
    ),
    "antville": Thread(
        "de",
        Engine(
            '<a name="{number}"></a><div class="reply lvl{depth}" style="margin-left:{indent}px"><p class="historyItem"><a href="{url}">{author}</a>, {day}</p><div>{joined}</div><p class="links"><a href="/stories/{number}/comment">antworten</a></p></div>',
            '<p class="storylinks">{count} Kommentare</p>',
            "",
            day="%d.%m.%Y, %H:%M",
        ),
    ),
    "slashcode": Thread(
        "en",
        Engine(
            '<li id="tree_{number}" class="comment full"><div id="comment_top_{number}" class="commentTop"><div class="title"><h4><a href="//x.example/c?cid={number}">Re:{first_words}</a> <span class="score">(Score:2)</span></h4></div><div class="details">by <a href="{url}">{author}</a> on {day} (<a href="?cid={number}">#{number}</a>)</div></div><div class="commentBody"><div id="comment_body_{number}">{joined}</div></div><div class="commentSub"><a href="?op=Reply">Reply to This</a> {parent_paren}</div>{kids}</li>',
            '<div id="discussion2"><div class="commentBoxLinks">{count} comments</div><ul id="commentlisting">',
            "</ul></div>",
            "<ul>{kids}</ul>",
            day="%A %B %d, %Y @%I:%M%p",
        ),
    ),
    "spacer tables": Thread(
        "en",
        Engine(
            '<tr class="athing"><td><table border="0"><tr><td class="ind"><img src="s.gif" height="1" width="{indent}"></td><td valign="top" class="votelinks"><a href="vote?id={number}"><div class="votearrow"></div></a></td><td class="default"><div><span class="comhead"><a href="user?id=x" class="hnuser">{author}</a> <span class="age" title="{iso}"><a href="item?id={number}">on {day}</a></span> <span class="navs">| <a href="#x">next</a> [–]</span></span></div><br><div class="commtext">{joined}</div><div class="reply"><a href="reply?id={number}">reply</a></div></td></tr></table></td></tr>',
            '<table class="comment-tree">',
            "</table>",
            day="%b %d, %Y",
            times=False,
        ),
    ),
    "roller": Thread(
        "en",
        Engine(
            '<div class="comment {odd}" id="comment{place}"><p>{joined}</p><p class="comment-details">Posted by <b><a rel="nofollow" href="{url}">{author}</a></b> on {day} UTC <a href="#comment-13{number}" class="entrypermalink" title="comment permalink">#</a></p></div>',
            '<div class="comments" id="comments"><p class="comments-title">Comments:</p>',
            "</div>",
            day="%B %d, %Y at %I:%M %p",
            threads=False,
        ),
    ),
    "subtext": Thread(
        "en",
        Engine(
            '<div class="comment"><h4><a title="permalink: re: Tides" href="#{number}">#</a> <a name="{number}"></a>re: Tides</h4><div class="commentText">{text}</div><div class="commentInfo">{day} | <a target="_blank" href="{url}" rel="nofollow">{author}</a></div></div>',
            '<div id="comments"><h3>Feedback</h3>',
            "</div>",
            day="%m/%d/%Y %I:%M %p",
            threads=False,
        ),
    ),
    "community server": Thread(
        "en",
        Engine(
            '<li><div class="post-head">{day} by <strong><a href="{url}">{author}</a></strong></div><h4>#&nbsp;re: Tides</h4><div class="post-words">{text}</div></li>',
            '<div id="feedback"><h3>Comments</h3><ul class="feedback-ul">',
            "</ul></div>",
            day="%A, %B %d, %Y %I:%M %p",
            threads=False,
        ),
    ),
    "blogengine.net": Thread(
        "en",
        Engine(
            '<div id="id_{hex}" class="vcard comment"><p class="date">{day}:22 <a href="#id_{hex}">#</a></p><p class="gravatar"><img src=a.png alt="{author}"></p><p class="content">{joined}</p><p class="author"><a href="{url}" rel="nofollow" class="url fn">{author}</a> <img src="de.png" class="flag" title="Germany" alt="Germany"> | <a href="#" class="reply-to-comment">Reply</a></p></div>',
            '<h1 id="comment">Comments</h1><div id="commentlist">',
            "</div>",
            day="%m/%d/%Y %H:%M",
            threads=False,
        ),
    ),
    "habr": Thread(
        "ru",
        Engine(
            '<li class="content-list__item js-comment" rel="{number}"><span class="parent_id" data-parent_id="0"></span><div class="cmt-inner" id="comment_{number}"><div class="comment__head"><a href="{url}" class="user-info"><img src=a.png><span class="user-info__nickname">{author}</span></a><time class="comment__date-time">{day}</time><ul class="inline-list"><li><a href="#comment_{number}">#</a></li><li><a href="#">Закладка</a></li></ul><div class="voting">+5</div></div><div class="comment__message">{joined}</div><div class="comment__footer"><a href="#">ответить</a></div></div>{kids}</li>',
            '<div class="comments-section" id="comments"><header><h2>Комментарии <span>{count}</span></h2></header><ul class="content-list_comments">',
            "</ul></div>",
            '<ul class="content-list_nested">{kids}</ul>',
            day="%d мая %Y в %H:%M",
        ),
    ),
    "ucoz": Thread(
        "ru",
        Engine(
            '<div class="comEnt" id="comEnt{number}" style="margin-left:{indent}px"><table border="0" cellpadding="0" cellspacing="0" width="100%" class="cBlock1"><tr><td style="padding:3px;"><div class="cTop"><div class="cTopRight"></div><div class="cTopLeft"><span class="cNumber">{place}</span> <a href="{url}"><b>{author}</b></a> &nbsp; (<span class="cDate">{day}</span>)</div></div><div class="cMessage">{joined}</div><div class="cAnswer"><a href="#">Ответить</a></div></td></tr></table></div>',
            '<table border="0" width="100%"><tr><td width="60%">Всего комментариев: <b>{count}</b></td></tr></table>',
            "",
            day="%d.%m.%Y %H:%M",
        ),
    ),
    "dle": Thread(
        "ru",
        Engine(
            '<div id="comment-id-{number}"><div class="bcomment"><div class="dtop"><div class="lcol"><span><a href="#">#{place}</a></span></div><div class="rcol"><span class="reg">Регистрация: 1.02.2010</span><h3><a href="{url}">{author}</a></h3> {day}</div></div><div class="cominfo">Группа: Посетители</div><div class="dcont"><div id="comm-id-{number}">{joined}</div></div><div class="dbottom"><a href="#">Цитировать</a></div></div></div>',
            '<div id="dle-comments-list">',
            "</div>",
            day="%d мая %Y %H:%M",
            threads=False,
        ),
    ),
    "blogfa": Thread(
        "fa",
        Engine(
            '<div class="box"><div class="author">نویسنده: <a href="{url}" rel="nofollow">{author}</a></div><div class="date">{day}</div><div class="body">{joined}</div></div>',
            '<div class="nazarat"><h3>نظرات ({count})</h3>',
            "</div>",
            day="%Y/%m/%d %H:%M",
            threads=False,
        ),
    ),
    "publify": Thread(
        "en",
        Engine(
            '<li class="comment {odd}" id="comment-{number}"><div class="c_author"><cite><strong><a href="{url}" rel="nofollow">{author}</a></strong> said <abbr title="{iso}">about 13 years ago</abbr>:</cite></div><div class="c_content">{text}</div></li>',
            '<h4 class="blueblk">Comments</h4><ol class="comment-list" id="commentList">',
            "</ol>",
            threads=False,
        ),
    ),
    "mephisto": Thread(
        "en",
        Engine(
            '<li id="comment_{number}"><p class="meta">{author} <span>{day}</span></p><div class="said">{text}</div></li>',
            '<div id="comments"><h3>{count} comments</h3><ol class="comments">',
            "</ol></div>",
            day="%d %b %Y %H:%M",
            threads=False,
        ),
    ),
    "xanga": Thread(
        "en",
        Engine(
            '<table class="blogbody" width="100%"><tr><td width="80" valign="top" align="center"><a href="{url}"><img src=a.jpg border=0></a></td><td valign="top">{joined}<div class="smalltext"><br>Posted {day} by <a href="{url}">{author}</a> - <a href="#">reply</a></div></td></tr></table>',
            '<div class="blogheader">{count} Comments</div>',
            "",
            day="%m/%d/%Y %I:%M %p",
            threads=False,
        ),
    ),
    "plone": Thread(
        "en",
        Engine(
            '<div class="discussionItem replyTreeLevel{depth} state-published" style="margin-left:{indent}px" id="{number}13"><div class="commentImage"><a href="{url}"><img src=a.png class="defaultUserImage"></a></div><div class="documentByLine"><a href="{url}">{author}</a> says: <div class="commentDate">{day}</div></div><div class="commentBody">{text}</div><div class="commentActions"><button>Reply</button></div></div>',
            '<div class="discussion">',
            "</div>",
            day="%b %d, %Y %I:%M %p",
        ),
    ),
    "hr and strong": Thread(
        "es",
        Engine(
            "<p><strong>{author}</strong> dijo el {day}:</p>{text}",
            "<h3>Comentarios</h3>",
            "<hr>",
            between="<hr>",
            day="%d/%m/%Y a las %H:%M",
            threads=False,
        ),
    ),
    "numbered fonts": Thread(
        "pt",
        Engine(
            '<font size="2"><b>{place}. {author}</b> <i>{day}</i><br>{joined}</font><br><br>',
            '<a name="comentarios"></a><font size="3"><b>Comentários:</b></font><br>',
            "",
            day="%d/%m/%Y %H:%M",
            threads=False,
        ),
    ),
    "tailwind german": Thread(
        "de",
        Engine(
            '<li class="py-4"><div class="flex items-center gap-2"><img class="h-8 w-8 rounded-full" src=a.png alt=""><span class="text-sm font-semibold">{author}</span><span class="text-xs text-gray-500">{day} Uhr</span></div><div class="mt-2 text-gray-700">{text}</div>{kids}</li>',
            '<section class="mt-12 border-t"><h2 class="text-xl">Was Leserinnen und Leser dazu sagen</h2><ul class="divide-y">',
            "</ul></section>",
            '<ul class="ml-8">{kids}</ul>',
            day="%d.%m.%Y %H:%M",
        ),
    ),
}


# Parts of pages beside the article that are not comments.
WITHOUT: dict[str, str] = {
    "recent comments with dates": '<div class="module"><h3>Recent Comments</h3><ul><li><a href="/2012/moon#c1">Bob</a> on The moon, May 3, 2012: "It rises later every day"</li><li><a href="/2012/nets#c2">Zoe</a> on Nets, May 4, 2012: "I mend mine in winter"</li><li><a href="/2012/ropes#c3">Ada</a> on Ropes, May 5, 2012: "Hemp is best"</li></ul></div>',
    "recent comments in german": '<div class="kasten"><h3>Letzte Kommentare</h3><ul><li><b>Bob</b> zu <a href="/a">Der Mond</a> (3.5.2012)<br>Er geht jeden Tag später auf.</li><li><b>Zoe</b> zu <a href="/b">Netze</a> (4.5.2012)<br>Ich flicke meine im Winter.</li></ul></div>',
    "related posts with author and date": '<section class="more-x"><h2>You may also like</h2><article class="tile"><a class="tt" href="/a">The moon and us</a><span class="who">Marta Quill</span><time>March 2, 2012</time><p>It rises later every day, and nobody knows why.</p></article><article class="tile"><a class="tt" href="/b">Mending nets</a><span class="who">Bob Lee</span><time>March 9, 2012</time><p>How to mend them in winter, by the fire.</p></article><article class="tile"><a class="tt" href="/c">Ropes</a><span class="who">Ada May</span><time>March 12, 2012</time><p>Hemp is still the best of them.</p></article></section>',
    "related posts without headings": '<div class="rel-grid"><div class="rel"><a href="/a"><img src=a.png></a><a href="/a">The moon</a><span>March 2, 2012</span><p>It rises later every day.</p></div><div class="rel"><a href="/b"><img src=b.png></a><a href="/b">Nets</a><span>March 9, 2012</span><p>How to mend them.</p></div><div class="rel"><a href="/c"><img src=c.png></a><a href="/c">Ropes</a><span>March 12, 2012</span><p>Hemp is best.</p></div></div>',
    "testimonials": '<section class="voices"><h2>What people say</h2><div class="quote"><p>The best book on tides that I have read.</p><b>Jane Doe</b><span>Skipper</span></div><div class="quote"><p>I keep it on board at all times.</p><b>John Roe</b><span>Fisherman</span></div><div class="quote"><p>My children love the drawings.</p><b>Mary Major</b><span>Teacher</span></div></section>',
    "changelog": "<h2>Changes</h2><dl><dt>Version 1.2, May 3, 2012</dt><dd>Corrected the table of the north quay.</dd><dt>Version 1.1, April 2, 2012</dt><dd>Added a drawing of the differences.</dd><dt>Version 1.0, March 1, 2012</dt><dd>First version of this page.</dd></dl>",
    "changelog with names": '<h2>History</h2><ul class="log"><li><b>1.2</b> <span>2012-05-03</span> <i>Marta</i><p>Corrected the table.</p></li><li><b>1.1</b> <span>2012-04-02</span> <i>Bob</i><p>Added a drawing.</p></li><li><b>1.0</b> <span>2012-03-01</span> <i>Marta</i><p>First version.</p></li></ul>',
    "definitions": "<dl><dt>Neap tide</dt><dd>The tide with the least difference between high and low water.</dd><dt>Spring tide</dt><dd>The tide with the greatest difference.</dd><dt>Slack</dt><dd>The time when the water does not move.</dd></dl>",
    "questions and answers": '<div class="faq"><h2>Questions</h2><h4>When is low water?</h4><p>Twice a day.</p><h4>Who prints the table?</h4><p>The harbour office prints it in January.</p><h4>Where can I buy it?</h4><p>At the lock.</p></div>',
    "author biography": '<div class="about-me"><img src=m.png><h4>Marta Quill</h4><p>Marta lives at the quay and has written about tides since May 1, 2004.</p><a href="/marta">All posts by Marta</a></div>',
    "three authors": '<div class="team"><div class="person"><h4>Marta Quill</h4><p>Joined on May 1, 2004</p><p>Writes about tides.</p></div><div class="person"><h4>Bob Lee</h4><p>Joined on June 1, 2006</p><p>Writes about nets.</p></div><div class="person"><h4>Ada May</h4><p>Joined on July 3, 2007</p><p>Writes about ropes.</p></div></div>',
    "reviews with stars": '<section><h2>Ratings</h2><div class="stars">★★★★☆ 4.2 of 5</div><table><tr><td>5 stars</td><td>120</td></tr><tr><td>4 stars</td><td>33</td></tr></table></section>',
    "signature of a forum": '<div class="sig">--<br>Marta Quill<br>Salt Quay, est. 1912<br><a href="/">salt.example</a></div>',
    "events": '<h3>Events</h3><ul class="events"><li><strong>Regatta</strong> <time datetime="2012-06-03">June 3, 2012</time><p>On the old harbour, at noon.</p></li><li><strong>Market</strong> <time datetime="2012-06-10">June 10, 2012</time><p>At the lock, from eight.</p></li><li><strong>Concert</strong> <time datetime="2012-06-17">June 17, 2012</time><p>In the church, free.</p></li></ul>',
    "tweets": '<div class="feed-x"><h3>Follow me</h3><p class="tw">The ferry is late again. <a href="https://t.example/1">May 3, 2012</a></p><p class="tw">Fog over the bank. <a href="https://t.example/2">May 4, 2012</a></p><p class="tw">Low water at six. <a href="https://t.example/3">May 5, 2012</a></p></div>',
    "previous and next": '<div class="nav-x"><div><span>Previous</span><a href="/a">The moon</a><span>April 2, 2012</span></div><div><span>Next</span><a href="/b">Nets</a><span>May 9, 2012</span></div></div>',
    "sources": "<h3>References</h3><ol><li>J. Doe (May 3, 1998). <i>Tides of the north</i>. Harbour Press.</li><li>R. Roe (June 4, 2001). <i>The moon</i>. Quay Books.</li><li>M. Major (July 5, 2003). <i>Tables</i>. Lock Press.</li></ol>",
    "letters in the article": "<h3>Letters from readers</h3>",
    "logged in": '<div id="comments"><h3>Comments</h3><p class="must-log-in">You must be <a href="/login">logged in</a> to post a comment.</p></div>',
    "no replies": '<div id="no-reply-4337" class="bbp-no-reply"><p>You must be logged in to reply to this topic.</p></div>',
    "no comments yet": '<section id="comments"><h2>0 Comments</h2><p>Be the first to comment on this.</p><p>Newest | Oldest</p></section>',
    "comments loading": '<div id="comments" class="comments-area"><p>Loading comments…</p><noscript>Please enable JavaScript to view the comments.</noscript></div>',
    "comment policy": '<div class="comment-policy"><h3>Comments policy</h3><p>Posted by Marta on May 1, 2010. We remove comments that are rude.</p></div>',
    "commenting by mail": '<h3>Comments</h3><p>Write to <a href="mailto:m@salt.example">me</a> if you have something to say about this.</p>',
    "trackback url": '<div class="trackbacks"><h3>Trackbacks</h3><p>TrackBack URL for this entry: http://salt.example/tb/77</p></div>',
    "popular with counts": '<h3>Popular</h3><ol><li><a href="/a">The moon</a> <span>12 comments</span></li><li><a href="/b">Nets</a> <span>9 comments</span></li><li><a href="/c">Ropes</a> <span>7 comments</span></li></ol>',
    "authors and counts": "<h3>Top commenters</h3><ul><li>Bob (12)</li><li>Zoe (9)</li><li>Ada (7)</li></ul>",
    "guest book link": '<p><a href="/guestbook">Comments and guest book (12)</a></p>',
    "ingredients": "<h3>Ingredients</h3><ul><li><b>Flour</b> 500 g, of wheat</li><li><b>Water</b> 300 g, warm</li><li><b>Salt</b> 10 g, of the sea</li></ul>",
    "updates of the author": "<p><b>Update, May 3, 2012:</b> The table has been corrected.</p><p><b>Update, May 9, 2012:</b> It is wrong again.</p>",
    "interview": "<p><b>Marta:</b> When did you begin?</p><p><b>Bob:</b> In 1988, on the ferry.</p><p><b>Marta:</b> And now?</p><p><b>Bob:</b> Now I mend nets.</p>",
    "photo credits": '<div class="credits"><p><b>Photo:</b> Bob Lee, May 3, 2012</p><p><b>Drawing:</b> Ada May, May 4, 2012</p></div>',
    "webmention likes": '<div class="reactions-x"><h3>Likes</h3><a rel="nofollow ugc" href="http://z.example/" title="Zoe liked this">Zoe</a> <a rel="nofollow ugc" href="http://b.example/" title="Bob liked this">Bob</a></div>',
    "tumblr notes": '<ol class="notes"><li class="note like"><span class="action"><a href="http://z.example/" rel="nofollow">zoe</a> likes this</span></li><li class="note reblog"><span class="action"><a href="http://b.example/" rel="nofollow">bob</a> reblogged this from <a href="http://salt.example/">salt</a></span></li><li class="note like"><span class="action"><a href="http://a.example/" rel="nofollow">ada</a> likes this</span></li></ol>',
    "jobs": '<h3>Jobs</h3><div class="job"><b>Lock keeper</b><span>Salt Quay</span><span>May 3, 2012</span><p>Full time, from June.</p></div><div class="job"><b>Net mender</b><span>North Bank</span><span>May 4, 2012</span><p>Part time, in winter.</p></div><div class="job"><b>Pilot</b><span>Old Harbour</span><span>May 5, 2012</span><p>By the hour.</p></div>',
}
