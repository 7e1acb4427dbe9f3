"""Comment threads in the markup of blog engines and comment services, with the same five comments in each.

The markup follows the templates shipped with each engine. `{kids}` is the place of the replies to a comment; engines
without it write all comments as siblings, and show parents by `depth`, `indent` or a link.
"""

# ruff: noqa: E501  unwrapped markup is easier to compare with an engine's template

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple


class Said(NamedTuple):
    """A comment as written by its author."""

    number: int
    author: str
    when: datetime
    paragraphs: tuple[str, ...]
    depth: int = 0
    parent: int | None = None
    homepage: str = ""


SAID = (
    Said(4101, "Anna Berg", datetime(2012, 5, 3, 9, 41, tzinfo=UTC), ("The tide tables of the harbour office are wrong by an hour in summer.", "Ask the man at the lock, he has kept his own since 1988."), homepage="http://anna.example/"),
    Said(4102, "Bob", datetime(2012, 5, 3, 10, 2, tzinfo=UTC), ("That is the summer time, is it not?",), 1, 4101),
    Said(4103, "Chen Wei", datetime(2012, 5, 4, 18, 30, tzinfo=UTC), ("No. They print it in winter time, and say so on the last page.",), 2, 4102, "http://chen.example/blog/"),
    Said(4104, "Dolores Ibarra", datetime(2012, 5, 13, 22, 5, tzinfo=UTC), ("Thank you for the photographs of the old lock!",), homepage="http://dolores.example/"),
    Said(4105, "Anna Berg", datetime(2012, 5, 21, 7, 15, tzinfo=UTC), ("There is a newer table now.", "It costs four pounds, and it is right."), homepage="http://anna.example/"),
)  # fmt: skip


class Engine(NamedTuple):
    """One engine's markup of a thread. `day` is its date format; `threads` is False if it stores no parents."""

    item: str
    before: str = ""
    after: str = ""
    kids: str = "{kids}"
    day: str = "%B %d, %Y %H:%M"
    threads: bool = True
    paragraph: str = "<p>{0}</p>"
    between: str = ""
    # False if the thread shows no time of day, or no dates.
    times: bool = True
    dates: bool = True
    names: bool = True


FORM = (
    "<form action=/comment method=post><h3>Leave a comment</h3><p>Name <input name=author></p>"
    "<p>Your comment <textarea name=text></textarea></p><input type=submit value=Post></form>"
)

