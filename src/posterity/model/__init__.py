"""The values that travel between the stages: frozen, typed, and the same after a JSON round trip."""

from posterity.model.blog import Blog, Schedule, blog_id, post_id
from posterity.model.json_lines import from_json, to_json
from posterity.model.page import Feed, FeedEntry, Page, WarcPointer
from posterity.model.post import (
    Comment,
    Media,
    OddsChange,
    Post,
    Provenance,
    TracedProvenance,
    demands_in,
    sure_part,
)
from posterity.model.report import HarvestReport, MissingMedia, MissingPost, Rejected, SourceCount
from posterity.model.rules import FieldRule, Rule, RuleSet

__all__ = [
    "Blog",
    "Comment",
    "Feed",
    "FeedEntry",
    "FieldRule",
    "HarvestReport",
    "Media",
    "MissingMedia",
    "MissingPost",
    "OddsChange",
    "Page",
    "Post",
    "Provenance",
    "Rejected",
    "Rule",
    "RuleSet",
    "Schedule",
    "SourceCount",
    "TracedProvenance",
    "WarcPointer",
    "blog_id",
    "demands_in",
    "from_json",
    "post_id",
    "sure_part",
    "to_json",
]
