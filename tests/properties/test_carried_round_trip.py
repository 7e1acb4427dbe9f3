"""A post is unchanged by a round trip through WXR or Atom, whatever is in it."""

from __future__ import annotations

from io import BytesIO
from typing import TYPE_CHECKING, Any

import msgspec
import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from tests.properties.test_model_round_trip import values_of
from tests.unit.export.writing import source_of

from posterity.dom import parse
from posterity.export.atom import write_atom
from posterity.export.wxr import write_wxr
from posterity.extraction.record import article_fields
from posterity.importer.records.atom import records_in_atom
from posterity.importer.records.wxr import records_in_wxr
from posterity.model import Blog, Comment, Post, to_json

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

FORMATS = [(write_wxr, records_in_wxr), (write_atom, records_in_atom)]
BLOG = Blog(id="b1", url="https://blog.example/", title="Tides")
# Parents refer to ids, so these must differ.
COMMENTS = st.lists(values_of(Comment), max_size=4, unique_by=lambda comment: comment.id).map(tuple)
TAGS = st.sampled_from("p div b ul li table td pre h2 a blockquote".split())
TREES = st.recursive(
    st.text(max_size=10),
    lambda inner: st.builds(lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>", TAGS, st.lists(inner, max_size=3)),
    max_leaves=8,
)
POSTS = st.tuples(values_of(Post), COMMENTS, st.one_of(st.none(), TREES)).map(
    lambda parts: msgspec.structs.replace(
        parts[0], url="https://blog.example/a/", blog="b1", comments=parts[1], html=parts[2]
    )
)


@pytest.mark.parametrize(("write", "read"), FORMATS)
def test_any_post_comes_back_the_same(write: Callable[..., None], read: Callable[..., Iterator[Any]]) -> None:
    @settings(max_examples=25, phases=[Phase.generate])
    @given(POSTS)
    def check(post: Post) -> None:
        out = BytesIO()
        write(source_of([post], BLOG), out)
        out.seek(0)
        (found,) = read(out, "file")
        assert to_json(found.post) == to_json(post)

    check()


@pytest.mark.parametrize(("write", "read"), FORMATS)
def test_embeds_formulas_and_footnotes_come_back(
    write: Callable[..., None], read: Callable[..., Iterator[Any]]
) -> None:
    """The HTML has links in place of players, so `media` cannot be derived from it."""
    page = (
        '<p>So <script type="math/tex">a_1 * b</script> holds<sup><a href="#fn:1" class="footnote">1</a></sup>.</p>'
        '<iframe src="https://www.youtube.com/embed/abcdefghijk" title="Ebb"></iframe>'
        '<video poster="/still.jpg" title="Flow"><source src="/film.mp4"></video>'
        '<div class="footnotes"><ol><li id="fn:1"><p>A note.</p></li></ol></div>'
    )
    url = "https://blog.example/a/"
    post = Post(id="p", url=url, blog="b1", **article_fields(parse(page, url).tree, url))
    assert [(medium.kind, medium.provider, medium.title) for medium in post.media] == [
        ("video", "YouTube", "Ebb"),
        ("video", None, "Flow"),
        ("image", None, None),
    ]
    out = BytesIO()
    write(source_of([post], BLOG), out)
    out.seek(0)
    (found,) = read(out, "file")
    assert to_json(found.post) == to_json(post)
