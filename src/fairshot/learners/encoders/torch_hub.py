"""A network out of a repository for torch.hub, `torch.hub:OWNER/REPOSITORY:NAME`: its own code is run."""

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import nn

from fairshot.learners.encoders.encoder import TrainedEncoder, Weights
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.encoder import parse_hub

MEAN, DEVIATION = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # of ImageNet, as nearly all of them were trained


@dataclass(frozen=True)
class TorchHub(TrainedEncoder):
    """Such as `torch.hub:facebookresearch/dinov2:dinov2_vits14`; a folder that holds hubconf.py will do."""

    model: str
    size: int = 224

    @property
    def name(self) -> str:
        """As it is written."""
        return f"torch.hub:{self.model}"

    def load(self) -> Weights:
        """What the repository gives, with its last layer left out where it has one that is called fc, head or so."""
        repository, entry = parse_hub(self.model)
        place = "local" if Path(repository).is_dir() else "github"
        try:
            network = torch.hub.load(repository, entry, source=place, trust_repo=True)  # type: ignore[no-untyped-call]
        except Exception as error:  # no network, no such entry, whatever the repository's code may raise
            raise FairshotError(
                f"torch.hub gives no {entry} of {repository} here ({type(error).__name__}: {error}): give a folder "
                "that holds hubconf.py, or load it where there is a network"
            ) from error
        if not isinstance(network, nn.Module):
            raise FairshotError(f"{self.name} gives {type(network).__name__} and no network: name another entry")
        return Weights(_without_classifier(network), self.size, mean=MEAN, deviation=DEVIATION)


def _without_classifier(network: nn.Module) -> nn.Module:
    for name in ("fc", "classifier", "head", "heads"):
        if isinstance(getattr(network, name, None), nn.Linear | nn.Sequential):
            setattr(network, name, nn.Identity())
    return network
