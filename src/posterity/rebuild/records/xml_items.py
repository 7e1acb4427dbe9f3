"""The elements of a large XML file one after the other: each is let go before the next is read."""

from __future__ import annotations

from typing import IO, TYPE_CHECKING
from xml.etree.ElementTree import Element, ParseError, iterparse

from posterity.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterator


def elements_below(stream: IO[bytes], path: tuple[str, ...], name: str) -> Iterator[Element]:
    """Yield every child of the element at this path, whole; elsewhere, nothing. A broken file raises `InputError`.

    Entities that grow without end are refused by expat itself since 2.4.1, and files outside are never read.
    """
    open_elements: list[Element] = []
    try:
        for event, element in iterparse(stream, events=("start", "end")):  # noqa: S314
            if event == "start":
                open_elements.append(element)
                continue
            open_elements.pop()
            if tuple(outer.tag for outer in open_elements) == path:
                yield element
                open_elements[-1].remove(element)
    except ParseError as problem:
        raise InputError(f"{name} is no well-formed XML: {problem}. Check that it is whole.") from problem


def text_at(element: Element, tag: str) -> str:
    """Return the text of a child, or the empty string."""
    return element.findtext(tag) or ""
