"""The authors of the article on a page without rules: candidates, their features, and the choice; none if in doubt."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain

from posterity.dom import Tree, text_of
from posterity.dom.document import declared_person_names, types_of
from posterity.dom.terms import leads_to_term
from posterity.dom.tree import TEXT
from posterity.extraction import bylines
from posterity.extraction.hybrid import candidates as scoring
from posterity.extraction.hybrid.candidates import (
    Choice,
    FieldCandidate,
    PageFacts,
    ScoredValue,
    TitleSurroundings,
    is_site_name,
    label_of_date,
)
from posterity.extraction.hybrid.model import learned_weights
from posterity.extraction.record import FoundFields
from posterity.lexicon import any_of, declarations, url_words
from posterity.text.dates.reading import dates_in, may_date, start_of_day
from posterity.text.normal_form import letters_and_digits, one_line

_METAS = declarations("meta.author")
_OWN_WEIGHT = frozenset({"author", "article:author", "twitter:data1"})
# Sources of visible names, most reliable first.
SHOWN = (
    "rel", "itemprop", "is author-name", "is byline", "is author", "spoken", "profile slug", "profile link", "links",
    "piece", "bare known", "is contributor", "is user", "is vcard", "is some-author", "is about-author", "bare",
)  # fmt: skip
_PROFILE = re.compile(rf"/(?:{any_of(url_words('page.profile'))})/|[?&]author=|/@")
_MAX_NODES = 40
_MAX_BYLINE, _MAX_SIGNATURE = 140, 80
_SIGNED = "signed"  # of a candidate; too rare in the training pages to have a weight
_MAX_PLACES = 60
_MAX_BARE = 60
_AROUND_NAME = " \t\r\n\xa0,|"
_SHORTEST_NAME = 4
_COMMENTS = "comments"  # names there are those of commenters
_NOBODYS = frozenset({_COMMENTS, "unseen"})  # zones in which a name alone is not a byline
_LAST_NODES = 120
_WORD = re.compile(r"[^\W\d_]+")
_SEPARATOR = re.compile(r"(?<!\s)\s+[|–—·•:-]+\s+")
_COPYRIGHT = re.compile(
    r"(?:©|(?i:\(c\)|copyright|&copy;))[\s\d,–—-]*(?:by\s+)?"
    r"((?:[A-ZÄÖÜ][\w'’-]+|[A-Z]\.)(?:\s(?:[A-ZÄÖÜ][\w'’-]+|[A-Z]\.)){1,2})"
)


def declared_authors(page: PageFacts) -> Iterator[FieldCandidate]:
    """Yield the names in <meta> and JSON-LD."""
    for meta in _METAS:
        contents = page.data.metas.get(meta, ())
        if not contents or (meta == "twitter:data1" and not bylines.opens_byline(page.data.first("twitter:label1"))):
            continue
        source = f"meta {meta if meta in _OWN_WEIGHT else 'other'}"
        names = [name for content in contents for name in _names(content, page)]
        yield from _candidate(dict.fromkeys(names), (source, "meta"))
        if len(contents) > 1:
            yield from _candidate(_names(contents[0], page), (f"{source} first",))
    for item in page.data.items:
        types = types_of(item)
        kind = "article" if scoring.ARTICLE_TYPES.intersection(types) else "other"
        kind = "forum" if scoring.FORUM_TYPES.intersection(types) else kind
        yield from _candidate(_names_of_item(page, item.get("author")), (f"ld {kind}", "ld"))
        yield from _candidate(_names_of_item(page, item.get("creator")), ("ld creator",))


def marked_authors(page: PageFacts, title: int) -> Iterator[FieldCandidate]:
    """Yield the names in elements named as an author or byline."""
    tree = page.tree
    seen: set[str] = set()
    for node, patterns in page.author_nodes[:_MAX_PLACES]:
        if tree.end[node] - node > _MAX_NODES:
            continue
        zone = scoring.zone_of(page, node, title)
        if zone == _COMMENTS:
            continue
        attrs = tree.attrs[node]
        sources = [f"is {pattern}" for pattern in patterns]
        sources += [name for name in ("itemprop", "rel") if "author" in (attrs.get(name) or "").split()]
        features = scoring.features_in_zone(sources, zone) + (() if patterns[0] in seen else ("first marked",))
        seen.update(patterns)
        if "itemprop" in sources and (content := attrs.get("content")):
            yield from _candidate(_names(content, page), features, node)
        yield from _names_below(page, bylines.declared_name(tree, node), zone, features)


def labelled_authors(page: PageFacts, title: int) -> Iterator[FieldCandidate]:
    """Yield the names in lists of terms, <dt>Author</dt><dd>Ada Lovelace</dd>, also where the labels are hidden."""
    tree = page.tree
    for term in tree.nodes_by_tag.get("dt", ())[:_MAX_PLACES]:
        node = tree.end[term]
        while node < len(tree) and tree.tag[node] == TEXT:
            node += 1
        if node >= len(tree) or tree.tag[node] != "dd" or not bylines.is_only_lead(one_line(tree.plain(term))):
            continue
        inside = range(node, tree.end[node])
        runs = [each for each in inside if tree.text[each].strip() and tree.tag[tree.parent[each]] != "dt"]
        people = (bylines.names_in(tree.text[each], page.language) for each in runs)
        names = [name for found in people if found and all(map(bylines.is_person, found)) for name in found]
        if (zone := scoring.zone_of(page, node, title)) != _COMMENTS:
            yield from _candidate(dict.fromkeys(names), scoring.features_in_zone(["is author"], zone), node)


def linked_authors(page: PageFacts, around: TitleSurroundings) -> Iterator[FieldCandidate]:
    """Yield the names that link to a profile page, near the title and at the article's end."""
    tree = page.tree
    links = tree.nodes_by_tag.get("a", [])
    near = (links[bisect_left(links, span.start) : bisect_left(links, span.stop)] for span in around.spans)
    for node in chain.from_iterable(near):
        href = tree.attrs[node].get("href") or ""
        profile = _PROFILE.search(href)
        if profile is None:
            continue
        text = one_line(tree.plain(node))
        zone = scoring.zone_of(page, node, around.title)
        if 0 < len(text) <= _MAX_BYLINE and zone != _COMMENTS:
            names = bylines.names_in(text, page.language)
            is_own = "//" not in href or page.host in href
            in_url = _is_in(names, letters_and_digits(href if is_own else href[profile.end() :]))
            if in_url or all(map(bylines.is_person, names)):
                source = "profile slug" if in_url else "profile link"
                yield from _candidate(names, scoring.features_in_zone([source], zone), node)


