"""bte against a direct implementation of the formula, and on pages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from posterity.dom import parse
from posterity.extraction.bte import Run, best_span, posts, token_runs
from posterity.extraction.method import Context

COUNTS = st.lists(st.tuples(st.integers(0, 4), st.integers(1, 4)), max_size=8)
NAV = "<ul>" + "<li><a href='/x'>Home</a></li>" * 10 + "</ul>"
PAGE = f"""<html><head><title>Not the body</title></head><body>{NAV}
<div id=main><h1>A quiet harbour</h1><p>The tide came in before <b>anyone</b> had noticed it at all.</p><img src=/a.jpg>
<p>Then the boats began to move, one after the other, towards the open sea.</p></div>{NAV}</body></html>"""


def naive(sequence: list[int]) -> tuple[int, int, int]:
    """Maximise T(i, j) as printed, over all pairs; ties go to the fewest tags inside, then to the first."""
    best = (-1, 0, 0, 0)
    size = len(sequence)
    for i in range(size):
        for j in range(i, size):
            inside = sequence[i : j + 1]
            value = sum(sequence[:i]) + sum(1 - token for token in inside) + sum(sequence[j + 1 :])
            if (value, -sum(inside)) > (best[0], best[1]):
                best = (value, -sum(inside), i, j)
    return best[0], best[2], best[3]


@given(COUNTS, st.integers(0, 4))
def test_one_pass_agrees_with_the_cubic_formula(counts: list[tuple[int, int]], tags_after: int) -> None:
    runs = [Run(index, tags, words) for index, (tags, words) in enumerate(counts)]
    span = best_span(runs)
    if span is None:
        assert not runs
        return
    tokens: list[int] = []
    first_token, last_token = [], []
    for run in runs:
        tokens += [1] * run.tags
        first_token.append(len(tokens))
        tokens += [0] * run.words
        last_token.append(len(tokens) - 1)
    tokens += [1] * tags_after
    assert (sum(tokens) + span.gain, first_token[span.i], last_token[span.j]) == naive(tokens)


def test_elements_count_as_two_tags_and_void_elements_as_one() -> None:
    tree = parse("<body>one<p>two words</p><br>three <b>four</b>").tree
    assert [(run.tags, run.words) for run in token_runs(tree)] == [(1, 1), (1, 2), (2, 1), (1, 1)]


def test_scripts_styles_and_comments_are_no_tokens() -> None:
    with_code = parse("<body>a<script>var x = 1</script><style>p {}</style><!-- no --><p>b</p>").tree
    without = parse("<body>a<p>b</p>").tree
    assert [run[1:] for run in token_runs(with_code)] == [run[1:] for run in token_runs(without)]


def test_text_between_link_lists_is_the_article() -> None:
    (post,) = posts(parse(PAGE, "https://blog.example/a"), Context())
    assert post.text.startswith("A quiet harbour")
    assert post.text.endswith("towards the open sea.")
    assert "Home" not in post.text + (post.html or "") + (post.markdown or "")
    assert post.links == ()
    assert post.media[0].url == "https://blog.example/a.jpg"
    assert post.provenance["text"].method == "bte"


def test_text_beside_the_stretch_in_the_same_element_is_left_out() -> None:
    links = "<a href=/x><i>x</i></a>" * 20
    (post,) = posts(
        parse(f"<body>menu {links}<p>one two three four five six seven</p>{links} footer</body>"), Context()
    )
    assert post.text == "one two three four five six seven"


def test_a_page_inside_one_form_is_read() -> None:
    (post,) = posts(parse("<body><form><p>one two three</p><p>four five six</p></form></body>"), Context())
    assert post.text == "one two three\n\nfour five six"


def test_pages_without_words_give_nothing() -> None:
    for page in ("", "<body><img src=a.png></body>", "<frameset><frame src=a></frameset>", b"\x00\xff\xfe\x01" * 5):
        assert all(post.text for post in posts(parse(page), Context()))
    assert posts(parse(""), Context()) == ()
