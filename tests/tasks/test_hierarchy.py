"""Episodes of ILSVRC's hierarchy: the nodes that can be drawn, the means of the release, and well-formed episodes."""

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fairshot.runtime.data import data_folders
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.splits.ilsvrc import load
from fairshot.splits.wordnet import CARNIVORE, DEVICE, ENTITY, load_graph, spans
from fairshot.tasks.episodes import PAD
from fairshot.tasks.hierarchy import Hierarchy, eligible_nodes, split_root

LEAVES = tuple(sorted(load_graph().leaves))
BELOW = spans(load_graph().children)
PARTS = {
    "TRAIN": tuple(name for name in LEAVES if name not in BELOW[CARNIVORE] | BELOW[DEVICE]),
    "VALID": tuple(sorted(BELOW[CARNIVORE])),
    "TEST": tuple(sorted(BELOW[DEVICE])),
}
VARIANTS = ("released", "appendix")


def make(names: tuple[str, ...], images: int = 12) -> Source:
    labels = np.repeat(np.arange(len(names)), images)
    return Source.create("some", np.zeros((len(labels), 1), dtype=np.float32), labels, class_names=names)


@pytest.mark.parametrize(
    ("part", "released", "above_fifty", "appendix", "at_least_five", "unreachable"),
    [("TRAIN", 113, 16, 279, 97, 36), ("VALID", 18, 4, 38, 14, 10), ("TEST", 15, 1, 49, 14, 12)],
)
def test_the_nodes_that_can_be_drawn_are_as_many_as_published(
    part: str, released: int, above_fifty: int, appendix: int, at_least_five: int, unreachable: int
) -> None:
    first, second = (eligible_nodes(PARTS[part], variant) for variant in VARIANTS)
    assert (len(first.counts), (first.counts > 50).sum()) == (released, above_fifty)
    assert (len(second.counts), (second.counts >= 5).sum()) == (appendix, at_least_five)
    assert first.counts.min() >= 5
    assert (second.counts.min(), second.counts.max() <= 50) == (2, True)
    assert Hierarchy().unreachable(PARTS[part]) == ()
    assert len(Hierarchy(variant="appendix").unreachable(PARTS[part])) == unreachable


def test_the_devices_that_the_appendix_cannot_reach_can_be_shown() -> None:
    shown = [load_graph().words[name] for name in Hierarchy(variant="appendix").unreachable(PARTS["TEST"])]
    assert shown == [
        "crane",
        "electric fan",
        "hand blower",
        "hard disc",
        "lighter",
        "paintbrush",
        "pick",
        "remote control",
        "ski",
        "sunglass",
        "whistle",
        "wing",
    ]


def test_392_is_the_least_with_which_every_class_is_reached() -> None:
    nodes = eligible_nodes(PARTS["TRAIN"], "released")
    assert nodes.counts.max() == 392
    smaller = np.repeat(nodes.counts < 392, nodes.counts)
    assert len(set(nodes.rows)) == 712 > len(set(nodes.rows[smaller]))


def test_the_root_is_that_of_the_split() -> None:
    assert [split_root(PARTS[part]) for part in PARTS] == [ENTITY, CARNIVORE, DEVICE]
    assert split_root([PARTS["TEST"][0], PARTS["VALID"][0]]) == ENTITY


def test_a_split_part_has_the_nodes_of_its_own_graph() -> None:
    split = load("meta-dataset", make(LEAVES, images=1))
    sizes = [len(Hierarchy(variant="appendix").population(part)) for part in (split.base, split.val, split.novel)]
    assert sizes == [712 - 36, 158 - 10, 130 - 12]
    assert len(Hierarchy().population(split.novel)) == 130


def _sizes(part: str) -> np.ndarray:
    place = "meta_dataset_splits/specs/ilsvrc_2012_dataset_spec.json"
    for folder in data_folders():
        if (Path(folder) / place).exists():
            images = json.loads((Path(folder) / place).read_text())["images_per_class"][part]
            return np.array([images[name] for name in PARTS[part]])
    pytest.skip(f"needs {place} in a folder that FAIRSHOT_DATA lists")


@pytest.mark.parametrize(("part", "way", "support"), [("TRAIN", 2143 / 113, 374), ("TEST", 222 / 15, 378)])
def test_episodes_have_the_means_of_the_release(part: str, way: float, support: float) -> None:
    """The mean way is that of the nodes, each cut at 50; the mean support was drawn from the release's rules."""
    plan = Hierarchy().describe(_sizes(part), PARTS[part], Stream(0, "means"), 40_000)
    columns = np.stack([(plan.rows != PAD).sum(1), plan.shots.sum(1)])
    errors = columns.std(1) / np.sqrt(40_000)
    assert (np.abs(columns.mean(1) - [way, support]) < 4 * errors + [0, 0.5]).all(), columns.mean(1)
    assert (plan.queries == 10).all()
    assert set(plan.rows[plan.rows != PAD].tolist()) == set(range(len(PARTS[part])))


