"""`posterity evaluate`: scores of extraction methods on annotated pages."""

from __future__ import annotations

import os
from pathlib import Path

import click

from posterity.cli.options import engine_options, json_option, quiet_option
from posterity.errors import UsageError


@click.command()
@click.argument("datasets", nargs=-1, required=True, metavar="DATASET...", type=click.Path(path_type=Path))
@click.option(
    "--method",
    "methods",
    multiple=True,
    metavar="NAME",
    help="A method of Posterity, or package.module:function; +switch sets an option.",
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
    help="Print the tables of one of the papers, with its figures beside ours (docs/papers.md).",
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
    "--sample", type=click.IntRange(1), metavar="N", help="Use only N pages of each data set, always the same ones."
)
@click.option(
    "--workers",
    type=click.IntRange(1),
    default=None,
    show_default="one per core",
    help="Number of worker processes; use 1 for exact times.",
)
@click.option("--time-limit", type=click.FloatRange(0.1), default=30.0, show_default=True, metavar="SECONDS",
              help="Time limit for one page.")  # fmt: skip
@click.option("--memory-limit", type=click.IntRange(256), default=3072, show_default=True, metavar="MB",
              help="Memory limit for one worker.")  # fmt: skip
@click.option("--alone", is_flag=True, help="Give methods each page on its own, without the other pages of its site.")
@click.option("--no-feed", is_flag=True, help="Do not give methods the blogs' feeds.")
@click.option(
    "--fronts",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Evaluate the blogs' front pages that this file describes.",
)
@engine_options
@click.option("--domains", is_flag=True, help="Also print ACS and TCS of each domain.")
@json_option
@quiet_option
def command(
    datasets: tuple[Path, ...], methods: tuple[str, ...], rivals: tuple[str, ...], out: Path, sample: int | None,
    workers: int | None, time_limit: float, memory_limit: int, alone: bool, no_feed: bool, fronts: Path | None,
    domains: bool, as_json: bool, quiet: bool, paper: str | None, engine: str, scheduler: str | None,
) -> None:  # fmt: skip
    """Score extraction methods and other extractors on annotated pages.

    DATASET is a .jsonl[.xz|.gz] file of pages with their gold standard, a blog's folder with site/ and truth.json, or a
    folder of either. Prints tables, and writes report.html, pages.jsonl, pages.csv and figures.csv to the --out folder.

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
    from posterity.evaluate.output import EvaluationDisplay
    from posterity.evaluate.runner import RunSettings
    from posterity.evaluate.worker import PageLimits
    from posterity.extraction.method import DEFAULT_METHOD

    settings = RunSettings(
        workers=workers or os.cpu_count() or 1,
        limits=PageLimits(time_s=time_limit, memory_mb=memory_limit),
        alone=alone,
        without_feed=no_feed,
    )
    display = EvaluationDisplay(as_json=as_json, quiet=quiet, domains=domains)
    if paper is not None and (methods or rivals):
        raise UsageError("--paper uses the methods of the paper. Remove --method and --rival.")
    if workers is not None and engine != "local":
        raise UsageError("--workers is for this machine; a Dask cluster has its own.")
    with engine_named(engine, scheduler) as where:
        elsewhere = where if engine != "local" else None  # a local run uses worker processes with limits
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
