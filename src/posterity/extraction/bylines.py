"""Names in bylines such as "Posted by Ada Lovelace and Charles Babbage, on 3 May", and headings without bylines."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import chain, takewhile

from posterity.dom import Tree, text_of
from posterity.dom.tree import TEXT, cached_by_tree
from posterity.lexicon import any_of, words_for
from posterity.text.dates.reading import dates_in, may_date, start_of_day
from posterity.text.normal_form import is_account_name, letters_and_digits, one_line

_BY = any_of(words_for("byline.by", "byline.by_more"))
_DONE = any_of(words_for("byline.written"))
_LABEL = any_of(words_for("byline.label"))
_JOB = any_of(words_for("byline.job"))
# Chinese, Japanese and Korean names may follow a Latin word without a space: "by元兒".
_WORD_END = r"(?:\b|(?=[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]))"
# The words before the names.
LEAD = re.compile(
    rf"^\W*(?:(?:{_LABEL})\W+)?(?:(?:{_DONE})\s+)?(?:{_BY}){_WORD_END}[\s:]*(?=\S)|^\W*(?:{_LABEL})\s*[:：/／-]\s*(?=\S)|"
    # "da" alone may start a name.
    rf"^\W*(?:{any_of(words_for('byline.opening_phrase'))})\s+(?=\S)|"
    rf"^(?:{_LABEL})\s+(?=[^\W\d_])|"
    rf"^\W*(?:{_JOB})\s*(?=\w{{2,4}}[/／])",
    re.IGNORECASE,
)
_LABELLED = re.compile(rf"^\W*(?:{_LABEL})\s*[:：]", re.IGNORECASE)
ONLY_LEAD = re.compile(rf"^\W*(?:(?:(?:{_DONE})\s+)?(?:{_BY})|{_LABEL}|{_DONE})\W*$", re.IGNORECASE)
_ONLY_DONE = re.compile(rf"^\W*(?:{_DONE})\W*$", re.IGNORECASE)
_PUBLISHED = re.compile(rf"^(?:{any_of(words_for('byline.index_written'))})\s", re.IGNORECASE)  # "Published June"
LEAD_INSIDE = re.compile(rf"\b(?:{any_of(words_for('byline.inside'))})\s+", re.IGNORECASE)
# The rest of a time of day before a byline: "10:30 am ET by Ada".
_CLOCK = re.compile(rf"^\W*(?:\d{{1,2}}[:.]\d\d\s*(?:[AaPp]\.?[Mm]\.?)?\s*)?(?:[A-Z]{{2,4}}\s+)?(?=(?:{_BY})\s)")
# Separators of the parts of a byline: names, dates, sections.
BETWEEN = re.compile(r"\s*(?:[|•»→‧∙]|(?<![가-힣])·)+\s*|\s+(?:[-–—~/]|//)+\s+|\s{3,}")
_DASH = re.compile(r"(?<!\s)\s+[–—-]\s+")
_BAR = re.compile(r"(?:(?<!\s)\s++)?[|•‧∙·]++\s*+")
# "Jun 4" and "Fri 13": a day without its year, not a name with a number.
DAY = re.compile(r"^\W*\w{3,9}\.?,?\s+\d{1,2}(?:st|nd|rd|th)?\b[\s,.]*")
# Text after the names. Runs of white space are only tried from their start, else they take quadratic time.
_SPACES = r"(?<!\s)\s++"
TAIL = re.compile(
    rf"{_SPACES}(?:{any_of(words_for('byline.before_weekday'))})\s++(?i:{any_of(words_for('byline.weekday'))})\b.*$|"
    # The next sentence, but not after abbreviations: "Dr. Ada M. Lovelace".
    r"(?<!\b[^\W\d_])(?<!\b[DMSJ]r)(?<!\bMs)(?<!\bSt)(?<!\bMrs)(?<!\bProf)\.\s++\S.*$|"
    rf"{_SPACES}(?:{any_of(words_for('byline.cut_at_end'))})\s*+$|"
    # The alternative text of a portrait: "Ada Lovelace's Picture".
    rf"['’]s\s++(?i:{any_of(words_for('byline.portrait'))})\s*+$|"
    rf"{_SPACES}(?:{any_of(words_for('byline.cut_from'))})\b.*$|"
    rf"{_SPACES}(?:{any_of(words_for('byline.cut_from_label'))}).*$|(?<=\w)\s*+\(?@\w.*$|"
    rf"(?<![\s,(])[\s,(]++\d.*$|(?:{_SPACES})?<.*$",
    re.DOTALL,
)
JOINT = re.compile(
    rf"{_SPACES}(?:{any_of(words_for('byline.and_phrase'))})\s++|"
    rf"(?:{_SPACES})?(?:[,;；、]|(?<=[가-힣])·)\s*+(?:(?:{any_of(words_for('byline.and'))})\s++)?|"
    rf"{_SPACES}(?:{any_of(words_for('byline.and', 'byline.and_more'))})\s++",
    re.IGNORECASE,
)
# People in a byline who are not its author.
NOT_AUTHOR = re.compile(
    rf"\b(?:{any_of(words_for('byline.not_author'))})\b|{any_of(words_for('byline.not_author_part'))}", re.IGNORECASE
)
# "김하늘 기자 외 1명": a reporter and one other.
_JOB_BEHIND = re.compile(rf"(?<=\w\w)\s*\(?(?:{_JOB})(?:\s*외(?:\s*\d*명)?|\)?\s*=?)$|(?<=\w\w)[/／]\w*(?:報導|报道)$")
ROLE = re.compile(rf"\b(?:{any_of(words_for('byline.role'))})\b\.?", re.IGNORECASE)
# Behind a name and a comma; "Jack London" is none. Degrees stay if they are no `role`: annotators keep them.
_PLACE = re.compile(any_of(words_for("byline.place")), re.IGNORECASE)
ORGANISATION = re.compile(rf"\b(?:{any_of(words_for('byline.organisation'))})\b", re.IGNORECASE)
# Words of menus, labels and headlines that do not occur in names.
MENU_WORD = re.compile(rf"\b(?:{any_of(words_for('byline.menu_word'))})\b", re.IGNORECASE)
# Texts of links and labels beside a byline, reduced to letters and digits.
NO_NAME = frozenset(words_for("byline.no_name"))


GIVEN_NAMES = frozenset(words_for("name.given"))


_MAX_NAME = 60
_MAX_WORDS = 7
_MAX_BYLINE, _LONG_PARAGRAPH = 200, 140
# "6 years ago", "3 min read" and "2 Comments" are counts.
_NOT_IN_NAMES = re.compile(r"^\d+\s|[.!?]\s+\w+\s+\w+\s+\w+|[!?…:=<>{}→]|https?|www\.|\.\.\.")
_SENTENCE_WORDS = 7
LAST_CASED = "\u2e7f"  # the last character before those of Chinese, Japanese and Korean
_EMAIL = re.compile(r"(?<!\S)(?:\S[^\s@]*+@\S[^\s.]*+\.\S++|\S(?:(?!\[at\])\S)*+\[at\]\S++)")
_LETTER = re.compile(r"[^\W\d_]")


def declared_name(tree: Tree, node: int) -> int:
    """Return the only element declared as a name in one with other words, such as "De <span itemprop=name>Ada</span>".

    If there is none, or the words are known to begin a byline, the element itself is returned.
    """
    inside = (each for each in range(node + 1, tree.end[node]) if (attrs := tree.attrs[each]) and "itemprop" in attrs)
    names = [each for each in inside if "name" in (tree.attrs[each]["itemprop"] or "").split()]
    is_name = len(names) == 1 and tree.plain(names[0]).strip() and not opens_byline(one_line(tree.plain(node)))
    return names[0] if is_name else node


# Cached, because the same labels and menu entries are on every page of a blog.
@lru_cache(maxsize=4096)
def opens_byline(text: str) -> bool:
    """Return whether a text starts like a byline: "By ", "Author: "."""
    return LEAD.match(text) is not None or ONLY_LEAD.match(text) is not None


@lru_cache(maxsize=4096)
def is_only_lead(text: str) -> bool:
    """Return whether a text is only the lead of a byline, without names."""
    return ONLY_LEAD.match(text) is not None


def joined_byline(lead: str, behind: str) -> str:
    """Return a lead with the text after it; "" if the lead is "Posted" or "All posts" and no "by" follows."""
    joined = f"{lead} {behind}"
    return joined if not _ONLY_DONE.match(lead) or LEAD.match(joined) or opens_byline(behind) else ""


def names_in(text: str, language: str = "") -> tuple[str, ...]:
    """Return the names in a byline, in order, each once; nothing if the text does not look like a byline."""
    line = one_line(text)
    return _names_in_line(line, language) if 0 < len(line) <= _MAX_BYLINE else ()


@lru_cache(maxsize=4096)
def _names_in_line(text: str, language: str) -> tuple[str, ...]:
    text = _EMAIL.sub("", text) if "@" in text or "[at]" in text else text
    # A set, because a date with two readings is returned twice.
    spans = {(start_of_day(text, date), date.end) for date in dates_in(text, language)} if may_date(text) else ()
    for start, end in sorted(spans, reverse=True):
        text = f"{text[:start]} | {text[end:]}"
    if inside := LEAD_INSIDE.search(text):
        text = text[inside.start() :]
    parts = [part for part in BETWEEN.split(text) if part.strip() and not ONLY_LEAD.match(part)]
    parts.sort(key=lambda part: LEAD.match(part) is None)
    return next(filter(None, map(_names, parts)), ())


_COUNT = re.compile(r"\W*(?:\d|$)")  # "4 min read", "327 words", "09:15"
_DATE = "\0"


@lru_cache(maxsize=4096)
def names_beside_date(text: str, language: str = "") -> tuple[str, ...]:
    """Return the people right beside the date of a line such as "3 May 2021 · Ada Lovelace · 4 min read · Boats".

    No word says that they are authors, and a line may name what the post is about: each needs a known given name.
    """
    parts = _parts_of_line(text, language)
    place = parts.index(_DATE) if _DATE in parts else 0
    before, behind = (takewhile(bool, map(_known_people, run)) for run in (parts[:place][::-1], parts[place + 1 :]))
    return tuple(chain.from_iterable([*before][::-1])) or tuple(chain.from_iterable(behind))


def _parts_of_line(text: str, language: str) -> list[str]:
    """The parts of a line with a date between bars or dots, the date as a sign, without counts."""
    line = one_line(text)
    dates = dates_in(line, language) if len(line) <= _MAX_BYLINE and may_date(line) else ()
    for start, end in sorted({(start_of_day(line, date), date.end) for date in dates}, reverse=True):
        line = f"{line[:start]}{_DATE}{line[end:]}"
    return [part for part in _BAR.split(line) if not _COUNT.match(part) or part[:1] == _DATE] if dates else []


def _known_people(part: str) -> tuple[str, ...]:
    names = _names(part)
    is_known = all(is_person(name) and name.partition(" ")[0].casefold() in GIVEN_NAMES for name in names)
    return names if is_known and not MENU_WORD.search(part) else ()


def is_organisation(name: str) -> bool:
    """Return whether a name contains a word typical of companies, newspapers and clubs."""
    return ORGANISATION.search(name) is not None


def is_person(name: str) -> bool:
    """Return whether a name has the shape of a person's: two to four words, all capitalised but for particles."""
    words = name.split()
    if not 2 <= len(words) <= 4:
        return False
    # Words of a sentence around a name, and possessives: "介绍 Ada Lovelace", "Women's Health Watch".
    if any(word[:1] > LAST_CASED or word.endswith(("'s", "’s")) for word in words):
        return False
    capital = sum(word[:1].isupper() for word in words)
    return capital >= max(2, len(words) - 2) and not any(map(str.isdigit, name)) and not is_organisation(name)


