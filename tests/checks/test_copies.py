"""Fifteen ways to plant a copy, and films cut into frames in any order: found in drawings and in photographs."""

import io
from collections.abc import Callable
from functools import lru_cache

import numpy as np
import pytest
from PIL import Image

from fairshot.checks.alignment import agreement
from fairshot.checks.check import Case
from fairshot.checks.finding import Finding
from fairshot.checks.groups import Groups
from fairshot.checks.parts import Parts
from fairshot.checks.twins import Twins
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.sources.array import from_arrays
from fairshot.sources.images.likeness import as_greys, find_nearest, likeness
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.splits.split import split_classes
from fairshot.tasks.uniform import Uniform

CLASSES, IMAGES, SIDE = 12, 15, 32
TASK = Uniform(way=5, shot=2, query=3)


def recompressed(image: np.ndarray) -> np.ndarray:
    packed = io.BytesIO()
    Image.fromarray(image).save(packed, "JPEG", quality=10)
    return np.asarray(Image.open(packed))


def cropped(image: np.ndarray) -> np.ndarray:
    return np.asarray(Image.fromarray(image[1:, 1:]).resize(image.shape[1::-1], Image.Resampling.BILINEAR))


CHANGES: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "exact": lambda image: image,
    "brightness": lambda image: np.rint(0.7 * image + 40).astype(np.uint8),
    "mirror": lambda image: image[:, ::-1],
    "quarter turn": np.rot90,
    "inversion": lambda image: 255 - image,
    "jpeg quality 10": recompressed,
    "one-pixel shift": lambda image: np.pad(image, [(1, 0), (1, 0), (0, 0)], mode="edge")[:-1, :-1],
    "crop": cropped,
}
WORLDS = ("drawings", "photographs")


@lru_cache
def world(name: str) -> np.ndarray:
    """Images [class, image, height, width, channel] that share nothing but their class."""
    if name == "drawings":
        part = find_part(f"glyphs:alphabets=4,characters={CLASSES // 4}", recipe="28")
        store = np.repeat(part.store.transpose(0, 2, 3, 1), 3, axis=3)
        return np.stack([store[part.class_ids == c][:IMAGES] for c in range(CLASSES)])
    return photographs(np.random.default_rng(5), CLASSES * IMAGES).reshape(CLASSES, IMAGES, SIDE, SIDE, 3)


def photographs(rng: np.random.Generator, count: int) -> np.ndarray:
    """Colours whose strength falls with their frequency, as in photographs, before and behind an edge."""
    frequencies = np.hypot(*np.meshgrid(np.fft.fftfreq(SIDE), np.fft.fftfreq(SIDE)))
    falling = 1 / np.maximum(frequencies, 1 / SIDE)
    grey, colour = (
        np.fft.ifft2(np.fft.fft2(rng.normal(size=(count, channels, 2, SIDE, SIDE))) * falling).real
        for channels in (1, 3)
    )
    fields = grey + 0.3 * colour
    fields[:, :, 1] += rng.normal(scale=2, size=(count, 1, 1, 1))
    angle, place = rng.uniform(0, 2 * np.pi, (2, count, 1, 1))
    down, right = np.mgrid[:SIDE, :SIDE] - SIDE / 2
    behind = np.cos(angle) * down + np.sin(angle) * right > 2 * (place - np.pi)
    mixed = np.where(behind[:, None], fields[:, :, 0], fields[:, :, 1])
    mixed = (mixed - mixed.mean(axis=(1, 2, 3), keepdims=True)) / mixed.std(axis=(1, 2, 3), keepdims=True)
    return np.clip(128 + 50 * mixed, 0, 255).astype(np.uint8).transpose(0, 2, 3, 1)


def as_source(images: np.ndarray) -> Source:
    """The images of a world."""
    return from_arrays(images.reshape(-1, *images.shape[2:]), np.repeat(np.arange(len(images)), images.shape[1]))


def twins_after(images: np.ndarray, change: str) -> Finding:
    """Every fifth image is a changed copy of the one before it."""
    planted = images.copy()
    for row in planted:
        row[4::5] = [CHANGES[change](image) for image in row[3::5]]
    return Twins().find(Case(Prototypes(), as_source(planted), TASK))


