"""Renders docs/images/demo.svg, the picture in README.md, from a real run of `posterity demo`.

    python tools/picture.py --write    run the demo in a temporary folder and render its output
    python tools/picture.py --check    the same, but only compare; exit with 1 if the picture is out of date

Two things vary between runs and are normalised, so that the output is reproducible: the port of the bundled blog
becomes 4000, and the duration of the harvest is removed. The picture loads no web fonts and no scripts.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

TARGET = Path(__file__).resolve().parent.parent / "docs" / "images" / "demo.svg"
WIDTH = 100
POST_PATH = "/2019/09/23/salt-loaf/"
_POST_LINES = 10
_ADDRESS = re.compile(r"127\.0\.0\.1:\d+")
# Rich's SVG template, without its web fonts.
_FRAME = """<svg class="rich-terminal" viewBox="0 0 {width} {height}" xmlns="http://www.w3.org/2000/svg">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace;
  font-size: {char_height}px; line-height: {line_height}px; font-variant-east-asian: full-width; }}
.{unique_id}-title {{ font-size: 18px; font-weight: bold; font-family: sans-serif; }}
{styles}
</style>
<defs>
<clipPath id="{unique_id}-clip-terminal">
<rect x="0" y="0" width="{terminal_width}" height="{terminal_height}" />
</clipPath>
{lines}
</defs>
{chrome}
<g transform="translate({terminal_x}, {terminal_y})" clip-path="url(#{unique_id}-clip-terminal)">
{backgrounds}
<g class="{unique_id}-matrix">
{matrix}
</g>
</g>
</svg>
"""


def session(folder: Path) -> list[str]:
    """Return the lines of a terminal session that runs the demo and shows one of its posts."""
    demo = _printed(folder, "demo")
    port = _ADDRESS.search(demo)
    assert port is not None
    post = f"http://{port.group()}{POST_PATH}"
    shown = _printed(folder, "show", post, "--archive", "demo-output/archive").splitlines()
    return [
        _prompt("posterity demo"),
        *demo.splitlines(),
        "",
        _prompt(f"posterity show {post} --archive demo-output/archive"),
        *shown[:_POST_LINES],
    ]


def steady(line: str) -> str:
    """Return the line without the parts that vary between runs."""
    return re.sub(r"(\d+) in [\d.]+ s, ", r"\1, ", _ADDRESS.sub("127.0.0.1:4000", line))


def rendered(lines: list[str]) -> str:
    """Return the lines as an SVG picture of a terminal."""
    console = Console(record=True, width=WIDTH, file=StringIO(), force_terminal=True, color_system="truecolor")
    for line in lines:
        console.print(Text.from_ansi(line), no_wrap=True, overflow="ellipsis", highlight=False)
    return console.export_svg(title="posterity", code_format=_FRAME, unique_id="demo")


def _printed(folder: Path, *arguments: str) -> str:
    """Run a command of posterity, and return its output on both streams, with the colours of a terminal."""
    settings = {
        name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "POSTERITY_ARCHIVE", "TERM")
    }
    run = subprocess.run(
        [sys.executable, "-m", "posterity", *arguments],
        cwd=folder,
        env=settings | {"FORCE_COLOR": "1", "COLUMNS": str(WIDTH), "TERM": "xterm"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
        text=True,
    )
    if run.returncode:
        sys.exit(f"posterity {' '.join(arguments)} ended with {run.returncode}:\n{run.stdout}")
    return run.stdout


def _prompt(command: str) -> str:
    return f"\x1b[32m$\x1b[0m \x1b[1m{command}\x1b[0m"


def main() -> int:
    """Write or check the picture; return the exit code."""
    parser = argparse.ArgumentParser(description="The picture in README.md.")
    mode = parser.add_mutually_exclusive_group(required=True)
    mode.add_argument("--write", action="store_true", help="draw docs/images/demo.svg")
    mode.add_argument("--check", action="store_true", help="end with 1 if docs/images/demo.svg is out of date")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        picture = rendered([steady(line) for line in session(Path(folder))])
    if arguments.write:
        TARGET.parent.mkdir(parents=True, exist_ok=True)
        TARGET.write_text(picture, encoding="utf-8")
    elif not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != picture:
        print("docs/images/demo.svg is out of date. Regenerate it with: python tools/picture.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
