"""Dense convolutional blocks of DA-GAN (Antoniou et al. 2017): every layer sees what the layers before it made."""

from typing import Literal

import torch
from torch import Tensor, nn
from torch.nn.functional import conv2d, interpolate, pad

Norm = Literal["batch", "image"]
SLOPE = 0.2


class SameConv(nn.Conv2d):
    """A convolution whose map is the input's, or half of it rounded up; an odd row of padding comes last."""

    def __init__(self, entering: int, leaving: int, stride: int = 1) -> None:
        super().__init__(entering, leaving, 3, stride)

    def forward(self, images: Tensor) -> Tensor:
        """Padded as TensorFlow does it."""
        stride = self.stride[0]
        missing = [max((-(-size // stride) - 1) * stride + 3 - size, 0) for size in images.shape[:1:-1]]
        if all(both == 2 for both in missing):  # alike on all sides: no padded copy is needed
            return conv2d(images, self.weight, self.bias, self.stride, padding=1)
        margins = [margin for both in missing for margin in (both // 2, both - both // 2)]
        return conv2d(pad(images, margins), self.weight, self.bias, self.stride)


class Layer(nn.Module):
    """A convolution, the leaky rectifier and a norm."""

    def __init__(self, entering: int, leaving: int, *, stride: int = 1, norm: Norm = "batch") -> None:
        super().__init__()
        self.conv = SameConv(entering, leaving, stride)
        self.norm = _norm(leaving, norm)

    def forward(self, images: Tensor) -> Tensor:
        """Of the same size, or half of it."""
        return self.norm(nn.functional.leaky_relu(self.conv(images), SLOPE))


class Upward(nn.Module):
    """Enlarges a map to an exact size by its nearest pixels, then convolves it transposed; projections do no more."""

    def __init__(self, entering: int, leaving: int, *, projects: bool = True) -> None:
        super().__init__()
        self.conv = nn.ConvTranspose2d(entering, leaving, 3, padding=1)
        self.norm = None if projects else _norm(leaving, "batch")

    def forward(self, images: Tensor, size: int) -> Tensor:
        """Of so many pixels in width and height."""
        larger = self.conv(interpolate(images, size=(size, size)))
        return larger if self.norm is None else self.norm(nn.functional.leaky_relu(larger, SLOPE))


class EncoderBlock(nn.Module):
    """Layers that see the input and all layers before; the first sees the level above too, the last halves the size."""

    def __init__(
        self, above: int, entering: int, leaving: int, *, layers: int = 2, norm: Norm = "batch", dropout: float = 0.5
    ) -> None:
        super().__init__()
        self.projection = SameConv(above, above, 2)
        widths = [entering + above, *(entering + made * leaving for made in range(1, layers + 1))]
        self.layers = nn.ModuleList(
            Layer(width, leaving, stride=2 if number == layers else 1, norm=norm) for number, width in enumerate(widths)
        )
        self.dropout = nn.Dropout(dropout)

    def forward(self, above: Tensor, images: Tensor) -> tuple[Tensor, Tensor]:
        """The last map of this size, and the map of half the size."""
        made = [self.layers[0](torch.cat([images, self.projection(above)], 1))]
        for layer in list(self.layers)[1:]:
            made.append(layer(torch.cat([images, *made], 1)))
        return made[-2], self.dropout(made[-1])


class DecoderBlock(nn.Module):
    """Layers that see the input, the smaller level below and all layers before; the last makes the map larger."""

    def __init__(
        self, below: int, entering: int, leaving: int, *, layers: int = 2, grows: bool = True, dropout: float = 0.5
    ) -> None:
        super().__init__()
        self.projections = nn.ModuleList(Upward(below, below) for _ in range(layers if below else 0))
        self.layers = nn.ModuleList(Layer(entering + below + made * leaving, leaving) for made in range(layers))
        self.upward = Upward(entering + layers * leaving, leaving, projects=False) if grows else None
        self.dropout = nn.Dropout(dropout)

    def forward(self, below: Tensor | None, images: Tensor, size: int) -> tuple[Tensor, Tensor]:
        """The last map of this size, and the map of the size that is asked for."""
        made: list[Tensor] = []
        for number, layer in enumerate(self.layers):
            seen = [images, *made]
            if below is not None and len(self.projections):
                seen.append(self.projections[number](below, images.shape[-1]))
            made.append(layer(torch.cat(seen, 1)))
        larger = made[-1] if self.upward is None else self.upward(torch.cat([images, *made], 1), size)
        return made[-1], self.dropout(larger)


def _norm(channels: int, kind: Norm) -> nn.Module:
    if kind == "batch":
        return nn.BatchNorm2d(channels, eps=1e-3, momentum=0.01)
    return nn.GroupNorm(1, channels)  # over all channels and pixels of an image
