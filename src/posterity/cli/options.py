"""Options that several commands share, spelled once."""

from __future__ import annotations

import click

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
