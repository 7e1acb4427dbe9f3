"""Measures Posterity's methods and the best rivals on the public benchmarks and real blogs.

    python -m tools.bench BENCH [--blogs FOLDER [--fronts FILE]] [--sample N] [--method NAME]... [--rival NAME]...
                                [--no-rivals | --rivals-only] [--only SET]... [--resume] [--write docs/quality.md]

BENCH is a folder of annotated .jsonl.xz files, FOLDER a folder of blogs with site/ and truth.json, FILE the list of
posts on their front pages. Prints one table: a row per set and measure, a column per candidate, and the target figures.
The sets are explained in docs/bench.md. --sample takes N pages of each set.

The results of each candidate on each set are stored in --out, and stored results of rivals are reused. With --resume,
stored results of methods are also reused, to continue an interrupted run. --only runs these sets and reuses the results
of the others. --write updates the table and the worst pages in a page of the documentation.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
from rich.console import Console
from rich.table import Table
from tools.bench_lines import StoredResult, titled_scores
from tools.quality_page import element_rows, table_rows, write_page

from posterity.errors import InputError
from posterity.evaluate.candidates import Candidate, candidates, version_of
from posterity.evaluate.datasets import DataSet, datasets_in
from posterity.evaluate.evaluation import results_of
from posterity.evaluate.measures.text import token_counts
from posterity.evaluate.output import EvaluationDisplay
from posterity.evaluate.report import diagnosis
from posterity.evaluate.runner import Result, Runner, RunSettings

if TYPE_CHECKING:
    from collections.abc import Iterable

    from posterity.evaluate.datasets import SampleSite

METHOD = "hybrid"
RIVALS = ("trafilatura", "trafilatura-markdown", "readability-lxml")
FOR_ELEMENTS = ("trafilatura-markdown",)  # same text as another candidate, so only run on sets with gold elements
# The CSS selector of the tags and categories of each blog's posts, checked by hand.
TAG_SELECTORS = Path(__file__).with_name("tag_selectors.json")
MANY = 5  # minimum number of pages per host for "hosts:" jobs
TOGETHER = "dragnet"  # the set with several pages per host
TITLED = (TOGETHER, f"hosts:{TOGETHER}")  # sets whose annotated texts mostly start with the title
DIAGNOSED = 0.9  # pages with a lower score get a diagnosis
# The settings for each kind of job: single pages without the rest of their site, hosts and blogs as a whole.
KINDS = {
    "": RunSettings(alone=True),
    "hosts": RunSettings(),
    "blog": RunSettings(),
    "bare": RunSettings(without_feed=True),
    "front": RunSettings(alone=True),
}


class Job(msgspec.Struct, frozen=True):
    """A set and the way it is run: "dragnet", "hosts:dragnet", "blog:NAME", "bare:NAME", "front:NAME"."""

    kind: str
    dataset: DataSet

    @property
    def name(self) -> str:
        """The name under which the results are stored."""
        return f"{self.kind}:{self.dataset.name}" if self.kind else self.dataset.name

    def sites(self, sample: int | None) -> list[SampleSite]:
        """Return the pages of the job."""
        if self.kind != "hosts":
            return self.dataset.sites(sample)
        many = [site for site in self.dataset.sites() if len(site.samples) >= MANY]
        return many[: max(1, sample // MANY)] if sample else many

    def suits(self, candidate: Candidate) -> bool:
        """Return whether the job makes sense for this candidate: rivals use neither feeds nor other pages."""
        if candidate.name in FOR_ELEMENTS and self.kind != "blog":
            return False
        needed = {"hosts": "site", "bare": "rules"}.get(self.kind)
        return needed is None or needed in candidate.needs


def jobs(arguments: argparse.Namespace) -> Iterable[Job]:
    """Yield the jobs: sets, hosts, blogs, blogs again without their feeds, front pages."""
    for dataset in datasets_in([arguments.bench]):
        yield Job("", dataset)
        if dataset.name == TOGETHER:
            yield Job("hosts", dataset)
    if arguments.blogs is None:
        return
    selectors = msgspec.json.decode(TAG_SELECTORS.read_bytes(), type=dict[str, str])
    for blog in datasets_in([arguments.blogs]):
        dataset = msgspec.structs.replace(blog, tags=selectors.get(blog.name, ""))
        yield Job("blog", dataset)
        yield Job("bare", dataset)
    if arguments.fronts is not None:
        for dataset in datasets_in([arguments.blogs], arguments.fronts):
            yield Job("front", dataset)


def stored_result(result: Result) -> StoredResult:
    """Return the result without its page and prediction."""
    sample, outcome = result.sample, result.outcome
    bad = any(score.value < DIAGNOSED for score in outcome.scores.values())
    return StoredResult(
        dataset=result.dataset,
        candidate=result.candidate,
        site=result.site,
        page=sample.id,
        url=sample.url,
        tags=dict(sample.tags),
        scores=outcome.scores,
        words=token_counts(sample.gold.body or "").total(),
        diagnosis=diagnosis(sample, outcome.prediction, outcome.failure) if bad else "",
        seconds=outcome.seconds + outcome.ready_s,
        titled=titled_scores(sample.gold, outcome.prediction) if result.dataset in TITLED else {},
    )


class ResultStore:
    """Stored results of earlier runs, one file per set and candidate."""

    def __init__(self, folder: Path, sample: int | None) -> None:
        self._folder = folder / (f"sample-{sample}" if sample else "all")
        self._folder.mkdir(parents=True, exist_ok=True)

    def _path(self, job: Job, candidate: Candidate) -> Path:
        return self._folder / f"{job.name.replace(':', '-').replace(' ', '-')}.{candidate.name}.jsonl"

    def has(self, job: Job, candidate: Candidate) -> bool:
        """Return whether there are results of a complete run."""
        return self._path(job, candidate).exists()

    def read(self, job: Job, candidate: Candidate) -> list[StoredResult]:
        """Return the stored results; empty if there are none."""
        if not self.has(job, candidate):
            return []
        lines = self._path(job, candidate).read_bytes().splitlines()
        return [msgspec.json.decode(line, type=StoredResult) for line in lines]

    def write(self, job: Job, candidate: Candidate, results: Iterable[StoredResult]) -> None:
        """Store the results of a set atomically, so that an interrupted run leaves no partial file."""
        path = self._path(job, candidate)
        path.with_suffix(".part").write_bytes(b"".join(msgspec.json.encode(one) + b"\n" for one in results))
        path.with_suffix(".part").replace(path)


def run_or_keep(
    job: Job, chosen: list[Candidate], stored: ResultStore, runners: dict[str, Runner], arguments: argparse.Namespace
) -> Iterable[StoredResult]:
    """Yield the results of a job, after running it for candidates without stored results."""
    suitable = [one for one in chosen if job.suits(one)]
    wanted = not arguments.only or any(job.name.startswith(name) for name in arguments.only)
    now = [
        one for one in suitable if wanted and not (stored.has(job, one) and (one.kind == "rival" or arguments.resume))
    ]
    if now:
        results = results_of(job.name, job.sites(arguments.sample), now, runners[job.kind], EvaluationDisplay())
        for one in now:
            stored.write(job, one, (stored_result(result) for result in results if result.candidate == one.name))
    for one in suitable:
        yield from stored.read(job, one)


def ready_rivals() -> list[str]:
    """Return the installed rivals; report the others."""
    ready = []
    for name in RIVALS:
        try:
            version_of(name)
        except InputError as missing:
            print(missing)
        else:
            ready.append(name)
    return ready


def arguments_given() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, usage=argparse.SUPPRESS
    )
    parser.add_argument("bench", type=Path)
    parser.add_argument("--blogs", type=Path)
    parser.add_argument("--fronts", type=Path)
    parser.add_argument("--sample", type=int)
    parser.add_argument("--method", action="append")
    parser.add_argument("--rival", action="append")
    parser.add_argument("--no-rivals", action="store_true")
    parser.add_argument("--rivals-only", action="store_true")
    parser.add_argument("--only", action="append", help="beginning of a set's name, such as dragnet or front:")
    parser.add_argument("--resume", action="store_true")
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("evaluation/bench"))
    parser.add_argument("--write", type=Path, metavar="PAGE")
    return parser.parse_args()


def main() -> None:
    """Run the jobs, print the tables, and write the page."""
    arguments = arguments_given()
    rivals = [] if arguments.no_rivals else arguments.rival or ready_rivals()
    chosen = candidates([] if arguments.rivals_only else arguments.method or [METHOD], rivals)
    stored = ResultStore(arguments.out, arguments.sample)
    workers = arguments.workers
    runners = {kind: Runner(msgspec.structs.replace(how, workers=workers)) for kind, how in KINDS.items()}
    results: list[StoredResult] = []
    try:
        for job in jobs(arguments):
            results += run_or_keep(job, chosen, stored, runners, arguments)
    finally:
        for runner in runners.values():
            runner.__exit__()
    names = [one.name for one in chosen if one.name not in FOR_ELEMENTS]
    rows = [["set", "measures", *names, "best rival elsewhere", "to reach"], *table_rows(names, results)]
    for title, (head, *body) in (("How good", rows), ("Elements: recall, precision", element_rows(names[0], results))):
        table = Table(*head, title=title, title_justify="left")
        for row in body:
            table.add_row(*row)
        Console(width=None if Console().is_terminal else 200).print(table)
    if arguments.write:
        write_page(arguments.write, names, results, arguments.sample)


if __name__ == "__main__":
    main()
