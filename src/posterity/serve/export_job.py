"""An export as a job: written to a folder of the server's, counted as it grows, offered as one file at the end."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from posterity.archive import open_archive
from posterity.archive.overview import blog_counts
from posterity.corpus.export import export
from posterity.corpus.formats import FORMATS
from posterity.errors import InputError, Interrupted
from posterity.serve.jobs import Job

if TYPE_CHECKING:
    from collections.abc import Iterator

    from posterity.archive import Archive
    from posterity.model import Blog, Post
    from posterity.serve.settings import ServeSettings

_TELL_EVERY = 25


def export_job(settings: ServeSettings, format_name: str, blog: Blog | None) -> Job:
    """Return the job of exporting a blog, or everything, in one of the formats of `posterity export`."""
    if format_name not in FORMATS:
        raise InputError(f"There is no format {format_name!r}. Choose one of: {', '.join(FORMATS)}.")

    def work(job: Job) -> dict[str, Any]:
        folder = Path(tempfile.mkdtemp(prefix="posterity-export-"))
        with open_archive(settings.archive) as archive:
            counts = blog_counts(archive)
            total = counts[blog.id].posts if blog and blog.id in counts else sum(one.posts for one in counts.values())
            watched: Any = _Watched(archive, job, total)
            export(watched, str(folder / _name(format_name, blog)), format_name, blogs=[blog.id] if blog else [])
        file = _one_file(folder / _name(format_name, blog))
        job.tell("written", {"posts": total}, posts=total, known=total)
        return {"file": str(file), "name": file.name, "bytes": file.stat().st_size}

    return Job("export", f"{format_name} {blog.url if blog else 'everything'}", work)


def drop_export(job: Job) -> None:
    """Remove the file of an export."""
    if job.result and "file" in job.result:
        shutil.rmtree(Path(job.result["file"]).parent, ignore_errors=True)


def _name(format_name: str, blog: Blog | None) -> str:
    host = blog.url.split("://", 1)[-1].strip("/").replace("/", "-").replace(":", "-") if blog else "archive"
    return f"{host}.{format_name}"


def _one_file(path: Path) -> Path:
    """A folder becomes a ZIP file: a browser downloads one thing."""
    if not path.is_dir():
        return path
    zipped = Path(shutil.make_archive(str(path), "zip", path))
    shutil.rmtree(path)
    return zipped


class _Watched:
    """The archive, with a look at every post that goes out of it."""

    def __init__(self, archive: Archive, job: Job, total: int) -> None:
        self._archive, self._job, self._total = archive, job, total

    def __getattr__(self, name: str) -> Any:
        return getattr(self._archive, name)

    def posts(self, *arguments: Any, **options: Any) -> Iterator[Post]:
        """The posts, counted."""
        for number, post in enumerate(self._archive.posts(*arguments, **options), 1):
            if self._job.stopping:
                raise Interrupted("The export was stopped.")
            yield post
            if number % _TELL_EVERY == 0:
                self._job.tell("written", {"posts": number}, posts=number, known=self._total)
