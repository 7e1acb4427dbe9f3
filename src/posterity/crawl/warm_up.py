"""A rehearsal: a made-up blog of three posts is learned and extracted, so that what is loaded late is loaded.

Words of dates, patterns and the weights of models are made when they are first needed, which takes as long as the
posts of a small blog. Processes that fork from one that has rehearsed have them all.
"""

from __future__ import annotations

from posterity.classify import page_kind
from posterity.dom import parse
from posterity.extraction import Context, extract_posts
from posterity.learning.rule_set import learn
from posterity.urls import post_pattern

_HOME = "http://blog.example"
_SUBJECTS = ("tides", "lamps", "letters")
_SENTENCE = "In winter the harbour is quiet, and everybody who writes here has something to say about the {subject}. "
_PAGE = """<html lang="en"><head><title>{subject} - A blog</title></head><body><nav><a href="/">A blog</a></nav>
<article class="post"><h1 class="title">All about {subject}</h1><p class="by">by <a rel="author">Anna Holm</a> on
<time>{day} March 2021</time></p><div class="content"><p>{text}</p><p>{text}</p></div></article>
<footer>Made with care in 2021.</footer></body></html>"""
_ITEM = """<item><title>All about {subject}</title><link>{url}</link><pubDate>{day} Mar 2021 10:00:00 GMT</pubDate>
<author>anna@blog.example (Anna Holm)</author><description>&lt;p&gt;{text}&lt;/p&gt;</description></item>"""


def warm_up() -> None:
    """Do once all that is done to the pages of a blog."""
    pages, items = {}, ""
    for day, subject in enumerate(_SUBJECTS, 10):
        url, text = f"{_HOME}/2021/03/{subject}/", _SENTENCE.format(subject=subject) * 4
        pages[url] = _PAGE.format(subject=subject, day=day, text=text)
        items += _ITEM.format(subject=subject, day=day, text=text * 2, url=url)
    feed = f"<rss version='2.0'><channel><title>A blog</title><link>{_HOME}</link>{items}</channel></rss>"
    rules = learn(feed.encode(), pages, feed_url=f"{_HOME}/feed/")
    pattern = post_pattern(pages)
    for url, markup in pages.items():
        document = parse(markup, url)
        page_kind(document, rules, pattern)
        extract_posts(document, context=Context(rules=rules))
        extract_posts(document)
