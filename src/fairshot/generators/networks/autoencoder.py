"""A small convolutional autoencoder: a drawing becomes a code, numbers of mean 0 and variance 1, and is drawn again."""

import torch
from torch import Tensor, nn
from torch.nn.functional import interpolate

from fairshot.generators.networks.generative import Images, Vectors

LEVELS = 3  # times that a drawing is halved


class Autoencoder(nn.Module):
    """Batch norm without weights of its own gives every number of the code the same scale, which diffusion needs."""

    def __init__(self, size: int, code: int, width: int) -> None:
        super().__init__()
        self.sizes = [size]
        for _ in range(LEVELS):
            self.sizes.append(-(-self.sizes[-1] // 2))
        widths = [width << level for level in range(LEVELS)]
        area = widths[-1] * self.sizes[-1] ** 2
        self.reader = nn.Sequential(
            *(_block(entering, leaving, stride=2) for entering, leaving in zip([1, *widths[:-1]], widths, strict=True)),
            nn.Flatten(),
            nn.Linear(area, code),
            nn.BatchNorm1d(code, affine=False),
        )
        self.entry = nn.Linear(code, area)
        self.writers = nn.ModuleList(
            [_block(widths[level], widths[level - 1], stride=1) for level in range(LEVELS - 1, 0, -1)]
            + [nn.Conv2d(width, 1, 3, padding=1)]
        )

    def encode(self, drawings: Images) -> Vectors:
        """The code of each drawing."""
        return self.reader(drawings)

    def decode(self, codes: Vectors) -> Images:
        """The drawing of each code, as logits."""
        last = self.sizes[-1]
        maps: Tensor = torch.relu(self.entry(codes)).view(len(codes), -1, last, last)
        for writer, size in zip(self.writers, reversed(self.sizes[:-1]), strict=True):
            maps = writer(interpolate(maps, size=(size, size), mode="nearest"))
        return maps


def _block(entering: int, leaving: int, *, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(entering, leaving, 3, stride=stride, padding=1, bias=False), nn.BatchNorm2d(leaving), nn.ReLU()
    )
