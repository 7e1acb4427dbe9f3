"""Markdown of any article renders to the same elements as its HTML."""

from __future__ import annotations

from collections import Counter

from hypothesis import example, given, settings
from hypothesis import strategies as st

from posterity.dom import parse
from posterity.evaluate.elements import Elements, elements_of_html, elements_of_markdown
from posterity.extraction.record import article_fields

URL = "https://blog.example/p"
WORDS = st.lists(st.text("abcxyz潮é*_`#[]()<>&|~\\1.-+!", min_size=1, max_size=6), min_size=1, max_size=4).map(" ".join)


def escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


TEXTS = WORDS.map(escaped)
NUMBERS = st.integers(1, 99)
LINKS = st.builds("<a href='https://w.example/{}'>{}</a>".format, NUMBERS, TEXTS)
LINES = st.recursive(
    st.one_of(
        TEXTS,
        LINKS,
        st.builds("<img src='/{}.jpg' alt='a'>".format, NUMBERS),
        st.builds("<code>{}</code>".format, TEXTS),
        st.builds("so <script type='math/tex'>x_{}</script>".format, NUMBERS),
    ),
    lambda inner: st.builds(
        "{} <{tag}>{}</{tag}> {}".format, inner, inner, inner, tag=st.sampled_from(["b", "em", "span"])
    ),
    max_leaves=4,
)
BLOCKS = st.recursive(
    st.one_of(
        st.builds("<p>{}</p>".format, LINES),
        st.builds("<h{0}>{1}</h{0}>".format, st.integers(1, 6), TEXTS),
        st.builds("<pre>{}\n  {}</pre>".format, TEXTS, TEXTS),
        st.builds(
            "<table><tr><th>{}</th><th>b</th></tr><tr><td>{}</td><td>{}</td></tr></table>".format, TEXTS, LINES, TEXTS
        ),
        st.builds("<iframe src='https://www.youtube.com/embed/abcdefghi{}'></iframe>".format, st.integers(10, 99)),
    ),
    lambda inner: st.one_of(
        st.builds("<ul><li>{}</li><li>{}</li></ul>".format, inner, LINES),
        st.builds("<ol><li>{}{}</li></ol>".format, LINES, inner),
        st.builds("<blockquote>{}{}</blockquote>".format, inner, inner),
        st.builds("<div>{}{}</div>".format, inner, inner),
    ),
    max_leaves=6,
)


CONTAINERS = frozenset({"headings", "list items", "quotes", "tables"})  # formulas in their text are TeX or missing


def counted(elements: Elements) -> dict[str, Counter[str]]:
    return {
        kind: Counter("any" if kind in CONTAINERS else each.keys[0] for each in found)
        for kind, found in sorted(elements.items())
        if found
    }


# Delimiters of formulas in two blocks, with a formula between them.
APART = "<ul><li><p>1 \\[</p></li></ul><ol><li>so <script type='math/tex'>x_1</script><p>1</p></li></ol><p>1 \\]</p>"


@settings(max_examples=100, deadline=None)
@given(st.lists(BLOCKS, min_size=1, max_size=4).map("".join))
@example(APART)
def test_markdown_has_the_elements_of_the_html(page: str) -> None:
    tree = parse(f"<article>{page}</article>", URL).first("article")
    assert tree is not None
    fields = article_fields(tree, URL)
    assert counted(elements_of_markdown(fields["markdown"], URL)) == counted(elements_of_html(fields["html"], URL)), (
        fields
    )
