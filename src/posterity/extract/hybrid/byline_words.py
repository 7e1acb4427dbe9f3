"""The words around names in bylines: what introduces an author, joins names, and follows them, in many languages."""

from __future__ import annotations

import re

_BY = (
    r"by|von|par|por|di|door|av|af|przez|durch|från|fra|от|od|írta|kirjoittanut|από(?: τ(?:ον|ην|η))?|(?:đăng )?bởi|"
    r"بواسطة|بقلم|توسط|מאת|על ידי|โดย"
)
_DONE = (
    r"(?:this (?:post|article) was )?(?:written|posted|published|authored|created|submitted|contributed|started)|"
    r"reported|story|words|post|article|ver[öo]ffentlicht|geschrieben|verfasst|erstellt|eingestellt|gepostet|"
    r"(?:ein |eine )?(?:gast)?(?:beitrag|artikel|kolumne|kommentar|analyse)|publi[ée]e?|[ée]crit|r[ée]dig[ée]|post[ée]|"
    r"publicado|escrito|enviado|scritto|pubblicato|geschreven|geplaatst|skrevet|napisa[łl]|"
    r"(?:zeige )?alle (?:beitr[äa]ge|artikel)|(?:view )?all posts|more (?:posts|articles)?|(?:weitere|mehr) artikel|"
    r"text(?: und fotos?)?"
)
_LABEL = (
    r"(?:about the |post )?authors?|autor(?:en|in|es|a|e)?|auteurs?|writers?|text|interview|byline|автор|作者|著者|"
    r"記者|投稿者|文|글쓴이|작성자|기자|yazan|yazar|forfatter|författare|skribent|kirjoittaja|szerző|συντάκτης|tác giả|"
    r"الكاتب|نویسنده|ผู้เขียน|über den autor"
)
# What may stand before the names.
LEAD = re.compile(
    rf"^\W*(?:(?:{_LABEL})\W+)?(?:(?:{_DONE})\s+)?(?:{_BY})\b[\s:]*(?=\S)|^\W*(?:{_LABEL})\s*[:：/-]\s*(?=\S)|"
    # Alone, "da" may begin a name.
    r"^\W*(?:scritto|pubblicato|postato|inserito|inviato) da\s+(?=\S)|"
    rf"^(?:{_LABEL})\s+(?=[A-ZÄÖÜ])",
    re.IGNORECASE,
)
ONLY_LEAD = re.compile(rf"^\W*(?:(?:(?:{_DONE})\s+)?(?:{_BY})|{_LABEL}|{_DONE})\W*$", re.IGNORECASE)
LEAD_INSIDE = re.compile(r"\b(?:(?:posted|written|published) by|by:|von:)\s+", re.IGNORECASE)
# What stands between the parts of a byline: names, dates, sections.
BETWEEN = re.compile(r"\s*[|•·»→‧∙]+\s*|\s+(?:[-–—~/]|//)+\s+|\s{3,}")
# "Jun 4" and "Fri 13": a day without its year, not a name with a number.
DAY = re.compile(r"^\W*\w{3,9}\.?,?\s+\d{1,2}(?:st|nd|rd|th)?\b[\s,.]*")
_WEEKDAY = (
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|sonnabend|"
    r"(?:lun|mar|mercre|jeu|vendre|same)di|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo"
)
# What goes on after the names.
TAIL = re.compile(
    rf"\s+(?:on|am|le|el)\s+(?i:{_WEEKDAY})\b.*$|"
    # The next sentence, but for what is shortened: "Dr. Ada M. Lovelace".
    r"(?<!\b[A-ZÄÖÜ])(?<!\b[DMSJ]r)(?<!\bMs)(?<!\bSt)(?<!\bMrs)(?<!\bProf)\.\s+\S.*$|"
    r"\s+(?:on|am|at|le|el|vom|um|il|den|under|in|unter|alle(?: ore)?|a las|às|à)\s*$|"
    r"\s+(?:says|said|sagt|schreibt|wrote|"
    r"illustration|fotos?|photos?|photography|updated|published|posted|veröffentlicht|"
    r"aktualisiert|last|follow|view|in|"
    r"for the|for|aus|from|is|ist)\b.*$|\s+(?:发布于|发布时间|发表于|發表於|时间|日期|分类|分類|投稿日)\s*[:：]?.*$|"
    r"\s+@\w+.*$|[\s,(]+\d.*$|\s*<.*$"
)
JOINT = re.compile(
    r"\s+im gespräch mit\s+|\s*[,;；、]\s*(?:(?:and|und|et|y|e|&)\s+)?|"
    r""
    r"\s+(?:and|und|et|y|e|och|og|en|i|и|&|\+|mit|with)\s+",
    re.IGNORECASE,
)
# People whom a byline names for something else.
NOT_AUTHOR = re.compile(
    r"\b(?:reviewed|edited|updated|checked|translated|photos?|photography|illustrat\w+|foto\w*|bild|sponsored|powered|"
    r"licen[cs]e\w*|lizenz\w*|licencia|licença|creative commons|cc[ -]by[\w -]*|all rights)\b|©|фото",
    re.IGNORECASE,
)
ROLE = re.compile(
    r"\b(?:editors?|reporters?|experts?|founders?|co-?founders?|correspondent|contribut\w+|journalist\w*|specialist|"
    r"manager|director|redakteur\w*|expert(?:e|in)|ceo|cto|cmo|ph\.?d|m\.?d|rn|rd|ms|mba|cpa|esq|professor|analyst|"
    r"strategist|associate|president|engineer|developer|consultant|coach|attorney|officer|freelance\w*|blogger|head of|"
    r"chief|marketing|copywriter|content|writer)\b\.?",
    re.IGNORECASE,
)
ORGANISATION = re.compile(
    r"\b(?:gmbh|ag|inc|ltd|llc|co|corp|e\.?v|team|redaktion|news\w*|magazin\w*|presse\w*|verlag|press|media|medien|times|"
    r"post|journal|zeitung|blog|universit\w+|institut\w*|college|school|church|kirche|verband|verein|stiftung|foundation|"
    r"association|group|studio|shop|store|online|tv|radio|deutschland|germany|austria|international|services?|solutions?|"
    r"company|agentur|agency|center|centre|society|museum|university|bank|club|staff)\b",
    re.IGNORECASE,
)
# Words of menus, labels and headlines, which nobody has in a name.
MENU_WORD = re.compile(
    r"\b(?:about|account|all|authori[sz]ed|best|bio|books?|contact|cookies?|disclosure|for|free|full|get|"
    r"guide|help|how|in|info\w*|join|latest|learn|log|more|my|new|our|policy|privacy|products?|profil\w*|publisher|read|"
    r"request|review|search|see|share|shop|sign|the|this|to|top|up|user|view|with|your|"
    r"alle|artikel|beitr\w+|bild|datenschutz|ein|eine|für|impressum|kommentar\w*|kontakt|mehr|neue\w*|über|und|weitere\w*|"
    r"ayuda|contacto|más|mi|salir|sobre|accueil|nous|votre|chi|siamo)\b",
    re.IGNORECASE,
)
# What links and labels beside a byline say, by letters and digits.
NO_NAME = frozenset(
    (
        "author authors autor autoren autores auteur auteurs theauthor abouttheauthor by von par share "
        "follow readmore more subscribe home about "
        "contact reply edit permalink comments comment leaveacomment unknown anonymous anonym anonimo gast guest "
        "none null undefined viewprofile viewblog viewallposts allposts readfullbio profile loading news blog "
        "login register signup signin anmelden abmelden registrieren print email facebook twitter instagram "
        "linkedin youtube tiktok diaspora name website menu search views posted published updated learnmore "
        "getaquote save people team stand like uhr findall joinnow superuser publisher user webmaster"
    ).split()
)
