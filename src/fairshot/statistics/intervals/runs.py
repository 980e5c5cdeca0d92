"""Would other training runs change the mean? And other runs together with other classes?

All runs answer the same episodes. Runs and classes are crossed: what both do together would be counted twice by adding
what each does, so it is estimated from how the runs depart from their mean and taken off once.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from jaxtyping import Float

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.classes import over_classes


def mean_of_runs(runs: Sequence[Answers]) -> Answers:
    """What the runs answer on average."""
    values = None if runs[0].values is None else np.mean([run.scores for run in runs], axis=0)
    return replace(runs[0], correct=np.mean([run.correct for run in runs], axis=0), values=values)


def over_runs(scores: Float[np.ndarray, "run episode"]) -> Spread | str:
    """The spread of the mean over fresh runs on the same classes and images, or why it cannot be told."""
    runs, episodes = scores.shape
    if runs < 2 or episodes < 2:
        return "one run tells nothing about others" if runs < 2 else "one episode gives no interval"
    means, whole = scores.mean(axis=1), scores.mean(axis=0)
    # What drawing episodes does to each run by itself is already in how the runs' means differ: it counts once.
    sampling = max(float(whole.var(ddof=1)) - _own_noise(scores) / runs, 0.0) / episodes
    return Spread(float(means.mean()), "runs", float(means.var(ddof=1)) / runs, sampling, 0.0, runs - 1.0, episodes)


def _own_noise(scores: Float[np.ndarray, "run episode"]) -> float:
    """The variance of an episode's score that is a run's own, beyond its mean and the episode's."""
    apart = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
    return float((apart**2).sum()) / (len(scores) - 1) / (scores.shape[1] - 1)


def over_runs_and_classes(runs: Sequence[Answers]) -> Spread | str:
    """The spread of the mean over fresh runs and fresh classes at once, or why it cannot be told."""
    whole, training = mean_of_runs(runs), over_runs(np.stack([run.scores for run in runs]))
    classes = training if isinstance(training, str) else over_classes(whole)
    if isinstance(classes, str) or isinstance(training, str):
        return classes if isinstance(classes, str) else str(training)
    return together(classes, training, float(np.mean([_own_part(run, whole) for run in runs])) / (len(runs) - 1))


def over_runs_of_both(
    one: Float[np.ndarray, "run episode"], other: Float[np.ndarray, "other_run episode"]
) -> Spread | str:
    """The spread of the difference of two methods over fresh runs of both, or why it cannot be told."""
    first, second = over_runs(one), over_runs(other)
    if isinstance(first, str) or isinstance(second, str):
        return first if isinstance(first, str) else str(second)
    differences = one.mean(axis=0) - other.mean(axis=0)
    variance = first.variance + second.variance
    # What drawing episodes does to each run by itself is in the runs' own variances already.
    own = sum(_own_noise(each) / len(each) for each in (one, other))
    common = max(float(differences.var(ddof=1)) - own, 0.0)
    doubt = first.variance**2 / first.freedom + second.variance**2 / second.freedom
    return replace(
        first,
        value=float(differences.mean()),
        variance=variance,
        sampling=common / len(differences),
        freedom=variance**2 / doubt if doubt > 0 else min(first.freedom, second.freedom),
    )


def together(classes: Spread, runs: Spread, both: float = 0.0) -> Spread:
    """Fresh classes and fresh runs at once; `both` is what they do together, which each of them counts."""
    parts = [max(classes.variance, 0.0), runs.variance]
    variance = max(sum(parts) - max(both, 0.0), *parts)
    doubt = parts[0] ** 2 / classes.freedom + parts[1] ** 2 / runs.freedom
    freedom = variance**2 / doubt if doubt > 0 else min(classes.freedom, runs.freedom)
    return replace(classes, population="runs and classes", variance=variance, sampling=runs.sampling, freedom=freedom)


def _own_part(run: Answers, whole: Answers) -> float:
    """The variance over classes of how one run departs from the mean of all."""
    values = None if run.values is None else run.scores - whole.scores
    spread = over_classes(replace(run, correct=run.correct - whole.correct, values=values))
    return 0.0 if isinstance(spread, str) else spread.variance
