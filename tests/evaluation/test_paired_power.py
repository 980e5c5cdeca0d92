"""On real drawings: a paired test finds what overlapping intervals hide."""

from pathlib import Path

import pytest

from fairshot.evaluation.compare import compare
from fairshot.evaluation.evaluate import evaluate
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.tasks.uniform import Uniform

LEARNERS = ("prototypes", "prototypes:metric=cosine")


def test_a_paired_test_finds_what_overlapping_intervals_for_fresh_classes_hide(
    omniglot: Source, tmp_path: Path
) -> None:
    drawings = find_part("omniglot/lake/novel", recipe="28")
    learners = {name: find_learner(name) for name in LEARNERS}
    result = evaluate(drawings, learners, [Uniform(way=5, shot=5, query=5)], episodes=1000, out=tmp_path)
    first, second = (row.intervals["classes"] for row in result.rows)
    assert second[0] < first[0] < second[1] < first[1]  # they overlap
    (comparison,) = compare([tmp_path])
    assert (comparison.first, comparison.second) == LEARNERS
    assert comparison.value == pytest.approx(result.rows[0].value - result.rows[1].value)
    paired = comparison.differences["classes"]
    assert paired.estimate.low > 0
    assert paired.p_value < 0.001
    # The same classes are hard for both: their difference is known far better than either.
    assert paired.estimate.high - paired.estimate.low < 0.5 * min(first[1] - first[0], second[1] - second[0])
