"""Site configuration of Full-Text RSS: XPath for `body`, `title`, `author`, `date` and what to `strip`.

Several lines of one name are tried in their order. The file is called after the host: `blog.example.txt`, or
`.blog.example.txt` to serve its subdomains too.
"""

from __future__ import annotations

from urllib.parse import urlsplit

from posterity.learning.formats.selectors import out_rules_of, rules_of
from posterity.model import Rule, RuleSet

_NAMES = {"title": "title", "authors": "author", "published": "date", "text": "body"}
_MAX_TESTS = 3


def written(rules: RuleSet) -> str:
    """Return the configuration file."""
    lines = [f"# {file_name(rules)}", ""]
    for field, name in _NAMES.items():
        lines += [f"{name}: {_xpath(rule)}" for rule in rules_of(rules, field)]
    lines += [f"strip: {rule.xpath}" for rule in out_rules_of(rules)]
    lines += ["", *(f"test_url: {url}" for url in rules.evidence[:_MAX_TESTS])]
    return "\n".join(lines).rstrip() + "\n"


def file_name(rules: RuleSet) -> str:
    """Return what Full-Text RSS wants the file to be called."""
    url = rules.evidence[0] if rules.evidence else rules.feed_url or ""
    return f"{urlsplit(url).hostname or 'site'}.txt".removeprefix("www.")


def _xpath(rule: Rule) -> str:
    return f"{rule.xpath}/@{rule.attribute}" if rule.attribute else rule.xpath
