"""Scores around what is expected of the episode's way and of its classes: the same estimates with less noise."""

import numpy as np
from jaxtyping import Float

from fairshot.statistics.answers import Answers

ENOUGH = 5  # episodes for each class before the episodes' own scores show what a class does to them


def centred_queries(answers: Answers) -> Float[np.ndarray, " query"]:
    """Each query's correctness around the mean of its way and of its class, the loss of spread undone (D11), (D12)."""
    expected = _level(answers)[answers.episode]
    classes = len(answers.layout.counts)
    asked = (answers.queries > 0).astype(np.float64)  # a class without queries has no score
    times = np.bincount(answers.class_row, asked, classes)
    deviation = asked * (answers.class_scores - expected)
    class_effect = np.bincount(answers.class_row, deviation, classes) / np.maximum(times, 1)
    root = np.sqrt(times / np.maximum(times - 1, 1))[answers.class_row]
    centre, member = expected + class_effect[answers.class_row], answers.query_member
    return (answers.correct - centre[member]) * root[member]


def centred_episodes(answers: Answers) -> Float[np.ndarray, " episode"]:
    """Each episode's score around the mean of its way and what its classes do, the loss of spread undone (D20)."""
    rest = answers.scores - _level(answers)
    classes, episodes = len(answers.layout.counts), answers.episodes
    if episodes < ENOUGH * classes:
        return rest * np.sqrt(episodes / max(episodes - 1, 1))
    times = np.bincount(answers.class_row, minlength=classes)
    class_effect = np.bincount(answers.class_row, rest[answers.episode], classes) / np.maximum(times, 1)
    rest = rest - np.bincount(answers.episode, class_effect[answers.class_row], episodes)
    return rest * np.sqrt(episodes / (episodes - classes))


def _level(answers: Answers) -> Float[np.ndarray, " episode"]:
    """The mean score of all episodes of the same way (D11)."""
    way = answers.way
    return (np.bincount(way, answers.scores) / np.maximum(np.bincount(way), 1))[way]
