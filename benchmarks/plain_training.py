"""Training and embedding in plain PyTorch, as few-shot repositories write them; training.py measures beside them."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn

CHANNELS, LAYERS = 64, 4


def conv4(colours: int) -> nn.Sequential:
    layers: list[nn.Module] = []
    for number in range(LAYERS):
        layers += [
            nn.Conv2d(CHANNELS if number else colours, CHANNELS, 3, padding=1),
            nn.BatchNorm2d(CHANNELS),
            nn.ReLU(),
            nn.MaxPool2d(2),
        ]
    return nn.Sequential(*layers, nn.Flatten())


def prototypical_step(model: nn.Module, optimizer: torch.optim.Optimizer, support: Tensor, query: Tensor) -> float:
    """Images of class after class, [class, image, ...]."""
    way, shot = support.shape[:2]
    vectors = model(torch.cat([support.flatten(0, 1), query.flatten(0, 1)]))
    prototypes = vectors[: way * shot].view(way, shot, -1).mean(1)
    logits = -(torch.cdist(vectors[way * shot :], prototypes) ** 2)
    loss = F.cross_entropy(logits, torch.arange(way).repeat_interleave(query.shape[1]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    return loss.item()


def functional(parameters: list[Tensor], images: Tensor) -> Tensor:
    """Four layers and a linear one; batch norm by the batch."""
    maps = images
    for layer in range(LAYERS):
        weight, bias, gain, shift = parameters[4 * layer : 4 * layer + 4]
        maps = F.conv2d(maps, weight, bias, padding=1)
        maps = F.batch_norm(maps, None, None, gain, shift, training=True)
        maps = F.max_pool2d(F.relu(maps), 2)
    return F.linear(maps.flatten(1), parameters[-2], parameters[-1])


def maml_step(
    parameters: list[Tensor],
    optimizer: torch.optim.Optimizer,
    tasks: list[tuple[Tensor, Tensor, Tensor, Tensor]],
    *,
    steps: int,
    rate: float,
) -> float:
    """Second order, one task after the other; batch norm by whatever is shown together."""
    optimizer.zero_grad()
    total = 0.0
    for support, support_labels, query, query_labels in tasks:
        adapted = parameters
        for _ in range(steps):
            loss = F.cross_entropy(functional(adapted, support), support_labels)
            gradients = torch.autograd.grad(loss, adapted, create_graph=True)
            adapted = [own - rate * gradient for own, gradient in zip(adapted, gradients, strict=True)]
        loss = F.cross_entropy(functional(adapted, query), query_labels) / len(tasks)
        loss.backward()
        total += loss.item()
    optimizer.step()
    return total


@torch.no_grad()
def embed(model: nn.Module, images: Tensor, batch: int = 512) -> Tensor:
    model.eval()
    return torch.cat([model(part) for part in images.split(batch)])
