"""A page object for web-poet and Scrapy: a Python module with one class, whose fields are the learned selectors."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

from posterity.learning.formats.selectors import out_rules_of, rules_of
from posterity.model import Rule, RuleSet

_HEAD = '''"""Posts of {host}. Learned by Posterity from {feed}."""

from web_poet import WebPage, field, handle_urls


@handle_urls({host!r})
class {name}(WebPage[dict]):
    """A post page."""

    def _first(self, *selectors: tuple[str, str]) -> str | None:
        for css, attribute in selectors:
            for node in self.css(css):
                value = node.attrib.get(attribute) if attribute else node.xpath("string()").get()
                if value and value.strip():
                    return " ".join(value.split())
        return None
'''
# The fields of the page object, and the fields of the record that they hold.
_SINGLE = {"title": "title", "author": "authors", "date": "published"}


def written(rules: RuleSet) -> str:
    """Return the module's source."""
    url = rules.evidence[0] if rules.evidence else rules.feed_url or ""
    host = urlsplit(url).hostname or "blog.example"
    feed = (rules.feed_url or "its feed").replace('"', "%22").replace("\\", "%5C")
    parts = [_HEAD.format(host=host, feed=feed, name=_class_name(host))]
    parts += [_single(name, found) for name, field in _SINGLE.items() if (found := rules_of(rules, field))]
    tags = rules_of(rules, "tags")
    if tags:
        parts.append(
            _method(
                "tags", "list[str]", f"return [tag.strip() for tag in self.css({tags[0].css!r} + ' ::text').getall()]"
            )
        )
    parts.append(_article(rules))
    return "\n".join(parts)


def _single(name: str, rules: list[Rule]) -> str:
    selectors = ", ".join(f"({rule.css!r}, {rule.attribute or ''!r})" for rule in rules)
    return _method(name, "str | None", f"return self._first({selectors})")


def _article(rules: RuleSet) -> str:
    """The article's HTML, without what OUT rules name."""
    lines = [
        f"for css in {[rule.css for rule in rules_of(rules, 'text')]!r}:",
        "    for node in self.css(css)[:1]:",
        f"        for out in {[rule.css for rule in out_rules_of(rules)]!r}:",
        "            self.css(out).drop()",
        "        return node.get()",
        "return None",
    ]
    return _method("article_html", "str | None", "\n        ".join(lines))


def _method(name: str, kind: str, body: str) -> str:
    return f"    @field\n    def {name}(self) -> {kind}:\n        {body}\n"


def _class_name(host: str) -> str:
    words = re.findall(r"[a-z0-9]+", host.removeprefix("www.").lower())
    name = "".join(word.capitalize() for word in words)
    return f"{name if name[:1].isalpha() else 'Blog' + name}Post"
