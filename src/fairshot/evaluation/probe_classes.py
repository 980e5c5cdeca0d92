"""Every class of a probe by itself: how often its test images are answered correctly."""

from collections.abc import Sequence

import numpy as np

from fairshot.results.probe_rows import ClassRate
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.label_pairs import PoolUnits
from fairshot.statistics.probe_answers import ProbeAnswers


def class_rates(learner: str, shot: int, answers: ProbeAnswers, names: Sequence[str]) -> list[ClassRate]:
    """The accuracy of each class, with an interval for its other labelled and test images (D74)."""
    layout, draws = answers.layout, answers.draws
    counts = layout.test_counts
    by_draw = answers.class_scores / (answers.weights * counts)
    means = by_draw.mean(axis=0)
    squares = np.bincount(layout.test_class, answers.test_means**2, layout.classes)
    of_images = (squares - counts * means**2) / np.maximum(counts - 1, 1) / counts
    known = draws > 1 and (layout.pool_counts > answers.shot).all() and (counts > 1).all()
    fixed = PoolUnits.of(answers).fixed_share if known else 0.0
    of_draws = by_draw.var(axis=0, ddof=1) * (1 / draws + fixed / (1 - fixed)) if known else np.zeros(layout.classes)
    rates = []
    for place, name in enumerate(names):
        spread = Spread(
            value=float(means[place]),
            population="images",
            variance=float(of_images[place]),
            sampling=float(of_draws[place]),
            noise=0.0,
            unit_degrees=float(max(counts[place] - 1, 1)),
            episodes=draws,
        )
        interval = spread.estimate().interval if known else None
        rates.append(
            ClassRate(
                learner=learner,
                shot=shot,
                name=name,
                value=float(means[place]),
                interval=interval,
                test_images=int(counts[place]),
            )
        )
    return rates
