"""Cross-validation on the support alone: what can be known of an episode before any of its queries is seen."""

import numpy as np

from fairshot.runtime.errors import FairshotError
from fairshot.tasks.episodes import Episodes, join


def support_folds(episodes: Episodes) -> Episodes:
    """Each episode as many times as it has shots: one support image of each class is its query, the others support.

    The queries of the episodes are not looked at.
    """
    way = episodes.class_ids.shape[1]
    shot = episodes.support_ids.shape[1] // way
    labels = np.repeat(np.arange(way), shot)
    if shot < 2 or (np.sort(episodes.support_labels, axis=1) != labels).any():
        raise FairshotError(
            "cross-validation on the support needs episodes with as many images of each class, at least 2: raise shot"
        )
    order = np.argsort(episodes.support_labels, axis=1, kind="stable")
    images = np.take_along_axis(episodes.support_ids, order, axis=1).reshape(len(episodes), way, shot)
    folds = []
    for place in range(shot):
        rest = np.delete(images, place, axis=2).reshape(len(episodes), -1)
        asked = images[:, :, place]
        known, truth = (np.tile(np.repeat(np.arange(way), n), (len(episodes), 1)) for n in (shot - 1, 1))
        folds.append(Episodes(rest, known, asked, truth, episodes.class_ids))
    return join(folds)