ENGINES: dict[str, Engine] = {
    "serendipity": Engine(
        '<a id="c{number}"></a><div id="serendipity_comment_{number}" class="serendipity_comment '
        'serendipity_comment_author_x comment_{odd}box" style="padding-left: {indent}px">'
        '<div class="serendipity_commentBody">{text}</div><div class="serendipity_comment_source">'
        '<a class="comment_source_trace" href="#c{number}">#{place}</a> <span class="comment_source_author">{author}</span>'
        ' (<a class="comment_source_url" href="{url}">Homepage</a>) on <span class="comment_source_date">{day}</span>'
        ' (<a class="comment_reply" href="#serendipity_CommentForm" id="serendipity_reply_{number}">Reply</a>)</div></div>',
        '<div class="serendipity_comments serendipity_section_comments"><br /><a id="comments"></a>'
        '<div class="serendipity_commentsTitle">Comments</div><div class="serendipity_center">Display comments as '
        '(Linear | <a href="?cview=threaded#comments" rel="nofollow">Threaded</a>)</div><br />',
        "</div>",
        day="%Y-%m-%d %H:%M",
        paragraph="{0}<br />",
    ),
    "b2evolution": Engine(
        '<a name="c{number}" id="c{number}"></a><div class="bComment"><div class="bCommentTitle">Comment from: '
        '<a href="{url}" class="bUser" rel="nofollow">{author}</a> <span class="bUser-anonymous-tag">[Visitor]</span></div>'
        '<div class="bCommentText">{text}</div><div class="bCommentSmallPrint"><a href="#c{number}" class="permalink_right">'
        "<img src=p.gif></a>{day}</div></div>",
        '<h3 class="feedback_section" id="comments">{count} comments</h3>',
        day="%m/%d/%y @ %H:%M",
        threads=False,
    ),
    "movable type 3": Engine(
        '<div class="comment" id="comment-{number}"><div class="comment-content">{text}</div>'
        '<p class="comment-footer">Posted by: <a target="_blank" title="{url}" href="/cgi-bin/mt/mt-comments.cgi?__mode=red;id={number}">{author}</a>'
        ' at <a href="#comment-{number}">{day}</a></p></div>',
        '<div id="comments" class="comments"><div class="comments-content"><h3 class="comments-header">Comments</h3>',
        "</div></div>",
        day="%B %d, %Y %I:%M %p",
        threads=False,
    ),
    "movable type 2": Engine(
        '<div class="comments-body">{text}<span class="comments-post">Posted by: <a target="_blank" href="{url}">{author}</a>'
        " at {day}</span></div>",
        '<div class="comments-head"><a name="comments"></a>Comments</div>',
        day="%B %d, %Y %I:%M %p",
        threads=False,
    ),
    "movable type 4": Engine(
        '<div class="comment" id="comment-{number}"><div class="inner"><div class="comment-header"><div class="asset-meta">'
        '<span class="byline"><span class="vcard author"><a href="{url}" class="url" rel="nofollow">{author}</a></span>{reply_to}'
        ' | <a href="#comment-{number}"><abbr class="published" title="{iso}">{day}</abbr></a> | '
        '<a title="Reply" href="javascript:void(0);">Reply</a></span></div></div><div class="comment-content">{text}</div></div></div>',
        '<div id="comments" class="comments"><h2 class="comments-header">{count} Comments</h2><div class="comments-content">',
        "</div></div>",
    ),
    "typepad": Engine(
        '<a id="comment-6a00d8{number}"></a><div class="comment comment-{odd}" id="comment-6a00d8{number}"><div class="comment-avatar"><a href="{url}">'
        '<img src=a.png alt=""></a></div><div class="comment-content" id="comment-6a00d8{number}-content"><p>{at}</p>{text}</div>'
        '<p class="comment-footer">Posted by: <a rel="nofollow" href="{url}">{author}</a> | <a href="#comment-6a00d8{number}">{day}</a></p></div>',
        '<div id="comments" class="comments"><h3 class="comments-header">Comments</h3><div class="comments-info">'
        '<a href="/feed">Feed</a> You can follow this conversation by subscribing to the comment feed for this post.</div>'
        '<div class="comments-content" id="comments-content">',
        "</div></div>",
        day="%B %d, %Y at %I:%M %p",
    ),
    "livejournal": Engine(
        '<div id="ljcmt{number}" class="comment-wrap" style="margin-left: {indent}px"><div class="comment"><div class="comment-head">'
        '<div class="comment-head-in"><p><span class="ljuser"><a href="{url}profile"><img src=u.gif></a><a href="{url}"><b>{author}</b></a></span></p>'
        '<p class="comment-head-time"><a href="?thread={number}#t{number}" title="Permalink">{day} UTC</a></p></div></div><div class="comment-body"><div class="comment-text">'
        '{text}</div></div><div class="comment-menu"><ul><li>(<a href="?replyto={number}">Reply</a>)</li>{parent_link}<li>(<a href="?thread={number}">Thread</a>)</li></ul></div></div></div>',
        '<div id="comments" class="comments-set"><p>{count} comments</p>',
        "</div>",
        paragraph="{0}<br />",
        day="%Y-%m-%d %I:%M %p",
    ),
    "livejournal tables": Engine(
        '<a name="t{number}"></a><table class="talk-comment" width="100%" id="ljcmt{number}"><tr><td><img src="dot.gif" height="1" width="{indent}"></td><td width="100%"><table width="100%"><tr bgcolor="#eee">'
        '<td>From: <span class="ljuser"><a href="{url}"><b>{author}</b></a></span></td></tr><tr><td><font size="-1">{day} (<a href="?thread={number}#t{number}">link</a>)</font></td></tr>'
        '<tr><td>{text}<p>(<a href="?replyto={number}">Reply to this</a>) {parent_paren}(<a href="?thread={number}">Thread</a>)</p></td></tr></table></td></tr></table>',
        '<div align="center"><b>({count} comments | <a href="?mode=reply">Leave a comment</a>)</b></div>',
        paragraph="{0}<br />",
        day="%Y-%m-%d %I:%M %p",
    ),
    "drupal 6": Engine(
        '<a id="comment-{number}"></a><div class="comment odd"><h3><a href="/node/3#comment-{number}" class="active">Re: {first_words}</a></h3>'
        '<div class="submitted">Submitted by <a href="{url}" rel="nofollow">{author}</a> on {day}.</div><div class="content">{text}</div>'
        '<ul class="links"><li class="comment_reply first last"><a href="/comment/reply/3/{number}">reply</a></li></ul></div>{kids}',
        '<div id="comments"><h2 class="comments">Comments</h2>',
        "</div>",
        kids='<div class="indented">{kids}</div>',
        day="%a, %m/%d/%Y - %H:%M",
    ),
    "drupal 7": Engine(
        '<a id="comment-{number}"></a><article class="comment comment-by-anonymous clearfix" about="/comment/{number}#comment-{number}">'
        '<header><p class="submitted"><span rel="sioc:has_creator"><span class="username" xml:lang="">{author} (not verified)</span></span> replied on '
        '<time pubdate datetime="{iso}">{day}</time> <a href="/comment/{number}#comment-{number}" class="permalink" rel="bookmark">Permalink</a></p>'
        '<h3 property="dc:title"><a href="/comment/{number}#comment-{number}" class="permalink">{first_words}</a></h3></header>'
        '<div class="field field-name-comment-body"><div class="field-items"><div class="field-item even">{text}</div></div></div>'
        '<ul class="links inline"><li class="comment-reply first last"><a href="/comment/reply/3/{number}">reply</a></li></ul></article>{kids}',
        '<section id="comments" class="comments comment-wrapper"><h2 class="comments__title title">Comments</h2>',
        "</section>",
        kids='<div class="indented">{kids}</div>',
        day="%a, %m/%d/%Y - %H:%M",
    ),
    "textpattern": Engine(
        '<li class="comment" id="c{six}">{text}<p class="small">&#8212; <a href="{url}" rel="nofollow">{author}</a> &#183; {day} &#183; <a href="#c{six}">#</a></p></li>',
        '<h2 id="comment">Comment</h2><ol class="comments">',
        "</ol>",
        day="%d %B %Y, %H:%M",
        threads=False,
    ),
    "blogger 2004": Engine(
        '<div class="blogComment"><a name="{number}"></a> {text}<div class="byline"><a href="#{number}" title="permanent link">#</a> posted by '
        '<span class="comment-icon"><img src=b.gif></span> <a href="{url}" rel="nofollow">{author}</a> : {day}</div></div>',
        '<div class="blogComments"><a name="comments"></a>{count} Comments:',
        '<p><a href="http://www.blogger.com/comment.g?blogID=1">Post a Comment</a></p></div>',
        day="%m/%d/%Y %I:%M %p",
        threads=False,
    ),
    "blogger 2006": Engine(
        '<dt class="comment-author blog-author" id="c{long}"><a name="c{long}"></a><a href="{url}" rel="nofollow">{author}</a> said...</dt>'
        '<dd class="comment-body">{text}</dd><dd class="comment-footer"><span class="comment-timestamp">'
        '<a href="#c{long}" title="comment permalink">{day}</a> <span class="item-control blog-admin pid-1"><a href="/delete" title="Delete"><span class="delete-comment-icon">&nbsp;</span></a></span></span></dd>',
        '<div id="comments"><a name="comments"></a><h4>{count} comments:</h4><dl id="comments-block">',
        '</dl><p class="comment-footer"><a href="/post-comment">Post a Comment</a></p></div>',
        day="%B %d, %Y at %I:%M %p",
        threads=False,
    ),
    "blogger 2012": Engine(
        '<li class="comment" id="c{long}"><div class="avatar-image-container"><img src="//b.example/a.gif" alt=""/></div><div class="comment-block">'
        '<div class="comment-header"><cite class="user"><a href="{url}" rel="nofollow">{author}</a></cite><span class="icon user"></span>'
        '<span class="datetime secondary-text"><a rel="nofollow" href="/p.html?showComment={long}#c{long}">{day}</a></span></div><p class="comment-content">{joined}</p>'
        '<span class="comment-actions secondary-text"><a class="comment-reply" target="_self" data-comment-id="{long}">Reply</a><span class="item-control"><a href="/delete">Delete</a></span></span></div>'
        '<div class="comment-replies"><div id="c{long}-rt" class="comment-thread inline-thread {hidden}"><span class="thread-toggle thread-expanded"><span class="thread-arrow"></span><span class="thread-count"><a target="_self">Replies</a></span></span>'
        '<ol id="c{long}-ra" class="thread-chrome thread-expanded"><div>{kids}</div><div id="c{long}-continue" class="continue"><a class="comment-reply" target="_self">Reply</a></div></ol></div></div></li>',
        '<section class="comments threaded" id="comments"><a name="comments"></a><h3>{count} comments:</h3><div class="comments-content"><div id="comment-holder"><div class="comment-thread toplevel-thread"><ol id="top-ra">',
        "</ol></div></div></div></section>",
        day="%B %d, %Y at %I:%M %p",
    ),
    "kubrick": Engine(
        '<li class="{odd}" id="comment-{number}"><cite><a href="{url}" rel="external nofollow">{author}</a></cite> Says: <br />'
        '<small class="commentmetadata"><a href="#comment-{number}" title="">{day}</a></small>{text}</li>',
        '<h3 id="comments">{count} Responses to &#8220;Tides&#8221;</h3><ol class="commentlist">',
        "</ol>",
        day="%B %d, %Y at %I:%M %p",
        threads=False,
    ),
    "phpbb": Engine(
        '<tr class="row1"><td align="left" valign="top" class="row1"><span class="name"><a name="{number}"></a><b>{author}</b></span><br /><span class="postdetails">Guest</span></td>'
        '<td class="row1" width="100%"><table width="100%"><tr><td><span class="postdetails">Posted: {day}</span></td></tr><tr><td><span class="postbody">{text}</span></td></tr></table></td></tr>',
        '<p>{count} comments</p><table class="forumline"><tr><th>Author</th><th>Message</th></tr>',
        "</table>",
        paragraph="{0}<br />",
        day="%a %b %d, %Y %I:%M %p",
        threads=False,
    ),
    "table rows": Engine(
        '<tr><td bgcolor="#dddddd"><font size="1"><b>{author}</b>, {day}</font></td></tr><tr><td><font size="2">{text}</font></td></tr>',
        '<b>{count} comments</b><table border="0" cellpadding="4">',
        "</table>",
        paragraph="{0}<br>",
        day="%d.%m.%Y %H:%M",
        threads=False,
    ),
    "rules between": Engine(
        '<a name="{number}"></a>{text}<small>Posted by <a href="{url}">{author}</a> on {day}</small>',
        "<h3>Comments</h3>",
        "",
        between="<hr>",
        day="%B %d, %Y %I:%M %p",
        threads=False,
    ),
    "definitions": Engine(
        "<dt><a href='{url}'>{author}</a> wrote on {day}</dt><dd>{text}</dd>",
        "<h3>{count} comments</h3><dl>",
        "</dl>",
        day="%d %B %Y %H:%M",
        threads=False,
    ),
    "greymatter": Engine(
        '<div class="c"><p><b><a href="mailto:x@example.org">{author}</a></b> @ {day}</p>{text}</div>',
        "<h4>Replies: {count} Comments</h4>",
        "",
        day="%m/%d/%Y %I:%M %p",
        threads=False,
    ),
    "nucleus": Engine(
        '<h4 class="commentheader"><a href="{url}">{author}</a> wrote:</h4><div class="commentbody">{text}</div><div class="commentfooter">{day}</div>',
        '<h3>Comments</h3><div class="comments">',
        "</div>",
        day="%d/%m/%Y %H:%M:%S",
        threads=False,
    ),
    "expressionengine": Engine(
        '<div class="posted_comment"><div class="entry_text">{text}</div><div class="meta">Posted by <a href="{url}">{author}</a> &nbsp;on&nbsp; {day} &nbsp;|&nbsp; <a href="/p#{number}">permalink</a></div></div>',
        '<h2 class="title">Comments</h2>',
        "",
        day="%m/%d/%Y at %I:%M %p",
        threads=False,
    ),
    "disqus 2013": Engine(
        '<li class="comment even thread-even depth-{level}" id="dsq-comment-{number}"><div id="dsq-comment-header-{number}" class="dsq-comment-header"><cite id="dsq-cite-{number}">'
        '{url} <span id="dsq-author-user-{number}">{author}</span></cite></div><div id="dsq-comment-body-{number}" class="dsq-comment-body">'
        '<div id="dsq-comment-message-{number}" class="dsq-comment-message">{text}</div></div><ul class="children">{kids}</ul></li>',
        '<div id="disqus_thread"><div id="dsq-content"><ul id="dsq-comments">',
        "</ul></div></div>",
        dates=False,
    ),
    "disqus classic": Engine(
        '<li id="dsq-comment-{number}" class="dsq-comment dsq-clearfix" style="margin-left: {indent}px"><div class="dsq-comment-header"><div class="dsq-header-avatar"><img src=x.png></div>'
        '<cite class="dsq-comment-cite"><a class="dsq-commenter-name" id="dsq-author-user-{number}" href="{url}">{author}</a></cite><span class="dsq-comment-header-time"><a href="#comment-{number}" title="{day}">{day}</a></span></div>'
        '<div id="dsq-comment-body-{number}" class="dsq-comment-body"><div class="dsq-comment-message" id="dsq-comment-message-{number}"><div class="dsq-comment-text" id="dsq-comment-text-{number}">{text}</div></div></div>'
        '<div class="dsq-comment-footer"><span class="dsq-like">Like</span> <a class="dsq-comment-reply" href="#">Reply</a></div></li>',
        '<div id="disqus_thread"><div id="dsq-content"><h3>Showing {count} comments</h3><ul id="dsq-comments">',
        "</ul></div></div>",
    ),
    "disqus new": Engine(
        '<li class="post" id="post-{number}"><div data-role="post-content" class="post-content"><div class="indicator"></div><div class="avatar hovercard"><a href="{url}" class="user"><img alt="Avatar" src=a.png></a></div>'
        '<div class="post-body"><header class="comment__header"><span class="post-byline"><span class="author publisher-anchor-color"><a href="{url}" data-action="profile">{author}</a></span></span>'
        '<span class="post-meta"><span class="bullet time-ago-bullet" aria-hidden="true">&bull;</span><a href="http://blog.example/p/#comment-{number}" data-role="relative-time" class="time-ago" title="{full}">14 years ago</a></span></header>'
        '<div class="post-body-inner"><div class="post-message-container" data-role="message-container"><div class="publisher-anchor-color" data-role="message-content"><div class="post-message " data-role="message" dir="auto">{text}</div></div></div></div>'
        '<footer class="comment__footer"><menu><li class="voting"><a class="vote-up count-1">1</a></li><li class="reply" data-role="reply-link"><a href="#">Reply</a></li><li class="share"><a>Share</a></li></menu></footer></div></div><ul data-role="children" class="children">{kids}</ul></li>',
        '<div id="disqus_thread"><div id="layout"><nav><ul><li>{count} comments</li></ul></nav><div id="posts"><ul id="post-list" class="post-list">',
        "</ul></div></div></div>",
    ),
    "livefyre": Engine(
        '<article class="fyre-comment-article fyre-comment-source-0" id="fyre-comment-{number}" style="margin-left:{indent}px"><div class="fyre-comment-wrapper"><section class="fyre-comment-head"><header class="fyre-comment-user"><span class="fyre-comment-username">{author}</span></header>'
        '<div class="fyre-comment-date"><time datetime="{iso}">14 years ago</time></div></section><section class="fyre-comment-body"><div class="fyre-comment">{text}</div></section>'
        '<footer class="fyre-comment-footer"><a class="fyre-comment-like-btn">Like</a> <a class="fyre-comment-reply">Reply</a></footer></div></article>',
        '<div id="livefyre-comments"><div class="fyre fyre-width-medium"><div class="fyre-stream-stats">{count} comments</div><div class="fyre-stream-content">',
        "</div></div></div>",
    ),
    "intensedebate": Engine(
        '<div id="IDComment{number}" class="idc-c"><div class="idc-c-h"><div class="idc-c-h-inner"><p><a class="idc-avatar" href="{url}"><img src=a.png></a> <a href="{url}" class="idc-name" rel="nofollow">{author}</a> <span class="idc-r">&#183;</span> '
        '<a href="#IDComment{number}" class="idc-time">{day}</a></p></div></div><div id="IDComment-CommentText{number}" class="idc-c-t"><div class="idc-c-t-inner">{text}</div></div><div class="idc-c-b"><a class="idc-btn_s"><span>Reply</span></a></div>'
        '<div id="IDThread{number}" class="idc-thread">{kids}</div></div>',
        '<div id="idc-container"><div class="idc-head"><h3><span>Comments ({count})</span></h3></div><div id="idc-cover">',
        "</div></div>",
    ),
    "facebook": Engine(
        '<div class="_3-8y _5nz1 clearfix" direction="left"><div class="_ohe lfloat"><a href="{url}"><img class="_1cbd" src=a.jpg></a></div><div><div class="UFIImageBlockContent _42ef"><div><span><a class="UFICommentActorName" dir="ltr" href="{url}">{author}</a></span> <div class="_4q1v">Harbour master at Salt Quay</div></div>'
        '<div class="_30o4"><span class="_5mdd"><span>{joined}</span></span></div><div class="_2vq9 fsm fwn fcg"><a class="UFILikeLink" href="#">Like</a> &middot; <a class="UFIReplyLink" href="#">Reply</a> &middot; <a class="uiLinkSubtle" href="#"><abbr class="UFISutroCommentTimestamp livetimestamp" title="{full}">14y</abbr></a></div></div></div>'
        '<div class="_44ri _2pis">{kids}</div></div>',
        '<div class="fb-comments"><div class="_491z clearfix"><span class="_50f7">{count} comments</span></div><div class="_4k-6">',
        "</div></div>",
    ),
    "haloscan": Engine(
        '<div class="MessageCell"><a name="{number}"></a>{text}<div class="byline"><a href="{url}" target="_blank">{author}</a> | <a href="mailto:x">Email</a> | <a href="{url}">Homepage</a> | {day} | <a href="#{number}">#</a></div></div>',
        '<div class="MessageTable"><h4>Comments:</h4>',
        "</div>",
        paragraph="{0}<br>",
        day="%m.%d.%y - %I:%M %p",
        threads=False,
    ),
    "echo": Engine(
        '<div class="js-singleCommentContainer js-depth-{depth}" style="margin-left:{indent}px"><div class="js-singleCommentAvatar"><img src=a.png></div><div class="js-singleCommentBody"><div class="js-singleCommentHeader"><div class="js-singleCommentName">{author}</div><div class="js-singleCommentDate">{day}</div></div>'
        '<div class="js-singleCommentText">{text}</div><div class="js-singleCommentControls"><a>Reply</a> <a>Flag</a></div></div></div>',
        '<div class="js-CommentsArrayView"><div class="js-commentsHeader">{count} Comments</div>',
        "</div>",
    ),
    "isso": Engine(
        '<div class="isso-comment" id="isso-{number}"><div class="isso-avatar"><svg></svg></div><div class="isso-text-wrapper"><div class="isso-comment-header" role="meta"><a class="isso-author" rel="nofollow" href="{url}">{author}</a><span class="isso-spacer">&bull;</span>'
        '<a class="isso-permalink" href="#isso-{number}"><time title="{day}" datetime="{iso}">14 years ago</time></a><span class="isso-note"></span></div><div class="isso-text">{text}</div>'
        '<div class="isso-comment-footer"><a class="isso-upvote" href="#">1</a><span class="isso-spacer">|</span><a class="isso-reply" href="#">Reply</a></div><div class="isso-follow-up">{kids}</div></div></div>',
        '<section id="isso-thread"><h4 class="isso-thread-heading">{count} Comments</h4><div id="isso-root">',
        "</div></section>",
    ),
    "waline": Engine(
        '<div class="wl-card-item" id="{hex}"><div class="wl-user" aria-hidden="true"><img class="wl-user-avatar" src=a.png alt="x"></div><div class="wl-card"><div class="wl-head"><a class="wl-nick" href="{url}" rel="nofollow noopener noreferrer">{author}</a><span class="wl-time">{day}</span>'
        '<div class="wl-comment-actions"><button type="button" class="wl-like">0</button><button type="button" class="wl-reply" title="Reply">R</button></div></div><div class="wl-meta" aria-hidden="true"><span class="wl-browser">Firefox 12</span><span class="wl-os">Linux</span></div>'
        '<div class="wl-content">{text}</div><div class="wl-quote">{kids}</div></div></div>',
        '<div id="waline"><div data-waline class="wl-container"><div class="wl-meta-head"><div class="wl-count"><span class="wl-num">{count}</span> Comments</div></div><div class="wl-cards">',
        "</div></div></div>",
        day="%Y-%m-%d",
        times=False,
    ),
    "twikoo": Engine(
        '<div id="{hex}" class="tk-comment"><div class="tk-avatar tk-clickable"><img class="tk-avatar-img" src=a.png></div><div class="tk-main"><div class="tk-row"><div class="tk-meta"><a class="tk-nick tk-nick-link" rel="noopener noreferrer nofollow" href="{url}"><strong>{author}</strong></a>'
        '<small class="tk-time"><time datetime="{iso}" title="{day}">14 years ago</time></small></div><div class="tk-action"><a class="tk-action-link"><span class="tk-action-count"></span></a></div></div><div class="tk-content"><span>{text}</span></div><div class="tk-extras"><div class="tk-extra"><span class="tk-extra-text">Linux</span></div></div>'
        '<div class="tk-replies">{kids}</div></div></div>',
        '<div id="tcomment"><div class="tk-comments"><div class="tk-comments-title"><span class="tk-comments-count"><span>{count}</span><span> comments</span></span></div><div class="tk-comments-container">',
        "</div></div></div>",
    ),
    "artalk": Engine(
        '<div class="atk-comment-wrap" id="atk-comment-{number}"><div class="atk-comment"><div class="atk-avatar"><a><img src=a.png></a></div><div class="atk-main"><div class="atk-header"><span class="atk-item atk-nick"><a href="{url}" rel="noreferrer noopener nofollow">{author}</a></span><span class="atk-item atk-date" data-atk-comment-date="{ms}">{day}</span></div>'
        '<div class="atk-body"><div class="atk-content">{text}</div></div><div class="atk-footer"><div class="atk-actions"><span class="atk-common-action-btn">Up (0)</span> <span class="atk-common-action-btn">Reply</span></div></div></div></div><div class="atk-comment-children">{kids}</div></div>',
        '<div id="Comments" class="artalk"><div class="atk-list"><div class="atk-list-header"><div class="atk-comment-count"><span class="atk-comment-count-num">{count}</span> Comments</div></div><div class="atk-list-body"><div class="atk-list-comments-wrap">',
        "</div></div></div></div>",
        day="%Y-%m-%d",
        times=False,
    ),
    "remark42": Engine(
        '<div class="thread thread_theme_light"><article id="remark42__comment-{hex}" class="comment comment_theme_light thread__comment level-{depth}"><div class="comment__info"><img class="comment__avatar" src=a.png alt=""><button class="comment__username">{author}</button>'
        '<a href="http://blog.example/p#remark42__comment-{hex}" class="comment__time">{day}</a></div><div class="comment__body"><div class="comment__text raw-content">{text}</div><div class="comment__actions"><button class="comment__action">Reply</button></div></div></article>{kids}</div>',
        '<div id="remark42"><div class="root"><div class="root__threads" role="list">',
        "</div></div></div>",
        day="%m/%d/%Y at %I:%M:%S %p",
    ),
    "commento": Engine(
        '<div id="commento-comment-card-{hex}" class="commento-card" style="border-left: 2px solid"><div class="commento-header"><div class="commento-avatar">A</div><div class="commento-name">{author}</div><div class="commento-subtitle"><div class="commento-score">1 point</div><div class="commento-timeago" title="{full}">14 years ago</div></div></div>'
        '<div id="commento-comment-body-{hex}"><div class="commento-body">{text}</div><div class="commento-options"><button class="commento-option-button" title="Reply"></button></div></div><div class="commento-card-children">{kids}</div></div>',
        '<div id="commento"><div class="commento-root"><div class="commento-main-area"><div class="commento-comments">',
        "</div></div></div></div>",
    ),
    "cusdis": Engine(
        '<div class="my-4"><div class="flex items-center"><div class="mr-2 font-medium">{author}</div></div><div class="text-gray-500 text-sm">{day}</div><div class="text-gray-500 my-2">{text}</div><div><button class="font-medium text-sm text-gray-500">Reply</button></div><div class="pl-4 border-l-2">{kids}</div></div>',
        '<div id="cusdis_thread"><div class="cusdis-root"><div class="mt-4 px-1">',
        "</div></div></div>",
        day="%Y-%m-%d %H:%M",
    ),
    "hyvor": Engine(
        '<div class="comment" id="ht-comment-{number}"><div class="comment-inner"><div class="left"><img src=a.png></div><div class="right"><div class="name-row"><span class="name">{author}</span><span class="badge">Guest</span></div><div class="sub"><span class="time" title="{full}">14 years ago</span></div><div class="body content-body">{text}</div><div class="bottom"><button>Reply</button><span class="votes">0</span></div></div></div><div class="replies">{kids}</div></div>',
        '<hyvor-talk-comments><div class="comments-wrap"><div class="counts">{count} Comments</div><div class="comments-list">',
        "</div></div></hyvor-talk-comments>",
    ),
    "giscus": Engine(
        '<div class="gsc-comment"><div class="color-bg-primary w-full min-w-0 rounded-md border color-box-border-info"><div class="gsc-comment-header"><div class="gsc-comment-author"><a rel="nofollow noopener noreferrer" target="_blank" href="{url}" class="gsc-comment-author-avatar"><img class="mr-2 rounded-full" src=a.png alt="@x"><span class="link-primary overflow-hidden text-ellipsis">{author}</span></a>'
        '<a rel="nofollow noopener noreferrer" target="_blank" href="https://github.com/o/r/discussions/1#discussioncomment-{number}" class="link-secondary overflow-hidden text-ellipsis"><time class="whitespace-nowrap" title="{full}" datetime="{iso}">May 3, 2012</time></a></div></div><div dir="auto" class="markdown gsc-comment-content ">{text}</div><div class="gsc-comment-footer"><button>2</button></div>'
        '<div class="color-bg-inset gsc-replies">{kids}</div></div></div>',
        '<div class="giscus"><main class="gsc-main"><div class="gsc-header"><div class="gsc-left-header"><h4 class="gsc-comments-count">{count} comments</h4></div></div><div class="gsc-timeline">',
        "</div></main></div>",
    ),
    "utterances": Engine(
        '<article class="timeline-comment" data-comment-id="{number}"><a class="avatar" href="https://github.com/x" target="_blank"><img alt="@x" src=a.png></a><div class="comment"><header class="comment-header"><span class="comment-meta"><a class="text-link" href="https://github.com/x"><strong>{author}</strong></a> commented <a class="text-link" href="https://github.com/o/r/issues/1#issuecomment-{number}">{day}</a></span>'
        '<div class="comment-actions"><span class="author-association-badge">Owner</span></div></header><div class="markdown-body markdown-body-scrollable">{text}</div><div class="comment-footer"></div></div></article>',
        '<div class="utterances"><main class="timeline"><h1 class="timeline-header"><a class="text-link" href="https://github.com/o/r/issues/1">{count} Comments</a></h1>',
        "</main></div>",
        day="on %b %d, %Y",
        threads=False,
        times=False,
    ),
    "webmentions": Engine(
        '<li class="u-comment h-cite"><a class="u-author h-card" href="{url}"><img class="u-photo" src=a.jpg alt=""> <span class="p-name">{author}</span></a> <a class="u-url" href="{url}reply/{number}"><time class="dt-published" datetime="{iso}">{day}</time></a><div class="e-content">{text}</div></li>',
        '<section class="webmentions"><h3>Responses</h3><ul>',
        "</ul></section>",
        threads=False,
    ),
    "mastodon": Engine(
        '<div class="mastodon-comment" style="margin-left: {indent}px" id="{long}"><div class="author"><div class="avatar"><img src=a.png alt=""></div><div class="details"><a class="name" href="https://social.example/@x" rel="nofollow">{author}</a><a class="user" href="https://social.example/@x" rel="nofollow">@x@social.example</a></div><a class="date" href="https://social.example/@x/{long}" rel="nofollow">{day}</a></div>'
        '<div class="content">{text}</div><div class="status"><div class="replies"><a href="https://social.example/@x/{long}">1</a></div><div class="favourites"><a>3</a></div></div></div>',
        '<h2>Comments</h2><p>You can use your Mastodon account to reply to this <a class="link" href="https://social.example/@me/1">post</a>.</p><div id="mastodon-comments-list">',
        "</div>",
        day="%m/%d/%Y, %I:%M:%S %p",
    ),
    "bluesky": Engine(
        '<div class="_commentContainer_1x"><div class="_commentContent_1x"><a class="_authorLink_1x" href="https://bsky.app/profile/x" target="_blank" rel="noreferrer noopener"><img src=a.png class="_avatar_1x"><p class="_authorName_1x">{author} <span class="_handle_1x">@x.bsky.social</span></p></a><a href="https://bsky.app/profile/x/post/{long}"><time datetime="{iso}">{day}</time></a>'
        '{text}<div class="_actionsContainer_1x"><span>0</span><span>1</span></div></div><div class="_repliesContainer_1x">{kids}</div></div>',
        '<section class="_container_1x"><h2>Comments</h2><p>Reply on Bluesky <a href="https://bsky.app/profile/me/post/1">here</a> to join the conversation.</p><div class="_commentsList_1x">',
        "</div></section>",
    ),
    "hashed, polish": Engine(
        '<div class="sc-aXb12"><div class="sc-bYt77"><span class="sc-kQp01">{author}</span><span class="sc-zz981">{day}</span></div><div class="sc-mm342">{text}</div><div class="sc-zz9"><button class="sc-1">Odpowiedz</button></div><div class="sc-jj001">{kids}</div></div>',
        '<div class="sc-r00t"><h3 class="sc-h3">Komentarze ({count})</h3>',
        "</div>",
        day="%d.%m.%Y %H:%M",
    ),
    "quoted names": Engine(
        "<li id=kommentar{number}><b>{author}</b> schrieb am {day}:<br>{at}{text}</li>",
        "<h3>{count} Kommentare</h3><ol class=kommentare>",
        "</ol>",
        day="%d.%m.%Y um %H:%M",
    ),
}


