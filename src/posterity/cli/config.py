"""`posterity config`, and option values from configuration files and the environment.

The command line has precedence, then the environment (POSTERITY_HARVEST_DELAY), posterity.toml in the current folder,
the user's config.toml, and the default. Every value is checked as if it were typed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import click

from posterity.cli.options import echo, echo_json, json_option
from posterity.errors import InputError
from posterity.model import from_toml

PROJECT_FILE = "posterity.toml"
# Options with the same meaning in all commands: a file may set them at the top level.
SHARED = ("archive", "contact", "allow-private", "quiet")


class ConfigFile(NamedTuple):
    """A configuration file: its name in messages, and its content."""

    name: str
    values: Mapping[str, Any]


class Setting(NamedTuple):
    """The value of one option, and where it comes from."""

    command: str
    option: str
    value: Any
    origin: str


def user_file() -> Path:
    """Return the path of the user's configuration file, which need not exist."""
    return Path(os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config") / "posterity" / "config.toml"


def config_files(commands: list[str]) -> list[ConfigFile]:
    """Read the configuration files, highest precedence first; raise `InputError` for unknown names."""
    files = [(PROJECT_FILE, Path(PROJECT_FILE)), (str(user_file()), user_file())]
    found = [ConfigFile(name, _read(path)) for name, path in files if path.is_file()]
    for file in found:
        for key, value in file.values.items():
            if key not in (SHARED if not isinstance(value, dict) else commands):
                known = f"Top-level options are {', '.join(SHARED)}; others belong in a table such as [harvest]."
                raise InputError(f"{file.name} sets {key!r}, which is neither a command nor such an option. {known}")
    return found


def _read(path: Path) -> dict[str, Any]:
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as problem:
        raise InputError(f"The configuration file {path} cannot be read: {problem.strerror}.") from problem
    except UnicodeDecodeError as problem:
        raise InputError(f"The configuration file {path} is not valid TOML: {problem}.") from problem
    return from_toml(text, f"The configuration file {path}")


def configured(name: str, command: click.Command, commands: list[str]) -> dict[str, Any]:
    """Return the options that files and the environment set for the command, for click's `default_map`."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        below = {each: command.get_command(context, each) for each in command.list_commands(context)}
        return {each: configured(f"{name} {each}", one, commands) for each, one in below.items() if one is not None}
    options = {_long_name(option): option for option in command.params if isinstance(option, click.Option)}
    settings = _settings(name, options, config_files(commands))
    return {str(options[setting.option].name): setting.value for setting in settings}


def _settings(command: str, options: Mapping[str, click.Option], files: list[ConfigFile]) -> Iterator[Setting]:
    """Yield the settings of the command, each option once."""
    given = ((file, file.values.get(command, {})) for file in files)
    tables = [(file, {key.replace("_", "-"): value for key, value in table.items()}) for file, table in given]
    for file, table in tables:
        if unknown := [key for key in table if key not in options]:
            raise InputError(f"{file.name} sets {unknown[0]!r} for {command}, which has no option --{unknown[0]}.")
    for key, option in options.items():
        variable = _variable(command, key)
        if key in SHARED and (value := os.environ.get(_variable("", key))) is not None:
            yield Setting(command, key, _parse_variable(option, value), f"${_variable('', key)}")
        elif (value := os.environ.get(variable)) is not None:
            yield Setting(command, key, _parse_variable(option, value), f"${variable}")
        else:
            for file, table in tables:
                value = table.get(key, file.values.get(key) if key in SHARED else None)
                if value is not None:
                    yield Setting(command, key, value, file.name)
                    break


def _parse_variable(option: click.Option, value: str) -> Any:
    return value.split() if option.multiple else value


def _variable(command: str, key: str) -> str:
    return "_".join(part for part in ("POSTERITY", command, key) if part).upper().replace("-", "_").replace(" ", "_")


def _long_name(option: click.Option) -> str:
    return max(option.opts, key=len).lstrip("-")


@click.group()
def command() -> None:
    """Show the settings from configuration files and the environment.

    Options that are not on the command line are taken from POSTERITY_COMMAND_OPTION in the environment, from
    posterity.toml in the current folder, or from ~/.config/posterity/config.toml, in this order.

    \b
    posterity config show

    An example of such a file:

    \b
    archive = "saved"                    # for every command
    contact = "me@library.example"
    [harvest]
    delay = 2.0                          # for one command
    no-media = true
    """


@command.command("show")
@click.argument("name", metavar="[COMMAND]", required=False)
@json_option
@click.pass_context
def show(context: click.Context, name: str | None, as_json: bool) -> None:
    """Print every setting and where it comes from; with COMMAND, also its defaults.

    \b
    posterity config show
    posterity config show harvest
    """
    root = context.find_root()
    assert isinstance(root.command, click.Group)
    commands = root.command.list_commands(root)
    if name is not None and name not in commands:
        raise click.UsageError(f"No such command {name!r}.", context)
    files = config_files(commands)
    found = [
        setting
        for each in ([name] if name else commands)
        for setting in _settings_to_show(each, root.command.get_command(root, each), files, defaults=name is not None)
    ]
    if name is None:
        found = list(dict.fromkeys(_without_shared_command(setting) for setting in found))
    rows = [(f"{one.command} --{one.option}".strip(), _format_setting(one), one.origin) for one in found]
    if as_json:
        for setting, (_, value, _) in zip(found, rows, strict=True):
            echo_json({"command": setting.command, "option": setting.option, "value": value, "from": setting.origin})
        return
    read = ", ".join(file.name for file in files)
    echo(f"read: {read}" if read else f"read: neither {PROJECT_FILE} nor {user_file()} exists", err=True)
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    for option, value, origin in rows:
        echo(f"{option:{widths[0]}}  {value:{widths[1]}}  {origin}")


def _settings_to_show(
    name: str, command: click.Command | None, files: list[ConfigFile], *, defaults: bool
) -> Iterator[Setting]:
    if command is None:
        return
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            yield from _settings_to_show(f"{name} {each}", command.get_command(context, each), files, defaults=defaults)
        return
    options = {_long_name(option): option for option in command.params if isinstance(option, click.Option)}
    found = {setting.option: setting for setting in _settings(name, options, files)}
    for key, option in options.items():
        if key in found:
            yield found[key]
        elif defaults:
            default = option.default if isinstance(option.default, str | int | float) else None
            yield Setting(name, key, default, "default")


def _without_shared_command(setting: Setting) -> Setting:
    """Remove the command's name from a setting that all commands share."""
    everywhere = setting.option in SHARED and not setting.origin.startswith(f"${_variable(setting.command, '')}_")
    value = tuple(setting.value) if isinstance(setting.value, list) else setting.value
    return setting._replace(command="" if everywhere else setting.command, value=value)


def _format_setting(setting: Setting) -> str:
    if setting.value is None:
        return "-"
    if isinstance(setting.value, list | tuple):
        return " ".join(map(str, setting.value))
    text = str(setting.value).lower() if isinstance(setting.value, bool) else str(setting.value)
    if "://" not in text:
        return text
    from posterity.archive.database import without_password

    return without_password(text)
