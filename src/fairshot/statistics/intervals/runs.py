"""Would other training runs change the mean? And other runs together with other classes?

All runs answer the same episodes. Runs and classes are crossed: what both do together would be counted twice by adding
what each does, so it is estimated from how the runs depart from their mean and taken off once. Equations (D31) to
(D35) of docs/derivation.md.
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
    """The spread of the mean over fresh runs on the same classes and images, or why there is none (D31)."""
    runs, episodes = scores.shape
    if runs < 2 or episodes < 2:
        return "one run tells nothing about others" if runs < 2 else "one episode gives no interval"
    run_means, mean_run = scores.mean(axis=1), scores.mean(axis=0)
    # What drawing episodes does to each run by itself is already in how the runs' means differ: it counts once.
    shared = max(float(mean_run.var(ddof=1)) - noise_of_runs(scores) / runs, 0.0)
    return Spread(
        value=float(run_means.mean()),
        population="runs",
        variance=float(run_means.var(ddof=1)) / runs,
        sampling=shared / episodes,
        noise=0.0,
        unit_degrees=runs - 1.0,
        episodes=episodes,
    )


def noise_of_runs(scores: Float[np.ndarray, "run episode"]) -> float:
    """The variance of an episode's score that is a run's own, beyond its mean and the episode's (D32)."""
    residuals = scores - scores.mean(axis=0) - scores.mean(axis=1, keepdims=True) + scores.mean()
    return float((residuals**2).sum()) / (len(scores) - 1) / (scores.shape[1] - 1)


def over_runs_of_both(
    one: Float[np.ndarray, "run episode"], other: Float[np.ndarray, "other_run episode"]
) -> Spread | str:
    """The spread of the difference of two methods over fresh runs of both, or why there is none (D33)."""
    first, second = over_runs(one), over_runs(other)
    if isinstance(first, str) or isinstance(second, str):
        return first if isinstance(first, str) else str(second)
    differences = one.mean(axis=0) - other.mean(axis=0)
    # What drawing episodes does to each run by itself is in the runs' own variances already.
    of_runs = sum(noise_of_runs(scores) / len(scores) for scores in (one, other))
    shared = max(float(differences.var(ddof=1)) - of_runs, 0.0)
    variance = first.variance + second.variance
    return replace(
        first,
        value=float(differences.mean()),
        variance=variance,
        sampling=shared / len(differences),
        unit_degrees=_joint_degrees(variance, (first.variance, second.variance), (first, second)),
    )


def over_runs_and_classes(runs: Sequence[Answers]) -> Spread | str:
    """The spread of the mean over fresh runs and fresh classes at once, or why there is none."""
    mean_run, training = mean_of_runs(runs), over_runs(np.stack([run.scores for run in runs]))
    classes = training if isinstance(training, str) else over_classes(mean_run)
    if isinstance(classes, str) or isinstance(training, str):
        return classes if isinstance(classes, str) else str(training)
    departures = [_variance_of_departure(run, mean_run) for run in runs]
    return together(classes, training, float(np.mean(departures)) / (len(runs) - 1))  # (D35)


def _variance_of_departure(run: Answers, mean_run: Answers) -> float:
    """The variance over classes of how one run departs from the mean of all."""
    values = None if run.values is None else run.scores - mean_run.scores
    spread = over_classes(replace(run, correct=run.correct - mean_run.correct, values=values))
    return 0.0 if isinstance(spread, str) else spread.variance


def together(classes: Spread, runs: Spread, both: float = 0.0) -> Spread:
    """The spread over fresh classes and runs at once (D34); `both` is what they do together, which each counts."""
    parts = (max(classes.variance, 0.0), runs.variance)
    variance = max(sum(parts) - max(both, 0.0), *parts)
    return replace(
        classes,
        population="runs and classes",
        variance=variance,
        sampling=runs.sampling,
        unit_degrees=_joint_degrees(variance, parts, (classes, runs)),
    )


def _joint_degrees(variance: float, parts: tuple[float, float], spreads: tuple[Spread, Spread]) -> float:
    """Degrees of freedom of a variance that is made of two, after Satterthwaite (D33), (D34)."""
    doubt = sum(part**2 / spread.unit_degrees for part, spread in zip(parts, spreads, strict=True))
    return variance**2 / doubt if doubt > 0 else min(spread.unit_degrees for spread in spreads)