def has_given_name(name: str) -> bool:
    """Return whether one of the first two words is a known given name; the first may be a title or initial."""
    words = name.casefold().replace("-", " ").split()
    return any(word in GIVEN_NAMES for word in words[:2])


def _names(part: str) -> tuple[str, ...]:
    if NOT_AUTHOR.search(part) or (_is_sentence(part) and not _LABELLED.match(part)):
        return ()
    part = _CLOCK.sub("", DAY.sub("", part), count=1)
    whole, part = part, _without_lead_and_tail(part)
    if part != whole:  # "Posted by: by Ada at 3 pm"
        part = _without_lead_and_tail(part)
    if _PUBLISHED.match(part):
        return ()
    if is_person(part.partition("/")[0]):
        part = ", ".join(filter(is_person, part.split("/")))
    pieces = [_strip_label(piece) for piece in JOINT.split(part)]
    others = [piece for piece in pieces[1:] if piece and not ROLE.search(piece)]
    if is_person(pieces[0]):  # after a name: "Ada Lovelace, who teaches mathematics at the university of this town"
        others = [piece for piece in others if _may_be_name(piece) and (" " in piece or "." not in piece)]
        others = [piece for piece in others if not _PLACE.fullmatch(piece)]
    names = [piece for piece in (pieces[0], *others) if piece]
    if not names or not all(map(_may_be_name, names)):
        return ()
    return tuple({letters_and_digits(name): name for name in reversed(names)}.values())[::-1]


