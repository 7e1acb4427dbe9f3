"""How a host spells its folders: one that redirects /post to /post/ is asked for /post/ at once."""

from __future__ import annotations

from urllib.parse import urlsplit

# So many redirects in a row make a habit.
_HABIT = 3


class SlashHabit:
    """Learns from where requests were redirected to; a single answer without a slash ends the habit."""

    def __init__(self) -> None:
        self._redirected = 0
        self._broken = False

    def learn(self, asked: str, answered: str) -> None:
        """A request for one address was answered at another, or at the same."""
        if not _is_bare(asked):
            return
        if answered.partition("://")[2] == f"{asked.partition('://')[2]}/":
            self._redirected += 1
        else:
            self._broken = self._broken or answered == asked

    def spelled(self, url: str) -> str:
        """Return the address as the host will answer it."""
        return f"{url}/" if self._redirected >= _HABIT and not self._broken and _is_bare(url) else url


def _is_bare(url: str) -> bool:
    """Tell whether the address could have a slash at its end but has none."""
    parts = urlsplit(url)
    return not parts.query and not parts.path.endswith("/") and "." not in parts.path.rpartition("/")[2]
