"""The critic's features stand in front of its last layer, and nothing between the two."""

import torch
from torch import nn

from fairshot.learners.networks.critic import Critic
from fairshot.learners.networks.network import make_network


def plain(critic: Critic) -> nn.Sequential:
    """The layers as published, from torch's own parts."""
    layers: list[nn.Module] = []
    for block in critic.trunk.blocks.children():
        layers += [block.conv, nn.BatchNorm2d(64).double(), nn.ReLU(), nn.MaxPool2d(2)]
        layers[-3].load_state_dict(block.norm.state_dict())
    return nn.Sequential(*layers, nn.Flatten(), nn.ReLU(), critic.trunk.dense).double().eval()


def test_features_are_those_of_the_published_layers() -> None:
    torch.manual_seed(0)
    critic = make_network("critic", (1, 50))
    assert isinstance(critic, Critic)
    critic.double()
    images = (torch.rand(7, 1, 50, 50) < 0.1).double()
    critic(images)  # lets batch norm learn something
    with torch.no_grad():
        wanted = plain(critic)(images)
    given = critic.embed_features(images)
    assert given.shape == (7, 256)
    torch.testing.assert_close(given, wanted, rtol=1e-9, atol=1e-9)
    assert (given < 0).any(), "features are taken before any ReLU"
    torch.testing.assert_close(critic.embed(images), wanted @ critic.last.weight.T + critic.last.bias)


def test_the_printed_critic_has_a_relu_between_its_linear_layers() -> None:
    torch.manual_seed(0)
    printed, released = make_network("critic_text", (1, 50)), make_network("critic", (1, 50))
    assert isinstance(printed, Critic)
    released.load_state_dict(printed.state_dict())
    assert sum(value.numel() for value in printed.parameters()) == 292_544
    images = (torch.rand(7, 1, 50, 50) < 0.1).float()
    features = printed.embed_features(images)
    assert (features < 0).any(), "features are taken before any ReLU"
    torch.testing.assert_close(
        printed.embed(images), features.clamp(min=0) @ printed.last.weight.T + printed.last.bias, rtol=1e-4, atol=1e-5
    )
    assert not torch.allclose(printed.embed(images), released.embed(images))
