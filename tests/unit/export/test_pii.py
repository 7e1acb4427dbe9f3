"""E-mail addresses and phone numbers are masked; dates, ISBNs, prices and URLs are not."""

from __future__ import annotations

import pytest

from posterity.export.clean_up import country_of, mask_pii, mask_text
from posterity.model import Comment, Post


@pytest.mark.parametrize(
    "address",
    [
        "anna@rye.example",
        "Anna.Lind+blog@mail.rye.example",
        "anna [at] rye.example",
        "anna (at) rye (dot) example",
        "анна@пример.рф",
    ],
)
def test_mail_addresses_are_masked(address: str) -> None:
    assert mask_text(f"Write to {address}, please.") == "Write to [e-mail], please."


@pytest.mark.parametrize(
    "text",
    ["see @anna", "medium.example/@anna.lind", "a@b", "look (at) it", "x @ y.example", "git@code.example:anna/notes"],
)
def test_handles_and_at_signs_are_no_mail_addresses(text: str) -> None:
    assert mask_text(text) == text


@pytest.mark.parametrize(
    ("number", "country"),
    [
        ("+49 30 123456-0", None),
        ("+1 (650) 253-0000", None),
        ("+33 1 42 68 53 00", None),
        ("+81 3-1234-5678", None),
        ("+7 (495) 123-45-67", None),
        ("+91 98765 43210", None),
        ("0049 30 1234567", None),
        ("(030) 12345678", "DE"),
        ("0176 12345678", "DE"),
        ("01 42 68 53 00", "FR"),
        ("(650) 253-0000", "US"),
        ("650-253-0000", "US"),
        ("020 7946 0958", "GB"),
        ("03-1234-5678", "JP"),
    ],
)
def test_phone_numbers_are_masked(number: str, country: str | None) -> None:
    assert mask_text(f"Call {number} today.", country) == "Call [phone] today."


@pytest.mark.parametrize("country", ["DE", "US", "FR", "GB", None])
@pytest.mark.parametrize(
    "text",
    [
        "On 12.03.2021 and 2021-03-12, 12/03/2021 10:15:30.",
        "ISBN 978-3-16-148410-0, ISBN-10: 0-306-40615-2, 9783161484100",
        "It costs $1,234,567.89 or 1.234.567,89 EUR or € 12 500 000.",
        "Years 1998 1999 2000 2001, pages 123-456, 1,000,000 people.",
        "doi:10.1000/182, ISSN 2049-3630, 192.168.100.1, 20210312101500",
        "3.14159265358979 and 1234567890123456789",
        'viewBox="64 64 512 512" --replay 18 913813783 2147483380',
    ],
)
def test_other_figures_stay(text: str, country: str | None) -> None:
    assert mask_text(text, country) == text


def test_two_numbers_on_one_line_are_both_masked() -> None:
    assert mask_text("+81 3-1234-5678, +44 20 7946 0958", "JP") == "[phone], [phone]"


@pytest.mark.parametrize(
    ("language", "country"),
    [("de", "DE"), ("de-AT", "AT"), ("pt", "BR"), ("en-GB", "GB"), ("xx-no-such", None), (None, None)],
)
def test_country_follows_from_the_language(language: str | None, country: str | None) -> None:
    assert country_of(language) == country


def test_record_is_masked_in_all_its_forms_and_addresses_of_pages_stay() -> None:
    page = "https://rye.example/0301234567/anna@rye.example.html"
    post = Post(
        id="1",
        url="https://rye.example/1",
        language="de",
        title="Ruf an: 030 12345678",
        text="anna@rye.example",
        html=f'<p><a href="mailto:anna@rye.example?subject=x">Mail</a> 030 12345678 <img src="{page}"></p>',
        markdown=f"[Mail](mailto:anna@rye.example) <anna@rye.example> 030 12345678 ![]({page})",
        comments=(Comment(id="c", author="bo@rye.example", text="030 12345678", html="<p>030 12345678</p>"),),
    )
    found = mask_pii(post)
    assert found.title == "Ruf an: [phone]"
    assert found.text == "[e-mail]"
    assert found.html == f'<p><a href="mailto:[e-mail]">Mail</a> [phone] <img src="{page}"></p>'
    assert found.markdown == f"[Mail](mailto:[e-mail]) <[e-mail]> [phone] ![]({page})"
    assert found.comments[0].author == "[e-mail]"
    assert (found.comments[0].text, found.comments[0].html) == ("[phone]", "<p>[phone]</p>")
