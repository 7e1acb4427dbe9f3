"""HTML made from Markdown becomes Markdown that renders to the same HTML, for all constructs and their nestings."""

from __future__ import annotations

import re
from itertools import product

import pytest

from posterity.dom import markdown_of, parse
from posterity.evaluate.elements import markdown_renderer

INLINE = {
    "words": "plain words",
    "emphasis": "an *emphasised* word",
    "strong": "a **strong** word",
    "both": "***both*** and *one **in** other*",
    "inside a word": "un*believ*able and **ab**c",
    "struck": "~~struck~~ out",
    "code": "some `code` here",
    "code with back-ticks": "``a `b` c`` and `` `x ``",
    "code with markup": "`*no* <b> &amp; \\`",
    "link": "a [link](https://w.example/a) here",
    "link with a title": 'a [link](https://w.example/a "Its \\"title\\"")',
    "link with parentheses": "[a](https://w.example/a_(b)) and [c](<https://w.example/c)d>)",
    "link around emphasis": "[*a* **b** `c`](https://w.example/)",
    "link with brackets": "[a \\[b\\] c](https://w.example/)",
    "link with a query": "[a](https://w.example/?a=1&copy=2&amp;b)",
    "autolink": "<https://w.example/a?b=c>",
    "mail": "[a](mailto:a@w.example)",
    "image": "![alt *no* text](https://w.example/a.png)",
    "image with a title": '![a](https://w.example/a.png "T")',
    "linked image": "[![a](https://w.example/a.png)](https://w.example/)",
    "hard break": "one  \ntwo",
    "soft break": "one\ntwo",
    "escapes": r"\*no\* \_no\_ \`no\` \[no\](x) \# 1\. \- \> \~~ \\ \<b>",
    "entities": "&lt;b&gt; &amp;amp; &copy; a&nbsp;b",
    "signs": "5 * 3 * 2, a_b_c, 1 < 2 > 1, a | b, $5 or $6, ~ and ^",
    "formula": "so $x_1 * y$ holds",
    "displayed formula": "$$\\sum_i x_i$$",
    "small elements": "H<sub>2</sub>O x<sup>2</sup> <kbd>K</kbd> <mark>m</mark> <ins>i</ins>",
    "abbreviation": '<abbr title="Low water">LW</abbr>',
    "punctuation around": '"*a*", (**b**); *c*.',
    "other scripts": "*潮*は**引く** مد ~~и~~ прилив",
}
BLOCKS = {
    "paragraph": "{}",
    "two paragraphs": "{}\n\n{}",
    "heading": "## {}",
    "item": "- {}\n- two",
    "numbered item": "3. {}\n4. two",
    "loose item": "- {}\n\n- two",
    "nested item": "- one\n  - {}\n  - b\n- two",
    "item with paragraphs": "- one\n\n  {}\n\n- two",
    "quotation": "> {}",
    "nested quotation": "> one\n>\n> > {}",
    "list in a quotation": "> - {}\n> - two",
    "quotation in an item": "- one\n\n  > {}",
    "code in an item": "- {}\n\n  ```\n  a\n    b\n  ```\n",
    "cell": "| a | b |\n| --- | --- |\n| {} | 2 |",
    "after a rule": "one\n\n---\n\n{}",
}
# Constructs that cannot contain others.
IMPOSSIBLE = {
    ("hard break", "heading"), ("soft break", "heading"), ("hard break", "cell"), ("soft break", "cell"),
    ("signs", "cell"), ("code with back-ticks", "cell"), ("displayed formula", "heading"),
    ("displayed formula", "cell"),
}  # fmt: skip
WHOLE = {
    "code": "```python\nif x:\n\n    y()\n```",
    "code with a fence": "````\n```\na\n```\n````",
    "indented code": "    a\n      b",
    "code with markup": "```\n<b> &amp; *a* \\\n```",
    "headings": "# a\n\n###### b\n\n## c #\\#",
    "table": "| a | b |\n| --- | --- |\n| 1 | `x` |\n| *3* | 4 |",
    "table with an empty cell": "| a | b |\n| --- | --- |\n|  | 2 |",
    "bars in a cell": "| a | b |\n| --- | --- |\n| x \\| y | 2 |",
    "two lists": "- a\n- b\n\n<!-- -->\n\n- c",
    "lists of two kinds": "- a\n\n1. b",
    "list after a paragraph": "a\n\n- b\n- c\n\nd",
    "deep list": "1. a\n   - b\n     1. c\n        - d",
    "rule in a list": "- a\n\n  ---\n\n  b",
    "item that begins with code": "- ```\n  a\n  ```\n- b",
    "item that begins with a list": "- - a\n  - b\n- c",
    "item that begins with a heading": "- ## a\n- b",
    "quotations in a row": "> a\n\n<!-- -->\n\n> b",
    "code in a quotation": "> ```\n> a\n>\n> b\n> ```",
    "footnotes": "a[^1] b[^x]\n\n[^1]: One.\n\n[^x]: Two.\n\n    More *of* it.",
    "details": "<details>\n<summary>More</summary>\n\ntext *a*\n\n- b\n\n</details>",
    "definitions": "<dl><dt>a</dt><dd>b</dd></dl>",
    "line that looks like a heading": "\\# a\n\n1\\. b\n\n\\- c\n\n\\+ d\n\na\\\n=\n\nb\\\n---",
    "line that looks like a table": "\\| a \\| b \\|\n\\| --- \\|",
}
CASES = [
    pytest.param(block.format(*[inline] * block.count("{}")), id=f"{what} in {where}")
    for (what, inline), (where, block) in product(INLINE.items(), BLOCKS.items())
    if (what, where) not in IMPOSSIBLE
] + [pytest.param(markdown, id=name) for name, markdown in WHOLE.items()]


BLOCK_TAG = re.compile(
    r"\s*(</?(?:p|div|h[1-6]|ul|ol|li|blockquote|table|tr|t[dh]|hr|br|section|dl|dt|dd|details|summary|pre)\b[^>]*>)\s*"
)


def normal(html: str) -> str:
    """HTML without parts that do not change its rendering: white space between blocks, comments, anchors of notes."""
    html = re.sub(r"<!--.*?-->|</?(?:tbody|thead|semantics)>", "", html, flags=re.DOTALL)
    parts = re.split(r"(<pre>.*?</pre>)", html, flags=re.DOTALL)
    html = "".join(part if part.startswith("<pre>") else re.sub(r"\s+", " ", part) for part in parts)
    html = BLOCK_TAG.sub(r"\1", html)
    # Tight and loose lists are treated as equal.
    return re.sub(r"<li>\s*<p>(.*?)</p>", r"<li>\1", html.strip(), flags=re.DOTALL)


@pytest.mark.parametrize("markdown", CASES)
def test_markdown_comes_back_the_same(markdown: str) -> None:
    shown = markdown_renderer().render(markdown)
    again = markdown_of(parse(shown).tree)
    assert normal(markdown_renderer().render(again)) == normal(shown), again
