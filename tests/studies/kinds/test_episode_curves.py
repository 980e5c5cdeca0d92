"""Curves over episodes agree with plain loops; heights of WordNet nodes are those of the graph."""

import numpy as np

from fairshot.sources.array import from_arrays
from fairshot.statistics.scores import Scores
from fairshot.studies.kinds.episode_curves import SHOTS, WAYS, Answered, curve_points, episode_heights
from fairshot.tasks.episodes import PAD, Episodes
from fairshot.tasks.meta_dataset import MetaDataset

# goldfish, great white shark, tiger shark; golden retriever, Labrador
FISH, SHARK, TIGER_SHARK, GOLDEN, LABRADOR = "n01443537", "n01484850", "n01491361", "n02099601", "n02099712"


def _table() -> Answered:
    source = from_arrays(np.zeros((1200, 1)), np.repeat(np.arange(40), 30))
    episodes = MetaDataset().sample(source, range(80), 0)
    asked = episodes.query_labels != PAD
    correct = np.random.default_rng(0).uniform(size=asked.shape) < 0.4
    return Answered(Scores(np.zeros(80), correct, asked), episodes)


def test_points_agree_with_plain_loops() -> None:
    table = _table()
    expected: dict[tuple[str, int], list[bool]] = {}
    for number in range(80):
        labels, support = table.episodes.query_labels[number], table.episodes.support_labels[number]
        for place, label in enumerate(labels):
            if label == PAD:
                continue
            right = bool(table.scores.correct[number, place])
            shots, way = int((support == label).sum()), int(table.episodes.ways[number])
            for axis, bins, x in (("way", WAYS, way), ("shot", SHOTS, shots)):
                low = next(low for low, high in bins if low <= x <= high)
                expected.setdefault((axis, low), []).append(right)
    points = curve_points("it", "it", [table])
    assert len(points) > 8
    for point in points:
        answers = expected[point.axis, int(point.low_x)]
        assert np.isclose(point.value, np.mean(answers))
        assert point.interval is not None
        assert point.interval[0] < point.value < point.interval[1]


def test_two_tables_are_one_longer_one() -> None:
    table = _table()
    halves = [
        Answered(Scores(np.zeros(40), table.scores.correct[part], table.scores.asked[part]), table.episodes[part])
        for part in (slice(0, 40), slice(40, 80))
    ]
    assert curve_points("it", "it", halves) == curve_points("it", "it", [table])


def test_heights_by_hand() -> None:
    names = [FISH, SHARK, TIGER_SHARK, GOLDEN, LABRADOR]
    nothing = np.full((3, 1), PAD)
    class_ids = np.array([[1, 2, PAD, PAD], [0, 1, 2, PAD], [1, 2, 3, 4]])
    episodes = Episodes(nothing, nothing, nothing, nothing, class_ids)
    # Two sharks; sharks and another fish above them; sharks and retrievers below one node.
    assert episode_heights(episodes, names).tolist() == [1, 2, 2]
