"""OAI-PMH 2.0: the archive as Dublin Core for libraries. Posts that are gone from their blog are deleted records.

As the protocol demands, every response is XML with status 200, including errors. Lists are ordered by the time of a
post's last change in the archive, so a resumption token is just a query with a position in this order. It never
expires, and posts that change while a list is being read appear again at its end.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from urllib.parse import parse_qsl, urlsplit
from xml.sax.saxutils import escape, quoteattr

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from posterity.archive.overview import PostLine, earliest_stamp, line_of, posts_with, stamped_posts
from posterity.errors import InputError
from posterity.export.xml import without_invalid
from posterity.model import Post, from_json, to_json
from posterity.serve.api.responses import base_url, responses_of
from posterity.serve.services import RawBody, ServicesDep

_OPENING = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<OAI-PMH xmlns="http://www.openarchives.org/OAI/2.0/" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/ '
    'http://www.openarchives.org/OAI/2.0/OAI-PMH.xsd">'
)
_DUBLIN_CORE = (
    '<oai_dc:dc xmlns:oai_dc="http://www.openarchives.org/OAI/2.0/oai_dc/" '
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xsi:schemaLocation="http://www.openarchives.org/OAI/2.0/oai_dc/ '
    'http://www.openarchives.org/OAI/2.0/oai_dc.xsd">'
)


class OaiError(Exception):
    """A request that is answered with an error of the protocol; `code` is its error code."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    @property
    def xml(self) -> str:
        """The <error> element."""
        return f'<error code="{self.code}">{escape(str(self))}</error>'


def document(base: str, inner: str, arguments: dict[str, str]) -> str:
    """Return the whole response, with the arguments of the request as attributes of <request>."""
    known = {name: value for name, value in arguments.items() if re.fullmatch(r"[A-Za-z]+", name)}
    attributes = "".join(f" {name}={quoteattr(value)}" for name, value in known.items())
    # Harvesters use this date as `from` of their next request. A post that is being stored now becomes visible after
    # its time stamp, so a date slightly in the past makes sure that it is not skipped.
    settled = (datetime.now(UTC) - timedelta(minutes=1)).strftime("%Y-%m-%dT%H:%M:%SZ")
    request = f"<request{attributes}>{escape(base)}</request>"
    return without_invalid(f"{_OPENING}<responseDate>{settled}</responseDate>{request}{inner}</OAI-PMH>")


def is_deleted(line: PostLine) -> bool:
    """Return whether the post is gone from its blog, or has moved and is now another record."""
    return line.gone_at is not None or line.moved_to is not None


def header(line: PostLine) -> str:
    """Return the <header> of a record."""
    deleted = ' status="deleted"' if is_deleted(line) else ""
    in_set = f"<setSpec>{line.blog}</setSpec>" if line.blog else ""
    return (
        f"<header{deleted}><identifier>oai:posterity:{line.id}</identifier>"
        f"<datestamp>{line.stamp[:19]}Z</datestamp>{in_set}</header>"
    )


def record(line: PostLine, post: Post | None) -> str:
    """Return a <record>; without a post, it has only a header."""
    if post is None:
        return f"<record>{header(line)}</record>"
    return f"<record>{header(line)}<metadata>{_DUBLIN_CORE}{_fields(post)}</oai_dc:dc></metadata></record>"


def _fields(post: Post) -> str:
    elements = [
        ("title", post.title),
        *(("creator", name) for name in post.authors),
        *(("subject", tag) for tag in post.tags),
        ("description", post.summary or post.text[:600]),
        ("date", post.published.date().isoformat() if post.published else None),
        ("type", "Text"),
        ("format", "text/html"),
        ("identifier", post.canonical_url or post.url),
        ("language", post.language),
        ("rights", post.license),
    ]
    return "".join(f"<dc:{name}>{escape(value)}</dc:{name}>" for name, value in elements if value)


