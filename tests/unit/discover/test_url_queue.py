"""The order of visits, and their end when no post is expected."""

from __future__ import annotations

from posterity.crawl.url_queue import LinkEstimate, UrlQueue, url_kind
from posterity.urls import post_pattern
from posterity.urls.post_pattern import GrowingPattern

HOST = "https://blog.example"

HOME = "http://blog.example"


def queue(*paths: str, linked: bool = True) -> UrlQueue:
    made = UrlQueue(GrowingPattern(post_pattern([f"{HOME}/2021/03/on-tides/", f"{HOME}/2020/11/bread/"])))
    for path in paths:
        made.add(HOME + path, linked=linked)
    return made


def visits(made: UrlQueue, most: int = 1000) -> list[str]:
    """Visit without finding posts until the queue ends."""
    seen: list[str] = []
    while len(seen) < most and (url := made.next_url()):
        seen.append(url.removeprefix(HOME))
        made.learn(url, is_post=False, named=0)
    return seen


def test_posts_come_first_then_lists_then_other_pages() -> None:
    assert visits(queue("/about/", "/page/2/", "/2019/05/salt/"), 3) == ["/2019/05/salt/", "/page/2/", "/about/"]


def test_kind_that_brings_posts_is_preferred() -> None:
    made = queue("/tags/a/", "/tags/b/", "/page/2/", "/page/3/")
    made.learn(f"{HOME}/tags/x/", is_post=False, named=0)
    made.learn(f"{HOME}/page/9/", is_post=False, named=8)
    assert visits(made, 2) == ["/page/2/", "/page/3/"]


def test_kind_that_brings_nothing_is_given_up() -> None:
    wiki = [f"/wiki/{number}-page" for number in range(300)]
    made = queue(*wiki)
    assert len(visits(made)) < 10
    assert made.next_url() is None
    assert len(made.given_up()) > 290


def test_small_kind_of_a_sitemap_that_nobody_looked_at_is_counted() -> None:
    shop = [f"/{name}/{each}/" for name in ("oak", "tin") for each in range(3)]
    made = queue("/notes/salt/", *shop, "/tags/rye/", linked=False)
    for _ in range(200):  # lists with only known posts
        made.estimate.see_link(is_new=False)
        made.estimate.learn(url_kind(f"{HOME}/page/2/", made.pattern), 0)
    assert visits(made) == ["/notes/salt/"]
    assert made.never_sampled() == 6


def test_records_of_lists_are_visited_though_other_urls_of_their_shape_bring_nothing() -> None:
    pictures = [f"/?p={number}" for number in range(100, 140)]
    records = [f"/?p={number}" for number in range(10)]
    made = queue(*pictures, *records)
    made.note_records(HOME + path for path in records)
    seen = set[str]()
    while (url := made.next_url()) and len(seen) < 100:
        seen.add(url.removeprefix(HOME))
        made.learn(url, is_post=url.removeprefix(HOME) in records, named=0)
    assert seen >= set(records)
    assert len(seen) < 30


def test_blog_of_many_posts_is_searched_longer() -> None:
    tags = [f"/tags/{name}/" for name in "abcdefghijklmnopqrstuvwxyz"]
    small, large = queue(*tags), queue(*tags)
    large.posts = 500
    assert len(visits(small)) < len(visits(large))


def test_page_of_a_folder_with_posts_is_visited_though_other_pages_bring_nothing() -> None:
    made = queue(*(f"/wiki/{number}-page" for number in range(300)), "/sources/", "/songs/")
    made.learn(f"{HOME}/2021/05/lamps/", is_post=True, named=0)
    for name in ("ropes", "nets", "sails"):
        made.learn(f"{HOME}/sources/2021/03/{name}/", is_post=True, named=0)
    for number in range(300, 400):
        made.learn(f"{HOME}/wiki/{number}-page", is_post=False, named=0)
        made.learn(f"{HOME}/page-{number}/", is_post=False, named=0)
    assert visits(made) == ["/sources/"]


