"""The page that documents the REST API, generated from its OpenAPI description, without scripts."""

from __future__ import annotations

import json
from typing import Any

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from posterity.serve.templating import page

# Values of parameters and bodies in examples; they fit the bundled blog.
_VALUES = {
    "blog": "salt.example", "post": "p0123456789abcdef", "job": "0123456789abcdef", "q": "salt bread",
    "url": "https://salt.example/2019/09/23/salt-loaf/", "stamp": "20240131120000",
}  # fmt: skip
_BODIES: dict[tuple[str, str], object] = {
    ("post", "/api/v1/jobs"): {"kind": "harvest", "url": "https://salt.example/"},
    ("post", "/api/v1/extract"): {"url": "https://salt.example/2019/09/23/salt-loaf/"},
    ("put", "/api/v1/blogs/{blog}/schedule"): {"mode": "every", "hours": 12},
    ("post", "/api/v1/blogs/{blog}/rules/try"): {"post": "p0123456789abcdef", "node": 42, "field": "title"},
}
_QUERIES = {"/oai": {"verb": "ListRecords", "metadataPrefix": "oai_dc"}, "/api/v1/search": {"q": "salt bread"}}
_FREE = ("/api/v1/extract", "/api/v1/blogs/{blog}/rules/try")


class Parameter(msgspec.Struct, frozen=True, kw_only=True):
    """A parameter of a call."""

    name: str
    place: str
    required: bool
    meaning: str


class Call(msgspec.Struct, frozen=True, kw_only=True):
    """A call of the REST API."""

    group: str
    method: str
    path: str
    meaning: str
    parameters: tuple[Parameter, ...]
    statuses: tuple[tuple[str, str], ...]
    example: str


def calls_of(openapi: dict[str, Any]) -> list[Call]:
    """Return every call with an example, ordered by group."""
    found = []
    for path, methods in openapi["paths"].items():
        for method, about in methods.items():
            parameters = tuple(_parameter(one) for one in about.get("parameters", ()))
            statuses = tuple((code, one["description"]) for code, one in about["responses"].items())
            found.append(
                Call(
                    group=about.get("tags", ["other"])[0], method=method.upper(), path=path,
                    meaning=about.get("description", ""), parameters=parameters, statuses=statuses,
                    example=example(method, path),
                )
            )  # fmt: skip
    groups = list(dict.fromkeys(call.group for call in found))
    return sorted(found, key=lambda call: groups.index(call.group))


def example(method: str, path: str) -> str:
    """Return Python code that makes the call with only the standard library."""
    written = path
    for name, value in _VALUES.items():
        written = written.replace("{" + name + "}", value).replace("{" + name + ":path}", value)
    query = _QUERIES.get(path)
    lines = ["import json", "import urllib.request", ""]
    if query:
        lines[1:1] = ["import urllib.parse"]
        lines.append(f"query = urllib.parse.urlencode({query!r})")
    url = f'f"http://127.0.0.1:8000{written}?{{query}}"' if query else f'"http://127.0.0.1:8000{written}"'
    options = [url]
    body = _BODIES.get((method, path))
    headers = {}
    if body is not None:
        lines.append(f"body = {body!r}")
        options.append("data=json.dumps(body).encode()")
        headers["Content-Type"] = "application/json"
    elif method == "put":
        lines += ['with open("rules.json", "rb") as file:', "    body = file.read()"]
        options.append("data=body")
        headers["Content-Type"] = "application/json"
    if method in ("post", "put", "delete") and path not in _FREE:
        headers["Authorization"] = "Bearer TOKEN"
    if headers:
        options.append(f"headers={json.dumps(headers)}")
    if method not in ("get", "post"):
        options.append(f'method="{method.upper()}"')
    lines.append(f"request = urllib.request.Request({', '.join(options)})")
    lines.append("with urllib.request.urlopen(request) as response:")
    lines += _reading(path)
    return "\n".join(line for line in lines if "json" in "".join(lines[2:]) or line != "import json")


def _reading(path: str) -> list[str]:
    if path == "/api/v1/jobs/{job}/events":
        return ["    for line in response:", "        print(line.decode().rstrip())"]
    if (path.startswith("/api/v1") and not path.endswith("/file")) or path in ("/feed.json", "/health"):
        return ["    print(json.load(response))"]
    return ["    print(response.read().decode())"]


def _parameter(about: dict[str, Any]) -> Parameter:
    schema = about.get("schema", {})
    meaning = about.get("description") or schema.get("description") or ""
    default = schema.get("default")
    return Parameter(
        name=about["name"],
        place=about["in"],
        required=bool(about.get("required")),
        meaning=f"{meaning} Default: {default}.".strip() if default not in (None, "") else meaning,
    )


router = APIRouter(include_in_schema=False)


@router.get("/api")
def interface(request: Request) -> Response:
    """Show every call with an example."""
    return page(request, "api.html", calls=calls_of(request.app.openapi()))
