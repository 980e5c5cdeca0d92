"""The recurrent autoencoder: as many parameters as counted, and the same canvas as a plain loop draws."""

import numpy as np
import pytest
import torch
from torch.nn.functional import affine_grid

from fairshot.generators.networks.attention_vae import AttentionSizes, AttentionVae, invert, see
from fairshot.learners.networks.network import count_parameters

TINY = AttentionSizes(size=6, patch=3, latent=2, memory=8, glimpses=3)


@pytest.mark.parametrize(("layers", "parameters"), [("released", 2_499_159), ("table-s5", 4_924_647)])
def test_as_many_parameters_as_in_the_released_code_or_in_the_table(layers: str, parameters: int) -> None:
    assert count_parameters(AttentionVae(AttentionSizes(layers=layers))) == parameters


def make(layers: str = "released") -> AttentionVae:
    """A network that looks at other places at every glimpse."""
    torch.manual_seed(0)
    network = AttentionVae(AttentionSizes(**{**TINY.__dict__, "layers": layers}))
    with torch.no_grad():
        network.place[-1].weight.normal_(0, 0.5)
    return network


def sample(image: np.ndarray, pose: np.ndarray, size: int) -> np.ndarray:
    """Bilinear, pixel by pixel; outside there is nothing. Corners of pixels, not their middles, lie at -1 and 1."""
    found = np.zeros((size, size))
    for row in range(size):
        for column in range(size):
            x, y = (2 * column + 1) / size - 1, (2 * row + 1) / size - 1
            across = ((pose[0] @ [x, y, 1] + 1) * image.shape[1] - 1) / 2
            down = ((pose[1] @ [x, y, 1] + 1) * image.shape[0] - 1) / 2
            for i in (int(np.floor(down)), int(np.floor(down)) + 1):
                for j in (int(np.floor(across)), int(np.floor(across)) + 1):
                    if 0 <= i < image.shape[0] and 0 <= j < image.shape[1]:
                        found[row, column] += (1 - abs(down - i)) * (1 - abs(across - j)) * image[i, j]
    return found


def plain(network: AttentionVae, image: np.ndarray | None, exemplar: np.ndarray, noise: np.ndarray) -> tuple:
    """One drawing, glimpse by glimpse; without an image, noise is the latent vector itself."""
    sizes, divergence = network.sizes, 0.0
    canvas, memory, cell = np.zeros((6, 6)), torch.zeros(1, 8), torch.zeros(1, 8)
    for step in range(sizes.glimpses):
        place = network.place(memory[:, :4]).detach().numpy().reshape(2, 3).astype(float)
        inverse = np.linalg.inv(np.vstack([place, [0, 0, 1]]))[:2]
        exemplar_patch = sample(exemplar, place, 3).ravel()
        latent = torch.tensor(noise[step])
        if image is not None:
            error = image - 1 / (1 + np.exp(-canvas))
            seen = np.concatenate([memory[0].numpy(), *(sample(one, place, 3).ravel() for one in (error, image))])
            seen = torch.tensor(np.concatenate([seen, exemplar_patch]), dtype=torch.float32)
            mean, log_variance = (one.detach() for one in network.encode(seen[None]))
            for m, v in zip(mean[0].tolist(), log_variance[0].tolist(), strict=True):
                divergence += 0.5 * (m * m + np.exp(v) - 1 - v)
            latent = (mean + latent * (log_variance / 2).exp())[0]
        patch = network.decoder(memory[:, 4:]).detach().numpy().reshape(3, 3)
        canvas = canvas + sample(patch, inverse, 6)
        entering = torch.cat([latent, torch.tensor(exemplar_patch)])[None].float()
        memory, cell = (one.detach() for one in network.recurrence(entering, (memory, cell)))
    return canvas, divergence


@pytest.mark.parametrize("layers", ["released", "table-s5", "narrow"])
def test_the_canvas_is_that_of_a_plain_loop(layers: str) -> None:
    network = make(layers)
    images, exemplars = torch.rand(2, 1, 6, 6), torch.rand(2, 1, 6, 6)
    torch.manual_seed(1)
    canvas, divergence = network(images, exemplars)
    torch.manual_seed(1)
    noise = torch.stack([torch.randn(2, 2) for _ in range(3)], 1).numpy()
    for number in range(2):
        expected = plain(network, images[number, 0].numpy(), exemplars[number, 0].numpy(), noise[number])
        np.testing.assert_allclose(canvas[number, 0].detach(), expected[0], rtol=1e-4, atol=1e-4)
        assert divergence[number].item() == pytest.approx(expected[1], rel=1e-4)


def test_what_is_drawn_is_that_of_a_plain_loop_and_the_last_latent_vector_is_of_no_use() -> None:
    network = make()
    exemplars, noise = torch.rand(2, 1, 6, 6), torch.randn(2, 6)
    drawn = network.draw(exemplars, noise).detach()
    for number in range(2):
        canvas, _ = plain(network, None, exemplars[number, 0].numpy(), noise[number].view(3, 2).numpy())
        np.testing.assert_allclose(drawn[number, 0], 1 / (1 + np.exp(-canvas)), rtol=1e-4, atol=1e-4)
    other = noise.clone()
    other[:, 4:] += 1
    assert torch.equal(network.draw(exemplars, other), network.draw(exemplars, noise))
    other[:, 2:4] += 1
    assert not torch.equal(network.draw(exemplars, other), network.draw(exemplars, noise))


def test_before_training_it_looks_at_the_whole_image() -> None:
    network = AttentionVae(TINY)
    assert network._pose(torch.randn(2, 8)).tolist() == [[[1, 0, 0], [0, 1, 0]]] * 2


def test_an_inverse_undoes_a_map_and_a_flat_one_gives_numbers() -> None:
    pose = torch.tensor([[[0.5, 0.2, 0.1], [-0.3, 0.8, -0.4]], [[1.0, 2.0, 0.0], [2.0, 4.0, 0.0]]])
    whole = torch.cat([pose, torch.tensor([[[0.0, 0.0, 1.0]]] * 2)], 1)
    undone = torch.cat([invert(pose), torch.tensor([[[0.0, 0.0, 1.0]]] * 2)], 1)
    torch.testing.assert_close((undone @ whole)[0], torch.eye(3))
    assert invert(pose).isfinite().all()


def test_the_gradient_of_an_inverse_is_that_of_differences() -> None:
    torch.manual_seed(0)
    assert torch.autograd.gradcheck(invert, torch.randn(3, 2, 3, dtype=torch.float64, requires_grad=True))


def test_places_are_those_of_torch_and_can_be_learned_from_after_drawing() -> None:
    pose = torch.randn(2, 2, 3, requires_grad=True)
    with torch.inference_mode():
        see(pose, 7)
    found = see(pose, 7)
    torch.testing.assert_close(found, affine_grid(pose, [2, 1, 7, 7], align_corners=False))
    found.square().sum().backward()
    assert pose.grad is not None
