"""Writes docs/api.md: every call of the REST interface with an example in Python, from the server's own OpenAPI.

python tools/api_docs.py            print the page
python tools/api_docs.py --write    write docs/api.md
python tools/api_docs.py --check    end with 1 if docs/api.md is not of today
"""

from __future__ import annotations

import argparse
import sys
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from posterity.serve.app import create_app
from posterity.serve.pages.api_page import calls_of
from posterity.serve.settings import ServeSettings

if TYPE_CHECKING:
    from posterity.serve.pages.api_page import Call

TARGET = Path(__file__).resolve().parent.parent / "docs" / "api.md"
_INTRODUCTION = """# The interface for programs

Every call of `posterity serve`, each with an example that needs nothing but Python. The same page with the
URLs of a running server is at `/api`, the OpenAPI description at `/api/v1/openapi.json`. This file is written by
`tools/api_docs.py` (`make docs`); change the calls in `src/posterity/serve/api`, not this page.

A Python program needs no server: `posterity.extract_pages` takes files, folders, URLs, crawl files and JSON lines, and
yields the posts of every page (README.md, "Python").

- **Errors** are problem details ([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)): `type`, `title`, `status`,
  `detail`, `instance`, with the type `application/problem+json`.
- **Lists** have pages: pass `next` back as `cursor` (of posts) or `offset` (of blogs and hits) until it is null.
- **ETags**: send one back as `If-None-Match` and get 304 when nothing is new.
- **Writing** needs `Authorization: Bearer TOKEN` when the server was started with a token. A public server refuses it.
"""


def page(calls: list[Call]) -> str:
    """Return the page."""
    parts = [_INTRODUCTION]
    for group, some in groupby(calls, key=lambda call: call.group):
        parts.append(f"## {group}\n")
        parts += [_call(call) for call in some]
    return "\n".join(parts).rstrip() + "\n"


def _call(call: Call) -> str:
    lines = [f"### `{call.method} {call.path}`\n", f"{call.meaning}\n"]
    if call.parameters:
        lines += ["| Parameter | In | Meaning |", "|---|---|---|"]
        for one in call.parameters:
            needed = ", needed" if one.required else ""
            lines.append(f"| `{one.name}` | {one.place}{needed} | {one.meaning.replace('|', ',')} |")
        lines.append("")
    refusals = [f"{code}: {meaning}" for code, meaning in call.statuses if int(code) >= 300]
    if refusals:
        lines.append("Also " + " ".join(refusals) + "\n")
    return "\n".join([*lines, "```python", call.example, "```\n"])


def main() -> None:
    """Print, write or check the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    text = page(calls_of(create_app(ServeSettings(archive="posterity-archive")).openapi()))
    if given.check:
        if not TARGET.exists() or TARGET.read_text(encoding="utf-8") != text:
            sys.exit("docs/api.md is not of today. Run: python tools/api_docs.py --write")
    elif given.write:
        TARGET.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()
