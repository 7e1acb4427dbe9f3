"""The language of a text overrides the page's declaration if that is certainly wrong."""

from __future__ import annotations

import pytest

from posterity.text.language import contradicting_language

ENGLISH = (
    "Last week we walked along the river to the old mill, and on the way back it began to rain. The miller had told "
    "us that this would happen, but we did not believe him because the sky was so clear in the morning."
)
GERMAN = (
    "Letzte Woche sind wir am Fluss entlang zur alten Mühle gegangen, und auf dem Rückweg begann es zu regnen. Der "
    "Müller hatte uns davor gewarnt, aber wir haben ihm nicht geglaubt, weil der Himmel am Morgen so klar war."
)
KOREAN = (
    "지난주에 우리는 강을 따라 오래된 방앗간까지 걸어갔고 돌아오는 길에 비가 내리기 시작했다. 방앗간 주인은 비가 올 "
    "것이라고 말해 주었지만 아침 하늘이 너무 맑아서 우리는 그 말을 믿지 않았다. 집에 돌아와서 따뜻한 차를 마셨다. "
    "다음에는 우산을 꼭 가지고 나가야겠다고 생각했다. 그래도 즐거운 하루였다."
)
RUSSIAN = (
    "На прошлой неделе мы шли вдоль реки к старой мельнице, и на обратном пути начался дождь. Мельник предупреждал "
    "нас об этом, но мы ему не поверили, потому что утром небо было совсем ясным."
)


@pytest.mark.parametrize(
    ("text", "declared", "language"),
    [(KOREAN, "en", "ko"), (KOREAN, "en-US", "ko"), (GERMAN, "en", "de"), (RUSSIAN, "de", "ru"), (ENGLISH, "ru", "en")],
)
def test_a_wrong_declaration_is_overruled(text: str, declared: str, language: str) -> None:
    found = contradicting_language(text, declared)
    assert found is not None
    assert found.language == language
    assert found.confidence >= 0.9


@pytest.mark.parametrize(
    ("text", "declared"),
    [
        (ENGLISH, "en"),
        (ENGLISH, "en-GB"),
        (GERMAN, "de-AT"),
        (KOREAN, "ko"),
        (RUSSIAN, "ru"),
        (KOREAN[:40], "en"),
        ("", "en"),
        (RUSSIAN[:60] + " while true; do read the line and print it; done" * 6, "ru"),
        ("def f(x): return [y for y in x if y]\n" * 9, "en"),
    ],
)
def test_a_declaration_that_may_be_right_stays(text: str, declared: str) -> None:
    assert contradicting_language(text, declared) is None
