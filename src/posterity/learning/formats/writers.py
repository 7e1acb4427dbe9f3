"""Writers of learned rules: a page object for web-poet and Scrapy, JSON, CSS, Full-Text RSS and Miniflux."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import msgspec

from posterity.model import Rule, RuleSet, to_json

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
# Fields of the page object and the fields of the record they are taken from.
_SINGLE = {"title": "title", "author": "authors", "date": "published"}


def web_poet_module(rules: RuleSet) -> str:
    """Return the source of a module with one page object, whose fields use the learned CSS selectors."""
    url = rules.evidence[0] if rules.evidence else rules.feed_url or ""
    host = urlsplit(url).hostname or "blog.example"
    feed = (rules.feed_url or "its feed").replace('"', "%22").replace("\\", "%5C")
    parts = [_HEAD.format(host=host, feed=feed, name=_class_name(host))]
    parts += [_single(name, found) for name, field in _SINGLE.items() if (found := rules_of(rules, field))]
    tags = rules_of(rules, "tags")
    if tags:
        texts = f"self.css({tags[0].css!r} + ' ::text').getall()"
        parts.append(_method("tags", "list[str]", f"return [tag.strip() for tag in {texts}]"))
    parts.append(_article(rules))
    return "\n".join(parts)


def _single(name: str, rules: list[Rule]) -> str:
    selectors = ", ".join(f"({rule.css!r}, {rule.attribute or ''!r})" for rule in rules)
    return _method(name, "str | None", f"return self._first({selectors})")


def _article(rules: RuleSet) -> str:
    """The method for the article's HTML without the matches of OUT rules."""
    lines = [
        f"for css in {[rule.css for rule in rules_of(rules, 'text')]!r}:",
        "    for node in self.css(css)[:1]:",
        f"        for out in {[rule.xpath for rule in out_rules_of(rules)]!r}:",
        "            self.xpath(out).drop()",
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


def rules_of(rules: RuleSet, field: str) -> list[Rule]:
    """Return the distinct rules of a field, best first, those of layouts after the common ones."""
    found = [rule.rule for rule in rules.rules_for(field)]
    for layout in rules.layouts:
        found += [rule.rule for rule in layout.fields.get(field, ())]
    return list(dict.fromkeys(found))


def out_rules_of(rules: RuleSet) -> list[Rule]:
    """Return the OUT rules, each limited to the article that it was learned for."""
    sets = [rules, *(rules.with_layout(layout) for layout in rules.layouts)]
    fields = ((each.rules_for("text"), each.rules_for("out")) for each in sets)
    found = [_inside(rule.rule, article[0].rule) for article, out in fields if article for rule in out]
    return list(dict.fromkeys(found))


def _inside(rule: Rule, article: Rule) -> Rule:
    under = _inside(rule.under, article) if rule.under else article
    return msgspec.structs.replace(rule, under=under)


def own_json(rules: RuleSet) -> str:
    """Return the rules as indented JSON that can be edited and read by `posterity extract --rules`."""
    return msgspec.json.format(to_json(rules), indent=2).decode()


_FIELDS = ("text", "title", "authors", "published", "tags", "comment_text", "comment_author", "comment_published")


def css_lines(rules: RuleSet) -> str:
    """Return a line for every rule: the field, its CSS selector, and the attribute to read after an @."""
    lines = [f"{field}: {rule}" for field in _FIELDS for rule in rules_of(rules, field)]
    lines += [f"out: {rule}" for rule in out_rules_of(rules)]
    return "\n".join(lines) + "\n"


_FULL_TEXT_RSS_NAMES = {"title": "title", "authors": "author", "published": "date", "text": "body"}
_MAX_TESTS = 3


def full_text_rss(rules: RuleSet) -> str:
    """Return a site configuration for Full-Text RSS: XPath, where several lines of one name are tried in order.

    The file is named after the host: `blog.example.txt`, or `.blog.example.txt` to cover subdomains too.
    """
    url = rules.evidence[0] if rules.evidence else rules.feed_url or ""
    file_name = f"{urlsplit(url).hostname or 'site'}.txt".removeprefix("www.")
    lines = [f"# {file_name}", ""]
    for field, name in _FULL_TEXT_RSS_NAMES.items():
        lines += [f"{name}: {_xpath(rule)}" for rule in rules_of(rules, field)]
    lines += [f"strip: {rule.xpath}" for rule in out_rules_of(rules)]
    lines += ["", *(f"test_url: {url}" for url in rules.evidence[:_MAX_TESTS])]
    return "\n".join(lines).rstrip() + "\n"


def _xpath(rule: Rule) -> str:
    return f"{rule.xpath}/@{rule.attribute}" if rule.attribute else rule.xpath


def miniflux_settings(rules: RuleSet) -> str:
    """Return the settings of a feed in Miniflux as JSON for its API (PUT /v1/feeds/ID).

    Scraper rules select the article, rewrite rules remove parts of it.
    """
    removed = ", ".join(rule.css for rule in out_rules_of(rules)).replace('"', "'")
    settings = {
        "feed_url": rules.feed_url or "",
        "crawler": True,
        "scraper_rules": ", ".join(rule.css for rule in rules_of(rules, "text")),
        "rewrite_rules": f'remove("{removed}")' if removed else "",
    }
    return msgspec.json.format(msgspec.json.encode(settings), indent=2).decode() + "\n"
