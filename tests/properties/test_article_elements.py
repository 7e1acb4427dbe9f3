"""Whatever an article is made of, its Markdown renders to the same elements as its HTML."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from posterity.dom import Tree, parse
from posterity.extraction.record import article_fields

URL = "https://blog.example/p"
READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
WORDS = st.lists(
    st.sampled_from("tide ebb_flow 2*3 [x] <y> a&b 5. # - + `z` \\ x(y) ~~".split()), min_size=1, max_size=4
)
TEXT = WORDS.map(" ".join).map(lambda text: text.replace("&", "&amp;").replace("<", "&lt;"))
INLINE = st.one_of(
    TEXT,
    TEXT.map(lambda text: f'<a href="https://w.example/a_(b)">{text}</a>'),
    TEXT.map(lambda text: f"<code>{text}</code>"),
    TEXT.map(lambda text: f"<kbd>{text}</kbd>"),
    st.just('<img src="https://w.example/a.jpg" alt="a [b]">'),
    st.just('<iframe src="https://www.youtube.com/embed/abcdefghijk"></iframe>'),
)
LINE = st.lists(INLINE, min_size=1, max_size=3).map(" ".join)
BLOCK = st.one_of(
    LINE.map(lambda line: f"<p>{line}</p>"),
    TEXT.map(lambda line: f"<h2>x {line}</h2>"),
    TEXT.map(lambda line: f"<pre><code>{line}</code></pre>"),
    st.lists(TEXT, min_size=1, max_size=3).map(
        lambda items: f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"
    ),
    TEXT.map(lambda line: f"<blockquote><p>x {line}</p></blockquote>"),
    TEXT.map(lambda text: f"<table><tr><th>{text}</th><th>b</th></tr><tr><td>c</td><td>{text}</td></tr></table>"),
    TEXT.map(lambda text: f"<dl><dt>{text}</dt><dd>b</dd></dl>"),
)
COUNTED = frozenset("a code kbd img h2 pre ul li blockquote table th td dl dt dd".split())


def elements(tree: Tree) -> Counter[tuple[str, str]]:
    """The elements that count, with their words, without white space."""
    found = ((tag, "".join(tree.plain(node).split())) for node, tag in enumerate(tree.tag) if tag in COUNTED)
    return Counter(found)


@given(st.lists(BLOCK, min_size=1, max_size=5).map("".join))
def test_markdown_renders_to_the_elements_of_the_html(html: str) -> None:
    tree = parse(f"<body>{html}</body>", URL).tree
    fields = article_fields(tree, URL)
    rendered = parse(READER.render(fields["markdown"]), URL).tree
    assert elements(rendered) == elements(parse(fields["html"], URL).tree)
