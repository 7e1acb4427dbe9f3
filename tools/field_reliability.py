"""Learns how far each sign of a title, an author or a date can be believed, and shows whether it was right.

    python -m tools.field_reliability learn wcxb_dev.jsonl.xz trafilatura.jsonl.xz --held-out htmldate.jsonl.xz
    python -m tools.field_reliability check htmldate.jsonl.xz blogforever.jsonl.xz BLOG...

`learn` writes src/posterity/extraction/hybrid/field_weights.json and prints what five-fold cross-validation by host
gives: the share of right values, and how often values of each confidence are right. Sets behind --held-out are judged
by weights that have not seen their hosts, and nothing is learned from them. `check` prints the same for the weights in
use on other data sets. The model is a conditional logit (see `extraction/hybrid/choice.py`) with an L2 prior; its
confidence is corrected by the results on the held-out hosts.
"""

from __future__ import annotations

import json
import sys
import zlib
from collections import defaultdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

import numpy as np
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

from posterity.dom import parse
from posterity.evaluate.datasets import datasets_in
from posterity.evaluate.measures.fields import same_day
from posterity.extraction.hybrid import author, date, title
from posterity.extraction.hybrid.article import Article, article_on
from posterity.extraction.hybrid.choice import NONE, OFFSET, SLOPE, Choice, ScoredValue, best_value
from posterity.extraction.hybrid.model import FIELD_WEIGHTS, learned_weights
from posterity.extraction.hybrid.page_facts import page_facts
from posterity.extraction.hybrid.zones import surroundings
from posterity.text.normal_form import letters_and_digits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from posterity.evaluate.sample import Gold, Sample

OUT = Path(__file__).parent.parent / "src/posterity/extraction/hybrid" / FIELD_WEIGHTS
FOLDS = 5
HELD_OUT = "--held-out"
# Sets with pages of many kinds, where no date means that the page has none; elsewhere nobody looked for one.
DATELESS = frozenset({"wcxb_dev"})
# How strong the L2 prior is, chosen by cross-validation: titles of 3, 6, 10; authors of 2, 3, 5; dates of 2, 4, 6, 8.
PRIOR = {"TITLE": 3.0, "AUTHOR": 3.0, "DATE": 6.0}
EAGERNESS = {"TITLE": title.EAGERNESS, "AUTHOR": author.EAGERNESS, "DATE": date.EAGERNESS}
TRIED = (-1.0, 0.0, 0.5, 0.9, 1.5, 2.0)
BINS = (0.0, 0.3, 0.5, 0.7, 0.8, 0.9, 0.95)


class Case(NamedTuple):
    """The answers on one page, the number of the right one or -1, and whether the gold standard has one at all."""

    answers: Sequence[ScoredValue]
    right: int
    has_gold: bool
    host: str

    @property
    def fold(self) -> int:
        """Pages of one host are never both learned from and measured."""
        return zlib.crc32(self.host.encode()) % FOLDS


class Given(NamedTuple):
    """An answer that was given."""

    right: bool
    confidence: float


def main(command: str, *arguments: str) -> None:
    """Learn from the data sets, or check the weights in use on them."""
    paths = [path for path in arguments if path != HELD_OUT]
    learned = arguments[: arguments.index(HELD_OUT)] if HELD_OUT in arguments else arguments
    cases = {path: cases_of(path) for path in paths}
    tables = {}
    for field, prior in PRIOR.items():
        every = [case for path in learned for case in cases[path][field]]
        weights = [learned_weights(field.lower())] * FOLDS
        if command == "learn":
            weights = [fitted([case for case in every if case.fold != fold], prior) for fold in range(FOLDS)]
            correction = corrected(every, field, weights)
            weights = [one | correction for one in weights]
            tables[field] = fitted(every, prior) | correction
        for path in paths:
            print_shares(f"{field.lower():7} {Path(path).name:24}", field, cases[path][field], weights)
        print_reliability(field, every, weights)
        if field == "AUTHOR":
            print_trade_off({Path(path).name: cases[path][field] for path in learned}, weights)
    if tables:
        kept = {field.lower(): table(weights) for field, weights in tables.items()}
        OUT.write_text(json.dumps(kept, indent=0) + "\n", encoding="utf-8")


def cases_of(path: str) -> dict[str, list[Case]]:
    """Return the cases of every field on the pages of a data set."""
    cases: dict[str, list[Case]] = defaultdict(list)
    for dataset in datasets_in([Path(path)]):
        for site in dataset.sites():
            for sample in site.samples:
                host = ".".join((urlsplit(sample.url).hostname or site.name).removeprefix("www.").split(".")[-2:])
                for field, answers, right, has_gold in answers_on(sample, knows_dateless=dataset.name in DATELESS):
                    cases[field].append(Case(answers, right, has_gold, host))
    return cases


