"""The pattern of post URLs, learned from the feed's."""

from __future__ import annotations

import pytest

from posterity.urls import PostPattern, post_pattern
from posterity.urls.post_pattern import GrowingPattern

HOST = "http://blog.example"
STYLES = {
    "dated": (
        ["/2021/03/12/on-tides/", "/2020/11/02/bread/"],
        ["/2019/01/30/first-post/", "/2022/12/31/2022-in-review/"],
        [
            "/",
            "/about/",
            "/2021/",
            "/2021/03/",
            "/2021/03/12/",
            "/tag/2021/03/",
            "/2021/03/12/on-tides/feed/",
            "/page/2/",
        ],
    ),
    "query": (
        ["/?p=1234567", "/?p=345"],
        ["/?p=6", "/?p=7890"],
        ["/", "/?page_id=3", "/?cat=12", "/?p=12&paged=2", "/?m=202103"],
    ),
    "flat": (
        ["/on-tides/", "/bread/", "/the-long-way/"],
        ["/winds/", "/salt-loaf/"],
        ["/", "/tag/bread/", "/on-tides/feed/", "/?s=bread", "/page/2/"],
    ),
    "html in a folder": (
        ["/posts/on-tides.html", "/posts/bread.html"],
        ["/posts/winds.html"],
        ["/posts/", "/about.html", "/posts/winds.php", "/posts/2021/winds.html", "/tags/bread.html"],
    ),
    "year and month": (
        ["/2021/03/on-tides.html", "/2020/11/bread.html"],
        ["/2019/01/winds.html"],
        ["/2021/03/", "/search/label/bread.html", "/p/about.html", "/2021_03_01_archive.html"],
    ),
    "date in the name": (
        ["/2021-03-12-on-tides.html", "/2020-11-02-bread.html"],
        ["/2019-01-30-winds.html"],
        ["/", "/tag/x.html", "/feed.xml"],
    ),
    "in another language": (
        ["/2021/03/%E6%BD%AE%E6%B1%90/", "/2020/11/%E9%9D%A2%E5%8C%85/"],
        ["/2019/01/%E9%A3%8E/", "/2019/01/wind/"],
        ["/%E6%BD%AE/", "/2019/01/"],
    ),
    "number in place of the day": (
        ["/2021/03/340/", "/2020/11/271/"],
        ["/2008/07/51/", "/2007/09/7/"],
        ["/2021/", "/2021/03/", "/page/2/", "/tag/2021/03/12/x/"],
    ),
    "number at the end": (
        ["/archives/121", "/archives/345"],
        ["/archives/6", "/archives/7890"],
        ["/archives/", "/archives/about", "/12", "/archives/12/34"],
    ),
}


@pytest.mark.parametrize("style", STYLES)
def test_pattern_fits_its_own_addresses_and_others_of_the_style(style: str) -> None:
    feed, others, _ = STYLES[style]
    pattern = post_pattern(HOST + path for path in feed)
    assert [path for path in feed + others if not pattern.fits(HOST + path)] == []


@pytest.mark.parametrize("style", STYLES)
def test_pattern_does_not_fit_what_is_no_post(style: str) -> None:
    feed, _, no_posts = STYLES[style]
    pattern = post_pattern(HOST + path for path in feed)
    assert [path for path in no_posts if pattern.fits(HOST + path)] == []


def test_example_of_the_module() -> None:
    pattern = post_pattern([f"{HOST}/2021/03/12/on-tides/", f"{HOST}/2020/11/02/bread/"])
    assert pattern.regex.startswith(r"/\d{4}/\d{2}/\d{2}/")
    assert pattern.fits(f"{HOST}/2019/01/30/anything-else/")


def test_shapes_are_alternatives() -> None:
    pattern = post_pattern([f"{HOST}/2021/03/12/on-tides/", f"{HOST}/notes/a.html", f"{HOST}/notes/b.html"])
    assert pattern.fits(f"{HOST}/1999/01/01/x/")
    assert pattern.fits(f"{HOST}/notes/c.html")
    assert not pattern.fits(f"{HOST}/other/c.html")


def test_single_entry_opens_its_last_word_only() -> None:
    pattern = post_pattern([f"{HOST}/blog/on-tides/"])
    assert pattern.fits(f"{HOST}/blog/bread/")
    assert not pattern.fits(f"{HOST}/about/bread/")
    assert not pattern.fits(f"{HOST}/blog/")


@pytest.mark.parametrize("urls", [[], [HOST], [f"{HOST}/"]])
def test_no_address_no_pattern(urls: list[str]) -> None:
    assert post_pattern(urls) == PostPattern()
    assert not post_pattern(urls).fits(f"{HOST}/a/")


def test_order_of_the_addresses_does_not_matter() -> None:
    urls = [f"{HOST}/a/b/", f"{HOST}/2021/03/c/", f"{HOST}/d.html"]
    assert post_pattern(urls) == post_pattern(reversed(urls))


def test_signs_of_regular_expressions_are_taken_literally() -> None:
    pattern = post_pattern([f"{HOST}/c++/a/", f"{HOST}/c++/b/"])
    assert pattern.fits(f"{HOST}/c++/x/")
    assert not pattern.fits(f"{HOST}/ccc/x/")


def test_host_does_not_matter() -> None:
    assert post_pattern([f"{HOST}/posts/a/", f"{HOST}/posts/b/"]).fits("https://elsewhere.example/posts/c/")


