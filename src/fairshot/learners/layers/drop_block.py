"""DropBlock (Ghiasi et al. 2018): in training, whole squares of a map are blanked.

The share of blanked area is the same from the first step on; MetaOptNet lets it rise over 40,000 steps.
"""

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn.functional import max_pool2d, pad


class DropBlock(nn.Module):
    """Blank about `rate` of the area in squares of `side` pixels, each channel apart; what is left is made larger."""

    def __init__(self, rate: float, side: int) -> None:
        super().__init__()
        self.rate = rate
        self.side = side

    def forward(self, maps: Float[Tensor, "image channel height width"]) -> Float[Tensor, "image channel height width"]:
        """The maps themselves in evaluation."""
        if not self.training or self.rate == 0:
            return maps
        kept = 1 - self._squares(maps)
        return maps * kept * (kept.numel() / kept.sum().clamp(min=1))

    def _squares(self, maps: Tensor) -> Tensor:
        """Squares lie inside the map; where they overlap, a little less than the wanted share is blanked."""
        more = self.side - 1
        height, width = maps.shape[2] - more, maps.shape[3] - more
        chance = self.rate * maps.shape[2] * maps.shape[3] / (self.side**2 * height * width)
        corners = torch.bernoulli(torch.full_like(maps[:, :, :height, :width], min(1.0, chance)))
        return max_pool2d(pad(corners, (more, more, more, more)), self.side, stride=1)
