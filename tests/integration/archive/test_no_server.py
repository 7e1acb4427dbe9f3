"""A PostgreSQL address that leads nowhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive
from posterity.errors import ArchiveError

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("create", [True, False])
def test_a_server_that_does_not_answer_is_one_sentence_without_the_password(create: bool) -> None:
    with pytest.raises(ArchiveError, match="Check that the server is running") as caught:
        open_archive("postgresql://ann:secret@127.0.0.1:1/blogs", create=create)
    assert "secret" not in str(caught.value)


def test_an_address_that_is_none_is_an_error() -> None:
    with pytest.raises(ArchiveError):
        open_archive("postgresql://[broken")


def test_an_address_without_a_host_means_the_local_server() -> None:
    with pytest.raises(ArchiveError, match="Check that the server is running"):
        open_archive("postgresql:///no-such-database?host=/no/such/folder")
    with pytest.raises(ArchiveError):
        open_archive("postgresql://")


@pytest.mark.parametrize("address", ["mysql://localhost/blogs", "sqlite:///blogs.db", "https://blog.example/"])
def test_another_kind_of_address_is_refused_and_becomes_no_folder(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ArchiveError, match="name of a folder, or postgresql://"):
        open_archive(address, create=True)
    assert list(tmp_path.iterdir()) == []
