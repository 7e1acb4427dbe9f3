"""Formulas of an article as TeX: in scripts, annotations, `alt` of images, MathML and text; and highlighted code.

Pages display formulas in many ways, but authors wrote nearly all of them in TeX. The TeX is kept, with the page's
MathML if there is any; `mathml_of` converts the others when they are displayed.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from html import escape
from typing import NamedTuple
from urllib.parse import parse_qs, unquote, urlsplit

from posterity.dom.document import parse
from posterity.dom.tree import TEXT, Tree

# Elements that MathJax and KaTeX render into; the TeX is in an annotation inside or in a script after them.
RENDERED = re.compile(r"(?:^|\s)(?:katex(?:-display)?|MathJax(?:_\w+)?|MJXp?-\w+|mwe-math-element)(?:\s|$)")
_SCRIPT_DATA = re.compile(r'"persistentExpression"\s*:\s*("(?:[^"\\]|\\["\\/bfnrtu])*")')  # Substack
_TEX_CLASS = re.compile(r"(?:^|\s)(?:math\s+(?:inline|display|block)|math-(?:inline|display))(?:\s|$)")
IMAGE_CLASS = re.compile(r"(?:^|\s)(?:latex|tex|ql-img-\w+-formula|mathtex|mwe-math-fallback-image-\w+)(?:\s|$)")
IMAGE_URL = re.compile(
    r"(?:wp\.com|wordpress\.com)/latex\.php\?|codecogs\.com/|chart\.(?:googleapis|apis\.google)\.com/chart\?.*cht=tx|"
    r"/(?:mathtex|mimetex)\.cgi\?|math\.vercel\.app|render\.githubusercontent\.com/render/math",
    re.IGNORECASE,
)
_CODECOGS = re.compile(r"/(?:gif|png|svg|pdf|eq|swf)?\.?(?:latex|image|download)?/?\?(.*)", re.DOTALL)
_STYLE = re.compile(r"\\(?:displaystyle|textstyle|(?:bg|fg)_\w+|dpi\{\d+\}|inline|large|small|fn_\w+)\b\s*")
_DOLLARS = re.compile(r"^\s*(?:\$\$(.*)\$\$|\$(.*)\$|\\\((.*)\\\)|\\\[(.*)\\\])\s*$", re.DOTALL)
# TeX in running text. Single dollars must not match prices and shell variables.
IN_TEXT = re.compile(
    r"(?<!\\)\$\$(?P<display>[^$]+?)\$\$"
    # Ends at the next opening delimiter, so that unclosed ones take linear time; \\[2pt] is a line break in TeX.
    r"|(?<!\\)\\\[(?P<bracket>(?:(?!(?<!\\)\\\[).)+?)\\\]|(?<!\\)\\\((?P<paren>(?:(?!(?<!\\)\\\().)+?)\\\)"
    r"|(?<![\\$\w])\$(?P<inline>(?=[^$\n]*[\\^_{=<>+])[^\s$](?:[^$\n]{0,200}?[^\s$\\])?|[A-Za-z])\$(?![\d$\w])",
    re.DOTALL,
)
_MAX_DEPTH = 40
_ACCENTS = {
    "^": r"\hat",
    "ˆ": r"\hat",
    "~": r"\tilde",
    "˜": r"\tilde",
    "¯": r"\bar",
    "‾": r"\overline",
    "→": r"\vec",
    "⃗": r"\vec",
    "˙": r"\dot",
    "¨": r"\ddot",
    "⏟": r"\underbrace",
    "⏞": r"\overbrace",
}
_NAMED_SYMBOLS = (
    "∑ sum ∏ prod ∫ int ∮ oint ∞ infty ∂ partial ∇ nabla √ surd ≤ le ≥ ge ≠ ne ≈ approx ≡ equiv ∼ sim ∝ propto "
    "± pm ∓ mp × times ÷ div ⋅ cdot · cdot → to ← leftarrow ↔ leftrightarrow ⇒ Rightarrow ⇔ Leftrightarrow "
    "↦ mapsto ∈ in ∉ notin ∋ ni ⊂ subset ⊆ subseteq ∪ cup ∩ cap ∅ emptyset ∀ forall ∃ exists ¬ neg ∧ wedge ∨ vee "
    "⊕ oplus ⊗ otimes … dots ⋯ cdots ⋮ vdots ⋱ ddots ℓ ell ℏ hbar ⟨ langle ⟩ rangle ⌊ lfloor ⌋ rfloor ⌈ lceil "
    "⌉ rceil α alpha β beta γ gamma δ delta ϵ epsilon ε varepsilon ζ zeta η eta θ theta ι iota κ kappa λ lambda "
    "μ mu ν nu ξ xi π pi ρ rho σ sigma τ tau υ upsilon ϕ phi φ varphi χ chi ψ psi ω omega Γ Gamma Δ Delta "
    "Θ Theta Λ Lambda Ξ Xi Π Pi Σ Sigma Φ Phi Ψ Psi Ω Omega "
).split()
_SYMBOLS = {
    **{symbol: f"\\{name}" for symbol, name in zip(_NAMED_SYMBOLS[::2], _NAMED_SYMBOLS[1::2], strict=True)},
    "∗": "*", "−": "-", "ℝ": "\\mathbb{R}", "ℕ": "\\mathbb{N}", "ℤ": "\\mathbb{Z}", "ℚ": "\\mathbb{Q}",
    "ℂ": "\\mathbb{C}", "∣": "|", "∥": "\\|", "′": "'", "{": "\\{", "}": "\\}", "%": "\\%", "#": "\\#",
    "&": "\\&", "\u2061": "", "\u2062": "", "\u2063": "", "\u2064": "",
}  # fmt: skip
_FUNCTIONS = frozenset(
    (
        "sin cos tan cot sec csc log ln exp lim max min sup inf det dim ker gcd arg arcsin arccos arctan sinh cosh "
        "tanh Pr"
    ).split()
)


class Formula(NamedTuple):
    """A formula in TeX, as a block (`display`) or inline, and the page's MathML of it, which may be empty."""

    tex: str
    display: bool = False
    mathml: str = ""

    @property
    def in_dollars(self) -> str:
        """The formula as written in Markdown and plain text."""
        return f"$${self.tex}$$" if self.display else f"${self.tex}$"


