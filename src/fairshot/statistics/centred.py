"""Correctness around what is expected of the episode's way and of the class: the same estimates with less noise."""

import numpy as np
from jaxtyping import Float

from fairshot.statistics.answers import Answers


def centred_queries(answers: Answers) -> Float[np.ndarray, " query"]:
    """Each query's correctness minus the mean of its way and of its class; a root undoes the small loss of spread."""
    way = answers.way
    level = np.bincount(way, answers.scores) / np.maximum(np.bincount(way), 1)
    expected = level[way[answers.episode]]
    classes = len(answers.layout.counts)
    times = np.bincount(answers.class_row, minlength=classes)
    habit = np.bincount(answers.class_row, answers.class_scores - expected, classes) / np.maximum(times, 1)
    loss = np.sqrt(times / np.maximum(times - 1, 1))
    member = answers.query_member
    centre, root = expected + habit[answers.class_row], loss[answers.class_row]
    return (answers.correct - centre[member]) * root[member]