def test_addresses_of_posts_that_lead_nowhere_are_given_up() -> None:
    made = queue(*(f"/2019/05/gone-{number}/" for number in range(200)))
    assert 10 < len(visits(made)) < 40
    assert made.next_post() is None


def test_one_post_in_five_keeps_all_addresses_of_posts_in_demand() -> None:
    made = queue(*(f"/2019/05/some-{number}/" for number in range(100)))
    count = 0
    while url := made.next_post():
        count += 1
        made.learn(url, is_post=count % 5 == 0, named=0)
    assert count == 100


def test_links_to_known_posts_make_lists_less_promising() -> None:
    tags = [f"/tags/{name}/" for name in "abcdefghijklmnopqrstuvwxyz"]
    ignorant, informed = queue(*tags), queue(*tags)
    for number in range(100):
        informed.see_again(f"{HOME}/2019/05/known-{number}/")
    assert len(visits(informed)) < len(visits(ignorant))


def test_links_that_agree_with_a_list_of_the_blog_end_the_search_sooner() -> None:
    tags = [f"/tags/{name}/" for name in "abcdefghijklmnopqrstuvwxyz"]
    with_feed, with_sitemap = queue(*tags), queue(*tags)
    with_sitemap.estimate.knows_list = True
    for made in (with_feed, with_sitemap):
        for number in range(20):
            made.see_again(f"{HOME}/2019/05/known-{number}/")
    assert len(visits(with_sitemap)) < len(visits(with_feed))


def test_link_that_stands_on_every_page_counts_once() -> None:
    tags = [f"/tags/{name}/" for name in "abcdefghijklmnopqrstuvwxyz"]
    once, often = queue(*tags), queue(*tags)
    for made, times in ((once, 1), (often, 100)):
        for _ in range(times):
            made.see_again(f"{HOME}/2019/05/known/")
    assert visits(once) == visits(often)


def test_odd_addresses_that_name_each_other_do_not_keep_the_crawl_going() -> None:
    made = queue("/previous/2019/page-0.html")
    count = 0
    while (url := made.next_url()) and count < 500:
        count += 1
        named = made.add(f"{HOME}/previous/2019/page-{count}.html", linked=True)
        made.learn(url, is_post=False, named=named)
    assert count < 20


def test_row_of_months_is_tried_at_both_ends() -> None:
    months = [f"/{year}/{month:02}/" for year in (2021, 2020, 2019) for month in range(12, 0, -1)]
    assert visits(queue(*months), 4) == ["/2021/12/", "/2019/01/", "/2021/11/", "/2019/02/"]


def test_url_that_the_blog_lists_as_a_post_is_visited_before_what_looks_like_one() -> None:
    made = queue("/2019/05/salt/", "/about/")
    assert made.add(f"{HOME}/odd", linked=False, is_expected=True) == 1
    assert [made.next_post(), made.next_post(), made.next_post()] == [f"{HOME}/odd", f"{HOME}/2019/05/salt/", None]


def test_listed_posts_are_visited_however_many_of_them_are_gone() -> None:
    made = queue()
    for number in range(200):
        made.add(f"{HOME}/2019/05/gone-{number}/", linked=False, is_expected=True)
    assert made.given_up() == [f"{HOME}/2019/05/gone-{number}/" for number in range(200)]
    assert len(visits(made)) == 200
    assert made.given_up() == []


def test_posts_of_a_new_shape_make_urls_that_wait_urls_of_posts() -> None:
    made = queue("/notes/rope", "/notes/lamps", "/about/")
    assert made.next_post() is None
    for name in ("salt", "rye", "tides"):
        made.accept(f"{HOME}/notes/{name}")
    assert {made.next_post(), made.next_post(), made.next_post()} == {
        f"{HOME}/notes/rope",
        f"{HOME}/notes/lamps",
        None,
    }


