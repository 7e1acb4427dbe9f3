"""A word of any language finds the sentence that contains it, on both databases, and is highlighted there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from sqlalchemy import text

from posterity.archive import Archive, open_archive
from posterity.archive.opening import migrate_archive
from posterity.errors import UsageError
from posterity.model import Post

if TYPE_CHECKING:
    from collections.abc import Iterator

# Language, sentence, query, and the highlighted part of the sentence.
SENTENCES = (
    ("am", "ዛሬ ጠዋት ቡና ጠጣሁ።", "ቡና", "ቡና"),
    ("ar", "تحدثنا عن الأنواع المختلفة من الخبز.", "أنواع", "الأنواع"),
    ("bg", "Вчера купихме пресен хляб от пазара.", "ХЛЯБ", "хляб"),
    ("bn", "আজ সকালে নদীর ধারে হাঁটলাম।", "সকালে", "সকালে"),
    ("ca", "La cançó parlava del vent i de la mar.", "canco", "cançó"),
    ("cs", "Příští týden pojedeme do hor.", "pristi", "Příští"),
    ("da", "Vi spiste rugbrød på øen hele sommeren.", "øen", "øen"),
    ("de", "Die Straße zum Hafen war gesperrt.", "strasse", "Straße"),
    ("el", "Η Αθήνα το καλοκαίρι έχει πολλή ζέστη.", "ΑΘΗΝΑ", "Αθήνα"),
    ("en", "The naïve gardener planted tulips in July.", "naive", "naïve"),
    ("es", "Mañana plantaremos tomates en el jardín.", "manana", "Mañana"),
    ("et", "Õhtul istusime järve ääres.", "jarve", "järve"),
    ("fa", "هر روز کتاب تازه‌ای می‌خوانم.", "كتاب", "کتاب"),
    ("fi", "Söimme mökillä savustettua kalaa.", "mökillä", "mökillä"),
    ("fr", "L'été dernier, nous avons traversé la forêt.", "foret", "forêt"),
    ("gu", "ગઈકાલે ખૂબ વરસાદ પડ્યો.", "વરસાદ", "વરસાદ"),
    ("he", "קראתי אתמול את הַסֵּפֶר החדש.", "ספר", "הַסֵּפֶר"),
    ("hi", "मैंने पुस्तकालय से नई किताबें लीं।", "किताबें", "किताबें"),
    ("hu", "Tegnap megjött a várva várt könyv.", "konyv", "könyv"),
    ("hy", "Այսօր գարնան առաջին օրն է։", "ԳԱՐՆԱՆ", "գարնան"),
    ("id", "Kami memasak nasi goreng untuk tetangga.", "goreng", "goreng"),
    ("is", "Það var þoka yfir firðinum í morgun.", "þoka", "þoka"),
    ("ja", "昨日は図書館でデータベースの本を借りました。", "図書館", "図書館"),
    ("ka", "დღეს მთაში თოვლი მოვიდა.", "თოვლი", "თოვლი"),
    ("km", "ខ្ញុំចូលចិត្តអានសៀវភៅនៅពេលល្ងាច។", "សៀវភៅ", "សៀវភៅ"),
    ("ko", "지난주에 모은 데이터를 다시 살펴보았다.", "데이터", "데이터"),
    ("lo", "ມື້ນີ້ຂ້ອຍໄປຕະຫຼາດຊື້ເຂົ້າ", "ຕະຫຼາດ", "ຕະຫຼາດ"),
    ("lt", "Rytoj važiuosime prie jūros.", "juros", "jūros"),
    ("my", "ကျွန်တော် မနေ့က စာအုပ်ဝယ်ခဲ့တယ်။", "စာအုပ်", "စာအုပ်"),
    ("nl", "De geïnteresseerde lezers bleven lang.", "geinteresseerde", "geïnteresseerde"),
    ("pl", "Wczoraj w Łodzi padał śnieg.", "lodzi", "Łodzi"),
    ("pt", "O pão de queijo ainda estava quente.", "pao", "pão"),
    ("ro", "În oraș s-a deschis o librărie nouă.", "oras", "oraș"),
    ("ru", "Дом, который мы построили, ещё стоит.", "КОТОРЫЙ еще", "который"),
    ("sv", "Vi åkte båt genom skärgården.", "skargarden", "skärgården"),
    ("sw", "Watoto walicheza mpira ufukweni jioni.", "ufukweni", "ufukweni"),
    ("ta", "நேற்று புதிய நூல் ஒன்று வாங்கினேன்.", "நூல்", "நூல்"),
    ("th", "เมื่อวานฉันซื้อหนังสือใหม่ที่ตลาดน้ำ", "หนังสือ", "หนังสือ"),
    ("tr", "ISPARTA'DA güller erken açtı.", "ısparta", "ISPARTA"),
    ("uk", "П’ять років тому ми їздили до Києва.", "п'ять", "П’ять"),
    ("ur", "آج صبح بازار سے تازہ پھل لائے۔", "بازار", "بازار"),
    ("vi", "Hôm qua tôi đọc một cuốn sách rất hay.", "cuon sach", "cuốn"),
    ("zh", "我昨天在图书馆借了一本关于数据的书。", "数据", "数据"),
)
IDS = [language for language, *_ in SENTENCES]
POSTS = [
    Post(id=language, url=f"https://a.example/{language}", text=sentence, language=language)
    for language, sentence, *_ in SENTENCES
]


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def filled(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Archive]:
    """An archive with all sentences."""
    folder = tmp_path_factory.mktemp("languages")
    location = str(folder / "archive")
    if request.param == "postgresql":
        location = f"{request.getfixturevalue('postgres')}?files={folder / 'files'}"
    with open_archive(location, create=True) as archive:
        archive.put_posts(POSTS)
        yield archive


@pytest.mark.parametrize(("language", "sentence", "query", "marked"), SENTENCES, ids=IDS)
def test_a_word_finds_its_sentence(filled: Archive, language: str, sentence: str, query: str, marked: str) -> None:
    (hit,) = filled.search(query)
    assert hit.post_id == language
    assert f"[{marked}]" in hit.snippet.marked("[", "]")
    assert hit.snippet.text == sentence


@pytest.mark.parametrize(("language", "sentence"), [row[:2] for row in SENTENCES], ids=IDS)
def test_a_sentence_is_found_as_a_phrase(filled: Archive, language: str, sentence: str) -> None:
    assert [hit.post_id for hit in filled.search(f'"{sentence}"')] == [language]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("forêt", ["fr"]),
        ("forét", []),
        ("fôret*", []),
        ("forê*", ["fr"]),
        ("tulips -naïve", []),
        ("tulips -naïf", ["en"]),
    ],
)
def test_accents_that_are_typed_must_be_there(filled: Archive, query: str, found: list[str]) -> None:
    assert [hit.post_id for hit in filled.search(query)] == found


@pytest.mark.parametrize(("query"), ["터데", "館書図", "สือหนัง", "ताबें"])
def test_the_order_of_characters_matters(filled: Archive, query: str) -> None:
    assert filled.search(query) == []


# In Arabic and Hebrew, "and", "in", "to", "like", "from", "that" and the article are prefixes of the next word.
PREFIXED = (
    ("קראתי בספר על הים", "ספר", "בספר"),
    ("הלכנו לשוק ולים", "שוק", "לשוק"),
    ("חזרנו מטיול ארוך", "טיול", "מטיול"),
    ("אמרו שגשם יירד מחר", "גשם", "שגשם"),
    ("הוא חזק כברזל", "ברזל", "כברזל"),
    ("לחם וחמאה", "חמאה", "וחמאה"),
    ("היד כואבת", "יד", "היד"),
    ("קנינו מחברת", "במחברת", "מחברת"),
    ("הגענו לירושלים", "ומירושלים", ""),
    ("سافرنا بقطار سريع", "قطار", "بقطار"),
    ("هدية لصديق قديم", "صديق", "لصديق"),
    ("وصلنا فمدينة أخرى", "مدينة", "فمدينة"),
    ("رجل كجبل", "جبل", "كجبل"),
    ("شاي وقهوة", "قهوة", "وقهوة"),
    ("اليد الواحدة", "يد", "اليد"),
    ("هذه شجرة كبيرة", "بشجرة", "شجرة"),
    ("في الحديقة", "وبحديقة", "الحديقة"),
)


@pytest.mark.parametrize(("sentence", "query", "marked"), PREFIXED)
def test_prefixes_of_arabic_and_hebrew_are_forgiven_both_ways(
    archive: Archive, sentence: str, query: str, marked: str
) -> None:
    archive.put_post(Post(id="x", url="https://a.example/x", text=sentence))
    found = [hit.snippet.marked("[", "]") for hit in archive.search(query)]
    assert found == ([sentence.replace(marked, f"[{marked}]")] if marked else [])
    assert archive.facets(query).hits == len(found)


def test_first_letters_that_are_no_prefix_stay(archive: Archive) -> None:
    texts = ["هذا كتاب", "كتاب آخر", "تاب الرجل", "مكان بعيد"]
    archive.put_posts(Post(id=str(n), url=f"https://a.example/{n}", text=text) for n, text in enumerate(texts))
    assert sorted(hit.post_id for hit in archive.search("كتاب")) == ["0", "1"]
    assert archive.search("مكان -كان")[0].post_id == "3"


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("tulpis", "tulips"),
        ("gardner tulips", "gardener tulips"),
        ("tulipps -naïf lang:en", "tulips -naïf lang:en"),
        ('"planted tulisp"', '"planted tulips"'),
        ("author:x tulpis", None),
        ("forét", "forêt"),
        ("geintereseerden", "geïnteresseerde"),
        ("skär", "skär*"),
        ("котарый", "который"),
        ("καλοκέρι", "καλοκαίρι"),
        ("গকাল", None),
        ("ספרר", "ספר"),
        ("مختلفه", None),
        ("გარნანი", None),
        ("გთოვლი", "თოვლი"),
        ("qqqqqqq", None),
        ("데이토", None),
        ("gesperrt lang:fr", None),
        ("gespert blog:nobody", None),
    ],
)
def test_a_query_without_hits_is_corrected(filled: Archive, typed: str, meant: str | None) -> None:
    assert filled.did_you_mean(typed) == meant
    assert meant is None or filled.search(meant)


def test_filters_can_not_be_excluded(filled: Archive) -> None:
    with pytest.raises(UsageError, match="cannot be excluded"):
        filled.search("tulips -lang:en")


def test_an_index_of_version_3_is_made_anew(location: str) -> None:
    with open_archive(location, create=True) as archive:
        archive.put_posts(POSTS)
    make_version_3(location)
    done = migrate_archive(location)
    assert done.from_version == 3
    with open_archive(location) as archive:
        assert [hit.post_id for hit in archive.search("데이터")] == ["ko"]
        archive.put_post(Post(id="ko", url="https://a.example/ko", text="다른 글"))
        assert archive.search("데이터") == []


def make_version_3(location: str) -> None:
    """Give the archive the index of version 3."""
    with open_archive(location) as archive, archive.database.writing() as connection:
        if archive.database.is_sqlite:
            connection.execute(text("DROP TABLE search_index"))
            connection.execute(
                text(
                    "CREATE VIRTUAL TABLE search_index USING fts5("
                    """title, body, author, tags, content='', tokenize = "unicode61 remove_diacritics 2")"""
                )
            )
        else:
            connection.execute(text("UPDATE search_entries SET words = NULL"))
        connection.execute(text("UPDATE facts SET value = '3' WHERE name = 'version'"))
