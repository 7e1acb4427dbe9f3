"""Writes docs/cli.md: the help page of every command, as `posterity COMMAND --help` prints it.

python tools/cli_docs.py            print the page
python tools/cli_docs.py --write    write docs/cli.md
python tools/cli_docs.py --check    end with 1 if docs/cli.md is not of today
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from posterity.cli.main import posterity

if TYPE_CHECKING:
    from collections.abc import Iterator

TARGET = Path(__file__).resolve().parent.parent / "docs" / "cli.md"
_INTRODUCTION = """# The command line

The help page of every command, as the command itself prints it. This file is written by `tools/cli_docs.py`
(`make docs`); change the commands in `src/posterity/cli`, not this page. What the exit codes mean in detail stands in
[exit-codes.md](exit-codes.md).
"""


def help_pages(context: click.Context) -> Iterator[tuple[str, str]]:
    """Yield (command as one types it, its help page), groups before their commands."""
    yield context.command_path, context.get_help()
    if isinstance(context.command, click.Group):
        for name in context.command.list_commands(context):
            command = context.command.get_command(context, name)
            assert command is not None
            yield from help_pages(click.Context(command, info_name=name, parent=context))


def page() -> str:
    """Return the whole of docs/cli.md."""
    # A fixed width: click would otherwise take the terminal's.
    settings = {**posterity.context_settings, "terminal_width": 80}
    sections = [
        f"## `{path}`\n\n```text\n{_without_trailing_space(text)}\n```\n"
        for path, text in help_pages(click.Context(posterity, info_name="posterity", **settings))
    ]
    return "\n".join([_INTRODUCTION, *sections])


def _without_trailing_space(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def main() -> int:
    """Print, write or check; return the exit code."""
    parser = argparse.ArgumentParser(description="The help pages of all commands in docs/cli.md.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--write", action="store_true", help="write docs/cli.md")
    mode.add_argument("--check", action="store_true", help="end with 1 if docs/cli.md is not of today")
    arguments = parser.parse_args()
    if arguments.write:
        TARGET.write_text(page(), encoding="utf-8")
    elif not arguments.check:
        print(page(), end="")
    elif not TARGET.is_file() or TARGET.read_text(encoding="utf-8") != page():
        print("docs/cli.md is not of today. Write it anew with: python tools/cli_docs.py --write")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
