"""`posterity.extract` on a page goes through few files."""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType

import posterity

MAX_FILES = 30
ROOT = str(Path(posterity.__file__).parent)
WORDS = "The tide comes in twice a day, and the boats lie dry in between for some hours. " * 6
PAGE = f"""<html lang=en><head><title>Tides | Harbour notes</title><meta property=og:title content=Tides>
<script type="application/ld+json">{{"@type": "BlogPosting", "headline": "Tides",
"datePublished": "2021-03-04"}}</script>
</head><body><div id=nav><a href=/>Home</a><a href=/about>About</a></div>
<div class="post"><h1 class="entry-title">Tides</h1><p class=byline>Posted by <a rel=author href=/ada>Ada Lovelace</a>
on <time datetime="2021-03-04T10:00:00Z">4 March 2021</time></p>
<div class="entry-content"><p>{WORDS}</p>
<p>{WORDS} <a href=/boats>boats</a> <img src=/boat.png alt=boat></p></div></div>
<h3>2 comments</h3><ol class=comments>
<li class=comment id=comment-1><cite class=fn>Grace</cite> <a href=#comment-1>5 March 2021, 12:10</a>
<p>Well seen.</p></li>
<li class=comment id=comment-2><cite class=fn>Alan</cite> <a href=#comment-2>6 March 2021, 9:20</a>
<p>The harbour, too?</p>
</li></ol><div id=foot>Imprint</div></body></html>"""
URL = "https://blog.example/2021/03/tides/"


def test_extract_enters_few_files() -> None:
    first = posterity.extract(PAGE, URL)  # the model and the lexicon are loaded once
    entered: set[str] = set()

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            entered.add(frame.f_code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        again = posterity.extract(PAGE, URL)
    finally:
        sys.setprofile(before)
    ours = sorted(name.removeprefix(ROOT) for name in entered if name.startswith(ROOT))
    assert first == again
    assert first is not None
    assert len(first.comments) == 2
    assert 10 < len(ours) <= MAX_FILES, ours