def byline_authors(page: PageFacts, around: TitleSurroundings) -> Iterator[FieldCandidate]:
    """Yield the names after words such as "by", near the title and at the article's end."""
    for node, text in (*around.near_title, *around.near_end):
        if len(text) > _MAX_BYLINE or not _has_byline(text, page.language) or bylines.is_in_sentence(page.tree, node):
            continue
        is_of_change = (
            node >= page.article_end and label_of_date(bylines.line_before(page.tree, node)) == "label modified"
        )
        if (zone := scoring.zone_of(page, node, around.title)) != _COMMENTS and not is_of_change:
            names = bylines.names_in(_byline_at(page, node), page.language)
            signed = (_SIGNED,) if _is_signature(page, node) else ()
            nickname = signed and len(names) == 1 and " " not in names[0]
            if nickname or all(name[:1].upper() == name[:1] and len(name.split()) <= 4 for name in names):
                yield from _candidate(names, (*scoring.features_in_zone(["spoken"], zone), *signed), node)


def _is_signature(page: PageFacts, node: int) -> bool:
    """Return whether a byline and a date fill an element: "Posted by Ada at March 3, 2005 07:15 PM"."""
    line = one_line(page.tree.plain(page.tree.parent[node]))
    return len(line) <= _MAX_SIGNATURE and bylines.opens_byline(line) and bool(dates_in(line, page.language))


def names_beside_dates(page: PageFacts, around: TitleSurroundings) -> Iterator[FieldCandidate]:
    """Yield the people who are alone with a date in a line above or below the title, as behind "by"."""
    for node, text in around.near_title:
        may_be = node < page.article_end and len(text) <= _MAX_BYLINE and (" " in text or text[:1] > bylines.LAST_CASED)
        zone = scoring.zone_of(page, node, around.title) if may_be else ""
        if zone in ("next to title", "before title") or (zone == "near title" and node < page.article.node):
            names = _names_beside_date(page, node, text, around.title)
            yield from _candidate(names, scoring.features_in_zone(["spoken"], zone), node)


_LINE_LEVELS = 3  # from a name up to the line that it is in


