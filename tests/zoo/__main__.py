"""`python -m tests.zoo`: harvest every situation and print recall, precision and requests per post as a table."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from statistics import fmean

import click
from tests.zoo.measure import Result, measure
from tests.zoo.registry import Situation, all_situations

_EXECUTABLE = Path(__file__).resolve().parents[2] / ".venv" / "bin" / "posterity"
_HEADINGS = ("situation", "truth", "stored", "recall", "precision", "req/post", "exit", "s", "notes")
_ROW = "{:<34} {:>5} {:>6} {:>6} {:>9} {:>8} {:>4} {:>5}  {}"


@click.command()
@click.option("--posterity", "executable", default=str(_EXECUTABLE), help="The program to try, of any checkout.")
@click.option("--only", default="", help="Names of situations, with commas between them; a part of a name is enough.")
@click.option("--jobs", default=2, type=click.IntRange(min=1), help="Harvests at the same time.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON lines.")
@click.option("--list", "as_list", is_flag=True, help="Print names and descriptions, and harvest nothing.")
def main(executable: str, only: str, jobs: int, as_json: bool, as_list: bool) -> None:
    """Harvest the situations and compare the stored records with the truth."""
    chosen = _chosen(only)
    if as_list:
        for situation in chosen:
            click.echo(f"{situation.name:<34} {situation.description}")
        return
    if not as_json:
        click.echo(_ROW.format(*_HEADINGS))
    results = []
    with ThreadPoolExecutor(jobs) as pool:
        for result in pool.map(lambda each: measure(each, executable), chosen):
            results.append(result)
            click.echo(_json(result) if as_json else _row(result))
    if results and not as_json:
        click.echo(_means(results))


def _chosen(only: str) -> list[Situation]:
    situations = {situation.name: situation for situation in all_situations()}
    wanted = [name for name in only.split(",") if name]
    chosen = [
        situation
        for name, situation in situations.items()
        if not wanted or name in wanted or any(part in name for part in wanted if part not in situations)
    ]
    if not chosen:
        raise click.UsageError(f"no situation is called {only}; --list prints them")
    return chosen


def _json(result: Result) -> str:
    return json.dumps(asdict(result) | {"recall": result.recall, "precision": result.precision})


def _row(result: Result) -> str:
    return _ROW.format(
        result.name,
        result.truth,
        result.stored,
        f"{result.recall:.2f}",
        "-" if result.precision is None else f"{result.precision:.2f}",
        f"{result.requests_per_post:.2f}",
        result.exit_code,
        f"{result.seconds:.0f}",
        "; ".join(result.notes),
    ).rstrip()


def _means(results: list[Result]) -> str:
    posts = sum(result.truth for result in results)
    requests = sum(result.requests for result in results)
    precisions = [result.precision for result in results if result.precision is not None]
    perfect = sum(not result.notes for result in results)
    lost = sum(bool(result.truth) and not result.right for result in results)
    return (
        f"\n{len(results)} situations, {posts} posts: mean recall {fmean(each.recall for each in results):.3f}, "
        f"mean precision {fmean(precisions or [0.0]):.3f}, pooled requests per post "
        f"{requests / max(posts, 1):.2f}; {perfect} without a fault, {lost} lost wholly, "
        f"{sum(result.exit_code != 0 for result in results)} with an exit code"
    )


if __name__ == "__main__":
    main()
