"""docs/exit-codes.md lists exactly the errors with their exit codes."""

import re
from collections.abc import Iterator
from pathlib import Path

from posterity.cli.main import EXIT_CODES
from posterity.errors import PosterityError

PAGE = (Path(__file__).parents[3] / "docs" / "exit-codes.md").read_text(encoding="utf-8")


def errors_below(error: type[PosterityError]) -> Iterator[type[PosterityError]]:
    yield error
    for child in error.__subclasses__():
        yield from errors_below(child)


def defined() -> dict[str, int]:
    ours = (error for error in errors_below(PosterityError) if error.__module__ == "posterity.errors")
    return {error.__name__: error.exit_code for error in ours}


def documented() -> dict[str, int]:
    """The rows of the tables: a code, an error in code font, and a description."""
    return {name: int(code) for code, name in re.findall(r"^\| (\d+) \| `(\w+)` \|", PAGE, re.MULTILINE)}


def test_every_error_stands_in_the_page_with_its_code() -> None:
    assert documented() == defined()


def test_every_code_of_the_help_page_stands_in_the_page() -> None:
    printed = {int(code) for code in re.findall(r"(?:^|\s)(\d+)  [a-z]", EXIT_CODES)}
    assert printed == {0, *defined().values()}
    assert re.search(r"^\| 0 \|", PAGE, re.MULTILINE)
