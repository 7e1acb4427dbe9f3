"""Structured data of pages, well-formed or not."""

from __future__ import annotations

import pytest

from posterity.dom import parse
from posterity.dom.document import JsonLd, StructuredData, declared_data, declared_person_names, json_ld, types_of


def data(html: str) -> StructuredData:
    return declared_data(parse(html))


def test_metas_are_found_by_any_of_their_names_in_any_case() -> None:
    found = data(
        "<meta name=Author content=Ada><meta property=og:title content='A  title'><meta itemprop=headline content=H>"
    )
    assert found.first("author") == "Ada"
    assert found.first("og:title") == "A title"
    assert found.first("missing", "headline") == "H"
    assert found.first("missing") == ""


def test_title_of_a_drawing_is_not_the_title_of_the_page() -> None:
    assert data("<body><svg><title>Menu</title></svg>").title == ""
    assert data("<title>Tides</title><svg><title>Menu</title></svg>").title == "Tides"


@pytest.mark.parametrize(
    "json",
    [
        '{"@type": "Article", "headline": "Tides"}',
        '[{"@type": "Article", "headline": "Tides"}]',
        '{"@graph": [{"@type": ["Article"], "headline": "Tides"}]}',
        '{"@type": "WebPage", "mainEntity": {"@type": "http://schema.org/Article", "headline": "Tides"}}',
        '//<![CDATA[\n{"@type": "Article", "headline": "Tides"}\n//]]>',
        '{"@type": "Article", "headline": "Tides", "description": "two\nlines"};',
    ],
)
def test_article_is_found_wherever_json_ld_puts_it(json: str) -> None:
    found = data(f"<script type=application/ld+json>{json}</script>")
    assert [item["headline"] for item in found.items if "Article" in types_of(item)] == ["Tides"]


def test_json_ld_with_commas_behind_the_last_values_is_read() -> None:
    script = (
        '<script type=application/ld+json>{"@type": "Article", "keywords": ["salt",\n], "name": "Nets",\n}</script>'
    )
    assert data(script).items == ({"@type": "Article", "keywords": ["salt"], "name": "Nets"},)


def test_broken_json_ld_is_left_out() -> None:
    assert data("<script type=application/ld+json>{broken</script>").items == ()


def test_pointers_lead_to_what_they_point_at() -> None:
    found = data(
        '<script type=application/ld+json>[{"author": {"@id": "#ada"}}, {"@id": "#ada", "name": "Ada"}]</script>'
    )
    assert found.resolved(found.items[0]["author"])["name"] == "Ada"
    assert found.resolved("Ada") == {}


def test_json_ld_of_a_document_is_that_of_its_tree() -> None:
    document = parse('<script type="application/ld+json">{"@graph": [{"name": "x"}]}</script>')
    assert json_ld(document) == declared_data(document).items


def test_names_are_told_by_texts_objects_lists_and_references() -> None:
    items = JsonLd(({"@id": "#ada", "name": " Ada  Lovelace "},))
    told = ["Maren", {"name": ["Jonas", "Ida"]}, {"@id": "#ada"}, {"name": 7}, 7, "https://blog.example/maren"]
    assert list(declared_person_names(told, items)) == ["Maren", "Jonas", "Ida", "Ada Lovelace"]


RDF = (
    '<!-- <rdf:RDF xmlns:dc="http://purl.org/dc/elements/1.1/"><rdf:Description rdf:about="http://blog.example/{0}"'
    ' dc:title="Salt &amp; wind {0}" dc:creator="Ada" dc:date="2005-05-26T06:58:13+09:00" /></rdf:RDF> -->'
)


def test_data_for_trackbacks_in_a_comment_are_declared() -> None:
    document = parse(f"<head>{RDF.format(1)}</head><p>x")
    assert json_ld(document) == declared_data(document).items
    (item,) = json_ld(document)
    assert (item["headline"], item["author"]) == ("Salt & wind 1", "Ada")
    assert item["datePublished"] == "2005-05-26T06:58:13+09:00"


def test_data_for_trackbacks_of_several_posts_are_not_the_pages() -> None:
    assert json_ld(parse(f"<p>a{RDF.format(1)}<p>b{RDF.format(2)}")) == ()
