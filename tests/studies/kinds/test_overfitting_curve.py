"""Learners before drawings that they know and drawings that they do not: on a world small enough for a test."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from fairshot.evaluation.scorer import Scorer
from fairshot.evaluation.train import find_plan
from fairshot.learners.features import Features
from fairshot.learners.networks.network import make_network
from fairshot.metrics.accuracy import Accuracy
from fairshot.reports.charts.overfitting import overfitting_chart
from fairshot.results.schema import Result
from fairshot.specs.data import find_split
from fairshot.specs.learners import find_learner
from fairshot.specs.trainables import find_trainable
from fairshot.studies.kinds.overfitting_curve import (
    HELD,
    TRAINED,
    UNSEEN,
    Overfitting,
    answered,
    ask_held_out,
    by_class,
    named,
)
from fairshot.studies.kinds.snapshot_selection import places, snapshots_in
from fairshot.studies.kinds.trained_table import Course
from fairshot.studies.overfitting_control import CLASSIFIER, FIVE_SHOT, ONE_SHOT, STUDY, control
from fairshot.studies.overfitting_control_paper import STUDY as PAPER
from fairshot.studies.study import run_study
from fairshot.tasks.uniform import Uniform
from tests.panels import panels

SPLIT, RECIPE = "glyphs:alphabets=4,characters=5,drawers=4/random+2", "diversity-28"
PLAN = "rate=0.001,cosine=False,augment=none,steps=6,epoch=2,val_episodes=2,val_way=3"
WORLD = Overfitting(
    title="t",
    paper="p",
    name="x",
    split=SPLIT,
    recipe=RECIPE,
    shots={"one": 1, "five": 3},
    way=4,
    episodes=30,
    courses={
        "classes": Course("baseline", changes=f"network=critic_trunk,images=40,{PLAN}"),
        "one": Course("prototypes", changes=f"network=critic,way=4,shot=1,query=2,{PLAN}"),
        "five": Course("prototypes", changes=f"network=critic,way=4,shot=3,query=2,{PLAN}"),
    },
    published={"classes": "rises"},
)


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> tuple[Result, Path]:
    folder = tmp_path_factory.mktemp("overfitting")
    return run_study(WORLD, out=folder), folder


def test_every_snapshot_is_judged_on_both_kinds_of_drawings(kept: tuple[Result, Path]) -> None:
    result, _ = kept
    assert {(row.learner, row.task) for row in result.rows} == WORLD.cells
    assert len(result.rows) == 3 * 2 * 2 * 3
    tables = {table.title: table for table in result.study_tables}
    for row in tables["rises"].rows:
        losses = [r.number for r in result.rows if (r.learner, r.task, r.metric) == (row[0], HELD, "loss")]
        assert row[1].value == min(losses)
        assert row[2:4] == [1 + losses.index(min(losses)), 3]
        assert row[4].value == losses[-1]
        assert row[6] in ("rises", "does not rise")
    assert tables["rises"].rows[0][7] == "rises"
    for course in WORLD.courses:
        right = [r.number for r in result.rows if (r.learner, r.task, r.metric) == (course, TRAINED, "accuracy")]
        assert [row[3].value for row in tables[course].rows] == right


def test_the_picture_has_two_panels_for_each_learner(kept: tuple[Result, Path]) -> None:
    drawn = panels(overfitting_chart(kept[0]))
    assert list(drawn) == [f"{c}: {m}" for m in ("loss", "accuracy") for c in WORLD.courses]
    assert all(len({row["curve"] for row in rows}) == 2 for rows in drawn.values())


def test_names_are_judged_by_cross_entropy_over_all_base_classes(kept: tuple[Result, Path]) -> None:
    split = find_split(*SPLIT.split("/"), recipe=RECIPE)
    learner = find_learner(str(snapshots_in(kept[1] / "training" / "classes")[-1]))
    images = torch.from_numpy(np.array(split.base_heldout.recipe.scale(split.base_heldout.read(slice(None)))))
    head = learner.model.learned
    vectors = learner.model.network.embed(images).double()
    logits = vectors @ head["weight"].double().T + head["bias"].double()
    truth = np.searchsorted(split.base.classes, split.base_heldout.class_ids)
    wanted = -logits.log_softmax(1).numpy()[np.arange(len(truth)), truth]
    found = named(learner, split.base_heldout, split.base)
    assert found.shape == (2, len(split.base.classes))
    assert found[0].mean() == pytest.approx(wanted.mean(), rel=1e-5)
    assert found[1].mean() == pytest.approx((logits.argmax(1).numpy() == truth).mean())


def test_held_out_drawings_take_the_place_of_queries_and_of_nothing_else() -> None:
    split = find_split(*SPLIT.split("/"), recipe=RECIPE)
    own = split.base.select(places(split.base, 0) < 4)
    drawn = Uniform(way=4, shot=2, query=2).sample(own, range(20), 0)
    asked = ask_held_out(drawn, split.base_heldout)
    assert (asked.support_ids == drawn.support_ids).all()
    held = dict(zip(split.base_heldout.image_ids, split.base_heldout.class_ids, strict=True))
    for queries, labels, classes in zip(asked.query_ids, asked.query_labels, asked.class_ids, strict=True):
        assert len(set(queries)) == len(queries) == 8
        assert [held[image] for image in queries] == classes[labels].tolist()


def test_episodes_are_judged_by_the_distance_to_means(kept: tuple[Result, Path]) -> None:
    split = find_split(*SPLIT.split("/"), recipe=RECIPE)
    learner = find_learner(str(snapshots_in(kept[1] / "training" / "five")[-1]))
    episodes = Uniform(way=4, shot=3, query=2).sample(split.base, range(1), 0)
    found = answered(Scorer(Features(split.base, learner), learner, Accuracy()), episodes)
    vectors = Features(split.base, learner).vectors(np.concatenate([episodes.support_ids, episodes.query_ids], 1)[0])
    support, query = vectors[:12].astype(np.float64).reshape(4, 3, -1).mean(1), vectors[12:].astype(np.float64)
    logits = -((query[:, None] - support[None]) ** 2).sum(2)
    truth = episodes.query_labels[0]
    wanted = np.log(np.exp(logits - logits.max(1, keepdims=True)).sum(1)) + logits.max(1) - logits[range(8), truth]
    assert found[0].mean() == pytest.approx(wanted.mean(), rel=1e-4)
    assert found[1].mean() == (logits.argmax(1) == truth).mean()


def test_classes_count_alike_however_often_they_are_asked_for() -> None:
    logits = torch.tensor([[0.0, 0.0], [9.0, 0.0], [0.0, 0.0], [0.0, 9.0]])
    found = by_class(logits, np.array([0, 0, 1, 0]), np.array([7, 7, 3, 3]))
    sure, unsure, wrong = np.log1p(np.exp(-9.0)), np.log(2), 9 + np.log1p(np.exp(-9.0))
    np.testing.assert_allclose(found[0], [(unsure + wrong) / 2, (unsure + sure) / 2])
    np.testing.assert_allclose(found[1], [0, 1])


def test_the_standard_classifier_has_its_published_size_at_50_pixels() -> None:
    network = make_network("critic_trunk", (1, 50))
    layers = [network, nn.Linear(network.width, 1623)]
    assert sum(value.numel() for layer in layers for value in layer.parameters()) == 676_759


@pytest.mark.parametrize("course", STUDY.courses)
def test_courses_are_plain_trainings_with_24_snapshots(course: str) -> None:
    assert STUDY.courses == control("diversity").courses
    own = STUDY.courses[course]
    plan, _ = find_plan(find_trainable(own.learner), own.preset, own.changes)
    assert (plan.epochs, plan.augment, plan.smoothing, plan.weight_decay) == (24, "none", 0, 0)
    assert {plan.rate_at(step) for step in (0, plan.steps // 2, plan.steps - 1)} == {1e-3}
    assert plan.network == ("critic_trunk" if course == CLASSIFIER else "critic")
    assert plan.shot == STUDY.shots.get(course, plan.shot)


OTHERS = "glyphs:alphabets=4,characters=5,drawers=4/random"


def test_few_shot_learners_can_be_judged_on_characters_they_have_never_seen(tmp_path: Path) -> None:
    courses = {"classes": WORLD.courses["classes"], "one": replace(WORLD.courses["one"], split=OTHERS)}
    world = replace(WORLD, courses=courses, shots={"one": 1})
    result = run_study(world, out=tmp_path)
    assert {(row.learner, row.task) for row in result.rows} == world.cells
    assert world.cells == {("classes", TRAINED), ("classes", HELD), ("one", TRAINED), ("one", UNSEEN)}
    split = find_split(OTHERS, recipe=RECIPE)
    learner = find_learner(str(snapshots_in(tmp_path / "training" / "one")[-1]))
    assert learner.seen.part == split.base.name
    assert not np.isin(split.novel.original_classes, learner.seen.classes).any()
    episodes = Uniform(way=4, shot=1, query=1).sample(split.novel, range(30), 0)
    wanted = answered(Scorer(Features(split.novel, learner), learner, Accuracy()), episodes)
    last = [row.number for row in result.rows if (row.learner, row.task, row.metric) == ("one", UNSEEN, "loss")][-1]
    assert last == pytest.approx(wanted[0].mean())
    rises = result.study_tables[0]
    assert rises.notes[0].startswith(f"Cross-entropy and accuracy on {HELD} or {UNSEEN}, the mean over classes.")
    assert {row["curve"] for row in panels(overfitting_chart(result))["one: loss"]} == {TRAINED, UNSEEN}


def test_the_paper_s_setting() -> None:
    assert PAPER.recipe == "diversity"
    assert {course: PAPER.tested_on(course) for course in PAPER.courses} == {
        CLASSIFIER: HELD,
        ONE_SHOT: UNSEEN,
        FIVE_SHOT: UNSEEN,
    }
    for course, (steps, split, shot) in {
        CLASSIFIER: (80 * 228, "", 0),
        ONE_SHOT: (8000, "omniglot/weak", 1),
        FIVE_SHOT: (8000, "omniglot/weak", 5),
    }.items():
        own = PAPER.courses[course]
        plan, _ = find_plan(find_trainable(own.learner), own.preset, own.changes)
        assert (plan.steps, plan.epochs, own.split) == (steps, 80, split)
        assert [plan.rate_at(steps * quarter // 4) for quarter in range(4)] == [1e-3, 5e-4, 2.5e-4, 1.25e-4]
        assert (plan.optimizer, plan.augment, plan.cosine, PAPER.shots.get(course, 0)) == ("adam", "none", False, shot)
        if shot:
            assert (plan.way, plan.shot, plan.query) == (60, shot, 5)
    assert PAPER.trainings.name != STUDY.trainings.name
