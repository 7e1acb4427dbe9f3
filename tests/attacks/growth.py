"""Pages, feeds and sitemaps that repeat one construct any number of times.

Twice as many must take about twice as long to read, whatever is repeated.
"""

from __future__ import annotations

from collections.abc import Callable

_WORDS = "Some words about salt and bread, and then some more of them, so that there is a post to read. "
_TEXT = f"<p>{_WORDS * 6}</p>"

Make = Callable[[int], str]


def _each(unit: str) -> Make:
    """Repeat a unit; `{n}` in it becomes its number."""
    return lambda count: "".join(unit.replace("{n}", str(n)) for n in range(count))


def _nested(begin: str, inner: str, end: str) -> Make:
    return lambda count: "".join(begin.replace("{n}", str(n)) for n in range(count)) + inner + end * count


# Inside the article.
_IN_ARTICLE: dict[str, Make] = {
    "links": _each('<a href="/p/{n}/">link {n}</a> '),
    "same links": _each('<a href="/p/">link</a> '),
    "links to tags": _each('<a rel="tag" href="/tag/t{n}/">tag {n}</a> '),
    "links with one class": _each('<a class="u-x c{n}" href="#n{n}">[{n}]</a> '),
    "notes": _each('<sup id="fnref{n}"><a href="#fn{n}">{n}</a></sup> '),
    "notes and their texts": lambda n: (
        _each('<p>word<sup id="r{n}"><a href="#f{n}">{n}</a></sup></p>')(n)
        + "<ol>"
        + _each('<li id="f{n}">Note {n} <a href="#r{n}">↩</a></li>')(n)
        + "</ol>"
    ),
    "images": _each('<img src="/i{n}.png" alt="image {n}">'),
    "images of one source": _each('<img src="/i.png">'),
    "figures": _each('<figure><img src="/i{n}.png"><figcaption>Caption {n}</figcaption></figure>'),
    "srcset": lambda n: '<img srcset="' + _each("/i{n}.png {n}w, ")(n) + '">',
    "srcset of commas": lambda n: f'<img srcset="{", " * n}">',
    "srcsets": _each('<img srcset="/i{n}.png 1x, /j{n}.png 2x">'),
    "style attribute": lambda n: '<p style="' + _each("color{n}: red; ")(n) + '">x</p>',
    "style attributes": _each('<p style="display:block;color:c{n}">x {n}</p>'),
    "hidden parts": _each('<div style="display:none">hidden {n}</div>'),
    "classes of an element": lambda n: '<p class="' + _each("c{n} ")(n) + '">x</p>',
    "elements of own classes": _each('<p class="c{n}">word {n}</p>'),
    "elements of own ids": _each('<p id="c{n}">word {n}</p>'),
    "data attributes": lambda n: "<p " + _each("data-a{n}=1 ")(min(n, 3000)) + ">x</p>",
    "huge attribute": lambda n: f'<p title="{"a " * n * 10}">x</p>',
    "huge alt": lambda n: f'<img src="/i.png" alt="{"[](" * n * 5}">',
    "huge href": lambda n: f'<a href="/{"a/" * n * 10}">x</a>',
    "huge href of dots": lambda n: f'<a href="/{"../" * n * 5}">x</a>',
    "paragraphs": _each("<p>Some words {n} to read.</p>"),
    "empty paragraphs": _each("<p></p><p>x</p>"),
    "line breaks": _each("some line {n} of words<br>\n"),
    "two line breaks": _each("some line {n} of words<br><br>\n"),
    "bold": _each("<b>word {n}</b> "),
    "lines below many quotations": lambda n: "<blockquote>" * 500 + "<pre>" + "x\n" * 200 * n,
    "spaces": lambda n: f"<p>a{' ' * n * 10}b</p>",
    "spaces and breaks": lambda n: f"<p>{'  <br>  ' * n}</p>",
    "text nodes": _each("word<!-- c -->"),
    "headings": _each("<h2>Heading {n}</h2>"),
    "headings and text": _each("<h2>Heading {n}</h2><p>Some words to read {n}.</p>"),
    "headings like the title": _each("<h2>A post</h2>"),
    "elements named as series": _each('<p class="post-series">Part {n}<a href="/series/s{n}/"></a></p>'),
    "subtitles": _each('<p class="subtitle">Subtitle {n}</p>'),
    "minutes of reading": _each("<p>{n} min read</p>"),
    "divs beside each other": _each("<div>word {n}</div>"),
    "divs in divs": _each("<div><div><span>word {n}</span></div></div>"),
    "sections with links": _each('<section><h3><a href="/2024/{n}/">Post {n}</a></h3><p>Words {n}.</p></section>'),
    "articles": _each(f'<article class="post"><h2><a href="/2024/{{n}}/">{{n}}</a></h2><p>{_WORDS}</p></article>'),
    "nested quotes": _nested("<blockquote><p>a {n}</p>", "x", "</blockquote>"),
    "quotes": _each("<blockquote><p>word {n}</p></blockquote>"),
    "nested lists": _nested("<ul><li>a {n}", "x", "</li></ul>"),
    "list items": _each("<li>item {n}</li>"),
    "list of links": _each('<li><a href="/p{n}/">item {n}</a></li>'),
    "definition lists": _each("<dl><dt>a {n}<dd>b</dl>"),
    "nested divs": _nested("<div>a", "x", "</div>"),
    "nested spans": _nested("<span>a", "x", "</span>"),
    "nested bold": _nested("<b><i>a", "x", "</i></b>"),
    "nested tables": _nested("<table><tr><td>a", "x", "</td></tr></table>"),
    "rows": lambda n: "<table>" + _each("<tr><td>a {n}</td><td>b</td></tr>")(n) + "</table>",
    "cells of one row": lambda n: "<table><tr>" + _each("<td>a {n}</td>")(n) + "</tr><tr><td>x</td></tr></table>",
    "rows that span": lambda n: "<table>" + _each("<tr><td rowspan=1000 colspan=1000>a</td></tr>")(n) + "</table>",
    "tables": _each("<table><tr><td>a {n}</td></tr></table>"),
    "tables of text": _each(f"<table><tr><td><p>{_WORDS}</p></td></tr></table>"),
    "code": _each("<pre><code>line {n}</code></pre>"),
    "lines of code": lambda n: "<pre>" + _each("line `{n}`\n")(n) + "</pre>",
    "ticks in code": lambda n: f"<code>{'`' * n * 5}</code>",
    "ticks": lambda n: f"<p>{'` ' * n * 5}</p>",
    "stars": lambda n: f"<p>{'*a ' * n * 3}</p>",
    "underscores": lambda n: f"<p>{'_a' * n * 3}</p>",
    "brackets": lambda n: f"<p>{'[' * n * 5}</p>",
    "dollars": lambda n: f"<p>{'$a ' * n * 3}</p>",
    "backslashes": lambda n: f"<p>{chr(92) * n * 5}</p>",
    "TeX": lambda n: f"<p>{chr(92)}({'{' * n * 5}</p>",
    "TeX that opens": lambda n: f"<p>{(chr(92) + '( a ') * n * 3}</p>",
    "MathML": _each("<math><mi>x</mi><mo>+</mo><mn>{n}</mn></math> "),
    "one formula": lambda n: "<math>" + _each("<mi>x</mi><mo>+</mo>")(n) + "</math>",
    "nested MathML": lambda n: "<math>" + _nested("<mrow>", "<mi>x</mi>", "</mrow>")(n) + "</math>",
    "nested roots": lambda n: "<math>" + _nested("<msqrt>", "<mi>x</mi>", "</msqrt>")(n) + "</math>",
    "SVG": _each('<svg><path d="M0 0"/><text>word {n}</text></svg>'),
    "entities": lambda n: f"<p>{'&amp;&lt;&nbsp;' * n * 2}</p>",
    "open entities": lambda n: f"<p>{'&' * n * 5}</p>",
    "inputs of a form": lambda n: "<form>" + _each("<input name=a{n}><label>b {n}</label>")(n) + "</form>",
    "forms": _each("<form><input name=a{n}><p>word</p></form>"),
    "open forms": _each("<form><p>word {n}</p>"),
    "buttons": _each("<button>b {n}</button>"),
    "frames": _each('<iframe src="https://www.youtube.com/embed/v{n}"></iframe>'),
    "objects": _each('<object data="/x{n}.swf"><param name=movie value=a></object>'),
    "videos": _each('<video src="/v{n}.mp4"><source src="/w{n}.mp4"></video>'),
    "sources of a picture": lambda n: f"<picture>{_each('<source srcset=/i{n}.png>')(n)}<img src=/i.png></picture>",
    "noscript": _each('<noscript><img src="/i{n}.png"></noscript>'),
    "details": _each("<details><summary>a {n}</summary>b</details>"),
    "ruby": _each("<ruby>a<rt>b {n}</rt></ruby>"),
    "custom elements": _each("<x-a>word {n}</x-a>"),
    "different elements": _each("<x-a{n}>word</x-a{n}>"),
    "script elements": _each("<script>var a = {n};</script>"),
    "dates": _each("<p>1 January 2024 at 10:{n}</p>"),
    "times": _each('<time datetime="2024-01-01">1 January 2024</time> '),
    "bylines": _each("<p>Posted by Ann Miller on 1 January 2024</p>"),
    "authors": _each('<a rel="author" href="/a/{n}">Ann {n}</a> '),
    "numbers": lambda n: f"<p>{'1 2 3/4 ' * n * 2}</p>",
    "months": lambda n: f"<p>{'January 1, ' * n * 2}</p>",
    "digits": lambda n: f"<p>{'1' * n * 5}</p>",
    "one word": lambda n: f"<p>{'a' * n * 10}</p>",
    "Chinese": lambda n: f"<p>{'月日年' * n * 3}</p>",
    "Thai": lambda n: f"<p>{'ภาษา' * n * 3}</p>",
    "combining marks": lambda n: f"<p>a{chr(0x301) * n * 5}</p>",
    "overrides of direction": lambda n: f"<p>{chr(0x202E) * n * 5}</p>",
    "URLs in text": _each("https://blog.example/a/{n} "),
    "at signs": lambda n: f"<p>{'a@' * n * 5}</p>",
    "dots": lambda n: f"<p>{'a.' * n * 5}</p>",
    "share buttons": _each('<div class="share sharedaddy"><a href="https://twitter.com/share?u={n}">Tweet</a></div>'),
    "related posts": _each('<div class="related-posts"><h4>Related</h4><a href="/2024/{n}/">x {n}</a></div>'),
    "microdata": _each('<div itemscope itemtype="http://schema.org/BlogPosting"><p itemprop="name">a {n}</p></div>'),
    "nested microdata": _nested('<div itemscope itemtype="http://schema.org/Article" itemprop="a">', "x", "</div>"),
    "hentry": _each('<div class="hentry"><p class="entry-title">a {n}</p><p class="entry-content">b</p></div>'),
    "nested hentry": _nested('<div class="hentry entry-content"><p>a {n}</p>', "x", "</div>"),
}