def _names_beside_date(page: PageFacts, node: int, text: str, title: int) -> tuple[str, ...]:
    """The names in a text with a date, or in the line with a date around a text that is one; no links to terms."""
    tree = page.tree
    if may_date(text):
        return bylines.names_beside_date(text, page.language)
    line, portrayed = node, bylines.names_behind_portrait(tree, node, page.language)
    portrayed = () if any(is_site_name(name, page.site_names) for name in portrayed) else portrayed
    if not portrayed and not bylines.is_person(text):
        return ()
    for _ in range(_LINE_LEVELS):
        line = tree.parent[line]
        below = range(line, tree.end[line])
        if len(below) > _MAX_NODES or title in below or leads_to_term(tree.attrs[line].get("href") or ""):
            return ()
        joined = " | ".join(one_line(tree.text[each]) for each in below if tree.text[each] and not tree.unseen[each])
        names = bylines.names_beside_date(joined, page.language)
        if names or (portrayed and may_date(joined) and dates_in(joined, page.language)):
            return names or portrayed
    return ()


def _has_byline(text: str, language: str) -> bool:
    """Whether a text starts like a byline, or does so after a date: "3 May 2021, by Ada"."""
    if bylines.opens_byline(text):
        return True
    dates = dates_in(text, language) if may_date(text) else ()
    if not dates or not bylines.opens_byline(text[dates[-1].end :].lstrip(" ,|–—-")):
        return False
    label = text[: start_of_day(text, dates[0])].strip(" ,:|–—-")
    return not any(map(str.isalpha, label)) or label_of_date(label) == "label published"


def bare_names(page: PageFacts, around: TitleSurroundings) -> Iterator[FieldCandidate]:
    """Yield the names of people without a byline, around the title and at the article's end."""
    for node, text in (*around.near_title, *around.near_end):
        if not _SHORTEST_NAME <= len(text) <= _MAX_BARE or " " not in text:
            continue
        known = _has_given_name(text, anywhere=bylines.opens_byline(text))
        if not known and not (bylines.is_person(text) and "header" in page.places.of(node)):
            continue
        if bylines.is_in_sentence(page.tree, node):
            continue
        zone = scoring.zone_of(page, node, around.title)
        names = bylines.names_in(text, page.language) if zone not in _NOBODYS else ()
        if names and all(map(bylines.is_person, names)):
            yield from _candidate(names, scoring.features_in_zone(["bare known" if known else "bare"], zone), node)


def shown_names(page: PageFacts, title: int, declared: Iterable[FieldCandidate]) -> Iterator[FieldCandidate]:
    """Yield the declared people whose names are separate text nodes on the page, whatever the markup."""
    teams = {each.value for each in declared if not any(is_site_name(name, page.site_names) for name in each.value)}
    names = {name: bylines.is_person(name) or name[:1] > bylines.LAST_CASED for team in teams for name in team}
    shown: dict[str, tuple[int, str]] = {}
    for node in page.tree.runs if names else ():
        name = page.tree.text[node].strip(_AROUND_NAME)
        if name in names and (zone := scoring.zone_of(page, node, title)) not in scoring.NOT_OF_ARTICLE:
            shown.setdefault(name, (node, zone))
            if names[name]:
                yield from _candidate([name], scoring.features_in_zone(["bare known"], zone), node)
    for team in sorted(team for team in teams if len(team) > 1 and shown.keys() >= set(team) and names[team[0]]):
        node, zone = shown[team[0]]
        yield from _candidate(team, scoring.features_in_zone(["bare known"], zone), node)


@lru_cache(maxsize=4096)  # pages of a blog share their menus
def _has_given_name(text: str, *, anywhere: bool) -> bool:
    """Whether a text begins with a given name, unlike "The role of Ada" in languages without articles, or has one."""
    words = _WORD.findall(text.casefold())
    return not bylines.GIVEN_NAMES.isdisjoint(words if anywhere else words[:1])


def owners(page: PageFacts, known: Collection[str]) -> Iterator[FieldCandidate]:
    """Yield the person named in the site's name or copyright notice; `known` are the declared names."""
    tree = page.tree
    declared = [page.data.first("og:site_name"), *_SEPARATOR.split(page.data.title)[1:]]
    last = range(max(0, len(tree) - _LAST_NODES), len(tree))
    texts = filter(None, (tree.text[node] for node in last))
    declared += [found[1] for text in texts if (found := _COPYRIGHT.search(text[:_MAX_BYLINE]))]
    for text in declared:
        name = one_line(text).strip(" .")
        is_known = name in known and not is_site_name(name, page.site_names)
        if bylines.is_person(name) and (bylines.has_given_name(name) or is_known):
            yield from _candidate([name], ("owner",))


