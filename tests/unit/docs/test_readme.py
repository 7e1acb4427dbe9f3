"""The examples in README.md work: commands, options, Python names and link targets exist."""

import ast
import inspect
import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

import posterity
from posterity.cli.main import posterity as command_line

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/cli.md", "docs/exit-codes.md"]
PAGES += [str(page.relative_to(ROOT)) for page in sorted((ROOT / "docs" / "decisions").glob("*.md"))]
_AFTER_COMMAND = {"|", ">", ">>", "<", "&&", "||", ";", "&"}


def code_blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


def command_lines(text: str) -> list[str]:
    lines = "\n".join(code_blocks(text, r"\w*")).replace("\\\n", " ").splitlines()
    return [line for line in lines if line.startswith("posterity ")]


def words_of(line: str) -> list[str]:
    """The words of the command, without comments, pipes and redirections."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars=True)
    lexer.whitespace_split = True
    words = []
    for word in lexer:
        if word in _AFTER_COMMAND:
            break
        words.append(word)
    return words


def parsed(words: list[str]) -> Iterator[click.Context]:
    """Parse without running; click raises if a command, an option or a value does not exist."""
    context = click.Context(command_line, info_name="posterity")
    rest = words
    while isinstance(context.command, click.Group):
        assert rest, f"{context.command_path} needs a command"
        command = context.command.get_command(context, rest[0])
        assert command is not None, f"there is no command {context.command_path} {rest[0]}"
        if isinstance(command, click.Group):
            context = click.Context(command, info_name=rest[0], parent=context)
        else:
            context = command.make_context(rest[0], rest[1:], parent=context)
        rest = rest[1:]
        yield context


def test_readme_shows_commands() -> None:
    assert len(command_lines(README)) >= 8


@pytest.mark.parametrize("line", command_lines(README))
def test_command_line_can_be_typed(line: str) -> None:
    program, *words = words_of(line)
    assert program == "posterity"
    assert list(parsed(words))


@pytest.mark.parametrize("line", ["posterity hervest https://blog.example/", "posterity list --no-such-option"])
def test_wrong_command_line_is_noticed(line: str) -> None:
    with pytest.raises((AssertionError, click.UsageError)):
        list(parsed(words_of(line)[1:]))


@pytest.mark.parametrize("block", code_blocks(README, "python"))
def test_python_names_exist_and_take_these_arguments(block: str) -> None:
    calls = [node for node in ast.walk(ast.parse(block)) if isinstance(node, ast.Call) and _is_ours(node.func)]
    assert calls
    for call in calls:
        assert isinstance(call.func, ast.Attribute)
        assert call.func.attr in posterity.__all__
        function = getattr(posterity, call.func.attr)
        keywords = {keyword.arg: None for keyword in call.keywords if keyword.arg}
        inspect.signature(function).bind(*call.args, **keywords)


@pytest.mark.parametrize("page", PAGES)
def test_links_inside_the_project_lead_somewhere(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL))
    lost = [target for target in targets if not ((ROOT / page).parent / target).exists()]
    assert not lost


def test_first_screen_has_picture_and_both_commands() -> None:
    first_screen = "\n".join(README.splitlines()[:25])
    assert "docs/images/demo.svg" in first_screen
    assert "make demo" in first_screen
    assert "make test" in first_screen


def _is_ours(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and isinstance(function.value, ast.Name)
        and function.value.id == "posterity"
    )