_COMMENT = (
    '<li class="comment" id="comment-{n}"><cite class="fn">Ann {n}</cite> <time>1 January 2024 10:00</time>'
    '<p>Words number {n} to read.</p><a href="#reply{n}">Reply</a>'
)
# After the article.
_BEHIND: dict[str, Make] = {
    "comments": lambda n: f'<ol class="comments">{_each(_COMMENT + "</li>")(n)}</ol>',
    "comments in comments": lambda n: (
        f'<ol class="comments">{_nested(_COMMENT + "<ol class=children>", "", "</ol></li>")(n)}</ol>'
    ),
    "comments without names": lambda n: (
        "<div id=comments>" + _each("<div><b>Ann {n}</b> said on 1 May 2024: <p>Words {n}.</p></div>")(n) + "</div>"
    ),
    "comments by one author": lambda n: (
        '<ol class="comments">' + _each('<li class="comment"><cite>Ann</cite><p>Words.</p></li>')(n) + "</ol>"
    ),
    "parts inside each other below an announcement": lambda n: "<h2>3 comments</h2>" + "pm<section>" * n,
    "lists inside each other below an announcement": lambda n: "<h2>3 comments</h2>" + "<ul>]?<ul>" * n,
    "comment areas": _each('<div id="comments" class="comments"><h3>Comments</h3><p>word {n}</p></div>'),
    "comment lines": lambda n: '<div id="comments">' + _each("<p>Ann {n} said...<br>Words.</p>")(n) + "</div>",
    "comments that quote": lambda n: (
        "<ol class=comments>" + _each("<li class=comment id=c{n}><p>@Ann{n} <a href=#c0>x</a></p></li>")(n) + "</ol>"
    ),
    "trackbacks": lambda n: (
        "<ol class=comments>" + _each("<li class=pingback><a href=https://b{n}.example/>b</a> [...]</li>")(n) + "</ol>"
    ),
    "menus": _each("<nav><ul><li><a href=/a{n}>a {n}</a></ul></nav>"),
    "asides": _each("<aside><h3>Recent</h3><a href=/2024/01/{n}>Post {n}</a></aside>"),
    "footers": _each("<footer><p>Copyright 2024 Ann {n}</p></footer>"),
}

