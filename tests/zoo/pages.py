"""Pages of blogs in a few layouts, from HTML5 to the tables of 2003."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from string import Template
from typing import TYPE_CHECKING

from tests.zoo.blog import Post, Response, html

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, kw_only=True)
class Theme:
    """A layout as templates: the frame of every page, a whole post, and a post in a listing."""

    frame: str
    post: str
    item: str
    head: str = ""
    nav: str = '<a href="/">Home</a> <a href="/about/">About</a>'
    language: str = "en"
    name: str = "The Paper Kite"


MODERN = Theme(
    frame="""<!DOCTYPE html><html lang="$language"><head><meta charset="utf-8"><title>$title</title>$head</head><body>
<header class="site-header"><a class="site-title" href="/">$name</a><nav>$nav</nav></header>
<main id="content">$body</main>
<footer class="site-footer"><p>Written by hand, served with care. All words are ours.</p></footer></body></html>""",
    post="""<article class="post"><header><h1 class="post-title">$title</h1>
<p class="meta"><time datetime="$iso">$day</time> by <span class="author">$author</span></p></header>
<div class="post-content">$content</div>
<p class="tags">$tags</p></article>$after""",
    item="""<article class="summary"><h2><a href="$href">$title</a></h2><time datetime="$iso">$day</time>
<div class="excerpt">$excerpt</div></article>""",
)

CLASSIC = Theme(
    frame="""<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/x.dtd">
<html><head><meta http-equiv="Content-Type" content="text/html; charset=utf-8" /><title>$title</title>$head</head>
<body><div id="wrap"><div id="header"><h1><a href="/">$name</a></h1></div><div id="menu">$nav</div>
<div id="main">$body</div>
<div id="sidebar"><h3>Friends</h3><ul><li><a href="https://elsewhere.example/">Elsewhere</a></li></ul></div>
<div id="footer">Powered by a small machine</div></div></body></html>""",
    post="""<div class="entry" id="post"><h2 class="entry-title">$title</h2><div class="entry-date">$day</div>
<div class="entry-body">$content</div>
<p class="entry-footer">Posted by $author in $tags</p></div>$after""",
    item="""<div class="entry"><h2 class="entry-title"><a href="$href">$title</a></h2><div class="entry-date">$day</div>
<div class="entry-body">$excerpt</div></div>""",
)

TABLES = Theme(
    frame="""<HTML><HEAD><TITLE>$title</TITLE>$head</HEAD><BODY BGCOLOR="#FFFFCC">
<TABLE WIDTH=760 BORDER=0><TR><TD COLSPAN=2><FONT SIZE=5><A HREF="/">$name</A></FONT></TD></TR>
<TR><TD WIDTH=140 VALIGN=top><FONT SIZE=1>$nav<BR>You are visitor number 00217</FONT></TD>
<TD VALIGN=top>$body</TD></TR></TABLE></BODY></HTML>""",
    post="""<TABLE CELLPADDING=4><TR><TD><FONT SIZE=4 COLOR=navy><B>$title</B></FONT></TD></TR>
<TR><TD>$content</TD></TR></TABLE>$after""",
    item="""<P><A HREF="$href"><B>$title</B></A><BR>$excerpt</P>""",
)

PLAIN = Theme(
    frame="""<!doctype html><html lang="$language"><head><meta charset="utf-8"><title>$title</title>$head</head><body>
<p>$nav</p>$body<hr><p>No cookies.</p></body></html>""",
    post="<h1>$title</h1>$content$after",
    item='<p><a href="$href">$title</a></p>',
)

DOCS = Theme(
    frame="""<!doctype html><html lang="en" class="docs-wrapper"><head><meta charset="utf-8"><title>$title</title>$head
<meta name="generator" content="mkdocs-1.5.3"></head><body><div class="md-container"><nav class="md-nav">$nav</nav>
<main class="md-main"><div class="md-content">$body</div></main></div></body></html>""",
    post="""<article class="md-content__inner md-typeset"><h1>$title</h1>$content</article>$after""",
    item='<li class="md-nav__item"><a href="$href">$title</a></li>',
)


def post_page(theme: Theme, post: Post, *, head: str = "", after: str = "", content: str | None = None) -> Response:
    """Return the page of a post; `content` replaces its article."""
    return framed(theme, post.title, fill_post(theme, post, after=after, content=content), head=head)


def fill_post(theme: Theme, post: Post, *, after: str = "", content: str | None = None) -> str:
    """Return the post without the frame of the page."""
    return _fill(theme.post, post, after=after, content=post.html if content is None else content)


def list_page(
    theme: Theme, title: str, posts: Sequence[Post], *, head: str = "", after: str = "", whole: bool = False
) -> Response:
    """Return a page that lists posts, with excerpts or full texts."""
    heading = "" if title == theme.name else f"<h1>{escape(title)}</h1>"
    return framed(theme, title, heading + items(theme, posts, whole=whole) + after, head=head)


def items(theme: Theme, posts: Sequence[Post], *, whole: bool = False) -> str:
    """Return the posts as in a listing."""
    return "\n".join(
        _fill(theme.item, post, excerpt=post.html if whole else f"<p>{escape(post.summary)}</p>") for post in posts
    )


def framed(theme: Theme, title: str, body: str, *, head: str = "", status: int = 200) -> Response:
    """Return a page with this body in the frame of the theme."""
    page = Template(theme.frame).substitute(
        title=escape(title) if title == theme.name else f"{escape(title)} – {theme.name}",
        head=theme.head + head,
        body=body,
        nav=theme.nav,
        name=theme.name,
        language=theme.language,
    )
    return html(page, status)


def neighbours(posts: Sequence[Post], place: int) -> str:
    """Return the links to the previous and next posts, as below an article."""
    links = []
    if place + 1 < len(posts):
        links.append(f'<a rel="prev" href="{posts[place + 1].href}">Previous post</a>')
    if place:
        links.append(f'<a rel="next" href="{posts[place - 1].href}">Next post</a>')
    return f'<p class="pager">{" | ".join(links)}</p>'


def _fill(template: str, post: Post, **more: str) -> str:
    tags = ", ".join(f'<a rel="tag" href="/tags/{tag}/">{tag}</a>' for tag in post.tags)
    return Template(template).substitute(
        title=escape(post.title),
        href=escape(post.href),
        iso=post.date.isoformat(),
        day=f"{post.date:%B} {post.date.day}, {post.date.year}",
        author=post.author,
        tags=tags,
        **more,
    )
