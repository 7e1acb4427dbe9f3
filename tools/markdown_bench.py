"""Measures how similar the Markdown of a record is to the Markdown that its author wrote.

    python -m tools.markdown_bench [--pages N] [--rival]

Pages are generated with a fixed seed: articles in Markdown with headings, paragraphs, lists, quotations, code, tables
and formulas are rendered to HTML, with code and formulas in the markup of several static site generators, inside pages
with menu, sidebar, share bar and comments. The measures are those of WebMainBench: 1 minus the edit distance divided by
the longer length, for the whole Markdown, its code and its formulas, and for tables as trees of rows and cells (TEDS).
"""

from __future__ import annotations

import argparse
import random
import re
from collections.abc import Callable, Sequence
from html import escape, unescape
from statistics import fmean

import posterity
from posterity.evaluate.candidates import rival_named
from posterity.evaluate.elements import markdown_renderer

SEED = 17
WORDS = (
    "tide harbour crane quay boat rope salt wind morning evening water stone light keeper chart depth signal anchor "
    "storm shore engine sail gull fog bell pier net hull deck mast"
).split()
MENU = (
    "<ul><li><a href='/'>Home</a></li><li><a href='/about/'>About</a></li><li><a href='/all/'>All posts</a></li></ul>"
)
SHELLS = (
    """<header class='site-header'>{menu}</header><main><article class='post h-entry'>
<h1 class='post-title p-name'>{title}</h1><div class='post-content e-content'>{body}</div></article></main>
<footer class='site-footer'>Imprint</footer>""",
    """<nav id='menu'>{menu}</nav><section id='content'><article><header><h1 class='entry-title'>{title}</h1></header>
<footer class='post-info'>Published by <a href='/author/'>Anna</a></footer><div class='entry-content'>{body}</div>
</article></section><aside id='extras'><h2>Links</h2>{menu}</aside>""",
    """<div id='container'><div id='header'>{menu}</div><section id='main'><article class='article'>
<h1 class='article-title'>{title}</h1><div class='article-entry'>{body}</div><footer class='article-footer'>
<a href='#'>Share</a></footer></article></section><aside id='sidebar'><h3>Recent posts</h3>{menu}</aside></div>""",
    """<main class='main'><article class='post-single'><header class='post-header'><h1 class='post-title'>{title}</h1>
</header><div class='post-content'>{body}</div></article><div class='comments'><h2>Comments</h2><p>Nice post, thank you
for the crane.</p></div></main>""",
)


def chroma(language: str, code: str) -> str:
    """Return a code block in the markup of Hugo."""
    return f"<div class='highlight'><pre class='chroma'><code class='language-{language}'>{code}</code></pre></div>"


def rouge(language: str, code: str) -> str:
    """Return a code block in the markup of Jekyll."""
    return (
        f"<div class='language-{language} highlighter-rouge'><div class='highlight'><pre class='highlight'><code>{code}"
        "</code></pre></div></div>"
    )


def hexo(language: str, code: str) -> str:
    """Return a code block in the markup of Hexo, with line numbers in a table."""
    lines = code.rstrip("\n").split("\n")
    numbers = "<br>".join(f"<span class='line'>{number}</span>" for number in range(1, len(lines) + 1))
    shown = "<br>".join(f"<span class='line'>{line}</span>" for line in lines)
    return (
        f"<figure class='highlight {language}'><table><tr><td class='gutter'><pre>{numbers}</pre></td>"
        f"<td class='code'><pre>{shown}</pre></td></tr></table></figure>"
    )


def plain(language: str, code: str) -> str:
    """Return a code block in the markup of Markdown renderers."""
    return f"<pre><code class='language-{language}'>{code}</code></pre>"


HIGHLIGHTERS = (chroma, rouge, hexo, plain)
FORMULAS: tuple[Callable[[str, bool], str], ...] = (
    lambda tex, block: f"<script type='math/tex{'; mode=display' if block else ''}'>{tex}</script>",
    lambda tex, block: f"<span class='math {'display' if block else 'inline'}'>{escape(tex)}</span>",
    lambda tex, block: escape(f"\\[{tex}\\]" if block else f"\\({tex}\\)"),
    lambda tex, block: (
        f"<span class='{'katex-display' if block else 'katex'}'><math><semantics><mrow><mi>x</mi></mrow><annotation "
        f"encoding='application/x-tex'>{escape(tex)}</annotation></semantics></math><span>glyphs</span></span>"
    ),
)


