"""A PostgreSQL address that leads nowhere."""

from __future__ import annotations

import pytest

from posterity.archive import open_archive
from posterity.errors import ArchiveError


@pytest.mark.parametrize("create", [True, False])
def test_a_server_that_does_not_answer_is_one_sentence_without_the_password(create: bool) -> None:
    with pytest.raises(ArchiveError, match="Check that the server runs") as caught:
        open_archive("postgresql://ann:secret@127.0.0.1:1/blogs", create=create)
    assert "secret" not in str(caught.value)


def test_an_address_that_is_none_is_an_error() -> None:
    with pytest.raises(ArchiveError):
        open_archive("postgresql://[broken")
