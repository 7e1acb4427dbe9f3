"""Buttons that ask for the rest, in many languages and kinds; and those that only look like it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from posterity.dom import parse

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.e2e.render.conftest import Draw

# Each click shows five more, until there are 12; then the button goes.
GROWING = """<script>
for (const section of document.querySelectorAll('section')) {
    const list = section.querySelector('ul'), button = section.querySelector('.b');
    let shown = 0;
    button.addEventListener('click', async () => {
        await fetch('data/1');
        for (let k = 0; k < 5 && shown < 12; k++) { list.append(document.createElement('li')); shown++; }
        if (shown >= 12) button.remove();
    });
}
</script>"""
WORDS = (
    "Show more comments|Load more|View 12 more replies|5 Hidden|Older comments|Weitere Kommentare laden|Mehr anzeigen|"
    "Afficher plus de commentaires|Voir les 3 réponses|Mostrar más comentarios|Carregar mais comentários|"
    "Mostra altri commenti|Meer reacties laden|Visa fler kommentarer|Vis flere kommentarer|Näytä lisää kommentteja|"
    "Pokaż więcej komentarzy|Zobrazit další komentáře|További hozzászólások megjelenítése|Mai multe comentarii|"
    "Показать ещё 5 комментариев|Показати ще коментарі|Εμφάνιση περισσότερα σχόλια|Daha fazla yorum göster|"
    "عرض المزيد من التعليقات|הצג עוד תגובות|もっと見る|コメントをもっと見る|加载更多评论|댓글 더 보기"
).split("|")
OTHERS = "Read more|Reply|Antworten|More|Subscribe|More about me|Share|Previous|All rights reserved".split("|")


def grown(draw: Draw, buttons: Sequence[str]) -> dict[str, int]:
    """How many entries each button has brought."""
    body = "".join(f"<section><ul></ul>{button}</section>" for button in buttons)
    page = parse(draw(f"<p>Words.</p>{body}{GROWING}", data_1="{}").html)
    counts = [page.count(f"section:nth-of-type({place}) li") for place in range(1, len(buttons) + 1)]
    return dict(zip(buttons, counts, strict=True))


def test_button_is_known_by_its_words_in_twenty_languages(draw: Draw) -> None:
    buttons = [f"<button class=b>{words}</button>" for words in WORDS]
    assert grown(draw, buttons) == dict.fromkeys(buttons, 12)


def test_button_is_known_by_its_label_its_class_or_its_kind(draw: Draw) -> None:
    buttons = [
        '<div class=b role=button aria-label="Load more comments">+</div>',
        '<a class=b href="#">View all replies</a>',
        '<span class="b load-more">…</span>',
        '<a class="b see-more" href="/elsewhere">next</a>',
        '<input class=b type=button value="Show more">',
        '<div id="infinite-handle"><span><button class=b>Older posts</button></span></div>',
    ]
    assert grown(draw, buttons) == dict.fromkeys(buttons, 12)


def test_button_that_asks_for_something_else_is_not_clicked(draw: Draw) -> None:
    buttons = [f"<button class=b>{words}</button>" for words in OTHERS]
    assert grown(draw, buttons) == dict.fromkeys(buttons, 0)


def test_button_that_brings_nothing_is_not_clicked_again(draw: Draw) -> None:
    page = draw("<p id=count>0</p><button onclick='count.textContent = +count.textContent + 1'>Load more</button>")
    assert '<p id="count">1</p>' in page.html


def test_all_threads_of_a_page_are_opened_down_to_the_deepest(draw: Draw) -> None:
    thread = """<p>Words.</p><div id=root></div><script>
        function open(place, depth) {
            for (let k = 0; k < 3; k++) {
                const box = document.createElement('div'); box.className = 'entry'; box.textContent = 'Words ' + depth;
                place.append(box);
                if (depth < 3) { const b = document.createElement('button'); b.textContent = 'View 3 replies';
                    b.onclick = () => { b.remove(); open(box, depth + 1); }; box.append(b); }
            }
        }
        open(root, 1)</script>"""
    assert parse(draw(thread).html).count(".entry") == 3 + 9 + 27


def test_link_is_clicked_without_leaving_the_page(draw: Draw) -> None:
    page = draw('<p>Here.</p><a class="load-more" href="elsewhere">Load more</a>', elsewhere="<p>There.</p>")
    assert "Here." in page.html
    assert "There." not in page.html


def test_script_that_goes_elsewhere_on_a_click_is_brought_back(draw: Draw) -> None:
    page = draw("<p>Here.</p><button onclick=\"location='elsewhere'\">Load more</button>", elsewhere="<p>There.</p>")
    assert "Here." in page.html


def test_what_was_clicked_is_told(draw: Draw) -> None:
    page = draw(f"<p>Words.</p><section><ul></ul><button class=b>Load more</button></section>{GROWING}", data_1="{}")
    assert page.actions == "show more 3 (Load more)"


# What comes is shown long after the network and the document are quiet, as on a machine that is busy.
LATE = """<script>
const list = document.querySelector('ul'), button = document.querySelector('.b');
let shown = 0;
button.addEventListener('click', () => fetch('data/1').then(response => response.json()).then(() => new Promise(
    done => setTimeout(done, 600)
)).then(() => {
    for (let k = 0; k < 4; k++) { list.append(document.createElement('li')); shown++; }
    if (shown >= 12) button.remove();
}));
</script>"""


def test_what_a_click_has_begun_is_waited_for(draw: Draw) -> None:
    body = f"<p>Words.</p><ul></ul><button class=b>Show more comments</button>{LATE}"
    counts = {parse(draw(body, data_1="{}").html).count("li") for _ in range(3)}
    assert counts == {12}
