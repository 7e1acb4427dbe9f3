"""Trains the model that finds the article on a page without rules (`posterity.extraction.hybrid.model`).

    make train        # in a separate environment, locked in requirements-train.lock

or, if CatBoost and scikit-learn are installed,

    python -m tools.train_article wcxb_dev.jsonl.xz scrapinghub.jsonl.xz trafilatura.jsonl.xz \
        -o src/posterity/extraction/hybrid/article_weights.npz

The files contain annotated pages in the format of `posterity evaluate`; the licences of these three permit training. A
record (`tools/weights_record.py`) is written beside the weights, with the scores on held-out hosts. The same files
always give the same weights.
"""

from __future__ import annotations

import argparse
import json
import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from catboost import CatBoostClassifier, Pool
from sklearn.isotonic import IsotonicRegression
from tools.article_pages import FOLDS, Annotated, annotated, hosts_apart, name_scores, read_names, shortened, weights
from tools.weights_record import write_record

from posterity.evaluate.datasets import read_samples
from posterity.evaluate.measures.text import tokens
from posterity.extraction.hybrid.article import article_blocks
from posterity.extraction.hybrid.blocks import NameTable
from posterity.extraction.hybrid.model import SCORE_STEP, context_features

if TYPE_CHECKING:
    from collections.abc import Sequence