def formula_in_script(tree: Tree, node: int, kind: str) -> Formula | None:
    """Return the formula of a <script> of type `math/tex`, which MathJax renders, or None if it is empty."""
    return _formula(tree.plain(node), display="display" in kind)


def formula_in_math(tree: Tree, node: int) -> Formula | None:
    """Return the formula of a <math> element: its TeX annotation, else its `alttext`, else its MathML as TeX."""
    attrs = tree.attrs[node]
    display = attrs.get("display") == "block" or attrs.get("mode") == "display"
    annotated = _annotation(tree, node)
    found = _formula(annotated or attrs.get("alttext") or _tex(tree, node), display=display)
    return found and found._replace(mathml=_presentation(tree, node))


def formula_rendered(tree: Tree, node: int) -> Formula | None:
    """Return the formula of an element rendered by KaTeX or MathJax; None if it contains no <math>."""
    names, attrs = tree.attrs[node].get("class") or "", tree.attrs[node]
    inside = range(node, tree.end[node])
    display = "isplay" in names or (attrs.get("display") or "") in ("true", "block") or "katex-display" in names
    for inner in inside:
        if tree.tag[inner] == "math":
            found = formula_in_math(tree, inner)
            return found and found._replace(display=display or found.display)
    return None


def formula_in_class(tree: Tree, node: int, names: str) -> Formula | None:
    """Return the formula of an element whose class marks its text, or the data of its script, as TeX."""
    if given := _SCRIPT_DATA.search(tree.attrs[node].get("data-attrs") or ""):
        return _formula(json.loads(given[1]), display=True)
    if not _TEX_CLASS.search(names) or any(tag not in (TEXT, "br") for tag in tree.tag[node + 1 : tree.end[node]]):
        return None
    return _formula(tree.plain(node), display="display" in names or "block" in names)


def formula_in_image(tree: Tree, node: int) -> Formula | None:
    """Return the formula of an image, from `alt` or the URL of the rendering service; None if there is none."""
    attrs = tree.attrs[node]
    source = attrs.get("src") or attrs.get("data-src") or ""
    is_url = IMAGE_URL.search(source)
    if not is_url and not IMAGE_CLASS.search(attrs.get("class") or ""):
        return None
    names = attrs.get("class") or ""
    tex = (attrs.get("alt") or "").strip() or (_tex_in_url(source) if is_url else "")
    return _formula(tex, display="display" in names) if tex else None


