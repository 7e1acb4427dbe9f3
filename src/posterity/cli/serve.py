"""`posterity serve`: the archive in a browser and for programs."""

from __future__ import annotations

from pathlib import Path

import click

from posterity.cli.options import archive_option, contact_option, echo, hint_at_contact, quiet_option


@click.command()
@archive_option
@click.option("--host", default="127.0.0.1", show_default=True, help="Where to listen; 0.0.0.0 for all machines.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True, help="The port; 0 for any.")
@click.option(
    "--token",
    envvar="POSTERITY_TOKEN",
    metavar="SECRET",
    help="Required for writing; better given as $POSTERITY_TOKEN, which other users of the machine cannot see.",
)
@click.option("--public", is_flag=True, help="Read-only: no harvest, export or correction of rules without a token.")
@click.option(
    "--allow",
    "allowed",
    multiple=True,
    metavar="HOST",
    help="Allow fetching from this host on this machine or in a private network; may be given again.",
)
@click.option("--allow-private", is_flag=True, help="Allow every host; only where you trust all visitors.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="A host name under which this server may be requested; any, if none is given.",
)
@contact_option
@click.option("--delay", type=click.FloatRange(min=0), default=1.0, show_default=True, metavar="SECONDS",
              help="Between requests of a harvest to one host.")  # fmt: skip
@click.option(
    "--reports", type=click.Path(), default="evaluation", show_default=True, help="Where `posterity evaluate` writes."
)
@click.option("--processes", type=click.IntRange(1, 64), default=1, show_default=True, metavar="N",
              help="How many processes serve: as many as there are processors, for many readers.")  # fmt: skip
@click.option("--updates/--no-updates", default=True, show_default=True, help="Update blogs whenever they are due.")
@quiet_option
def command(
    archive: str,
    host: str,
    port: int,
    token: str | None,
    public: bool,
    allowed: tuple[str, ...],
    allow_private: bool,
    names: tuple[str, ...],
    contact: str,
    delay: float,
    reports: str,
    processes: int,
    updates: bool,
    quiet: bool,
) -> None:
    """Serve the archive: pages for people, the live demo, and REST, feeds, OAI-PMH and Memento for programs.

    On the loopback interface no token is needed. For other machines, give a token, which writing then requires, or
    --public for reading only. URLs of visitors are fetched from the public web only, unless --allow names the host.

    Blogs are updated whenever they are due (`posterity schedule`), unless --no-updates is given.

    \b
    posterity serve
    posterity serve --archive saved --port 8080 --allow 127.0.0.1
    POSTERITY_TOKEN=... posterity serve --host 0.0.0.0
    posterity serve --host 0.0.0.0 --public --processes 4
    """
    from posterity.serve.settings import ServeSettings, checked_settings

    settings = checked_settings(
        ServeSettings(
            archive=archive,
            host=host,
            port=port,
            token=token,
            public=public,
            allowed_hosts=("*", *allowed) if allow_private else allowed,
            names=names,
            delay_s=delay,
            contact=contact,
            reports=reports,
            processes=processes,
            updates=updates,
            warm_up=True,
        )
    )
    from posterity.archive.folder import without_password
    from posterity.serve.app import serve

    # A misspelled name would show an empty archive without a reason.
    new = "" if "://" in archive or Path(archive).expanduser().exists() else ", a new archive,"

    def print_url(url: str) -> None:
        if not quiet:
            hint_at_contact(contact, [url])
            echo(f"{without_password(archive)}{new} is served at {url}; Ctrl-C ends it", err=True)

    serve(settings, on_start=print_url)
