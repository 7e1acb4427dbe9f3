"""A quality report of a corpus: one HTML page that needs nothing else, fit for an appendix.

How many posts, from when, how long, in which languages, by whom; how much of what the blogs promised is there; how sure
every field is. The same posts give the same page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, BinaryIO

import msgspec

from posterity import __version__
from posterity.corpus.quality_charts import charts
from posterity.corpus.quality_figures import BlogFigures, counted
from posterity.corpus.source import blog_title

if TYPE_CHECKING:
    from posterity.archive import Archive
    from posterity.corpus.source import Source
    from posterity.model import Blog


class Coverage(msgspec.Struct, frozen=True, kw_only=True):
    """One blog: what is here, and what its sources promised at the last harvest."""

    title: str
    url: str
    figures: BlogFigures
    promised: int | None = None
    missing: int = 0
    reasons: dict[str, int] = {}

    @property
    def share(self) -> float | None:
        """How much of what was promised came, from 0 to 1; None when nobody promised anything."""
        return 1 - self.missing / self.promised if self.promised else None


def write_quality_report(source: Source, stream: BinaryIO) -> None:
    """Write the report on the posts of an export."""
    from jinja2 import Environment, PackageLoader
    from markupsafe import Markup

    figures = counted(source.posts)
    known = {blog.id: blog for blog in source.blogs}
    found = (_coverage(source.archive, known[name], one) for name, one in figures.blogs.items() if name in known)
    covered = sorted(found, key=lambda one: (-one.figures.posts, one.url))
    shares = [(one.title, 100 * one.share) for one in covered if one.share is not None]
    environment = Environment(
        loader=PackageLoader("posterity.corpus", "templates"), autoescape=True, trim_blocks=True, lstrip_blocks=True
    )
    # Charts are our own markup, names in them escaped; everything else is escaped by the template.
    page = environment.get_template("quality.html").render(
        title=source.title,
        version=__version__,
        made_at=source.made_at,
        figures=figures,
        covered=covered,
        charts=[(caption, Markup(chart)) for caption, chart in charts(figures, shares)],  # noqa: S704
    )
    stream.write(page.encode())


def _coverage(archive: Archive, blog: Blog, figures: BlogFigures) -> Coverage:
    report = archive.report(blog.id)
    reasons: dict[str, int] = {}
    for missing in report.missing if report else ():
        reasons[missing.reason] = reasons.get(missing.reason, 0) + 1
    return Coverage(
        title=blog_title(blog),
        url=blog.url,
        figures=figures,
        promised=(report.posts + len(report.missing)) if report else None,
        missing=len(report.missing) if report else 0,
        reasons=reasons,
    )