class Author:
    """Generates random articles in Markdown, reproducible by seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def words(self, low: int, high: int) -> str:
        """Return between `low` and `high` random words."""
        return " ".join(self.rng.choices(WORDS, k=self.rng.randint(low, high)))

    def sentence(self) -> str:
        """Return a sentence with some markup in it."""
        marked = self.rng.choice(
            ("{}", "*{}*", "**{}**", "`{}`", "[{}](https://w.example/a)", "~~{}~~", "$x_1 = {}$")
        ).format(self.rng.choice(WORDS))
        return f"{self.words(5, 12).capitalize()} {marked} {self.words(2, 8)}."

    def paragraph(self) -> str:
        """Return two to four sentences."""
        return " ".join(self.sentence() for _ in range(self.rng.randint(2, 4)))

    def block(self) -> str:
        """Return a block other than a plain paragraph."""
        kind = self.rng.randrange(7)
        if kind == 0:
            return f"## {self.words(2, 5).capitalize()}"
        if kind == 1:
            return "\n".join(f"- {self.sentence()}" for _ in range(self.rng.randint(2, 5)))
        if kind == 2:
            return "\n".join(f"{number}. {self.sentence()}" for number in range(1, self.rng.randint(3, 5)))
        if kind == 3:
            return f"> {self.paragraph()}"
        if kind == 4:
            rows = [[self.words(1, 2) for _ in range(3)] for _ in range(self.rng.randint(3, 5))]
            lines = [f"| {' | '.join(row)} |" for row in rows]
            return "\n".join([lines[0], "| --- | --- | --- |", *lines[1:]])
        if kind == 5:
            return f"$$\\sum_{{i=0}}^{self.rng.randint(2, 9)} x_i$$"
        name = self.rng.choice(WORDS)
        return f"```python\ndef {name}(x):\n    if x < {self.rng.randint(1, 9)}:\n\n        return '{name}'\n```"

    def article(self) -> str:
        """Return a whole article."""
        blocks = [self.paragraph()]
        for _ in range(self.rng.randint(5, 9)):
            blocks += [self.block(), self.paragraph()]
        return "\n\n".join(blocks)


def page_of(markdown: str, number: int) -> str:
    """Return the page that a static site generator would create from an article."""
    highlight, formula = HIGHLIGHTERS[number % 4], FORMULAS[number // 4 % 4]
    body = markdown_renderer().render(markdown)
    body = re.sub(
        r'<pre><code class="language-(\w+)">(.*?)</code></pre>', lambda m: highlight(m[1], m[2]), body, flags=re.DOTALL
    )
    body = re.sub(
        r'<(?:span|div) class="math (inline|block)">(.*?)</(?:span|div)>',
        lambda m: formula(unescape(m[2]).strip(), m[1] == "block"),
        body,
        flags=re.DOTALL,
    )
    shell = SHELLS[number // 2 % 4]
    title = f"Post {number} about the harbour"
    return f"<!doctype html><title>{title} - Tides</title>" + shell.format(menu=MENU, title=title, body=body)


def similarity(left: str, right: str) -> float:
    """Return 1 minus the Levenshtein distance divided by the longer length (bit-parallel: Myers 1999)."""
    if not left or not right:
        return float(left == right)
    masks: dict[str, int] = {}
    for place, char in enumerate(left):
        masks[char] = masks.get(char, 0) | 1 << place
    positive, negative, distance, last = (1 << len(left)) - 1, 0, len(left), 1 << (len(left) - 1)
    for char in right:
        match = masks.get(char, 0)
        carry = (((match & positive) + positive) ^ positive) | match | negative
        up, down = negative | ~(carry | positive), positive & carry
        distance += bool(up & last) - bool(down & last)
        up = up << 1 | 1
        positive, negative = (down << 1) | ~(carry | up), up & carry
    return 1 - distance / max(len(left), len(right))


def aligned(left: Sequence[object], right: Sequence[object], cost: Callable[[object, object], float]) -> float:
    """Return the minimum cost of turning one sequence into the other; inserting or deleting costs an item's weight."""
    row = [0.0]
    for item in right:
        row.append(row[-1] + weight(item))
    for one in left:
        before, row = row, [row[0] + weight(one)]
        for place, other in enumerate(right):
            row.append(min(before[place] + cost(one, other), before[place + 1] + weight(one), row[-1] + weight(other)))
    return row[-1]


