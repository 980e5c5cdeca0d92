"""Images of an episode side by side: different numbers of each class, packed to the left, queries shuffled."""

import numpy as np
from jaxtyping import Bool, Float, Int
from scipy.special import gammaincinv

from fairshot.runtime.seeds import Stream
from fairshot.tasks.episodes import PAD

Table = Int[np.ndarray, "episode packed"]
Counts = Int[np.ndarray, "episode way"]


def packed(
    images: Int[np.ndarray, "episode way image"], chosen: Bool[np.ndarray, "episode way image"]
) -> tuple[Table, Table]:
    """The chosen images of each episode and their labels side by side, PAD at the end."""
    episodes = len(images)
    flat = chosen.reshape(episodes, -1)
    width = int(flat.sum(axis=1).max())
    order = np.argsort(~flat, axis=1, kind="stable")[:, :width]
    labels = np.broadcast_to(np.arange(images.shape[1])[:, None], images.shape[1:]).ravel()
    kept = np.take_along_axis(flat, order, axis=1)
    found = np.take_along_axis(images.reshape(episodes, -1), order, axis=1)
    return np.where(kept, found, PAD), np.where(kept, labels[order], PAD)


def shuffled(images: Table, labels: Table, stream: Stream) -> tuple[Table, Table]:
    """Both in the same random order; PAD stays at the end."""
    order = stream.permutations((labels != PAD).sum(axis=1))
    order = order + np.arange(len(labels))[:, None] * labels.shape[1]  # places in the whole table: one plain look-up
    return images.ravel().take(order), labels.ravel().take(order)


def dirichlet_shares(concentration: float, present: Bool[np.ndarray, "episode way"], stream: Stream) -> np.ndarray:
    """For each episode shares of its classes: equal ones at an infinite concentration, unequal ones at a small one."""
    if np.isinf(concentration):
        mass = present.astype(np.float64)
    else:
        mass = np.where(present, gammaincinv(concentration, stream.uniform(*present.shape)) + 1e-300, 0)
    return mass / mass.sum(axis=1, keepdims=True)


def whole_counts(shares: Float[np.ndarray, "episode way"], total: Int[np.ndarray, " episode"], room: Counts) -> Counts:
    """Whole numbers that sum to the total, near the shares and never above the room: largest remainders first."""
    exact = shares * total[:, None]
    counts = np.minimum(np.floor(exact).astype(np.int64), room)
    while (left := total - counts.sum(axis=1)).any():
        open_ = counts < room
        wish = np.where(open_, exact - counts, -np.inf)
        rank = np.argsort(np.argsort(-wish, axis=1, kind="stable"), axis=1)
        counts += open_ & (rank < left[:, None])
    return counts
