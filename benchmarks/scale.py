"""How cost grows with episodes, classes, images and learners: `python benchmarks/scale.py [--only WORD] [--most N]`.

Nearest prototypes on cached features, 5-way 1-shot 15-query. Every line is a process of its own, so that its memory
is its own: the most anonymous memory (RssAnon) that was seen, looked at ten times a second. Seconds of the clock and of
all processors are those of the evaluation alone; a source is made before.
"""

import argparse
import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np

STATUS = Path("/proc/self/status")
FEATURES, IMAGES, CLASSES, EPISODES = 32, 20, 659, 100_000
LOOK_SECONDS = 0.1
SIZES = {
    "episodes": [10_000, 100_000, 1_000_000, 10_000_000],
    "classes": [100, 1000, 10_000, 100_000],
    "images": [20, 200, 2000, 20_000],
    "learners": [1, 2, 4, 8],
}


def anonymous_megabytes() -> float:
    lines = STATUS.read_text().splitlines() if STATUS.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon")), float("nan"))


@contextmanager
def most_memory() -> Iterator[list[float]]:
    """The most anonymous memory while something runs, in megabytes."""
    most, done = [anonymous_megabytes()], threading.Event()

    def look() -> None:
        while not done.wait(LOOK_SECONDS):
            most[0] = max(most[0], anonymous_megabytes())

    watcher = threading.Thread(target=look)
    watcher.start()
    try:
        yield most
    finally:
        done.set()
        watcher.join()


def measure(grows: str, size: int, intervals: bool) -> dict[str, object]:
    from fairshot.evaluation.evaluate import answer, evaluate
    from fairshot.sources.array import from_arrays
    from fairshot.specs.learners import find_learner
    from fairshot.tasks.uniform import Uniform

    sizes = {"episodes": EPISODES, "classes": CLASSES, "images": IMAGES, "learners": 1} | {grows: size}
    if grows == "images":
        sizes["classes"] = 100
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(sizes["classes"]), sizes["images"])
    vectors = rng.standard_normal((len(labels), FEATURES), dtype=np.float32)
    vectors *= 1.2
    vectors += rng.standard_normal((sizes["classes"], FEATURES), dtype=np.float32)[labels]
    source, task = from_arrays(vectors, labels), Uniform(5, 1, 15)
    learners = {f"p{number}": find_learner("prototypes") for number in range(sizes["learners"])}
    with most_memory() as most:
        start, start_processor = time.perf_counter(), time.process_time()
        if intervals:
            value = evaluate(source, learners, [task], episodes=sizes["episodes"]).rows[0].value
        else:
            value = float(answer(source, learners["p0"], task, episodes=sizes["episodes"]).values.mean())
        seconds, processor = time.perf_counter() - start, time.process_time() - start_processor
    every = sizes["episodes"] * sizes["learners"]
    return {
        "grows": grows,
        **sizes,
        "intervals": "all" if intervals else "none",
        "s": round(seconds, 2),
        "processor s": round(processor, 2),
        "processor us for an episode": round(processor / every * 1e6, 1),
        "most anonymous memory, MB": round(most[0]),
        "accuracy": round(value, 4),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=SIZES)
    parser.add_argument("--most", type=int, default=10**9, help="leave larger sizes out")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        print(json.dumps(measure(asked.one[0], int(asked.one[1]), asked.one[2] == "all")), flush=True)
        return
    for grows in [asked.only] if asked.only else SIZES:
        for size in SIZES[grows]:
            for intervals in ("all", "none") if grows == "episodes" else ("all",):
                if size <= asked.most:
                    subprocess.run([sys.executable, __file__, "--one", grows, str(size), intervals], check=True)


if __name__ == "__main__":
    main()