_MAX_DAY_LINE = 100
_LITTLE = 4  # letters beside a date that are not other content: "am", "г."


def is_only_date(text: str) -> bool:
    """Return whether a line contains only a date and possibly a byline."""
    if len(text) > _MAX_DAY_LINE or not may_date(text):
        return False
    dates = dates_in(text, "en")  # falls back to other languages if English finds none
    if not dates:
        return False
    rest = text
    for start, end in sorted({(start_of_day(text, date), date.end) for date in dates}, reverse=True):
        rest = rest[:start] + rest[end:]
    return sum(map(str.isalpha, rest)) <= _LITTLE or (opens_byline(rest) and bool(names_in(rest)))


def is_dated_byline(text: str) -> bool:
    """Return whether a line is a date with nothing but a name and counts: "3 May 2021 · Ada Lovelace · 9 words".

    Beside a dash, a name must be known: "3 May 2021 - Lisbon revisited" is a title.
    """
    parts = _parts_of_line(text, "en")
    pieces = [piece for part in parts for piece in _DASH.split(part)]
    others = [piece for piece in pieces if piece != _DATE and not _COUNT.match(piece)]
    is_name = is_person if len(pieces) == len(parts) else has_given_name
    return len(others) <= 1 and len(others) < len(pieces) and all(map(is_name, others))


