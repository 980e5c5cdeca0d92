"""Planted leaks: sources, tasks and splits that give the answer away, found by the right check and by its name."""

from dataclasses import dataclass, replace

import numpy as np
import pytest

from fairshot.checks.check import Case
from fairshot.checks.shuffle import Shuffle
from fairshot.checks.sides import Sides
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.runtime.seeds import Stream
from fairshot.sources.array import from_arrays
from fairshot.sources.recipe import RAW
from fairshot.sources.source import Source
from fairshot.sources.store import apply_recipe
from fairshot.splits.split import Split, split_classes
from fairshot.tasks.episodes import Episodes
from fairshot.tasks.lake_runs import LakeRuns
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.uniform import Uniform
from tests.checks.worlds import SIDE, check_data, leaks, make_images, make_source, make_split, seen
from tests.conftest import make_vectors

CLEAN = {"groups", "parts", "shuffle", "sides", "twins"}


@dataclass(frozen=True)
class SupportAsked(Uniform):
    """Asks a support image again."""

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        drawn = super().draw(source, stream, episodes)
        same = drawn.query_labels[:, :1] == drawn.support_labels
        drawn.query_ids[:, 0] = drawn.support_ids[np.arange(len(drawn)), same.argmax(axis=1)]
        return drawn


# Labels of the queries; in the second, as many neighbours are of one class as by chance.
TURNS = {"turns": "012340123401234", "fixed": "001234410231423"}


@dataclass(frozen=True)
class Ordered(Uniform):
    """Queries in the order of their labels, or in turns, or by a fixed shuffle of these."""

    order: str = "sorted"

    def draw(self, source: Source, stream: Stream, episodes: range) -> Episodes:
        drawn = super().draw(source, stream, episodes)
        places = np.argsort(drawn.query_labels, axis=1, kind="stable")
        if self.order != "sorted":
            labels = np.array([int(label) for label in TURNS[self.order]])
            places = places[:, np.argsort(np.argsort(labels, kind="stable"))]
        ids, labels = (np.take_along_axis(table, places, axis=1) for table in (drawn.query_ids, drawn.query_labels))
        return replace(drawn, query_ids=ids, query_labels=labels)


