"""Names in bylines, without the words around them."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.extraction.bylines import (
    has_given_name,
    heading_text,
    is_byline,
    is_dated_byline,
    is_person,
    is_short_for,
    joined_byline,
    names_beside_date,
    names_in,
    opens_byline,
)


@pytest.mark.parametrize(
    ("byline", "names"),
    [
        ("By Ada Lovelace", ("Ada Lovelace",)),
        ("Posted by Ada Lovelace on March 3, 2021", ("Ada Lovelace",)),
        ("Posted by Ada Lovelace on Wednesday, June 6, 2012 at 04:22 PM in", ("Ada Lovelace",)),
        ("Written by Ada Lovelace. Contact", ("Ada Lovelace",)),
        ("By Dr. Ada M. Lovelace", ("Dr. Ada M. Lovelace",)),
        ("Geschrieben von Ada Lovelace am Mittwoch, 6. Juni 2012", ("Ada Lovelace",)),
        ("Veröffentlicht von Ada Lovelace am 3. März 2021", ("Ada Lovelace",)),
        ("作者：林晓 发布于：2012-3-4 12:13 分类：生活", ("林晓",)),
        ("View all of Ada Lovelace's posts.", ("Ada Lovelace",)),
        ("Posts by Ada Lovelace", ("Ada Lovelace",)),
        ("Alle Beiträge von Ada Lovelace anzeigen", ("Ada Lovelace",)),
        ("Voir toutes les publications de Ada Lovelace", ("Ada Lovelace",)),
        ("Ver todas las entradas de Ada Lovelace", ("Ada Lovelace",)),
        ("Visualizza tutti gli articoli di Ada Lovelace", ("Ada Lovelace",)),
        ("Ver todos os posts de Ada Lovelace", ("Ada Lovelace",)),
        ("Alle berichten van Ada Lovelace bekijken", ("Ada Lovelace",)),
        ("Author archive", ()),
        ("by林晓", ("林晓",)),
        ("文／林晓 · 2020-03-04", ("林晓",)),
        ("由 林晓 发表于 2012-3-4", ("林晓",)),
        ("投稿者: 林晓 日時: 2005年11月25日 17:42", ("林晓",)),
        ("Опубликовал Иван Петров 3 мая 2012", ("Иван Петров",)),
        ("Publicado por Inés Soler en 10:30", ("Inés Soler",)),
        ("10:30 am ET by Ada Lovelace", ("Ada Lovelace",)),
        ("May 3, 2021 10:00 AM ET by Ada Lovelace", ("Ada Lovelace",)),
        ("Guest post by Ada Lovelace (@ada)", ("Ada Lovelace",)),
        ("Ada Lovelace's Picture", ("Ada Lovelace",)),
        ("Ada Lovelace’s profile picture", ("Ada Lovelace",)),
        ("By Ada Lovelace, Reuters, London", ("Ada Lovelace", "Reuters")),
        ("By Ada Lovelace, Jack London", ("Ada Lovelace", "Jack London")),
        ("김하늘 객원기자", ("김하늘",)),
        ("김하늘 인턴 기자", ("김하늘",)),
        ("김하늘 (기자)", ("김하늘",)),
        ("Posted by on", ()),
        ("No Comments", ()),
        ("安言 发布 2021-08-31", ("安言",)),
        ("View author archive", ()),
        ("6 years ago", ()),
        ("Size", ()),
        ("Pubblicato da Ada Lovelace alle 12:23 in", ("Ada Lovelace",)),
        ("Da Ponte", ("Da Ponte",)),
        ("par Ada Lovelace", ("Ada Lovelace",)),
        ("Автор: Ада Лавлейс", ("Ада Лавлейс",)),
        ("Автор А.К. Лавлейс", ("А.К. Лавлейс",)),
        ("作者 林晓", ("林晓",)),
        ("Afiliación", ()),
        ("Affiliations", ()),
        ("Afficher mon profil complet", ()),
        ("Дата публикации январь 2009", ()),
        ("Fecha de publicación enero de 2009", ()),
        ("بواسطة ليلى حداد", ("ليلى حداد",)),
        ("מאת נועה לוי", ("נועה לוי",)),
        ("από την Ελένη Παππά", ("Ελένη Παππά",)),
        ("από Ελένη Παππά, Πέμπτη 25 Ιουνίου 2009", ("Ελένη Παππά",)),
        ("by Ada Lovelace, Thursday 25 June 2009", ("Ada Lovelace",)),
        ("Írta: Kovács Réka", ("Kovács Réka",)),
        ("kirjoittanut Aino Järvinen", ("Aino Järvinen",)),
        ("bởi Trần Thu Hà", ("Trần Thu Hà",)),
        ("โดย สมชาย ใจดี", ("สมชาย ใจดี",)),
        ("Ada Lovelace and Charles Babbage", ("Ada Lovelace", "Charles Babbage")),
        ("Ada Lovelace, Charles Babbage und Mary Somerville", ("Ada Lovelace", "Charles Babbage", "Mary Somerville")),
        ("Ada Lovelace, Staff Writer", ("Ada Lovelace",)),
        ("Ada Lovelace im Gespräch mit Charles Babbage", ("Ada Lovelace", "Charles Babbage")),
        ("© Agency/Charles Babbage", ()),
        ("Ada Lovelace | Senior Writer | July 2, 2025", ("Ada Lovelace",)),
        ("Jan 10 | Written By Ada Lovelace", ("Ada Lovelace",)),
        ("Posted by Ada at 3 pm", ("Ada",)),
        ("Loïc Le Clerc", ("Loïc Le Clerc",)),
        ("Ada Lovelace @adalovelace", ("Ada Lovelace",)),
        ("ada@example.org", ()),
        ("By", ()),
        ("Share", ()),
        ("Published June", ()),
        ("Posted Ada", ()),
        ("Published by Ada", ("Ada",)),
        ("Reviewed by Charles Babbage", ()),
        ("This is how we came to live by the sea. It was a long way and a hard one!", ()),
        ("By Ada Lovelace For Tides.Example", ("Ada Lovelace",)),
        ("Recipe by Ada Lovelace", ("Ada Lovelace",)),
        ("Ada Lovelace@ada", ("Ada Lovelace",)),
        (
            "Ada Lovelace, who teaches the history of mathematics at the school of this town, tides.example",
            ("Ada Lovelace",),
        ),
        ("Ada Lovelace/AP", ("Ada Lovelace",)),
        ("Ada Lovelace/Charles Babbage", ("Ada Lovelace", "Charles Babbage")),
        ("Ada Lovelace And Charles Babbage For The Harbour Post", ("Ada Lovelace", "Charles Babbage")),
        ("By Staff Writer", ()),
        ("Ада Лавлейс, корреспондент", ("Ада Лавлейс",)),
        ("Ada Lovelace, giornalista", ("Ada Lovelace",)),
        ("Autorin: Ada Lovelace, Leiterin des Instituts in diesem Hafen.", ("Ada Lovelace",)),
        ("Autorin/Autor: Ada Lovelace", ("Ada Lovelace",)),
        ("Ada LovelaceAda Lovelace", ("Ada Lovelace",)),
        ("Tekst: Ada Lovelace", ("Ada Lovelace",)),
        ("Oleh Ada Lovelace", ("Ada Lovelace",)),
        ("김하늘 기자", ("김하늘",)),
        ("글 김하늘 선임기자", ("김하늘",)),
        ("김하늘 기자, 이바다 특파원", ("김하늘", "이바다")),
        ("김하늘 기자 외 1명", ("김하늘",)),
        ("김하늘·이바다 기자", ("김하늘", "이바다")),
        ("青木花子記者", ("青木花子",)),
        ("青木花子 特派員", ("青木花子",)),
        ("記者林曉／臺北報導", ("林曉",)),
        ("本报记者 林晓", ("林晓",)),
        ("林晓 编辑", ("林晓",)),
        ("記者会見", ("記者会見",)),
    ],
)
def test_names_come_without_what_stands_around_them(byline: str, names: tuple[str, ...]) -> None:
    assert names_in(byline, "en") == names


def test_name_that_stands_twice_is_given_once() -> None:
    assert names_in("Ada Lovelace and ada lovelace") == ("Ada Lovelace",)


def test_bylines_are_known_by_how_they_begin() -> None:
    assert opens_byline("von Ada")
    assert not opens_byline("Vonnegut, Kurt")


def test_sentence_around_a_name_is_no_person() -> None:
    assert not is_person("介绍 Ada Lovelace 的笔记")


def test_firms_are_no_people() -> None:
    assert is_person("Ada Lovelace")
    assert not is_person("Lovelace Media")
    assert not is_person("Harbour Women's Weekly")
    assert not is_person("Ada")


@pytest.mark.parametrize(
    ("name", "told"), [("Charles Babbage", True), ("Dr. Mary Somerville", True), ("Contact Us", False)]
)
def test_given_name_tells_a_person_from_a_menu_entry(name: str, told: bool) -> None:
    assert has_given_name(name) is told


@pytest.mark.parametrize("byline", ["11.12.2019 - Amelie Lovelace", "06.11.2023 13:30 von Amelie Lovelace"])
def test_date_whose_day_and_month_could_be_exchanged_is_cut_out_once(byline: str) -> None:
    assert names_in(byline, "de") == ("Amelie Lovelace",)


@pytest.mark.parametrize(
    ("lead", "behind", "names"),
    [
        ("Posted", "by Ada Lovelace", ("Ada Lovelace",)),
        ("Written by", "Ada Lovelace", ("Ada Lovelace",)),
        ("Author", "Ada Lovelace", ("Ada Lovelace",)),
        ("All posts", "Home", ()),
        ("Post", "Hello world.", ()),
        ("Published", "Ada Lovelace", ()),
    ],
)
def test_names_follow_a_lead_that_says_by_whom(lead: str, behind: str, names: tuple[str, ...]) -> None:
    assert names_in(joined_byline(lead, behind), "en") == names


@pytest.mark.parametrize("short", ["ada", "Lovelace", "al", "A.L.", "adalovelace", "alovelace", "adal"])
def test_abbreviation_is_short_for_a_name(short: str) -> None:
    assert is_short_for(short, "Ada Lovelace")


@pytest.mark.parametrize(
    ("short", "name"), [("charles", "Ada Lovelace"), ("Ada Lovelace", "Ada Lovelace"), ("ada", "Ada"), ("", "Ada L")]
)
def test_other_name_is_not_short_for_a_name(short: str, name: str) -> None:
    assert not is_short_for(short, name)


@pytest.mark.parametrize(
    "heading",
    [
        "Salt and wind <small>12 March 2021</small>",
        "<span class=date>2021-03-12</span> Salt and wind",
        "Salt and wind<br><span>Friday, March 12, 2021</span>",
        "<a href=/salt/>Salt and wind</a> <time datetime=2021-03-12>12.3.</time>",
    ],
)
def test_title_is_without_the_date_set_apart_in_its_heading(heading: str) -> None:
    assert heading_text(parse(f"<h1>{heading}</h1>").tree, 0) == "Salt and wind"


@pytest.mark.parametrize("heading", ["<span>2021-03-12</span>", "What <i>12 March 2021</i> was like", "12 March 2021"])
def test_date_that_is_the_title_or_in_the_middle_of_it_stays(heading: str) -> None:
    tree = parse(f"<h1>{heading}</h1>").tree
    assert heading_text(tree, 0) == " ".join(tree.plain(0).split())


@pytest.mark.parametrize(
    ("line", "names"),
    [
        ("2024-05-06 · Grace Hopper", ("Grace Hopper",)),
        ("Grace Hopper | · | May 6, 2024 | · | 4 min read", ("Grace Hopper",)),
        ("Grace Hopper • Charles Babbage • May 6, 2024", ("Grace Hopper", "Charles Babbage")),
        ("May 6, 2024 | Grace Hopper & Charles Babbage | 327 words", ("Grace Hopper", "Charles Babbage")),
        ("Boats · May 6, 2024 · Grace Hopper", ("Grace Hopper",)),
        ("May 6, 2024 · Deep Learning", ()),
        ("May 6, 2024 · Boats · Grace Hopper", ()),
        ("Grace Hopper · 4 min read", ()),
        ("— Grace Hopper, 6 May 1843", ()),
    ],
)
def test_people_beside_a_date(line: str, names: tuple[str, ...]) -> None:
    assert names_beside_date(line, "en") == names


@pytest.mark.parametrize(
    ("line", "is_byline"),
    [
        ("3 May 2021 · Ada Lovelace · 9 words", True),
        ("27 décembre 2023 - 1 minutes - 11 mots", True),
        ("3 May 2021 - Anna Ferry", True),
        ("3 May 2021 - Lisbon revisited", False),
        ("— Anna Ferry, 6 May 2010", False),
        ("9 words", False),
    ],
)
def test_date_with_nothing_but_a_name_and_counts_is_a_dated_byline(line: str, is_byline: bool) -> None:
    assert is_dated_byline(line) is is_byline


def test_byline_alone_names_people_and_nothing_else() -> None:
    assert is_byline("By Ada Lovelace")
    assert is_byline("Par Élodie Marchand")
    assert not is_byline("By the end of the year, most had left")
    assert not is_byline("Ada Lovelace")


@pytest.mark.parametrize(
    ("heading", "title"),
    [(".: Salt and wind ::", "Salt and wind"), ("« Salt »", "Salt"), ("- Salt", "- Salt"), (":: ::", ":: ::")],
)
def test_ornaments_around_a_heading_are_no_part_of_it(heading: str, title: str) -> None:
    assert heading_text(parse(f"<h1>{heading}</h1>").tree, 0) == title