def _tex_in_url(source: str) -> str:
    try:
        parts = urlsplit(source)
    except ValueError:
        return ""
    for name in ("latex", "chl", "math", "from"):
        if found := parse_qs(parts.query).get(name):
            return found[0]
    found_query = _CODECOGS.search(source)
    return unquote(found_query.group(1) if found_query else parts.query).replace("&space;", " ")


def _annotation(tree: Tree, node: int) -> str:
    for inner in range(node, tree.end[node]):
        if tree.tag[inner] == "annotation" and "tex" in (tree.attrs[inner].get("encoding") or "").lower():
            return tree.plain(inner)
    return ""


def _formula(tex: str, *, display: bool) -> Formula | None:
    """Return the formula without delimiters, and without empty lines, which end a paragraph in Markdown."""
    tex = tex.strip().removeprefix("% <![CDATA[").removesuffix("%]]>").replace("\xa0", " ")
    if found := _DOLLARS.match(tex):
        display = display or found.group(1) is not None or found.group(4) is not None
        tex = next(group for group in found.groups() if group is not None)
    if tex.startswith(r"{\displaystyle") and tex.endswith("}"):
        tex = tex[1:-1]
    tex = _STYLE.sub("", tex) if tex.startswith("\\") else tex
    lines = [line.strip() for line in tex.splitlines()]
    tex = "\n".join(filter(None, lines)).strip()
    return Formula(tex, display) if tex and "$$" not in tex else None


_MATHML_TAGS = frozenset(
    (
        "mi mn mo mtext ms mspace mrow mfrac msqrt mroot mstyle mpadded mphantom menclose msub msup msubsup munder "
        "mover munderover mmultiscripts mprescripts none mtable mtr mtd mlabeledtr"
    ).split()
)
_MATHML_ATTRIBUTES = frozenset(
    (
        "accent accentunder columnalign columnspan columnspacing depth displaystyle fence form height largeop "
        "linethickness lspace mathvariant maxsize minsize movablelimits notation rowalign rowspacing rowspan rspace "
        "scriptlevel separator stretchy symmetric width"
    ).split()
)
_MAX_MATHML = 20_000  # characters
_ENDS_IN_COMMAND = re.compile(r"\\[A-Za-z]{1,40}$")
_INVISIBLE = dict.fromkeys(map(ord, "\u2061\u2062\u2063\u2064"))  # invisible operators
_VARIANTS = {
    "bold": "mathbf",
    "bold-italic": "boldsymbol",
    "double-struck": "mathbb",
    "script": "mathcal",
    "fraktur": "mathfrak",
    "sans-serif": "mathsf",
    "monospace": "mathtt",
}


def _presentation(tree: Tree, node: int) -> str:
    """Return the presentation MathML inside a <math>, without annotations; empty if it is too long."""
    out: list[str] = []
    open_nodes: list[int] = []
    each, stop = node + 1, tree.end[node]
    while each < stop:
        while open_nodes and tree.end[open_nodes[-1]] <= each:
            out.append(f"</{tree.tag[open_nodes.pop()]}>")
        tag = tree.tag[each]
        if tag in ("annotation", "annotation-xml"):
            each = tree.end[each]
            continue
        if tag is TEXT:
            if open_nodes:
                out.append(escape(tree.text[each].strip(), quote=False))
        elif tag in _MATHML_TAGS:
            attrs = tree.attrs[each]
            kept = [f' {name}="{escape(attrs[name] or "")}"' for name in attrs if name in _MATHML_ATTRIBUTES]
            out.append(f"<{tag}{''.join(kept)}>")
            open_nodes.append(each)
        each += 1
    out += [f"</{tree.tag[each]}>" for each in reversed(open_nodes)]
    written = "".join(out)
    return "" if len(written) > _MAX_MATHML else written


MAX_TEX = 2_000  # characters of a formula; the converter takes 0.1 s for this many
_MAX_BRACES = 60
# Macro definitions could expand short input without limit.
_DEFINES = re.compile(r"\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand|newenvironment|Declare\w+)\b")
_NAMESPACE = "http://www.w3.org/1998/Math/MathML"


