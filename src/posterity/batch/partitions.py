"""Extraction of many crawl files into a partitioned Parquet corpus, on this machine's processors or on Dask.

Two steps, as in MapReduce: every crawl file is divided by host into buckets, then every bucket becomes one partition.
The names of files that a task writes depend only on its input, so that it can run twice, or restart on another machine,
with the same result. All locations are fsspec URLs: folders, s3://...
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

import msgspec

from posterity.batch.crawl_sites import ExtractJob, Extractor
from posterity.batch.method import MethodChoice
from posterity.engine import Engine
from posterity.errors import InputError, missing_package
from posterity.importer.crawl_file import Damage, crawl_file_exchanges
from posterity.importer.grouping import Spool, SpoolWriter, is_text
from posterity.importer.importing import responses_by_host
from posterity.model import Post
from posterity.urls import blog_id, canonical_url

_SHUFFLE = "_shuffle"  # readers of Parquet folders ignore names that start with an underscore


class PartitionJob(msgspec.Struct, frozen=True, kw_only=True):
    """The parameters of all tasks."""

    inputs: tuple[str, ...]
    out: str
    method: str | None = None
    blogs_only: bool = False


class PartitionReport(msgspec.Struct, frozen=True, kw_only=True):
    """The counts of a whole extraction."""

    files: int
    responses: int
    damaged: int
    hosts: int
    blogs: int
    posts: int
    failed: int


class BucketReport(msgspec.Struct, kw_only=True):
    """The counts of one partition; `failed` are pages that could not be extracted."""

    hosts: int = 0
    blogs: int = 0
    posts: int = 0
    failed: int = 0


def extract_partitions(job: PartitionJob, engine: Engine) -> PartitionReport:
    """Extract the posts of all crawl files into `posts/` and `comments/` of the output folder."""
    divided = list(engine.map(partial(divide_file, job), range(len(job.inputs))))
    buckets = sorted({bucket for _, _, some in divided for bucket in some})
    made = list(engine.map(partial(extract_bucket, job), buckets))
    system, out = _filesystem_of(job.out)
    if system.exists(f"{out}/{_SHUFFLE}"):
        system.rm(f"{out}/{_SHUFFLE}", recursive=True)
    return PartitionReport(
        files=len(job.inputs),
        responses=sum(count for count, _, _ in divided),
        damaged=sum(count for _, count, _ in divided),
        **{name: sum(getattr(report, name) for report in made) for name in BucketReport.__struct_fields__},
    )


def matching_files(patterns: Sequence[str]) -> list[str]:
    """Return the URLs of all files that match, without duplicates; raise `InputError` if a file is missing."""
    found: dict[str, None] = {}
    for pattern in patterns:
        system, path = _filesystem_of(pattern)
        names = sorted(system.glob(path)) if any(sign in path for sign in "*?[") else [path]
        for name in names:
            if not system.exists(name):
                raise InputError(f"There is no file {pattern}.")
            found[system.unstrip_protocol(name)] = None
    if not found:
        raise InputError(f"No file matches {' '.join(patterns)}.")
    return list(found)


def divide_file(job: PartitionJob, number: int) -> tuple[int, int, list[int]]:
    """Divide one crawl file by host; return the numbers of responses and damaged records, and its buckets."""
    with _local_copy(job.inputs[number]) as path, TemporaryDirectory(prefix="posterity-") as folder:
        writer = SpoolWriter(Path(folder), f"{number:06}")
        count = damaged = 0
        for found in crawl_file_exchanges(path):
            if isinstance(found, Damage):
                damaged += 1
            elif is_text(found):
                writer.add(found, number)
                count += 1
        writer.flush()
        writer.close()
        buckets = set()
        for file in sorted(Path(folder).iterdir()):
            bucket = int(file.name.partition("-")[0])
            buckets.add(bucket)
            _store(file, f"{job.out}/{_SHUFFLE}/{bucket}/{file.name}")
    return count, damaged, sorted(buckets)


def extract_bucket(job: PartitionJob, bucket: int) -> BucketReport:
    """Extract the posts of all hosts of a bucket into one partition."""
    from posterity.export.parquet import write_tables

    with TemporaryDirectory(prefix="posterity-") as name:
        folder = Path(name)
        system, out = _filesystem_of(job.out)
        for path in sorted(system.ls(f"{out}/{_SHUFFLE}/{bucket}", detail=False)):
            system.get_file(path, str(folder / path.rpartition("/")[2]))
        report = BucketReport()
        with closing(Spool(folder)) as spool:
            write_tables(_bucket_posts(job, spool, bucket, report), folder)
        for table in ("posts", "comments"):
            _store(folder / f"{table}.parquet", f"{job.out}/{table}/part-{bucket:05}.parquet")
        return report


def _bucket_posts(job: PartitionJob, spool: Spool, bucket: int, report: BucketReport) -> Iterator[Post]:
    extractor = Extractor(
        ExtractJob(folder=spool.folder, dropped=frozenset(), chosen=_method(job.method), index=False, reference=None),
        spool,
    )
    for host in responses_by_host(spool.responses(bucket)):
        report.hosts += 1
        is_blog = extractor.host(bucket, host).is_blog
        report.blogs += is_blog
        if job.blogs_only and not is_blog:
            continue
        name = blog_id(canonical_url(f"https://{host}/"))
        for result in extractor.host_results(bucket, host, posts_only=job.blogs_only):
            report.failed += result.problem is not None
            for post in result.posts:
                report.posts += 1
                yield msgspec.structs.replace(post, blog=name)


def _method(name: str | None) -> MethodChoice:
    from posterity.batch.method import choose_method
    from posterity.batch.sources import Sources

    with Sources([], "") as nothing:
        return choose_method(name, None, None, nothing)


def _filesystem_of(url: str) -> tuple[Any, str]:
    try:
        import fsspec

        return fsspec.core.url_to_fs(url, use_listings_cache=False)  # type: ignore[no-any-return]
    except ModuleNotFoundError as problem:
        raise missing_package(problem, "A corpus of partitions") or problem from problem


@contextmanager
def _local_copy(url: str) -> Iterator[Path]:
    """Yield the path of a local copy with the same name, which becomes the origin in records."""
    system, path = _filesystem_of(url)
    if "file" in (system.protocol if isinstance(system.protocol, tuple) else (system.protocol,)):
        yield Path(path)
        return
    with TemporaryDirectory(prefix="posterity-") as folder:
        copy = Path(folder) / path.rpartition("/")[2]
        system.get_file(path, str(copy))
        yield copy


def _store(path: Path, url: str) -> None:
    """Write a file atomically, replacing that of an earlier run of the same task."""
    system, target = _filesystem_of(url)
    system.makedirs(target.rpartition("/")[0], exist_ok=True)
    part = f"{target}.{uuid4().hex}.part"
    system.put_file(str(path), part)
    system.mv(part, target)
