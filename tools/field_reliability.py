"""Trains and checks the weights that select titles, authors and dates (`posterity.extraction.hybrid.candidates`).

    python -m tools.field_reliability learn wcxb_dev.jsonl.xz trafilatura.jsonl.xz --held-out htmldate.jsonl.xz \
        -o src/posterity/extraction/hybrid/field_weights.json
    python -m tools.field_reliability check htmldate.jsonl.xz blogforever.jsonl.xz BLOG...

`learn` writes the weights and their record (`tools/weights_record.py`) and prints the results of five-fold
cross-validation by host: the share of right values, and the accuracy by confidence. Sets after --held-out are only
scored, with weights that have not seen their hosts. `check` prints the same for the current weights on other data sets.
The model is a conditional logit with an L2 prior; its confidence is calibrated on the held-out hosts.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix
from tools.weights_record import write_record

from posterity.dom import parse
from posterity.evaluate.datasets import datasets_in
from posterity.evaluate.measures.fields import same_day
from posterity.extraction.hybrid import author, date, title
from posterity.extraction.hybrid.article import Article, article_on
from posterity.extraction.hybrid.candidates import (
    NONE,
    OFFSET,
    SLOPE,
    Choice,
    ScoredValue,
    best_value,
    page_facts,
    surroundings,
)
from posterity.extraction.hybrid.model import learned_weights
from posterity.text.normal_form import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from posterity.evaluate.datasets import Gold, Sample

FOLDS = 5
# Sets in which a missing date means that the page has none; in others it means that none was annotated.
DATELESS = frozenset({"wcxb_dev"})
# Strengths of the L2 prior, chosen by cross-validation from 3, 6, 10 (titles), 2, 3, 5 (authors), 2, 4, 6, 8 (dates).
PRIOR = {"TITLE": 3.0, "AUTHOR": 3.0, "DATE": 6.0}
NONE_MARGIN = {"TITLE": title.NONE_MARGIN, "AUTHOR": author.NONE_MARGIN, "DATE": date.NONE_MARGIN}
TRIED = (-1.0, 0.0, 0.5, 0.9, 1.5, 2.0)
BINS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95)


class Case(NamedTuple):
    """The values on one page, the number of the right one or -1, and whether the gold standard has a value."""

    values: Sequence[ScoredValue]
    right: int
    has_gold: bool
    host: str

    @property
    def fold(self) -> int:
        """The fold of the host, so that no host is in both training and test data."""
        return zlib.crc32(self.host.encode()) % FOLDS


class ChosenValue(NamedTuple):
    """Whether the chosen value is right, and its confidence."""

    right: bool
    confidence: float


def main() -> None:
    """Learn from the data sets, or check the current weights on them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("learn", "check"))
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("--held-out", nargs="+", type=Path, default=[])
    parser.add_argument("-o", "--out", type=Path, help="where `learn` writes the weights")
    options = parser.parse_args()
    if (options.command == "learn") != bool(options.out):
        parser.error("`learn` needs --out, and `check` writes nothing")
    cases = {path: cases_of(path) for path in (*options.files, *options.held_out)}
    tables = {}
    for field, prior in PRIOR.items():
        every = [case for path in options.files for case in cases[path][field]]
        weights = [learned_weights(field.lower())] * FOLDS
        if options.command == "learn":
            weights = [fitted([case for case in every if case.fold != fold], prior) for fold in range(FOLDS)]
            correction = corrected(every, field, weights)
            weights = [one | correction for one in weights]
            tables[field] = fitted(every, prior) | correction
        for path in cases:
            print_shares(f"{field.lower():7} {path.name:24}", field, cases[path][field], weights)
        print_reliability(field, every, weights)
        if field == "AUTHOR":
            print_trade_off({path.name: cases[path][field] for path in options.files}, weights)
    if tables:
        write_weights(options.out, tables, options.files, options.held_out)


