"""Would other labelled images change the mean over draws? Another pool as large as this one, and other draws from it.

The draws share one pool, so their own spread is not enough (D61). What the pool adds lies between nothing and a bound
that the spread of the draws gives (D65); how much it is, products of different draws tell as far as they can. A class's
labelled images move the answers to its own test images and to those that the class takes from others, and no more as
long as no class changes the logits of others; a second estimate that does not suppose so is mixed in as far as it is
precise (D67).
"""

from dataclasses import dataclass

import numpy as np

from fairshot.statistics.estimate import TRUSTED_NOISE, Spread
from fairshot.statistics.intervals.label_pairs import PoolUnits, pair_variance
from fairshot.statistics.probe_answers import ProbeAnswers

UNIFORM = 1 / 12  # the variance of a number of which only its two bounds are known, in units of their distance squared


@dataclass(frozen=True)
class _Part:
    """An estimate of what the pool adds, with its noise and how far it is to be believed."""

    variance: float
    noise: float
    trust: float


def over_labels(answers: ProbeAnswers) -> Spread | str:
    """The spread of the mean over fresh labelled images, with the same test images, or why there is none."""
    refusal = _refusal(answers)
    if refusal:
        return refusal
    units = PoolUnits.of(answers)
    draws, scores, own = answers.draws, answers.scores, answers.class_scores - answers.stolen
    single = float(scores.var(ddof=1))
    bound_ratio = units.fixed_share / (1 - units.fixed_share)
    most = bound_ratio * max(single, float(own.var(axis=0, ddof=1).sum()))
    spread_out = np.repeat(scores[:, None], own.shape[1], axis=1)
    whole = _part(answers, units, spread_out, bound=bound_ratio * single, most=most)
    split = _part(answers, units, own, bound=bound_ratio * single, most=most)
    rest = 1 - whole.trust
    variance = whole.trust * whole.variance + rest * split.trust * split.variance
    sampling = single * (1 / draws + rest * (1 - split.trust) * bound_ratio / 2)
    noise = float(np.hypot(whole.trust * whole.noise, rest * np.sqrt(split.trust) * split.noise))
    return Spread(
        value=float(scores.mean()),
        population="labels",
        variance=variance,
        sampling=sampling,
        noise=min(noise, TRUSTED_NOISE * (variance + sampling)),  # the bound keeps it from being guesswork
        unit_degrees=max(float((units.per_class - 1).sum()), 1.0),
        episodes=draws,
    )


def _refusal(answers: ProbeAnswers) -> str:
    """Why draws cannot say anything about other labelled images; nothing where they can."""
    layout, shot = answers.layout, answers.shot
    if answers.draws < 2:
        return "one draw of the labelled images says nothing about others"
    if (layout.pool_counts <= shot).any():
        return f"a class has only {layout.pool_counts.min()} labelled images, which are all in every {shot}-shot draw"
    units = PoolUnits.of(answers)
    if len(units.sizes) > len(np.unique(layout.pool_group)):
        return "groups of labelled images reach over several classes"
    return "all labelled images of a class are of one group" if units.per_class.min() < 2 else ""


def _part(answers: ProbeAnswers, units: PoolUnits, moved: np.ndarray, *, bound: float, most: float) -> _Part:
    """One estimate of what the pool adds, cut to what is possible; it is trusted as its noise allows (D67)."""
    variance, noise = pair_variance(answers, units, moved)
    prior = UNIFORM * bound**2
    trust = prior / (prior + noise**2) if prior > 0 else 0.0
    return _Part(min(max(variance, 0.0), most), noise, trust)
