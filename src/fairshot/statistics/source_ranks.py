"""Places of learners over several sources: mean ranks with intervals, Friedman's test, Nemenyi's critical difference.

Learners answer the same episodes of each source. The interval is for more episodes of the same sources: whole episodes
are drawn again, for all learners together, in each source. The critical difference (Demsar, JMLR 2006) is for other
sources, of which there are few.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from jaxtyping import Float
from scipy import stats

from fairshot.runtime.seeds import Stream
from fairshot.statistics.estimate import LEVEL

DRAWS = 1000

Values = Float[np.ndarray, "learner episode"]


@dataclass(frozen=True)
class SourceRanks:
    """The mean place of each learner, 1 being the best."""

    means: Float[np.ndarray, " learner"]
    low: Float[np.ndarray, " learner"]
    high: Float[np.ndarray, " learner"]
    p_value: float
    """That no learner is better than another over sources, after Friedman; 1 where sources are too few to say."""
    critical: float
    """Mean places further apart than this differ over sources, after Nemenyi."""


def rank_over_sources(values: Sequence[Values], seed: int = 0) -> SourceRanks:
    """The scores of all learners in every episode, for each source."""
    ranked = rank_means(np.stack([table.mean(axis=1) for table in values]))
    drawn = np.stack([_draw_means(table, Stream(seed, "ranks", number)) for number, table in enumerate(values)])
    again = places(drawn).mean(axis=0)
    low, high = np.quantile(again, [(1 - LEVEL) / 2, (1 + LEVEL) / 2], axis=0)
    return replace(ranked, low=low, high=high)


def rank_means(means: Float[np.ndarray, "source learner"]) -> SourceRanks:
    """The same out of the mean scores alone, without intervals for more episodes."""
    sources, learners = means.shape
    enough = sources > 1 and learners > 2
    p_value = float(stats.friedmanchisquare(*means.T).pvalue) if enough else 1.0
    quantile = float(stats.studentized_range.ppf(LEVEL, learners, np.inf)) / np.sqrt(2)
    critical = quantile * np.sqrt(learners * (learners + 1) / (6 * sources))
    average = places(means).mean(axis=0)
    return SourceRanks(average, average, average, p_value, float(critical))


def places(means: Float[np.ndarray, "*many learner"]) -> Float[np.ndarray, "*many learner"]:
    """The place of each learner, the highest first; equals share the mean of their places."""
    return np.asarray(stats.rankdata(-means, axis=-1))


def _draw_means(table: Values, stream: Stream) -> Float[np.ndarray, "draw learner"]:
    """Means over episodes drawn again, the same for all learners."""
    count = table.shape[1]
    chosen = stream.integers(count, DRAWS, count)
    return np.stack([row[chosen].mean(axis=1) for row in table], axis=1)
