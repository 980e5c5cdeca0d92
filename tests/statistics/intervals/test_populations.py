"""Intervals keep their promise: on simulated populations they cover the truth about as often as they say."""

import numpy as np
import pytest

from fairshot.statistics.answers import layout_of, tabulate
from fairshot.statistics.intervals.populations import estimate_all
from fairshot.statistics.scores import Scores
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent
from tests.statistics.worlds import make_source

CLASSES, IMAGES, EPISODES, REPETITIONS = 40, 20, 600, 150
TASKS = {"uniform": Uniform(way=5, shot=1, query=5), "within parents": WithinParent(way=4, shot=1, query=5)}


def logistic(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


def expected(spread: float) -> float:
    """The mean of a logistic of 0.5 plus normal noise of that spread, by quadrature."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(60)
    return float((weights * logistic(0.5 + spread * nodes)).sum() / weights.sum())


@pytest.mark.parametrize("name", TASKS)
def test_the_interval_for_new_classes_covers_the_population_and_the_usual_one_does_not(name: str) -> None:
    task, parents = TASKS[name], 8 if name == "within parents" else 1
    source = make_source(np.full(CLASSES, IMAGES), parents)
    layout, rng = layout_of(source), np.random.default_rng(0)
    hits: dict[str, list[bool]] = {"classes": [], "episodes": [], "images": []}
    for repetition in range(REPETITIONS):
        sampled = task.sample(source, range(EPISODES), repetition)
        owner = np.take_along_axis(sampled.class_ids, sampled.query_labels, 1)
        difficulty, image = rng.normal(size=CLASSES), rng.normal(size=len(source))
        # What is asked of the images interval: the same classes, all images there could be.
        nodes, weights = np.polynomial.hermite_e.hermegauss(40)
        of_class = (logistic(0.5 + difficulty[:, None] + nodes) * weights).sum(1) / weights.sum()
        correct = rng.random(owner.shape) < logistic(0.5 + difficulty[owner] + image[sampled.query_ids])
        scores = Scores(correct.mean(1), correct, np.ones_like(correct))
        estimates = estimate_all(tabulate(layout, sampled, scores), scores.values)
        truth = {"classes": expected(np.sqrt(2)), "episodes": expected(np.sqrt(2)), "images": of_class.mean()}
        for population in hits:
            if estimates[population].interval:
                low, high = estimates[population].interval
                hits[population].append(low <= truth[population] <= high)
    assert min(map(len, hits.values())) > 0.95 * REPETITIONS
    rates = {population: np.mean(found) for population, found in hits.items()}
    # 95% within three standard errors of a simulation this small; the usual interval covers new classes far less often.
    assert 0.89 <= rates["classes"] <= 1.0
    assert 0.89 <= rates["images"] <= 1.0
    assert rates["episodes"] < 0.6
