"""Who may write: a request with the token, or with the session cookie that a browser keeps instead of it."""

from __future__ import annotations

import hashlib
import hmac
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from starlette.requests import Request

    from posterity.serve.settings import ServeSettings

COOKIE = "posterity_session"


def is_writer(request: Request, settings: ServeSettings) -> bool:
    """Tell whether the sender of the request may write."""
    if settings.token is None:
        return not settings.public
    scheme, _, given = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return is_token(settings, given.strip())
    return hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), session_of(settings.token).encode())


def is_token(settings: ServeSettings, given: str) -> bool:
    """Tell whether this is the token, in constant time: the duration does not show how near a guess is."""
    return settings.token is not None and hmac.compare_digest(given.encode(), settings.token.encode())


def session_of(token: str) -> str:
    """Return the value of the session cookie: it gives access, and the token cannot be computed from it."""
    return hmac.new(token.encode(), b"posterity session", hashlib.sha256).hexdigest()