def _candidate(names: Iterable[str], features: Sequence[str], node: int = -1) -> Iterator[FieldCandidate]:
    names = tuple(names)
    if names:
        key = "|".join(sorted({letters_and_digits(name) for name in names}))
        yield FieldCandidate(names, key, tuple(features), node)


def _names(text: str, page: PageFacts) -> tuple[str, ...]:
    if "://" in text:
        return ()
    names = bylines.names_in(text, page.language)
    return (one_line(text),) if len(names) == 2 and (_is_surname_first(text) or _is_site(text, page)) else names


def _is_site(text: str, page: PageFacts) -> bool:
    """Whether the whole text is the site's name, even if it looks like two names: "Salt and Tides"."""
    return letters_and_digits(text) in page.site_names


def _is_surname_first(text: str) -> bool:
    """Whether the text is one name such as "Lovelace, Ada K.", not two given names."""
    surname, _, given = text.partition(",")
    words = [word for word in given.split() if not word.endswith(".") and not word.islower()]
    return len(surname.split()) == 1 >= len(words) and bool(given.strip()) and not bylines.has_given_name(surname)


def _names_of_item(page: PageFacts, authors: object) -> tuple[str, ...]:
    declared = declared_person_names(authors, page.data.items)
    return tuple(dict.fromkeys(name for text in declared for name in _names(text, page)))


def _names_below(page: PageFacts, node: int, zone: str, features: tuple[str, ...]) -> Iterator[FieldCandidate]:
    """Yield the names in the element's whole text, in its links, and in its first text node after a lead."""
    tree = page.tree
    below = range(node, tree.end[node])
    links = {each: one_line(tree.plain(each)) for each in below if tree.tag[each] == "a" and each != node}
    terms = [text for each, text in links.items() if leads_to_term(tree.attrs[each].get("href") or "")]
    keys = {letters_and_digits(text) for text in (*terms, "".join(terms))}  # tags, which some themes have in the byline

    def names_of(text: str) -> list[str]:
        names = (one_line(text),) if _is_site(text, page) else bylines.names_in(text, page.language)
        return [name for name in names if letters_and_digits(name) not in keys]

    text = text_of(tree, node).strip().replace("\n", " | ")
    if len(text) <= _MAX_BYLINE:
        yield from _candidate(names_of(text), features, node)
    pieces = (one_line(tree.text[each]) for each in below if tree.tag[each] == TEXT)
    piece = next((piece for piece in pieces if piece and not bylines.is_only_lead(piece)), "")
    if piece and piece != text:
        yield from _candidate(names_of(piece), scoring.features_in_zone(["piece"], zone), node)
    names = [name for link in links.values() if not bylines.is_only_lead(link) for name in names_of(link)]
    yield from _candidate(dict.fromkeys(names), scoring.features_in_zone(["links"], zone), node)


def _is_in(names: Iterable[str], url: str) -> bool:
    words = (letters_and_digits(word) for name in names for word in name.split())
    return any(word in url for word in words if len(word) > 2)


def _byline_at(page: PageFacts, node: int) -> str:
    """Return the text of a text node's parent; if that is unsuitable, the text node with the text after it."""
    tree = page.tree
    text = one_line(tree.text[node])
    parent, is_lead = tree.parent[node], bylines.is_only_lead(text)
    if is_lead and one_line(tree.plain(parent)) == text:
        parent = tree.parent[parent]
    around = one_line(tree.plain(parent)) if tree.end[parent] - parent < _MAX_NODES else ""
    if not is_lead:
        return around if 0 < len(around) <= _MAX_BYLINE else text
    names = bylines.names_in(around, page.language) if len(around) <= _MAX_BYLINE else ()
    texts = {tree.text[each].strip(_AROUND_NAME) for each in range(parent, tree.end[parent])} if names else set()
    if len(names) > 1 and texts.issuperset(names) and _are_people(names):
        return around
    behind = range(node + 1, min(len(tree), node + 12))
    return bylines.joined_byline(text, next((tree.text[each] for each in behind if tree.text[each].strip()), ""))


