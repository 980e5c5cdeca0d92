"""How fast a probe is, beside the loop over seeds that people write with scikit-learn.

    python benchmarks/probe.py [--json] [--draws 1000]

CIFAR-100 (where FAIRSHOT_DATA has it): pixels projected at random to 512 features, its official training images as the
pool and its official test images as the test, 100 classes, 16 shots. The plain loop fits the estimator of scikit-learn
that does the same on every draw and scores all test images, as seeds of papers do; of that, a few draws are timed.

Beside both stands the floor: the processor seconds of those matrix products and decompositions that the answers cannot
do without, each by the fastest routine at hand, and nothing else.
"""

import argparse
import json
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np
import torch
from sklearn.linear_model import LogisticRegression, RidgeClassifier, RidgeClassifierCV
from sklearn.neighbors import NearestCentroid
from threadpoolctl import threadpool_limits

from fairshot.evaluation.probe import probe
from fairshot.learners.solvers.ridge_regression import own_products
from fairshot.runtime.seeds import Stream
from fairshot.sources.pool_and_test import PoolAndTest, split_officially
from fairshot.sources.source import Source
from fairshot.specs.data import find_source
from fairshot.studies.kinds.simulated_benchmarks import normals

FEATURES, SHOT, PLAIN_DRAWS = 512, 16, 3
STRENGTHS = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
RIVALS: tuple[tuple[str, str, Callable[[float], Any]], ...] = (
    ("prototypes", "NearestCentroid", lambda unit: NearestCentroid()),
    ("ridge", "RidgeClassifier", lambda unit: RidgeClassifier(alpha=unit)),
    ("ridge_loo", "RidgeClassifierCV", lambda unit: RidgeClassifierCV(alphas=[unit * one for one in STRENGTHS])),
    ("ridge", "LogisticRegression", lambda unit: LogisticRegression(C=1 / unit, max_iter=1000)),
)


def features() -> PoolAndTest:
    """Random projections of all pixels, with the official split."""
    source = find_source("cifar100")
    axes = (normals(Stream(0, "benchmark"), 3 * 32 * 32, FEATURES) / np.sqrt(FEATURES)).astype(np.float32)
    pixels = np.asarray(source.store).reshape(len(source), -1)
    vectors = np.concatenate(
        [pixels[at : at + 5000].astype(np.float32) / 255 @ axes for at in range(0, len(pixels), 5000)]
    )
    projected = Source.create(
        "cifar100 projected",
        vectors - vectors.mean(axis=0),
        source.class_ids,
        class_names=source.class_names,
        attributes=dict(source.attributes),
    )
    return split_officially(projected)


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """What work gives, and its seconds by the clock and of all processors; on a busy machine the latter mean more."""
    clock, processor = time.perf_counter(), time.process_time()
    found = work()
    return found, time.perf_counter() - clock, time.process_time() - processor


def plain_loop(data: PoolAndTest, make: Callable[[float], Any], draws: np.ndarray) -> float:
    """The mean accuracy: fit, predict, score, next seed."""
    pool, test = data.pool, data.test
    asked, truth, scores = test.read(np.arange(len(test))), test.class_ids, []
    for ids in draws:
        rows = pool.rows(ids.ravel())
        support, labels = pool.read(rows), pool.class_ids[rows]
        unit = float(((support - support.mean(axis=0)) ** 2).sum() / len(support))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            estimator = make(unit).fit(support, labels)
        scores.append(float((estimator.predict(asked) == truth).mean()))
    return float(np.mean(scores))


def floor(data: PoolAndTest, name: str, draws: np.ndarray) -> float:
    """The processor seconds of one draw's unavoidable arithmetic, by one thread: what it is about does not matter."""
    asked = torch.from_numpy(data.test.read(np.arange(len(data.test))))
    count, classes, shot = draws.shape
    weights = torch.randn(count * classes, FEATURES)  # the classes of several draws at once, which is quickest
    work: list[Callable[[], Any]] = [lambda: weights @ asked.mT]
    if name != "prototypes":
        support = torch.randn(count, classes * shot, FEATURES, dtype=torch.float64)
        squares = own_products(support) + torch.eye(FEATURES)
        solve = torch.linalg.eigh if name == "ridge_loo" else torch.linalg.cholesky
        work += [lambda: own_products(support), lambda: solve(squares)]
    with threadpool_limits(1):
        return sum(min(timed(one)[2] for _ in range(5)) for one in work) / count


def measure(data: PoolAndTest, draws: int) -> Iterator[dict[str, float | str]]:
    known: dict[str, tuple[Any, float, float]] = {}
    for name, rival, make in RIVALS:
        if name not in known:
            known[name] = timed(partial(probe, data, name, shot=SHOT, draws=draws))
        found, seconds, processor = known[name]
        few = found.draws.image_ids[:PLAIN_DRAWS]
        accuracy, plain, plain_processor = timed(partial(plain_loop, data, make, few))
        scale = draws / PLAIN_DRAWS
        least = floor(data, name, few) * draws
        first = found.answers[name, SHOT, "accuracy"].scores[:PLAIN_DRAWS].mean()
        yield {
            "probe": f"{name}, {draws} draws with all intervals",
            "seconds": round(seconds, 1),
            "processor seconds": round(processor, 1),
            "plain loop": rival,
            "its seconds for as many": round(plain * scale, 1),
            "its processor seconds": round(plain_processor * scale, 1),
            "ratio": round(plain * scale / seconds, 1),
            "ratio of processor seconds": round(plain_processor * scale / processor, 1),
            "floor, processor seconds": round(least, 1),
            "ratio at the floor": round(plain_processor * scale / least, 1),
            "accuracy of the same draws": round(float(first), 4),
            "plain accuracy": round(accuracy, 4),
        }


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--draws", type=int, default=1000)
    arguments = parser.parse_args()
    for row in measure(features(), arguments.draws):
        print(
            json.dumps(row) if arguments.json else ", ".join(f"{key} {value}" for key, value in row.items()), flush=True
        )


if __name__ == "__main__":
    main()