@pytest.mark.parametrize(
    ("feed", "other"),
    [
        (["/?p=12", "/?p=13"], "/?p=5"),
        (["/?p=12", "/?p=13"], "/?p=123"),
        (["/archives/1234", "/archives/1235"], "/archives/99"),
    ],
)
def test_width_of_a_post_number_says_nothing(feed: list[str], other: str) -> None:
    assert post_pattern(HOST + path for path in feed).fits(HOST + other)


@pytest.mark.parametrize(
    ("feed", "other"),
    [
        (["/?p=12"], "/?cat=12"),
        (["/?p=99", "/?p=100", "/?p=101"], "/?m=20"),
        (["/archives/9", "/archives/10", "/archives/11"], "/page/3"),
    ],
)
def test_numbers_of_several_widths_do_not_open_the_name_before_them(feed: list[str], other: str) -> None:
    assert not post_pattern(HOST + path for path in feed).fits(HOST + other)


def test_untitled_post_is_called_by_its_number_below_its_date() -> None:
    pattern = post_pattern(f"{HOST}{path}" for path in ("/2021/03/12/on-tides/", "/2020/11/02/bread/"))
    assert pattern.fits(f"{HOST}/2004/01/13/106/")
    assert not post_pattern([f"{HOST}/2021/03/on-tides/", f"{HOST}/2020/11/bread/"]).fits(f"{HOST}/2021/03/12/")


def test_archive_of_a_month_is_not_near_the_posts_although_it_is_dated() -> None:
    pattern = post_pattern(["http://blog.example/2012/07/tides.html", "http://blog.example/2011/02/bread.html"])
    assert not pattern.is_near("http://blog.example/2012_07_01_archive.html")
    assert pattern.is_near("http://blog.example/2012/07/tides/more.html")


def growing() -> GrowingPattern:
    return GrowingPattern(post_pattern([f"{HOST}/2021/03/on-tides/", f"{HOST}/2020/11/bread/"]))


def test_several_posts_of_a_new_shape_widen_the_pattern() -> None:
    pattern = growing()
    grown = [pattern.accept(f"{HOST}/notes/{name}.html") for name in ("salt", "rope", "rye")]
    assert grown == [False, False, True]
    assert pattern.fits(f"{HOST}/notes/lamps.html")
    assert pattern.is_specific(f"{HOST}/notes/lamps.html")
    assert pattern.fits(f"{HOST}/2019/05/salt/")
    assert not pattern.fits(f"{HOST}/pages/lamps.html")
    assert not pattern.fits(f"{HOST}/lamps.html")


def test_post_that_comes_up_again_or_fits_already_widens_nothing() -> None:
    pattern = growing()
    assert not any(pattern.accept(f"{HOST}/notes/salt.html") for _ in range(5))
    assert not any(pattern.accept(f"{HOST}/2019/05/{name}/") for name in ("a", "b", "c", "d"))
    assert not pattern.fits(f"{HOST}/notes/rope.html")


def test_posts_in_different_folders_are_different_shapes() -> None:
    pattern = growing()
    assert not any(pattern.accept(f"{HOST}/{folder}/salt.html") for folder in ("notes", "walks", "bread"))


def test_lists_never_widen_the_pattern() -> None:
    pattern = growing()
    assert not any(pattern.accept(f"{HOST}/tag/{name}/") for name in ("salt", "rope", "rye", "tides"))


def test_posts_without_a_pattern_make_one() -> None:
    pattern = GrowingPattern(PostPattern())
    assert not pattern.fits(f"{HOST}/2021/a-b/")
    assert [pattern.accept(f"{HOST}/2021/{name}/") for name in ("on-salt", "on-rope", "on-rye")][-1]
    assert pattern.fits(f"{HOST}/2019/on-tides/")


@pytest.mark.parametrize(
    ("feed", "post", "other"),
    [
        (
            [
                "http://www.thetimes.co.uk/tto/news/world/europe/article3844546.ece",
                "http://www.thetimes.co.uk/tto/business/industries/leisure/article3843571.ece",
            ],
            "http://www.thetimes.co.uk/tto/opinion/columnists/philipcollins/article3844110.ece",
            "http://www.thetimes.co.uk/tto/public/article2582551.ece",
        ),
        (
            [
                "http://www.engadget.com/2013/08/14/back-to-school-guide-tablets/",
                "http://www.engadget.com/2013/08/15/we-can-do-this-hyperloop/",
            ],
            "http://www.engadget.com/2013/08/15/yahoo-weather-android-redesign/",
            "http://www.engadget.com/THATSNAN/08/15/title/",
        ),
    ],
)
def test_patterns_of_the_published_crawler(feed: list[str], post: str, other: str) -> None:
    """The URLs that the tests of the BlogForever crawler accept and refuse (section 2.3 of the paper)."""
    pattern = post_pattern(feed)
    assert pattern.fits(post)
    assert not pattern.fits(other)


def test_folder_of_a_language_is_no_folder_of_posts() -> None:
    names = ("tides", "bread", "salt")
    for folder, is_specific in (("posts", True), ("fr", False), ("fr/posts", True)):
        pattern = post_pattern(f"https://blog.example/{folder}/{name}/" for name in names)
        assert pattern.is_specific(f"https://blog.example/{folder}/rope/") is is_specific