def write_weights(
    out: Path, tables: Mapping[str, Mapping[str, float]], files: Sequence[Path], held_out: Sequence[Path]
) -> None:
    """Write the weights, and the record of their training."""
    kept = {field.lower(): table(weights) for field, weights in tables.items()}
    out.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")
    arguments = [*(file.name for file in files), *(["--held-out"] if held_out else []), *(f.name for f in held_out)]
    write_record(
        out,
        command=f"python -m tools.field_reliability learn {' '.join(arguments)} -o {out.name}",
        seeds={},
        inputs=files,
        more={
            "prior": {field.lower(): prior for field, prior in PRIOR.items()},
            "features without a weight": {
                field.lower(): sorted(weights.keys() - kept[field.lower()].keys()) for field, weights in tables.items()
            },
        },
    )


def cases_of(path: Path) -> dict[str, list[Case]]:
    """Return the cases of every field on the pages of a data set."""
    cases: dict[str, list[Case]] = defaultdict(list)
    for dataset in datasets_in([path]):
        for site in dataset.sites():
            for sample in site.samples:
                host = ".".join((urlsplit(sample.url).hostname or site.name).removeprefix("www.").split(".")[-2:])
                for field, values, right, has_gold in values_on(sample, knows_dateless=dataset.name in DATELESS):
                    cases[field].append(Case(values, right, has_gold, host))
    return cases


def values_on(sample: Sample, *, knows_dateless: bool) -> Iterator[tuple[str, list[ScoredValue], int, bool]]:
    """Yield for every annotated field: name, values, index of the right one or -1, and whether gold has a value."""
    document = parse(sample.html, sample.url)
    body = document.tree.nodes_by_tag.get("body", [0])[0]
    page = page_facts(document, article_on(document) or Article(node=body, confidence=0.0, why=""))
    titles = title.title_values(page)
    gold = sample.gold
    if gold.title:
        key = letters_and_digits(gold.title)
        yield "TITLE", titles, index_of(value.key == key for value in titles), True
    choice = best_value(titles, learned_weights("title"), title.NONE_MARGIN)
    node = title.node_of_title(page, choice.value) if choice else -1
    around = surroundings(page, node)
    if gold.authors is not None:
        authors = author.author_values(page, around)
        key = "|".join(sorted(set(map(letters_and_digits, gold.authors))))
        yield "AUTHOR", authors, index_of(value.key == key for value in authors), bool(gold.authors)
    if gold.date or knows_dateless:
        dates = date.date_values(page, around)
        yield "DATE", dates, index_of(is_day(value, gold) for value in dates), bool(gold.date)


def is_day(value: ScoredValue, gold: Gold) -> bool:
    """Return whether the value is on the day of the gold standard."""
    moments = (candidate.value.moment.isoformat() for candidate in value.candidates)
    return any(same_day(gold.date, moment, gold.date_tolerance_h) for moment in moments)


def index_of(holds: Iterable[bool]) -> int:
    """Return the index of the first true item, or -1."""
    return next((number for number, right in enumerate(holds) if right), -1)


