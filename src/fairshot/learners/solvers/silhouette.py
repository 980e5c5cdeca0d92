"""How well a clustering separates (Rousseeuw 1987), for many episodes at once."""

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor
from torch.nn.functional import one_hot


def silhouette(
    distances: Float[Tensor, "episode point point"],
    real: Bool[Tensor, "episode point"],
    clusters: Int[Tensor, "episode point"],
    count: int,
) -> Float[Tensor, " episode"]:
    """The mean over real points of how much nearer their own cluster is than the next; a point alone counts 0."""
    members = one_hot(clusters, count).to(distances.dtype) * real[:, :, None]
    sizes = members.sum(1)
    sums = distances @ members
    own_size = sizes.gather(1, clusters)
    inside = sums.gather(2, clusters[:, :, None])[:, :, 0] / (own_size - 1).clamp(min=1)
    others = (sums / sizes[:, None, :]).masked_fill(members.bool() | (sizes == 0)[:, None, :], torch.inf).amin(2)
    scores = (others - inside) / torch.maximum(inside, others)
    scores = torch.where((own_size > 1) & real & torch.isfinite(others), scores, torch.zeros_like(scores)).nan_to_num()
    return scores.sum(1) / real.sum(1)