TREES, DEPTH = 150, 6
MODEL_SEED, SHORTENING_SEED, SAMPLING_SEED = 1, 5, 0
_SETTINGS = {
    "iterations": TREES, "depth": DEPTH, "learning_rate": 0.15, "l2_leaf_reg": 5, "border_count": 48, "rsm": 0.5,
    "bootstrap_type": "Bernoulli", "subsample": 0.7, "boosting_type": "Plain", "leaf_estimation_iterations": 1,
    "random_seed": MODEL_SEED, "verbose": 0, "allow_writing_files": False,
}  # fmt: skip
_KNOTS = (0.0, 0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
_RIGHT = 0.9  # token F1 from which an article counts as right


def main() -> None:
    """Read the files, train, and write the weights with their record."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path)
    parser.add_argument("-o", "--out", type=Path, required=True)
    options = parser.parse_args()
    pages = [page for file in options.files for sample in read_samples(file) if (page := annotated(sample))]
    print(f"{len(pages)} pages read", flush=True)
    for fold in range(FOLDS):
        names = NameTable(name_scores(hosts_apart(pages, fold)))
        for page in pages:
            if page.fold == fold:
                read_names(page, names)
    rng = random.Random(SHORTENING_SEED)
    everything = [one for page in pages for one in (page, shortened(page, rng)) if one is not None]
    tables = [page.table for page in everything]
    probabilities = _out_of_fold(everything, tables)
    print("first pass", _measured(everything, probabilities), flush=True)
    tables = [
        np.concatenate((page.table, context_features(page.page, likely)[0]), axis=1)
        for page, likely in zip(everything, probabilities, strict=True)
    ]
    second = _out_of_fold(everything, tables)
    figures = _measured(everything, second)
    print("second pass", figures)
    weights_out = _forest(_fitted(everything, [page.table for page in everything]), "first")
    weights_out |= _forest(_fitted(everything, tables), "second")
    weights_out |= _names(name_scores(pages))
    weights_out["calibration"] = _calibration(everything, second)
    np.savez_compressed(options.out, **weights_out)
    write_record(
        options.out,
        command=f"python -m tools.train_article {' '.join(file.name for file in options.files)} -o {options.out.name}",
        seeds={"model": MODEL_SEED, "shortened articles": SHORTENING_SEED, "sampling of blocks": SAMPLING_SEED},
        inputs=options.files,
        more={
            "pages with labels": len(pages),
            "columns": pages[0].columns,
            "mean token F1 on hosts left out, F1 of pieces": figures,
        },
    )


def _fitted(pages: Sequence[Annotated], tables: Sequence[Any]) -> CatBoostClassifier:
    rng = np.random.default_rng(SAMPLING_SEED)
    weighed = [weights(page, rng) for page in pages]
    rows = np.concatenate([table[weight > 0] for table, weight in zip(tables, weighed, strict=True)])
    wanted = np.concatenate([page.labels[weight > 0] >= 0.5 for page, weight in zip(pages, weighed, strict=True)])
    model = CatBoostClassifier(**_SETTINGS)
    model.fit(Pool(rows, wanted.astype(int), weight=np.concatenate([weight[weight > 0] for weight in weighed])))
    return model


def _out_of_fold(pages: Sequence[Annotated], tables: Sequence[Any]) -> list[Any]:
    """Return the probabilities of each page's blocks by a model that has not seen its host."""
    found: list[Any] = [None] * len(pages)
    for fold in range(FOLDS):
        inside = [number for number, page in enumerate(pages) if page.fold != fold]
        model = _fitted([pages[number] for number in inside], [tables[number] for number in inside])
        for number, page in enumerate(pages):
            if page.fold == fold:
                found[number] = model.predict_proba(tables[number])[:, 1].astype(np.float32)
    return found


def _chosen(page: Annotated, likely: Any) -> tuple[Any, float]:
    chosen, _, expected = article_blocks(
        page.page, likely.copy(), page.titles, thread=page.thread, power=page.power, host=page.host.lower()
    )
    return chosen, expected


def _decided(page: Annotated, likely: Any) -> tuple[float, float]:
    """Return the F1 of the blocks that would be chosen, and their expected F1."""
    chosen, expected = _chosen(page, likely)
    given = Counter(
        word for text, taken in zip(page.blocks.texts, chosen, strict=True) if taken for word in tokens(text)
    )
    shared = (page.wanted & given).total()
    return 2 * shared / max(1, page.wanted.total() + given.total()), expected


def _measured(pages: Sequence[Annotated], probabilities: Sequence[Any]) -> dict[str, float]:
    found: dict[str, list[float]] = {"articles": [], "other pages": [], "shortened articles": [], "posts of feeds": []}
    taken, unwanted, wanted = 0, 0, 0
    for page, likely in zip(pages, probabilities, strict=True):
        if page.by_segments:
            chosen, _ = _chosen(page, likely)
            taken += int((chosen & (page.labels > 0)).sum())
            unwanted += int((chosen & (page.labels == 0)).sum())
            wanted += int((page.labels > 0).sum())
        else:
            kind = "articles" if page.page_type in (None, "article") else "other pages"
            kind = "posts of feeds" if page.by_feed else kind
            found["shortened articles" if page.shortened else kind].append(_decided(page, likely)[0])
    means = {kind: round(float(np.mean(scores)), 4) for kind, scores in found.items() if scores}
    return means | {"pieces": round(2 * taken / max(1, taken + unwanted + wanted), 4)}


def _calibration(pages: Sequence[Annotated], probabilities: Sequence[Any]) -> Any:
    """Return two rows: knots of the expected F1, and the calibrated shares of right articles there."""
    decided = [
        _decided(page, likely) for page, likely in zip(pages, probabilities, strict=True) if not page.by_segments
    ]
    expected, right = [f1 for _, f1 in decided], [score >= _RIGHT for score, _ in decided]
    fitted = IsotonicRegression(y_min=0.02, y_max=0.99, out_of_bounds="clip").fit(expected, right)
    knots = np.unique(np.round(np.quantile(expected, _KNOTS), 3))
    return np.array([knots, fitted.predict(knots)], np.float32)


def _forest(model: CatBoostClassifier, name: str) -> dict[str, Any]:
    """Return the trees as arrays; the first split is the highest bit of a leaf's index."""
    path = Path(f"{name}.json")
    model.save_model(str(path), format="json")
    content = json.loads(path.read_text(encoding="utf-8"))
    path.unlink()
    trees = content["oblivious_trees"]
    columns, borders = np.zeros((len(trees), DEPTH), np.uint8), np.full((len(trees), DEPTH), np.inf, np.float32)
    responses = np.zeros((len(trees), 2**DEPTH), np.float32)
    for number, tree in enumerate(trees):
        for bit, split in enumerate(tree["splits"]):
            columns[number, DEPTH - 1 - bit] = split["float_feature_index"]
            borders[number, DEPTH - 1 - bit] = split["border"]
        responses[number, : len(tree["leaf_values"])] = tree["leaf_values"]
    bias = np.float32(np.ravel(content["scale_and_bias"][1])[0])
    return {f"{name}_columns": columns, f"{name}_borders": borders, f"{name}_leaves": responses, f"{name}_bias": bias}


def _names(scores: dict[str, float]) -> dict[str, Any]:
    # Clamped to a signed byte, which scores of names on hundreds of hosts can exceed.
    steps = [max(-127, min(127, round(score / SCORE_STEP))) for score in scores.values()]
    return {"names": np.frombuffer("\n".join(scores).encode(), np.uint8), "scores": np.array(steps, np.int8)}


if __name__ == "__main__":
    main()
