"""Where a page's raw record lies, as one word."""

from posterity.model import WarcPointer


def test_pointer_prints_as_file_and_offset() -> None:
    assert str(WarcPointer("b1-2021.warc.gz", 1234, "urn:uuid:1")) == "b1-2021.warc.gz#1234"
