"""Classification of pages: a post, an index of posts, or something else."""

from posterity.classify.page_kind import PageKind, page_kind

__all__ = ["PageKind", "page_kind"]
