"""The language of a post whose page does not declare it."""

from __future__ import annotations

import pytest

from posterity.export.clean_up import with_language
from posterity.extraction.selection import Selection
from posterity.model import Post, Provenance
from posterity.text.language import detect_language, same_language

TEXTS = {
    "en": "The tide came in over the flats while we were still looking for the boat we had left there.",
    "de": "Das Wasser kam über das Watt, während wir noch nach dem Boot suchten, das wir dort gelassen hatten.",
    "fr": "La marée montait sur les bancs de sable pendant que nous cherchions encore notre bateau.",
    "ru": "Вода поднималась над отмелью, пока мы всё ещё искали лодку, которую оставили там.",
    "ja": "私たちがそこに残したボートをまだ探している間に、潮が満ちてきました。",
    "zh": "我們還在尋找留在那裡的船時，潮水已經漲上來了，天色也慢慢暗了下來。",
    "ar": "كان المد يرتفع فوق المسطحات بينما كنا لا نزال نبحث عن القارب الذي تركناه هناك.",
}


@pytest.mark.parametrize("language", TEXTS)
def test_language_of_a_paragraph(language: str) -> None:
    found = detect_language(TEXTS[language])
    assert found is not None
    assert found.language == language
    assert 0.5 <= found.confidence <= 1


def test_addresses_in_the_text_do_not_count() -> None:
    address = "http://www.google.example/#hl=es&source=hp&biw=1276&bih=629&q=chicles+bazooka&aq=f&aqi=g10&aql=&oq=" * 3
    found = detect_language(f"Ayer por la tarde me compraron estos chicles en la tienda {address}")
    assert found is not None
    assert found.language == "es"


@pytest.mark.parametrize("text", ["", "x = 1; y = 2", "12.03.2021", "Hello."])
def test_too_little_text_has_no_language(text: str) -> None:
    assert detect_language(text) is None


def test_guess_says_that_it_is_one() -> None:
    kept = {"text": Provenance(method="feed", confidence=1.0)}
    found = with_language(Post(id="1", url="u", text=TEXTS["de"], provenance=kept), "missing")
    assert found.language == "de"
    assert found.provenance["language"].method == "language-id"
    assert found.provenance["text"] == kept["text"]


def test_declared_language_stays_unless_all_are_asked_for() -> None:
    post = Post(id="1", url="u", language="en", text=TEXTS["de"])
    assert with_language(post, "missing").language == "en"
    assert with_language(post, "all").language == "de"


def test_declaration_that_agrees_keeps_its_country() -> None:
    post = Post(id="1", url="u", language="de-AT", text=TEXTS["de"])
    assert with_language(post, "all") == post
    assert same_language("zh-TW", "yue")


def test_a_wrong_declaration_does_not_hide_a_post_from_a_selection() -> None:
    text = "На прошлой неделе мы шли вдоль реки к старой мельнице, и на обратном пути начался дождь. " * 2
    post = Post(id="1", url="u", language="en", text=text)
    assert Selection(languages=("ru",)).fits(post)
    assert not Selection(languages=("en",)).fits(post)
