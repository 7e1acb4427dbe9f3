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
from posterity.corpus.manifest import ENDING
from posterity.corpus.selection import Selection, selected
from posterity.errors import InputError, Interrupted
from posterity.serve.jobs import Job

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from posterity.model import Blog, Post
    from posterity.serve.settings import ServeSettings

_TELL_EVERY = 25


def export_job(settings: ServeSettings, format_name: str, blog: Blog | None) -> Job:
    """Return the job of exporting a blog, or everything, in one of the formats of `posterity export`."""
    if format_name not in FORMATS:
        raise InputError(f"There is no format {format_name!r}. Choose one of: {', '.join(FORMATS)}.")

    def work(job: Job) -> dict[str, Any]:
        # Whoever ends the server ends its exports: the system's folder for temporary files is where they belong.
        folder = Path(tempfile.mkdtemp(prefix="posterity-export-"))
        try:
            file = _written(job, settings.archive, folder, format_name, blog)
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
        return {"file": str(file), "name": file.name, "bytes": file.stat().st_size}

    job = Job("export", f"{format_name} {blog.url if blog else 'everything'}", work)
    job.forget = lambda: _drop(job)
    return job


def _drop(job: Job) -> None:
    """Remove the file of an export."""
    if job.result and "file" in job.result:
        shutil.rmtree(Path(job.result["file"]).parent, ignore_errors=True)


def _written(job: Job, location: str, folder: Path, format_name: str, blog: Blog | None) -> Path:
    target = folder / f"{_name(blog)}{FORMATS[format_name].ending or '-' + format_name}"
    with open_archive(location) as archive:
        counts = blog_counts(archive)
        total = sum(one.posts for key, one in counts.items() if blog is None or key == blog.id)
        selection = Selection(blogs=(blog.id,)) if blog else Selection()
        posts = _counted(selected(archive, selection), job, total)
        export(archive, str(target), format_name, selection=selection, posts=posts)
    job.tell("written", {"posts": total, "of": total}, posts=total, known=total)
    return _one_file(target)


def _name(blog: Blog | None) -> str:
    return blog.url.split("://", 1)[-1].strip("/").replace("/", "-").replace(":", "-") if blog else "archive"


def _one_file(target: Path) -> Path:
    """A browser downloads one thing: a folder, or a file with others beside it, becomes a ZIP file."""
    beside = [path for path in target.parent.iterdir() if path != target and not path.name.endswith(ENDING)]
    if target.is_file() and not beside:
        return target
    zipped = Path(shutil.make_archive(str(target.parent) + "-packed", "zip", target.parent))
    return Path(shutil.move(zipped, target.parent / f"{target.name.removesuffix('.zip')}.zip"))


def _counted(posts: Iterable[Post], job: Job, total: int) -> Iterator[Post]:
    for number, post in enumerate(posts, 1):
        if job.stopping:
            raise Interrupted("The export was stopped.")
        yield post
        if number % _TELL_EVERY == 0:
            job.tell("written", {"posts": number, "of": total}, posts=number, known=total)
