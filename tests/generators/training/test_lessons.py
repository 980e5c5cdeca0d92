"""What a generator is shown: pairs of one class in three ways, and sets whose number and turns context may decide or not."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from fairshot.generators.training.lessons import Material, PairLessons, SetLessons, turn_sets
from fairshot.learners.training.augmentation import turn
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from tests.generators.training.worlds import PLAN

CLASSES, DRAWINGS = 5, 6


def numbered() -> Source:
    """Every drawing is of one grey that is its own: 10 for each class, and 1 for each drawing."""
    labels = np.repeat(np.arange(CLASSES), DRAWINGS)
    greys = 10 * labels + np.tile(np.arange(DRAWINGS), CLASSES)
    order = np.random.default_rng(0).permutation(len(labels))  # images of a class need not lie together
    images = np.repeat(greys[order].astype(np.uint8), 16).reshape(-1, 4, 4)
    return from_arrays(images, labels[order], name="numbered")


def greys(images: torch.Tensor) -> list[int]:
    return (255 * images.flatten(1)[:, 0]).round().int().tolist()


def material(**changes: object) -> Material:
    source = numbered()
    exemplars = np.array([source.image_ids[np.flatnonzero(source.class_ids == c)[0]] for c in range(CLASSES)])
    return replace(Material(source, PLAN, 0, exemplars), **changes)


@pytest.mark.parametrize("pairing", ["prototype-sample", "sample-sample", "sample-prototype"])
def test_pairs_are_of_one_class_and_a_round_shows_every_drawing_once(pairing: str) -> None:
    made = PairLessons(material(), pairing)
    exemplars = {grey // 10: grey for grey in greys(made.material.images(made.material.exemplars))}
    assert made.round == 30 // 4
    given, wanted = [], []
    for batch in range(made.round):
        shown = made.show(batch)
        given += greys(shown.given)
        wanted += greys(shown.wanted)
        assert torch.equal(made.show(batch).given, shown.given)
    assert [g // 10 for g in given] == [w // 10 for w in wanted]
    once = given if pairing == "sample-prototype" else wanted
    assert len(set(once)) == len(once) == 28
    if pairing == "prototype-sample":
        assert given == [exemplars[g // 10] for g in given]
    if pairing == "sample-prototype":
        assert wanted == [exemplars[w // 10] for w in wanted]
    if pairing == "sample-sample":
        assert all(g != w for g, w in zip(given, wanted, strict=True))
        others = {
            (g, w)
            for b in range(200)
            for g, w in zip(*(greys(one) for one in vars(made.show(b)).values()), strict=True)
        }
        assert len(others) == CLASSES * DRAWINGS * (DRAWINGS - 1)  # every other drawing at some time
    assert greys(made.show(made.round).wanted) != greys(made.show(0).wanted)


def test_a_pair_is_turned_together() -> None:
    source = from_arrays(np.arange(32, dtype=np.uint8).reshape(2, 4, 4), np.zeros(2, dtype=int), name="two")
    made = PairLessons(Material(source, replace(PLAN, augment="turns", images=2), 0, np.array([0])), "prototype-sample")
    seen = set()
    for batch in range(40):
        shown = made.show(batch)
        upright = (255 * (shown.wanted - shown.given)).round()
        assert set(upright.flatten(1).unique(dim=1).unique().tolist()) <= {0.0, 16.0}
        seen.add(tuple(shown.given[0].flatten().tolist()))
    assert len(seen) == 8  # four turns, mirrored or not


def test_turns_are_quarter_turns_and_mirrors_of_all_channels_alike() -> None:
    image = torch.rand(1, 2, 4, 4)
    every = [mirrored.rot90(quarters, (2, 3)) for mirrored in (image, image.flip(3)) for quarters in range(4)]
    turned = turn(image.expand(64, -1, -1, -1), torch.Generator().manual_seed(0))
    matches = [sum(torch.equal(one[None], other) for other in every) for one in turned]
    assert matches == [1] * 64


@pytest.mark.parametrize(
    ("context", "sets", "turned"), [(2, 3 * 2, 1 / 2), (3, 2 * 3, 2 / 3), (4, 1 * 4, 3 / 4), (6, 6, 5 / 6)]
)
def test_as_published_the_size_of_sets_decides_how_many_there_are_and_how_many_are_turned(
    context: int, sets: int, turned: float
) -> None:
    made = SetLessons(material(), context, decouple=False)
    every, often = made._sets(0)
    assert len(every) == sets * CLASSES
    assert (often > 0).mean() == pytest.approx(turned)
    source = made.material.source
    assert all(len(set(source.class_ids[one])) == 1 for one in every)
    parts = {tuple(one) for one in every.tolist()}
    assert len(parts) == DRAWINGS // context * CLASSES  # shown again and again, as often as they have drawings
    assert len({drawing for one in parts for drawing in one}) == len(parts) * context  # and disjoint


def test_decoupled_it_decides_neither() -> None:
    shares = []
    for context in (2, 3, 6):
        made = SetLessons(material(), context)
        rounds = [made._sets(number) for number in range(60)]
        assert all(every.shape == (CLASSES, context) for every, _ in rounds)
        assert all(len(set(one)) == context for every, _ in rounds for one in every.tolist())
        shares.append(np.mean([often for _, often in rounds]))
    assert shares == pytest.approx([0.8] * 3, abs=0.08)


def test_sets_of_a_batch_follow_the_round_and_are_plain_on_val() -> None:
    made = SetLessons(material(plain=True), 3)
    every, _ = made._sets(0)
    shown = made.show(0).drawings
    assert shown.shape == (4, 3, 1, 4, 4)
    assert greys(shown.flatten(0, 1)) == greys(made.material.images(every[:4]))


def test_small_classes_are_refused() -> None:
    with pytest.raises(FairshotError) as caught:
        SetLessons(material(), 7)
    assert str(caught.value) == (
        "sets of 7 drawings need classes of as many, and the smallest of numbered has 6: lower context"
    )


def test_a_set_is_mirrored_and_turned_as_one() -> None:
    drawings = torch.zeros(3, 2, 1, 9, 9)
    drawings[:, :, :, 4, 4:7] = 1
    turned = turn_sets(drawings, torch.tensor([0, 1, 3]), torch.Generator().manual_seed(0))
    assert torch.equal(turned[0], drawings[0])
    for number in (1, 2):
        assert torch.equal(turned[number, 0], turned[number, 1])
        assert not torch.allclose(turned[number], drawings[number], atol=0.1)
        assert turned[number].sum().item() == pytest.approx(6, rel=0.25)  # no ink comes or goes, but for the grid
    assert not torch.allclose(turned[1], turned[2], atol=0.1)
