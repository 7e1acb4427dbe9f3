"""What people write in dates and CLDR does not list: spellings, little words, zones.

Each entry was seen on real pages or is a rule of the language; CLDR keeps one spelling per word and blogs do not.
"""

from __future__ import annotations

from typing import Final

# Tags that pages still use for a language that CLDR files under another one.
SAME_LANGUAGE: Final = {
    "no": "nb", "iw": "he", "in": "id", "tl": "fil", "sh": "sr-Latn", "mo": "ro", "cn": "zh", "jp": "ja",
}  # fmt: skip

# Regions whose words are read along: a page says "ar" or "de" and uses the words of its own country.
REGIONS_OF: Final[dict[str, tuple[str, ...]]] = {
    "ar": ("ar", "ar_LB", "ar_DZ", "ar_MA"),
    "de": ("de", "de_AT"),
    "en": ("en", "en_GB", "en_AU"),
    "es": ("es", "es_MX", "es_PE"),
    "fr": ("fr", "fr_CA"),
    "nb": ("nb", "nn"),
    "nn": ("nn", "nb"),
    "pt": ("pt", "pt_PT"),
    "sr": ("sr", "sr_Latn"),
    "uz": ("uz", "uz_Cyrl"),
    "zh": ("zh", "zh_Hant"),
}

EXTRA_MONTHS: Final[dict[str, dict[str, int]]] = {
    "cs": {"unor": 2},
    "de": {"mrz": 3, "maerz": 3},
    "en": {"sept": 9, "febuary": 2},
    "es": {"setiembre": 9, "set": 9, "ene": 1},
    "he": {"מרס": 3},
    "ru": {"сен": 9, "фев": 2, "нояб": 11},
    "tr": {"şub": 2},
}

# Between the parts of a date, and between a date and a time of day. CLDR's patterns name some; these are the rest.
INSIDE_A_DATE: Final = (
    "of the de del della dello dell di do d den der le el al in year an anno año ano г год года р року р рік "
    "roku r m d ngày năm tháng ค.ศ พ.ศ ที่ เดือน عام سنة من წლის թ ж rok"
).split()
BESIDE_A_TIME: Final = (
    "at on @ um am ab gegen den der dem le à a á as às las la los alle ore ora h om kl klo kello klukkan klokken "
    "o ob u w godz godzinie v ve в о об у на saat saati jam pukul lúc vào στις ώρα الساعة في ב בשעה ساعت time "
    "il el en el día dia hora horas de do het de på den the of at- kell klo plkst val ura v od um"
).split()

# RFC 2822, section 4.3, for North America; elsewhere only the abbreviations that name one zone.
ZONE_HOURS: Final = {
    "z": 0, "utc": 0, "gmt": 0, "ut": 0, "est": -5, "edt": -4, "cst": -6, "cdt": -5, "mst": -7, "mdt": -6, "pst": -8,
    "pdt": -7, "cet": 1, "cest": 2, "mez": 1, "mesz": 2, "eet": 2, "eest": 3, "bst": 1, "msk": 3, "jst": 9, "kst": 9,
    "hkt": 8, "sgt": 8, "aest": 10, "aedt": 11, "nzst": 12, "nzdt": 13,
}  # fmt: skip
