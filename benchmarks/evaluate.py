"""How fast episodes are sampled and scored, beside the loop that few-shot libraries usually run.

    python benchmarks/evaluate.py [--json]

Both sides score nearest prototypes on 64-d features of 659 classes x 20 images; the plain loop is plain_loop.py.
The last lines time Omniglot from its archives and from the cache, where FAIRSHOT_DATA has it, and `fairshot --help`.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable

import numpy as np
import torch
from plain_loop import evaluate_plainly

from fairshot.evaluation.evaluate import answer, evaluate
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.omniglot import load
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.tasks.uniform import Uniform

CLASSES, IMAGES, FEATURES = 659, 20, 64
REPEATS = 3


def make_features() -> Source:
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(CLASSES), IMAGES)
    vectors = rng.normal(size=(CLASSES, FEATURES))[labels] + 1.2 * rng.normal(size=(len(labels), FEATURES))
    return from_arrays(vectors.astype(np.float32), labels)


def best_rate(work: Callable[[int], float], episodes: int) -> tuple[float, float]:
    """Episodes per second in the best of some repeats, and the accuracy, so that both sides can be seen to agree."""
    work(max(1, episodes // 10))
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        accuracy = work(episodes)
        seconds.append(time.perf_counter() - start)
    return episodes / min(seconds), accuracy


def measure(source: Source, way: int, shot: int, query: int) -> dict[str, float | str]:
    task, learner = Uniform(way=way, shot=shot, query=query), find_learner("prototypes")
    ours, our_accuracy = best_rate(lambda n: float(answer(source, learner, task, episodes=n).values.mean()), 20_480)
    whole, _ = best_rate(lambda n: evaluate(source, {"p": learner}, [task], episodes=n).rows[0].value, 20_480)
    features, labels = torch.from_numpy(source.store), source.class_ids.tolist()
    plain, plain_accuracy = best_rate(
        lambda n: evaluate_plainly(features, labels, way=way, shot=shot, query=query, episodes=n), 100
    )
    return {
        "task": task.label,
        "fairshot episodes/s": round(ours),
        "plain loop episodes/s": round(plain, 1),
        "ratio": round(ours / plain, 1),
        "fairshot with all intervals, episodes/s": round(whole),
        "fairshot accuracy": round(our_accuracy, 4),
        "plain accuracy": round(plain_accuracy, 4),
    }


def measure_omniglot() -> dict[str, float | str]:
    with tempfile.TemporaryDirectory() as cache:
        os.environ["FAIRSHOT_CACHE"] = cache
        times = []
        for _ in range(2):
            start = time.perf_counter()
            load()
            times.append(time.perf_counter() - start)
    return {"task": "Omniglot", "from its archives, s": round(times[0], 2), "from the cache, s": round(times[1], 3)}


def measure_help() -> dict[str, float | str]:
    seconds = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        subprocess.run([sys.executable, "-m", "fairshot", "--help"], check=True, capture_output=True)
        seconds.append(time.perf_counter() - start)
    return {"task": "fairshot --help", "seconds": round(min(seconds), 3)}


def main() -> None:
    source = make_features()
    rows = [measure(source, 20, 5, 15), measure(source, 5, 1, 15), measure_help()]
    try:
        rows.append(measure_omniglot())
    except FairshotError as error:
        print(error, file=sys.stderr)
    for row in rows:
        print(json.dumps(row) if "--json" in sys.argv else ", ".join(f"{key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
