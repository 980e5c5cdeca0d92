"""Diffusion of codes beside plain loops: DDIM as published, guidance, and as many parameters as counted."""

import math

import numpy as np
import pytest
import torch

from fairshot.generators.networks.code_diffusion import WAVES, CodeDiffusion, Denoiser, DiffusionSizes, waves
from fairshot.learners.networks.network import count_parameters


def make(**settings: float) -> CodeDiffusion:
    torch.manual_seed(0)
    sizes = {"size": 9, "code": 4, "channels": 2, "width": 8, "blocks": 2, **settings}
    network = CodeDiffusion(DiffusionSizes(**sizes)).eval().requires_grad_(False)
    network.denoiser.nobody.copy_(torch.tensor([0.5, -1.0, 0.2, 2.0]))
    return network


def plain_velocity(network: CodeDiffusion, code: np.ndarray, angle: float, led_by: np.ndarray) -> np.ndarray:
    """Layer by layer, for one code."""
    weights = {name: value.double().numpy() for name, value in network.denoiser.state_dict().items()}

    def linear(values: np.ndarray, name: str) -> np.ndarray:
        return weights[f"{name}.weight"] @ values + weights[f"{name}.bias"]

    def norm(values: np.ndarray, name: str) -> np.ndarray:
        scaled = (values - values.mean()) / math.sqrt(values.var() + 1e-5)
        return scaled * weights[f"{name}.weight"] + weights[f"{name}.bias"]

    multiples = [angle * number for number in range(1, WAVES + 1)]
    told = [*map(math.sin, multiples), *map(math.cos, multiples)]
    hidden = linear(np.concatenate([code, led_by, told]), "entry")
    for block in range(network.sizes.blocks):
        inner = linear(norm(hidden, f"blocks.{block}.0"), f"blocks.{block}.1")
        hidden = hidden + linear(inner / (1 + np.exp(-inner)), f"blocks.{block}.3")
    return linear(norm(hidden, "exit.0"), "exit.1")


@pytest.mark.parametrize("guidance", [0.0, 1.0, 2.5])
@pytest.mark.parametrize("steps", [1, 2, 7])
def test_codes_are_those_of_ddim_with_guidance(guidance: float, steps: int) -> None:
    network = make(guidance=guidance, steps=steps)
    noise, exemplar_codes = torch.randn(2, 3, 4)
    found = network.denoise(noise, exemplar_codes)
    for row in range(3):
        code, led_by = noise[row].double().numpy(), exemplar_codes[row].double().numpy()
        nobody = network.denoiser.nobody.double().numpy()
        for step in range(steps):
            angle, following = (math.pi / 2 * (1 - number / steps) for number in (step, step + 1))
            led, alone = (plain_velocity(network, code, angle, one) for one in (led_by, nobody))
            velocity = (1 - guidance) * alone + guidance * led
            # As published: the clean code and the noise that the prediction means, mixed again as the next step wants.
            clean = math.cos(angle) * code - math.sin(angle) * velocity
            predicted = math.sin(angle) * code + math.cos(angle) * velocity
            code = math.cos(following) * clean + math.sin(following) * predicted
        np.testing.assert_allclose(found[row].numpy(), code, atol=2e-4)


def test_a_denoiser_that_knows_the_code_finds_it_in_any_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    truth = torch.randn(5, 4)

    def velocity(self, codes, angles, exemplar_codes):
        cosine, sine = angles.cos()[:, None], angles.sin()[:, None]
        noise = (codes - cosine * truth) / sine
        return cosine * noise - sine * truth

    monkeypatch.setattr(CodeDiffusion, "guided_velocity", velocity)
    for steps in (1, 3, 30):
        torch.testing.assert_close(make(steps=steps).denoise(torch.randn(5, 4), truth), truth, atol=1e-4, rtol=1e-4)


def test_without_an_exemplar_it_does_not_matter() -> None:
    denoiser = make().denoiser
    codes, one, other = torch.randn(3, 6, 4)
    alone = torch.tensor([True, False] * 3)
    angles = torch.rand(6)
    first, second = (denoiser(codes, angles, exemplar_codes, alone) for exemplar_codes in (one, other))
    assert torch.equal(first[alone], second[alone])
    assert not torch.isclose(first[~alone], second[~alone]).all(1).any()
    torch.testing.assert_close(first[~alone], denoiser(codes, angles, one)[~alone])


def test_drawings_are_decoded_codes() -> None:
    network = make(steps=2)
    exemplars, noise = (torch.rand(3, 1, 9, 9) > 0.7).float(), torch.randn(3, 4)
    codes = network.denoise(noise, network.autoencoder.encode(exemplars))
    assert torch.equal(network.draw(exemplars, noise), torch.sigmoid(network.autoencoder.decode(codes)))
    assert network.noise == 4


def test_angles_are_told_apart() -> None:
    told = waves(torch.linspace(0, math.pi / 2, 100))
    assert torch.cdist(told, told).fill_diagonal_(1).min() > 0.1


@pytest.mark.parametrize(("code", "width", "parameters"), [(96, 512, 1_744_576), (64, 256, 454_528)])
def test_as_many_parameters_as_counted_by_hand(code: int, width: int, parameters: int) -> None:
    by_hand = code + (2 * code + 32 + 1) * width + 3 * (2 * width + 2 * (width + 1) * width)
    by_hand += 2 * width + (width + 1) * code
    assert count_parameters(Denoiser(code, width, 3)) == by_hand == parameters
