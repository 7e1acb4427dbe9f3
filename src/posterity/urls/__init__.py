"""URLs: the canonical form, ids, the scope of a blog, the patterns of posts."""

from posterity.urls.kinds import (
    Scope,
    blog_id,
    canonical_url,
    is_bare_host,
    is_http_url,
    lies_in,
    place_key,
    post_id,
    with_scheme,
    without_login,
)
from posterity.urls.post_pattern import PostPattern, post_pattern

__all__ = [
    "PostPattern",
    "Scope",
    "blog_id",
    "canonical_url",
    "is_bare_host",
    "is_http_url",
    "lies_in",
    "place_key",
    "post_id",
    "post_pattern",
    "with_scheme",
    "without_login",
]