@lru_cache(maxsize=2048)
def mathml_of(formula: Formula) -> str | None:
    """Return a <math> element as XML, with the TeX as annotation; None if the TeX cannot be converted."""
    shown = formula.mathml or _convert(formula.tex)
    if not shown:
        return None
    block = ' display="block"' if formula.display else ""
    annotation = f'<annotation encoding="application/x-tex">{escape(formula.tex, quote=False)}</annotation>'
    return f'<math xmlns="{_NAMESPACE}"{block}><semantics><mrow>{shown}</mrow>{annotation}</semantics></math>'


def _convert(tex: str) -> str:
    if len(tex) > MAX_TEX or _depth(tex) > _MAX_BRACES or _DEFINES.search(tex):
        return ""
    from latex2mathml.converter import convert  # the import takes 0.3 s and few callers need it

    try:
        written = convert(tex)
    except Exception:  # noqa: BLE001 - its errors have no common class; the TeX is shown instead
        return ""
    tree = parse(written).tree
    math = tree.nodes_by_tag.get("math", [0])[0]
    # The converter copies unknown commands to its output.
    return "" if "\\" in tree.plain(math) else _presentation(tree, math)


def _depth(tex: str) -> int:
    """Return an upper bound for the nesting of braces, \\left and \\begin."""
    depth = deepest = 0
    for char in tex:
        depth += (char == "{") - (char == "}")
        deepest = max(deepest, depth)
    return max(deepest, tex.count("\\left"), tex.count("\\begin"))


def _tex(tree: Tree, node: int, depth: int = 0) -> str:
    """Convert MathML to TeX; unknown elements are replaced by their content."""
    if depth > _MAX_DEPTH:
        return ""
    tag = tree.tag[node]
    if tag is TEXT or tag in ("annotation", "annotation-xml"):
        return ""
    if tag == "mtext":
        text = " ".join(tree.plain(node).replace("\xa0", " ").split(" "))
        return rf"\text{{{text}}}" if text.strip() else ""
    if tag in ("mi", "mn", "mo", "ms"):
        token = _token(tag, "".join(tree.plain(node).split()))
        variant = _VARIANTS.get(tree.attrs[node].get("mathvariant") or "")
        return rf"\{variant}{{{token.strip()}}}" if variant and token else token
    parts = [_tex(tree, child, depth + 1) for child in tree.children(node) if tree.tag[child] is not TEXT]
    return _compose(tag, parts)


def _token(tag: str, text: str) -> str:
    text = text.translate(_INVISIBLE)
    if text in _FUNCTIONS:
        return rf"\{text} "
    if tag == "mi" and len(text) > 1 and text.isalpha():
        return rf"\operatorname{{{text}}}"
    written = "".join(_SYMBOLS.get(char, char) for char in text)
    return f"{written} " if written.startswith("\\") and written[-1:].isalpha() else written


def _compose(tag: str, parts: list[str]) -> str:
    if tag == "mrow":
        return _in_line(parts)
    parts = [part.strip() for part in parts]
    if tag in ("mover", "munder") and len(parts) == 2 and parts[1] in _ACCENTS:
        return f"{_ACCENTS[parts[1]]}{{{parts[0]}}}"
    match tag, parts:
        case (("msup" | "mover"), [base, small]):
            written = f"{_brace(base)}^{_brace(small)}"
        case (("msub" | "munder"), [base, small]):
            written = f"{_brace(base)}_{_brace(small)}"
        case (("msubsup" | "munderover"), [base, low, high]):
            written = f"{_brace(base)}_{_brace(low)}^{_brace(high)}"
        case "mfrac", [above, below]:
            written = rf"\frac{{{above}}}{{{below}}}"
        case "mroot", [base, degree]:
            written = rf"\sqrt[{degree}]{{{base}}}"
        case _:
            written = _join_parts(tag, parts)
    return written


def _join_parts(tag: str, parts: list[str]) -> str:
    if tag == "msqrt":
        return rf"\sqrt{{{_in_line(parts)}}}"
    if tag == "mtable":
        return r"\begin{matrix}" + r" \\ ".join(parts) + r"\end{matrix}"
    return " & ".join(parts) if tag in ("mtr", "mlabeledtr") else _in_line(parts)


def _in_line(parts: list[str]) -> str:
    """Join the parts, with a space between a command's name and a letter after it."""
    out: list[str] = []
    for part in filter(None, parts):
        if out and part[0].isalpha() and _ENDS_IN_COMMAND.search(out[-1]):
            out.append(" ")
        out.append(part)
    return "".join(out)


