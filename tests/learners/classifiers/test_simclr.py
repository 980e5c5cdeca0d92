"""The contrastive loss against a plain loop, and a critic that learns without labels."""

import math
from pathlib import Path

import numpy as np
import pytest
import torch

from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.classifiers.simclr import Simclr, contrast
from fairshot.learners.training.loop import train
from fairshot.learners.training.plan import Plan
from fairshot.specs.data import find_part

PLAN = Plan(network="critic", images=16, steps=6, epoch=3, optimizer="rmsprop")


@pytest.mark.parametrize(("images", "temperature"), [(2, 0.5), (5, 0.5), (7, 0.1)])
def test_the_loss_of_a_plain_loop(images: int, temperature: float) -> None:
    vectors = torch.randn(2 * images, 4, generator=torch.Generator().manual_seed(images)).double()

    def cosine(i: int, j: int) -> float:
        a, b = vectors[i].tolist(), vectors[j].tolist()
        return sum(x * y for x, y in zip(a, b, strict=True)) / math.hypot(*a) / math.hypot(*b)

    total, right = 0.0, 0
    for i in range(2 * images):
        partner = (i + images) % (2 * images)
        others = [j for j in range(2 * images) if j != i]
        whole = sum(math.exp(cosine(i, j) / temperature) for j in others)
        total -= math.log(math.exp(cosine(i, partner) / temperature) / whole)
        right += max(others, key=lambda j: cosine(i, j)) == partner
    loss = contrast(vectors, temperature)
    assert loss.value.item() == pytest.approx(total / (2 * images))
    assert loss.accuracy == pytest.approx(right / (2 * images))


def test_perfect_views_have_the_least_loss_there_is() -> None:
    units = torch.eye(8).repeat(2, 1)
    loss = contrast(units, 0.5)
    assert loss.value.item() == pytest.approx(-2 + math.log(math.exp(2) + 14), rel=1e-5)
    assert loss.accuracy == 1


def test_labels_are_not_looked_at() -> None:
    glyphs = find_part("glyphs:alphabets=2,characters=3", recipe="16")
    shuffled = glyphs.select(np.ones(len(glyphs), dtype=bool))
    object.__setattr__(shuffled, "class_ids", np.roll(glyphs.class_ids, 7))
    one, other = (train(Simclr(), source, plan=PLAN) for source in (glyphs, shuffled))
    for name, value in one.model.state_dict().items():
        assert torch.equal(value, other.model.state_dict()[name]), name


def test_an_interrupted_training_ends_with_the_same_bytes(tmp_path: Path) -> None:
    glyphs = find_part("glyphs:alphabets=2,characters=3", recipe="16")
    whole = train(Simclr(), glyphs, plan=PLAN, out=tmp_path / "whole")

    class Stopped(Exception):
        pass

    from fairshot.learners.training.checkpoint import Epoch
    from fairshot.learners.training.loop import Reports

    def stop(epoch: Epoch) -> None:
        if epoch.epoch == 2 and not (tmp_path / "stopped").exists():
            (tmp_path / "stopped").touch()
            raise Stopped

    with pytest.raises(Stopped):
        train(Simclr(), glyphs, plan=PLAN, out=tmp_path / "cut", reports=Reports(epoch=stop))
    again = train(Simclr(), glyphs, plan=PLAN, out=tmp_path / "cut")
    for name, value in whole.model.state_dict().items():
        assert torch.equal(value, again.model.state_dict()[name]), name


def test_the_published_plans_of_both_critics() -> None:
    own = Simclr.plan("paper")
    assert (own.network, own.recipe, own.images, own.steps) == ("critic", "diversity", 128, 23_000)
    assert (own.optimizer, own.rate, own.cosine, own.halve_every) == ("rmsprop", 1e-3, False, 0)
    assert (Simclr().temperature, Simclr().views, Simclr().variant) == (0.5, "normal", "released")
    plan = Prototypes.plan("critic")
    assert (plan.network, plan.recipe, plan.exemplars) == ("critic", "diversity", "simclr@omniglot-critic")
    assert (plan.way, plan.shot, plan.query, plan.steps, plan.val_way) == (60, 1, 5, 8000, 20)
    assert (plan.optimizer, plan.rate, plan.halve_every, plan.cosine) == ("adam", 1e-3, 2000, False)
