"""The command `posterity` and the table of its commands.

Each command is a module that is imported when it is called, so that `--help` stays quick.
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
_REFUSALS = (
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
  5  no blog there               11  interrupted; run it again to go on
                                 12  an optional part of posterity is not installed
"""

COMMANDS = {
    "harvest": ("posterity.cli.harvest", "A whole blog, from its URL, into the archive."),
    "discover": ("posterity.cli.discover", "More blogs, from links of harvested ones or from the news."),
    "update": ("posterity.cli.update", "What is new, edited or gone since last time."),
    "schedule": ("posterity.cli.schedule", "When a blog is to be updated: its own pace, fixed, or not at all."),
    "extract": ("posterity.cli.extract", "Pages to records, without an archive."),
    "learn": ("posterity.cli.learn", "Rules from a feed and its pages."),
    "list": ("posterity.cli.list", "The blogs in the archive."),
    "show": ("posterity.cli.show", "One blog, post or rule set; how complete a harvest is."),
    "reextract": ("posterity.cli.reextract", "Extract every record of a blog again from its stored pages."),
    "import": ("posterity.cli.import_", "A blog from WARC, ARC or WACZ files, a mirror on disk, or records."),
    "export": ("posterity.cli.export", "The archive as a corpus, from JSON lines to TEI and books."),
    "rehydrate": ("posterity.cli.rehydrate", "The texts of a corpus that was shared without them."),
    "search": ("posterity.cli.search", "Full text over the archive."),
    "archive": ("posterity.cli.archive", "The archive itself: stats, verify, migrate, compact, copy."),
    "forget": ("posterity.cli.forget", "Remove a post, a comment or an author from the archive."),
    "evaluate": ("posterity.cli.evaluate", "Scores of methods and other extractors on annotated pages."),
    "serve": ("posterity.cli.serve", "The archive in a browser, and REST for programs."),
    "fleet": ("posterity.cli.fleet", "Many blogs on many machines, from one queue."),
    "demo": ("posterity.cli.demo", "Harvest and export a bundled blog, served on loopback."),
    "config": ("posterity.cli.config", "The settings in force, and where each comes from."),
    "completion": ("posterity.cli.completion", "Shell completion for bash, zsh and fish."),
}


class ReaderGone(Exception):  # noqa: N818 - it is no error
    """The reader of standard output (head, less) has closed it; click would take a broken pipe for a failure."""


class LazyCommands(click.Group):
    """A group that knows its commands by name and one line of help, and imports one only to run it."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as problem:
            raise ReaderGone from problem

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """The names, in the order of the table: the order in which one meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
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
        """Return the command that is called; for a misspelled name, fail with the nearest one."""
        if near := difflib.get_close_matches(args[0], COMMANDS, n=1) if args[0] not in COMMANDS else []:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]!r}?")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """The table itself: no command is imported to print it."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, help_line) for name, (_, help_line) in COMMANDS.items()])


@click.group(cls=LazyCommands, context_settings={"help_option_names": ["-h", "--help"]}, epilog=EXIT_CODES)
@click.version_option(__version__, "-V", "--version", prog_name="posterity")
@click.option("-v", "--verbose", count=True, help="Log to standard error; -vv also requests and tracebacks of errors.")
@click.pass_context
def posterity(ctx: click.Context, verbose: int) -> None:
    """Harvests, preserves and reuses blogs.

    \b
    posterity harvest https://blog.example/      the whole blog into ./posterity-archive
    posterity show https://blog.example/         what was harvested, what is missing and why
    posterity export posts.jsonl                 one post a line
    posterity demo                               all of it on a bundled blog
    """
    if os.environ.get("NO_COLOR"):  # https://no-color.org
        ctx.color = False
    if verbose:
        from posterity.crawl.jobs import log_to_stderr

        log_to_stderr(verbose)


def main(arguments: list[str] | None = None) -> Any:
    """Run a command; errors of ours become one sentence on stderr and their exit code.

    SIGTERM, which service managers send, ends a command as Ctrl-C does.
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
        missing = missing_package(problem, "This command")
        if missing is None:
            raise
        echo(f"posterity: {missing}", err=True)
        sys.exit(missing.exit_code)
    except click.ClickException as problem:
        problem.show()
        sys.exit(problem.exit_code)
    except (click.Abort, KeyboardInterrupt):
        echo("posterity: interrupted. What was stored is stored; run the same command again to go on.", err=True)
        sys.exit(11)
    except ReaderGone:
        _give_up_stdout()
        sys.exit(0)
    except OSError as problem:
        if problem.errno not in _REFUSALS:
            raise
        _give_up_stdout()
        # Without a file name, the error is about standard output.
        echo(f"posterity: {problem.filename or 'The output'} cannot be used: {problem.strerror}.", err=True)
        sys.exit(InputError.exit_code)


def _give_up_stdout() -> None:
    """Python would complain again when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