def _brace(part: str) -> str:
    return part if len(part) == 1 or (part.startswith("\\") and part[1:].isalpha()) else f"{{{part}}}"


class CodeBlock(NamedTuple):
    """A block of source code; `language` may be empty."""

    code: str
    language: str


GUTTER = re.compile(
    r"(?:^|[\s_-])(?:gutter|line-?num(?:ber)?s?|line-?nos?|linenos|linenodiv|ln|lnt|nums|blob-num|rouge-gutter|hljs-ln-n|"
    r"code-annotation-anchor)(?:[\s_-]|$)",
    re.IGNORECASE,
)
_LINE_CLASSES = frozenset({"line", "crayon-line"})
_HIGHLIGHTERS = frozenset("syntaxhighlighter crayon-syntax crayon-theme-classic nogutter notranslate".split())


def highlighted(tree: Tree, node: int) -> CodeBlock | None:
    """Return the code of SyntaxHighlighter or Crayon (one element per line), a diagram's source, or None."""
    if (diagram := next((name for name in tree.classes(node) if name in DIAGRAMS), "")) and tree.tag[node] != "pre":
        plain = all(tag in (TEXT, "br") for tag in tree.tag[node + 1 : tree.end[node]])
        return CodeBlock(tree.plain(node).strip(), diagram) if plain and tree.plain(node).strip() else None
    for inner in range(node, tree.end[node]):
        if tree.tag[inner] == "textarea" and "crayon-plain" in tree.classes(inner) and tree.plain(inner).strip():
            return CodeBlock(tree.plain(inner).strip("\n").rstrip(), "")
    marked = (inner for inner in range(node, tree.end[node]) if _LINE_CLASSES.intersection(tree.classes(inner)))
    lines = [tree.plain(inner).replace("\xa0", " ").rstrip() for inner in marked if not _in_gutter(tree, inner, node)]
    own = [name for name in tree.classes(node) if name not in _HIGHLIGHTERS and not name.startswith("crayon")]
    code = "\n".join(lines).strip("\n")
    language = own[-1] if own and "syntaxhighlighter" in tree.classes(node) else ""
    return CodeBlock(code, language) if code.strip() else None


def _in_gutter(tree: Tree, node: int, root: int) -> bool:
    while node > root:
        if GUTTER.search(tree.attrs[node].get("class") or "") and is_numbers(tree, node):
            return True
        node = tree.parent[node]
    return False


def is_numbers(tree: Tree, node: int) -> bool:
    """Return whether an element holds only line numbers, or no text: stylesheets can generate the numbers."""
    shown = tree.plain(node)
    return "img" not in tree.tag[node : tree.end[node]] and all(char.isdigit() or char.isspace() for char in shown)


_LANGUAGE = re.compile(r"(?:^|\s)(?:language-|lang-|highlight-source-|highlight-|src-|brush:\s*)([\w+#-]+)")
_HIGHLIGHT = re.compile(r"^(?:code-block\s+)?(?:highlight|sourceCode|codehilite|hljs|prettyprint)\s+([a-z][\w+#]*)$")
_NO_LANGUAGE = frozenset(
    (
        "text plain plaintext none nohighlight highlight code numberlines linenums lineanchors default wrapper "
        "container box body block table toolbar lines line number numbers"
    ).split()
)
DIAGRAMS = frozenset({"mermaid", "plantuml"})  # classes of elements that contain the source of a diagram
_WORD = re.compile(r"[\w+#-]{1,30}")
_WRAPPERS = 5  # around a <pre>: <td>, <tr>, <tbody>, <table>, <figure>


def language_of_code(tree: Tree, node: int) -> str:
    """Return the language of a <pre>, from the classes of it, its first descendants and its wrappers, or ""."""
    near = [node, *range(node + 1, min(node + 3, tree.end[node]))]
    outer = node
    for _ in range(_WRAPPERS):
        outer = tree.parent[outer]
        if outer < 0:
            break
        near.append(outer)
    for each in near:
        attrs = tree.attrs[each]
        names = attrs.get("class") or ""
        found = _LANGUAGE.search(names) or _HIGHLIGHT.match(names)
        name = found.group(1) if found else attrs.get("data-lang") or attrs.get("data-language") or ""
        name = name or next((each for each in names.split() if each in DIAGRAMS), "")
        if name and name.lower() not in _NO_LANGUAGE and _WORD.fullmatch(name):
            return name
    return ""
