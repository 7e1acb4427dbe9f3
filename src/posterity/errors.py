"""Every exception Posterity raises, each with its exit code.

    PosterityError                    1   an unexpected error: a bug to report
    |-- UsageError                    2   invalid command line or arguments
    |-- ArchiveError                  3
    |   |-- NotAnArchive              3   the folder contains something else
    |   |-- ArchiveNotWritable        3   no permission, read-only, or disk full
    |   |-- ArchiveTooNew             3   written by a newer version
    |   |-- DatabaseLost              3   the connection to the database server was lost
    |   `-- NotInArchive              3   no such blog, post or rule set
    |-- InputError                    4   a file or setting that cannot be used
    |-- NoBlog                        5
    |   |-- NoFeed                    5   the page offers no feed to learn from
    |   |-- EmptyFeed                 5   the feed has no entries
    |   |-- BrokenFeed                5   the feed cannot be read
    |   `-- NothingLearned            5   no page agrees with its feed entry
    |-- Unreachable                   6   no response, an error status, a redirect loop
    |   `-- PageTooCostly             6   too much time or memory in the browser
    |-- RefusedByRobots               7   robots.txt forbids it, or could not be read
    |-- BrowserMissing                8   no browser is installed
    |-- UnreadablePage                9
    |   |-- PageTooLarge              9
    |   `-- PageTooDeep               9
    |-- Incomplete                   10   a list of posts could not be read to its end
    |-- Interrupted                  11   stopped by Ctrl-C; the message explains how to continue
    `-- PackageMissing               12   an optional part of Posterity is not installed

Messages are whole sentences that tell the user what to do next. A single unusable page is not an exception but a value
(`posterity.model.Rejected`).
"""

from __future__ import annotations


class PosterityError(Exception):
    """Base class. `exit_code` is the exit code of the command line."""

    exit_code = 1


class UsageError(PosterityError):
    """The command line or the arguments are invalid."""

    exit_code = 2


class ArchiveError(PosterityError):
    """The archive cannot be used."""

    exit_code = 3


class NotAnArchive(ArchiveError):
    """The folder exists, but contains something other than an archive."""


class ArchiveNotWritable(ArchiveError):
    """The archive cannot be written: permissions, a read-only disk, or a full disk."""


class ArchiveTooNew(ArchiveError):
    """The archive was written by a newer version of Posterity."""


class DatabaseLost(ArchiveError):
    """The connection to the database server was lost: it was stopped or restarted, or cannot be reached."""


class NotInArchive(ArchiveError):
    """The archive contains no such blog, post or rule set."""


class InputError(PosterityError):
    """A file or a setting cannot be used."""

    exit_code = 4


class NoBlog(PosterityError):
    """The URL responds, but there is no blog to harvest."""

    exit_code = 5


class NoFeed(NoBlog):
    """The page declares no feed, and none exists at the usual URLs."""


class EmptyFeed(NoBlog):
    """The feed has no entries."""


class BrokenFeed(NoBlog):
    """The feed cannot be parsed. `problem` is the parser's message."""

    def __init__(self, message: str, problem: str = "") -> None:
        super().__init__(message)
        self.problem = problem


class NothingLearned(NoBlog):
    """No page of the blog agrees with its feed entry, so no rule can be trusted."""


class Unreachable(PosterityError):
    """The URL gave no usable response.

    `status` is the HTTP status, or 0 without a response. `url` is the URL that failed, after redirects.
    """

    exit_code = 6

    def __init__(self, message: str, status: int = 0, url: str = "") -> None:
        super().__init__(message)
        self.status, self.url = status, url


class PageTooCostly(Unreachable):
    """The page takes too much time or memory in the browser, or crashes it."""


class RefusedByRobots(PosterityError):
    """robots.txt forbids the URL, or could not be read, which forbids everything."""

    exit_code = 7


class BrowserMissing(PosterityError):
    """A page has to be rendered, but no browser is installed."""

    exit_code = 8


class UnreadablePage(PosterityError):
    """The page cannot be parsed within the limits."""

    exit_code = 9


class PageTooLarge(UnreadablePage):
    """More bytes or elements than `ParseLimits` allows."""


class PageTooDeep(UnreadablePage):
    """Elements nested deeper than `ParseLimits.max_depth`."""


class Incomplete(PosterityError):
    """The harvest ended, but a list of posts could not be read to its end, so unlisted posts may be missing."""

    exit_code = 10


class Interrupted(PosterityError):
    """Stopped by the user. Everything reported as stored is stored."""

    exit_code = 11


class PackageMissing(PosterityError, ImportError):
    """A package of an optional dependency group (an "extra") is not installed. `extra` is the name of the group."""

    exit_code = 12

    def __init__(self, message: str, extra: str = "") -> None:
        super().__init__(message)
        self.extra = extra


# The extras of pyproject.toml, with the modules that each installs.
_EXTRAS = {
    "crawl": "fastwarc jinja2 latex2mathml lxml markdown_it mdit_py_plugins phonenumbers rensa rich scrapy sqlalchemy "
    "twisted unicode_segmentation_rs warcio",
    "browser": "playwright",
    "serve": "fastapi nh3 starlette uvicorn",
    "parquet": "pyarrow",
    "postgres": "psycopg",
    "fleet": "fsspec procrastinate",
    "s3": "s3fs",
    "dask": "dask distributed",
}


def missing_package(problem: ModuleNotFoundError, wanted_by: str) -> PackageMissing | None:
    """Return the error that names the extra to install; None if the module belongs to no extra."""
    module = (problem.name or "").partition(".")[0]
    extra = next((extra for extra, modules in _EXTRAS.items() if module in modules.split()), None)
    if extra is None:
        return None
    return PackageMissing(
        f"{wanted_by} needs the package {module}, which is not installed: pip install 'posterity[{extra}]'", extra
    )