def thread(engine: Engine, said: tuple[Said, ...] = SAID) -> str:
    """Return the thread of these comments in the engine's markup."""
    return _filled(engine.before, count=len(said)) + engine.between.join(_items(engine, said, None)) + engine.after


def _items(engine: Engine, said: tuple[Said, ...], parent: int | None) -> list[str]:
    nests = "{kids}" in engine.item
    wanted = [each for each in said if not nests or each.parent == parent]
    return [_item(engine, said, each) for each in wanted]


def _item(engine: Engine, said: tuple[Said, ...], one: Said) -> str:
    names = {each.number: each.author for each in said}
    kids = "".join(_items(engine, said, one.number)) if "{kids}" in engine.item else ""
    text = "".join(engine.paragraph.format(each) for each in one.paragraphs)
    return _filled(
        engine.item,
        number=one.number,
        six=f"{one.number:06}",
        long=f"31415926535{one.number}",
        hex=f"6f00{one.number}ab",
        place=one.number - SAID[0].number + 1,
        odd=("even", "odd")[one.number % 2],
        author=one.author,
        url=one.homepage or "http://example.org/",
        day=one.when.strftime(engine.day),
        iso=one.when.isoformat(),
        full=one.when.strftime("%A, %B %d, %Y %I:%M %p"),
        ms=int(one.when.timestamp() * 1000),
        text=text,
        joined="<br />".join(one.paragraphs),
        first_words=" ".join(one.paragraphs[0].split()[:4]),
        indent=one.depth * 25,
        depth=one.depth,
        level=one.depth + 1,
        hidden="" if kids else "hidden",
        kids=engine.kids.replace("{kids}", kids) if kids else "",
        at=f"@{names[one.parent]}: " if one.parent else "",
        reply_to=f' <a href="#comment-{one.parent}">replied to comment from {names[one.parent]}</a>'
        if one.parent
        else "",
        parent_link=f'<li>(<a href="?thread={one.parent}#t{one.parent}">Parent</a>)</li>' if one.parent else "",
        parent_paren=f'(<a href="?thread={one.parent}#t{one.parent}">Parent</a>) ' if one.parent else "",
    )


