"""How many episodes are clustered in a second: `python benchmarks/clustering.py [--json]`.

Sinkhorn K-means with 20 rounds (20, then 4 iterations each) on vectors of 64 numbers, for all episodes at once, beside
two other ways in the same run: episode by episode as repositories do it (plain_clustering.py), and all episodes at once
with the transport of every round left to the batch solver of POT, which goes on from the last round's potential as ours
does. The best of some repeats counts, which take turns.
"""

import argparse
import json
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import torch
from plain_clustering import FIRST, GAMMA, INNER, ROUNDS, START, sinkhorn_kmeans
from torch import Tensor

from fairshot.learners.solvers.centroids import Cloud
from fairshot.learners.solvers.sinkhorn_kmeans import SinkhornKmeans

WIDTH, REPEATS = 64, 9
SHAPES = {(5, 5): 2000, (20, 5): 500}  # way and shot, and how many episodes are clustered
FEW = 40  # episodes for the slower ways


def episodes(way: int, shot: int, count: int) -> Tensor:
    """Classes a little apart."""
    rng = torch.Generator().manual_seed(0)
    means = 1.2 * torch.randn(count, way, 1, WIDTH, generator=rng)
    return (means + 0.5 * torch.randn(count, way, shot, WIDTH, generator=rng)).flatten(1, 2)


def ours(points: Tensor, way: int) -> Tensor:
    """All episodes, half of them in each of two threads, as evaluation does it."""
    learner, halves = SinkhornKmeans(), torch.chunk(points, torch.get_num_threads())

    def half(part: Tensor) -> Tensor:
        real, count = torch.ones(part.shape[:2], dtype=torch.bool), torch.full((len(part),), way)
        weights, seeds = torch.full((len(part), way), 1 / way), torch.arange(len(part))
        return learner.centroids(Cloud(part, real, count, weights, seeds))

    with ThreadPoolExecutor(len(halves), initializer=torch.set_num_threads, initargs=(1,)) as pool:
        return torch.cat(list(pool.map(half, halves)))


def plain(points: Tensor, way: int) -> Tensor:
    """One by one."""
    rng = torch.Generator().manual_seed(0)
    return torch.stack([sinkhorn_kmeans(part, way, rng) for part in points])


def with_pot(points: Tensor, way: int) -> Tensor:
    """All episodes at once, the transport by POT."""
    from ot.batch import bregman_log_projection_batch

    rng = torch.Generator().manual_seed(0)
    centroids = START * torch.randn(len(points), way, WIDTH, generator=rng)
    potential = torch.zeros(len(points), 1, way)
    for turn in range(ROUNDS):
        kernel = -torch.cdist(points, centroids).square() / GAMMA + potential
        found = bregman_log_projection_batch(kernel, max_iter=INNER if turn else FIRST, tol=0.0)
        plan, potential = found["T"], potential + found["potentials"][1][:, None]
        centroids = plan.mT @ points / plan.sum(1)[:, :, None]
    return centroids


def rate(work: Callable[[], object], count: int) -> float:
    started = time.perf_counter()
    work()
    return count / (time.perf_counter() - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    for (way, shot), count in SHAPES.items():
        points = episodes(way, shot, count)
        best = dict.fromkeys(("fairshot", "one by one", "POT batch"), 0.0)
        for _ in range(REPEATS):
            best["fairshot"] = max(best["fairshot"], rate(lambda p=points, w=way: ours(p, w), count))
            few = points[:FEW]
            best["one by one"] = max(best["one by one"], rate(lambda p=few, w=way: plain(p, w), FEW))
            best["POT batch"] = max(best["POT batch"], rate(lambda p=points, w=way: with_pot(p, w), count))
        row = {
            "task": f"{way}-way {shot}-shot, episodes a second",
            **{name: round(value) for name, value in best.items()},
        }
        row["ratio to one by one"] = round(best["fairshot"] / best["one by one"], 1)
        row["ratio to POT"] = round(best["fairshot"] / best["POT batch"], 1)
        print(json.dumps(row) if as_json else ", ".join(f"{key} {value}" for key, value in row.items()), flush=True)


if __name__ == "__main__":
    main()