def is_byline(text: str) -> bool:
    """Return whether a line is a byline alone: "By Ada Lovelace"."""
    names = names_in(text) if opens_byline(text) else ()
    return bool(names) and all(map(is_person, names))


def is_short_for(short: str, name: str) -> bool:
    """Return whether one word is a part or an abbreviation of a name: "ada", "al", "alovelace" of "Ada Lovelace"."""
    parts = [key for word in name.split() if (key := letters_and_digits(word))]
    if len(parts) < 2 or len(short.split()) != 1:
        return False
    first, last = parts[0], parts[-1]
    initials = "".join(part[0] for part in parts)
    return letters_and_digits(short) in (first, last, initials, "".join(parts), first[0] + last, first + last[0])


def is_in_sentence(tree: Tree, node: int) -> bool:
    """Return whether a text is in a long paragraph: "There is an <a>article by Ada Lovelace</a> in which she shows"."""
    paragraph = max((each for each in tree.around((node,)) if tree.tag[each] == "p"), default=0)
    is_long = paragraph > 0 and len(tree.plain(paragraph)) > _LONG_PARAGRAPH
    return is_long and any(tree.text[each].strip() for each in range(paragraph, node))


def line_before(tree: Tree, node: int) -> str:
    """Return the end of the text before a node in its parent: "Last updated on 3 May 2021" before "by Ada"."""
    return one_line(" ".join(filter(None, tree.text[tree.parent[node] : node])))[-_MAX_NAME:]


_PORTRAIT = re.compile(r"(?:^|[\s/_.-])(?:gr)?(?:avatar|person|user|author|portrait)s?(?:$|[\s/_.-])", re.IGNORECASE)
_TO_PORTRAIT, _LONGEST_CJK = 6, 4  # nodes, characters of a name


def _may_be_portrayed(name: str) -> bool:
    is_short = name[:1] > LAST_CASED and len(name) <= _LONGEST_CJK
    return (is_short or is_person(name)) and not MENU_WORD.search(name)


def names_behind_portrait(tree: Tree, node: int, language: str = "") -> tuple[str, ...]:
    """Return the people in a text right behind a portrait or the icon of a person."""
    names = names_in(tree.text[node], language)
    if not names or not all(map(_may_be_portrayed, names)):
        return ()
    before = range(node - 1, max(0, node - _TO_PORTRAIT), -1)
    alone = takewhile(lambda each: not tree.text[each].strip(), before)
    for attrs, tag in ((tree.attrs[each], tree.tag[each]) for each in alone):
        named = f"{attrs.get('class') or ''} {attrs.get('src') or ''}"
        if tag in ("img", "i", "svg") and (attrs.get("alt") in names or _PORTRAIT.search(named)):
            return names
    return ()


def are_joined(tree: Tree, left: int, right: int) -> bool:
    """Return whether the text between two elements is only a comma or "and", or empty."""
    between = one_line("".join(tree.text[node] for node in range(tree.end[left], right) if not tree.unseen[node]))
    return not between or JOINT.fullmatch(f" {between} ") is not None


_CARD_LEVELS = 6  # from a name up to the card of the person


