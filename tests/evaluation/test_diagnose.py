"""The verb diagnose: the numbers of evaluate, and what lies behind them."""

from typing import Any

import cloudpickle
import numpy as np
import pytest

import fairshot.evaluation.observation as module
from fairshot.evaluation.diagnose import Effort, choose_images, diagnose, diagnose_all
from fairshot.evaluation.evaluate import answer, evaluate
from fairshot.evaluation.scorer import Scorer
from fairshot.evaluation.support_search import _Search, draw_pools
from fairshot.learners.encoded import Encoded
from fairshot.learners.features import Features
from fairshot.learners.foreign.estimators import Estimator
from fairshot.metrics.accuracy import Accuracy
from fairshot.metrics.brier import Brier
from fairshot.metrics.ece import Ece
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.specs.tasks import Shape
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.uniform import Uniform
from tests.conftest import make_vectors
from tests.learners.test_contracts import QUICK

TASK = Uniform(way=4, shot=1, query=5)


@pytest.mark.parametrize(
    "task", [TASK, MetaDataset(), Uniform(way=3, shot=2, query=4, dirichlet=1.0)], ids=lambda task: task.label
)
def test_the_numbers_are_those_of_evaluate(task) -> None:
    source, learner = make_vectors(classes=12, spread=1.5), find_learner("prototypes")
    found = diagnose(source, learner, task, episodes=60, searched=2)
    scores = answer(source, learner, task, episodes=60)
    assert found.value == pytest.approx(scores.values.mean())
    assert found.question.episodes_key == task.key(source, 0)
    for metric, value in ((Ece(), found.calibration.ece), (Brier(), found.calibration.brier)):
        row = evaluate(source, {"p": learner}, [task], episodes=60, metric=metric).rows[0]
        assert value == pytest.approx(row.value)
    rates = found.classes.rows
    assert sum(rate.queries for rate in rates) == scores.asked.sum()
    assert sum(rate.queries * rate.value for rate in rates) == pytest.approx(scores.correct.sum())
    assert sum(b.queries for b in found.calibration.table) == scores.asked.sum()
    assert found.scores.tails.worst_tenth <= found.value


def test_portions_and_blocks_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    source, learner = make_vectors(spread=1.5), find_learner("ridge")
    whole = diagnose(source, learner, TASK, episodes=50, searched=3)
    monkeypatch.setattr(module, "PORTION", 7)
    parts = diagnose(source, learner, TASK, episodes=50, searched=3)
    assert (parts.value, parts.scores, parts.classes, parts.support) == (
        whole.value,
        whole.scores,
        whole.classes,
        whole.support,
    )
    assert parts.geometry == whole.geometry


def test_what_slow_learners_do_in_other_processes_can_be_sent_there() -> None:
    source, learner = make_vectors(classes=6), find_learner("logistic")
    scorer = Scorer(Features(source, learner), learner, Accuracy())
    episodes = TASK.sample(source, range(2), 0)
    scorer.features.require(episodes)
    pools = draw_pools(source, episodes, seed=0, candidates=2)
    scorer.features.require_images(np.unique(pools))
    for work, item in ((module.Observer(scorer), episodes), (_Search(scorer, 1), (episodes[:1], pools[0]))):
        first, second = (one(item)[0] for one in (work, cloudpickle.loads(cloudpickle.dumps(work))))
        same = (first.sure == second.sure) if work.__class__ is module.Observer else (first == second)
        assert np.all(same)


@pytest.mark.parametrize("name", QUICK)
def test_every_learner_of_images_is_diagnosed(name: str) -> None:
    part = find_part("glyphs:alphabets=2,characters=5", recipe="14")
    found = diagnose(part, find_learner(name), Uniform(way=3, shot=1, query=3), episodes=6, searched=1)
    assert found.geometry.images == 200
    assert found.support is not None
    assert found.support.worst <= found.support.drawn <= found.support.best
    assert found.times.images == 200
    assert found.times.image_seconds > 0
    assert found.times.episode_seconds > 0


def test_encoders_and_estimators_are_diagnosed_and_a_learner_without_doubts_is_noted() -> None:
    from sklearn.naive_bayes import GaussianNB

    source = make_vectors(classes=6)
    task = Uniform(way=3, shot=2, query=4)
    bayes = diagnose(source, Estimator(GaussianNB()), task, episodes=10, searched=0)
    assert bayes.support is None
    assert "the learner is equally sure of every answer, so its calibration means nothing" in bayes.notes
    short = Encoded(find_learner("prototypes"), lambda images: images[:, :3])
    found = diagnose(source, short, task, episodes=10, searched=1, name="short")
    assert (found.question.learner, found.geometry.features) == ("short", 3)
    assert not any("equally sure" in note for note in found.notes)


def test_padded_queries_without_an_answer_do_no_harm() -> None:
    from sklearn.neighbors import KNeighborsClassifier

    source = make_vectors(classes=12)
    found = diagnose(source, Estimator(KNeighborsClassifier(1)), MetaDataset(), episodes=8, searched=1)
    assert 0 < found.calibration.ece < 1
    assert 0 < found.calibration.brier < 2


