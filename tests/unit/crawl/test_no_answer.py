"""What the standard library raises becomes a sentence that says what to do."""

from __future__ import annotations

import socket
import ssl
from http.client import BadStatusLine
from urllib.error import URLError

import pytest

from posterity.crawl.http import connection_problem


@pytest.mark.parametrize(
    ("problem", "says"),
    [
        (URLError(socket.gaierror(-2, "Name or service not known")), "The host blog.example does not exist"),
        (URLError(ConnectionRefusedError(111, "Connection refused")), "Nothing answers at blog.example"),
        (TimeoutError("timed out"), "blog.example does not answer in time. Try again later."),
        (BadStatusLine("\x00\x01garbage\r\n"), "is no web server (BadStatusLine)"),
        (ConnectionResetError(104, "Connection reset by peer"), "breaks off"),
        (URLError(ssl.SSLError(1, "certificate verify failed")), "certificate verify failed. Check the address"),
        (URLError("unknown url type: ftp"), "cannot be reached: unknown url type: ftp."),
    ],
)
def test_every_failure_has_a_sentence_without_numbers_of_errors(problem: Exception, says: str) -> None:
    sentence = connection_problem(problem, "blog.example")
    assert says in sentence
    assert "Errno" not in sentence
    assert sentence.isprintable()
