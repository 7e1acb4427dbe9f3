"""What an address answers with: content type, body, status and the time it last changed."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Resource:
    """One answer of the blog."""

    content_type: str
    body: bytes
    modified: datetime
    status: int = 200
