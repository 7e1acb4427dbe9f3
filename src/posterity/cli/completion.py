"""`posterity completion`: the script that lets a shell complete commands and options."""

from __future__ import annotations

import click
from click.shell_completion import get_completion_class

_VARIABLE = "_POSTERITY_COMPLETE"


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def command(context: click.Context, shell: str) -> None:
    """Print the script that completes commands and options in this shell.

    \b
    posterity completion bash > ~/.local/share/bash-completion/completions/posterity
    posterity completion zsh > ~/.zfunc/_posterity      with ~/.zfunc in $fpath
    posterity completion fish > ~/.config/fish/completions/posterity.fish
    """
    kind = get_completion_class(shell)
    assert kind is not None
    script = kind(context.find_root().command, {}, "posterity", _VARIABLE)
    # `source` would also start bash to look at its version, which need not be that of this machine.
    click.echo(script.source_template % script.source_vars())
