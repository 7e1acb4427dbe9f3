"""An empty archive in a folder, open."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.archive import Archive, open_archive

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    """A new archive for each test."""
    with open_archive(tmp_path / "archive", create=True) as opened:
        yield opened
