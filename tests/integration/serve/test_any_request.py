"""No request that the OpenAPI description allows, nor one beside it, makes the server fail: schemathesis tries."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from schemathesis.specs.openapi.checks import positive_data_acceptance

from posterity.serve.app import create_app
from posterity.serve.settings import ServeSettings

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.serve.running import Served

# Streams until a job ends; another test follows one.
_LEFT_OUT = ("/api/v1/jobs/{job}/events",)
# What a schema allows can still make no sense (a month 13, a method without a page), and is answered with 422.
_NOT_CHECKED = [positive_data_acceptance]
_EXAMPLES = 10


def test_no_request_makes_the_server_fail(site: Served, blog_archive: Path) -> None:
    app = create_app(ServeSettings(archive=str(blog_archive)))
    tried = 0
    for result in schemathesis.openapi.from_dict(app.openapi()).get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]
        if operation.path not in _LEFT_OUT:
            _try(operation, site)
            tried += 1
    assert tried >= 20


def _try(operation: Any, site: Served) -> None:
    def one(case: Any) -> None:
        case.validate_response(case.call(base_url=site.base_url), excluded_checks=_NOT_CHECKED)

    bounds = settings(
        max_examples=_EXAMPLES,
        deadline=None,
        phases=[Phase.generate],
        database=None,
        derandomize=True,
        suppress_health_check=list(HealthCheck),
    )
    bounds(given(case=operation.as_strategy())(one))()
