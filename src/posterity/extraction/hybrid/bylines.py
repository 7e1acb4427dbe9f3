"""The names in a byline: "Posted by Ada Lovelace and Charles Babbage, staff writers, on 3 May" names two people."""

from __future__ import annotations

import re
from functools import lru_cache

from posterity.extraction.hybrid.date_candidates import dates_in, may_date, start_of_day
from posterity.learning.fields import is_role
from posterity.text.normal_form import letters_and_digits, one_line

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


GIVEN_NAMES = frozenset(
    (
        "aaron adam adrian aidan alan albert alec alejandro aleksandr alessandro alex alexander alexandra alexandre "
        "alexei alexis alfonso alfred ali alice alicia alina alison allison alvaro amanda amber amelia amelie amina "
        "amir amit amy ana anastasia anders andre andrea andreas andrei andrej andres andrew andrey andy angela "
        "angelika angelina angelo anita anja anke ann anna annabel anne annette annika anthony antje antoine anton "
        "antonia antonio ariana ariel arjun armin arne arnold arthur arturo arvind asha ashley astrid axel "
        "barbara bart bastian beate beatrice beatriz becky ben benedict benedikt bengt benjamin benno bernard bernd "
        "bernhard bert beth bettina betty beverly bianca bill birgit bjorn björn bob bobby bogdan boris brad bradley "
        "brandon brenda brendan brent brett brian bridget brigitte britta brooke bruce bruno bryan burkhard caitlin "
        "callum cameron camila camilla candice carina carl carla carlo carlos carmen carol carole carolin caroline "
        "carolyn carsten casey cassandra cassidy catherine cathy cecilia celia celine cesar chantal charles charlie "
        "charlotte chase chelsea cheryl chiara chloe chris christa christian christiane christina christine christof "
        "christoph christophe christopher cindy claire clara clare clark claude claudia claudio claus clemens clément "
        "cody colin colleen conrad constanze cora cordula corey corinna cornelia cory courtney craig cristian "
        "cristina curtis cynthia dagmar damian damien dan dana daniel daniela daniele danielle danny daria dario "
        "darius darren dave david dawn dean debbie deborah debra declan deepak delia denis denise dennis derek diana "
        "diane didier diego dieter dimitri dirk dmitri dmitry dominic dominik dominique don donald donna dora doris "
        "dorothea dorothy doug douglas duncan dustin dylan ed eddie edgar edith eduard eduardo edward edwin eileen "
        "elaine eleanor elena elias elif elisa elisabeth elise eliza elizabeth elke ella ellen elliot emil emilia "
        "emilie emilio emily emma emmanuel enrico enrique eric erica erich erik erika erin ernest ernst erwin esther "
        "ethan eugen eugene eva evan eve evelyn fabian fabio fabrice fatima federico felicia felicitas felipe felix "
        "ferdinand fernanda fernando filip fiona florian floyd frances francesca francesco francis francisco franco "
        "francois frank franz franziska françois fred frederic frederick frederik friedrich fritz gabe gabi gabriel "
        "gabriela gabriele gabriella gail gareth gary gavin gemma gene geoff geoffrey georg george georgina gerald "
        "gerard gerd gerhard gianluca gilbert giles gina giorgio giovanni gisela giulia giuseppe glen glenn gloria "
        "gordon grace graham greg gregor gregory greta gudrun guido guillaume guillermo gunnar gustav guy götz günter "
        "günther hanna hannah hannes hans harald harold harry hartmut heather hector heidi heike heiko heiner "
        "heinrich heinz helen helena helene helga helmut hendrik henning henri henrik henry herbert hermann hilary "
        "hilda holger holly horst howard hubert hugh hugo hussein ian ibrahim igor ilona ilse ina ines inga ingo "
        "ingrid irene irina iris irma isaac isabel isabella isabelle ivan ivana ivo jack jackie jackson jacob "
        "jacqueline jacques jaime jake jakob james jamie jan jana jane janet janice janina janine jared jasmin "
        "jasmine jason javier jay jean jeanette jeanne jeff jeffrey jelena jen jenna jennifer jenny jens jeremy "
        "jerome jerry jesse jessica jessie jill jim jimmy jo joachim joan joana joann joanna joanne joaquin jochen "
        "joe joel joelle johan johann johanna johannes john johnny jon jonas jonathan jordan jordi jorg jorge jose "
        "josef josefine joseph josephine josh joshua josé joy joyce juan juana judith judy julia julian juliana "
        "juliane julie julien juliet juliette julio julius jurgen justin justine jutta jörg jörn jürgen kai kaitlin "
        "karen karin karina karl karla karolina karoline karsten katarina kate katharina katherine kathleen kathrin "
        "kathryn kathy katie katja katrin katy kay kayla keith kelly kelsey ken kenneth kenny kerry kerstin kevin "
        "khalid kim kimberly kira kirill kirk kirsten kirsty klara klaus knut konrad konstantin kristen "
        "kristian kristin kristina kristine krystal krzysztof kurt kyle lara larry lars laura lauren laurence laurent "
        "laurie lea leah leander lee leila lena leo leon leonard leonardo leonie lesley leslie levi lewis liam lidia "
        "lily lina linda lindsay lindsey linus lionel lisa livia liz logan lorena lorenz lorenzo loretta lori "
        "lorraine lothar louis louisa louise luc luca lucas lucia lucie lucy luis luisa luise lukas luke lutz lydia "
        "lynn madeleine madeline madison magdalena maggie mahmoud maja malcolm malte mandy manfred manoj manuel "
        "manuela mara marc marcel marcello marcia marco marcos marcus mareike margaret margarita margit margot maria "
        "mariah mariana marianne marie marilyn marina mario marion marisa marius marjorie mark marko markus marlene "
        "marlon marta martha martin martina marvin mary massimo mateo mathias mathieu mathilde matt matteo matthew "
        "matthias matthieu maureen maurice mauricio mauro max maximilian maya megan mehmet meike melanie melinda "
        "melissa meredith mia michael michaela michal micheal michel michele michelle mickey miguel mikael mike "
        "mikhail milan milena miles mindy minh miranda miriam mirjam mirko mitchell mohamed mohammad mohammed moira "
        "molly mona monica monika monique morgan moritz muhammad murat muriel myra nadia nadine nadja naomi natalia "
        "natalie natasha nathalie nathan nathaniel neal neil nele nelson nerea nicholas nick nicky nico nicola "
        "nicolas nicole niels nigel nikhil nikita nikki nikola nikolai nikolaus nils nina noah noel noelle nora "
        "norbert norma norman nuria olaf ole oleg olga olive oliver olivia olivier ollie omar oscar oskar otto owen "
        "pablo paige pam pamela paolo pascal pat patrice patricia patrick patrik paul paula paulina pauline paulo "
        "pavel pedro peggy penelope percy pete peter petra phil philip philipp philippe phillip phoebe "
        "phyllis pia pierce pierre pilar piotr polly prakash priya quentin rachael rachel rafael rainer raj rajesh "
        "ralf ralph ramon ramona randall randy raoul raphael raquel raul ravi ray raymond rebecca regina reiner "
        "reinhard remo renata renate rene rené reto rhonda ricardo riccardo richard rick ricky riley rita rob robert "
        "roberta roberto robin rodney rodrigo roger rohan roland rolf romain roman ron ronald ronja rory rosa rosalie "
        "rose rosemary rosie ross roxanne roy ruben rudi rudolf rupert russell ruth ryan sabine sabrina sally "
        "salvatore sam samantha samir samuel sandeep sandra sanjay sara sarah sascha sasha saskia scott sean "
        "sebastian selena serena serge sergei sergey sergio seth shane shannon sharon shaun shawn sheila "
        "shelley sherry shirley sibylle siegfried sigrid silke silvan silvia simon simona simone sina sofia sofie "
        "sonia sonja sophia sophie stacey stacy stan stanley stefan stefanie stefano steffen stella stephan stephane "
        "stephanie stephen steve steven stewart stuart sue sunil susan susanna susanne suzanne suzie sven svenja "
        "svetlana sylvia sylvie tamara tamsin tania tanja tanya tara tatiana tatjana taylor ted terence teresa teri "
        "terry tess tessa thea theo theodor theodore theresa therese thibault thierry thomas thorsten tiffany tilman "
        "tim timo timothy tina tobias toby todd tom tomas tomasz tommy toni tony torsten tracey tracy travis trevor "
        "tricia trish tristan tyler tyson udo ulf uli ulla ulrich ulrik ulrike umberto urs ursula uta ute uwe "
        "valentin valentina valeria valerie vanessa vera verena vernon veronica veronika veronique vicki vicky victor "
        "victoria vijay vikram viktor viktoria vincent vincenzo viola virginia vivian viviane vladimir volker wallace "
        "walter wanda warren wayne wendy wenzel werner wes wesley wiebke wilfried wilhelm will willem william willy "
        "wolfgang wout xavier ximena yan yana yann yannick yasmin yolanda yuan yuki yuri yusuf yves yvette yvonne "
        "zach zachary zane zara zoe александр алексей анастасия андрей анна антон артём борис валентина василий "
        "виктор владимир григорий дарья денис дмитрий евгений екатерина елена иван игорь ирина кирилл константин "
        "ксения людмила максим марина мария михаил наталия наталья николай олег ольга павел пётр роман светлана "
        "сергей татьяна юлия юрий "
    ).split()
)