def test_a_clean_world_is_clean() -> None:
    source = make_source(make_images(), groups=np.arange(144) // 2)
    split = make_split(source)
    findings = check_data(split.novel, split=split, task=Uniform(shot=2, query=3, disjoint="group"))
    outcomes = {finding.check: finding.outcome for finding in findings if finding.about == "data"}
    assert outcomes == dict.fromkeys(CLEAN, "ok") | {"trained_on": "not applicable"}


def test_a_support_image_that_is_asked_again() -> None:
    findings = check_data(make_source(make_images()), task=SupportAsked(shot=2, query=3))
    assert leaks(findings) == {"sides"}
    assert seen(findings, "sides").startswith("1024 of 15360 queries stand in their own support, such as image ")


@pytest.mark.parametrize(
    ("order", "words"),
    [
        ("sorted", "71% of neighbours are of one class, by chance 14% would be"),
        ("turns", "0% of neighbours are of one class, by chance 14% would be"),
        ("fixed", "their place tells the class (p = 0)"),
    ],
)
def test_queries_in_an_order(order: str, words: str) -> None:
    findings = check_data(make_source(make_images()), task=Ordered(shot=2, query=3, order=order))
    assert leaks(findings) == {"shuffle"}
    assert words in seen(findings, "shuffle")


@pytest.mark.parametrize("seed", range(5))
def test_random_orders_pass_whatever_the_task(seed: int) -> None:
    source = make_vectors()
    for task in (Uniform(way=2, shot=1, query=1), Uniform(way=20, shot=1, query=9), MetaDataset()):
        assert Shuffle().find(Case(Prototypes(), source, task, seed=seed)).outcome == "ok"


def _copied(how: str) -> np.ndarray:
    """Every second image is a copy of the one before it: to the bit, lighter, or slightly noisy."""
    images = make_images()
    originals = images[:, ::2].astype(np.float64)
    noise = np.random.default_rng(1).normal(scale=3, size=originals.shape)
    copies = {"exact": originals, "lighter": 0.8 * originals + 40, "noisy": originals + noise}[how]
    images[:, 1::2] = np.clip(copies, 0, 255).round().astype(np.uint8)
    return images


@pytest.mark.parametrize(
    ("how", "kind"), [("exact", "identical"), ("lighter", "nearly identical"), ("noisy", "nearly identical")]
)
def test_copies_on_both_sides(how: str, kind: str) -> None:
    findings = check_data(make_source(_copied(how)))
    assert leaks(findings) == {"twins"}
    assert f"72 groups of {kind} images (144 in all, each within one class): image " in seen(findings, "twins")
    assert "queries have a twin in their own support" in seen(findings, "twins")


def test_copies_that_the_task_keeps_apart_are_a_warning() -> None:
    source = make_source(_copied("exact"), groups=np.arange(144) // 2)
    findings = check_data(source, task=Uniform(shot=2, query=3, disjoint="group"))
    assert leaks(findings) == set()
    assert seen(findings, "twins").endswith("; 0 of 15360 queries have a twin in their own support")


def test_one_pair_across_classes_is_named() -> None:
    images = make_images(classes=60)
    images[7, 3] = images[4, 1]
    findings = check_data(make_source(images))
    assert {finding.outcome for finding in findings if finding.check == "twins"} == {"warning"}
    assert seen(findings, "twins").startswith(
        "1 group of identical images (2 in all, 1 of them across classes): image 49 of '4' and image 87 of '7'; "
    )


def test_nearly_equal_vectors() -> None:
    source = make_vectors(classes=10, images=12)
    source.store[1::2] = source.store[::2] * (1 + 1e-5)
    findings = check_data(source)
    assert leaks(findings) == {"twins"}
    assert "60 groups of nearly identical images (120 in all, each within one class)" in seen(findings, "twins")


def test_frames_of_one_film_on_both_sides() -> None:
    source = make_source(make_images(), groups=np.arange(144) // 4)
    assert leaks(check_data(source, task=Uniform(shot=2, query=3))) == set()
    findings = check_data(source, task=Uniform(shot=2, query=3, disjoint=None))
    assert leaks(findings) == {"groups"}
    assert seen(findings, "groups").endswith(": keep groups apart with disjoint=group")


def test_films_without_a_name_are_a_warning() -> None:
    images = make_images().astype(np.float64)
    films = np.random.default_rng(2).normal(scale=60, size=(12, 4, 1, SIDE, SIDE)).repeat(3, axis=2)
    films = np.clip(images + films.reshape(images.shape), 0, 255).astype(np.uint8)
    findings = check_data(make_source(films))
    assert {finding.outcome for finding in findings if finding.check == "groups"} == {"warning"}
    assert seen(findings, "groups").startswith("images seem to come in sequences: for ")


@pytest.mark.parametrize(
    ("noise", "words"),
    [
        (0, "3 of 72 images are in other parts too, such as image 120 of '10' and image 5 of '0' in base"),
        (2, "3 of 72 are nearly identical to images there, such as image 120 of '10' and image 5 of '0' in base"),
    ],
)
def test_novel_images_in_base(noise: float, words: str) -> None:
    images = make_images()
    trace = noise * np.random.default_rng(3).normal(size=(3, SIDE, SIDE))
    images[0, 5:8] = np.clip(images[10, :3] + trace, 0, 255).round()
    split = make_split(make_source(images))
    findings = check_data(split.novel, split=split)
    assert leaks(findings) == {"parts"}
    assert seen(findings, "parts") == words


def _staged(names: list[str]) -> Split:
    source = replace(make_source(make_images()), class_names=tuple(names))
    return split_classes("staged", source, base=np.arange(6), val=np.arange(0), novel=np.arange(6, 12))


def test_classes_of_one_name_in_two_parts() -> None:
    names = [f"train/n{c:04}" for c in range(6)] + [f"test/n{c:04}" for c in range(4, 10)]
    split = _staged(names)
    findings = check_data(split.novel, split=split)
    assert leaks(findings) == {"parts"}
    assert seen(findings, "parts") == "2 of 6 classes have a namesake in base, such as 'test/n0004'"
    alphabets = [f"{parent}/character{c:02}" for parent in ("Greek", "Latin") for c in range(6)]
    assert leaks(check_data(_staged(alphabets).novel, split=_staged(alphabets))) == set()


def test_held_out_images_share_their_classes_on_purpose() -> None:
    split = make_split(make_source(make_images())).hold_out(6)
    findings = check_data(split.base_heldout, split=split, task=Uniform(way=3, shot=2, query=3))
    assert leaks(findings) == set()


TURNING = replace(RAW, name="turning", rotations=(0, 90, 180, 270))  # every quarter turn is a class of its own


def test_turns_that_the_recipe_made_are_no_copies() -> None:
    source = apply_recipe(make_source(make_images()), TURNING)
    assert len(source) == 4 * 144
    finding = next(finding for finding in check_data(source) if finding.check == "twins")
    assert (finding.outcome, finding.seen) == (
        "ok",
        "no two of 144 images (classes made of one another aside) are identical or nearly so (correlation above "
        "0.995), or copies with a change",
    )


def test_copies_among_turned_images_are_told_once() -> None:
    images = make_images(classes=60)
    images[7, 3] = images[4, 1]
    findings = check_data(apply_recipe(make_source(images), TURNING))
    assert seen(findings, "twins").startswith(
        "1 group of identical images (2 in all, 1 of them across classes): image 49 of '4/rot000' and image 87 of '7/"
    )


@pytest.mark.parametrize("declared", [True, False])
def test_classes_made_of_one_another_share_images_on_purpose(declared: bool) -> None:
    images = make_images()
    images[6:] = images[:6, :, ::-1]  # upside down, and under another name
    labels, originals = np.repeat(np.arange(12), 12), np.arange(12) % 6
    made_of = originals if declared else None
    findings = check_data(from_arrays(images.reshape(-1, SIDE, SIDE), labels, made_of=made_of))
    assert leaks(findings) == (set() if declared else {"twins"})
    assert ("under two names" in seen(findings, "twins")) is not declared


def test_copies_within_a_declared_class_are_still_told() -> None:
    images = _copied("exact")
    made_of = np.arange(12) // 2
    labels = np.repeat(np.arange(12), 12)
    findings = check_data(from_arrays(images.reshape(-1, SIDE, SIDE), labels, made_of=made_of))
    assert leaks(findings) == {"twins"}
    assert "72 groups of identical images (144 in all, each within one class)" in seen(findings, "twins")


def test_blank_and_constant_images_do_no_harm() -> None:
    levels = np.arange(96).astype(np.uint8)
    source = from_arrays(np.broadcast_to(levels[:, None, None], (96, 8, 8)).copy(), np.arange(96) // 12)
    findings = check_data(source)
    assert "1 group of nearly identical images (96 in all, 1 of them across classes)" in seen(findings, "twins")


def test_the_identical_pair_of_omniglot(omniglot: Source) -> None:
    (braille,) = {omniglot.classes[c] for c, name in enumerate(omniglot.class_names) if name == "Braille/character01"}
    start = int(braille) // 20 * 20
    part = omniglot.select_classes(np.arange(start, start + 20))
    findings = check_data(part)
    assert (
        "1 group of identical images (2 in all, each within one class): image 4802 of 'Braille/character01' (drawer 3) and "
        "image 4818 of 'Braille/character01' (drawer 19)"
    ) in seen(findings, "twins")


def test_a_fixed_list_of_episodes(omniglot: Source) -> None:
    case = Case(Prototypes(), omniglot, LakeRuns())
    assert [look.find(case).outcome for look in (Shuffle(), Sides())] == ["ok", "ok"]
