"""Pages that show more of themselves to whoever scrolls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom import parse

if TYPE_CHECKING:
    from tests.e2e.render.conftest import Draw

ENDLESS = """<p>First.</p><div id=list></div><div id=end>end</div><script>
let count = 0;
new IntersectionObserver(async seen => {
    if (!seen[0].isIntersecting || count >= %d) return;
    await fetch('data/1'); count++;
    list.insertAdjacentHTML('beforeend', `<p style="height:3000px">Piece ${count}</p>`);
}).observe(end)</script>"""


def test_page_that_grows_when_its_end_is_seen_is_scrolled_until_it_grows_no_more(draw: Draw) -> None:
    page = draw(ENDLESS % 5, data_1="{}")
    assert parse(page.html).count("p[style]") == 5
    assert "scroll" in page.actions


def test_endless_page_ends_all_the_same(draw: Draw) -> None:
    page = draw(ENDLESS % 100_000, data_1="{}")
    assert 5 < parse(page.html).count("p[style]") < 200


def test_what_waits_in_the_middle_of_a_long_page_is_seen_too(draw: Draw) -> None:
    page = draw(
        "<p style='height:9000px'>Long.</p><div id=late></div><p style='height:9000px'>Long.</p><script>"
        "new IntersectionObserver(seen => seen[0].isIntersecting && (late.textContent = 'Seen.')).observe(late)"
        "</script>"
    )
    assert "Seen." in page.html


def test_short_static_page_is_left_as_it_is(draw: Draw) -> None:
    assert draw("<p>Short.</p>").actions == "nothing to do"