def weight(part: object) -> float:
    """Return the number of nodes in a cell or row."""
    return 1.0 if isinstance(part, str) else 1.0 + len(part)  # type: ignore[arg-type]


def teds(left: Sequence[Sequence[str]], right: Sequence[Sequence[str]]) -> float:
    """Return the similarity of two tables as trees of rows and cells."""

    def of_cells(one: object, other: object) -> float:
        return 1 - similarity(str(one), str(other))

    def of_rows(one: object, other: object) -> float:
        return aligned(one, other, of_cells)  # type: ignore[arg-type]

    most = max(1 + sum(map(weight, left)), 1 + sum(map(weight, right)))
    return 1 - aligned(left, right, of_rows) / most


def parts_of(markdown: str) -> tuple[str, str, list[list[list[str]]]]:
    """Return the code, the formulas and the tables of Markdown."""
    code = "\n".join(re.findall(r"^```\w*\n(.*?)^```", markdown, flags=re.DOTALL | re.MULTILINE))
    prose = re.sub(r"^```.*?^```", "", markdown, flags=re.DOTALL | re.MULTILINE)
    formulas = "\n".join("".join(found).strip() for found in re.findall(r"\$\$([^$]+)\$\$|\$([^$\n]+)\$", prose))
    tables: list[list[list[str]]] = []
    for block in re.findall(r"(?:^\|.*\|\n?)+", prose, flags=re.MULTILINE):
        rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in block.splitlines()]
        tables.append([row for row in rows if not all(set(cell) <= set("-: ") for cell in row)])
    return code, formulas, tables


def scores(wanted: str, given: str) -> dict[str, float | None]:
    """Return the similarities of one article; None for kinds that it does not contain."""
    (code, formulas, tables), (other_code, other_formulas, other_tables) = parts_of(wanted), parts_of(given)
    missing: list[list[str]] = []
    pairs = [
        (table, other_tables[place] if place < len(other_tables) else missing) for place, table in enumerate(tables)
    ]
    return {
        "markdown": similarity(wanted, given),
        "code": similarity(code, other_code) if code else None,
        "formulas": similarity(formulas, other_formulas) if formulas else None,
        "tables (TEDS)": fmean(teds(*pair) for pair in pairs) if pairs else None,
    }


def ours(html: str, url: str) -> str:
    """Return the Markdown of Posterity's record."""
    post = posterity.extract(html, url)
    return (post.markdown or "") if post else ""


def main() -> None:
    """Print the mean of every measure for each candidate."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=64)
    parser.add_argument("--rival", action="store_true", help="trafilatura, too")
    arguments = parser.parse_args()
    candidates: dict[str, Callable[[str, str], str]] = {"hybrid": ours}
    if arguments.rival:
        rival = rival_named("trafilatura-markdown")
        candidates["trafilatura"] = lambda html, url: rival(html, url).markdown or ""
    articles = [Author(SEED + number).article() for number in range(arguments.pages)]
    print("| candidate | markdown | code | formulas | tables (TEDS) |\n| --- | --- | --- | --- | --- |")
    for name, extract in candidates.items():
        found = [
            scores(article, extract(page_of(article, number), f"https://blog.example/{number}/"))
            for number, article in enumerate(articles)
        ]
        means = [fmean(value for one in found if (value := one[kind]) is not None) for kind in found[0]]
        print(f"| {name} | {' | '.join(f'{mean:.3f}'.removeprefix('0') for mean in means)} |")


if __name__ == "__main__":
    main()
