"""Weights that come with the package: small, listed with what they were trained on, and usable."""

import pytest

from fairshot.cli.main import main
from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.training.record import read_record, shipped_weights
from fairshot.results.schema import read_result
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.tasks.uniform import Uniform
from tests.paths import RESULTS

NAMES = (
    "maml@omniglot-critic",
    "prototypes@glyphs-critic",
    "prototypes@omniglot-critic-5-shot",
    "prototypes@omniglot-critic",
    "prototypes@omniglot-lake",
    "prototypes@omniglot-vinyals",
    "siamese@omniglot-lake",
    "simclr@glyphs-critic",
    "simclr@omniglot-critic-light",
    "simclr@omniglot-critic-strong",
    "simclr@omniglot-critic",
)

LARGEST = 1_500_000  # bytes


def test_they_are_few_and_small() -> None:
    assert tuple(shipped_weights()) == NAMES
    assert all(path.stat().st_size < LARGEST for path in shipped_weights().values())


def test_the_listing_says_what_each_was_trained_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", "learners"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name, path in shipped_weights().items():
        record = read_record(path)[0]
        assert f"{name} weights: {record.learner} on {record.source}" in shown


@pytest.mark.parametrize(
    ("name", "part", "recipe", "least"),
    [
        ("prototypes@omniglot-lake", "omniglot/lake/novel", None, 0.92),
        ("siamese@omniglot-lake", "omniglot/lake/novel", None, 0.88),
        ("prototypes@omniglot-vinyals", "omniglot/vinyals/novel", "centroid-upright", 0.93),
    ],
)
def test_they_do_what_they_are_there_for(
    name: str, part: str, recipe: str | None, least: float, omniglot: Source
) -> None:
    row = evaluate(
        find_part(part, recipe=recipe), {name: find_learner(name)}, [Uniform(way=20, shot=1, query=1)], episodes=100
    ).rows[0]
    assert row.number > least
    assert row.warnings == []


@pytest.mark.results
def test_the_committed_result_of_the_vinyals_network_is_above_what_a_plain_run_gives() -> None:
    result = read_result(RESULTS / "omniglot_vinyals.json")
    found = {row.shot: row for row in result.rows}
    assert found[1].number >= 0.955
    assert found[5].number >= 0.986
    assert {(row.learner, row.part, row.episodes) for row in result.rows} == {
        ("prototypes@omniglot-vinyals", "omniglot/vinyals/novel", 10_000)
    }


def test_a_shipped_network_takes_any_head_and_a_wrong_name_gets_the_nearest() -> None:
    assert find_learner("neighbours:k=3@prototypes@omniglot-lake").settings["head"] == {"k": 3, "metric": "l2"}
    assert main(["evaluate", "glyphs", "--learner", "prototypes@omniglot-lakes"]) == 2
