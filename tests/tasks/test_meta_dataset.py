"""Meta-Dataset's sampler: hand-made vectors, the means of its published specifications, and well-formed episodes."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairshot.runtime.data import data_folders
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.array import from_arrays
from fairshot.tasks.episodes import PAD
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.variable import shots_of


@pytest.mark.parametrize(
    ("variant", "share", "shots"),
    [("released", 0.5, 6), ("appendix", 0.5, 5), ("released", 0.0, 1), ("appendix", 0.0, 1)],
)
def test_published_vectors(variant: str, share: float, shots: int) -> None:
    found = shots_of(np.full((1, 5), 20), np.array([10]), np.array([share]), np.zeros((1, 5)), variant)
    assert found.tolist() == [[shots] * 5]


@given(
    st.lists(st.integers(2, 700), min_size=5, max_size=60),
    st.sampled_from(["released", "appendix"]),
    st.integers(0, 99),
)
def test_an_episode_is_well_formed(counts: list[int], variant: str, seed: int) -> None:
    plan = MetaDataset(variant=variant).describe(
        np.array(counts), np.zeros(len(counts), dtype=np.int64), Stream(seed), 50
    )
    for rows, shots, queries in zip(plan.rows, plan.shots, plan.queries, strict=True):
        real = rows != PAD
        sizes = np.array(counts)[rows[real]]
        assert 5 <= real.sum() <= min(50, len(counts))
        assert len(set(rows[real])) == real.sum()
        assert queries == min(10, sizes.min() // 2)
        assert (shots[real] >= 1).all()
        assert (shots[real] + queries <= sizes).all()
        assert (shots[~real] == 0).all()
        assert shots.sum() <= 500 + 50


def test_images_are_drawn_as_described_and_once() -> None:
    counts = np.array([9, 30, 12, 20, 25, 40, 11])
    labels = np.repeat(np.arange(7), counts)
    source = from_arrays(np.zeros((len(labels), 1)), labels)
    sampled = MetaDataset().sample(source, range(1000, 1060), 3)
    again = MetaDataset().sample(source, range(1010, 1020), 3)
    np.testing.assert_array_equal(sampled[10:20].query_ids[:, : again.query_ids.shape[1]], again.query_ids)
    for support, support_labels, query, query_labels, classes in zip(*sampled.tables, strict=True):
        shown, asked = support[support != PAD], query[query != PAD]
        assert len(set(shown) | set(asked)) == len(shown) + len(asked)
        np.testing.assert_array_equal(classes[support_labels[support != PAD]], labels[shown])
        np.testing.assert_array_equal(classes[query_labels[query != PAD]], labels[asked])
        assert len(set(np.bincount(query_labels[query != PAD]))) == 1


def test_with_bilevel_only_classes_of_wide_parents_can_be_drawn() -> None:
    parents = np.array(["wide"] * 6 + ["narrow"] * 4)
    source = from_arrays(np.zeros((40, 1)), np.repeat(np.arange(10), 4), parents=parents)
    assert MetaDataset(bilevel=True).population(source).tolist() == [0, 1, 2, 3, 4, 5]
    assert MetaDataset().population(source).tolist() == list(range(10))
    drawn = MetaDataset(bilevel=True).sample(source, range(200), 0).class_ids
    assert set(drawn[drawn != PAD].tolist()) == {0, 1, 2, 3, 4, 5}


def test_a_class_of_one_image_is_refused() -> None:
    source = from_arrays(np.zeros((11, 1)), np.append(np.repeat(np.arange(5), 2), 5))
    with pytest.raises(FairshotError) as caught:
        MetaDataset().sample(source, range(1), 0)
    assert str(caught.value) == "class '5' of array has one image: meta-dataset released needs two of each class"


def _specification(name: str) -> dict:
    for folder in data_folders():
        path = Path(folder) / "meta_dataset_splits" / "specs" / f"{name}_dataset_spec.json"
        if path.exists():
            return json.loads(path.read_text())
    pytest.skip(f"needs meta_dataset_splits/specs/{name}_dataset_spec.json in a folder that FAIRSHOT_DATA lists")


def _means(
    task: MetaDataset, counts: list[int], parents: list[int], episodes: int = 40_000
) -> tuple[np.ndarray, np.ndarray]:
    plan = task.describe(np.array(counts), np.array(parents), Stream(0, "means"), episodes)
    way, support = (plan.rows != PAD).sum(1), plan.shots.sum(1)
    columns = np.stack([way, support / way, support])
    return columns.mean(1), columns.std(1) / np.sqrt(episodes)


@pytest.mark.parametrize(
    ("part", "expected"),
    [("TRAIN", (19.96, 4.81, 95.8)), ("VALID", (10.56, 4.82, 50.7)), ("TEST", (18.94, 4.81, 91.0))],
)
def test_omniglot_has_its_published_means(part: str, expected: tuple[float, ...]) -> None:
    spec = _specification("omniglot")
    names = list(spec["superclasses_per_split"])
    first = sum(spec["superclasses_per_split"][name] for name in names[: names.index(part)])
    chosen = range(first, first + spec["superclasses_per_split"][part])
    parents = [p for p in chosen for _ in range(spec["classes_per_superclass"][str(p)])]
    means, errors = _means(MetaDataset(bilevel=True), [20] * len(parents), parents)
    assert (np.abs(means - expected) < 5 * errors + [0.005, 0.005, 0.05]).all(), means


def test_the_appendix_draws_omniglot_flat() -> None:
    means, errors = _means(MetaDataset(variant="appendix"), [20] * 659, [0] * 659)
    assert (np.abs(means - [27.5, 4.40, 121]) < 5 * errors + [0.05, 0.05, 0.5]).all(), means


@pytest.mark.parametrize(
    ("name", "expected"), [("aircraft", (10.0, 336)), ("quickdraw", (27.6, 424)), ("fungi", (27.5, 363))]
)
def test_novel_episodes_of_other_sources_have_their_published_means(name: str, expected: tuple[float, float]) -> None:
    spec = _specification(name)
    sizes = [spec["images_per_class"][str(c)] for c in range(len(spec["images_per_class"]))]
    novel = sizes[-spec["classes_per_split"]["TEST"] :]
    means, errors = _means(MetaDataset(), novel, [0] * len(novel))
    found, error = means[[0, 2]], errors[[0, 2]]
    assert (np.abs(found - expected) < 5 * error + [0.05, 0.5]).all(), found