def are_of_one_team(tree: Tree, left: int, right: int) -> bool:
    """Return whether two names are elements with the same tag and class and parent, joined as in `are_joined`.

    They may also be in sibling cards of the same tag and class that start with the name and are only about the person.
    """
    cards = (left, right)
    for _ in range(_CARD_LEVELS):
        names = [frozenset((tree.attrs[card].get("class") or "").split()) for card in cards]
        if tree.tag[cards[0]] != tree.tag[cards[1]] or not (names[0] <= names[1] or names[1] <= names[0]):
            return False
        if tree.parent[cards[0]] == tree.parent[cards[1]]:
            is_about_one = _is_card(tree, cards[0], left) and _is_card(tree, cards[1], right)
            return is_about_one and are_joined(tree, *cards)
        cards = (tree.parent[cards[0]], tree.parent[cards[1]])
    return False


def _is_card(tree: Tree, card: int, name: int) -> bool:
    """Whether an element has no text before the name, such as "Translated by", and links only on the name."""
    if any(tree.text[node].strip() and not tree.unseen[node] for node in range(card, name)):
        return False
    key = letters_and_digits(tree.plain(name))
    links = (letters_and_digits(tree.plain(node)) for node in range(card, tree.end[card]) if tree.tag[node] == "a")
    return all(link in ("", key) for link in links)


def _is_sentence(part: str) -> bool:
    words = part.split()
    return len(words) >= _SENTENCE_WORDS and part.endswith((".", "!", "?")) and len(words[-1]) > 1


def _without_lead_and_tail(part: str) -> str:
    return TAIL.sub("", LEAD.sub("", part)).strip()


def _strip_label(piece: str) -> str:
    piece = _JOB_BEHIND.sub("", piece.strip(" ,:;|-–—*@~\"'“”„«»"))
    half = piece[len(piece) // 2 :]
    if " " in half and half * 2 == piece:  # repeated for screen readers
        piece = half
    return piece if piece.endswith(")") or len(piece) < 4 else piece.strip("()")


def _may_be_name(name: str) -> bool:
    key = letters_and_digits(name)
    return (
        len(key) >= 2
        and len(name) <= _MAX_NAME
        and len(name.split()) <= _MAX_WORDS
        and key not in NO_NAME
        and not is_account_name(name)
        and _LETTER.search(name) is not None
        and _NOT_IN_NAMES.search(name) is None
    )


# Tags of parts of a heading that may not be the title, and class names of permalinks in headings.
_SET_APART = frozenset({"small", "span", "div", "p", "a", "time"})
_ANCHOR = re.compile(r"anchor|permalink|headerlink|header-link|hash-link", re.IGNORECASE)


_ORNAMENTS = re.compile(r"[.:~*=|·•»««›‹<>–—-]")


def heading_text(tree: Tree, node: int) -> str:
    """Return the text of a heading without a byline, date or permalink inside it or ornaments around it (":: x ::")."""
    words = one_line(text_of(tree, node, _not_of_title(tree, node))).split(" ")
    is_framed = len(words) > 2 and not (_ORNAMENTS.sub("", words[0]) or _ORNAMENTS.sub("", words[-1]))
    return " ".join(words[1:-1] if is_framed else words)


def _not_of_title(tree: Tree, node: int) -> frozenset[int]:
    """Return the parts of a heading that are a byline, a date or a permalink."""
    parts = parts_of_heading(tree, node)
    apart = [(child, text) for child, text in parts if tree.tag[child] in _SET_APART]
    if len(parts) < 2 or not apart:
        return frozenset()
    ends = {parts[0][0], parts[-1][0]}
    found = {child for child, text in apart if _is_no_title(tree, child, text)}
    found |= {child for child, text in apart if child in ends and tree.tag[child] != "a" and is_only_date(text)}
    return frozenset(found) if len(found) < len(parts) else frozenset()


def _is_no_title(tree: Tree, node: int, text: str) -> bool:
    if tree.tag[node] == "a" and (tree.attrs[node].get("href") or "").startswith("#"):
        return not letters_and_digits(text) or bool(_ANCHOR.search(tree.attrs[node].get("class") or ""))
    if tree.tag[node] == "time":
        return True
    return len(text) <= _MAX_NAME and LEAD.match(text) is not None and names_in(text) != ()


@cached_by_tree  # used for the title and again for its parts
def parts_of_heading(tree: Tree, node: int) -> list[tuple[int, str]]:
    """Return the children with text of the outermost element that has several, with their texts."""
    while True:
        parts = [(child, text) for child in tree.children(node) if (text := one_line(tree.plain(child)))]
        if len(parts) != 1 or tree.tag[parts[0][0]] == TEXT:
            return parts
        node = parts[0][0]
