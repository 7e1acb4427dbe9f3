"""`posterity completion`: the completion script for a shell."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that completes commands and options in SHELL.

    \b
    posterity completion bash > ~/.local/share/bash-completion/completions/posterity
    posterity completion zsh > ~/.zfunc/_posterity      with ~/.zfunc in $fpath
    posterity completion fish > ~/.config/fish/completions/posterity.fish
    """
    completion_class = get_completion_class(shell)
    assert completion_class is not None
    script = completion_class(context.find_root().command, {}, "posterity", "_POSTERITY_COMPLETE")
    # `script.source()` would start bash to check its version, but the script may be for another machine.
    click.echo(script.source_template % script.source_vars())
