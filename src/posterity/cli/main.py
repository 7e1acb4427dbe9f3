"""The command `posterity` and the table of its commands.

The module of a command is imported only when the command runs, so that `--help` is fast.
"""

from __future__ import annotations

import difflib
import errno
import importlib
import logging
import os
import signal
import sys
import threading
from typing import Any

import click

from posterity.cli.options import echo
from posterity.config import __version__
from posterity.errors import InputError, PosterityError, missing_package

# Errors of the disk or of permissions: not bugs, so they are printed without a traceback.
_EXPECTED_ERRNOS = (
    errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EFBIG, errno.EISDIR,
    errno.ENOTDIR, errno.ENAMETOOLONG,
)  # fmt: skip

EXIT_CODES = """\b
Exit codes:
  0  done                         6  the blog cannot be reached
  1  a bug in posterity           7  robots.txt forbids it
  2  wrong command line           8  no browser on this machine
  3  the archive cannot be used   9  a page cannot be read
  4  an input cannot be used     10  a list of posts could not be read to its end
  5  no blog there               11  interrupted; run it again to continue
                                 12  an optional part of posterity is not installed
"""

COMMANDS = {
    "harvest": ("posterity.cli.harvest", "Harvest whole blogs into the archive."),
    "discover": ("posterity.cli.discover", "Find more blogs, from links or from the news."),
    "update": ("posterity.cli.update", "Fetch what is new, edited or gone since last time."),
    "schedule": ("posterity.cli.schedule", "Set or show how often a blog is updated."),
    "extract": ("posterity.cli.extract", "Extract posts from pages, without an archive."),
    "learn": ("posterity.cli.learn", "Learn a blog's rules from its feed and pages."),
    "list": ("posterity.cli.list", "List the blogs in the archive."),
    "show": ("posterity.cli.show", "Show a blog, a post, rules, or what is missing."),
    "reextract": ("posterity.cli.reextract", "Extract a blog again from its stored pages."),
    "import": ("posterity.cli.import_", "Import WARC files, mirrors or exports."),
    "export": ("posterity.cli.export", "Export the archive as a corpus, in many formats."),
    "rehydrate": ("posterity.cli.rehydrate", "Rebuild the texts of a standoff corpus."),
    "search": ("posterity.cli.search", "Search the archive."),
    "archive": ("posterity.cli.archive", "Check, migrate, compact, copy or rebuild the archive."),
    "forget": ("posterity.cli.forget", "Remove a post, a comment or an author permanently."),
    "evaluate": ("posterity.cli.evaluate", "Score extraction methods on annotated pages."),
    "serve": ("posterity.cli.serve", "Serve the web interface and the REST API."),
    "fleet": ("posterity.cli.fleet", "Harvest many blogs on many machines."),
    "demo": ("posterity.cli.demo", "Harvest and export a bundled blog on loopback."),
    "config": ("posterity.cli.config", "Show the settings and where each comes from."),
    "completion": ("posterity.cli.completion", "Print the completion script for a shell."),
}


class OutputClosed(Exception):  # noqa: N818 - not an error
    """The program that reads standard output (head, less) has closed it; click would report a failure."""


class LazyCommands(click.Group):
    """A group that lists its commands from a table and imports a command only to run it."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as problem:
            raise OutputClosed from problem

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in the order of the table, which is the order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = importlib.import_module(COMMANDS[cmd_name][0]).command
        if not ctx.resilient_parsing:
            from posterity.cli.config import configured

            ctx.default_map = {**(ctx.default_map or {}), cmd_name: configured(cmd_name, command, list(COMMANDS))}
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command; for a misspelled name, fail and suggest the nearest one."""
        if near := difflib.get_close_matches(args[0], COMMANDS, n=1) if args[0] not in COMMANDS else []:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Print the table without importing any command."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_, help_line) in COMMANDS.items()])


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.version_option(__version__, "-V", "--version", prog_name="posterity")
@click.option("-v", "--verbose", count=True, help="Log to standard error; -vv adds requests and tracebacks.")
@click.pass_context
def posterity(ctx: click.Context, verbose: int) -> None:
    """Harvest, preserve and reuse blogs.

    \b
    posterity harvest https://blog.example/      harvest the whole blog into ./posterity-archive
    posterity show https://blog.example/         show what was harvested, what is missing and why
    posterity export posts.jsonl                 write one post per line
    posterity demo                               do all of this with a bundled blog
    """
    if os.environ.get("NO_COLOR"):  # https://no-color.org
        ctx.color = False
    if verbose:
        from posterity.crawl.jobs import log_to_stderr

        log_to_stderr(verbose)


def main(arguments: list[str] | None = None) -> Any:
    """Run a command; a `PosterityError` becomes a message on stderr and an exit code.

    SIGTERM, which service managers send, is handled like Ctrl-C.
    """
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        posterity.main(arguments, prog_name="posterity", standalone_mode=False)
    except PosterityError as problem:
        logging.getLogger("posterity").debug("the command failed", exc_info=True)
        echo(f"posterity: {problem}", err=True)
        sys.exit(problem.exit_code)
    except ModuleNotFoundError as problem:
        if (missing := missing_package(problem, "This command")) is None:
            raise
        echo(f"posterity: {missing}", err=True)
        sys.exit(missing.exit_code)
    except click.ClickException as problem:
        problem.show()
        sys.exit(problem.exit_code)
    except (click.Abort, KeyboardInterrupt):
        echo("posterity: interrupted. Everything stored so far is kept; run the same command to continue.", err=True)
        sys.exit(11)
    except OutputClosed:
        _discard_stdout()
        sys.exit(0)
    except OSError as problem:
        if problem.errno not in _EXPECTED_ERRNOS:
            raise
        _discard_stdout()
        # Without a file name, the error is about standard output.
        echo(f"posterity: {problem.filename or 'The output'} cannot be used: {problem.strerror}.", err=True)
        sys.exit(InputError.exit_code)


def _discard_stdout() -> None:
    """Send the rest of standard output to /dev/null; Python would fail again when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
