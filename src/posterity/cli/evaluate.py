"""`posterity evaluate`: how good are methods and rivals on a data set?"""

from __future__ import annotations

import os
from pathlib import Path

import click

from posterity.cli.options import engine_options, quiet_option
from posterity.errors import UsageError


@click.command()
@click.argument("datasets", nargs=-1, required=True, metavar="DATASET...", type=click.Path(path_type=Path))
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="One of ours, or package.module:function; +switch sets an option.",
)
@click.option(
    "--rival",
    "rivals",
    multiple=True,
    metavar="NAME",
    help="Another extractor, such as trafilatura or readability-lxml.",
)
@click.option(
    "--paper",
    type=click.Choice(["000", "001", "002", "003", "004"]),
    help="The tables of one of the papers, its figures beside ours (docs/papers.md).",
)
@click.option(
    "-o",
    "--out",
    type=click.Path(path_type=Path),
    default=Path("evaluation"),
    show_default=True,
    help="Folder for the results.",
)
@click.option(
    "--sample", type=click.IntRange(1), metavar="N", help="Only N pages of each data set, always the same ones."
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=None,
    show_default="one per core",
    help="Processes at the same time; 1 for exact times.",
)
@click.option(
    "--time-limit", type=click.FloatRange(0.1), default=30.0, show_default=True, metavar="SECONDS", help="For one page."
)
@click.option(
    "--memory-limit", type=click.IntRange(256), default=3072, show_default=True, metavar="MB", help="For one worker."
)
@click.option("--alone", is_flag=True, help="Show methods one page at a time, without the others of its site.")
@click.option("--no-feed", is_flag=True, help="Withhold the blogs' feeds.")
@click.option(
    "--fronts",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Evaluate the blogs' front pages that this file describes.",
)
@engine_options
@click.option("--domains", is_flag=True, help="Print ACS and TCS of each domain too.")
@click.option("--json", "as_json", is_flag=True, help="Print the figures as JSON lines, for programs.")
@quiet_option
def command(
    datasets: tuple[Path, ...], methods: tuple[str, ...], rivals: tuple[str, ...], out: Path, sample: int | None,
    workers: int | None, time_limit: float, memory_limit: int, alone: bool, no_feed: bool, fronts: Path | None,
    domains: bool, as_json: bool, quiet: bool, paper: str | None, engine: str, scheduler: str | None,
) -> None:  # fmt: skip
    """Measure methods and rivals on pages whose content is known.

    DATASET is a .jsonl[.xz|.gz] file of pages with gold, a blog's folder with site/ and truth.json, or a folder of
    either. Prints tables; writes report.html, pages.jsonl, pages.csv and figures.csv to the folder of --out.

    \b
    posterity evaluate pages.jsonl.xz --method mcst --method bte --rival trafilatura
    posterity evaluate blogs/ --method feed --rival readability-lxml --sample 20
    posterity evaluate blogs/NAME --method wc-multi --method wc-multi+prune
    posterity evaluate blogs/ --paper 003 --sample 10
    posterity evaluate pages.jsonl.xz --engine dask --scheduler tcp://cluster.example:8786
    """
    from posterity.engine import engine_named
    from posterity.evaluate.candidates import candidates
    from posterity.evaluate.datasets import datasets_in
    from posterity.evaluate.evaluation import evaluate
    from posterity.evaluate.output import Display
    from posterity.evaluate.runner import RunSettings
    from posterity.evaluate.worker import PageLimits
    from posterity.extraction.method import DEFAULT_METHOD

    settings = RunSettings(
        workers=workers or os.cpu_count() or 1,
        limits=PageLimits(time_s=time_limit, memory_mb=memory_limit),
        alone=alone,
        without_feed=no_feed,
    )
    display = Display(as_json=as_json, quiet=quiet, domains=domains)
    if paper is not None and (methods or rivals):
        raise UsageError("--paper names its methods and rivals itself. Leave out --method and --rival.")
    if workers is not None and engine != "local":
        raise UsageError("--workers is for this machine; a Dask cluster has its own.")
    with engine_named(engine, scheduler) as where:
        elsewhere = where if engine != "local" else None  # pages are extracted under limits, by processes of their own
        if paper is not None:
            from posterity.evaluate.papers import evaluate_paper

            evaluate_paper(
                paper, datasets_in(datasets, fronts), out, display=display, settings=settings, sample=sample,
                engine=elsewhere,
            )  # fmt: skip
            return
        chosen = candidates(methods or (() if rivals else (DEFAULT_METHOD,)), rivals)
        evaluate(
            datasets_in(datasets, fronts), chosen, out, settings=settings, sample=sample, display=display,
            engine=elsewhere,
        )  # fmt: skip
