"""Comment services with public data, whose pages need not be rendered: one module each.

To add one, write its module with `first_request` and `read`, and add it to `_SERVICES`.
"""

from __future__ import annotations

from posterity.config import RenderSettings
from posterity.dom import Document
from posterity.render.services import blogger, disqus, isso, utterances
from posterity.render.services.dialogue import Service, ServiceRequest, ServiceThread, dialogue

_SERVICES: tuple[Service, ...] = (isso, disqus, utterances, blogger)

__all__ = ["ServiceRequest", "ServiceThread", "dialogue", "thread_on"]


def thread_on(document: Document, settings: RenderSettings) -> ServiceThread | None:
    """Return the page's thread at one of the services, or None."""
    for service in _SERVICES:
        if (request := service.first_request(document, settings)) is not None:
            return ServiceThread(service=service, request=request)
    return None
