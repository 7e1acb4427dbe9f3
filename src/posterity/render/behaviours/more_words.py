"""How "show more comments" is said in 20 languages, as words rather than sentences.

A button asks for the rest when one of its words says so ("more", "older", "hidden", "replies") and no other word says
anything else: "Show 3 more comments" does, "Read more" and "More about me" do not. A single word without a number is
no request. Languages that write without spaces are matched by the whole saying.
"""

# By language: words that ask for the rest, then words that may stand beside them.
_WORDS = {
    "en": ("more older previous hidden remaining earlier replies reply all expand",
           "show load view see display fetch comments comment posts post responses response answers the of results"),
    "de": ("mehr weitere ältere vorherige versteckte antworten antwort alle",
           "zeigen anzeigen laden ansehen einblenden nachladen kommentare kommentar beiträge beitrag die der"),
    "fr": ("plus autres anciens précédents suivants réponses réponse tous masqués davantage",
           "afficher voir charger de d les des commentaires commentaire articles billets la le"),
    "es": ("más anteriores antiguos respuestas respuesta todos ocultos restantes",
           "mostrar ver cargar los las comentarios comentario entradas publicaciones de"),
    "pt": ("mais anteriores antigos respostas resposta todos ocultos",
           "mostrar ver carregar exibir os as comentários comentário postagens publicações de"),
    "it": ("altri altre più precedenti risposte risposta tutti nascosti",
           "mostra vedi carica visualizza i le commenti commento post articoli di"),
    "nl": ("meer oudere vorige reacties antwoorden alle verborgen",
           "toon laad bekijk weergeven laden tonen berichten opmerkingen de"),
    "sv": ("fler mer äldre tidigare svar alla dolda", "visa ladda se kommentarer kommentar inlägg"),
    "da": ("flere mere ældre tidligere svar alle skjulte", "vis indlæs se kommentarer kommentar indlæg"),
    "no": ("flere mer eldre tidligere svar alle skjulte", "vis last inn se kommentarer kommentar innlegg"),
    "fi": ("lisää vanhemmat aiemmat vastaukset vastausta kaikki", "näytä lataa kommentteja kommentit kommenttia"),
    "pl": ("więcej starsze poprzednie odpowiedzi odpowiedź wszystkie ukryte",
           "pokaż załaduj zobacz wyświetl komentarze komentarzy wpisy wpisów"),
    "cs": ("více další starší předchozí odpovědi všechny skryté",
           "zobrazit načíst ukázat komentáře komentářů příspěvky"),
    "hu": ("több további régebbi korábbi válaszok válasz összes",
           "mutass betöltése megjelenítése hozzászólás hozzászólások"),
    "ro": ("mai multe vechi anterioare răspunsuri toate", "arată încarcă vezi afișează comentarii comentariile"),
    "ru": ("ещё еще больше старые предыдущие ответы ответов ответ все скрытые",
           "показать загрузить посмотреть комментарии комментариев комментарий записи записей"),
    "uk": ("ще більше старіші попередні відповіді всі", "показати завантажити переглянути коментарі коментарів записи"),
    "el": ("περισσότερα παλαιότερα προηγούμενα απαντήσεις όλα", "εμφάνιση φόρτωση προβολή σχόλια σχολίων αναρτήσεις"),
    "tr": ("daha fazla eski önceki yanıtları yanıt tüm gizli", "göster yükle gör yorum yorumları yorumlar gönderi"),
    "ar": ("المزيد أقدم السابقة الردود كل", "عرض تحميل إظهار من التعليقات تعليقات"),
    "he": ("עוד נוספות ישנות קודמות תשובות כל", "הצג טען הראה תגובות"),
}  # fmt: skip
# Said as one, in scripts without spaces between words.
SAYINGS = (
    r"^(?:もっと(?:見る|読み込む|表示)|さらに(?:表示|読み込む|見る)|(?:以前|過去|古い)の(?:コメント|投稿)|(?:返信|コメント)を(?:もっと)?(?:\d+件)?(?:表示|見る|読み込む)|"
    r"(?:他|残り)の(?:返信|コメント).*|(?:加载|載入|显示|顯示|查看|展开|展開)(?:更多|全部|剩余).{0,6}|更多(?:评论|評論|回复|回覆|留言)?|(?:查看|展开|展開).{0,4}(?:回复|回覆|条回复)|"
    r"더\s?(?:보기|불러오기)|(?:댓글|답글|이전 댓글).{0,6}(?:보기|더보기|더 보기|불러오기)|"
    r"ดู(?:เพิ่มเติม|ความคิดเห็น.*|การตอบกลับ.*)|โหลดเพิ่ม.*)$"
)

ASKING = frozenset(word for asking, _ in _WORDS.values() for word in asking.split())
BESIDE = frozenset(word for _, beside in _WORDS.values() for word in beside.split())
