"""canonical_url is idempotent."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st

from posterity.urls import canonical_url

PARTS = st.sampled_from(
    [
        "http",
        "https",
        "HTTP",
        ":",
        "/",
        "//",
        "?",
        "&",
        "=",
        "#",
        "%",
        "%20",
        "%2F",
        "%C3%A9",
        ".",
        "..",
        "/../",
        ":80",
        ":443",
        "@",
        "a",
        "B",
        "blog.example",
        "www.",
        "utm_source=x",
        "é",
        "潮",
        " ",
        "\n",
        "\t",
        "+",
        ";",
        "[",
        "]",
        "index.html",
        "\u2028",
        "\\",
    ]
)
LIKELY = st.builds(
    "{}://blog.example{}{}".format,
    st.sampled_from(["http", "https", "HTTPS"]),
    st.sampled_from(["", ":80", ":443", ":8000"]),
    st.lists(PARTS).map("".join).map(lambda rest: f"/{rest}"),
)


ANY_PATH = st.builds("http://blog.example{}{}".format, st.sampled_from("/?#"), st.text())


@given(LIKELY | ANY_PATH)
@example("http://blog.example/%zz?%=%&a=%00")
def test_canonical_form_is_final(url: str) -> None:
    once = canonical_url(url)
    assert canonical_url(once) == once


# URLs that the shortcut recognises as canonical; those with a fragment are not.
PLAIN = st.builds(
    "{}://{}/{}".format,
    st.sampled_from(["http", "https"]),
    st.from_regex(r"[a-z0-9.-]{1,12}", fullmatch=True),
    st.from_regex(r"([a-zA-Z0-9_.~-]{0,3}|index\.html?|INDEX\.php|index\.xml|/){0,4}", fullmatch=True),
)


@given(LIKELY | PLAIN)
def test_fragment_and_scheme_case_never_matter(url: str) -> None:
    bare = "".join(url.partition("#")[0].split())
    assert canonical_url(f"{bare}#part") == canonical_url(bare)
    assert canonical_url("HTTP" + bare[4:]) == canonical_url(bare)


@given(st.text(), st.text())
def test_any_text_has_a_canonical_form(url: str, base: str) -> None:
    assert isinstance(canonical_url(url, base), str)
