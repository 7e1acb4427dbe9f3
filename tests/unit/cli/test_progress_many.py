"""The table after many harvests distinguishes failed blogs from those that were not started."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.cli.progress import print_outcomes
from posterity.crawl.run import HarvestOutcome
from posterity.errors import Interrupted, Unreachable

if TYPE_CHECKING:
    import pytest


def test_blogs_that_were_stopped_have_not_failed(capsys: pytest.CaptureFixture[str]) -> None:
    print_outcomes(
        [
            HarvestOutcome("https://dead.example/", problem=Unreachable("no")),
            HarvestOutcome("https://late.example/", problem=Interrupted("Ctrl-C")),
        ]
    )
    _, dead, late = capsys.readouterr().err.splitlines()
    assert dead.split() == ["failed", "https://dead.example/"]
    assert late.split() == ["stopped", "https://late.example/"]
