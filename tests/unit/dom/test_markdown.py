"""A node as Markdown, which another Markdown parser reads the same way."""

from __future__ import annotations

import pytest
from markdown_it import MarkdownIt

from posterity.dom import markdown_of, parse, text_of

BASE = "http://blog.example/2021/"
READER = MarkdownIt("commonmark").enable(["table", "strikethrough"])


def markdown(markup: str) -> str:
    document = parse(f"<body>{markup}</body>", BASE)
    return markdown_of(document.tree, document.base_url)


def outline(markup: str) -> list[str]:
    """The tags and words of a page in order, which a round trip must keep."""
    tree = parse(markup).tree
    kept = [tree.text[node].split() if tag == "#text" else [f"<{tag}>"] for node, tag in enumerate(tree.tag)]
    return [word for words in kept for word in words]


@pytest.mark.parametrize(
    ("markup", "written"),
    [
        ("<h1>A</h1><h3>B <em>c</em></h3>", "# A\n\n### B *c*"),
        ("<p>one</p><p>two</p>", "one\n\ntwo"),
        ("<p>Look!<a href=/a>here</a></p>", "Look\\![here](http://blog.example/a)"),
        ("<p><em><i>a</i></em> <em><b>b</b></em></p>", "*a* ***b***"),
        ("<ul><li>a</li><li><hr></li></ul>", "- a\n- ***"),
        ("<p>a<br>b</p>", "a  \nb"),
        ("<ul><li>a</li><li>b</li></ul>", "- a\n- b"),
        ("<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"),
        ("<ul><li>a<ul><li>b<ol><li>c</li></ol></li></ul></li><li>d</li></ul>", "- a\n  - b\n    1. c\n- d"),
        ("<blockquote><p>a</p><p>b</p></blockquote>", "> a\n>\n> b"),
        ("<blockquote>a<blockquote>b</blockquote></blockquote>", "> a\n>\n> > b"),
        ("<pre><code class='language-python'>if x:\n    y()\n</code></pre>", "```python\nif x:\n    y()\n```"),
        ("<div class='highlight-source-rust'><pre>fn</pre></div>", "```rust\nfn\n```"),
        ("<pre class='brush: php'>$x</pre>", "```php\n$x\n```"),
        ("<pre>a ``` b</pre>", "````\na ``` b\n````"),
        ("<p>run <code>ls -l</code> now</p>", "run `ls -l` now"),
        ("<p><a href='/b'>text</a></p>", "[text](http://blog.example/b)"),
        ("<p><a href='/b c(d)'>text</a></p>", "[text](http://blog.example/b%20c(d))"),
        ("<p><a href='javascript:x()'>text</a></p>", "text"),
        ("<p><a href='/b'></a>text</p>", "text"),
        ("<p><img src='/a.png' alt='A tide'></p>", "![A tide](http://blog.example/a.png)"),
        ("<p><img src='blank.gif' data-src='/late.jpg' alt='late'></p>", "![late](http://blog.example/late.jpg)"),
        ("<a href='/b'><img src='/a.png' alt='x'></a>", "[![x](http://blog.example/a.png)](http://blog.example/b)"),
        ("<p><b>bold</b>, <i>slanted</i>, <del>gone</del></p>", "**bold**, *slanted*, ~~gone~~"),
        ("<p>a<b> b </b>c</p>", "a **b** c"),
        ("<p>a <b></b><i> </i>c</p>", "a c"),
        ("<hr>", "---"),
        ("<h2>C#</h2>", "## C\\#"),
        ("<ul><li>a</li></ul><ul><li>b</li></ul>", "- a\n\n<!-- -->\n\n- b"),
        (
            "<table><tr><th>a</th><th>b</th></tr><tr><td>1</td><td>x|y</td></tr></table>",
            "| a | b |\n| --- | --- |\n| 1 | x\\|y |",
        ),
        ("<table><tr><th>a</th><th>b</th></tr><tr><td>1</td></tr></table>", "| a | b |\n| --- | --- |\n| 1 |  |"),
        ("<ol><li>a</li><li></li><li>b</li><li></li></ol>", "1. a\n2.\n3. b"),
        ("<ul><li></li></ul><p>a</p>", "a"),
        ("<p>Type <code> </code> twice</p>", "Type ` ` twice"),
        ('<p><a href="irc://irc.example/channel">chat</a></p>', "[chat](irc://irc.example/channel)"),
        ('<p><a href="TEL:+49123">call</a></p>', "[call](TEL:+49123)"),
        ('<p><a href="vbscript:x">no</a> <a href="file:///etc/passwd">no</a></p>', "no no"),
        ("<table><tr><td><p>layout</p></td></tr></table>", "layout"),
        ("<p>2 * 3 * 4 and a_b_c [x] &lt;b&gt;</p>", "2 \\* 3 \\* 4 and a\\_b\\_c \\[x\\] \\<b\\>"),
        ("<p># no heading</p><p>- no list</p>", "\\# no heading\n\n\\- no list"),
        ("<table><tr><td><p>a</p><p>b</p></td><td>c</td></tr></table>", "a\n\nb\n\nc"),
        ("<pre>a<br>b</pre>", "```\na\nb\n```"),
        (
            "<p><img src='data:x' alt='late'><noscript><img src='/real.jpg'></noscript></p>",
            "![late](http://blog.example/real.jpg)",
        ),
        ("<a href='/b'><div><p>block in a link</p></div></a>", "[block in a link](http://blog.example/b)"),
        ("<p>seen</p><script>x</script><form>y</form><p hidden>z</p>", "seen"),
        ("", ""),
    ],
)
def test_markdown(markup: str, written: str) -> None:
    assert markdown(markup) == written