_MAX_NAME = 60
_MAX_WORDS = 7
_MAX_BYLINE = 200
_NOT_IN_NAMES = re.compile(r"[.!?]\s+\w+\s+\w+\s+\w+|[!?…:=<>{}→]|https?|www\.|\.\.\.")
_SENTENCE = re.compile(r"(?:\S+\s+){6,}\S+[.!?]$")
_EMAIL = re.compile(r"\S+@\S+\.\S+|\S+\[at\]\S+")
_LETTER = re.compile(r"[^\W\d_]")


# The same labels and menu entries stand on every page of a blog.
@lru_cache(maxsize=4096)
def opens_byline(text: str) -> bool:
    """Tell whether a text begins as bylines do: "By ", "Author: "."""
    return LEAD.match(text) is not None or ONLY_LEAD.match(text) is not None


@lru_cache(maxsize=4096)
def is_only_lead(text: str) -> bool:
    """Tell whether a text introduces names and holds none."""
    return ONLY_LEAD.match(text) is not None


def names_in(text: str, language: str = "") -> tuple[str, ...]:
    """Return the names in a byline, in order, each once; nothing when it does not look like one."""
    line = one_line(text)
    return _names_in_line(line, language) if 0 < len(line) <= _MAX_BYLINE else ()


@lru_cache(maxsize=4096)
def _names_in_line(text: str, language: str) -> tuple[str, ...]:
    text = _EMAIL.sub("", text) if "@" in text or "[at]" in text else text
    # A date with two readings comes twice.
    spans = {(start_of_day(text, date), date.end) for date in dates_in(text, language)} if may_date(text) else ()
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} | {text[end:]}"
    if inside := LEAD_INSIDE.search(text):
        text = text[inside.start() :]
    parts = [part for part in BETWEEN.split(text) if part.strip() and not ONLY_LEAD.match(part)]
    parts.sort(key=lambda part: LEAD.match(part) is None)
    return next(filter(None, map(_names, parts)), ())


