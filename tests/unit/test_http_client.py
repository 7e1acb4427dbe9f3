"""Errors of connections as sentences, and the rules of robots.txt by status."""

from __future__ import annotations

import socket
import ssl
from http.client import BadStatusLine

import pytest

from posterity.http_client import connection_problem, robots_rules


@pytest.mark.parametrize(
    ("problem", "words"),
    [
        (socket.gaierror(-2, "Name or service not known"), "The host blog.example does not exist"),
        (ConnectionRefusedError(111, "Connection refused"), "blog.example refused the connection"),
        (TimeoutError("timed out"), "blog.example does not respond in time. Try again later."),
        (BadStatusLine("\x00\x01garbage\r\n"), "is not a web server (BadStatusLine)"),
        (ConnectionResetError(104, "Connection reset by peer"), "closed the connection"),
        (ssl.SSLError(1, "certificate verify failed"), "certificate verify failed. Check the URL"),
    ],
)
def test_every_failure_has_a_sentence_without_error_numbers(problem: Exception, words: str) -> None:
    sentence = connection_problem(problem, "blog.example")
    assert words in sentence
    assert "Errno" not in sentence
    assert sentence.isprintable()


@pytest.mark.parametrize(("status", "allowed"), [(200, False), (404, True), (403, True), (500, None), (503, None)])
def test_robots_rules_depend_on_the_status(status: int, allowed: bool | None) -> None:
    rules = robots_rules(status, b"User-agent: *\nDisallow: /")
    assert (None if rules is None else rules.can_fetch("https://blog.example/", "Posterity")) is allowed
