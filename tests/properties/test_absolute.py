"""The shortcuts to an absolute URL agree with `urljoin`."""

from __future__ import annotations

import re
from urllib.parse import urljoin

from hypothesis import assume, given
from hypothesis import strategies as st

from posterity.dom.media import absolute

PAGES = st.sampled_from(
    ["http://blog.example/a/b.html", "https://blog.example:8080/?p=1", "http://blog.example", "HTTP://a.example/", ""]
)
PARTS = st.text("ab./?#:=&%;@[]~-+ \t", max_size=12)


def joined(page: str, address: str) -> str | None:
    try:
        full = urljoin(page, address)
    except ValueError:
        return None
    return full if full.startswith(("http://", "https://")) else None


@given(page=PAGES, scheme=st.sampled_from(["http", "https", "HTTP"]), rest=PARTS)
def test_address_in_full_is_what_joining_makes_of_it(page: str, scheme: str, rest: str) -> None:
    address = f"{scheme}://other.example{rest}".strip()
    assert absolute(page, address) == joined(page, address)


@given(page=PAGES, rest=PARTS)
def test_address_from_the_root_is_what_joining_makes_of_it(page: str, rest: str) -> None:
    address = f"/{rest}".strip()
    assume(not re.match(r"//[\w-]+(?:[/?#]|$)", address))  # copies with an empty host: "//2012/a.html" is a path
    assert absolute(page, address) == joined(page, address)