# In logits. By cross-validation on wcxb_dev, compared with 0.5: 3 points more correct, 2 points more invented names.
NONE_MARGIN = 0.9
# Nearly every page of a known blog has an author, so "none" is less likely. But rules find an author shown beside each
# title, so a name without markup is a person whom the post mentions.
_NONE_MARGIN_ON_BLOGS = 2.0
_ONLY_A_NAME = "given by name"
# Minimum confidences of visible names and of those only declared: on the pages of trafilatura and wcxb_dev, 18 correct
# names fewer for 25 invented and 10 wrong ones.
_SURE_IF_SHOWN, _SURE_IF_DECLARED = 0.5, 0.65
_STRONG = frozenset({"rel", "itemprop", "is author-name", "is byline", "is author", "profile slug", "spoken"})
# Software declares the site's name as author if it knows none; only these of its features count.
_SITE_FEATURES = frozenset(
    {
        *("declared only", "declared and shown", "declared twice", "first marked", "at next to title", "meta author"),
        *("ld article", "rel", "itemprop", "owner"),
        *(f"{source}, next to title" for source in ("spoken", "rel", "is author-name", "is byline", "is author")),
    }
)
# Groups of sources that err independently; features tell which of them agree.
_SOURCE_GROUPS = {
    **dict.fromkeys(("rel", "itemprop", "is author-name", "is byline", "is author"), "markup"),
    **dict.fromkeys(("profile slug", "profile link"), "profile"),
    **dict.fromkeys(("bare known", "bare"), "name"),
    **dict.fromkeys(("is contributor", "is user", "is vcard", "is some-author", "is about-author"), "vague markup"),
    **dict.fromkeys(("spoken", "links", "owner")),
}
_MANY_PLACES = 3
_DECLARED_TEAM, _SIGNATURE = 0.6, 0.8
_OF_ARTICLE = frozenset({"meta article:author", "ld article", "owner"})
_SHOWN_AT_TITLE = "given near title"
_MAX_TEAM = 8  # more names are a list of people
_TEAM_SOURCES = frozenset({"is byline", "is author", "is author-name", "itemprop", "spoken"})
_LONGEST_TEXT = 120  # names are in short texts


def authors_on(
    page: PageFacts, around: TitleSurroundings, *, of_blog: bool = False, explain: bool = False
) -> FoundFields | None:
    """Return the authors, or None if the page has none or they are too doubtful."""
    weights = learned_weights("author")
    values = author_values(page, around)
    if of_blog:
        values = [value for value in values if _ONLY_A_NAME not in value.features]
    none_margin = _NONE_MARGIN_ON_BLOGS if of_blog else NONE_MARGIN
    choice = scoring.best_value(values, weights, none_margin)
    if choice is not None:  # variants of the chosen names, or some of them, must not lower the confidence
        others = (value for value in values if value is choice.value or not _shares_name(value, choice.value))
        choice = scoring.best_value(others, weights, none_margin)
    is_unsure = choice is not None and not of_blog and choice.confidence < _sure_enough(choice.value)
    if choice is None or is_unsure:
        teams = (value for value in values if _is_declared_team(value))
        team = next((value for value in teams if _SHOWN_AT_TITLE in value.features or not is_unsure), None)
        signed = [value for value in values if any(_SIGNED in each.features for each in value.candidates)]
        if team is None and len(signed) != 1:
            return None
        choice = Choice(signed[0], _SIGNATURE) if team is None else Choice(team, _DECLARED_TEAM)
    provenance = scoring.provenance_of(choice, page, explain=weights if explain else None)
    return FoundFields({"authors": _with_coauthors(choice.value, values, page)}, provenance)


def _shares_name(value: ScoredValue, other: ScoredValue) -> bool:
    keys = [(mine, theirs) for mine in value.key.split("|") for theirs in other.key.split("|")]
    return any(mine in theirs or theirs in mine for mine, theirs in keys)


def _sure_enough(value: ScoredValue) -> float:
    """Return the minimum confidence of a name; lower for visible names and single words.

    Also lower for people declared as authors of the article: software declares companies mostly for pages.
    """
    names: Sequence[str] = value.candidates[0].value
    is_word = all(" " not in name and "." not in name for name in names)
    is_named = not value.features.isdisjoint(_OF_ARTICLE) and all(map(bylines.is_person, names))
    is_shown = any(candidate.node >= 0 for candidate in value.candidates)
    return _SURE_IF_SHOWN if is_shown or is_word or is_named else _SURE_IF_DECLARED


