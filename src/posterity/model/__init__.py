"""The values that travel between the stages: frozen, typed, and the same after a JSON round trip."""

from posterity.model.blog import Blog, Schedule
from posterity.model.certainty import demands_in, sure_part
from posterity.model.feed import Feed, FeedEntry
from posterity.model.ids import blog_id, post_id
from posterity.model.json_lines import from_json, to_json
from posterity.model.page import Page, WarcPointer
from posterity.model.post import Comment, Media, Post, Provenance
from posterity.model.rejected import Rejected
from posterity.model.report import HarvestReport, MissingMedia, MissingPost, PostEstimate, SourceCount
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
    "Page",
    "Post",
    "PostEstimate",
    "Provenance",
    "Rejected",
    "Rule",
    "RuleSet",
    "Schedule",
    "SourceCount",
    "WarcPointer",
    "blog_id",
    "demands_in",
    "from_json",
    "post_id",
    "sure_part",
    "to_json",
]
