"""Options that several commands share, and the functions that print for all of them."""

from __future__ import annotations

import calendar
import os
import re
from collections.abc import Callable, Iterable
from datetime import date
from typing import IO, TYPE_CHECKING, Any
from urllib.parse import urlsplit

import click

from posterity.config import CONTACT_VARIABLE, RenderMode
from posterity.text.normal_form import FORMS, printable

if TYPE_CHECKING:
    from posterity.export.clean_up import CleanUp
    from posterity.extraction.selection import Selection


def echo(text: str = "", *, file: IO[str] | None = None, nl: bool = True, err: bool = False) -> None:
    """Print text for people, without control characters; `echo_json` prints data unchanged."""
    click.echo(printable(text), file=file, nl=nl, err=err)


def echo_labelled(label: str, text: str, *, err: bool = False) -> None:
    """Print a line of a summary: the label in a bold column, then the text."""
    echo(f"{click.style(f'{label:10}', bold=True)}{text}", err=err)


def echo_json(value: object) -> None:
    """Print the value as one line of JSON."""
    from posterity.model import to_json

    click.echo(to_json(value).decode())


def _confidence_floors(_context: click.Context, _option: click.Parameter, words: tuple[str, ...]) -> dict[str, float]:
    from posterity.model import demands_in

    try:
        return demands_in(words)
    except ValueError as problem:
        raise click.BadParameter(str(problem)) from None


def check_url(_context: click.Context, _option: click.Parameter, url: str | None) -> str | None:
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
        "--scheduler", metavar="URL", help="URL of the Dask scheduler, tcp://host:8786; by default a local one."
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
    # Worker processes, and the client that fetches single pages, read the contact from the environment.
    os.environ[CONTACT_VARIABLE] = contact
    return contact


contact_option = click.option(
    "--contact",
    envvar=CONTACT_VARIABLE,
    default="",
    callback=_use_contact,
    metavar="EMAIL|URL",
    help="Where site owners can reach you; sent in the User-Agent. Also $POSTERITY_CONTACT.",
)


def hint_at_contact(contact: str, urls: Iterable[str]) -> None:
    """Print a hint if requests to other machines carry no contact."""
    from posterity.urls import is_http_url, with_scheme
    from posterity.urls.kinds import is_this_machine

    hosts = [urlsplit(with_scheme(url)).hostname or "" for url in urls if is_http_url(with_scheme(url))]
    if not contact and not all(map(is_this_machine, hosts)):
        click.echo(
            "posterity: site owners cannot reach you. Set --contact or $POSTERITY_CONTACT to an e-mail address "
            "or a URL; it is sent in the User-Agent.",
            err=True,
        )


allow_private_option = click.option(
    "--allow-private",
    is_flag=True,
    help="Follow links and redirects from the public web to hosts on this machine or in a private network.",
)
quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON lines, for programs.")
min_confidence_option = click.option(
    "--min-confidence",
    multiple=True,
    callback=_confidence_floors,
    metavar="P|FIELD=P",
    help="Leave out fields with a confidence below P (0 to 1), and posts whose text is below it; FIELD=P sets it for "
    "one field, as in authors=0.7.",
)


def delay_option(help_text: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option --delay, with the help text that fits the command."""
    return click.option(
        "--delay", type=click.FloatRange(min=0), default=1.0, show_default=True, metavar="SECONDS", help=help_text
    )


def render_option(default: RenderMode | None) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return the option --render of commands that crawl."""
    return click.option(
        "--render",
        type=click.Choice(["auto", "always", "never"]),
        default=default,
        show_default=default is not None,
        help="Render pages in a browser: only those that lack text or comments without it, all, or none.",
    )


_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?b?", re.IGNORECASE)
_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12}