@pytest.mark.parametrize(
    "markup",
    [
        "<h2>A heading</h2><p>and text</p>",
        "<p>one</p><p>two <em>three</em> <strong>four</strong></p>",
        "<p>a<br>b</p>",
        "<ul><li>a</li><li>b<ul><li>c</li></ul></li></ul>",
        "<ol><li>a</li><li>b</li></ol>",
        "<blockquote><p>a</p><p>b</p></blockquote>",
        "<pre><code>if x:\n    y()\n</code></pre>",
        "<p>run <code>ls -l</code></p>",
        '<p><a href="http://blog.example/b">text</a></p>',
        '<p><img src="http://blog.example/a.png" alt="x"></p>',
        "<hr>",
        "<table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td><td>2</td></tr></tbody></table>",
        "<p>2 * 3 * 4 and a_b_c [x](y) &lt;b&gt; `z` \\ # and 5. and &amp;</p>",
        "<p># no heading</p><p>- no list</p><p>+ no list</p>",
        "<p><em>a</em><strong>b</strong></p>",
    ],
)
def test_another_reader_sees_the_same(markup: str) -> None:
    assert outline(READER.render(markdown(markup))) == outline(markup)


@pytest.mark.parametrize(
    "markup",
    [
        pytest.param("<p>1. no list</p>", id="number at the start of a line"),
        pytest.param("<p>a<br># b<br>- c</p>", id="marks after a hard break"),
        pytest.param("<p>costs &amp;amp; more</p>", id="entity written out"),
        pytest.param("<p>~~not gone~~</p>", id="two tildes"),
        pytest.param("<p>a\\*b &amp;a_b; \\&amp;amp; ~~~c~~ \\_</p>", id="backslashes before markup"),
        pytest.param("<p>run <code>a `b` c</code></p>", id="backtick in code"),
        pytest.param("<ul><li><p>a</p><p>b</p></li><li><p>c</p></li></ul>", id="paragraphs in an item"),
        pytest.param("<ul><li>a<pre><code>x\n\n  y\n</code></pre></li></ul>", id="code in an item"),
        pytest.param("<p>Title</p><p>=====</p>", id="line of equals signs alone"),
        pytest.param("<p>Title<br>=====</p>", id="underlined line"),
        pytest.param("<p>a</p><p>---</p>", id="three dashes"),
        pytest.param('<p><img src="http://blog.example/a.png" alt="A [tide]"></p>', id="brackets in alt"),
        pytest.param("<ol start=3><li>c</li></ol>", id="list that starts at 3"),
        pytest.param("<p>&gt; no quote</p>", id="greater than"),
    ],
)
def test_rare_shapes_survive_another_reader(markup: str) -> None:
    assert outline(READER.render(markdown(markup))) == outline(markup)


def test_list_number_starts_where_the_page_says() -> None:
    assert markdown("<ol start=3><li>c</li><li>d</li></ol>") == "3. c\n4. d"


@pytest.mark.parametrize("style", ["user-select:none", "white-space:pre;-webkit-user-select:none;user-select: none"])
def test_line_numbers_that_cannot_be_copied_are_no_code(style: str) -> None:
    lines = "".join(f"<span style='{style}'> {number}\n</span>" for number in (1, 2))
    cells = f"<td><pre><code>{lines}</code></pre></td><td><pre><code>tide(1)\nebb(2)</code></pre></td>"
    assert markdown(f"<p>So:</p><table><tr>{cells}</tr></table>") == "So:\n\n```\ntide(1)\nebb(2)\n```"
    beside = f"<pre><code><span><span style='{style}'>1</span><span>tide(1)\n</span></span></code></pre>"
    assert markdown(beside) == "```\ntide(1)\n```"
    assert markdown(f"<p><span style='{style}'>1</span> boat</p>") == "1 boat"


def test_numbers_of_notes_about_lines_are_no_code() -> None:
    number = '<a class="code-annotation-anchor" data-target-annotation="1">1</a>'
    assert markdown(f"<pre><code>{number}boats = 4\n  nets = 2</code></pre>") == "```\nboats = 4\n  nets = 2\n```"


def test_words_are_those_of_the_text() -> None:
    markup = "<h2>A</h2><p>b <b>c</b> <a href='/d'>e</a></p><ul><li>f<li>g</ul><blockquote>h</blockquote>"
    assert text_of(parse(READER.render(markdown(markup))).tree).split() == text_of(parse(markup).tree).split()


def test_skipped_nodes_are_left_out() -> None:
    tree = parse("<p>a</p><div><p>b</p></div>").tree
    assert markdown_of(tree, skip=frozenset(tree.nodes_by_tag["div"])) == "a"


def test_skipped_nodes_in_code_are_left_out() -> None:
    tree = parse("<pre>a<i>1</i>b</pre><p><code>c<i>2</i></code></p>").tree
    assert markdown_of(tree, skip=frozenset(tree.nodes_by_tag["i"])) == "```\nab\n```\n\n`c`"


def test_tables_in_tables_are_written_once() -> None:
    markup = "<table><tr><td>" * 30 + "tide" + "</td></tr></table>" * 30
    assert markdown(markup) == "tide"


def test_page_in_one_form_is_read() -> None:
    assert markdown(f"<form><p>{'tide ' * 200}</p></form>").startswith("tide tide")
