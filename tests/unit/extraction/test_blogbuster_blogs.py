"""blogs.toml on the markup of its platforms: text, title, date, author and comments of a post page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.dom import parse
from posterity.extraction.blogbuster import posts
from posterity.extraction.method import Context

if TYPE_CHECKING:
    from posterity.model import Post

BLOGS = Context(options={"rules": "blogs"})
PLATFORMS = {
    "WordPress": """<div id=content><article id=post-7 class="post-7 post type-post hentry">
      <header class=entry-header>
      <h1 class=entry-title>A title</h1><div class=entry-meta><span class=posted-on>
      <time class="entry-date published" datetime="2024-03-05T10:00:00+01:00">
      5 March</time></span> <span class="author vcard">
      <a class="url fn n" href=/author/ann>Ann Other</a></span></div></header>
      <div class=entry-content><p>The text.</p><div class=sharedaddy>Share</div></div>
      <footer class=entry-footer>Posted in News</footer></article></div>""",
    "WordPress block theme": """<main class=wp-block-group><h1 class=wp-block-post-title>A title</h1>
      <div class=wp-block-post-date>
      <time datetime="2024-03-05T10:00:00+01:00">5 March</time></div>
      <div class=wp-block-post-author-name>Ann Other</div>
      <div class="entry-content wp-block-post-content"><p>The text.</p></div></main>""",
    "Blogger": """<div class="widget Blog"><div class=date-outer><h2 class=date-header>
      <span>Tuesday, March 5, 2024</span></h2><div class=date-posts>
      <div class=post-outer><div class="post hentry"><h3 class="post-title entry-title">A title</h3>
      <div class="post-body entry-content">The text.</div>
      <div class=post-footer><span class="post-author vcard">Posted by
      <span class=fn>Ann Other</span></span></div></div></div></div></div></div>""",
    "Ghost": """<main><article class="gh-article post"><header class=gh-article-header>
      <h1 class=gh-article-title>A title</h1>
      <h4 class=gh-article-author-name><a rel=author href=/author/ann>Ann Other</a></h4>
      <time datetime=2024-03-05>Mar 5, 2024</time></header>
      <section class="gh-content gh-canvas"><p>The text.</p></section></article></main>""",
    "Medium-like": """<article><h1>A title</h1><div><a rel=author href=/@ann>Ann Other</a>
      <span>Mar 5, 2024</span></div>
      <section class=prose><p>The text.</p></section></article>
      <meta property=article:published_time content=2024-03-05T09:00:00.000Z>""",
    "Hugo": """<article class=post-single><header class=post-header><h1 class=post-title>A title</h1>
      <div class=post-meta>
      <span>March 5, 2024</span> · <span class=author>Ann Other</span></div></header><div class=post-content>
      <p>The text.</p></div></article>""",
    "Jekyll": """<article class="post h-entry" itemscope itemtype="http://schema.org/BlogPosting">
      <header class=post-header>
      <h1 class="post-title p-name" itemprop="name headline">A title</h1><p class=post-meta>
      <time class=dt-published datetime="2024-03-05T00:00:00+00:00"
      itemprop=datePublished>Mar 5, 2024</time> <span itemprop=author>
      <span class="p-author h-card" itemprop=name>Ann Other</span></span></p></header>
      <div class="post-content e-content" itemprop=articleBody><p>The text.</p></div></article>""",
    "Hexo": """<article class="article article-type-post"><div class=article-meta><a class=article-date href=/x>
      <time datetime=2024-03-05T01:00:00.000Z
      itemprop=datePublished>2024-03-05</time></a><span class=author-name>Ann Other</span></div>
      <div class=article-inner><h1 class=article-title>A title</h1>
      <div class=article-entry><p>The text.</p></div></div></article>""",
    "h-entry": """<div class=h-entry><a class="p-author h-card" href=/>Ann Other</a><h1 class=p-name>A title</h1>
      <time class=dt-published datetime=2024-03-05>5.3.</time><div class=e-content>The text.</div></div>""",
    "schema.org": """<div itemscope itemtype="https://schema.org/BlogPosting"><h1 itemprop=headline>A title</h1>
      <meta itemprop=datePublished content=2024-03-05>
      <span itemprop=author itemscope><b itemprop=name>Ann Other</b></span>
      <div itemprop=articleBody>The text.</div></div>""",
}
COMMENTS = """<ol class=commentlist><li class=comment id=comment-1><article class=comment><b class=fn>
      <a href=https://bob.example/>Bob</a></b>
<time datetime=2024-03-06T08:00:00+00:00>later</time><div class=comment-content><p>First!</p></div></article>
<ul class=children><li class=comment id=comment-2><article class=comment><b class=fn>Cy</b>
      <div class=comment-content><p>Second.</p></div></article></li></ul>
</li></ol>"""


def only(html: str) -> Post:
    (post,) = posts(parse(f"<body><h1 class=site-title>The blog</h1>{html}</body>", "https://blog.example/p"), BLOGS)
    return post


@pytest.mark.parametrize("platform", PLATFORMS)
def test_platform(platform: str) -> None:
    post = only(PLATFORMS[platform])
    assert (post.text, post.title, post.authors) == ("The text.", "A title", ("Ann Other",))
    assert post.published is not None
    assert post.published.date().isoformat() == "2024-03-05"


def test_comments_and_who_answers_whom() -> None:
    post = only(PLATFORMS["WordPress"] + COMMENTS)
    assert post.text == "The text."
    first, second = post.comments
    assert (first.id, first.parent, first.author, first.author_url, first.text) == (
        "comment-1",
        None,
        "Bob",
        "https://bob.example/",
        "First!",
    )
    assert first.published is not None
    assert (second.id, second.parent, second.author, second.published, second.text) == (
        "comment-2",
        "comment-1",
        "Cy",
        None,
        "Second.",
    )


def test_related_posts_are_not_posts() -> None:
    other = "<article class=post><h3>Other</h3><div class=entry-content>Teaser</div></article>"
    related = f"<div class=related-posts>{other}</div>"
    assert only(PLATFORMS["WordPress"] + related).text == "The text."


def test_front_page_has_an_article_each() -> None:
    title, teaser = "<h2 class=entry-title><a href=/{0}>T{0}</a></h2>", "<div class=entry-summary>Teaser {0}</div>"
    one = f"<article class=post>{title}{teaser}</article>"
    found = posts(parse("".join(one.format(number) for number in "abc"), "https://blog.example/"), BLOGS)
    assert [(post.title, post.url, post.text) for post in found] == [
        (f"T{n}", f"https://blog.example/{n}", f"Teaser {n}") for n in "abc"
    ]
