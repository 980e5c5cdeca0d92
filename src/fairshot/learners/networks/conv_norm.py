"""A convolution without bias and its batch norm: what residual networks are made of."""

from jaxtyping import Float
from torch import Tensor, nn

from fairshot.learners.networks.network import Tasks
from fairshot.learners.networks.norm import Norm


class ConvNorm(nn.Module):
    """Padded, so that only a stride makes maps smaller; weights begin as He et al. 2015 advise."""

    def __init__(self, before: int, after: int, kernel: int, stride: int = 1) -> None:
        super().__init__()
        self.conv = nn.Conv2d(before, after, kernel, stride, padding=kernel // 2, bias=False)
        self.norm = Norm(after)
        nn.init.kaiming_normal_(self.conv.weight, mode="fan_out", nonlinearity="relu")

    def forward(
        self, maps: Float[Tensor, "image before height width"], tasks: Tasks | None = None
    ) -> Float[Tensor, "image after down across"]:
        """Normalised maps."""
        return self.norm(self.conv(maps), tasks)