def test_every_node_is_drawn_equally_often_and_every_class_below_it() -> None:
    nodes = eligible_nodes(PARTS["TEST"], "released")
    plan = Hierarchy().describe(np.full(130, 40), PARTS["TEST"], Stream(1), 30_000)
    drawn = np.bincount(plan.rows[plan.rows != PAD], minlength=130) / 30_000
    share = np.zeros(130)
    for start, count in zip(nodes.starts, nodes.counts, strict=True):
        share[nodes.rows[start : start + count]] += min(50, count) / count / len(nodes.counts)
    assert (np.abs(drawn - share) < 5 * np.sqrt(share / 30_000)).all()
    first = np.bincount(plan.rows[:, 0], minlength=130) / 30_000  # classes stand in random order
    mean = np.zeros(130)
    for start, count in zip(nodes.starts, nodes.counts, strict=True):
        mean[nodes.rows[start : start + count]] += 1 / count / len(nodes.counts)
    assert (np.abs(first - mean) < 5 * np.sqrt(mean / 30_000)).all()


@st.composite
def parts(draw: st.DrawFn) -> tuple[str, ...]:
    """Some classes of one of the three parts, or of all."""
    pool = draw(st.sampled_from([*PARTS.values(), LEAVES]))
    return tuple(sorted(draw(st.sets(st.sampled_from(pool), min_size=20, max_size=90))))


@given(parts(), st.sampled_from(VARIANTS), st.integers(0, 99))
def test_an_episode_is_the_classes_below_one_node(names: tuple[str, ...], variant: str, seed: int) -> None:
    counts = np.random.default_rng(seed).integers(2, 60, len(names))
    task = Hierarchy(variant=variant)
    if not len(eligible_nodes(names, task.variant).counts):
        return
    plan = task.describe(counts, names, Stream(seed), 40)
    below = [set(names) & leaves for leaves in BELOW.values()]
    for rows, shots, queries in zip(plan.rows, plan.shots, plan.queries, strict=True):
        real = rows != PAD
        found = {names[row] for row in rows[real]}
        assert len(found) == real.sum()
        assert real[: real.sum()].all()
        low, high = (5, 50) if variant == "released" else (2, 50)
        assert low <= len(found) <= high
        assert found in below or (len(found) == 50 and variant == "released" and any(found <= node for node in below))
        assert queries == min(10, counts[rows[real]].min() // 2)
        assert (shots[real] >= 1).all()
        assert (shots[real] + queries <= counts[rows[real]]).all()
        assert (shots[~real] == 0).all()


@settings(max_examples=12)
@given(parts(), st.sampled_from(VARIANTS), st.integers(0, 2**31), st.integers(1, 59))
def test_images_are_drawn_once_and_the_same_in_any_portions(
    names: tuple[str, ...], variant: str, seed: int, cut: int
) -> None:
    task = Hierarchy(variant=variant)
    if not len(eligible_nodes(names, task.variant).counts):
        return
    source = make(LEAVES).select_classes(np.flatnonzero(np.isin(LEAVES, names)))
    whole = task.sample(source, range(1000, 1060), seed)
    portions = [task.sample(source, portion, seed) for portion in (range(1000, 1000 + cut), range(1000 + cut, 1060))]
    for table, first, second in zip(whole.tables, portions[0].tables, portions[1].tables, strict=True):
        np.testing.assert_array_equal(table[:cut, : first.shape[1]], first)
        np.testing.assert_array_equal(table[cut:, : second.shape[1]], second)
    assert set(whole.class_ids[whole.class_ids != PAD]) <= set(source.classes)
    for support, support_labels, query, query_labels, classes in zip(*whole.tables, strict=True):
        shown, asked = support[support != PAD], query[query != PAD]
        assert len(set(shown) | set(asked)) == len(shown) + len(asked)
        np.testing.assert_array_equal(classes[support_labels[support != PAD]], shown // 12)
        np.testing.assert_array_equal(classes[query_labels[query != PAD]], asked // 12)


GOLDEN = {"released": "0ddb77219004c73a", "appendix": "4e1fb00abce11dc7"}


@pytest.mark.parametrize("variant", VARIANTS)
def test_episodes_are_the_same_on_every_machine_and_for_ever(variant: str) -> None:
    episodes = Hierarchy(variant=variant).sample(make(PARTS["TEST"], images=20), range(1000, 1100), 42)
    digest = hashlib.sha256(b"".join(np.ascontiguousarray(table, dtype="<i8").tobytes() for table in episodes.tables))
    assert digest.hexdigest()[:16] == GOLDEN[variant]


@pytest.mark.parametrize(
    ("names", "images", "message"),
    [
        (
            ("n01440764", "tench"),
            12,
            "class 'tench' of some is none of ILSVRC's 1000: name class folders by WordNet ids, such as n01440764",
        ),
        (
            PARTS["TEST"][:4],
            12,
            "hierarchy released needs a node of WordNet with 5 to 392 of the classes below it, and no node has among "
            "these 4: take a part with more classes",
        ),
        (
            PARTS["TEST"][:8],
            1,
            f"class '{PARTS['TEST'][0]}' of some has one image: hierarchy released needs two of each class",
        ),
    ],
)
def test_an_impossible_task_is_refused_in_one_line(names: tuple[str, ...], images: int, message: str) -> None:
    with pytest.raises(FairshotError) as caught:
        Hierarchy().sample(make(names, images), range(1), 0)
    assert str(caught.value) == message
