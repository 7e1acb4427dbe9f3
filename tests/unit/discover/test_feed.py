"""Feeds of every format give entries, and report their problems."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from posterity.discover.feed import entry_text, looks_like_feed, read_feed
from posterity.errors import BrokenFeed
from posterity.model import FeedEntry
from posterity.urls.kinds import site_host

URL = "http://blog.example/feed/"
NAMESPACES = (
    'xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/" '
    'xmlns:slash="http://purl.org/rss/1.0/modules/slash/" xmlns:wfw="http://wellformedweb.org/CommentAPI/" '
    'xmlns:feedburner="http://rssnamespace.org/feedburner/ext/1.0" xmlns:thr="http://purl.org/syndication/thread/1.0"'
)
RDF = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"'


def rss(*items: str, channel: str = "<title>The Salt Almanac</title><link>http://blog.example/</link>") -> bytes:
    inside = "".join(f"<item>{item}</item>" for item in items)
    return f'<?xml version="1.0"?><rss version="2.0" {NAMESPACES}><channel>{channel}{inside}</channel></rss>'.encode()


def atom(*entries: str, head: str = '<title>The Salt Almanac</title><link href="http://blog.example/"/>') -> bytes:
    inside = "".join(f"<entry>{entry}</entry>" for entry in entries)
    return f'<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom" {NAMESPACES}>{head}{inside}</feed>'.encode()


def only(body: bytes, url: str = URL) -> FeedEntry:
    (entry,) = read_feed(body, url).entries
    return entry


def test_rss_2() -> None:
    feed = read_feed(
        rss(
            "<title>On tides</title><link>http://blog.example/tides/</link><guid>g1</guid><dc:creator>Maren</dc:creator>"
            "<pubDate>Fri, 12 Mar 2021 08:30:00 +0100</pubDate>"
            "<category>sea</category><category>time</category><category>sea</category>"
            "<description>Short.</description><content:encoded>&lt;p&gt;Long.&lt;/p&gt;</content:encoded>"
            "<comments>http://blog.example/tides/#comments</comments><wfw:commentRss>http://blog.example/tides/feed/</wfw:commentRss>"
            "<slash:comments>3</slash:comments>",
            channel="<title>The Salt Almanac</title><link>http://blog.example/</link><language>en-GB</language>",
        ),
        URL,
        "application/rss+xml",
    )
    assert (feed.format, feed.title, feed.home, feed.language) == (
        "rss20",
        "The Salt Almanac",
        "http://blog.example/",
        "en-GB",
    )
    assert (feed.problem, feed.url) == (None, URL)
    (entry,) = feed.entries
    assert (entry.title, entry.link) == ("On tides", "http://blog.example/tides/")
    assert (entry.guid or "").endswith("g1")
    assert entry.authors == ("Maren",)
    assert entry.published == datetime(2021, 3, 12, 7, 30, tzinfo=UTC)
    assert entry.tags == ("sea", "time")
    assert (entry.content, entry.summary) == ("<p>Long.</p>", "Short.")
    assert entry.comments_url == "http://blog.example/tides/#comments"
    assert (entry.comment_feed, entry.comment_count) == ("http://blog.example/tides/feed/", 3)


def test_rss_1() -> None:
    body = (
        f'<?xml version="1.0"?><rdf:RDF {RDF} {NAMESPACES}><channel rdf:about="http://blog.example/"><title>Almanac</title>'
        "<link>http://blog.example/</link></channel>"
        '<item rdf:about="http://blog.example/tides/"><title>On tides</title>'
        "<link>http://blog.example/tides/</link><description>Short.</description><dc:creator>Maren</dc:creator>"
        "<dc:date>2021-03-12T08:30:00Z</dc:date></item></rdf:RDF>"
    ).encode()
    feed = read_feed(body, URL)
    assert (feed.format, feed.title) == ("rss10", "Almanac")
    (entry,) = feed.entries
    assert (entry.title, entry.link, entry.authors) == ("On tides", "http://blog.example/tides/", ("Maren",))
    assert entry.published == datetime(2021, 3, 12, 8, 30, tzinfo=UTC)


def test_tag_is_the_label_that_people_read() -> None:
    entry = only(atom('<title>On tides</title><category term="the-sea" label="The sea"/><category term="time"/>'))
    assert entry.tags == ("The sea", "time")


def test_atom() -> None:
    feed = read_feed(
        atom(
            '<title>On tides</title><link rel="alternate" href="http://blog.example/tides/"/><id>tag:blog.example,2021:1</id>'
            "<author><name>Maren</name></author><author><name>Ole</name></author><published>2021-03-12T08:30:00+01:00</published>"
            "<updated>2021-03-13T00:00:00Z</updated><summary>Short.</summary>"
            '<content type="html">&lt;p&gt;Long.&lt;/p&gt;</content>'
            '<category term="sea"/><link rel="replies" type="application/atom+xml" href="http://blog.example/tides/comments.xml"/>'
            '<link rel="replies" type="text/html" href="http://blog.example/tides/#c"/><thr:total>4</thr:total>',
            head='<title>The Salt Almanac</title><link href="http://blog.example/"/><link rel="next" href="http://blog.example/feed/?p=2"/>',
        ),
        URL,
    )
    assert (feed.format, feed.home, feed.next_url) == (
        "atom10",
        "http://blog.example/",
        "http://blog.example/feed/?p=2",
    )
    (entry,) = feed.entries
    assert (entry.link, entry.guid) == ("http://blog.example/tides/", "tag:blog.example,2021:1")
    assert entry.authors == ("Maren", "Ole")
    assert entry.published == datetime(2021, 3, 12, 7, 30, tzinfo=UTC)
    assert entry.updated == datetime(2021, 3, 13, tzinfo=UTC)
    assert (entry.content, entry.summary, entry.tags) == ("<p>Long.</p>", "Short.", ("sea",))
    assert (entry.comment_feed, entry.comment_count) == ("http://blog.example/tides/comments.xml", 4)


@pytest.mark.parametrize(("repeated", "kept"), [(3, 1), (2, 4)])
def test_text_of_most_entries_is_the_sites(repeated: int, kept: int) -> None:
    texts = [*["<p>All about tides.</p><p>And boats.</p>"] * repeated, *["Ebb."] * (4 - repeated)]
    items = "".join(
        f"<item><link>https://sea.example/{number}/</link><description><![CDATA[{text}]]></description></item>"
        for number, text in enumerate(texts)
    )
    feed = read_feed(f"<rss version='2.0'><channel>{items}</channel></rss>".encode(), "https://sea.example/feed")
    assert sum(bool(entry.content or entry.summary) for entry in feed.entries) == kept


def test_contents_shorter_than_the_summaries_are_no_texts() -> None:
    beginning = "<summary>The water comes and goes, and whoever lives at the shore knows when.</summary>"
    entry = '<title>On tides</title><content type="html">On tides #sea</content>'
    found = read_feed(atom(entry + beginning, entry + beginning, entry + "<summary>Tides</summary>"), URL)
    assert [each.content for each in found.entries] == [None, None, None]
    assert only(atom(entry)).content == "On tides #sea"  # a short note


def test_atom_content_as_xhtml_is_markup() -> None:
    entry = only(
        atom(
            '<id>1</id><content type="xhtml">'
            '<div xmlns="http://www.w3.org/1999/xhtml"><p>a <b>b</b></p></div></content>'
        )
    )
    assert entry.content is not None
    assert "<p>a <b>b</b></p>" in entry.content


@pytest.mark.parametrize(
    ("item", "link"),
    [
        ("<link>/tides/</link>", "http://blog.example/tides/"),
        ("<link>tides/</link>", "http://blog.example/feed/tides/"),
        (
            "<link>http://feeds.example/~r/x</link><feedburner:origLink>http://blog.example/tides/</feedburner:origLink>",
            "http://blog.example/tides/",
        ),
        ("<link>http://localhost:4000/tides/</link>", "http://blog.example/tides/"),
        ("<link>https://https://blog.example/tides/</link>", "https://blog.example/tides/"),
        ("<link>http://127.0.0.1/tides/?p=1</link>", "http://blog.example/tides/?p=1"),
        ('<guid isPermaLink="true">http://blog.example/tides/</guid>', "http://blog.example/tides/"),
        ("<guid>http://blog.example/tides/</guid>", "http://blog.example/tides/"),
        ("<guid isPermaLink='false'>12</guid><title>t</title>", None),
        ("<guid>http://blog.example/1.mp3</guid><title>t</title><enclosure url=' http://blog.example/1.mp3'/>", None),
        ("<link>http://blog.example/1/</link><enclosure url='http://blog.example/1.mp3'/>", "http://blog.example/1/"),
    ],
)
def test_link_of_an_entry(item: str, link: str | None) -> None:
    assert only(rss(item)).link == link


def test_link_without_an_address_does_not_hide_the_link_of_an_entry() -> None:
    alternate = '<link rel="alternate" type="text/html" href="http://blog.example/a/"/>'
    assert only(atom(f'<id>1</id>{alternate}<link rel="enclosure" src="a.jpg"/>')).link == "http://blog.example/a/"


def test_local_links_stay_when_the_feed_is_local() -> None:
    assert (
        only(rss("<link>http://127.0.0.1:8000/tides/</link>"), "http://127.0.0.1:8000/feed/").link
        == "http://127.0.0.1:8000/tides/"
    )


def test_home_on_localhost_means_the_host_of_the_feed() -> None:
    assert (
        read_feed(rss(channel="<title>t</title><link>http://localhost:4000/</link>"), URL).home
        == "http://blog.example/"
    )


def test_links_inside_content_are_absolute() -> None:
    entry = only(rss("<link>/tides/</link><content:encoded>&lt;a href='/b'&gt;b&lt;/a&gt;</content:encoded>"))
    assert entry.content is not None
    assert "http://blog.example/b" in entry.content


@pytest.mark.parametrize(
    ("author", "names"),
    [
        ("<author>maren@blog.org (Maren Holt)</author>", ("Maren Holt",)),
        ("<author>maren@blog.org</author>", ()),
        ("<author>Maren Holt</author>", ("Maren Holt",)),
        ("<dc:creator>Maren  Holt </dc:creator>", ("Maren Holt",)),
        ("<dc:creator>Maren Holt &lt;maren@blog.org&gt;</dc:creator>", ("Maren Holt",)),
        ("<dc:creator>Maren</dc:creator><dc:creator>Ole</dc:creator>", ("Maren", "Ole")),
        ("<dc:creator>Maren</dc:creator><itunes:author>Salt and Tides</itunes:author>", ("Maren",)),
        ("<itunes:author>Maren</itunes:author>", ("Maren",)),
        ("", ()),
        ("<dc:creator>Unknown</dc:creator>", ()),
        ("<dc:creator>作者</dc:creator>", ()),
        ("<dc:creator>admin</dc:creator>", ("admin",)),
        ("<author>maren@blog.berlin (Maren Holt)</author>", ("Maren Holt",)),
    ],
)
def test_authors_are_names_and_no_addresses(author: str, names: tuple[str, ...]) -> None:
    assert only(rss(f"<title>t</title>{author}")).authors == names


@pytest.mark.parametrize(
    ("title", "line"),
    [
        ("&lt;i&gt;Moby-Dick&lt;/i&gt; again", "Moby-Dick again"),
        ("<![CDATA[<b>Salt</b> &amp; loaf]]>", "Salt & loaf"),
        ("Salt &amp;amp; loaf", "Salt & loaf"),
        ("Salt &amp; loaf", "Salt & loaf"),
        ("  two\n lines ", "two lines"),
        ("", None),
    ],
)
def test_titles_lose_their_markup(title: str, line: str | None) -> None:
    assert only(rss(f"<title>{title}</title><link>/a/</link>")).title == line


@pytest.mark.parametrize("host", ["blog.example", "www.blog.example"])
def test_link_that_lacks_only_its_scheme_is_no_folder(host: str) -> None:
    feed = read_feed(atom(f"<id>1</id><link href='{host}/salt/tides.html'/>"), "https://blog.example/blog/atom.xml")
    assert [entry.link for entry in feed.entries] == [f"https://{host}/salt/tides.html"]


@pytest.mark.parametrize(
    ("given", "read"),
    [
        ("2009-05-20T00:30:42+09:00", "2009-05-20T00:30:42+09:00"),
        ("2009-05-20T00:30:42.5-0300", "2009-05-20T00:30:42-03:00"),
        ("2009-05-19T15:30:42Z", "2009-05-19T15:30:42+00:00"),
    ],
)
def test_moment_is_in_the_zone_that_the_feed_gives(given: str, read: str) -> None:
    published = only(atom(f"<id>1</id><published>{given}</published>")).published
    assert published is not None
    assert published.isoformat() == read


def test_published_is_read_without_a_warning_beside_updated() -> None:
    entry = only(atom("<id>1</id><published>2021-03-12T08:30:00Z</published><updated>2021-03-13T00:00:00Z</updated>"))
    assert (entry.published, entry.updated) == (
        datetime(2021, 3, 12, 8, 30, tzinfo=UTC),
        datetime(2021, 3, 13, tzinfo=UTC),
    )


def test_entry_that_was_never_updated_has_no_such_date() -> None:
    assert only(rss("<title>t</title><pubDate>Fri, 12 Mar 2021 08:30:00 GMT</pubDate>")).updated is None


def test_description_of_several_paragraphs_is_the_article() -> None:
    entry = only(rss("<description>&lt;p&gt;One.&lt;/p&gt;&lt;p&gt;Two.&lt;/p&gt;</description>"))
    assert entry.content == "<p>One.</p><p>Two.</p>"


def test_description_of_a_line_is_a_summary_only() -> None:
    assert only(rss("<description>Short.</description>")).content is None


def test_broken_xml_with_entries_is_read_and_named() -> None:
    body = rss("<title>On tides</title><link>http://blog.example/tides/</link>").replace(
        b"</channel></rss>", b"<item><title>cut &nosuch; off"
    )
    feed = read_feed(body, URL)
    assert feed.entries[0].title == "On tides"
    assert feed.problem


@pytest.mark.parametrize(
    "body",
    [
        b"<!DOCTYPE html><html><head><title>t</title></head><body><p>no feed</p></body></html>",
        b"",
        b"plain words",
        b"\x89PNG\r\n\x1a\n",
        b"<rss><channel><title>cut o",
        b'{"items": ',
        b'{"version": "https://jsonfeed.org/version/1.1"}',
        b"http://blog.example/feed/",
    ],
)
def test_what_is_no_feed_raises_with_its_address_and_the_problem(body: bytes) -> None:
    with pytest.raises(BrokenFeed, match=r"http://blog\.example/feed/") as caught:
        read_feed(body, URL)
    assert caught.value.problem


def test_empty_feed_is_a_feed() -> None:
    assert read_feed(rss(), URL).entries == ()


def test_header_that_disagrees_with_the_bytes_is_no_problem() -> None:
    feed = read_feed(rss("<title>é</title><link>/a/</link>"), URL, "text/html; charset=iso-8859-1")
    assert (feed.problem, feed.entries[0].title) == (None, "é")


def test_space_before_the_declaration_is_no_problem() -> None:
    assert read_feed(b"\n  " + rss("<title>a</title>"), URL).problem is None


def test_nonsense_in_numbers_and_dates_is_absent() -> None:
    entry = only(rss("<title>t</title><pubDate>the day before</pubDate><slash:comments>many</slash:comments>"))
    assert (entry.published, entry.updated, entry.comment_count) == (None, None, None)


def test_zero_comments_are_zero_and_not_unknown() -> None:
    assert only(rss("<title>t</title><slash:comments>0</slash:comments>")).comment_count == 0


@pytest.mark.parametrize(
    ("body", "response"),
    [
        (rss(), True),
        (atom(), True),
        (f"<rdf:RDF {RDF}>".encode(), True),
        (b'{"version": "https://jsonfeed.org/version/1", "items": []}', True),
        (b"<!DOCTYPE html><html><p>about rss</p></html>", False),
        (b'{"name": "x"}', False),
        (b"", False),
    ],
)
def test_feeds_are_known_by_their_beginning(body: bytes, response: bool) -> None:
    assert looks_like_feed(body) is response


def test_feed_without_an_address_is_where_it_says_itself() -> None:
    own = '<link rel="self" href="http://blog.example/atom.xml"/>'
    assert read_feed(atom("<title>a</title>", head=own), "").url == "http://blog.example/atom.xml"
    assert read_feed(atom("<title>a</title>", head=own), URL).url == URL
    assert read_feed(atom("<title>a</title>", head='<link rel="self" href="atom.xml"/>'), "").url == ""
    (entry,) = read_feed(atom('<title>a</title><link href="/a/"/>', head=own), "").entries
    assert entry.link == "http://blog.example/a/"


@pytest.mark.parametrize(
    "body",
    [
        b"<rss version='2.0'><channel/></rss>",
        b"\xef\xbb\xbf<?xml version='1.0'?>\n<!-- made by hand -->\n<feed xmlns='http://www.w3.org/2005/Atom'/>",
        b"<?xml version='1.0'?><?xml-stylesheet href='a.xsl'?><rdf:RDF></rdf:RDF>",
    ],
)
def test_file_whose_root_is_that_of_a_feed_is_one(body: bytes) -> None:
    assert looks_like_feed(body)


def test_feed_behind_the_warnings_of_a_server_is_one() -> None:
    assert looks_like_feed(
        b"<br />\n<b>Warning</b>: Undefined index in feed.php<br />\n<rss version='2.0'><channel/></rss>"
    )


def test_page_with_metadata_in_rdf_is_no_feed() -> None:
    assert not looks_like_feed(
        b"<?xml version='1.0'?><!DOCTYPE html><html><body><!-- <rdf:RDF/> --><rdf:RDF/></body></html>"
    )
    assert not looks_like_feed(b"<meta charset=utf-8><title>A blog</title><!-- <rdf:RDF xmlns:dc='x'> -->")


def test_related_link_on_the_own_host_is_the_post_of_a_link_blog() -> None:
    link = "<link rel='alternate' href='https://other.example/x'/><link rel='related' href='/linked/salt'/>"
    atom = f"<feed xmlns='http://www.w3.org/2005/Atom'><title>S</title><entry><title>Salt</title>{link}</entry></feed>"
    found = read_feed(atom.encode(), "https://blog.example/feed")
    assert [entry.link for entry in found.entries] == ["https://blog.example/linked/salt"]


def test_guid_is_the_post_where_entries_link_to_many_sites() -> None:
    def items(hosts: list[str]) -> bytes:
        entries = "".join(
            f"<item><title>{n}</title><link>https://{host}/</link><guid>https://blog.example/?p={n}</guid></item>"
            for n, host in enumerate(hosts)
        )
        return f"<rss version='2.0'><channel><title>S</title>{entries}</channel></rss>".encode()

    link_blog = read_feed(items(["a.example", "b.example", "c.example"]), "https://blog.example/feed")
    assert [entry.link for entry in link_blog.entries] == [f"https://blog.example/?p={n}" for n in range(3)]
    moved = read_feed(items(["new.example", "www.new.example", "new.example"]), "https://blog.example/feed")
    assert {site_host(entry.link or "") for entry in moved.entries} == {"new.example"}


def test_content_that_stands_elsewhere_is_the_link_of_an_entry_without_one() -> None:
    entry = "<entry><title>Salt</title><id>tag:x,1</id><content type='text/html' src='/salt/'/></entry>"
    found = read_feed(f"<feed xmlns='http://www.w3.org/2005/Atom'>{entry}</feed>".encode(), "https://blog.example/feed")
    assert [entry.link for entry in found.entries] == ["https://blog.example/salt/"]


def _dated(*dates: str) -> bytes:
    items = "".join(
        f"<item><title>{number}</title><link>https://blog.example/{number}/</link><pubDate>{date}</pubDate></item>"
        for number, date in enumerate(dates)
    )
    return f"<rss version='2.0'><channel><title>Tides</title>{items}</channel></rss>".encode()


def test_moment_in_which_several_entries_were_built_is_no_date() -> None:
    built, written = "Wed, 18 Nov 2026 16:57:28 +0000", "Wed, 02 Feb 2022 09:30:00 +0000"
    entries = read_feed(_dated(built, built, written, built), "https://blog.example/feed").entries
    assert [entry.published and entry.published.year for entry in entries] == [None, None, 2022, None]


def test_day_without_a_time_may_be_that_of_several_entries() -> None:
    same, other = "Wed, 02 Feb 2022 00:00:00 +0000", "Thu, 03 Feb 2022 00:00:00 +0000"
    entries = read_feed(_dated(same, same, same, other, other, other), "https://blog.example/feed").entries
    assert all(entry.published for entry in entries)
    entries = read_feed(_dated(same, same, same, same, other), "https://blog.example/feed").entries
    assert [entry.published is None for entry in entries] == [True] * 4 + [False]


@pytest.mark.parametrize(
    "around",
    [
        '<span class="field--name-title">Tides</span><span class="field--type-created">1 May</span>%s',
        '%s<div class="field field--name-field-tags field--type-entity-reference">sea</div>',
        '%s<div class="field field-name-field-tags field-type-taxonomy-term-reference">sea</div>',
    ],
)
def test_other_fields_of_a_post_are_no_part_of_its_text(around: str) -> None:
    body = '<div class="field field--name-body"><p>The tide came in.</p></div>'
    assert entry_text(FeedEntry(content=around % body)) == "The tide came in."
