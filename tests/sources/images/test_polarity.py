"""Which tone is the ink: however many samples a class has, and whatever else lies among the drawings."""

import numpy as np
import pytest

from fairshot.sources.images.pictures import Rows
from fairshot.sources.images.polarity import DARK_ON_LIGHT, LIGHT_ON_DARK, NEITHER, polarity, tone


def drawings(count: int, *, ink: int = 255, paper: int = 0) -> np.ndarray:
    """A stroke each."""
    images = np.full((count, 1, 20, 20), paper, dtype=np.uint8)
    for number, image in enumerate(images):
        image[0, 3 + number % 14, 4:16] = ink
    return images


def noise(count: int, low: int = 0, high: int = 256) -> np.ndarray:
    return np.random.default_rng(0).integers(low, high, (count, 1, 20, 20)).astype(np.uint8)


def seen(*images: np.ndarray) -> int:
    store = np.concatenate(images)
    return polarity(Rows(store, tuple(f"row {row}" for row in range(len(store)))))


def test_dark_and_light_ink() -> None:
    assert seen(drawings(30)) == LIGHT_ON_DARK
    assert seen(255 - drawings(30)) == DARK_ON_LIGHT
    assert seen(drawings(1)) == LIGHT_ON_DARK


@pytest.mark.parametrize("every", [2, 4, 12, 20, 50])
def test_one_sample_of_every_class_does_not_speak_for_the_others(every: int) -> None:
    images = drawings(50 * every)
    images[::every] = 255 - images[::every]
    assert seen(images) == (LIGHT_ON_DARK if every > 10 else NEITHER)


def test_blank_samples_do_not_vote() -> None:
    page, scanned = np.full((300, 1, 20, 20), 255, dtype=np.uint8), noise(300, 240, 250)
    assert seen(drawings(100), page, scanned) == LIGHT_ON_DARK
    assert seen(page) == seen(scanned) == NEITHER


def test_what_has_no_clear_tone_does_not_drown_the_others_unless_it_is_most() -> None:
    assert seen(drawings(70), noise(30)) == LIGHT_ON_DARK
    assert seen(drawings(20), noise(80)) == NEITHER, "photographs"
    assert seen(drawings(70), 255 - drawings(30)) == NEITHER, "some of each"


def test_a_faint_drawing_has_a_tone() -> None:
    assert tone(drawings(1, ink=25)[0]) == LIGHT_ON_DARK
    assert tone(drawings(1, ink=230, paper=255)[0]) == DARK_ON_LIGHT
    assert tone(drawings(1, ink=10)[0]) == NEITHER, "no more than a bad page has"


def test_it_is_the_same_every_time() -> None:
    images = drawings(3000)
    images[:300] = 255 - images[:300]  # at the edge of what agrees
    assert len({seen(images) for _ in range(3)}) == 1


def test_of_nothing_there_is_none() -> None:
    assert polarity(Rows(np.zeros((0, 1, 5, 5), dtype=np.uint8), ())) == NEITHER
