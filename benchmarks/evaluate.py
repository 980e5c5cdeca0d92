"""How fast episodes are sampled and scored, beside the loop that few-shot libraries usually run.

    python benchmarks/evaluate.py [--json]

All score nearest prototypes on 64-d features of 659 classes x 20 images; the plain loop is plain_loop.py. easyfsl, if
installed, runs its own sampler, classifier and `evaluate` (easyfsl_loop.py). All may use every core: fairshot
shares blocks of episodes among threads, and the loops, whose operations are small, run with one thread of torch and
with as many as there are cores, and the faster counts. Processor seconds of all threads stand beside the seconds of
the clock: on a machine with other work they tell more. A line says how fast memory is: how many vectors a second one
thread copies from random places, which is the least that an episode needs.
The last lines time Omniglot from its archives and from the cache, where FAIRSHOT_DATA has it, and `fairshot --help`.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import torch
from easyfsl_loop import evaluate_with_easyfsl, installed
from plain_loop import evaluate_plainly

from fairshot.evaluation.evaluate import answer, evaluate
from fairshot.evaluation.scorer import threads_restored
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


@dataclass(frozen=True)
class Pace:
    """The best of some repeats."""

    rate: float
    """Episodes a second of the clock."""
    processor: float
    """Microseconds of all processors for an episode."""
    accuracy: float
    """So that all can be seen to agree."""


def best_pace(work: Callable[[int], float], episodes: int) -> Pace:
    accuracy = work(max(1, episodes // 10))
    seconds, processor = [], []
    for _ in range(REPEATS):
        start, start_processor = time.perf_counter(), time.process_time()
        accuracy = work(episodes)
        seconds.append(time.perf_counter() - start)
        processor.append(time.process_time() - start_processor)
    return Pace(episodes / min(seconds), min(processor) / episodes * 1e6, accuracy)


def best_loop(loop: Callable[..., float], source: Source, task: Uniform) -> Pace:
    """A loop's best, with one thread of torch or with as many as there are cores."""
    features, labels = torch.from_numpy(source.store), source.class_ids.tolist()
    asked = {"way": task.way, "shot": task.shot, "query": task.query}
    paces = []
    for threads in sorted({1, os.cpu_count() or 1}):
        with threads_restored():
            torch.set_num_threads(threads)
            paces.append(best_pace(lambda n: loop(features, labels, **asked, episodes=n), 100))
    fastest = max(paces, key=lambda pace: pace.rate)
    return replace(fastest, processor=min(pace.processor for pace in paces))


def measure(source: Source, way: int, shot: int, query: int) -> dict[str, float | str]:
    task, learner = Uniform(way=way, shot=shot, query=query), find_learner("prototypes")
    ours = best_pace(lambda n: float(answer(source, learner, task, episodes=n).values.mean()), 20_480)
    whole = best_pace(lambda n: evaluate(source, {"p": learner}, [task], episodes=n).rows[0].value, 20_480)
    row = {
        "task": task.label,
        "fairshot episodes/s": round(ours.rate),
        "with all intervals, episodes/s": round(whole.rate),
        "fairshot, processor us": round(ours.processor, 1),
        "with all intervals, processor us": round(whole.processor, 1),
        "fairshot accuracy": round(ours.accuracy, 4),
    }
    loops = {"plain loop": evaluate_plainly} | ({"easyfsl": evaluate_with_easyfsl} if installed() else {})
    for name, loop in loops.items():
        pace = best_loop(loop, source, task)
        row |= {
            f"{name} episodes/s": round(pace.rate, 1),
            f"{name}, processor us": round(pace.processor, 1),
            f"times {name}": round(ours.rate / pace.rate, 1),
            f"times {name} by processor": round(pace.processor / ours.processor, 1),
            f"{name} accuracy": round(pace.accuracy, 4),
        }
    return row


def measure_memory(source: Source) -> dict[str, float | str]:
    """Vectors and bytes that one thread copies from random places of the features in a second."""
    table = torch.from_numpy(source.store)
    rows = torch.from_numpy(np.random.default_rng(0).integers(0, len(table), 8 * 400))  # 8 episodes of 20-way 5-shot
    with threads_restored():
        torch.set_num_threads(1)
        pace = best_pace(lambda n: float(sum(table.index_select(0, rows)[0, 0] for _ in range(n))), 200)
    vectors = pace.rate * len(rows)
    return {
        "task": "copying vectors from random places, one thread",
        "million vectors/s": round(vectors / 1e6, 1),
        "GB/s": round(vectors * FEATURES * 4 / 1e9, 1),
        "for an episode of 20-way 5-shot 15-query, us": round(400 / vectors * 1e6, 1),
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
    if not installed():
        print("easyfsl is not installed: it is left out", file=sys.stderr)
    rows = [measure(source, 20, 5, 15), measure(source, 5, 1, 15), measure_memory(source), measure_help()]
    try:
        rows.append(measure_omniglot())
    except FairshotError as error:
        print(error, file=sys.stderr)
    for row in rows:
        print(json.dumps(row) if "--json" in sys.argv else ", ".join(f"{key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
