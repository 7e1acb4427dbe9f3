"""Self-contained HTML: without scripts, hidden parts and broken links."""

from __future__ import annotations

import pytest

from posterity.dom import parse, text_of
from posterity.dom.plain_text import html_of

BASE = "http://blog.example/2021/"


def clean(markup: str) -> str:
    document = parse(f"<body>{markup}</body>", BASE)
    return html_of(document.tree, document.base_url)


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<p onclick='x()' style='color:red' class='c'>a</p>", "<p>a</p>"),
        ("<p>a<script>x()</script></p>", "<p>a</p>"),
        ("<a href='javascript:x()'>a</a>", "<a>a</a>"),
        ("<a href=' JavaScript:x()'>a</a>", "<a>a</a>"),
        ("<a href='java\nscript:x()'>a</a>", "<a>a</a>"),
        ("<a href='data:text/html,x'>a</a>", "<a>a</a>"),
        ("<a href='/b' onmouseover='x()'>a</a>", '<a href="http://blog.example/b">a</a>'),
        ("<img src='c.png' onerror='x()' alt='d'>", '<img src="http://blog.example/2021/c.png" alt="d">'),
        ("<section><p>a</p></section>", "<div><p>a</p></div>"),
        ("<font>a</font><blink>b</blink>", "ab"),
        (
            "<iframe src='http://x.example/'></iframe><object></object><p>a</p>",
            '<figure><a href="http://x.example/">x.example</a></figure><p>a</p>',
        ),
        ("a &lt;b&gt; &amp; c", "a &lt;b&gt; &amp; c"),
        (
            "<a href='/?a=1&amp;b=2' title='\"q\"'>a</a>",
            '<a href="http://blog.example/?a=1&amp;b=2" title="&quot;q&quot;">a</a>',
        ),
        (
            "<pre><code class='language-python'>x\n  y</code></pre>",
            '<pre><code class="language-python">x\n  y</code></pre>',
        ),
        ("<ol start=3><li>a</li></ol>", '<ol start="3"><li>a</li></ol>'),
        ("<td>", ""),
        (
            "<table><tr><td colspan=2>a</td></tr></table>",
            '<table><tbody><tr><td colspan="2">a</td></tr></tbody></table>',
        ),
        ("a<br>b<hr>", "a<br>b<hr>"),
        ("<svg onload='x()'><script>y</script></svg>a", "a"),
        ("<math><mtext><img src=x onerror=y></mtext></math>a", "a"),
    ],
)
def test_only_content_stays(markup: str, written: str) -> None:
    body = clean(markup)
    assert body.removeprefix("<div>").removesuffix("</div>") == written or body == written


@pytest.mark.parametrize(
    "attack",
    [
        '<p><a href="&#106;avascript:x()">a</a>',
        "<a href='vbscript:x()'>a</a>",
        "<img src='javascript:x()'>",
        "<img src=x onerror=alert(1)//>",
        "<body onload=alert(1)>",
        '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
        "<form action='javascript:x()'><button formaction='javascript:y()'>a</button></form>",
        "<meta http-equiv=refresh content='0;url=javascript:x()'>",
        "<base href='javascript:x()'><a href='y'>a</a>",
        "<xmp><script>alert(1)</script></xmp>",
        "<plaintext><script>alert(1)</script>",
        "<textarea></textarea><script>alert(1)</script>",
    ],
)
def test_nothing_runs_even_when_read_again(attack: str) -> None:
    tree = parse(clean(attack)).tree
    assert "script" not in tree.tag
    attributes = [(name, value or "") for attrs in tree.attrs for name, value in attrs.items()]
    assert [name for name, _ in attributes if name.startswith("on")] == []
    assert [value for _, value in attributes if "script:" in value.lower()] == []


def test_text_is_the_same_when_read_again() -> None:
    markup = "<h2>A</h2><p>b <b>c</b></p><ul><li>d<li>e</ul><pre>f\n  g</pre><blockquote>h</blockquote>"
    assert text_of(parse(clean(markup)).tree) == text_of(parse(markup).tree)


def test_skipped_nodes_are_left_out() -> None:
    tree = parse("<p>a</p><p id=x>b</p>").tree
    assert "b" not in html_of(tree, skip=frozenset(tree.nodes_by_id["x"])).replace("<body>", "")


def test_picture_that_loads_late_has_its_real_address() -> None:
    lazy = "<img src='data:image/gif;base64,R0' alt='a'>\n<noscript><img src='/real.jpg'></noscript>"
    assert clean(f"<p>{lazy}</p>") == '<p><img src="http://blog.example/real.jpg" alt="a">\n</p>'


def test_page_that_stands_in_one_form_is_kept() -> None:
    assert clean(f"<form><p>{'tide ' * 200}</p></form>").startswith("<p>tide")


def test_video_in_the_data_of_its_script_is_an_embed() -> None:
    frame = "&lt;iframe width='5' src='//www.youtube.com/embed/aqz-KE-bpKQ'&gt;&lt;/iframe&gt;"
    found = clean(f'<p>Look:</p><div class="sqs-video-wrapper" data-html="{frame}"></div>')
    assert "https://www.youtube.com/watch?v=aqz-KE-bpKQ" in found


def test_name_of_the_language_beside_code_is_left_out() -> None:
    assert (
        clean("<div><span class=lang>bash</span><pre><code>ls</code></pre></div>")
        == "<div><pre><code>ls</code></pre></div>"
    )
    assert "English" in clean("<div><span class=lang>English</span><p>Welcome.</p></div>")