def test_an_overconfident_learner_is_told_from_the_bias_of_small_episodes() -> None:
    """Gaussian classes with known centres: the posterior is right, and larger logits are too sure."""
    source = make_vectors(classes=10, images=100, features=2, spread=1.5)
    learner = Encoded(find_learner("prototypes"), lambda vectors: 3 * vectors)
    found = diagnose(source, learner, Uniform(way=3, shot=50, query=10), episodes=300, searched=0).calibration
    fair = Encoded(find_learner("prototypes"), lambda vectors: vectors / (2**0.5 * 1.5))
    calm = diagnose(source, fair, Uniform(way=3, shot=50, query=10), episodes=300, searched=0).calibration
    assert calm.pooled_ece < 0.03
    assert calm.ece > 0.08  # an episode has 30 queries in 10 bins
    assert calm.ece == pytest.approx(calm.ece_of_calibrated, abs=0.02)
    assert found.pooled_ece > calm.pooled_ece + 0.1


def test_a_confused_pair_is_found() -> None:
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(6), 20)
    centres = 10 * np.eye(6)
    centres[4] = centres[1]
    source = from_arrays((centres[labels] + rng.normal(size=(120, 6))).astype(np.float32), labels)
    found = diagnose(source, find_learner("prototypes"), Uniform(way=4, shot=1, query=5), episodes=60, searched=0)
    assert found.confused[0].name == "1 / 4"
    assert found.confused[0].value == pytest.approx(0.5, abs=0.1)
    assert {rate.name for rate in found.classes.rows[:2]} == {"1", "4"}


def test_where_no_image_is_left_nothing_is_tried() -> None:
    source = make_vectors(classes=6, images=6)
    found = diagnose(source, find_learner("prototypes"), TASK, episodes=5, searched=2).support
    assert found is not None
    assert (found.candidates, found.worst, found.best) == (0, found.drawn, found.drawn)
    more = diagnose(source, find_learner("prototypes"), Uniform(way=4, shot=1, query=3), episodes=5, searched=2).support
    assert more is not None
    assert more.candidates == 2  # of 6 images, one is support and three are queries


def sizes_of(part: Source, image_ids: np.ndarray) -> list[int]:
    return np.unique(part.class_ids[part.rows(image_ids)], return_counts=True)[1].tolist()


def test_images_are_chosen_by_whole_classes_where_there_are_many() -> None:
    many = make_vectors(classes=50, images=25)
    assert sizes_of(many, choose_images(many, 100, 0)) == [20] * 5
    few = make_vectors(classes=4, images=100)
    assert sizes_of(few, choose_images(few, 120, 0)) == [30] * 4
    assert sorted(choose_images(few, 400, 0).tolist()) == list(range(400))
    assert choose_images(few, 400, 0).tolist() != choose_images(few, 400, 1).tolist()


def test_bad_counts_give_one_clear_line() -> None:
    source, learner = make_vectors(classes=6), find_learner("prototypes")
    with pytest.raises(FairshotError) as error:
        diagnose(source, learner, TASK, episodes=0)
    assert str(error.value) == "0 episodes were asked for: ask for at least 1"
    with pytest.raises(FairshotError) as error:
        diagnose(source, learner, TASK, searched=-1)
    assert str(error.value) == "-1 episodes with searched support were asked for: ask for at least 0"


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"learner": ["prototypes", "neighbours"]}, "2 learners were named, prototypes, neighbours: name one"),
        (
            {"shot": [1, 2]},
            "2 tasks were asked for, 3-way 1-shot 2-query; 3-way 2-shot 2-query: ask for one, or call "
            "fairshot.evaluation.diagnose.diagnose_all",
        ),
        (
            {"task": [TASK, Uniform(way=2, shot=1, query=1)]},
            f"2 tasks were asked for, {TASK.label}; 2-way 1-shot 1-query: ask for one, or call "
            "fairshot.evaluation.diagnose.diagnose_all",
        ),
    ],
)
def test_several_of_anything_are_refused_and_not_cut_down_to_the_first(asked: dict[str, Any], message: str) -> None:
    source = make_vectors(classes=6, images=8)
    with pytest.raises(FairshotError) as error:
        diagnose(source, **({"way": 3, "query": 2} if "task" not in asked else {}), episodes=4, **asked)
    assert str(error.value) == message


def test_all_of_several_are_diagnosed_in_order() -> None:
    shape = Shape(way=3, shot=[1, 2], query=2)
    effort = Effort(episodes=4, searched=0)
    found = diagnose_all(make_vectors(), ["prototypes", "neighbours"], shape=shape, effort=effort)
    assert [(one.question.learner, one.question.task[:12]) for one in found] == [
        (learner, f"3-way {shot}-shot") for learner in ("prototypes", "neighbours") for shot in (1, 2)
    ]
