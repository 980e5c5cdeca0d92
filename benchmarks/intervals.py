"""All intervals of 10,000 episodes, beside a plain delete-one jackknife: `python benchmarks/intervals.py`."""

import argparse
import json
import time
from collections.abc import Callable

import numpy as np

from fairshot.evaluation.evaluate import answer
from fairshot.sources.array import from_arrays
from fairshot.specs.learners import find_learner
from fairshot.statistics.answers import Answers, layout_of, tabulate
from fairshot.statistics.intervals.populations import estimate_all
from fairshot.tasks.uniform import Uniform

EPISODES = 10_000
TASKS = (Uniform(way=5, shot=1, query=15), Uniform(way=5, shot=5, query=15), Uniform(way=20, shot=5, query=10))


def plain_jackknife(answers: Answers) -> float:
    """Every image and every class left out in turn, each time a mean over the episodes without it."""
    scores, episodes = answers.scores, answers.episodes
    image_episode = np.concatenate([answers.episode[answers.support_member], answers.episode[answers.query_member]])
    image = np.concatenate([answers.support_image, answers.query_image])
    total = 0.0
    for units, episode in ((image, image_episode), (answers.class_row, answers.episode)):
        for unit in range(int(units.max()) + 1):
            without = np.ones(episodes, dtype=bool)
            without[episode[units == unit]] = False
            total += (scores[without].mean() - scores.mean()) ** 2 if without.any() else 0.0
    return total


def seconds(work: Callable[[], object], times: int) -> float:
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        work()
        taken.append(time.perf_counter() - started)
    return min(taken)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(100), 40)
    source = from_arrays(rng.normal(size=(100, 64))[labels] + 3 * rng.normal(size=(len(labels), 64)), labels)
    as_json = parser.parse_args().json
    for task in TASKS:
        scores = answer(source, find_learner("prototypes"), task, episodes=EPISODES)
        sampled, layout = task.sample(source, range(EPISODES), 0), layout_of(source)
        ours = seconds(lambda: estimate_all(tabulate(layout, sampled, scores), scores.values), 5)  # noqa: B023
        plain = seconds(lambda: plain_jackknife(tabulate(layout, sampled, scores)), 1)  # noqa: B023
        row = {
            "task": f"{task.label}, {EPISODES:,} episodes of 100 classes of 40",
            "all intervals, s": round(ours, 3),
            "plain jackknife, s": round(plain, 2),
            "ratio": round(plain / ours, 1),
        }
        print(json.dumps(row) if as_json else ", ".join(f"{key} {value}" for key, value in row.items()))


if __name__ == "__main__":
    main()
