"""Every command has help, and an example to copy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.cli.main import COMMANDS

if TYPE_CHECKING:
    from tests.conftest import Posterity


@pytest.fixture(scope="module", params=COMMANDS)
def shown(request: pytest.FixtureRequest, posterity: Posterity) -> tuple[str, str]:
    ended = posterity(request.param, "--help")
    assert (ended.returncode, ended.stderr) == (0, "")
    return request.param, ended.stdout


def test_help_says_how_to_call_it(shown: tuple[str, str]) -> None:
    name, text = shown
    assert text.startswith(f"Usage: posterity {name} ")
    assert "--help" in text


def test_help_says_what_every_option_does(shown: tuple[str, str]) -> None:
    _, text = shown
    options = text.partition("Options:\n")[2]
    entries = [entry for entry in options.split("\n  -") if entry.strip()]
    assert entries
    assert [entry for entry in entries if len(" ".join(entry.split()).split()) < 3] == []


@pytest.mark.parametrize("name", COMMANDS)
def test_help_has_an_example(name: str, posterity: Posterity) -> None:
    lines = [line.strip() for line in posterity(name, "--help").stdout.splitlines()]
    assert [line for line in lines if line.startswith(f"posterity {name}")]
