"""`posterity serve`: the web interface and the API of an archive."""

from __future__ import annotations

from pathlib import Path

import click

from posterity.cli.options import archive_option, contact_option, delay_option, echo, hint_at_contact, quiet_option


@click.command()
@archive_option
@click.option("--host", default="127.0.0.1", show_default=True,
              help="IP address to listen on; 0.0.0.0 for all interfaces.")  # fmt: skip
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="Port to listen on; 0 for any free port.")  # fmt: skip
@click.option(
    "--token",
    envvar="POSTERITY_TOKEN",
    metavar="SECRET",
    help="Token that clients need for writing. Prefer $POSTERITY_TOKEN, which other users of the machine cannot see.",
)
@click.option("--public", is_flag=True,
              help="Serve read-only: without a token, nobody can harvest, export or correct rules.")  # fmt: skip
@click.option(
    "--allow",
    "allowed",
    multiple=True,
    metavar="HOST",
    help="Allow fetching from this host on this machine or in a private network; repeat for several.",
)
@click.option("--allow-private", is_flag=True, help="Allow every host; only if you trust all visitors.")
@click.option(
    "--name",
    "names",
    multiple=True,
    metavar="HOST",
    help="Accept only requests for this host name; repeat for several. Default: any, on loopback only its names.",
)
@contact_option
@delay_option("Pause between requests of a harvest to one host.")
@click.option("--reports", type=click.Path(), default="evaluation", show_default=True,
              help="Folder with the reports of `posterity evaluate`.")  # fmt: skip
@click.option("--processes", type=click.IntRange(1, 64), default=1, show_default=True, metavar="N",
              help="Number of server processes; for many readers, one per processor.")  # fmt: skip
@click.option("--updates/--no-updates", default=True, show_default=True, help="Update blogs when they are due.")
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
    """Serve the archive: the web interface, the live demo, and REST, feeds, OAI-PMH and Memento.

    On the loopback interface no token is needed. To listen on other interfaces, set a token, which is then required for
    writing, or --public for read-only access. URLs entered by visitors are fetched from the public web only, unless
    --allow names the host.

    Blogs are updated when they are due (`posterity schedule`), unless --no-updates is given.

    \b
    posterity serve
    posterity serve --archive saved --port 8080 --allow 127.0.0.1
    POSTERITY_TOKEN=... posterity serve --host 0.0.0.0
    posterity serve --host 0.0.0.0 --public --processes 4
    """
    from posterity.serve.settings import ServeSettings, checked_settings

    settings = checked_settings(
        ServeSettings(
            archive=archive, host=host, port=port, token=token, public=public, names=names, delay_s=delay,
            allowed_hosts=("*", *allowed) if allow_private else allowed, contact=contact, reports=reports,
            processes=processes, updates=updates, warm_up=True,
        )
    )  # fmt: skip
    from posterity.archive.database import without_password
    from posterity.serve.app import serve

    # Without this hint, a misspelled name would show an empty archive without a reason.
    new = "" if "://" in archive or Path(archive).expanduser().exists() else ", a new archive,"

    def print_url(url: str) -> None:
        if not quiet:
            hint_at_contact(contact, [url])
            echo(f"{without_password(archive)}{new} is served at {url} (Ctrl-C to stop)", err=True)

    serve(settings, on_start=print_url)
