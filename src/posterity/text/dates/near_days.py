"""Today and yesterday, and "one" before a unit of time, by language.

CLDR has the first two, but Babel's public interface does not give them out.
"""

from __future__ import annotations

from typing import Final

_WORDS: Final = {
    "ar": ("اليوم", "أمس"),
    "bg": ("днес", "вчера"),
    "ca": ("avui", "ahir"),
    "cs": ("dnes", "včera"),
    "da": ("i dag", "i går"),
    "de": ("heute", "gestern"),
    "el": ("σήμερα", "χθες"),
    "en": ("today", "yesterday"),
    "es": ("hoy", "ayer"),
    "et": ("täna", "eile"),
    "eu": ("gaur", "atzo"),
    "fa": ("امروز", "دیروز"),
    "fi": ("tänään", "eilen"),
    "fr": ("aujourd'hui", "hier"),
    "gl": ("hoxe", "onte"),
    "he": ("היום", "אתמול"),
    "hi": ("आज", "कल"),
    "hr": ("danas", "jučer"),
    "hu": ("ma", "tegnap"),
    "id": ("hari ini", "kemarin"),
    "it": ("oggi", "ieri"),
    "ja": ("今日", "昨日"),
    "ko": ("오늘", "어제"),
    "lt": ("šiandien", "vakar"),
    "lv": ("šodien", "vakar"),
    "nb": ("i dag", "i går"),
    "nl": ("vandaag", "gisteren"),
    "pl": ("dzisiaj", "wczoraj"),
    "pt": ("hoje", "ontem"),
    "ro": ("astăzi", "ieri"),
    "ru": ("сегодня", "вчера"),
    "sk": ("dnes", "včera"),
    "sl": ("danes", "včeraj"),
    "sr": ("данас", "јуче"),
    "sv": ("i dag", "i går"),
    "th": ("วันนี้", "เมื่อวาน"),
    "tr": ("bugün", "dün"),
    "uk": ("сьогодні", "вчора"),
    "vi": ("hôm nay", "hôm qua"),
    "zh": ("今天", "昨天"),
}
DAYS_AGO: Final[dict[str, dict[str, int]]] = {
    language: {today: 0, yesterday: 1} for language, (today, yesterday) in _WORDS.items()
}
DAYS_AGO["de"]["vorgestern"] = 2
DAYS_AGO["fr"]["avant-hier"] = 2
DAYS_AGO["ru"]["позавчера"] = 2
DAYS_AGO["ja"]["おととい"] = 2
DAYS_AGO["zh"]["前天"] = 2
DAYS_AGO["hi"].pop("कल")  # is both yesterday and tomorrow

ONE: Final[dict[str, tuple[str, ...]]] = {
    "ca": ("un", "una"),
    "da": ("en", "et"),
    "de": ("einem", "einer"),
    "en": ("a", "an", "one"),
    "es": ("un", "una"),
    "fr": ("un", "une"),
    "it": ("un", "una", "un'"),
    "nb": ("en", "ett"),
    "nl": ("een", "één"),
    "pt": ("um", "uma"),
    "sv": ("en", "ett"),
}
