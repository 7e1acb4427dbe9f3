"""How the blog writes its dates: as sentences for readers, as standards for machines.

Months are spelled out here because `strftime` follows the locale of the machine.
"""

from datetime import datetime
from email.utils import format_datetime

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)


def day_month_year(moment: datetime) -> str:
    """Return a date like `12 March 2021`."""
    return f"{moment.day} {MONTHS[moment.month - 1]} {moment.year}"


def month_day_year(moment: datetime) -> str:
    """Return a date like `March 12, 2021`."""
    return f"{MONTHS[moment.month - 1]} {moment.day}, {moment.year}"


def dotted(moment: datetime) -> str:
    """Return a date like `12.03.2021`."""
    return f"{moment:%d.%m.%Y}"


def rfc822(moment: datetime) -> str:
    """Return a date like `Fri, 12 Mar 2021 21:10:00 +0000`, as RSS wants it."""
    return format_datetime(moment)
