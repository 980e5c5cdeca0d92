"""What sharing work costs and gains on this machine: `python benchmarks/backends.py [--episodes 10000]`.

The same episodes of the same vectors by every backend, for a learner that answers them one by one and for one that
answers them as arrays. Processes and workers of Ray are started before the clock, as in a long run. Seconds of the
clock; a ratio above 1 is faster than serial. All answers are compared: they must be equal.
"""

import argparse
import json
import time

import numpy as np

from fairshot.evaluation.evaluate import evaluate
from fairshot.sources.array import from_arrays
from fairshot.specs.learners import find_learner
from fairshot.tasks.uniform import Uniform

BACKENDS = ("serial", "threads", "local", "ray")
CLASSES, IMAGES, FEATURES = 100, 100, 256


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--episodes", type=int, default=10_000)
    episodes = parser.parse_args().episodes
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(CLASSES), IMAGES)
    vectors = rng.normal(size=(CLASSES, FEATURES))[labels] + 2 * rng.normal(size=(len(labels), FEATURES))
    source = from_arrays(vectors.astype(np.float32), labels)
    for backend in BACKENDS:  # processes start and import what they need
        evaluate(source, [find_learner("logistic")], Uniform(5, 1, 15), episodes=64, backend=backend)
    for name, count in (("logistic", episodes), ("prototypes", 50 * episodes)):
        serial, expected = 0.0, None
        for backend in BACKENDS:
            started = time.perf_counter()
            found = evaluate(source, [find_learner(name)], Uniform(5, 1, 15), episodes=count, backend=backend)
            seconds = time.perf_counter() - started
            values = found.scores(found.rows[0])[0].values
            serial, expected = (seconds, values) if backend == "serial" else (serial, expected)
            assert np.array_equal(values, expected), f"{backend} gives other answers than serial"
            row = {"learner": name, "episodes": count, "backend": backend, "s": round(seconds, 2)}
            print(json.dumps({**row, "ratio": round(serial / seconds, 2)}), flush=True)


if __name__ == "__main__":
    main()
