"""Options of the command line from files and the environment, and `posterity config`, which shows them.

The command line comes first, then the environment (POSTERITY_HARVEST_DELAY), then posterity.toml in the current folder,
then config.toml in the user's folder, then the default. Each value is checked as if it were typed.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from posterity.cli.options import echo
from posterity.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

PROJECT_FILE = "posterity.toml"
# Options that mean the same for all commands: they may stand above the tables.
SHARED = ("archive", "contact", "allow-private", "quiet")


class ConfigFile(NamedTuple):
    """A file of settings: its name for people, and what it holds."""

    name: str
    values: Mapping[str, Any]


class Setting(NamedTuple):
    """The value of one option, and where it comes from."""

    command: str
    option: str
    value: Any
    origin: str


def user_file() -> Path:
    """Return the place of the user's own file, which need not exist."""
    folder = os.environ.get("XDG_CONFIG_HOME") or Path.home() / ".config"
    return Path(folder) / "posterity" / "config.toml"


def config_files(commands: list[str]) -> list[ConfigFile]:
    """Return what the files hold, the most important first; a file or a name that makes no sense raises."""
    files = [(PROJECT_FILE, Path(PROJECT_FILE)), (str(user_file()), user_file())]
    found = [ConfigFile(name, _read(path)) for name, path in files if path.is_file()]
    for file in found:
        for key, value in file.values.items():
            if key not in (SHARED if not isinstance(value, dict) else commands):
                known = f"Options of all commands are {', '.join(SHARED)}; those of one are in its table, as [harvest]."
                raise InputError(f"{file.name} sets {key!r}, which is neither a command nor such an option. {known}")
    return found


def _read(path: Path) -> dict[str, Any]:
    import tomllib  # most folders have no such file

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as problem:
        raise InputError(f"The settings {path} cannot be read: {problem.strerror}.") from problem
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as problem:
        raise InputError(f"The settings {path} are not TOML: {problem}.") from problem


def configured(name: str, command: click.Command, commands: list[str]) -> dict[str, Any]:
    """Return the values of the command's options that files and the environment set, for click's `default_map`."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        below = {each: command.get_command(context, each) for each in command.list_commands(context)}
        return {each: configured(f"{name} {each}", one, commands) for each, one in below.items() if one is not None}
    options = {_long_name(option): option for option in command.params if isinstance(option, click.Option)}
    found = {}
    for setting in _settings(name, options, config_files(commands)):
        found[str(options[setting.option].name)] = setting.value
    return found


def _settings(command: str, options: Mapping[str, click.Option], files: list[ConfigFile]) -> Iterator[Setting]:
    """Yield what is set for the command, each option once."""
    tables = [(file, {_spelled(key): value for key, value in file.values.get(command, {}).items()}) for file in files]
    for file, table in tables:
        if unknown := [key for key in table if key not in options]:
            raise InputError(f"{file.name} sets {unknown[0]!r} for {command}, which has no option --{unknown[0]}.")
    for key, option in options.items():
        variable = _variable(command, key)
        if key in SHARED and (value := os.environ.get(_variable("", key))) is not None:
            yield Setting(command, key, _of_environment(option, value), f"${_variable('', key)}")
        elif (value := os.environ.get(variable)) is not None:
            yield Setting(command, key, _of_environment(option, value), f"${variable}")
        else:
            for file, table in tables:
                value = table.get(key, file.values.get(key) if key in SHARED else None)
                if value is not None:
                    yield Setting(command, key, value, file.name)
                    break


def _of_environment(option: click.Option, value: str) -> Any:
    return value.split() if option.multiple else value


def _variable(command: str, key: str) -> str:
    return "_".join(part for part in ("POSTERITY", command, key) if part).upper().replace("-", "_").replace(" ", "_")


def _spelled(key: str) -> str:
    return key.replace("_", "-")


def _long_name(option: click.Option) -> str:
    return max(option.opts, key=len).lstrip("-")


@click.group()
def command() -> None:
    """Show the settings that files and the environment make.

    Options that are not given come from POSTERITY_COMMAND_OPTION in the environment, from posterity.toml in the current
    folder, or from ~/.config/posterity/config.toml, in this order:

    \b
    posterity config show

    \b
    archive = "saved"                    for every command
    contact = "me@library.example"
    [harvest]
    delay = 2.0                          for one
    no-media = true
    """


@command.command("show")
@click.argument("name", metavar="[COMMAND]", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines, for programs.")
@click.pass_context
def show(context: click.Context, name: str | None, as_json: bool) -> None:
    """Print every value that is set and where it comes from; of one COMMAND also the defaults.

    \b
    posterity config show
    posterity config show harvest
    """
    from posterity.model import to_json

    root = context.find_root()
    assert isinstance(root.command, click.Group)
    commands = root.command.list_commands(root)
    if name is not None and name not in commands:
        raise click.UsageError(f"No such command {name!r}.", context)
    files = config_files(commands)
    found = [
        setting
        for each in ([name] if name else commands)
        for setting in _shown(each, root.command.get_command(root, each), files, defaults=name is not None)
    ]
    if name is None:
        found = list(dict.fromkeys(_of_all_commands(setting) for setting in found))
    rows = [(f"{setting.command} --{setting.option}".strip(), _printed(setting), setting.origin) for setting in found]
    if as_json:
        for setting, (_, value, _) in zip(found, rows, strict=True):
            fact = {"command": setting.command, "option": setting.option, "value": value, "from": setting.origin}
            click.echo(to_json(fact).decode())
        return
    read = ", ".join(file.name for file in files)
    echo(f"read: {read}" if read else f"read: neither {PROJECT_FILE} nor {user_file()} exists", err=True)
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    for option, value, origin in rows:
        echo(f"{option:{widths[0]}}  {value:{widths[1]}}  {origin}")


def _shown(name: str, command: click.Command | None, files: list[ConfigFile], *, defaults: bool) -> Iterator[Setting]:
    if command is None:
        return
    if isinstance(command, click.Group):
        context = click.Context(command)
        for each in command.list_commands(context):
            yield from _shown(f"{name} {each}", command.get_command(context, each), files, defaults=defaults)
        return
    options = {_long_name(option): option for option in command.params if isinstance(option, click.Option)}
    found = {setting.option: setting for setting in _settings(name, options, files)}
    for key, option in options.items():
        if key in found:
            yield found[key]
        elif defaults:
            yield Setting(
                name, key, option.default if isinstance(option.default, str | int | float) else None, "default"
            )


def _of_all_commands(setting: Setting) -> Setting:
    """The setting without the name of a command where all of them have it."""
    everywhere = setting.option in SHARED and not setting.origin.startswith(f"${_variable(setting.command, '')}_")
    value = tuple(setting.value) if isinstance(setting.value, list) else setting.value
    return setting._replace(command="" if everywhere else setting.command, value=value)


def _printed(setting: Setting) -> str:
    if setting.value is None:
        return "-"
    if isinstance(setting.value, list | tuple):
        return " ".join(map(str, setting.value))
    return str(setting.value).lower() if isinstance(setting.value, bool) else _without_password(str(setting.value))


def _without_password(text: str) -> str:
    if "://" not in text:
        return text
    from posterity.archive.folder import without_password

    return without_password(text)
