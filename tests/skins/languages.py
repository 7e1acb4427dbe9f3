"""The languages of the gallery: words, names, tags, and the labels that skins put around a post.

The lists of everyday words are original. Texts need not make sense, but need the letters, word lengths and function
words of their language.
"""

from __future__ import annotations

import msgspec

LABELS = (
    "home", "about", "archive", "tags", "comments", "reply", "share", "more", "older", "newer", "by", "related",
    "subscribe",
)  # fmt: skip


class Language(msgspec.Struct, frozen=True, kw_only=True):
    """One language. Every field is a list in one string."""

    words: str
    little: str
    names: str
    tags: str
    blog: str
    labels: str
    # Chinese and Japanese write no spaces between words.
    gap: str = " "
    comma: str = ","
    stop: str = "."

    def labelled(self) -> dict[str, str]:
        """Return the labels of the interface by meaning."""
        return dict(zip(LABELS, self.labels.split("|"), strict=True))


LANGUAGES: dict[str, Language] = {
    "en": Language(
        words="harbour window kettle garden morning letter bridge ladder copper winter market river pencil engine "
        "shadow island weather lantern recipe meadow station archive pocket silver corner evening machine orchard "
        "quiet narrow patient broken careful walked noticed painted carried remembered borrowed finished opened",
        little="the a of and to in was that it for on with as but from we had not this by",
        names="Martha Quill|Tom Ashdown|Priya Venkat",
        tags="kitchen|travel notes|books|old machines|music",
        blog="The Tin Lantern",
        labels="Home|About|Archive|Tags|Comments|Leave a reply|Share this|Read more|Older posts|Newer posts|by"
        "|You may also like|Subscribe",
    ),
    "de": Language(
        words="Hafen Fenster Garten Morgen Brief Brücke Leiter Kupfer Winter Markt Fluss Bleistift Motor Schatten "
        "Insel Wetter Laterne Rezept Wiese Bahnhof Tasche Silber Ecke Abend Werkstatt Küche Straße Wolke Gewürz "
        "leise schmal geduldig kaputt sorgfältig ging bemerkte malte trug erinnerte lieh öffnete",
        little="der die das und ist in zu den mit von auf für nicht ein eine auch wir es sich war",
        names="Jürgen Voss|Anke Lindner|Mia Öztürk",
        tags="Küche|Reisen|Bücher|Technik|Musik",
        blog="Kleine Randnotizen",
        labels="Startseite|Über mich|Archiv|Schlagwörter|Kommentare|Schreibe einen Kommentar|Teilen|Weiterlesen"
        "|Ältere Beiträge|Neuere Beiträge|von|Das könnte dich auch interessieren|Abonnieren",
    ),
    "fr": Language(
        words="port fenêtre jardin matin lettre pont échelle cuivre hiver marché rivière crayon moteur ombre île "
        "orage lanterne recette prairie gare poche argent coin soirée atelier cuisine rue nuage épice tranquille "
        "étroit patient cassé soigneux marchait remarqua peignait portait empruntait ouvrait terminait",
        little="le la les de des et est en un une que pour dans sur pas nous il ce qui avec",
        names="Élodie Marchand|Luc Fabre|Inès Caron",
        tags="cuisine|voyage|lecture|jardin|musique",
        blog="Le carnet d'hiver",
        labels="Accueil|À propos|Archives|Étiquettes|Commentaires|Laisser un commentaire|Partager|Lire la suite"
        "|Articles plus anciens|Articles plus récents|par|À lire aussi|S'abonner",
    ),
    "es": Language(
        words="puerto ventana jardín mañana carta puente escalera cobre invierno mercado río lápiz motor sombra "
        "isla tiempo farol receta prado estación bolsillo plata esquina tarde taller cocina calle nube especia "
        "tranquilo estrecho paciente roto cuidadoso caminaba notó pintaba llevaba recordaba abría terminaba",
        little="el la de y que en un una los se del las por con no para es como más pero",
        names="Lucía Ortega|Pablo Reyes|Nuria Gil",
        tags="cocina|viajes|libros|redes|música",
        blog="La mesa larga",
        labels="Inicio|Acerca de|Archivo|Etiquetas|Comentarios|Publicar un comentario|Compartir|Leer más"
        "|Entradas antiguas|Entradas más recientes|por|También te puede gustar|Suscribirse",
    ),
    "pl": Language(
        words="port okno ogród poranek list most drabina miedź zima targ rzeka ołówek silnik cień wyspa pogoda "
        "latarnia przepis łąka dworzec kieszeń srebro kąt wieczór warsztat kuchnia ulica chmura przyprawa cichy "
        "wąski cierpliwy zepsuty ostrożny szedł zauważył malował niósł pamiętał otworzył skończył",
        little="i w na z do się nie to jest że o jak ale po od przez tak już tylko był",
        names="Zofia Wrona|Jan Kłos|Ewa Żak",
        tags="książki|podróże|muzyka|kuchnia",
        blog="Cichy zeszyt",
        labels="Strona główna|O mnie|Archiwum|Tagi|Komentarze|Dodaj komentarz|Udostępnij|Czytaj więcej|Starsze wpisy"
        "|Nowsze wpisy|autor:|Zobacz też|Subskrybuj",
    ),
    "cs": Language(
        words="přístav okno zahrada ráno dopis most žebřík měď zima trh řeka tužka motor stín ostrov počasí lucerna "
        "recept louka nádraží kapsa stříbro kout večer dílna kuchyně ulice mrak koření tichý úzký trpělivý rozbitý "
        "pečlivý šel všiml maloval nesl vzpomínal otevřel dokončil",
        little="a v na se že je to s z do i o jak ale po za bylo už jen tak",
        names="Jana Dvořáková|Petr Malý|Eva Horká",
        tags="vaření|knihy|cesty|hudba",
        blog="Tichý zápisník",
        labels="Domů|O mně|Archiv|Štítky|Komentáře|Napsat komentář|Sdílet|Číst dál|Starší příspěvky"
        "|Novější příspěvky|autor|Mohlo by vás zajímat|Odebírat",
    ),
    "el": Language(
        words="λιμάνι παράθυρο κήπος πρωί γράμμα γέφυρα σκάλα χαλκός χειμώνας αγορά ποτάμι μολύβι μηχανή σκιά νησί "
        "καιρός φανάρι συνταγή λιβάδι σταθμός τσέπη ασήμι γωνία βράδυ εργαστήρι κουζίνα δρόμος σύννεφο ήσυχος "
        "στενός υπομονετικός σπασμένος περπάτησε πρόσεξε ζωγράφισε κουβάλησε θυμήθηκε άνοιξε τελείωσε",
        little="και το να του η της με που την από είναι στο για δεν μας ήταν",
        names="Ελένη Παππά|Νίκος Ρήγας|Άννα Λάμπρου",
        tags="βιβλία|ταξίδια|μουσική|κουζίνα",
        blog="Μικρό τετράδιο",
        labels="Αρχική|Σχετικά|Αρχείο|Ετικέτες|Σχόλια|Αφήστε μια απάντηση|Κοινοποίηση|Διαβάστε περισσότερα"
        "|Παλαιότερα άρθρα|Νεότερα άρθρα|από|Διαβάστε επίσης|Εγγραφή",
    ),
    "fi": Language(
        words="satama ikkuna puutarha aamu kirje silta tikkaat kupari talvi tori joki kynä moottori varjo saari sää "
        "lyhty resepti niitty asema tasku hopea kulma ilta verstas keittiö katu pilvi mauste hiljainen kapea "
        "kärsivällinen rikki huolellinen käveli huomasi maalasi kantoi muisti avasi lopetti",
        little="ja on ei se että oli kun niin mutta myös sen kuin vain jo me hän",
        names="Aino Järvinen|Timo Salo|Leena Koski",
        tags="kirjat|matkat|ruoka|musiikki",
        blog="Pieni vihko",
        labels="Etusivu|Tietoja|Arkisto|Avainsanat|Kommentit|Vastaa|Jaa|Lue lisää|Vanhemmat artikkelit"
        "|Uudemmat artikkelit|kirjoittanut|Lue myös|Tilaa",
    ),
    "hu": Language(
        words="kikötő ablak kert reggel levél híd létra réz tél piac folyó ceruza motor árnyék sziget időjárás "
        "lámpás recept rét állomás zseb ezüst sarok este műhely konyha utca felhő fűszer csendes keskeny türelmes "
        "törött gondos sétált észrevett festett vitt emlékezett kinyitott befejezett",
        little="a az és hogy nem is egy van meg de ez volt csak már mint el",
        names="Kovács Réka|Nagy Bence|Szabó Lili",
        tags="könyvek|utazás|zene|konyha",
        blog="Kék füzet",
        labels="Kezdőlap|Rólam|Archívum|Címkék|Hozzászólások|Szólj hozzá|Megosztás|Tovább|Régebbi bejegyzések"
        "|Újabb bejegyzések|írta|Ez is érdekelhet|Feliratkozás",
    ),
    "ru": Language(
        words="гавань окно сад утро письмо мост лестница медь зима рынок река карандаш мотор тень остров погода "
        "фонарь рецепт луг вокзал карман серебро угол вечер мастерская кухня улица облако тихий узкий терпеливый "
        "сломанный бережный шёл заметил рисовал нёс вспомнил открыл закончил",
        little="и в не на что с как это по но из у мы за от был для так уже",
        names="Анна Соколова|Игорь Лебедев|Мария Котова",
        tags="книги|город|музыка|кухня",
        blog="Тихая улица",
        labels="Главная|О блоге|Архив|Метки|Комментарии|Оставить комментарий|Поделиться|Читать далее|Старые записи"
        "|Новые записи|автор|Читайте также|Подписаться",
    ),
    "ar": Language(
        words="ميناء نافذة حديقة صباح رسالة جسر سلم نحاس شتاء سوق نهر قلم محرك ظل جزيرة طقس فانوس وصفة مرج محطة جيب "
        "فضة زاوية مساء ورشة مطبخ شارع سحابة هادئ ضيق صبور مكسور مشى لاحظ رسم حمل تذكر فتح أنهى",
        little="في من على أن إلى هذا كان مع التي ما لا عن ثم قد بعد",
        names="ليلى حداد|سامر نجار|هدى منصور",
        tags="كتب|سفر|طبخ|موسيقى",
        blog="دفتر المساء",
        labels="الرئيسية|حول المدونة|الأرشيف|الوسوم|التعليقات|اترك تعليقا|شارك|اقرأ المزيد|تدوينات أقدم|تدوينات أحدث"
        "|بواسطة|قد يعجبك أيضا|اشترك",
        comma="،",
    ),
    "he": Language(
        words="נמל חלון גינה בוקר מכתב גשר סולם נחושת חורף שוק נהר עיפרון מנוע צל אי פנס מתכון אחו תחנה כיס כסף "
        "פינה ערב סדנה מטבח רחוב ענן שקט צר סבלני שבור זהיר הלך שמע צייר נשא נזכר פתח סיים",
        little="של את על הוא לא זה אני עם כי אבל גם היה רק כל אז",
        names="נועה לוי|דן כהן|מיכל ברק",
        tags="ספרים|מסעות|בישול|מוזיקה",
        blog="מחברת הערב",
        labels="דף הבית|אודות|ארכיון|תגיות|תגובות|כתיבת תגובה|שתפו|המשך קריאה|רשומות ישנות|רשומות חדשות|מאת"
        "|אולי יעניין אותך|הרשמה",
    ),
    "th": Language(
        words="ท่าเรือ หน้าต่าง สวน เช้า จดหมาย สะพาน บันได ทองแดง ฤดูหนาว ตลาด แม่น้ำ ดินสอ เครื่องยนต์ เงา เกาะ "
        "อากาศ โคมไฟ สูตรอาหาร ทุ่งหญ้า สถานี กระเป๋า เงิน มุม เย็น ห้องครัว ถนน เมฆ เงียบ แคบ อดทน เดิน สังเกต "
        "วาดภาพ จำได้ เปิด เสร็จ",
        little="และ ที่ ใน ของ เป็น ไม่ มี ได้ ว่า ก็ แต่ กับ",
        names="สมชาย ใจดี|มาลี แสงทอง|กิตติ พงษ์ไทย",
        tags="หนังสือ|ท่องเที่ยว|ดนตรี|อาหาร",
        blog="สมุดริมหน้าต่าง",
        labels="หน้าแรก|เกี่ยวกับ|คลังบทความ|ป้ายกำกับ|ความคิดเห็น|แสดงความคิดเห็น|แชร์|อ่านต่อ|บทความเก่ากว่า"
        "|บทความใหม่กว่า|โดย|บทความที่เกี่ยวข้อง|ติดตาม",
        stop="",
    ),
    "ko": Language(
        words="항구 창문 정원 아침 편지 다리 사다리 구리 겨울 시장 강물 연필 기계 그림자 섬 날씨 등불 요리법 풀밭 "
        "정거장 주머니 은빛 모퉁이 저녁 작업실 부엌 골목 구름 조용한 좁은 오래된 부서진 걸었다 보았다 그렸다 들었다 "
        "기억했다 열었다 마쳤다",
        little="그리고 그 이 저 또 더 그러나 아주 때문에 우리는 나는 다시",
        names="김민서|이준호|박수아",
        tags="요리|여행|독서|음악",
        blog="창가의 기록",
        labels="홈|소개|글 목록|태그|댓글|댓글 남기기|공유하기|더 보기|이전 글|다음 글|글쓴이|관련 글|구독",
    ),
    "ja": Language(
        words="港 窓 庭 朝 手紙 橋 はしご 銅 冬 市場 川 鉛筆 エンジン 影 島 天気 ランタン レシピ 草原 駅 ポケット "
        "銀 角 夕方 工房 台所 通り 雲 静かな 狭い 古い 壊れた 歩いた 気づいた 描いた 運んだ 思い出した 開けた 終えた",
        little="は が を に の と で も から まで です この その",
        names="佐藤 花子|田中 健一|鈴木 遥",
        tags="料理|旅行|読書|音楽",
        blog="窓辺の記録",
        labels="ホーム|このブログについて|記事一覧|タグ|コメント|コメントを書く|シェアする|続きを読む|前の記事"
        "|次の記事|著者|関連記事|購読する",
        gap="",
        comma="、",
        stop="。",
    ),
    "zh": Language(
        words="港口 窗户 花园 早晨 信件 桥梁 梯子 铜器 冬天 市场 河流 铅笔 发动机 影子 岛屿 天气 灯笼 食谱 草地 "
        "车站 口袋 银色 角落 傍晚 工坊 厨房 街道 云朵 安静 狭窄 耐心 破旧 走过 注意到 描绘 带着 想起 打开 完成",
        little="的 了 在 是 和 有 不 我们 也 就 都 把",
        names="林晓雨|王建国|陈静",
        tags="读书|旅行|音乐|编程",
        blog="窗边笔记",
        labels="首页|关于|归档|标签|评论|发表评论|分享|阅读全文|上一篇|下一篇|作者|相关文章|订阅",
        gap="",
        comma=",",
        stop="。",
    ),
    "vi": Language(
        words="bến cảng cửa sổ khu vườn buổi sáng lá thư cây cầu cái thang mùa đông phiên chợ dòng sông bút chì "
        "động cơ chiếc bóng hòn đảo thời tiết đèn lồng công thức đồng cỏ nhà ga túi áo góc phố xưởng gian bếp đám "
        "mây yên tĩnh chật hẹp kiên nhẫn bước đi nhận ra vẽ mang nhớ lại mở hoàn thành",
        little="và là của có không được trong cho một này với những đã nhưng",
        names="Trần Thu Hà|Lê Minh Quân|Phạm An Nhiên",
        tags="sách|du lịch|âm nhạc|nấu ăn",
        blog="Sổ tay nhỏ",
        labels="Trang chủ|Giới thiệu|Lưu trữ|Thẻ|Bình luận|Để lại bình luận|Chia sẻ|Đọc tiếp|Bài cũ hơn|Bài mới hơn"
        "|bởi|Có thể bạn thích|Đăng ký",
    ),
}