def _is_declared_team(value: ScoredValue) -> bool:
    """Whether the page declares several people as authors of its article, or declares and shows them at the title.

    Unlike a single name, software does not set these by default.
    """
    is_declared = "ld article" in value.features or value.features >= {"meta", _SHOWN_AT_TITLE}
    return is_declared and "|" in value.key and _are_people(value.candidates[0].value)


def _with_coauthors(chosen: ScoredValue, values: Sequence[ScoredValue], page: PageFacts) -> tuple[str, ...]:
    """Return the chosen names with the others in their byline and in similar elements next to it."""
    names: tuple[str, ...] = chosen.candidates[0].value
    declared = (each.value for value in values for each in value.candidates if each.node < 0)
    shorter = (given for given in declared if len(names) == len(given) == 1 and names[0].startswith(f"{given[0]} "))
    person = next(shorter, names)
    if person != names and bylines.is_person(person[0]):  # "Ada Lovelace For The Harbour Post"
        return person
    if not all(map(bylines.is_person, names)):
        return names
    own = frozenset(chosen.key.split("|"))
    wider = [
        value
        for value in values
        if own < frozenset(value.key.split("|")) and _is_team(value) and _is_aside(value) <= _is_aside(chosen)
    ]
    if wider:
        team: tuple[str, ...] = max(wider, key=lambda value: len(value.key)).candidates[0].value
        return team
    alone = (each for value in values for each in value.candidates if len(each.value) == 1)
    elements = sorted({(node, each.value[0]) for each in alone if (node := _name_element(each, page.tree)) >= 0})
    place = next((place for place, (_, name) in enumerate(elements) if name in names), None)
    if place is None or len(names) > 1:
        return names
    first = last = place
    while first > 0 and bylines.are_of_one_team(page.tree, elements[first - 1][0], elements[first][0]):
        first -= 1
    while last + 1 < len(elements) and bylines.are_of_one_team(page.tree, elements[last][0], elements[last + 1][0]):
        last += 1
    by_key = {letters_and_digits(name): name for _, name in elements[first : last + 1]}
    people = tuple(by_key.values())
    return people if _are_people(people) else names


def _is_team(value: ScoredValue) -> bool:
    """Whether a byline or declaration names several people together."""
    together = any(feature.split(",")[0] in _TEAM_SOURCES or feature.startswith("ld ") for feature in value.features)
    return (together or _is_declared_team(value)) and _are_people(value.candidates[0].value)


def _is_aside(value: ScoredValue) -> bool:
    """Whether the names are only in parts of the page with other content."""
    zones = [scoring.zone_in(feature) for each in value.candidates for feature in each.features[:1] if each.node >= 0]
    return bool(zones) and all(zone.endswith(" aside") for zone in zones)


def _are_people(names: Sequence[str]) -> bool:
    keys = [letters_and_digits(name) for name in names]
    alike = any(one != other and one in other for one in keys for other in keys)
    if alike or len(names) > _MAX_TEAM:
        return False
    return all(bylines.is_person(name) and not bylines.MENU_WORD.search(name) for name in names)


def _name_element(candidate: FieldCandidate, tree: Tree) -> int:
    """Return the innermost element that contains only the candidate's name, or -1."""
    node, key = candidate.node, letters_and_digits(candidate.value[0])
    below = range(tree.end[node] - 1, node - 1, -1) if node >= 0 else ()
    named = (each for each in below if tree.tag[each] != TEXT and letters_and_digits(tree.plain(each)) == key)
    return next(named, -1)


def author_values(page: PageFacts, around: TitleSurroundings) -> list[ScoredValue]:
    """Return every set of names that may be the authors, with its features."""
    declared = [*declared_authors(page)]
    values = scoring.scored_values(
        [
            *declared,
            *shown_names(page, around.title, declared),
            *marked_authors(page, around.title),
            *labelled_authors(page, around.title),
            *linked_authors(page, around),
            *byline_authors(page, around),
            *names_beside_dates(page, around),
            *bare_names(page, around),
            *owners(page, {name for each in declared for name in each.value}),
        ]
    )
    values = [value for value in values if not _is_menu_entry(value)]
    title = letters_and_digits(f"{page.data.title} {page.tree.plain(around.title) if around.title >= 0 else ''}")
    near = letters_and_digits(" ".join(text for _, text in around.near_title if len(text) <= _LONGEST_TEXT))
    keys = [frozenset(value.key.split("|")) for value in values]
    of_page = frozenset(_page_features(values, page))
    return [
        ScoredValue(
            value.key, value.candidates, _own_features(value, page) | of_page | {*_against(own, keys, near, title)}
        )
        for value, own in zip(values, keys, strict=True)
    ]


