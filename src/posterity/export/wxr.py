"""The format `wxr`: WXR 1.2, the export and import format of WordPress, with comments, authors, terms and attachments.

A WXR file is one site: several blogs are merged, unless `--split blog` is given. Fields that the format lacks are in
the post's meta `_posterity` (`round_trip`), which WordPress stores and does not show.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import BinaryIO
from urllib.parse import unquote, urlsplit

import msgspec

from posterity.export.files import file_name, post_slug
from posterity.export.round_trip import FormatComment, as_parsed, format_post, rest_of
from posterity.export.selection import Source
from posterity.export.temporary import spool_posts
from posterity.export.xml import attributes, cdata, element, xml_text
from posterity.extraction.details import picture_name
from posterity.model import Comment, Media, Post
from posterity.model.post import aware


class Numbers:
    """Assigns the numbers by which WordPress identifies posts and comments."""

    def __init__(self) -> None:
        self._posts = self._comments = self._same_time = 0
        self._last_time: datetime | None = None

    def post(self) -> int:
        """Return the number of the next post or attachment."""
        self._posts += 1
        return self._posts

    def comments(self, count: int) -> range:
        """Return the numbers of the next comments."""
        first = self._comments + 1
        self._comments += count
        return range(first, first + count)

    def with_distinct_time(self, post: Post) -> Post:
        """Return the post, one second later for each preceding post of the same time.

        WordPress's importer (`post_exists`) treats posts with the same time and title as the same post, and a post
        without a title as any post of that time. If only dates are known, all posts of a day have the same time.
        """
        self._same_time = self._same_time + 1 if post.published == self._last_time else 0
        self._last_time = post.published
        if post.published is None or not self._same_time:
            return post
        try:
            return msgspec.structs.replace(post, published=post.published + timedelta(seconds=self._same_time))
        except OverflowError:  # the last day that datetime can represent
            return post


def attachment_titles(media: Iterable[Media]) -> list[str]:
    """Return distinct names of the files: of attachments with the same title, WordPress imports only the first."""
    seen: Counter[str] = Counter()
    titles = []
    for medium in media:
        name = unquote(urlsplit(medium.url).path).rsplit("/", 1)[-1] or medium.url
        seen[name] += 1
        titles.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return titles


_NOT_IN_LOGIN = re.compile(r"[^a-z0-9_.-]+")


class Terms(msgspec.Struct, frozen=True):
    """Names and their slugs, in order of first use."""

    logins: dict[str, str]
    categories: dict[str, str]
    tags: dict[str, str]


def terms_of(posts: Iterable[Post]) -> Terms:
    """Return the authors, categories and tags of the posts; WordPress allows one author per post."""
    terms = Terms({}, {}, {})
    taken: dict[str, set[str]] = {"logins": set(), "categories": set(), "tags": set()}
    for post in posts:
        for field, names in (("logins", post.authors[:1]), ("categories", post.categories), ("tags", post.tags)):
            known: dict[str, str] = getattr(terms, field)
            for name in map(as_parsed, names):
                if name not in known:
                    slug = _login(name) if field == "logins" else file_name(name)
                    wanted = slug or field.rstrip("s")
                    free, number = wanted, 1
                    while free in taken[field]:
                        number += 1
                        free = f"{wanted}-{number}"
                    taken[field].add(free)
                    known[name] = free
    return terms


def _login(name: str) -> str:
    """Return a login with ASCII letters only, as WordPress requires."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    return _NOT_IN_LOGIN.sub("-", plain).strip("-")[:50]


NAMESPACES = {
    "excerpt": "http://wordpress.org/export/1.2/excerpt/",
    "content": "http://purl.org/rss/1.0/modules/content/",
    "wfw": "http://wellformedweb.org/CommentAPI/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "wp": "http://wordpress.org/export/1.2/",
}
REST_KEY = "_posterity"
_END = b"</channel>\n</rss>\n"


def write_wxr(source: Source, out: BinaryIO) -> None:
    """Write one file. Authors and terms precede the posts, so the posts are read twice."""
    write_wxr_parts(source, lambda: out, None)