# In the head.
_HEAD: dict[str, Make] = {
    "meta tags": _each('<meta property="article:tag" content="tag {n}">'),
    "meta names": _each('<meta name="a{n}" content="b">'),
    "authors in meta tags": _each('<meta name="author" content="Ann {n}">'),
    "dates in meta tags": _each('<meta property="article:published_time" content="2024-01-01T00:00:{n}">'),
    "keywords": lambda n: '<meta name="keywords" content="' + _each("word{n}, ")(n) + '">',
    "robots directives": lambda n: '<meta name="robots" content="' + _each("noarchive{n}, ")(n) + '">',
    "feeds": _each('<link rel="alternate" type="application/rss+xml" href="/feed{n}">'),
    "alternates": _each('<link rel="alternate" hreflang="x{n}" href="/{n}/">'),
    "canonical URLs": _each('<link rel="canonical" href="/{n}/">'),
    "icons": _each('<link rel="icon" sizes="16x16" href="/i{n}.ico">'),
    "style sheets": _each('<link rel="stylesheet" href="/s{n}.css">'),
    "styles": _each("<style>.c{n} { display: none }</style>"),
    "rules of a style": lambda n: "<style>" + _each(".c{n} > p { display: none }\n")(n) + "</style>",
    "open comments of a style": lambda n: f"<style>{'/*' * n * 5}</style>",
    "open braces of a style": lambda n: f"<style>{'{' * n * 5}</style>",
    "imports of a style": lambda n: "<style>" + _each("@import url(a{n}.css);")(n) + "</style>",
    "open URLs of a style": lambda n: f"<style>{'url(' * n * 5}</style>",
    "JSON-LD blocks": _each('<script type="application/ld+json">{"@type":"BlogPosting","headline":"{n}"}</script>'),
    "JSON-LD people": lambda n: (
        '<script type="application/ld+json">{"@graph": ['
        + _each('{"@type": "Person", "@id": "#p{n}", "name": "Ann {n}"},')(n)
        + '{"@type": "BlogPosting", "author": ['
        + ",".join(f'{{"@id": "#p{i}"}}' for i in range(n))
        + "]}]}</script>"
    ),
    "JSON-LD nested": lambda n: (
        '<script type="application/ld+json">' + '{"@type":"Article","author":' * n + "1" + "}" * n + "</script>"
    ),
    "JSON-LD keywords": lambda n: (
        '<script type="application/ld+json">{"@type":"BlogPosting","keywords":['
        + ",".join(f'"k{i}"' for i in range(n))
        + "]}</script>"
    ),
    "JSON-LD comments": lambda n: (
        '<script type="application/ld+json">{"@type":"BlogPosting","comment":['
        + ",".join(f'{{"@type":"Comment","text":"Words {i}","author":{{"name":"Ann"}}}}' for i in range(n))
        + "]}</script>"
    ),
    "titles": _each("<title>A {n}</title>"),
    "long title": lambda n: f"<title>{'A post | ' * n}</title>",
    "long title of dashes": lambda n: f"<title>{'- ' * n * 5}</title>",
    "scripts": _each("<script>a{n}()</script>"),
    "one script": lambda n: "<script>" + _each('var a{n} = "<p>";\n')(n) + "</script>",
    "bases": _each('<base href="/{n}/">'),
}


def _page(head: str, article: str, behind: str) -> str:
    return (
        f"<!doctype html><html lang=en><head><title>A post</title>{head}</head><body><div id=main>"
        f'<article class="post"><h1 class="entry-title">A post</h1><p class=date>1 January 2024</p>'
        f'<div class="entry">{article}</div></article>{behind}</div></body></html>'
    )


def _in_page(make: Make, place: str) -> Make:
    """A page with the construct in its head, in the article or after it."""
    match place:
        case "head":
            return lambda count: _page(make(count), _TEXT, "")
        case "article":
            return lambda count: _page("", f"{_TEXT}{make(count)}{_TEXT}", "")
        case _:
            return lambda count: _page("", _TEXT, make(count))


PAGES: dict[str, Make] = {
    name: _in_page(make, place)
    for place, constructs in (("article", _IN_ARTICLE), ("behind", _BEHIND), ("head", _HEAD))
    for name, make in constructs.items()
}
