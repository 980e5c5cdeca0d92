"""Would other test images of the same classes change the mean, with the same labelled images?

Test images are drawn one by one, so that the variance over them is seen directly. Equations (D68) and (D69) of
docs/derivation.md.
"""

import numpy as np
from jaxtyping import Float

from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.influence import TINY
from fairshot.statistics.probe_answers import ProbeAnswers


def over_test_images(answers: ProbeAnswers) -> Spread | str:
    """The spread of the mean over fresh test images of the same classes, or why there is none."""
    layout = answers.layout
    owner, moves = _unit_moves(answers)
    units = np.bincount(owner, minlength=layout.classes)
    if (units[np.unique(owner)] < 2).any():
        return "a class has a single test image, or test images of a single group"
    by_class = np.bincount(owner, moves**2, layout.classes) * units / np.maximum(units - 1, 1)
    variance = float(by_class.sum())
    doubt = float((by_class**2 / np.maximum(units - 1, 1)).sum())
    return Spread(
        value=float(answers.scores.mean()),
        population="test",
        variance=variance,
        sampling=0.0,
        noise=0.0,
        unit_degrees=max(variance**2 / max(doubt, TINY), 1.0),
        episodes=len(layout.test_class),
    )


def _unit_moves(answers: ProbeAnswers) -> tuple[np.ndarray, Float[np.ndarray, " unit"]]:
    """What each test image, or group of them, adds beyond the mean of its class, and the class it counts with."""
    layout, means = answers.layout, answers.test_means
    class_means = np.bincount(layout.test_class, means, layout.classes) / layout.test_counts
    beyond = answers.weights[layout.test_class] * (means - class_means[layout.test_class])
    _, first, unit = np.unique(layout.test_group, return_index=True, return_inverse=True)
    return layout.test_class[first], np.bincount(unit, beyond)


def shared_variance(answers: ProbeAnswers) -> float:
    """What single draws and single test images do together, to the score of one draw (D69)."""
    layout, draws, counts = answers.layout, answers.draws, answers.layout.test_counts
    squares = np.bincount(layout.test_class, (answers.correct**2).sum(axis=0, dtype=np.float64), layout.classes)
    by_draw = answers.class_scores / (answers.weights * counts)
    of_draws = counts * (by_draw**2).sum(axis=0)
    of_images = draws * np.bincount(layout.test_class, answers.test_means**2, layout.classes)
    rest = squares - of_draws - of_images + draws * counts * by_draw.mean(axis=0) ** 2
    degrees = np.maximum((draws - 1) * (counts - 1), 1)
    return float((answers.weights**2 * counts * rest / degrees).sum())