def answers_on(sample: Sample, *, knows_dateless: bool) -> Iterator[tuple[str, list[ScoredValue], int, bool]]:
    """Yield for every field with gold its answers, the number of the right one, and whether there is a right one."""
    document = parse(sample.html, sample.url)
    body = document.tree.nodes_by_tag.get("body", [0])[0]
    page = page_facts(document, article_on(document) or Article(node=body, confidence=0.0, why=""))
    titles = title.title_values(page)
    gold = sample.gold
    if gold.title:
        key = letters_and_digits(gold.title)
        yield "TITLE", titles, index_of(answer.key == key for answer in titles), True
    choice = best_value(titles, learned_weights("title"), title.EAGERNESS)
    node = title.node_of_title(page, choice.answer) if choice else -1
    around = surroundings(page, node)
    if gold.authors is not None:
        authors = author.author_values(page, around)
        key = "|".join(sorted(set(map(letters_and_digits, gold.authors))))
        yield "AUTHOR", authors, index_of(answer.key == key for answer in authors), bool(gold.authors)
    if gold.date or knows_dateless:
        dates = date.date_values(page, around)
        yield "DATE", dates, index_of(is_day(answer, gold) for answer in dates), bool(gold.date)


def is_day(answer: ScoredValue, gold: Gold) -> bool:
    """Tell whether the answer is the day of the gold standard."""
    moments = (candidate.value.moment.isoformat() for candidate in answer.candidates)
    return any(same_day(gold.date, moment, gold.date_tolerance_h) for moment in moments)


def index_of(holds: Iterable[bool]) -> int:
    """Return the place of the first that holds, or -1."""
    return next((number for number, right in enumerate(holds) if right), -1)


def fitted(cases: Sequence[Case], prior: float) -> dict[str, float]:
    """Return the weights under which the right answers are likeliest."""
    names = sorted({feature for case in cases for answer in case.answers for feature in answer.features} | {NONE})
    column = {name: number for number, name in enumerate(names)}
    rows: list[list[int]] = []
    starts, right = [], []
    for case in cases:
        starts.append(len(rows))
        rows += [[column[NONE]], *([column[feature] for feature in sorted(answer.features)] for answer in case.answers)]
        right += [case.right == -1, *(number == case.right for number in range(len(case.answers)))]
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
    """Return the correction under which the held-out answers are right as often as they say (Platt 1999)."""
    answers = [answer for case in cases if (answer := given(case, field, weights))]
    shares = np.clip([answer.confidence for answer in answers], 1e-4, 1 - 1e-4)
    logits, right = np.log(shares / (1 - shares)), np.array([answer.right for answer in answers])

    def loss(line: Any) -> float:
        likely = 1 / (1 + np.exp(-(line[0] * logits + line[1])))
        return -float(np.log(np.where(right, likely, 1 - likely)).sum())

    slope, offset = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead").x
    return {SLOPE: float(slope), OFFSET: float(offset)}


def given(case: Case, field: str, weights: Sequence[Mapping[str, float]]) -> Given | None:
    """Return the answer by weights that have not seen the host, or None when none is given."""
    choice = best_value(case.answers, weights[case.fold], EAGERNESS[field])
    if choice is None:
        return None
    return Given(is_right(case, choice), choice.confidence)


def print_shares(heading: str, field: str, cases: Sequence[Case], weights: Sequence[Mapping[str, float]]) -> None:
    """Print the share of right, possible, missing and invented answers."""
    known = [(case, given(case, field, weights)) for case in cases if case.has_gold]
    nobody = [given(case, field, weights) for case in cases if not case.has_gold]
    if not known:
        return
    right = sum(answer is not None and answer.right for _, answer in known) / len(known)
    possible = sum(case.right >= 0 for case, _ in known) / len(known)
    silent = sum(answer is None for _, answer in known) / len(known)
    invented = f", invented {sum(answer is not None for answer in nobody) / len(nobody):.3f}" if nobody else ""
    shares = f"right {right:.3f} of {possible:.3f}, silent {silent:.3f}{invented}"
    print(f"{heading} {len(known):5} pages: {shares}", flush=True)


def print_trade_off(cases: Mapping[str, Sequence[Case]], weights: Sequence[Mapping[str, float]]) -> None:
    """Print how many authors are right, and how many invented, when a name is given more or less eagerly."""
    for eagerness in TRIED:
        shares = []
        for name, pages in cases.items():
            chosen = [(case, best_value(case.answers, weights[case.fold], eagerness)) for case in pages]
            known = [choice is not None and is_right(case, choice) for case, choice in chosen if case.has_gold]
            nobody = [choice is not None for case, choice in chosen if not case.has_gold]
            if known and nobody:
                shares.append(f"{name}: right {np.mean(known):.3f}, invented {np.mean(nobody):.3f}")
        if shares:
            print(f"        eagerness {eagerness:4.1f}: {'; '.join(shares)}")


def is_right(case: Case, choice: Choice) -> bool:
    """Tell whether the chosen answer is the right one."""
    return case.right >= 0 and choice.answer.key == case.answers[case.right].key


def print_reliability(field: str, cases: Sequence[Case], weights: Sequence[Mapping[str, float]]) -> None:
    """Print for answers of each confidence how many are right."""
    bins: dict[float, list[Given]] = {low: [] for low in BINS}
    for case in cases:
        answer = given(case, field, weights)
        if answer is not None:
            bins[max(low for low in BINS if low <= answer.confidence)].append(answer)
    for low, answers in bins.items():
        if answers:
            mean = sum(answer.confidence for answer in answers) / len(answers)
            right = sum(answer.right for answer in answers) / len(answers)
            print(f"        confidence from {low:.2f}: {len(answers):5} answers, mean {mean:.3f}, right {right:.3f}")


def table(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weights in order and rounded, without those that are nothing."""
    return {feature: round(weight, 2) for feature, weight in sorted(weights.items()) if abs(weight) >= 0.005}


if __name__ == "__main__":
    main(*sys.argv[1:])