def fitted(cases: Sequence[Case], prior: float) -> dict[str, float]:
    """Return the weights with the maximum posterior likelihood of the right values."""
    names = sorted({feature for case in cases for value in case.values for feature in value.features} | {NONE})
    column = {name: number for number, name in enumerate(names)}
    rows: list[list[int]] = []
    starts, right = [], []
    for case in cases:
        starts.append(len(rows))
        rows += [[column[NONE]], *([column[feature] for feature in sorted(value.features)] for value in case.values)]
        right += [case.right == -1, *(number == case.right for number in range(len(case.values)))]
    ends = np.cumsum([0, *map(len, rows)])
    columns = np.array([number for row in rows for number in row])
    features = csr_matrix((np.ones(len(columns)), columns, ends), (len(rows), len(names)))
    of_case = np.repeat(np.arange(len(starts)), np.diff([*starts, len(rows)]))
    is_right = np.array(right, dtype=float)

    def loss(weights: Any) -> tuple[float, Any]:
        scores = features @ weights
        exponents = np.exp(scores - np.maximum.reduceat(scores, starts)[of_case])
        shares = exponents / np.add.reduceat(exponents, starts)[of_case]
        likelihood = np.log(np.maximum(shares[is_right > 0], 1e-12)).sum()
        return prior * (weights @ weights) / 2 - likelihood, features.T @ (shares - is_right) + prior * weights

    found = minimize(loss, np.zeros(len(names)), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    return dict(zip(names, found.x, strict=True))


def corrected(cases: Sequence[Case], field: str, weights: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the correction that calibrates confidences on held-out values (Platt 1999)."""
    values = [value for case in cases if (value := chosen_value(case, field, weights))]
    shares = np.clip([value.confidence for value in values], 1e-4, 1 - 1e-4)
    logits, right = np.log(shares / (1 - shares)), np.array([value.right for value in values])

    def loss(line: Any) -> float:
        likely = 1 / (1 + np.exp(-(line[0] * logits + line[1])))
        return -float(np.log(np.where(right, likely, 1 - likely)).sum())

    slope, offset = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead").x
    return {SLOPE: float(slope), OFFSET: float(offset)}


def chosen_value(case: Case, field: str, weights: Sequence[Mapping[str, float]]) -> ChosenValue | None:
    """Return the value chosen with weights that have not seen the host, or None if none is chosen."""
    choice = best_value(case.values, weights[case.fold], NONE_MARGIN[field])
    if choice is None:
        return None
    return ChosenValue(is_right(case, choice), choice.confidence)


def print_shares(heading: str, field: str, cases: Sequence[Case], weights: Sequence[Mapping[str, float]]) -> None:
    """Print the shares of right, possible, missing and invented values."""
    known = [(case, chosen_value(case, field, weights)) for case in cases if case.has_gold]
    nobody = [chosen_value(case, field, weights) for case in cases if not case.has_gold]
    if not known:
        return
    right = sum(value is not None and value.right for _, value in known) / len(known)
    possible = sum(case.right >= 0 for case, _ in known) / len(known)
    silent = sum(value is None for _, value in known) / len(known)
    invented = f", invented {sum(value is not None for value in nobody) / len(nobody):.3f}" if nobody else ""
    shares = f"right {right:.3f} of {possible:.3f}, silent {silent:.3f}{invented}"
    print(f"{heading} {len(known):5} pages: {shares}", flush=True)


def print_trade_off(cases: Mapping[str, Sequence[Case]], weights: Sequence[Mapping[str, float]]) -> None:
    """Print how many authors are right and how many invented, for different values of NONE_MARGIN."""
    for none_margin in TRIED:
        shares = []
        for name, pages in cases.items():
            chosen = [(case, best_value(case.values, weights[case.fold], none_margin)) for case in pages]
            known = [choice is not None and is_right(case, choice) for case, choice in chosen if case.has_gold]
            nobody = [choice is not None for case, choice in chosen if not case.has_gold]
            if known and nobody:
                shares.append(f"{name}: right {np.mean(known):.3f}, invented {np.mean(nobody):.3f}")
        if shares:
            print(f"        none margin {none_margin:4.1f}: {'; '.join(shares)}")


def is_right(case: Case, choice: Choice) -> bool:
    """Return whether the chosen value is the right one."""
    return case.right >= 0 and choice.value.key == case.values[case.right].key


def print_reliability(field: str, cases: Sequence[Case], weights: Sequence[Mapping[str, float]]) -> None:
    """Print the share of right values by confidence."""
    bins: dict[float, list[ChosenValue]] = {low: [] for low in BINS}
    for case in cases:
        value = chosen_value(case, field, weights)
        if value is not None:
            bins[max(low for low in BINS if low <= value.confidence)].append(value)
    for low, values in bins.items():
        if values:
            mean = sum(value.confidence for value in values) / len(values)
            right = sum(value.right for value in values) / len(values)
            print(f"        confidence from {low:.2f}: {len(values):5} values, mean {mean:.3f}, right {right:.3f}")


def table(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights sorted and rounded, without those near zero."""
    return {feature: round(weight, 2) for feature, weight in sorted(weights.items()) if abs(weight) >= 0.005}


if __name__ == "__main__":
    main()
