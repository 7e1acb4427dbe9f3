"""The contact for site owners: --contact, $POSTERITY_CONTACT, and a hint if neither is set."""

from __future__ import annotations

import os

import click
import pytest
from click.testing import CliRunner

from posterity.cli.options import contact_option, hint_at_contact
from posterity.config import CONTACT_VARIABLE, CrawlSettings, user_agent


@click.command()
@contact_option
@click.argument("urls", nargs=-1)
def fetch(contact: str, urls: tuple[str, ...]) -> None:
    click.echo(CrawlSettings(contact=contact).sent_user_agent)
    hint_at_contact(contact, urls)


@pytest.fixture(autouse=True)
def _without_contact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CONTACT_VARIABLE, "")


def test_option_and_variable_name_the_contact() -> None:
    option = CliRunner().invoke(fetch, ["--contact", "a@b.example", "https://blog.example/"])
    assert option.output == f"{user_agent('a@b.example')}\n"
    assert os.environ[CONTACT_VARIABLE] == "a@b.example"
    variable = CliRunner().invoke(fetch, ["https://blog.example/"], env={CONTACT_VARIABLE: "https://b.example/me"})
    assert variable.output == f"{user_agent('https://b.example/me')}\n"


def test_one_line_when_nobody_is_named() -> None:
    ended = CliRunner().invoke(fetch, ["https://blog.example/", "http://127.0.0.1:4000/"])
    assert ended.exit_code == 0
    assert ended.stderr.count("\n") == 1
    assert "$POSTERITY_CONTACT" in ended.stderr


@pytest.mark.parametrize("url", ["http://127.0.0.1:4000/", "http://localhost/", "http://[::1]:80/"])
def test_own_machine_needs_no_contact(url: str) -> None:
    assert CliRunner().invoke(fetch, [url]).stderr == ""