def write_wxr_parts(source: Source, next_part: Callable[[], BinaryIO], max_bytes: int | None) -> None:
    """Write files of at most `max_bytes`, unless a single post is larger.

    Each file has all authors and terms and the same numbers, so files can be imported alone and in any order, as those
    of `wp export --max_file_size`.
    """
    with spool_posts(source.posts) as posts:
        terms = terms_of(posts)
        head, numbers = _encode_lines(_channel(source, terms)), Numbers()
        out, size = next_part(), len(head)
        out.write(head)
        for post in posts:
            item = _encode_lines(_post(post, source, terms, numbers))
            if max_bytes is not None and len(head) < size and size + len(item) + len(_END) > max_bytes:
                out.write(_END)
                out, size = next_part(), len(head)
                out.write(head)
            out.write(item)
            size += len(item)
        out.write(_END)


def _encode_lines(lines: Iterable[str]) -> bytes:
    return "".join(f"{line}\n" for line in lines).encode()


def _channel(source: Source, terms: Terms) -> Iterator[str]:
    home = _home(source)
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<rss version="2.0"' + "".join(f' xmlns:{name}="{url}"' for name, url in NAMESPACES.items()) + ">"
    yield "<channel>"
    yield element("title", source.name)
    yield element("link", home)
    yield "<description/>"
    yield element("pubDate", format_datetime(source.made_at))
    yield element("language", source.language or "en")
    yield "<wp:wxr_version>1.2</wp:wxr_version>"
    yield element("wp:base_site_url", home)
    yield element("wp:base_blog_url", home)
    for number, (name, login) in enumerate(terms.logins.items(), 1):
        yield (
            f"<wp:author><wp:author_id>{number}</wp:author_id><wp:author_login>{cdata(login)}</wp:author_login>"
            f"<wp:author_email>{cdata('')}</wp:author_email>"
            f"<wp:author_display_name>{cdata(name)}</wp:author_display_name></wp:author>"
        )
    for number, (name, slug) in enumerate(terms.categories.items(), 1):
        yield (
            f"<wp:category><wp:term_id>{number}</wp:term_id><wp:category_nicename>{cdata(slug)}</wp:category_nicename>"
            f"<wp:category_parent/><wp:cat_name>{cdata(name)}</wp:cat_name></wp:category>"
        )
    for number, (name, slug) in enumerate(terms.tags.items(), len(terms.categories) + 1):
        yield (
            f"<wp:tag><wp:term_id>{number}</wp:term_id><wp:tag_slug>{cdata(slug)}</wp:tag_slug>"
            f"<wp:tag_name>{cdata(name)}</wp:tag_name></wp:tag>"
        )
    yield "<generator>Posterity</generator>"


def _post(post: Post, source: Source, terms: Terms, numbers: Numbers) -> Iterator[str]:
    number = numbers.post()
    comment_numbers = numbers.comments(len(post.comments))
    dated = numbers.with_distinct_time(post)
    # The content of the item's elements, as a reader will parse it.
    covered = format_post(
        dated,
        [str(number) for number in comment_numbers],
        _utc_second,
        typed=True,
        blog_url=_home(source),
        authors=tuple(filter(None, map(as_parsed, dated.authors[:1]))),
        published=_utc_second(dated.published),
        modified=_utc_second(dated.modified),
    )
    login = terms.logins.get(covered.authors[0]) if covered.authors else None
    yield from _item_head(number, post.url, covered.title, covered.published, login)
    yield f"<content:encoded>{cdata(covered.html)}</content:encoded>"
    yield f"<excerpt:encoded>{cdata(covered.summary or '')}</excerpt:encoded>"
    yield from _dates(dated)
    yield "<wp:comment_status>open</wp:comment_status><wp:ping_status>closed</wp:ping_status>"
    yield f"<wp:post_name>{cdata(post_slug(post))}</wp:post_name><wp:status>publish</wp:status>"
    yield "<wp:post_parent>0</wp:post_parent><wp:menu_order>0</wp:menu_order><wp:post_type>post</wp:post_type>"
    yield "<wp:post_password/><wp:is_sticky>0</wp:is_sticky>"
    for name in covered.categories:
        yield f"<category{attributes(domain='category', nicename=terms.categories[name])}>{cdata(name)}</category>"
    for name in covered.tags:
        yield f"<category{attributes(domain='post_tag', nicename=terms.tags[name])}>{cdata(name)}</category>"
    yield _meta(REST_KEY, rest_of(post, covered))
    # WordPress downloads the URL of an attachment, and that of an embed is a page of another site.
    files = [(numbers.post(), medium) for medium in post.media if not medium.is_embed]
    name = picture_name(post.cover or "")
    if cover := next((file for file, each in files if post.cover and picture_name(each.url) == name), None):
        yield _meta("_thumbnail_id", str(cover))
    for comment, fields in zip(post.comments, covered.comments, strict=True):
        yield from _comment(comment, fields)
    yield "</item>"
    for (file, medium), title in zip(files, attachment_titles(medium for _, medium in files), strict=True):
        yield from _attachment(file, number, dated, medium, title)


