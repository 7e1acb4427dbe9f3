"""Prints the tree of modules with the first sentence of every module's docstring: `python tools/tree.py`.

With `--count`, it prints the number of modules and lines of each stage instead.

Modules are parsed, never imported. The stages are in the order of the layers contract in pyproject.toml, from the
command line down to the model.
"""

from __future__ import annotations

import ast
import sys
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "src" / "posterity"
_NAME_WIDTH = 30


def first_sentence(file: Path) -> str:
    """Return the module's docstring up to the first full stop or empty line; "" if it has none."""
    try:
        docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    except SyntaxError as problem:
        sys.exit(f"{file.relative_to(ROOT)} is not Python: {problem}. Fix it first.")
    paragraph = " ".join(docstring.split("\n\n", 1)[0].split())
    return paragraph.split(". ", 1)[0].rstrip(".:")


def layer_order() -> dict[str, int]:
    """Return the position of every stage in the layers contract."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    names = [name.strip() for layer in layers for name in layer.replace("|", ":").split(":")]
    return {name: place for place, name in enumerate(names)}


def tree_lines(folder: Path = PACKAGE, depth: int = 0) -> Iterator[str]:
    """Yield a line for the folder and one for every module below it."""
    yield _line(f"{folder.name}/", first_sentence(folder / "__init__.py"), depth)
    order = layer_order() if depth == 0 else {}
    entries = [path for path in folder.iterdir() if _is_module(path) or _is_package(path)]
    for path in sorted(entries, key=lambda path: (order.get(path.stem, -1), path.name)):
        if path.is_dir():
            yield from tree_lines(path, depth + 1)
        else:
            yield _line(path.name, first_sentence(path), depth + 1)


def _line(name: str, about: str, depth: int) -> str:
    return f"{'  ' * depth + name:{_NAME_WIDTH}} {about}".rstrip()


def _is_module(path: Path) -> bool:
    return path.suffix == ".py" and path.name != "__init__.py"


def _is_package(path: Path) -> bool:
    return (path / "__init__.py").is_file()


def code_lines(source: str) -> int:
    """Return the number of lines that are neither empty, nor comments, nor docstrings."""
    described = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    nodes = [node for node in ast.walk(ast.parse(source)) if isinstance(node, described) and ast.get_docstring(node)]
    docstrings = {line for node in nodes for line in range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1)}
    numbered = enumerate(map(str.strip, source.splitlines()), start=1)
    return sum(bool(line) and not line.startswith("#") and number not in docstrings for number, line in numbered)


def count_lines() -> Iterator[str]:
    """Yield a line for every stage and the total, with the numbers of modules, lines and lines of code."""
    counts: dict[str, list[int]] = {}
    for file in PACKAGE.rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        for stage in (file.relative_to(PACKAGE).parts[0].removesuffix(".py"), "total"):
            count = counts.setdefault(stage, [0, 0, 0])
            counts[stage] = [count[0] + 1, count[1] + source.count("\n"), count[2] + code_lines(source)]
    yield f"{'':{_NAME_WIDTH}} modules   lines    code"
    for stage, (modules, lines, code) in sorted(counts.items(), key=lambda item: item[1][1]):
        yield f"{stage:{_NAME_WIDTH}} {modules:7,} {lines:7,} {code:7,}"


def main() -> None:
    """Print the tree, or its size."""
    print("\n".join(count_lines() if "--count" in sys.argv[1:] else tree_lines()))


if __name__ == "__main__":
    main()