def parse_size(text: str, alternatives: str = "") -> int:
    """Return the number of bytes of a size such as 500MB; `alternatives` names other valid values in the error."""
    match = _SIZE.fullmatch(text.strip())
    count = float(match[1]) * _UNITS[match[2].lower()] if match else 0
    if count < 1:
        raise click.BadParameter(f"{text!r} is not a size. Write {alternatives}500MB, 2GB, or a number of bytes.")
    return int(count)


limit_option = click.option(
    "--limit", type=click.IntRange(min=1), metavar="PAGES", help="Stop each blog after this many pages."
)
time_limit_option = click.option(
    "--time-limit",
    type=click.FloatRange(min=0, min_open=True),
    metavar="SECONDS",
    help="Stop each blog after this time.",
)
size_limit_option = click.option(
    "--size-limit",
    callback=lambda _context, _option, text: None if text is None else parse_size(text),
    metavar="SIZE",
    help="Stop each blog after downloading this much, images included: 500MB, 2GB, or a number of bytes.",
)
user_agent_option = click.option(
    "--user-agent", metavar="TEXT", help="The whole User-Agent header; its first word is matched against robots.txt."
)

_DAY = re.compile(r"(\d{4})(?:-(\d{1,2}))?(?:-(\d{1,2}))?")


def first_day(text: str) -> date:
    """Parse a date; a month or a year stands for its first day."""
    return _day(text, last=False)


def last_day(text: str) -> date:
    """Parse a date; a month or a year stands for its last day."""
    return _day(text, last=True)


def _day(text: str, *, last: bool) -> date:
    found = _DAY.fullmatch(text)
    try:
        year, month = int(found[1] if found else 0), int((found and found[2]) or (12 if last else 1))
        day = int((found and found[3]) or (calendar.monthrange(year, month)[1] if last else 1))
        return date(year, month, day)
    except (ValueError, calendar.IllegalMonthError):
        raise click.BadParameter(f"{text} is not a date. Write 2024-11-30, 2024-11 or 2024.") from None


_CORPUS_OPTIONS = (
    click.option("--blog", "blogs", multiple=True, metavar="BLOG",
                 help="Only posts of this blog (id, URL or host); repeat for several."),
    click.option("--since", type=first_day, metavar="DATE", help="Only posts from this day, month or year on."),
    click.option("--until", type=last_day, metavar="DATE", help="Only posts up to this day, month or year."),
    click.option("--language", "languages", multiple=True, metavar="CODE",
                 help="Only posts in this language (de, pt-BR); detected from the text if the blog declares none."),
    click.option("--author", "authors", multiple=True, metavar="NAME", help="Only posts by this author."),
    click.option("--tag", "tags", multiple=True, metavar="NAME", help="Only posts with this tag or category."),
    click.option("--min-words", type=click.IntRange(min=0), default=0, metavar="N",
                 help="Only posts of at least N words."),
    min_confidence_option,
    click.option("--identify-language", type=click.Choice(["missing", "all"]),
                 help="Detect the language of texts: those without a declared language, or all."),
    click.option("--dedup", multiple=True, type=click.Choice(["post", "paragraph"]),
                 help="Leave out near-duplicate posts, or paragraphs that a blog repeats; or both."),
    click.option("--normalise", type=click.Choice(list(FORMS)), help="Convert all texts to this Unicode form."),
    click.option("--mask-pii", is_flag=True, help="Replace e-mail addresses and phone numbers with [e-mail], [phone]."),
)  # fmt: skip


def corpus_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add the options that select and clean posts; the command takes them as keyword arguments."""
    for option in reversed(_CORPUS_OPTIONS):
        function = option(function)
    return function


def selection_of(options: dict[str, Any]) -> Selection:
    """Return the options of `corpus_options` that select posts."""
    from posterity.extraction.selection import Selection

    return Selection(**{name: options[name] for name in Selection.__struct_fields__})


def clean_up_of(options: dict[str, Any]) -> CleanUp:
    """Return the options of `corpus_options` that clean posts."""
    from posterity.export.clean_up import CleanUp

    return CleanUp(**{name: options[name] for name in CleanUp.__struct_fields__})
