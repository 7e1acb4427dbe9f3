"""Writes docs/cli.md and the man page docs/posterity.1: every help page, as `posterity COMMAND --help` prints it.

python tools/cli_docs.py            print docs/cli.md
python tools/cli_docs.py --write    write both
python tools/cli_docs.py --check    end with 1 if one of them is not of today
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from posterity.cli.main import posterity
from posterity.config import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator

DOCS = Path(__file__).resolve().parent.parent / "docs"
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
    sections = [f"## `{path}`\n\n```text\n{_without_trailing_space(text)}\n```\n" for path, text in _all_pages()]
    return "\n".join([_INTRODUCTION, *sections])


def _all_pages() -> Iterator[tuple[str, str]]:
    # A fixed width: click would otherwise take the terminal's.
    settings = {**posterity.context_settings, "terminal_width": 80}
    return help_pages(click.Context(posterity, info_name="posterity", **settings))


def man_page() -> str:
    """Return docs/posterity.1, in the language of man(7)."""
    lines = [
        f'.TH POSTERITY 1 "" "posterity {__version__}" "User Commands"',
        ".SH NAME",
        "posterity \\- harvests, preserves and reuses blogs",
        ".SH SYNOPSIS",
        ".B posterity",
        "[\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]",
    ]
    for path, text in _all_pages():
        lines += [f".SH {path.upper()}" if " " in path else ".SH DESCRIPTION", ".nf"]
        lines += [_roff(line) for line in _without_trailing_space(text).splitlines()]
        lines.append(".fi")
    lines += [
        ".SH FILES",
        ".TP",
        ".I posterity.toml, ~/.config/posterity/config.toml",
        "Options that are not given on the command line; see",
        '.BR "posterity config --help" .',
    ]
    return "\n".join(lines) + "\n"


def _roff(line: str) -> str:
    for char, written in (("\\", "\\e"), ("-", "\\-"), ("'", "\\(aq"), ("`", "\\(ga"), ("~", "\\(ti")):
        line = line.replace(char, written)
    return f"\\&{line}" if line.startswith(".") else line


def _without_trailing_space(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def main() -> int:
    """Print, write or check; return the exit code."""
    parser = argparse.ArgumentParser(description="The help pages of all commands in docs/cli.md.")
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--write", action="store_true", help="write both pages")
    mode.add_argument("--check", action="store_true", help="end with 1 if one of them is not of today")
    arguments = parser.parse_args()
    if not (arguments.write or arguments.check):
        print(page(), end="")
        return 0
    for target, text in ((DOCS / "cli.md", page()), (DOCS / "posterity.1", man_page())):
        if arguments.write:
            target.write_text(text, encoding="utf-8")
        elif not target.is_file() or target.read_text(encoding="utf-8") != text:
            print(f"docs/{target.name} is not of today. Write it anew with: python tools/cli_docs.py --write")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
