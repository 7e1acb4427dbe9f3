"""The page of the fleet: tasks by state, workers, what runs now, and what failed and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fastapi import APIRouter, Request
from starlette.responses import Response

from posterity.archive.opening import is_postgres
from posterity.serve.problems import Problem
from posterity.serve.services import Parts
from posterity.serve.templating import page

if TYPE_CHECKING:
    from posterity.fleet.status import FleetStatus

router = APIRouter(include_in_schema=False)


@router.get("/fleet")
def fleet(request: Request, parts: Parts) -> Response:
    """Show the fleet of an archive on PostgreSQL; for any other archive, how to make one."""
    if parts.settings.public:  # it names machines
        raise Problem(404, "The fleet is shown by servers that are not public.")
    return page(request, "fleet.html", fleet=fleet_of(parts.settings.archive))


def fleet_of(archive: str) -> FleetStatus | None:
    """Return what the fleet of the archive does; None for an archive without one."""
    if not is_postgres(archive):
        return None
    from posterity.fleet.status import known_status

    return known_status(archive)
