"""A pool of images to be labelled and a fixed test set, with the same classes: what a probe is made of."""

from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Bool, Int, Shaped

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint, hash_rows
from fairshot.sources.joined_store import JoinedStore
from fairshot.sources.source import Source
from fairshot.tables.words import count_of

OFFICIAL_TEST = "official_test"  # the attribute that is 1 for images of an official test set, 0 for training images
TRAIN_WORDS, TEST_WORDS = ("train", "training", "trainval", "base", "pool", "0"), ("test", "testing", "1")
NEITHER = 2  # images of a third part, such as one for validation
GROUP = "group"


@dataclass(frozen=True, eq=False)
class PoolAndTest:
    """Both are parts of one source, so that every image is embedded once and has one name."""

    source: Source
    pool: Source
    test: Source
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As results call it."""
        return self.source.name


def split_marks(words: Shaped[np.ndarray, " row"]) -> Int[np.ndarray, " row"] | None:
    """1 where a word says test, 0 where it says train, 2 elsewhere; None where no word says either."""
    small = np.char.lower(words.astype(str))
    marks = np.full(len(words), NEITHER)
    marks[np.isin(small, TRAIN_WORDS)], marks[np.isin(small, TEST_WORDS)] = 0, 1
    return marks if {0, 1} <= set(marks.tolist()) else None


def split_officially(source: Source) -> PoolAndTest:
    """A source that says which of its images are for testing: an official test set, or a column `split`."""
    if OFFICIAL_TEST not in source.attributes:
        raise FairshotError(
            f"{source.name} does not say which images are for testing: give them as test, or give a table with a "
            "column split that says train or test; data sets whose owner says it, such as cifar100, need neither"
        )
    marks = source.attributes[OFFICIAL_TEST]
    return _with_shared_classes(source, marks == 0, marks == 1)


def join_pool_and_test(pool: Source, test: Source) -> PoolAndTest:
    """Two sources whose classes have the same names, as one source."""
    _refuse_mismatch(pool, test)
    names = tuple(dict.fromkeys((*pool.class_names, *test.class_names)))
    place = {name: number for number, name in enumerate(names)}
    parents = dict(zip(test.class_names, test.parents, strict=True)) | dict(
        zip(pool.class_names, pool.parents, strict=True)
    )
    owners = [np.array([place[name] for name in part.class_names])[part.class_ids] for part in (pool, test)]
    marks = np.repeat([0, 1], [len(pool), len(test)])
    together = [pool, test]
    source = Source(
        pool.name if pool.name == test.name else f"{pool.name} and {test.name}",
        store=JoinedStore((pool.store, test.store)),
        image_ids=np.concatenate([pool.image_ids, test.image_ids + len(pool.store)]),
        class_ids=np.concatenate(owners),
        class_names=names,
        parents=tuple(pool.name if parents[name] in (pool.name, test.name) else parents[name] for name in names),
        content=fingerprint("pool and test", [part.content for part in together]),
        before_recipe=fingerprint("pool and test", [part.before_recipe for part in together]),
        root=fingerprint("pool and test", [part.root for part in together]),
        attributes={OFFICIAL_TEST: marks, **_joined_groups(pool, test)},
        recipe=pool.recipe,
        notes=tuple(dict.fromkeys((*pool.notes, *test.notes))),
    )
    return _with_shared_classes(source, marks == 0, marks == 1)


def _joined_groups(pool: Source, test: Source) -> dict[str, Int[np.ndarray, " image"]]:
    """The groups of both; those of two sources are never the same, as only their numbers are known."""
    if GROUP not in pool.attributes and GROUP not in test.attributes:
        return {}
    own, others = (
        np.unique(part.attributes.get(GROUP, np.arange(len(part))), return_inverse=True)[1] for part in (pool, test)
    )
    return {GROUP: np.concatenate([own, others + own.max() + 1])}


def _refuse_mismatch(pool: Source, test: Source) -> None:
    if pool.has_images != test.has_images or pool.store.shape[1:] != test.store.shape[1:]:
        said = [" x ".join(map(str, part.store.shape[1:])) for part in (pool, test)]
        raise FairshotError(
            f"an item of {pool.name} is {said[0]} and one of {test.name} {said[1]}: prepare both in the same way, "
            "images with a recipe such as recipe=84"
        )
    if pool.recipe.key != test.recipe.key:
        raise FairshotError(
            f"{pool.name} has the recipe {pool.recipe.name} and {test.name} {test.recipe.name}: give both the same one"
        )


def _with_shared_classes(
    source: Source, of_pool: Bool[np.ndarray, " image"], of_test: Bool[np.ndarray, " image"]
) -> PoolAndTest:
    """Only classes that have images on both sides, and no pool image whose group is among the test images."""
    notes = list(source.notes)
    shared = np.intersect1d(source.class_ids[of_pool], source.class_ids[of_test])
    if len(shared) < 2:
        raise FairshotError(
            f"the training and test images of {source.name} have {count_of(len(shared), 'class')} in common: give test "
            "images whose classes have the same names"
        )
    alone = len(np.unique(source.class_ids[of_pool | of_test])) - len(shared)
    if alone:
        notes.append(f"{count_of(alone, 'class')} with images on one side only left out")
    known = np.isin(source.class_ids, shared)
    pool, test = of_pool & known, of_test & known
    if GROUP in source.attributes:
        groups = source.attributes[GROUP]
        met = pool & np.isin(groups, groups[test])
        pool &= ~met
        notes += [f"{count_of(int(met.sum()), 'pool image')} of groups that are in the test left out"] * bool(met.any())
    third = int((~(of_pool | of_test)).sum())
    notes += [f"{count_of(third, 'image')} of neither training nor test left out"] * bool(third)
    copies = _copies(source, pool, test)
    notes += [f"{count_of(copies, 'test image')} exactly as in the pool: such answers are too easy"] * bool(copies)
    if not np.isin(shared, source.class_ids[pool]).all():
        raise FairshotError("all pool images of a class are of groups that are in the test: split by groups")
    return PoolAndTest(replace(source, notes=()), source.select(pool), source.select(test), tuple(notes))


def _copies(source: Source, pool: Bool[np.ndarray, " image"], test: Bool[np.ndarray, " image"]) -> int:
    """How many test images are in the pool, to the last bit."""
    own, asked = (hash_rows(source.read(np.flatnonzero(part))) for part in (pool, test))
    return int(np.isin(asked, own).sum())
