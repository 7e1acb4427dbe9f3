"""Method `feed`: the rules learned from a blog's feed, applied to a page (BlogForever crawler, section 1).

After learning, a page costs its parsing and a few look-ups: nothing is searched for, and only the article's own
subtree is read. What the feed itself says of this very post (its date to the second, its authors) goes before what
the page shows.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from posterity.dom.rule_match import matches
from posterity.errors import InputError
from posterity.extract.assemble import article_fields, post_from
from posterity.extract.comments import comments_on
from posterity.extract.feed_fields import authors_on, by_rule, date_on, tags_on, title_on
from posterity.extract.learned_comments import learned_comments
from posterity.learn.author import is_role
from posterity.model import Post, Provenance

if TYPE_CHECKING:
    from posterity.dom import Document, Tree
    from posterity.extract.method import Context
    from posterity.model import Comment, FeedEntry, FieldRule, RuleSet

# What the feed says of a post is what its author entered.
_FEED_ENTRY = Provenance(method="feed-entry", confidence=0.99)


def posts(document: Document, context: Context) -> tuple[Post, ...]:
    """Return the post that the context's rules find, or nothing when none of them names an article."""
    rules = context.rules
    if rules is None:
        raise InputError("The method feed needs rules: give a feed to learn from (--feed) or a rule file (--rules).")
    article = first_named(document, rules, "article")
    if article is None:
        return ()
    tree, rule = article
    fields: dict[str, Any] = article_fields(tree, document.base_url, skip=left_out(tree, rules))
    provenance = {"text": by_rule(rule)}
    for name, found in (
        ("title", title_on(document, rules)),
        ("authors", authors_on(document, rules)),
        ("published", date_on(document, rules, context.fetched_at)),
        ("tags", tags_on(document, rules)),
    ):
        if found is not None:
            fields |= found.fields
            provenance[name] = found.provenance
    comments = _comments(document, rules, context)
    if comments:
        fields["comments"] = comments
        provenance["comments"] = Provenance(method="comment-markup", confidence=0.9)
    if context.entry is not None:
        _tell_from_entry(context.entry, fields, provenance)
    return (post_from(document, fields, provenance),)


def _comments(document: Document, rules: RuleSet, context: Context) -> tuple[Comment, ...]:
    """Comments by the markup that blog software shares; by learned rules where those name more."""
    tree, base_url = document.tree, document.base_url
    known = comments_on(tree, base_url, rules.languages, context.fetched_at)
    learned = learned_comments(tree, rules, base_url, context.fetched_at) if rules.rules_for("comment_text") else ()
    return learned if len(learned) > len(known) else known


def first_named(document: Document, rules: RuleSet, field: str) -> tuple[Tree, FieldRule] | None:
    """Return the node of the first rule of a field that names one on this page, and the rule."""
    for rule in rules.rules_for(field):
        tree = document.first(rule.rule)
        if tree is not None:
            return tree, rule
    return None


def left_out(article: Tree, rules: RuleSet) -> frozenset[int]:
    """Return the nodes inside the article that OUT rules name."""
    return frozenset(node for rule in rules.rules_for("out") for node in matches(article, rule.rule) if node)


def _tell_from_entry(entry: FeedEntry, fields: dict[str, Any], provenance: dict[str, Provenance]) -> None:
    """Fill in what the feed says of this post."""
    said: dict[str, Any] = {
        "published": entry.published,
        "authors": tuple(name for name in entry.authors if not is_role(name)),
        "tags": entry.tags,
        "modified": entry.updated if entry.updated != entry.published else None,
    }
    if not fields.get("title"):
        said["title"] = entry.title
    for name, value in said.items():
        if value:
            fields[name] = value
            provenance[name] = _FEED_ENTRY
    if entry.published:
        fields["published_precision"] = "minute"
