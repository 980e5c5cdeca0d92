"""Random learners with several seeds, and features of a strange scale: what a row then says."""

from pathlib import Path

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from fairshot.evaluation.compare import compare
from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.encoded import Encoded
from fairshot.learners.foreign.estimators import Estimator
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.tasks.uniform import Uniform

TASKS = [Uniform(way=5, shot=3, query=5)]
SILENT = "seeds: the learner draws no random numbers, so that other seeds would change nothing"


def test_a_random_learner_is_the_mean_of_its_seeds_with_an_interval_for_others(vectors: Source, tmp_path: Path) -> None:
    learners = {name: find_learner(name) for name in ("kmeans", "prototypes")}
    mean, plain = evaluate(vectors, learners, TASKS, episodes=200, learner_seeds=4, out=tmp_path).rows
    single = {f"{seed}": find_learner(f"kmeans:seed={seed}") for seed in range(4)}
    rows = evaluate(vectors, single, TASKS, episodes=200).rows
    assert mean.value == pytest.approx(np.mean([row.value for row in rows]))
    low, high = mean.intervals["seeds"]
    assert low < mean.value < high
    assert (mean.settings["learner_seeds"], len(mean.runs), plain.runs) == (4, 4, [])
    assert plain.intervals["seeds"] is None
    assert SILENT in plain.notes
    assert SILENT not in mean.notes
    pair = compare([tmp_path])[0]
    assert {pair.first, pair.second} == {"kmeans", "prototypes"}
    assert "runs" not in pair.differences
    assert abs(pair.value) == pytest.approx(abs(mean.value - plain.value))


def test_seeds_reach_what_stands_inside(vectors: Source) -> None:
    encoded = Encoded(find_learner("kmeans"), lambda x: x)
    tree = Estimator(DecisionTreeClassifier(max_features=2))
    assert encoded.random
    assert tree.random
    assert not Estimator(DecisionTreeClassifier(random_state=3)).random
    assert encoded.reseeded(3).head.seed == 3
    rows = evaluate(vectors, {"e": encoded, "t": tree}, TASKS, episodes=60, learner_seeds=2, backend="serial").rows
    assert all(row.intervals["seeds"] is not None for row in rows)
    one, other = (
        evaluate(vectors, {"t": tree.reseeded(seed)}, TASKS, episodes=60, backend="serial").rows[0] for seed in (0, 1)
    )
    assert one.value != other.value
    assert rows[1].value == pytest.approx((one.value + other.value) / 2)
    with pytest.raises(FairshotError) as caught:
        find_learner("prototypes").reseeded(1)
    assert str(caught.value) == "prototypes draws no random numbers: it has no other seeds"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"learner_seeds": 1}, "1 seeds of each learner were asked for: ask for at least 2, one tells of no others"),
        ({"learner_seeds": 2, "runs": "x"}, "runs and learner_seeds cannot be had at once: leave one of them out"),
    ],
)
def test_nonsense_is_refused(vectors: Source, options: dict, message: str) -> None:
    learners = {name: find_learner(name) for name in ("kmeans", "prototypes")}
    with pytest.raises(FairshotError) as caught:
        evaluate(vectors, learners, TASKS, episodes=10, **options)
    assert str(caught.value) == message


@pytest.mark.parametrize(
    ("scale", "shift", "told"),
    [
        (1.0, 0.0, None),
        (1e6, 0.0, None),
        (1.0, 100.0, None),
        (
            1e13,
            0.0,
            "the vectors that p sees have a spread of 1e+13, where 32-bit floats lose digits or end: divide them by it",
        ),
        (
            1e-13,
            0.0,
            "the vectors that p sees have a spread of 1e-13, where 32-bit floats lose digits or end: divide them by it",
        ),
        (
            1.0,
            1e5,
            "the vectors that p sees are 1e+05 times as far from zero as from their mean, so that 32-bit floats have "
            "lost most of their digits: subtract the mean before they are stored",
        ),
        (0.0, 1.0, "all vectors that p sees are the same"),
    ],
)
def test_features_of_a_strange_scale_are_told(scale: float, shift: float, told: str | None, tmp_path: Path) -> None:
    rng, labels = np.random.default_rng(0), np.repeat(np.arange(8), 10)
    source = from_arrays(scale * rng.normal(size=(80, 6)) + shift, labels)
    for _ in range(2):  # the second time all scores are kept ones
        row = evaluate(source, {"p": find_learner("prototypes")}, TASKS, episodes=20, out=tmp_path).rows[0]
        assert row.warnings == ([] if told is None else [told])
