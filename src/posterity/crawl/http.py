"""Why a host gave no answer, in the words of a harvest, for those who fetch a page or two without Scrapy."""

from __future__ import annotations

import socket
from http.client import HTTPException


def connection_problem(problem: Exception, host: str) -> str:
    """Return the sentence for what the standard library raised; `urllib` keeps the network's own error inside."""
    reason = getattr(problem, "reason", None) or problem
    if isinstance(reason, socket.gaierror):
        return f"The host {host} does not exist, or there is no network. Check the address."
    if isinstance(reason, ConnectionRefusedError):
        return f"Nothing answers at {host}: the connection was refused. Check the address and the port."
    if isinstance(reason, TimeoutError):
        return f"{host} does not answer in time. Try again later."
    if isinstance(reason, HTTPException | ConnectionError):
        return f"{host} breaks off, or is no web server ({type(reason).__name__}). Try again later."
    word = getattr(reason, "strerror", None) or str(reason) or type(reason).__name__
    return f"{host} cannot be reached: {word}. Check the address and the network."
