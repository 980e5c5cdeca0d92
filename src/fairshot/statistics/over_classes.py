"""Would other classes of the same kind change the mean? Pair products over classes, within parents if episodes are."""

import numpy as np
from jaxtyping import Float, Int

from fairshot.statistics.answers import Answers
from fairshot.statistics.estimate import Spread

WIDEST = 0.8  # at variable way, episodes with more than this share of all classes tell too little about the others
UNEVEN = 8.0  # standard deviations above what drawing classes equally often would give
FEWEST = 0.05  # of the episodes must be usable


def over_classes(answers: Answers) -> Spread | str:
    """The spread of the mean over fresh classes (of the same parents, if episodes stay within one), or why not."""
    layout, way, scores, episodes = answers.layout, answers.way, answers.scores, answers.episodes
    parent = answers.parent
    inside = layout.parents if parent is not None else np.zeros(len(layout.counts), dtype=np.int64)
    home = parent if parent is not None else np.zeros(episodes, dtype=np.int64)
    pools = np.bincount(inside)
    pool = pools[home].astype(np.float64)
    usable = way <= WIDEST * pool
    if way.min() == way.max() and not usable.any():
        usable = way < pool
    if usable.mean() < FEWEST:
        return "the episodes hold all classes there are: they tell nothing about others"
    if _uneven(answers, home, pool, inside):
        return "some classes are drawn more often than others: how others would be drawn is not known"
    kind = home * (int(way.max()) + 1) + way
    times = np.bincount(kind)
    rest = scores - (np.bincount(kind, scores) / np.maximum(times, 1))[kind]
    rest *= np.sqrt(times / np.maximum(times - 1, 1))[kind]
    x = np.where(usable, pool / np.maximum(pool - way, 1e-9) * rest, 0) / usable.mean()
    classes = len(layout.counts)
    moved = np.bincount(answers.class_row, x[answers.episode], classes)
    moved -= np.bincount(home, x * way / pool, len(pools))[inside]
    squares = np.bincount(answers.class_row, x[answers.episode] ** 2, classes)
    own = np.bincount(home, x * x * way * (1 - way / pool), len(pools))
    squares *= (own / np.maximum(np.bincount(inside, squares, len(pools)), 1e-300))[inside]
    scale = (pools - 1) / np.maximum(pools, 1) / episodes**2
    by_pool = scale * (np.bincount(inside, moved**2, len(pools)) - own)
    noise = (scale[inside] ** 2 * (2 * squares**2 + 4 * np.maximum(moved**2 - squares, 0) * squares)).sum()
    positive = np.maximum(by_pool, 0)
    freedom = max(positive.sum(), 1e-300) ** 2 / max((positive**2 / np.maximum(pools - 1, 1)).sum(), 1e-300)
    sampling = float(scores.var(ddof=1)) / episodes
    variance = float(by_pool.sum()) * episodes / (episodes - 1)
    return Spread(
        float(scores.mean()), "classes", variance, sampling, float(np.sqrt(noise)), max(freedom, 1.0), episodes
    )


def _uneven(
    answers: Answers,
    home: Int[np.ndarray, " episode"],
    pool: Float[np.ndarray, " episode"],
    inside: Int[np.ndarray, " class"],
) -> bool:
    """Whether classes of one pool are drawn more unequally than chance allows, as below the nodes of a hierarchy."""
    share = answers.way / pool
    pools = int(inside.max()) + 1
    expected = np.bincount(home, share, pools)[inside]
    spread = np.bincount(home, share * (1 - share), pools)[inside]
    times = np.bincount(answers.class_row, minlength=len(inside))
    seen = spread > 0
    excess = ((times - expected)[seen] ** 2 / spread[seen]).sum() - seen.sum()
    return bool(excess > UNEVEN * np.sqrt(2 * max(seen.sum(), 1)))
