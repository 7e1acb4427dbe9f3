"""Options from files and the environment, and what the command shows of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest

from posterity.cli.config import SHARED
from posterity.cli.main import posterity as command_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.conftest import Posterity, Response, Web


class Here:
    """The command in a folder with files of settings."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.user_file = folder / "home" / "posterity" / "config.toml"
        self.user_file.parent.mkdir(parents=True)

    def run(self, *words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        inherited = {name: value for name, value in os.environ.items() if not name.startswith("POSTERITY_")}
        return subprocess.run(
            [sys.executable, "-m", "posterity", *map(str, words)],
            env={**inherited, "XDG_CONFIG_HOME": str(self.folder / "home"), **variables},
            cwd=self.folder, capture_output=True, text=True, timeout=120, check=False,
        )  # fmt: skip

    def shown(self, *words: str, **variables: str) -> dict[str, tuple[str, str]]:
        lines = self.run("config", "show", *words, "--json", **variables).stdout.splitlines()
        facts = [json.loads(line) for line in lines]
        return {f"{fact['command']} {fact['option']}".strip(): (fact["value"], fact["from"]) for fact in facts}


@pytest.fixture
def here(tmp_path: Path) -> Here:
    return Here(tmp_path)


def test_the_nearer_source_wins(here: Here) -> None:
    here.user_file.write_text('archive = "users"\n[harvest]\ndelay = 5\nworkers = 2\nconcurrency = 1\n')
    (here.folder / "posterity.toml").write_text('archive = "project"\n[harvest]\ndelay = 4\nworkers = 3\n')
    shown = here.shown("harvest", POSTERITY_HARVEST_DELAY="3")
    assert shown["harvest delay"] == ("3", "$POSTERITY_HARVEST_DELAY")
    assert shown["harvest workers"] == ("3", "posterity.toml")
    assert shown["harvest concurrency"] == ("1", str(here.user_file))
    assert shown["harvest archive"] == ("project", "posterity.toml")
    assert shown["harvest render"] == ("auto", "default")


def test_values_are_used_and_the_command_line_overrides_them(here: Here, demo_archive: Path) -> None:
    (here.folder / "posterity.toml").write_text(f'archive = "{demo_archive}"\n[search]\nlimit = 2\njson = true\n')
    assert len(here.run("search", "the").stdout.splitlines()) == 2
    assert len(here.run("search", "the", "--limit", "3").stdout.splitlines()) == 3
    assert here.run("archive", "stats").returncode == 0  # a command below a group has them too
    assert here.run("list", "--archive", here.folder / "nothing").returncode == 3


def test_settings_of_all_commands_are_shown_once(here: Here) -> None:
    (here.folder / "posterity.toml").write_text('archive = "saved"\n')
    assert here.shown() == {"archive": ("saved", "posterity.toml")}


def test_passwords_are_not_shown(here: Here) -> None:
    shown = here.shown(POSTERITY_ARCHIVE="postgresql://me:secret@host/blogs")
    assert "secret" not in shown["archive"][0]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("archve = 'x'\n", "sets 'archve'"),
        ("[hervest]\ndelay = 1\n", "sets 'hervest'"),
        ("[list]\ndelay = 1\n", "which has no option --delay"),
        ("archive = \n", "is not valid TOML"),
    ],
)
def test_settings_that_make_no_sense_are_an_error(here: Here, text: str, words: str) -> None:
    (here.folder / "posterity.toml").write_text(text)
    ended = here.run("list")
    assert (ended.returncode, words in ended.stderr) == (4, True), ended.stderr


def test_wrong_value_is_a_usage_error(here: Here) -> None:
    (here.folder / "posterity.toml").write_text("[search]\nlimit = 'many'\n")
    assert here.run("search", "x").returncode == 2


def test_shared_options_are_options_of_several_commands() -> None:
    context = click.Context(command_line)
    commands = [command_line.get_command(context, name) for name in command_line.list_commands(context)]
    spelled = [opt for command in commands if command for param in command.params for opt in param.opts]
    assert [name for name in SHARED if spelled.count(f"--{name}") < 2] == []


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_script_calls_the_command(here: Here, shell: str) -> None:
    ended = here.run("completion", shell)
    assert (ended.returncode, f"_POSTERITY_COMPLETE={shell}_complete" in ended.stdout) == (0, True)


def test_completion_completes_commands_and_options(here: Here) -> None:
    words = {"COMP_WORDS": "posterity har", "COMP_CWORD": "1", "_POSTERITY_COMPLETE": "bash_complete"}
    assert here.run(**words).stdout.strip() == "plain,harvest"
    words |= {"COMP_WORDS": "posterity harvest --ren", "COMP_CWORD": "2"}
    assert here.run(**words).stdout.strip() == "plain,--render"


def test_verbose_logs_requests(
    here: Here, serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    web = serve({"/": response("<article><h1>Tides</h1><p>The tide came in.</p></article>")})
    ended = here.run("-v", "extract", f"{web.base_url}/")
    assert f"INFO posterity.http_client: GET {web.base_url}/: 200" in ended.stderr
    assert "INFO" not in here.run("extract", f"{web.base_url}/").stderr


def test_verbose_harvest_logs_the_crawl(
    here: Here, serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    web = serve({"/": response("<p>no blog</p>")})
    ended = here.run("-vv", "harvest", f"{web.base_url}/", "--delay", "0", "--quiet")
    assert f"Crawled (200) <GET {web.base_url}/>" in ended.stderr


def test_error_has_its_traceback_only_when_asked_for(here: Here) -> None:
    assert "Traceback" in here.run("-vv", "list", "--archive", "nothing").stderr
    assert "Traceback" not in here.run("-v", "list", "--archive", "nothing").stderr


def test_short_version_option(posterity: Posterity) -> None:
    assert posterity("-V").stdout == posterity("--version").stdout


def test_bare_host_name_is_tried_with_https_first_then_with_http(
    here: Here, serve: Callable[[dict[str, Response]], Web], response: type[Response]
) -> None:
    web = serve({"/tides/": response("<article><h1>Tides</h1><p>The tide came in.</p></article>")})
    bare = web.base_url.removeprefix("http://") + "/tides/"
    assert "The tide came in." in here.run("extract", bare, "--format", "text").stdout


def test_list_has_a_header(posterity: Posterity, demo_archive: Path) -> None:
    header, first = posterity("list", "--archive", demo_archive).stdout.splitlines()
    assert header.split() == ["id", "posts", "harvested", "url", "and", "title"]
    assert header.index("harvested") == first.index("  20") + 2


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["export", "posts.xyz"], 2, "No format has the extension .xyz"),
        (["export", "none.jsonl", "--language", "xx"], 3, "No post matches all options"),
        (["extract", "lines.txt"], 9, "it has no HTML element"),
        (["extract", "garbage.warc.gz"], 4, "is not a WARC, ARC or WACZ file"),
        (["import", "garbage.warc.gz"], 4, "is not a WARC, ARC or WACZ file"),
    ],
)
def test_nothing_succeeds_silently(here: Here, demo_archive: Path, words: list[str], code: int, sentence: str) -> None:
    (here.folder / "garbage.warc.gz").write_bytes(bytes(range(256)) * 40)
    (here.folder / "lines.txt").write_text("root:x:0:0:root:/root:/bin/bash\n")
    copy = here.folder / "archive"
    variables = {"POSTERITY_ARCHIVE": str(copy if words[0] == "import" else demo_archive)}
    ended = here.run(*words, **variables)
    assert (ended.returncode, sentence in ended.stderr) == (code, True), ended.stderr
