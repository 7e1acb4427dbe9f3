"""Comment services that give their comments as data, so that nobody has to click for them: one file each.

To add one, write its file with `first_ask` and `read`, and name it here.
"""

from __future__ import annotations

from posterity.config import RenderSettings
from posterity.dom import Document
from posterity.render.services import blogger, disqus, isso, utterances
from posterity.render.services.dialogue import Ask, Service, ServiceThread, dialogue

_SERVICES: tuple[Service, ...] = (isso.Isso(), disqus.Disqus(), utterances.Utterances(), blogger.BloggerComments())

__all__ = ["Ask", "ServiceThread", "dialogue", "thread_on"]


def thread_on(document: Document, settings: RenderSettings) -> ServiceThread | None:
    """Return the thread that the page has with a service whose data are public, or None."""
    for service in _SERVICES:
        ask = service.first_ask(document, settings)
        if ask is not None:
            return ServiceThread(service=service, ask=ask)
    return None
