"""Options that several commands share, spelled once."""

from __future__ import annotations

import calendar
import os
import re
from collections.abc import Callable, Iterable
from datetime import date
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from posterity.config import CONTACT_VARIABLE
from posterity.text.normal_form import FORMS, printable

if TYPE_CHECKING:
    from posterity.export.clean_up import CleanUp
    from posterity.extraction.selection import Selection


def echo(text: str = "", *, file: IO[str] | None = None, nl: bool = True, err: bool = False) -> None:
    """Print text for people; data such as JSON lines are printed as they are, by `click.echo`."""
    click.echo(printable(text), file=file, nl=nl, err=err)


def _demands(words: tuple[str, ...]) -> dict[str, float]:
    from posterity.model import demands_in

    try:
        return demands_in(words)
    except ValueError as problem:
        raise click.BadParameter(str(problem)) from None


def web_address(_context: click.Context, _option: click.Parameter, url: str | None) -> str | None:
    """Check the URL of an option while the command line is parsed."""
    from posterity.crawl.jobs import checked_url

    return checked_url(url) if url else url


archive_option = click.option(
    "--archive",
    envvar="POSTERITY_ARCHIVE",
    default="posterity-archive",
    show_default="./posterity-archive",
    metavar="ARCHIVE",
    help="The archive: a folder, or postgresql://...; also $POSTERITY_ARCHIVE.",
)


def engine_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that choose where tasks run."""
    scheduler = click.option(
        "--scheduler", metavar="URL", help="The Dask cluster, tcp://host:8786; by default one on this machine."
    )
    engine = click.option(
        "--engine",
        type=click.Choice(["local", "dask"]),
        default="local",
        show_default=True,
        help="Where tasks run: on the processors of this machine, or on Dask.",
    )
    return engine(scheduler(function))


def _use_contact(_context: click.Context, _option: click.Parameter, contact: str) -> str:
    # Single pages are fetched apart from the crawl, and by worker processes: all read the contact from here.
    os.environ[CONTACT_VARIABLE] = contact
    return contact


contact_option = click.option(
    "--contact",
    envvar=CONTACT_VARIABLE,
    default="",
    callback=_use_contact,
    metavar="EMAIL|URL",
    help="Whom owners of sites can write to, sent in the User-Agent; also $POSTERITY_CONTACT.",
)


def hint_at_contact(contact: str, urls: Iterable[str]) -> None:
    """Print one line when requests to other machines carry no contact."""
    from posterity.urls import with_scheme
    from posterity.urls.kinds import is_this_machine

    if not contact and not all(is_this_machine(urlsplit(with_scheme(url)).hostname or "") for url in urls):
        click.echo(
            "posterity: owners of sites cannot reach you. Set --contact or $POSTERITY_CONTACT to an e-mail address "
            "or a URL, which is sent in the User-Agent.",
            err=True,
        )


allow_private_option = click.option(
    "--allow-private",
    is_flag=True,
    help="Let a blog on the public web lead to hosts on this machine or in a private network.",
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON lines, for programs.")
min_confidence_option = click.option(
    "--min-confidence",
    multiple=True,
    callback=lambda _context, _option, words: _demands(words),
    metavar="P|FIELD=P",
    help="Leave out fields less sure than this, 0 to 1, and posts whose text is; authors=0.7 means one field.",
)


_DAY = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")


def first_day(text: str) -> date:
    """Return the day, or the first of the month or year, that the text names."""
    return _day(text, last=False)


def last_day(text: str) -> date:
    """Return the day, or the last of the month or year, that the text names."""
    return _day(text, last=True)


def _day(text: str, *, last: bool) -> date:
    found = _DAY.fullmatch(text)
    try:
        year, month = int(found[1] if found else 0), int((found and found[2]) or (12 if last else 1))
        day = int((found and found[3]) or (calendar.monthrange(year, month)[1] if last else 1))
        return date(year, month, day)
    except (ValueError, calendar.IllegalMonthError):
        raise click.BadParameter(f"{text} is no date. Write 2024-11-30, 2024-11 or 2024.") from None


_OPTIONS = (
    click.option("--blog", "blogs", multiple=True, metavar="BLOG",
                 help="Only this blog (id, URL or host); may be given again."),
    click.option("--since", type=first_day, metavar="DATE", help="Only from this day, month or year on."),
    click.option("--until", type=last_day, metavar="DATE", help="Only up to this day, month or year."),
    click.option("--language", "languages", multiple=True, metavar="CODE",
                 help="Only posts in this language (de, pt-BR); where none is declared, the text decides."),
    click.option("--author", "authors", multiple=True, metavar="NAME", help="Only posts by this author."),
    click.option("--tag", "tags", multiple=True, metavar="NAME", help="Only posts with this tag or category."),
    click.option("--min-words", type=click.IntRange(min=0), default=0, metavar="N", help="Only posts this long."),
    min_confidence_option,
    click.option("--identify-language", type=click.Choice(["missing", "all"]),
                 help="Detect the language of the text: where none is declared, or everywhere."),
    click.option("--dedup", multiple=True, type=click.Choice(["post", "paragraph"]),
                 help="Leave out near-duplicate posts, or paragraphs that a blog repeats; or both."),
    click.option("--normalise", type=click.Choice(list(FORMS)), help="Bring all texts into this Unicode form."),
    click.option("--mask-pii", is_flag=True, help="Replace e-mail addresses and phone numbers by [e-mail], [phone]."),
)  # fmt: skip


def corpus_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add all of them to a command, which takes them as keyword arguments."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def selection_of(options: dict[str, Any]) -> Selection:
    """Return the selection that the options name."""
    from posterity.extraction.selection import Selection

    return Selection(**{name: options[name] for name in Selection.__struct_fields__})


def clean_up_of(options: dict[str, Any]) -> CleanUp:
    """Return the clean-up that the options name."""
    from posterity.export.clean_up import CleanUp

    return CleanUp(**{name: options[name] for name in CleanUp.__struct_fields__})
