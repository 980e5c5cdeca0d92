"""A trained generator draws after exemplars of any size, ink and number of channels, and says what it saw."""

from pathlib import Path

import numpy as np
import pytest

from fairshot.generators.training.course import train_generator
from fairshot.generators.training.sampler import TrainedGenerator
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.training.loop import train
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.sample_sets import Request, draw_samples, find_generator
from fairshot.sources.recipe import find_recipe
from tests.generators.training.worlds import GENERATORS, PLAN, base, val
from tests.learners.training.test_loop import TINY


@pytest.fixture(scope="module", params=GENERATORS)
def trained(request: pytest.FixtureRequest) -> TrainedGenerator:
    return train_generator(GENERATORS[request.param], base(), plan=PLAN)


def strokes(size: int = 16, channels: int = 1) -> np.ndarray:
    drawn = np.zeros((3, channels, size, size), dtype=np.float32)
    for c in range(3):
        drawn[c, :, size // 4 + c, size // 4 : -size // 4] = 1
    return drawn


@pytest.mark.parametrize(("size", "channels"), [(16, 1), (20, 3), (105, 1), (9, 1)])
def test_drawings_are_like_exemplars(trained: TrainedGenerator, size: int, channels: int) -> None:
    light, dark = (trained.generate(shown, 4, 0) for shown in (strokes(size, channels), 1 - strokes(size, channels)))
    assert light.shape == (3, 4, channels, size, size)
    assert light.dtype == np.float32
    assert light.min() >= 0
    assert light.max() <= 1
    np.testing.assert_allclose(dark, 1 - light, atol=1e-5)


def test_the_seed_and_the_place_of_a_class_decide_all(trained: TrainedGenerator) -> None:
    drawn = trained.generate(strokes(), 4, 3)
    assert np.array_equal(trained.generate(strokes(), 4, 3), drawn)
    assert not np.array_equal(trained.generate(strokes(), 4, 4), drawn)
    np.testing.assert_allclose(trained.generate(strokes()[:2], 4, 3), drawn[:2], atol=1e-5)
    assert len(np.unique(drawn[0].reshape(4, -1).round(6), axis=0)) == 4


def test_an_exemplar_must_be_there(trained: TrainedGenerator) -> None:
    with pytest.raises(FairshotError) as caught:
        trained.generate(strokes()[:0], 4, 0)
    assert str(caught.value) == (
        "cannot draw 4 images after exemplars of shape (0, 1, 16, 16): give one or more (class, channel, height, width), "
        "and a count of 1 or more"
    )


def request_on(part, *, allow_seen: bool = False) -> Request:
    exemplars = part.recipe.scale(part.read(np.array([np.flatnonzero(part.class_ids == c)[0] for c in part.classes])))
    return Request(
        part=part, exemplars=exemplars, recipe=find_recipe("16"), on="patterns", count=3, allow_seen=allow_seen
    )


def test_classes_of_its_training_are_refused(tmp_path: Path) -> None:
    train_generator(GENERATORS["vae_stn"], base(), plan=PLAN, out=tmp_path)
    samples = draw_samples(str(tmp_path), request_on(val()), name="vae")
    assert samples.images.shape == (9, 1, 16, 16)
    assert not any("trained" in note for note in samples.notes)
    said = "vae was trained on patterns/base, which holds 42 of the 42 images and 7 of the 7 classes of patterns/base"
    with pytest.raises(FairshotError) as caught:
        draw_samples(str(tmp_path), request_on(base()), name="vae")
    assert str(caught.value) == (
        f"{said}: choose a learner or a part without overlap, or set allow_seen, which is noted"
    )
    assert draw_samples(str(tmp_path), request_on(base(), allow_seen=True), name="vae").notes[0] == (
        f"{said}: allowed to be seen"
    )


def test_a_trained_learner_draws_nothing(tmp_path: Path) -> None:
    train(Prototypes(), base(), plan=TINY, out=tmp_path)
    with pytest.raises(FairshotError) as caught:
        find_generator(str(tmp_path))
    assert str(caught.value) == (
        f"{tmp_path} holds a trained prototypes, which draws nothing: give a trained generator"
    )