def _own_features(value: ScoredValue, page: PageFacts) -> frozenset[str]:
    """Return the features of the sources and of the names themselves."""
    names: Sequence[str] = value.candidates[0].value
    person = all(map(bylines.is_person, names))
    of_site = any(is_site_name(name, page.site_names) for name in names)
    sources = _source_features(value, person=person, of_site=of_site)
    return sources | {_sources_feature(value), *_name_features(names, person=person, of_site=of_site)}


def _is_menu_entry(value: ScoredValue) -> bool:
    """Whether the names have words of menus and no strong source: "Request Demo" in "user-menu"."""
    if not any(map(bylines.MENU_WORD.search, value.candidates[0].value)):
        return False
    return not any(
        feature.startswith(("meta ", "ld ")) or feature.split(",")[0] in _STRONG for feature in value.features
    )


def _source_features(value: ScoredValue, *, person: bool, of_site: bool) -> frozenset[str]:
    features = {feature for feature in value.features if ", " not in feature} - {_SIGNED}
    declared = sum(feature.startswith(("meta ", "ld ")) for feature in features)
    shown = set(scoring.place_features(value.features, SHOWN))
    if declared:
        features.add("declared and shown" if shown else "declared only")
    if declared > 1:
        features.add("declared twice")
    features |= shown
    # Places that agree count less than their sum, because templates repeat names.
    places = f"{min(len(features & _STRONG), _MANY_PLACES)} places"
    features.add(f"{places} and declared" if declared else places)
    features.add(f"{places} of a person" if person else f"{places} of other")
    if of_site:
        return frozenset({"is site", *(f"site {feature}" for feature in features & _SITE_FEATURES)})
    return frozenset(features)


def _sources_feature(value: ScoredValue) -> str:
    """Return the feature of the groups of sources that agree on the names."""
    groups = set()
    for feature in value.features:
        source, _, zone = feature.partition(", ")
        if source.startswith(("meta ", "ld ")):
            groups.add(source.partition(" ")[0])
        elif source in _SOURCE_GROUPS and zone not in scoring.NOT_OF_ARTICLE:
            groups.add(_SOURCE_GROUPS[source] or source)
    return f"given by {' + '.join(sorted(groups)) or 'nobody'}"


def _name_features(names: Sequence[str], *, person: bool, of_site: bool) -> Iterator[str]:
    """Return the features of the names themselves. Some sites are named after their author."""
    given = all(map(bylines.has_given_name, names))
    looks = {
        "person": person and not of_site,
        "given name": given and not of_site,
        "person with given name": person and given and not of_site,
        "site of a person": person and given and of_site,
        "menu word": any(map(bylines.MENU_WORD.search, names)),
        "organisation": any(map(bylines.is_organisation, names)),
        "one word": any(" " not in name for name in names),
        "has digit": any(char.isdigit() for name in names for char in name),
        "lower case": not any(name[:1].isupper() for name in names),
        "several names": len(names) > 1,
        "many names": len(names) > 3,
    }
    return (feature for feature, holds in looks.items() if holds)


def _against(own: frozenset[str], keys: Sequence[frozenset[str]], near: str, title: str) -> Iterator[str]:
    """Yield features of how the names relate to the other values and to the text near the title."""
    if all(key in near for key in own):
        yield _SHOWN_AT_TITLE
    if any(key in title for key in own):
        yield "given in title"
    if any(own < other for other in keys):
        yield "part of other"
    if any(other < own for other in keys):
        yield "holds other"
    if any(not own & other and any(mine in theirs for mine in own for theirs in other) for other in keys):
        yield "inside other"


def _page_features(values: Sequence[ScoredValue], page: PageFacts) -> Iterator[str]:
    """Yield features of the kind of page and of the number of people on it."""
    people = sum(any(feature.split(",")[0] in _STRONG for feature in value.features) for value in values)
    if people > 4:
        yield "many shown"
    elif people == 1:
        yield "only shown"
    yield from scoring.kind_features(page)
    if page.date_nodes or page.tree.nodes_by_tag.get("time"):
        yield "dated page"
