"""Each source by its own rule; of joined sources one in each episode, its classes from it alone."""

import numpy as np
import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.sources.union import JoinedSource, join
from fairshot.tasks.by_source import BySource
from fairshot.tasks.episodes import PAD
from fairshot.tasks.hierarchy import Hierarchy
from fairshot.tasks.meta_dataset import MetaDataset

WNIDS = [f"n0{number}" for number in (1440764, 1443537, 1484850, 1491361, 1494475, 1496331, 1498041, 1514668)]


def _source(name: str, names: list[str], images: int = 12, start: int = 0, **more: object) -> Source:
    labels = np.repeat(np.array(names), images)
    values = np.arange(len(labels), dtype=np.float32)[:, None] + start
    return from_arrays(values, labels, name=name, **more)


@pytest.fixture(scope="module")
def joined() -> JoinedSource:
    alphabets = np.repeat(["first", "second"], 6)
    drawings = _source("omniglot", [f"d{n:02d}" for n in range(12)], start=1000, parents=alphabets)
    photos = _source("photos", [f"p{n}" for n in range(9)], start=2000)
    return join([_source("mini", WNIDS), drawings, photos])


def test_rules_follow_the_source(joined: JoinedSource) -> None:
    tasks = [BySource().resolve(part) for part in joined.parts]
    assert [type(task) for task in tasks] == [Hierarchy, MetaDataset, MetaDataset]
    assert [task.label for task in tasks[1:]] == ["meta-dataset released, within-parent", "meta-dataset released"]
    assert BySource(variant="appendix").resolve(joined.parts[1]).label == "meta-dataset appendix"
    assert BySource().key(joined.parts[2], 3) == MetaDataset(disjoint=None).key(joined.parts[2], 3)


def test_an_episode_is_of_one_source_and_well_formed(joined: JoinedSource) -> None:
    episodes = BySource().sample(joined, range(300), 0)
    homes = np.digitize(episodes.class_ids, joined.first_classes) - 1
    for number, classes in enumerate(episodes.class_ids):
        real = classes != PAD
        assert len(set(homes[number][real])) == 1
        for ids, labels in (
            (episodes.support_ids[number], episodes.support_labels[number]),
            (episodes.query_ids[number], episodes.query_labels[number]),
        ):
            shown = ids != PAD
            own = joined.class_ids[joined.rows(ids[shown])]
            np.testing.assert_array_equal(own, classes[labels[shown]])
    counts = np.bincount(homes[:, 0], minlength=3)
    assert (np.abs(counts - 100) < 5 * np.sqrt(300 * 2 / 9)).all(), counts


def test_portions_do_not_matter(joined: JoinedSource) -> None:
    whole, some = BySource().sample(joined, range(1000, 1060), 7), BySource().sample(joined, range(1020, 1030), 7)
    for table, other in zip(whole[20:30].tables, some.tables, strict=True):
        np.testing.assert_array_equal(table[:, : other.shape[1]], other)


def test_an_episode_of_a_source_does_not_depend_on_other_sources_drawn_less(joined: JoinedSource) -> None:
    weights = BySource(weights=(0.0, 1.0, 0.0)).sample(joined, range(50), 0)
    assert (np.digitize(weights.class_ids[:, 0], joined.first_classes) == 2).all()


def test_weights_are_checked(joined: JoinedSource) -> None:
    with pytest.raises(FairshotError, match=r"^2 weights were given for the 3 sources of .*: give one each$"):
        BySource(weights=(1.0, 2.0)).sample(joined, range(1), 0)
    with pytest.raises(FairshotError, match="give numbers of 0 or more, not all 0"):
        BySource(weights=(0.0, 0.0))


def test_limits_hold_and_are_told() -> None:
    source = _source("photos", [f"p{n:02d}" for n in range(40)], images=60)
    task = BySource(most_way=8, most_support=40, most_queries=3)
    assert task.label == "by-source released, at most 8-way, 40 support, 3 queries a class"
    episodes = task.sample(source, range(200), 0)
    assert episodes.ways.max() == 8
    assert (episodes.support_ids != PAD).sum(1).max() <= 40
    assert ((episodes.query_ids != PAD).sum(1) == 3 * episodes.ways).all()


def test_groups_stay_on_one_side() -> None:
    groups = np.arange(6 * 30) // 5
    source = _source("signs", [f"s{n}" for n in range(6)], images=30, attributes={"group": groups})
    episodes = BySource().sample(source, range(300), 0)
    for support, query in zip(episodes.support_ids, episodes.query_ids, strict=True):
        shown, asked = support[support != PAD], query[query != PAD]
        assert not set(groups[shown]) & set(groups[asked])
        assert len(set(shown)) == len(shown)
        assert len(set(asked)) == len(asked)
    assert "groups apart" in BySource().resolve(source).label
    # Every image can be on either side, and half of the six groups of a class ask.
    assert set(episodes.support_ids[episodes.support_ids != PAD].tolist()) == set(range(180))
    assert set(episodes.query_ids[episodes.query_ids != PAD].tolist()) == set(range(180))


def test_groups_that_cannot_be_kept_apart_are_refused() -> None:
    shared = _source("signs", [f"s{n}" for n in range(6)], images=4, attributes={"group": np.arange(24) % 4})
    with pytest.raises(FairshotError, match="group 0 of signs has images of several classes"):
        BySource().sample(shared, range(1), 0)
    lonely = _source("signs", [f"s{n}" for n in range(6)], images=4, attributes={"group": np.arange(24) // 4})
    with pytest.raises(FairshotError, match="class 's0' of signs has one group: two are needed"):
        BySource().sample(lonely, range(1), 0)
