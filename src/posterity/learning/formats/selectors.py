"""Learned rules as selectors for other software: CSS line by line, Full-Text RSS, Miniflux; and our own JSON.

The rules of all layouts stand on their own here: OUT parts are named from the article down.
"""

from __future__ import annotations

from urllib.parse import urlsplit

import msgspec

from posterity.model import Rule, RuleSet, to_json


def rules_of(rules: RuleSet, field: str) -> list[Rule]:
    """Return the rules of a field, best first, those of former layouts after the common ones, each once."""
    found = [rule.rule for rule in rules.rules_for(field)]
    for layout in rules.layouts:
        found += [rule.rule for rule in layout.fields.get(field, ())]
    return list(dict.fromkeys(found))


def out_rules_of(rules: RuleSet) -> list[Rule]:
    """Return the OUT rules, each inside the article that it was learned for."""
    sets = [rules, *(rules.with_layout(layout) for layout in rules.layouts)]
    found = [
        _inside(rule.rule, each.rules_for("text")[0].rule)
        for each in sets
        if each.rules_for("text")
        for rule in each.rules_for("out")
    ]
    return list(dict.fromkeys(found))


def _inside(rule: Rule, article: Rule) -> Rule:
    under = _inside(rule.under, article) if rule.under else article
    return msgspec.structs.replace(rule, under=under)


def own_json(rules: RuleSet) -> str:
    """Return the rules as indented JSON that a person can change, and that `posterity extract --rules` reads."""
    return msgspec.json.format(to_json(rules), indent=2).decode()


_FIELDS = ("text", "title", "authors", "published", "tags", "comment_text", "comment_author", "comment_published")


def css_lines(rules: RuleSet) -> str:
    """Return a line for every rule: the field, its CSS selector, and after an @ the attribute to read."""
    lines = [f"{field}: {rule}" for field in _FIELDS for rule in rules_of(rules, field)]
    lines += [f"out: {rule}" for rule in out_rules_of(rules)]
    return "\n".join(lines) + "\n"


_FULL_TEXT_RSS_NAMES = {"title": "title", "authors": "author", "published": "date", "text": "body"}
_MAX_TESTS = 3


def full_text_rss(rules: RuleSet) -> str:
    """Return the site configuration of Full-Text RSS: XPath, several lines of one name tried in their order.

    The file is called after the host: `blog.example.txt`, or `.blog.example.txt` to serve its subdomains too.
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
    """Return the settings of a feed in Miniflux, with the names of its API (PUT /v1/feeds/ID).

    Scraper rules name the article, rewrite rules remove parts of it.
    """
    removed = ", ".join(rule.css for rule in out_rules_of(rules)).replace('"', "'")
    settings = {
        "feed_url": rules.feed_url or "",
        "crawler": True,
        "scraper_rules": ", ".join(rule.css for rule in rules_of(rules, "text")),
        "rewrite_rules": f'remove("{removed}")' if removed else "",
    }
    return msgspec.json.format(msgspec.json.encode(settings), indent=2).decode() + "\n"
