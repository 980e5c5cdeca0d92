"""Accuracy against the way of an episode, the shots of a class, and how far apart classes are in WordNet."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from fairshot.results.evaluation import Evaluation
from fairshot.results.schema import Row
from fairshot.results.source_rows import CurvePoint
from fairshot.splits.wordnet import Children, load_graph, spans, sub_graph
from fairshot.statistics.estimate import LEVEL
from fairshot.statistics.scores import Scores
from fairshot.tasks.episodes import PAD, Episodes

WAYS = ((5, 9), (10, 14), (15, 19), (20, 29), (30, 39), (40, 50))
SHOTS = ((1, 1), (2, 2), (3, 4), (5, 8), (9, 16), (17, 32), (33, 100))
LEAST = 5  # episodes that a point needs
NORMAL = 1.96

Sums = Float[np.ndarray, "bin episode"]


@dataclass(frozen=True)
class Answered:
    """One learner's episodes of one source."""

    scores: Scores
    episodes: Episodes


def answered(evaluation: Evaluation, row: Row) -> Answered:
    """The scores behind a row, and its episodes."""
    _, episodes = evaluation.records.episodes(row.episodes_key, row.episodes)
    return Answered(evaluation.scores(row)[0], episodes)


def curve_points(setting: str, learner: str, tables: Sequence[Answered]) -> list[CurvePoint]:
    """Both curves of one learner, over all episodes of some sources."""
    points = []
    for axis, bins, sums in (("way", WAYS, _by_way), ("shot", SHOTS, _by_shot)):
        right, asked = (np.concatenate(parts, axis=1) for parts in zip(*(sums(table) for table in tables), strict=True))
        points += _points(setting, learner, axis, bins, (right, asked))
    return points


def height_points(
    setting: str, learner: str, table: Answered, heights: Int[np.ndarray, " episode"]
) -> list[CurvePoint]:
    """Accuracy against the height above its classes of the node of WordNet that they share."""
    bins = tuple((int(height), int(height)) for height in np.unique(heights))
    inside = np.array([heights == low for low, _ in bins])
    right, asked = (part * inside for part in _whole(table))
    return _points(setting, learner, "height", bins, (right, asked))


def episode_heights(episodes: Episodes, names: Sequence[str]) -> Int[np.ndarray, " episode"]:
    """The longest way down from the lowest node above all classes of an episode; nodes with one child do not count."""
    children = load_graph().children
    heights = []
    for classes in episodes.class_ids:
        wnids = [names[number] for number in classes[classes != PAD]]
        graph = sub_graph(children, wnids)
        above_all = [node for node, leaves in spans(graph).items() if len(leaves) == len(wnids)]
        heights.append(min(_height(node, graph) for node in above_all))
    return np.array(heights, dtype=np.int64)


def _height(node: str, graph: Children) -> int:
    return 1 + max(_height(child, graph) for child in graph[node]) if graph[node] else 0


def _whole(table: Answered) -> tuple[Float[np.ndarray, " episode"], Float[np.ndarray, " episode"]]:
    correct, asked = table.scores.correct & table.scores.asked, table.scores.asked
    return correct.sum(axis=1).astype(np.float64), asked.sum(axis=1).astype(np.float64)


def _by_way(table: Answered) -> tuple[Sums, Sums]:
    """Right answers and queries of each episode, in the bin of its way."""
    ways = table.episodes.ways
    inside = np.array([(ways >= low) & (ways <= high) for low, high in WAYS])
    right, asked = _whole(table)
    return inside * right, inside * asked


def _by_shot(table: Answered) -> tuple[Sums, Sums]:
    """The same by how many support images the class of each query has."""
    episodes, scores = table.episodes, table.scores
    labels = episodes.query_labels[:, : scores.asked.shape[1]]
    support = (episodes.support_labels[:, :, None] == np.arange(episodes.class_ids.shape[1])).sum(axis=1)
    shots = np.take_along_axis(support, np.maximum(labels, 0), axis=1)
    inside = np.array([(shots >= low) & (shots <= high) & scores.asked for low, high in SHOTS])
    return (inside & scores.correct).sum(axis=2).astype(np.float64), inside.sum(axis=2).astype(np.float64)


def _points(
    setting: str, learner: str, axis: str, bins: Sequence[tuple[int, int]], sums: tuple[Sums, Sums]
) -> list[CurvePoint]:
    """A ratio of sums over episodes in each bin, with its interval by the delta method."""
    points = []
    for (low, high), above, below in zip(bins, *sums, strict=True):
        there = below > 0
        if there.sum() < LEAST:
            continue
        value, interval = _ratio(above[there], below[there])
        extent: Mapping[str, float] = {"low_x": low, "high_x": high}
        points.append(
            CurvePoint(
                setting=setting,
                learner=learner,
                axis=axis,
                **extent,
                value=value,
                interval=interval,
                episodes=int(there.sum()),
            )
        )
    return points


def _ratio(
    above: Float[np.ndarray, " episode"], below: Float[np.ndarray, " episode"]
) -> tuple[float, tuple[float, float]]:
    value = float(above.sum() / below.sum())
    moved = (above - value * below) / below.mean()
    half = NORMAL * float(moved.std(ddof=1)) / np.sqrt(len(moved))
    assert LEVEL == 0.95
    return value, (max(value - half, 0.0), min(value + half, 1.0))
