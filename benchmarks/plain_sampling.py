"""The usual loop: one episode after the other, a few NumPy calls each. Meta-Dataset's released rules, written out."""

import numpy as np


def describe_plainly(
    counts: np.ndarray, homes: list[np.ndarray], *, uniform_way: bool, episodes: int, seed: int = 0
) -> np.ndarray:
    """Way and support of each episode; classes come from one of the homes, all of them unless the way is drawn."""
    rng = np.random.RandomState(seed)
    found = np.empty((episodes, 2))
    for episode in range(episodes):
        home = homes[rng.randint(len(homes))]
        most = min(50, len(home))
        way = rng.randint(5, most + 1) if uniform_way else most
        classes = rng.choice(home, way, replace=False)
        sizes = counts[classes]
        query = min(10, (sizes // 2).min())
        left = sizes - query
        support = min(500, np.floor(rng.uniform() * np.minimum(100, left) + 1).sum())
        weight = sizes * np.exp(rng.uniform(np.log(0.5), np.log(2), size=way))
        shots = np.minimum(np.floor(weight / weight.sum() * (support - way)).astype(int) + 1, left)
        found[episode] = way, shots.sum()
    return found
