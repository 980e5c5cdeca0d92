"""Critics of random weights in files as the authors of the published ones saved theirs."""

from pathlib import Path

import torch

from fairshot.learners.networks.network import make_network
from fairshot.scoring.published_critics import FILES, LAYERS


def authors_state(last: str, seed: int = 0) -> dict[str, torch.Tensor]:
    """The weights of a critic, under the names that the authors use."""
    torch.manual_seed(seed)
    theirs = {ours: name for name, ours in LAYERS.items()} | {"last": last}
    state = make_network("critic", (1, 50)).state_dict()
    return {f"{theirs[name.rpartition('.')[0]]}.{name.rpartition('.')[2]}": value for name, value in state.items()}


def write_critics(folder: Path) -> Path:
    """Both files in a folder of that kind."""
    folder.mkdir(parents=True, exist_ok=True)
    for seed, file in enumerate(FILES.values()):
        torch.save(authors_state(file.last, seed), folder / file.name)
    return folder
