"""No request that the OpenAPI description allows, nor one beside it, makes the server fail: schemathesis tries."""

from __future__ import annotations

from typing import TYPE_CHECKING

import schemathesis
from hypothesis import HealthCheck, Phase, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from posterity.serve.app import create_app
from posterity.serve.settings import ServeSettings

if TYPE_CHECKING:
    from pathlib import Path

    from tests.integration.serve.running import Served

# What begins a crawl or streams until a job ends is tried by other tests.
_LEFT_OUT = ("/api/v1/jobs/{job}/events",)


def test_no_request_makes_the_server_fail(site: Served, blog_archive: Path) -> None:
    app = create_app(ServeSettings(archive=str(blog_archive)))
    schema = schemathesis.openapi.from_dict(app.openapi())
    tried = 0
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.path in _LEFT_OUT:
            continue

        @settings(
            max_examples=12, deadline=None, phases=[Phase.generate], database=None, derandomize=True,
            suppress_health_check=list(HealthCheck),
        )  # fmt: skip
        @_given(operation)
        def try_one(case: schemathesis.Case) -> None:
            answer = case.call(base_url=site.base_url)
            checks = [not_a_server_error, status_code_conformance, response_schema_conformance]
            case.validate_response(answer, checks=checks)

        try_one()
        tried += 1
    assert tried >= 20


def _given(operation: object):  # type: ignore[no-untyped-def]
    from hypothesis import given

    return given(case=operation.as_strategy())  # type: ignore[attr-defined]
