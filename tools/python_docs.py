"""Generates docs/python.md, the reference of the public Python names, from their signatures and docstrings.

python tools/python_docs.py            print the page
python tools/python_docs.py --write    write docs/python.md
python tools/python_docs.py --check    exit with 1 if docs/python.md is out of date
"""

from __future__ import annotations

import argparse
import inspect
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

import posterity

if TYPE_CHECKING:
    from collections.abc import Iterator

TARGET = Path(__file__).resolve().parent.parent / "docs" / "python.md"
_INTRODUCTION = """# Python

All public names are in `posterity`; each is loaded when it is first used. This file is generated from the docstrings by
`tools/python_docs.py` (`make docs`); to change it, edit the docstrings.

```python
import posterity

report = posterity.harvest("https://blog.example/", archive="saved", delay=1, limit=500, on_event=print)
with posterity.open_archive("saved") as archive:
    for post in archive.posts(blog="blog.example", author="Jane Doe", since="2020-01-01"):
        print(post.to_json())
    frame = archive.to_pandas(language="de")  # or to_arrow, to_polars; needs posterity[parquet] and pandas

for result in posterity.extract_many([(html, url)], workers=4):  # in order; errors are values
    if isinstance(result, posterity.Post):
        print(result.title)
```

In a notebook, `await posterity.aharvest("https://blog.example/", archive="saved")` does not block.

## Plugins

Packages extend Posterity through entry points. [example-plugin](example-plugin/pyproject.toml) has one of each kind, to
copy from.

| Group | Object | Used by |
|---|---|---|
| `posterity.methods` | a function `(document, context) -> tuple[Post, ...]` | `extract --method NAME`, `evaluate` |
| `posterity.formats` | a `Format` of `posterity.export.formats` | `export --format NAME` |
| `posterity.search` | a class with `hits(query, count)` | `discover --search NAME:URL` |
| `posterity.stores` | a function `(location, *, create) -> Archive`, by URL scheme | `--archive NAME://...` |
| `posterity.behaviours` | a pair: a JavaScript test and an async function | every page that is rendered |

## Reference
"""


def page() -> str:
    """Return the whole page."""
    sections = [_section(name, getattr(posterity, name)) for name in posterity.__all__ if name != "__version__"]
    return "\n".join([_INTRODUCTION, *sections])


def _section(name: str, value: Any) -> str:
    if not inspect.isclass(value):
        return f"### `{name}`\n\n{_code(name, value)}\n{_doc(value)}\n"
    lines = [f"### `{name}`\n", f"{_doc(value)}\n"]
    if issubclass(value, msgspec.Struct):
        fields = ", ".join(f"`{field.name}`" for field in msgspec.structs.fields(value))
        lines.append(f"Fields: {fields}.\n")
    for method, function in _methods(value):
        lines += [f"#### `{name}.{method}`\n", f"{_code(method, function)}\n{_doc(function)}\n"]
    return "\n".join(lines)


def _methods(value: type) -> Iterator[tuple[str, Any]]:
    for name, function in sorted(vars(value).items()):
        if inspect.isfunction(function) and not name.startswith("_"):
            yield name, function


def _code(name: str, function: Any) -> str:
    signature = inspect.signature(function)
    parameters = [
        one.replace(annotation=_Plain(one.annotation), default=_default(one.default))
        for one in signature.parameters.values()
        if one.name != "self"
    ]
    shown = signature.replace(parameters=parameters, return_annotation=_Plain(signature.return_annotation))
    return f"```text\n{name}{shown}\n```\n"


class _Plain:
    """A text whose repr has no quotes."""

    def __init__(self, text: object) -> None:
        self._text = str(text)

    def __repr__(self) -> str:
        return self._text


def _default(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        return _Plain(f"{type(value).__name__}()")
    return _Plain("...") if inspect.isfunction(value) else value


def _doc(value: Any) -> str:
    return inspect.getdoc(value) or ""


def main() -> int:
    """Print, write or check; return the exit code."""
    parser = argparse.ArgumentParser(description="The reference of the Python names in docs/python.md.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--write", action="store_true", help="write docs/python.md")
    mode.add_argument("--check", action="store_true", help="end with 1 if docs/python.md is out of date")
    arguments = parser.parse_args()
    if arguments.write:
        TARGET.write_text(page(), encoding="utf-8")
    elif not arguments.check:
        print(page(), end="")
    elif not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != page():
        print("docs/python.md is out of date. Regenerate it with: python tools/python_docs.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
