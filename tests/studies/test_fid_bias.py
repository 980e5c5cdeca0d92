"""Few samples and many, by critics of a few steps on a small world: what must hold for any critic holds for them."""

from dataclasses import replace

import numpy as np
import pytest

from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.classifiers.simclr import Simclr
from fairshot.learners.training.loop import train
from fairshot.learners.training.plan import Plan
from fairshot.reports.charts.sample_numbers import sample_number_chart
from fairshot.results.schema import Result
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critic_view import CriticView
from fairshot.scoring.critics import load_critics
from fairshot.specs.data import find_split
from fairshot.specs.registry import find_module
from fairshot.studies.kinds.sample_size_bias import MEASURES, SampleNumbers
from fairshot.studies.study import run_study
from tests.panels import panels

WORLD = "glyphs:alphabets=5,characters=5,drawers=4"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> SampleNumbers:
    folder = tmp_path_factory.mktemp("critics")
    base = find_split(WORLD, "parents", recipe="diversity").base
    plan = Plan(network="critic", images=16, steps=3, epoch=3, optimizer="rmsprop")
    train(Simclr(), base, plan=plan, out=folder / "simclr")
    plan = Plan(network="critic", way=5, shot=1, query=2, steps=4, epoch=4, exemplars=str(folder / "simclr"))
    train(Prototypes(), base, plan=plan, out=folder / "prototypes")
    return SampleNumbers(
        title="t",
        paper="p",
        what=f"{WORLD}/parents/novel",
        critic=str(folder),
        generators=("copy", "warped"),
        numbers=(2, 4, 12),
        people=(2, 4),
        pool=24,
        draws=5,
        way=4,
    )


@pytest.fixture(scope="module")
def result(study: SampleNumbers) -> Result:
    return run_study(study)


def value(result: Result, name: str, number: int, metric: str) -> float:
    rows = [row for row in result.rows if (row.learner, row.samples, row.metric) == (name, number, metric)]
    assert len(rows) == 1
    return rows[0].number


def test_every_set_has_every_measure_at_every_size(study: SampleNumbers, result: Result) -> None:
    assert {(row.learner, row.task) for row in result.rows} == study.cells
    assert len(result.rows) == len(study.cells) * len(MEASURES)
    draws = {(row.learner, row.samples): row.episodes for row in result.rows}
    assert draws["warped", 4] == draws["human", 4] == 5
    assert draws["warped", 12] == 2, "sets share no sample"
    table = next(table for table in result.study_tables if table.title == "samples")
    assert [row[:3] for row in table.rows][:2] == [["human", 2, 5], ["human", 4, 5]]
    assert table.rows[0][3].value == value(result, "human", 2, "frechet")


def test_the_picture_has_a_panel_for_each_measure_and_a_curve_for_each_set(result: Result) -> None:
    drawn = panels(sample_number_chart(result))
    assert list(drawn) == list(MEASURES.values())
    assert all(len({row["curve"] for row in rows}) == 3 for rows in drawn.values())


def test_few_samples_make_the_distance_larger(result: Result) -> None:
    for name, few, many in (("warped", 2, 12), ("human", 2, 4)):
        assert value(result, name, few, "frechet") > value(result, name, many, "frechet")


def test_copies_are_the_same_however_many(result: Result) -> None:
    for number in (2, 4, 12):
        assert value(result, "copy", number, "diversity") == value(result, "copy", number, "corrected") == 0
        assert value(result, "copy", number, "recognizability") == 1
    change = next(row for row in result.study_tables[1].rows if row[0] == "copy")
    assert change[1:3] == [2, 12]
    assert change[3 + list(MEASURES).index("diversity")].value is None
    assert change[3 + list(MEASURES).index("recognizability")].value == 0


def test_a_limit_makes_fewer_sets(study: SampleNumbers) -> None:
    found = run_study(replace(study, generators=("copy",)), limit=1)
    assert found.preset == "limited to 1 draws"
    assert {row.episodes for row in found.rows} == {1}
    assert all(row.deviation is None for row in found.rows)


def test_half_of_peoples_drawings_must_do(study: SampleNumbers) -> None:
    with pytest.raises(FairshotError, match="11 drawings a class were asked for, and half of people's are"):
        run_study(replace(study, people=(2, 11)))


def test_a_part_of_a_sight_was_seen_already(study: SampleNumbers) -> None:
    critics = load_critics(study.critic)
    rng = np.random.default_rng(0)
    images = (rng.random((6, 1, 50, 50)) < 0.1).astype(np.uint8) * 255
    whole = CriticView("x", critics, images, np.arange(6) % 2, images[:2, None], np.arange(6) > 0)
    rows = np.array([5, 0, 3])
    part = whole.select(rows)
    fresh = CriticView("x", critics, images[rows], part.labels, images[:2, None], part.asking)
    assert part.labels.tolist() == [1, 0, 1]
    assert part.asking.tolist() == [True, False, True]
    assert "features" in vars(part)
    np.testing.assert_allclose(part.features, fresh.features, atol=1e-4)
    np.testing.assert_allclose(part.distances, fresh.distances, rtol=1e-3, atol=1e-3)


def test_the_committed_study_is_about_people_and_three_yardsticks() -> None:
    study = find_module("studies", "fid_bias").STUDY
    assert study.numbers == (2, 3, 5, 10, 20, 50, 100)
    assert len(study.cells) == 3 * 7 + 4
