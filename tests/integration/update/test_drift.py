"""A blog that changes its looks: its new posts show it, rules are learned again, and old posts stay what they were."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from posterity.archive import open_archive
from posterity.crawl.jobs import Drifted, Learned

if TYPE_CHECKING:
    from tests.integration.update.conftest import Followed


@pytest.mark.parametrize("theme_change", [None, "2021-04-01"], ids=["all pages", "only new posts"])
def test_new_theme_is_learned_and_new_posts_are_whole(followed: Followed, theme_change: str | None) -> None:
    followed.grow(18, theme="attic", theme_change=theme_change)
    outcome = followed.update()
    (drifted,) = (event for event in outcome.events if isinstance(event, Drifted))
    assert (drifted.pages, drifted.failing, drifted.version) == (4, 4, 2)
    assert [event.rules.version for event in outcome.events if isinstance(event, Learned)] == [2]
    assert (outcome.report.new, outcome.report.relearned, outcome.report.rules) == (4, True, 2)
    with open_archive(followed.archive) as store:
        rules = store.rules(store.blog(followed.url).id)
    assert rules is not None
    assert rules.version == 2
    posts = followed.posts()
    for true in followed.blog.site.truth[:4]:
        assert posts[true.url].title == true.title
        words, wanted = posts[true.url].text.split(), true.text.split()
        assert abs(len(words) - len(wanted)) <= 0.1 * len(wanted), true.url


def test_same_theme_is_no_drift(followed: Followed) -> None:
    followed.grow(18)
    outcome = followed.update()
    assert not [event for event in outcome.events if isinstance(event, Drifted | Learned)]
    assert (outcome.report.relearned, outcome.report.rules) == (False, 1)
