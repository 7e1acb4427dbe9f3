"""Comments for the engines' threads in several languages, and engines with their language."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from tests.unit.extraction.comment_engines import Engine, Said

WHEN = (
    datetime(2012, 5, 3, 9, 41, tzinfo=UTC),
    datetime(2012, 5, 3, 10, 2, tzinfo=UTC),
    datetime(2012, 5, 4, 18, 30, tzinfo=UTC),
    datetime(2012, 5, 13, 22, 5, tzinfo=UTC),
    datetime(2012, 5, 21, 7, 15, tzinfo=UTC),
)


def _said(*comments: tuple[str, str] | tuple[str, str, str]) -> tuple[Said, ...]:
    depth, parent = (0, 1, 2, 0, 0), (None, 4101, 4102, None, None)
    return tuple(
        Said(
            4101 + place,
            author,
            WHEN[place],
            tuple(words),
            depth[place],
            parent[place],
            f"http://reader{place}.example/" if place != 1 else "",
        )
        for place, (author, *words) in enumerate(comments)
    )


VOICES: dict[str, tuple[Said, ...]] = {
    "en": _said(
        ("seagull77", "I grew up there, and you are right about the smell."),
        ("Martha Quill", "Agreed!"),
        (
            "seagull77",
            "Thanks Martha. Do you remember the ferry? It ran until 1974, then they sold it to somebody in Norway.",
            "My uncle was on it for thirty years and he never learned to swim, which he told to everyone who asked.",
        ),
        ("J. P. Okafor", "What instrument did you use?"),
        ("Tomás", "Nice post, I have linked to it from my own page on lighthouses."),
    ),
    "fr": _said(
        ("Hélène", "Merci pour ce billet, j'ai appris quelque chose."),
        ("Jean-Luc M.", "Moi aussi, mais je me demande d'où viennent les chiffres du tableau."),
        (
            "Hélène",
            "De la capitainerie, je crois. Ils sont affichés à l'entrée du port depuis des années.",
            "On peut aussi les demander par téléphone le matin.",
        ),
        ("kerlouan29", "Bravo"),
        ("Odile", "Chez nous en Bretagne c'est la même chose, la mer n'attend personne."),
    ),
    "de": _said(
        ("Friederike", "Schöner Text, vielen Dank dafür."),
        ("Uwe K.", "Dem schließe ich mich an. Nur die Zeichnung kann ich am Telefon nicht lesen."),
        ("Marta", "Ich stelle sie heute Abend noch einmal größer ein.", "Wer nicht warten mag, kann mir schreiben."),
        ("möwe", "Bei uns in Husum geht es genauso."),
        ("Friederike", "Danke!"),
    ),
    "zh": _said(
        ("海边的人", "写得真好，学到了很多。"),
        ("老王", "同意楼上的看法，我小时候也住在港口旁边。"),
        ("海边的人", "那时候的渡船还在吗？我记得七十年代就停了。", "后来听说卖给了挪威人。"),
        ("小鱼", "沙发"),
        ("Tomas", "转载到我的博客了，谢谢分享。"),
    ),
    "ja": _said(
        ("かもめ", "はじめまして。とても面白く読ませていただきました。"),
        ("さくら", "私も同じことを思っていました！"),
        ("管理人", "コメントありがとうございます。図は来週また載せますね。", "よろしくお願いします。"),
        ("通りすがり", "勉強になります。"),
        ("港町太郎", "満月の日は確かに違いますよね。うちの港でもそうです。"),
    ),
    "ko": _said(
        ("바다사람", "좋은 글 잘 읽고 갑니다."),
        ("김민수", "저도 어릴 때 항구 근처에 살았는데 정말 그랬어요."),
        ("바다사람", "그 배는 아직도 다니나요? 칠십년대까지 다녔다고 들었습니다.", "그 후에 팔렸다고 하더군요."),
        ("갈매기", "감사합니다^^"),
        ("등대지기", "보름달이 뜨는 날에는 확실히 다르더라고요."),
    ),
    "ru": _said(
        ("Чайка", "Спасибо, очень интересно было прочитать."),
        ("Николай Петров", "А какой прибор вы использовали? У нас в порту такого нет."),
        ("Чайка", "Обычный, с сайта гидрометцентра. Показания снимала каждый час.", "Таблицу могу прислать."),
        ("morjak", "+1"),
        ("Ольга", "У нас на Белом море всё то же самое, только холоднее."),
    ),
    "hu": _said(
        ("sirály", "Nagyon jó írás, köszönöm!"),
        ("Kovács Pál", "Egyetértek, bár a rajzot nem lehet rendesen elolvasni."),
        ("sirály", "Szerintem majd felteszi nagyobban is, ha lesz ideje.", "Addig türelem."),
        ("tengerész", "Nálunk a Balatonon nincs ilyen gond."),
        ("Ilona", "Szép napot mindenkinek."),
    ),
    "pt": _said(
        ("Gaivota", "Gostei muito do texto, parabéns."),
        ("João da Silva", "Concordo, mas a tabela deste ano está errada outra vez."),
        ("Gaivota", "Já escrevi para a capitania e ninguém me respondeu.", "Vou escrever outra vez na segunda-feira."),
        ("Zé", "Boa!"),
        ("Conceição", "Na minha terra é a mesma coisa quando a lua está cheia."),
    ),
    "es": _said(
        ("Gaviota", "Muy buen artículo, gracias por compartirlo."),
        ("Íñigo Ruiz", "¿De dónde salen los datos de la tabla? No los encuentro."),
        ("Gaviota", "De la capitanía del puerto, creo. Los cuelgan cada mes.", "También se pueden pedir por correo."),
        ("Pilar", "Saludos desde Cádiz."),
        ("marinero", "En mi pueblo pasa lo mismo con la luna llena."),
    ),
    "fa": _said(
        ("مرغ دریایی", "خیلی جالب بود، ممنون از شما."),
        ("علی رضایی", "من هم در بندر بزرگ شده‌ام و همین طور بود."),
        ("مرغ دریایی", "آن کشتی هنوز هست؟ شنیده‌ام که فروخته شد.", "پدرم سی سال روی آن کار کرد."),
        ("دریا", "عالی"),
        ("سارا", "لطفا باز هم بنویسید."),
    ),
    "it": _said(
        ("Gabbiano", "Complimenti per l'articolo, molto interessante."),
        ("Anna Rossi", "Concordo, però la tabella di quest'anno è sbagliata."),
        ("Gabbiano", "L'ho scritto anche alla capitaneria, ma nessuno ha risposto.", "Proverò a telefonare lunedì."),
        ("pescatore", "Ciao a tutti"),
        ("Lucia", "Anche da noi con la luna piena succede lo stesso."),
    ),
}


class Thread(NamedTuple):
    """An engine and the language of its comments."""

    language: str
    engine: Engine