def parts_after(images: np.ndarray, change: str) -> Finding:
    """A quarter of the images of the novel classes have a changed copy in a base class."""
    planted, half = images.copy(), len(images) // 2
    for base, novel in zip(planted[:half], planted[half:], strict=True):
        base[:5] = [CHANGES[change](image) for image in novel[:5]]
    source = as_source(planted)
    split = split_classes("halves", source, base=np.arange(half), val=np.arange(0), novel=np.arange(half, 2 * half))
    return Parts().find(Case(Prototypes(), split.novel, TASK, split))


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("name", WORLDS)
def test_a_copy_is_found_inside_a_part_and_across_parts(name: str, change: str) -> None:
    assert twins_after(world(name), change).outcome == "leak"
    assert parts_after(world(name), change).outcome == "leak"


@pytest.mark.parametrize("name", WORLDS)
def test_without_a_copy_nothing_is_found(name: str) -> None:
    source = as_source(world(name))
    split = split_classes(
        "halves", source, base=np.arange(CLASSES // 2), val=np.arange(0), novel=np.arange(CLASSES // 2, CLASSES)
    )
    cases = Case(Prototypes(), source, TASK), Case(Prototypes(), split.novel, TASK, split)
    assert [Twins().find(cases[0]).outcome, Parts().find(cases[1]).outcome, Groups().find(cases[0]).outcome] == [
        "ok"
    ] * 3


def test_what_was_done_is_named() -> None:
    images = world("photographs")
    assert twins_after(images, "mirror").seen.startswith(
        "36 groups of copied images (mirrored) (72 in all, each within one class): image 3 of '0' and image 4 of '0'; "
    )
    assert parts_after(images, "inversion").seen == (
        "30 of 90 are copies of images there (inverted), such as image 90 of '6' and image 0 of '0' in base"
    )


def films(images: np.ndarray) -> np.ndarray:
    """Four films of five frames in each class: the camera moves, the light changes; in no order."""
    rng = np.random.default_rng(1)
    frames = np.repeat(images[:, :4], 5, axis=1)
    for row in frames:
        for number in range(len(row)):
            moved = np.roll(row[number], rng.integers(-1, 2, 2), axis=(0, 1)) * rng.uniform(0.7, 1.0)
            row[number] = np.clip(moved + rng.normal(scale=4, size=moved.shape), 0, 255)
        row[:] = row[rng.permutation(len(row))]
    return frames


@pytest.mark.parametrize("name", WORLDS)
def test_shuffled_frames_are_found(name: str) -> None:
    found = Groups().find(Case(Prototypes(), as_source(films(world(name))), TASK))
    assert found.outcome == "warning"
    assert found.seen.startswith("images seem to come in clusters, as frames of films do: ")


def test_a_class_under_two_names_is_told() -> None:
    images = world("photographs").copy()
    images[9] = images[2][::-1]
    found = Twins().find(Case(Prototypes(), as_source(images), TASK))
    assert found.outcome == "leak"
    assert found.seen.startswith(
        "the classes '2' and '9' hold the same images under two names; 15 groups of identical "
    )


@pytest.mark.parametrize("change", [change for change in CHANGES if change not in ("crop", "jpeg quality 10")])
def test_likeness_survives_a_change(change: str) -> None:
    images = world("photographs").reshape(-1, SIDE, SIDE, 3)
    copies = np.stack([CHANGES[change](image) for image in images[:40]])
    before, after = (likeness(as_greys(each.transpose(0, 3, 1, 2))) for each in (images, copies))
    nearest = find_nearest(after, before)
    assert nearest is not None
    best = nearest.ratios.argmin(axis=1)
    np.testing.assert_array_equal(nearest.places[np.arange(40), best], np.arange(40))


def test_agreement_is_that_of_the_best_place() -> None:
    greys = as_greys(world("photographs")[0].transpose(0, 3, 1, 2))
    moved = -np.rot90(np.roll(greys, (2, -1), axis=(1, 2)), axes=(1, 2))
    found, turns = agreement(greys, np.ascontiguousarray(moved))
    assert (found < -0.95).mean() > 0.9
    assert np.bincount(turns).argmax() == 6  # three more quarters bring it back
    assert (np.abs(agreement(greys[:-1], greys[1:])[0]) < 0.95).all()
