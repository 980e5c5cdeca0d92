"""The critics that come with the package, on samples for which the right answer is known."""

import pytest

from fairshot.scoring.protocol import Judging
from fairshot.scoring.sample_scores import Scored
from fairshot.scoring.score import score
from fairshot.sources.source import Source

YARDSTICKS = ["copy", "warped", "strangers", "noise", "fresh"]
WORLD = "glyphs:alphabets=2,characters=15,seed=1"


@pytest.fixture(scope="module")
def found() -> Scored:
    return score(YARDSTICKS, "glyphs", on=WORLD, judging=Judging(times=200))


def value(found: Scored, samples: str, metric: str) -> float:
    row = found.row(samples, metric)
    assert row is not None
    assert row.value is not None
    return row.value


def test_copies_have_no_diversity_and_are_always_recognised(found: Scored) -> None:
    assert value(found, "copy", "diversity") == 0
    assert value(found, "copy", "recognizability") == 1


def test_noise_and_strangers_are_at_chance(found: Scored) -> None:
    assert value(found, "noise", "recognizability") == pytest.approx(1 / 20, abs=0.03)
    assert value(found, "strangers", "recognizability") < 1 / 20


def test_on_glyphs_the_true_process_is_nearest_to_the_drawers(found: Scored) -> None:
    for metric in ("distance", "class_distance", "frechet"):
        values = {name: value(found, name, metric) for name in YARDSTICKS}
        assert min(values, key=lambda name: values[name]) == "fresh", metric
    for metric in ("precision", "recall", "density", "coverage"):
        values = {name: value(found, name, metric) for name in ("warped", "strangers", "noise", "fresh")}
        assert max(values, key=lambda name: values[name]) == "fresh", metric


def test_people_draw_omniglot_diversely_and_recognisably(omniglot: Source) -> None:
    human = score(["human"], "omniglot")
    assert human.classes == 150
    assert value(human, "human", "recognizability") >= 0.95
    assert value(human, "human", "recognizability") == pytest.approx(0.9728, abs=0.002)
    assert value(human, "human", "diversity") == pytest.approx(0.7105, abs=0.001)