def test_kind_of_which_a_sitemap_lists_many_is_sampled_before_it_is_given_up() -> None:
    names = [f"/wiki/{number}-page" for number in range(40)]
    linked, listed = queue(*names), queue()
    for name in names:
        listed.add(HOME + name, linked=False)
    for made in (linked, listed):
        for number in range(10):
            made.learn(f"{HOME}/wiki/0{number}-page", is_post=False, named=0)
    assert visits(linked) == []
    found = visits(listed)
    assert len(found) == 4
    assert max(map(names.index, found)) - min(map(names.index, found)) > 20


def test_folder_below_the_blogs_own_is_sampled_as_others_are_though_lists_bring_nothing() -> None:
    made = queue()
    made.estimate.knows_list = True
    for number in range(60):
        made.estimate.see_link(is_new=False)
        made.learn(f"{HOME}/category/of-{number}/", is_post=False, named=0)
        made.learn(f"{HOME}/blog/posts/of-{number}/", is_post=False, named=0)
    for number in range(20):
        made.add(f"{HOME}/blog/school/lesson-{number}/", linked=False)
        made.add(f"{HOME}/category/on-{number}/", linked=False)
    found = visits(made)
    assert len(found) == 4
    assert all(path.startswith("/blog/school/") for path in found)


def test_dead_stretch_of_posts_is_not_the_end() -> None:
    urls = [f"{HOST}/2010/{number}-a-dead-post/" for number in range(60)]
    alive = [f"{HOST}/2011/{number}-a-living-post/" for number in range(40)]
    queue = UrlQueue(GrowingPattern(post_pattern([f"{HOST}/2012/one-post/", f"{HOST}/2012/another-post/"])))
    for each in [*urls, *alive]:
        queue.add(each, linked=True)
    found = set()
    while (url := queue.next_post()) is not None:
        found.add(url)
        queue.learn(url, is_post=url in alive, named=0)
    assert found.issuperset(alive)


def test_posts_that_are_all_dead_are_given_up() -> None:
    queue = UrlQueue(GrowingPattern(post_pattern([f"{HOST}/2012/one-post/", f"{HOST}/2012/another-post/"])))
    for number in range(900):
        queue.add(f"{HOST}/2010/{number}-a-dead-post/", linked=True)
    visits = 0
    while (url := queue.next_post()) is not None:
        visits += 1
        queue.learn(url, is_post=False, named=0)
    assert visits < 100


def test_ranking_of_the_published_crawler() -> None:
    """The example in the tests of the BlogForever crawler (section 2.3): categories link to posts, tags do not."""
    pattern = post_pattern([f"{HOME}/1/", f"{HOME}/2/"])
    estimate = LinkEstimate()
    for path, posts in (
        ("/category/infos/societe", 2),
        ("/tag/pirate", 0),
        ("/category/infos/windows", 2),
        ("/tag/futur", 0),
        ("/tag/kinect", 0),
    ):
        estimate.learn(url_kind(HOME + path, pattern), posts)
    expected = [estimate.of(url_kind(HOME + path, pattern)) for path in ("/category/infos/category", "/tag/a_tag")]
    assert expected[0] > 2 > 1 > expected[1]


def test_records_of_another_section_are_sampled_before_it_is_given_up() -> None:
    queue = UrlQueue(GrowingPattern(post_pattern([f"{HOST}/weblog/one-post", f"{HOST}/weblog/another-post"])))
    for number in range(8):  # pages and lists without posts
        queue.learn(f"{HOST}/widget/{number}/", is_post=False, named=0)
        queue.learn(f"{HOST}/coc/page-{number}", is_post=False, named=0)
    works = [f"{HOST}/works/201904{day:02}" for day in range(1, 25)]
    for url in works:
        queue.add(url, linked=True)
    assert queue.next_url() is None
    queue.note_records(works)
    assert queue.next_url() in works