router = APIRouter(tags=["oai-pmh"])
PREFIX = "oai:posterity:"
_PAGE = 100
_DAY, _SECOND = "%Y-%m-%d", "%Y-%m-%dT%H:%M:%SZ"
# The required and the optional arguments of each verb.
_ARGUMENTS = {
    "Identify": (set(), set()),
    "ListMetadataFormats": (set(), {"identifier"}),
    "ListSets": (set(), {"resumptionToken"}),
    "GetRecord": ({"identifier", "metadataPrefix"}, set()),
    "ListIdentifiers": ({"metadataPrefix"}, {"from", "until", "set", "resumptionToken"}),
    "ListRecords": ({"metadataPrefix"}, {"from", "until", "set", "resumptionToken"}),
}  # fmt: skip


class _ListQuery(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of a list request, and the position after the last record returned."""

    since: str = ""
    until: str = "~"
    blog: str | None = None
    after: tuple[str, str] | None = None


@router.get("/oai", responses=responses_of(None, media="text/xml"))
def oai(request: Request, services: ServicesDep) -> Response:
    """Respond to one of the six verbs of OAI-PMH."""
    return _respond(request, services, list(request.query_params.multi_items()))


@router.post("/oai", responses=responses_of(None, media="text/xml"), include_in_schema=False)
def oai_post(request: Request, services: ServicesDep, body: RawBody) -> Response:
    """The same, sent as a form."""
    return _respond(request, services, parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True))


def _respond(request: Request, services: ServicesDep, given: list[tuple[str, str]]) -> Response:
    base = f"{base_url(request)}/oai"
    arguments = dict(given)
    try:
        verb = _checked_verb(arguments, given)
        xml = document(base, f"<{verb}>{_VERBS[verb](services, arguments, base)}</{verb}>", arguments)
    except OaiError as problem:
        xml = document(base, problem.xml, {} if problem.code in ("badVerb", "badArgument") else arguments)
    return Response(xml, media_type="text/xml")


def _checked_verb(arguments: dict[str, str], given: list[tuple[str, str]]) -> str:
    verb = arguments.get("verb", "")
    if verb not in _ARGUMENTS:
        raise OaiError("badVerb", "The verb is not supported.")
    needed, allowed = _ARGUMENTS[verb]
    names = [name for name, _ in given if name != "verb"]
    if len(names) != len(set(names)) or [name for name, _ in given].count("verb") > 1:
        raise OaiError("badArgument", "An argument is repeated.")
    if unknown := set(names) - needed - allowed:
        raise OaiError("badArgument", f"{verb} has no argument {min(unknown)}.")
    if "resumptionToken" in names:
        if len(names) > 1:
            raise OaiError("badArgument", "resumptionToken cannot be combined with other arguments.")
    elif needed - set(names):
        raise OaiError("badArgument", f"{verb} needs the argument {min(needed - set(names))}.")
    return verb


def _identify(services: ServicesDep, _: dict[str, str], base: str) -> str:
    earliest = (earliest_stamp(services.archive) or "1970-01-01T00:00:00.000000Z")[:19] + "Z"
    # The protocol demands an e-mail address; RFC 2142 defines webmaster@ for every host.
    contact = services.settings.contact.removeprefix("mailto:")
    email = contact if "@" in contact else f"webmaster@{urlsplit(base).hostname}"
    return (
        f"<repositoryName>Posterity</repositoryName><baseURL>{base}</baseURL><protocolVersion>2.0</protocolVersion>"
        f"<adminEmail>{escape(email.removeprefix('mailto:'))}</adminEmail><earliestDatestamp>{earliest}</earliestDatestamp>"
        "<deletedRecord>transient</deletedRecord><granularity>YYYY-MM-DDThh:mm:ssZ</granularity>"
    )


def _formats(services: ServicesDep, arguments: dict[str, str], _: str) -> str:
    if "identifier" in arguments:
        _line(services, arguments["identifier"])
    return (
        "<metadataFormat><metadataPrefix>oai_dc</metadataPrefix>"
        "<schema>http://www.openarchives.org/OAI/2.0/oai_dc.xsd</schema>"
        "<metadataNamespace>http://www.openarchives.org/OAI/2.0/oai_dc/</metadataNamespace></metadataFormat>"
    )


def _sets(services: ServicesDep, arguments: dict[str, str], _: str) -> str:
    if "resumptionToken" in arguments:
        raise OaiError("badResumptionToken", "The list of sets is not divided.")
    return "".join(
        f"<set><setSpec>{blog.id}</setSpec><setName>{escape(blog.title or blog.url)}</setName></set>"
        for blog in services.archive.blogs()
    )


def _one(services: ServicesDep, arguments: dict[str, str], _: str) -> str:
    _check_format(arguments)
    line = _line(services, arguments["identifier"])
    return record(line, None if is_deleted(line) else services.archive.post(line.id))


def _list_response(services: ServicesDep, arguments: dict[str, str], _: str) -> str:
    query = _list_query(arguments)
    lines, place = stamped_posts(
        services.archive, _PAGE, after=query.after, since=query.since, until=query.until, blog_id=query.blog,
        moved=True,
    )  # fmt: skip
    if not lines and query.after is None:
        raise OaiError("noRecordsMatch", "No records match.")
    if arguments["verb"] == "ListIdentifiers":
        items = "".join(map(header, lines))
    else:
        whole = posts_with(services.archive, [line.id for line in lines if not is_deleted(line)])
        items = "".join(record(line, whole.get(line.id)) for line in lines)
    if place is None:
        return items + ("<resumptionToken/>" if query.after else "")
    token = base64.urlsafe_b64encode(to_json(msgspec.structs.replace(query, after=place))).decode()
    return f"{items}<resumptionToken>{token}</resumptionToken>"


def _list_query(arguments: dict[str, str]) -> _ListQuery:
    if (token := arguments.get("resumptionToken")) is not None:
        try:
            return from_json(base64.b64decode(token, b"-_", validate=True), _ListQuery)
        except (binascii.Error, ValueError, InputError) as problem:
            raise OaiError("badResumptionToken", "The token was not issued by this server.") from problem
    _check_format(arguments)
    since, until = arguments.get("from"), arguments.get("until")
    if since and until and (len(since) != len(until) or since > until):
        raise OaiError("badArgument", "from and until must have the same granularity, and from must not be later.")
    return _ListQuery(
        since=_stamp(since, ".000000Z") if since else "",
        until=_stamp(until, ".999999Z") if until else "~",
        blog=arguments.get("set"),
    )


def _stamp(text: str, fraction: str) -> str:
    """Convert a date of the protocol to the archive's format; `fraction` tells the start from the end of a day."""
    for form, rest in ((_SECOND, ""), (_DAY, "T00:00:00Z" if fraction == ".000000Z" else "T23:59:59Z")):
        with suppress(ValueError):
            datetime.strptime(text, form)  # noqa: DTZ007 - only its form is checked
            return (text + rest).removesuffix("Z") + fraction
    raise OaiError("badArgument", f"{text} is not a valid date: write 2024-01-31 or 2024-01-31T10:00:00Z.")


def _check_format(arguments: dict[str, str]) -> None:
    if arguments.get("metadataPrefix") != "oai_dc":
        raise OaiError("cannotDisseminateFormat", "Only oai_dc is supported.")


def _line(services: ServicesDep, identifier: str) -> PostLine:
    found = line_of(services.archive, identifier.removeprefix(PREFIX)) if identifier.startswith(PREFIX) else None
    if found is None:
        raise OaiError("idDoesNotExist", "There is no such record.")
    return found


_VERBS: dict[str, Callable[[ServicesDep, dict[str, str], str], str]] = {
    "Identify": _identify, "ListMetadataFormats": _formats, "ListSets": _sets, "GetRecord": _one,
    "ListIdentifiers": _list_response, "ListRecords": _list_response,
}  # fmt: skip