def is_organisation(name: str) -> bool:
    """Tell whether a name holds a word that firms, papers and clubs have in theirs."""
    return ORGANISATION.search(name) is not None


def is_person(name: str) -> bool:
    """Tell whether a name has the shape of a person's: two to four words, all capitalised but for particles."""
    words = name.split()
    if not 2 <= len(words) <= 4:
        return False
    capital = sum(word[:1].isupper() for word in words)
    return capital >= max(2, len(words) - 2) and not any(map(str.isdigit, name)) and not is_organisation(name)


def has_given_name(name: str) -> bool:
    """Tell whether the name begins with somebody's given name, or has it behind a title or an initial."""
    words = name.casefold().replace("-", " ").split()
    return any(word in GIVEN_NAMES for word in words[:2])


def _names(part: str) -> tuple[str, ...]:
    if NOT_AUTHOR.search(part) or _SENTENCE.search(part):
        return ()
    part = DAY.sub("", part)
    whole, part = part, _without_lead_and_tail(part)
    if part != whole:  # "Posted by: by Ada at 3 pm"
        part = _without_lead_and_tail(part)
    pieces = [_stripped(piece) for piece in JOINT.split(part)]
    names = [piece for piece in pieces if piece and not (piece != pieces[0] and ROLE.search(piece))]
    if not names or not all(map(_may_be_name, names)):
        return ()
    return tuple({letters_and_digits(name): name for name in reversed(names)}.values())[::-1]


def _without_lead_and_tail(part: str) -> str:
    return TAIL.sub("", LEAD.sub("", part)).strip()


def _stripped(piece: str) -> str:
    piece = piece.strip(" ,:;|-–—*@~\"'“”„«»")
    return piece if piece.endswith(")") or len(piece) < 4 else piece.strip("()")


def _may_be_name(name: str) -> bool:
    key = letters_and_digits(name)
    return (
        len(key) >= 2
        and len(name) <= _MAX_NAME
        and len(name.split()) <= _MAX_WORDS
        and key not in NO_NAME
        and not is_role(name)
        and _LETTER.search(name) is not None
        and _NOT_IN_NAMES.search(name) is None
    )
