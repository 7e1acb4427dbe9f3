"""What is done on a page that somebody reading it would do: close the banner, scroll down, ask for the rest.

Each is one file with one function: page in, what it did out. They are run in this order, and are bounded in clicks,
time and bytes. To add one, write its file and name it here.
"""

from __future__ import annotations

from posterity.render.behaviours.consent import close_consent
from posterity.render.behaviours.scroll import scroll_to_end
from posterity.render.behaviours.show_more import show_more

BEHAVIOURS = (close_consent, scroll_to_end, show_more)

__all__ = ["BEHAVIOURS"]
