"""Options that several commands share, spelled once."""

from __future__ import annotations

import click


def _demands(words: tuple[str, ...]) -> dict[str, float]:
    from posterity.model import demands_in

    try:
        return demands_in(words)
    except ValueError as problem:
        raise click.BadParameter(str(problem)) from None


def web_address(_context: click.Context, _option: click.Parameter, url: str | None) -> str | None:
    """The callback of an option that names a page: what is no address of one is told at once."""
    from posterity.fetch.job import checked_address

    return checked_address(url) if url else url


archive_option = click.option(
    "--archive",
    envvar="POSTERITY_ARCHIVE",
    default="posterity-archive",
    show_default="./posterity-archive",
    metavar="ARCHIVE",
    help="The archive: a folder, or postgresql://...; also $POSTERITY_ARCHIVE.",
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