def _item_head(number: int, url: str, title: str | None, at: datetime | None, login: str | None) -> Iterator[str]:
    yield "<item>"
    yield f"<title>{cdata(title or '')}</title>"
    yield element("link", url)
    if at is not None:
        yield element("pubDate", format_datetime(at))
    yield f"<dc:creator>{cdata(login or '')}</dc:creator>"
    yield f'<guid isPermaLink="false">{xml_text(url)}</guid>'
    yield "<description/>"
    yield f"<wp:post_id>{number}</wp:post_id>"


def _dates(post: Post) -> Iterator[str]:
    for name, moment in (("post_date", post.published), ("post_modified", post.modified)):
        if moment is not None:
            yield f"<wp:{name}>{_clock(moment)}</wp:{name}><wp:{name}_gmt>{_clock(_utc_second(moment))}</wp:{name}_gmt>"


def _comment(comment: Comment, fields: FormatComment) -> Iterator[str]:
    yield f"<wp:comment><wp:comment_id>{fields.id}</wp:comment_id>"
    yield f"<wp:comment_author>{cdata(fields.author or '')}</wp:comment_author>"
    author_url = xml_text(fields.author_url or "")
    yield f"<wp:comment_author_email/><wp:comment_author_url>{author_url}</wp:comment_author_url>"
    yield "<wp:comment_author_IP/>"
    if comment.published is not None:
        yield f"<wp:comment_date>{_clock(comment.published)}</wp:comment_date>"
        yield f"<wp:comment_date_gmt>{_clock(fields.published)}</wp:comment_date_gmt>"
    yield f"<wp:comment_content>{cdata(fields.html)}</wp:comment_content>"
    yield "<wp:comment_approved>1</wp:comment_approved>"
    yield f"<wp:comment_type>{comment.type or 'comment'}</wp:comment_type>"
    yield f"<wp:comment_parent>{fields.parent or 0}</wp:comment_parent><wp:comment_user_id>0</wp:comment_user_id>"
    yield "</wp:comment>"


def _attachment(number: int, parent: int, post: Post, medium: Media, title: str) -> Iterator[str]:
    yield from _item_head(number, medium.url, title, _utc_second(post.published), None)
    yield f"<content:encoded>{cdata('')}</content:encoded><excerpt:encoded>{cdata('')}</excerpt:encoded>"
    yield from _dates(post)
    yield "<wp:comment_status>closed</wp:comment_status><wp:ping_status>closed</wp:ping_status>"
    yield f"<wp:post_name>{cdata(file_name(title))}</wp:post_name><wp:status>inherit</wp:status>"
    yield f"<wp:post_parent>{parent}</wp:post_parent><wp:menu_order>0</wp:menu_order>"
    yield "<wp:post_type>attachment</wp:post_type><wp:post_password/><wp:is_sticky>0</wp:is_sticky>"
    yield f"<wp:attachment_url>{cdata(medium.url)}</wp:attachment_url>"
    if medium.alt:
        yield _meta("_wp_attachment_image_alt", medium.alt)
    yield "</item>"


def _meta(key: str, value: str) -> str:
    return f"<wp:postmeta><wp:meta_key>{key}</wp:meta_key><wp:meta_value>{cdata(value)}</wp:meta_value></wp:postmeta>"


def _home(source: Source) -> str:
    return source.blogs[0].url if source.blogs else ""


def _clock(moment: datetime | None) -> str:
    """Return the local time without its time zone."""
    return moment.replace(tzinfo=None).isoformat(" ", "seconds") if moment else ""


def _utc_second(moment: datetime | None) -> datetime | None:
    if moment is None:
        return None
    try:
        return aware(moment).astimezone(UTC).replace(microsecond=0)
    except OverflowError:  # the first and the last day that datetime can represent
        return moment.replace(tzinfo=UTC, microsecond=0)
