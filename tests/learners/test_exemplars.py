"""The image that stands for its class, and episodes whose support it is."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from fairshot.learners import exemplars
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.classifiers.simclr import Simclr
from fairshot.learners.exemplars import (
    FromExemplars,
    central_rows,
    choose_exemplars,
    embed_features,
    embed_outputs,
    exemplar_task,
    load_network,
    random_rows,
)
from fairshot.learners.training.loop import train
from fairshot.learners.training.plan import Plan
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.specs.data import find_part

CRITIC = Plan(network="critic", images=16, steps=2, epoch=2, optimizer="rmsprop")


@pytest.fixture(scope="module")
def glyphs() -> Source:
    return find_part("glyphs:alphabets=2,characters=4,drawers=5", recipe="16")


@pytest.fixture(scope="module")
def run(glyphs: Source, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "simclr"
    train(Simclr(), glyphs, plan=CRITIC, out=folder)
    return folder


@given(st.integers(0, 10**6), st.integers(1, 6), st.integers(1, 5))
def test_the_nearest_to_the_mean_by_a_plain_loop(seed: int, classes: int, most: int) -> None:
    rng = np.random.default_rng(seed)
    labels = rng.permutation(np.repeat(np.arange(classes) * 3, rng.integers(1, most + 1, classes)))
    features = rng.normal(size=(len(labels), 4)).astype(np.float32)
    for label, row in zip(np.unique(labels), central_rows(features, labels), strict=True):
        own = np.flatnonzero(labels == label)
        distances = [np.linalg.norm(features[i].astype(float) - features[own].astype(float).mean(0)) for i in own]
        assert row == own[np.argmin(distances)]


def test_any_image_of_the_class_and_each_as_often() -> None:
    labels = np.array([5, 2, 5, 2, 5, 2, 2])
    drawn = np.array([random_rows(labels, seed) for seed in range(3000)])
    assert set(labels[drawn[:, 0]]) == {2}
    assert set(labels[drawn[:, 1]]) == {5}
    shares = np.bincount(drawn.ravel(), minlength=7) / 3000
    assert np.abs(shares - np.where(labels == 2, 1 / 4, 1 / 3)).max() < 0.03


def test_features_and_outputs_are_those_of_the_weights(glyphs: Source, run: Path) -> None:
    network, record = load_network(run / "weights.safetensors")
    assert record.learner == "simclr"
    features, outputs = embed_features(network, glyphs), embed_outputs(network, glyphs)
    assert features.shape == (len(glyphs), 256)
    last = network.last
    wanted = torch.from_numpy(features) @ last.weight.T + last.bias
    torch.testing.assert_close(torch.from_numpy(outputs), wanted, rtol=1e-4, atol=1e-5)


def test_every_episode_shows_the_exemplar_and_asks_for_others(glyphs: Source, run: Path) -> None:
    task = exemplar_task([glyphs], str(run), way=5, shot=1, query=3, seed=0)
    chosen = choose_exemplars(glyphs, str(run))
    assert np.array_equal(glyphs.class_ids[glyphs.rows(chosen)], glyphs.classes)
    episodes = task.sample(glyphs, range(40), 0)
    assert set(episodes.support_ids.ravel()) == set(chosen)
    assert not set(episodes.query_ids.ravel()) & set(chosen)
    for ids, labels in (
        (episodes.support_ids, episodes.support_labels),
        (episodes.query_ids, episodes.query_labels),
    ):
        own = np.take_along_axis(episodes.class_ids, labels, 1)
        assert np.array_equal(glyphs.class_ids[glyphs.rows(ids)], own)
    assert len(np.unique(episodes.query_ids)) > 8 * 8


def test_exemplars_of_many_images_are_looked_for_once(
    glyphs: Source, run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = choose_exemplars(glyphs, str(run))
    monkeypatch.setenv("FAIRSHOT_CACHE", str(tmp_path))
    monkeypatch.setattr(exemplars, "BATCH", len(glyphs) - 1)
    assert np.array_equal(choose_exemplars(glyphs, str(run)), wanted)
    monkeypatch.setattr(exemplars, "embed_features", lambda network, source: 1 / 0)
    assert np.array_equal(choose_exemplars(glyphs, str(run)), wanted)


def test_prototypes_train_on_exemplars_and_are_tried_on_those_of_val(glyphs: Source, run: Path) -> None:
    base, val = (glyphs.select_classes(ids, name=f"glyphs/{ids[0]}") for ids in (np.arange(5), np.arange(5, 8)))
    plan = Plan(network="critic", way=4, shot=1, query=2, steps=2, epoch=1, exemplars=str(run), val_episodes=10)
    fitted = train(Prototypes(), base, val, plan=plan)
    assert fitted.record.plan.exemplars == str(run)
    assert train(Prototypes(), base, val, plan=replace(plan, exemplars="random")).record.plan.exemplars == "random"


def test_what_cannot_be_had_is_refused(glyphs: Source, run: Path) -> None:
    with pytest.raises(FairshotError) as refused:
        choose_exemplars(find_part("glyphs:alphabets=2,characters=4,drawers=5", recipe="20"), str(run))
    assert str(refused.value) == (
        f"{run} was trained on images of 1 x 16 x 16 (recipe 16), and those of glyphs are 1 x 20 x 20 (recipe 20): "
        "use the same recipe for both"
    )
    task = FromExemplars(way=3, shot=1, query=1, image_ids=frozenset(glyphs.image_ids[:12].tolist()))
    with pytest.raises(FairshotError, match="12 exemplars serve 1 shots of the 8 classes of glyphs: give one for each"):
        task.sample(glyphs, range(1), 0)