def _filled(markup: str, **values: object) -> str:
    for name, value in values.items():
        markup = markup.replace("{" + name + "}", str(value))
    return markup


ARTICLE = (
    "<h1>Tides</h1><p class=byline>Posted by Marta on April 30, 2012</p>"
    "<div class=entry><p>The tide at the quay turns twice a day, and nobody in the village looks at a clock to know it. "
    "The boats tell, and the smell, and the birds on the bank when it falls dry.</p><p>I wrote down the hours for a "
    "month to see how far the printed table can be trusted, and made a drawing of the differences, which are larger "
    "than I had thought and come at full moon.</p></div><p class=tags>Filed under: harbour, numbers</p>"
)
SIDEBAR = (
    "<div class=sidebar><h3>Recent Comments</h3><ul><li>Bob on <a href=/2012/moon>The moon</a></li><li>Zoe on "
    "<a href=/2012/nets>Nets</a></li></ul><h3>Archives</h3><ul><li><a href=/2012/05/>May 2012</a> (3)</li></ul></div>"
)


def page(engine: Engine, said: tuple[Said, ...] = SAID) -> str:
    """Return a post with this thread below it, a form and a sidebar."""
    return f"<!doctype html><html lang=en><head><title>Tides - Salt Quay</title></head><body><div id=main>{ARTICLE}{thread(engine, said)}{FORM}</div>{SIDEBAR}</body></html>"
