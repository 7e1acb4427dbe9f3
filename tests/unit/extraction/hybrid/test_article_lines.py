"""Lines that themes add to posts get lower odds, sentences of authors do not."""

import numpy as np
import pytest

from posterity.dom import parse
from posterity.extraction.hybrid.adjustments import lower_theme_lines
from posterity.extraction.hybrid.blocks import BlockPage, Blocks, NameTable

POST = "<p>The ferry was late, so we sat on the wall and counted the boats.</p>"


def doubted(line: str, post: str = POST, likely: float = 0.8) -> bool:
    page = BlockPage(Blocks(parse(f"<html><body><p>{line}</p>{post}</body></html>").tree, NameTable({})))
    chances = np.full(len(page.blocks), likely, np.float32)
    lower_theme_lines(page, chances)
    return float(chances[0]) < 0.3


@pytest.mark.parametrize(
    "line",
    [
        "This entry was posted on Thursday, May 6th, 2010 at 9:15 and is filed under Boats.",
        "Posted by Anna at 9:15 PM",
        "You can follow any responses to this entry through the RSS 2.0 feed.",
        "Both comments and pings are currently closed.",
        "Enjoyed this post? Subscribe and never miss the ferry.",
        "Sign up for our weekly newsletter",
        "Tags: boats, bread",
        "Veröffentlicht am 6. Mai 2010 von Anna",
        "Publié le 6 mai 2010",
        "Publicado en Barcos",
        "投稿日 2010年5月6日",
        "このエントリーのトラックバックURL:",
        "本文最后更新于：2 年前",
        "本文作者：李雷",
        "版权声明：本博客所有文章除特别声明外，均采用 CC BY-NC-SA 4.0 许可协议。",
        "上一篇：面包",
        "마지막 수정: 2010년 5월 6일",
        "Publicado em Barcos",
        "Zuletzt aktualisiert: gestern",
        "Запись опубликована в рубрике Лодки",
        "Thursday, May 6, 2010",
        "6 maja 2010, autor: Anna Nowak",
        "May 6, 2010 • Anna Ferry • 3 min read",
        "2010. május 6. - írta Kovács Anna",
        "<a href=1>« Bread</a> | <a href=2>Main</a> | <a href=3>Weather »</a>",
        "by <a href=1>Anna Ferry</a> in <a href=2>Boats and bread</a> Tags: <a href=3>nets</a>, <a href=4>ropes</a>",
        "Vous avez aimé cet article ? Alors partagez-le avec vos amis.",
        "Hat dir dieser Artikel gefallen? Dann teile ihn.",
        "¿Te ha gustado este artículo? Compártelo.",
        "Ti è piaciuto questo articolo? Condividilo.",
        "Gostou deste artigo? Compartilhe.",
        "Vond je dit artikel leuk? Deel het.",
        "You can use these tags: abbr, blockquote, cite",
        "This site uses cookies to count its readers.",
        "We need your consent to load this video.",
        "This content is hosted by a third party. Accept its terms to see it.",
        "This article contains content provided by Pub. We ask for your permission before anything is loaded.",
        "Externer Inhalt nicht verfügbar",
        "An dieser Stelle finden Sie einen externen Inhalt von Pub.",
        "Ich bin damit einverstanden, dass mir der externe Inhalt angezeigt wird.",
        "Mit dem Laden des Videos akzeptieren Sie die Datenschutzerklärung von Pub.",
        "Pour afficher ce contenu, vous devez accepter les cookies.",
        "Para ver este contenido, acepta las cookies.",
        "Per visualizzare questo contenuto accetta i cookie.",
        "Om deze inhoud te tonen hebben we je toestemming nodig.",
    ],
)
def test_a_line_of_the_theme_is_doubted(line: str) -> None:
    assert doubted(line)


@pytest.mark.parametrize(
    "line",
    [
        "An dieser Stelle finden Sie einen externen Inhalt von Pub, der von der Redaktion empfohlen wird.",
        "Empfohlener redaktioneller Inhalt",
        "Melden Sie sich für unseren Newsletter an, und lesen Sie jeden Morgen vom Hafen.",
        "En cliquant sur « J'accepte », vous pourrez voir la vidéo.",
        "Om deze inhoud te kunnen zien moet je cookies accepteren.",
        "Sign up for our free daily newsletter for the latest from the harbour.",
        "Get the latest from the harbour delivered straight to your inbox every morning.",
        "By signing up you agree to our terms.",
        "Story continues below advertisement",
    ],
)
def test_line_that_sites_insert_is_never_text(line: str) -> None:
    assert doubted(line, likely=0.999)
    assert not doubted(line, post="")


@pytest.mark.parametrize(
    "line",
    [
        "Jetzt testen wir das Boot.",
        "Recibe un correo de su hermana.",
        "Mit der Anmeldung kam er zu spät.",
        "Get the boat to the quay.",
        "By signing up for the ferry she saved a week.",
        "I posted the letter on Thursday.",
        "« Il pleut », dit-elle, et elle rit.",
        "Enjoyed this so much that I bought the boat.",
        "Vous avez aimé cet article de 1912, et moi aussi.",
        "The old tags: we cut them off the nets and <a href=1>kept them</a>.",
        "We used cookies to lure the gulls.",
        "Related: what the harbour looked like before.",
        "下一篇文章里我们再看看那条船。",
        "本文由浅入深地介绍了这个港口。",
        "Last updated tables of the tides were never found.",
        "On May 6, 2010 the boat came in.",
        "Posted by the gate were two guards, " + "who had been told to let nobody in. " * 10,
        "We need your help to load the ferry.",
        "To view the harbour, climb the hill.",
        "Mit dem Laden der Kisten war er um neun fertig.",
        "May 6, 2010 • Anna Ferry • A hundred boats and more",
        "— Anna Ferry, 6 May 2010",
    ],
)
def test_a_sentence_is_not(line: str) -> None:
    assert not doubted(line)


def test_days_of_a_diary_are_its_headings() -> None:
    days = "".join(f"<p>May {day}, 2010</p>" for day in (6, 7, 8))
    page = BlockPage(Blocks(parse(f"<html><body>{days}</body></html>").tree, NameTable({})))
    likely = np.full(3, 0.8, np.float32)
    lower_theme_lines(page, likely)
    assert likely.min() > 0.7


def test_a_day_with_nothing_beside_it_is_the_best_there_is() -> None:
    assert not doubted("Thursday, May 6, 2010", post="")
    assert not doubted("Thursday, May 6, 2010", post="<p>Tweet</p>")


def test_line_behind_the_text_is_doubted_however_likely_it_was() -> None:
    line = "<p>You can follow any responses to this entry through the RSS 2.0 feed.</p>"
    for html, is_left in ((POST + line, False), (POST + line + POST, True)):
        page = BlockPage(Blocks(parse(f"<html><body>{html}</body></html>").tree, NameTable({})))
        likely = np.full(len(page.blocks), 0.98, np.float32)
        lower_theme_lines(page, likely)
        assert (float(likely[1]) > 0.5) is is_left


def test_trackback_url_behind_the_text_is_doubted() -> None:
    line = "<p>TrackBack URL for this entry:<br>http://blog.example/mt-tb.cgi/12</p>"
    page = BlockPage(Blocks(parse(f"<html><body>{POST}{line}</body></html>").tree, NameTable({})))
    likely = np.full(len(page.blocks), 0.9, np.float32)
    lower_theme_lines(page, likely)
    assert [float(number) > 0.5 for number in likely] == [True, False, False]
