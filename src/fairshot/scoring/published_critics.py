"""The two critics that the authors of Diversity vs. Recognizability released (MIT, Serre Lab 2022), as plain tensors.

Both are the network `critic`, trained on 1473 characters of Omniglot; of their snapshots the authors kept the ones with
the lowest loss on the 150 characters on which samples are scored.
"""

import shutil
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

import torch
from torch import Tensor

from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.classifiers.simclr import Simclr
from fairshot.learners.fitted import Fitted
from fairshot.learners.networks.network import Network, make_network
from fairshot.learners.seen import Seen, remember
from fairshot.learners.training.record import Record
from fairshot.learners.training.trainable import Model, Trainable
from fairshot.runtime.cache import cache_folder
from fairshot.runtime.data import data_folders
from fairshot.runtime.download import sha256
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file
from fairshot.scoring.tensor_file import read_tensors
from fairshot.specs.data import find_part

PUBLISHED, FOLDER = "published", "critics"
HOME = "https://github.com/serre-lab/diversity_vs_recognizability"
SOURCE, RECIPE, SHAPE, CLASSES = "omniglot/weak", "diversity", (1, 50), 1473
NO_SEED = -1  # it was not published
# What the authors call a layer, and what it is called here; the last one has a name of its own in each file.
LAYERS = {
    f"embedding.{block}.{place}": f"trunk.blocks.block{block + 1}.{layer}"
    for block in range(4)
    for place, layer in enumerate(("conv", "norm"))
} | {"embedding.6": "trunk.dense"}


@dataclass(frozen=True, kw_only=True)
class ReleasedFile:
    """One released file: what it is called here, where the authors have it, and how it is known."""

    name: str
    place: str
    sha256: str
    weights: str
    """The fingerprint of the critic that it holds."""
    last: str
    """What the last layer is called in it."""
    learner: Trainable
    preset: str
    images: int | None = None
    epoch: int = 0
    """Which snapshot it is, where the authors' log tells."""

    @property
    def record(self) -> Record:
        """How it was trained, as far as that is known."""
        plan = replace(self.learner.plan(self.preset), exemplars="")
        plan = plan if self.images is None else replace(plan, images=self.images)
        return Record(
            learner=type(self.learner).__name__.lower(),
            settings={},
            plan=plan,
            preset="released by the authors",
            source=f"{SOURCE}/base",
            recipe=RECIPE,
            shape=SHAPE,
            classes=CLASSES,
            seed=NO_SEED,
            epoch=self.epoch,
        )


FILES = {
    "simclr": ReleasedFile(
        name="simclr_best.model",
        place="trained_model/simclr/simclr_exemple/_best.model",
        sha256="a8d7175fe240f6d05f0368261f956a5a62076f51ae97c6baa34ad90d449ce368",
        weights="a0b9bccf309cc8e93b68af45c9a9964e",
        last="projection.0",
        learner=Simclr(),
        preset="paper",
        images=448,
        epoch=92,
    ),
    "prototypes": ReleasedFile(
        name="proto_net_best.model",
        place="trained_model/proto_net/proto_net_exemple/_best.model",
        sha256="1155cd7cf5be21d165c015fb1e2e65ae373ed2105359013f601d2d6a076bf447",
        weights="5b14d919dd964130a5cfb8f1ff74a287",
        last="metric_layer",
        learner=Prototypes(),
        preset="critic",
    ),
}


def open_published(recogniser: str) -> dict[str, Fitted]:
    """Both critics by kind; they come with no other recogniser."""
    if recogniser not in FILES:
        raise FairshotError(
            f"the published critics come without {recogniser}: leave out recogniser, or give a folder with a run of "
            f"simclr, one of prototypes and one of {recogniser}"
        )
    paths = {kind: _find(file.name) for kind, file in FILES.items()}
    seen, unchecked = _seen()
    return {kind: _fitted(FILES[kind], path, seen, unchecked) for kind, path in paths.items()}


def import_critics(files: Sequence[Path]) -> list[Path]:
    """Keeps copies of the released files in the cache, known by their sha256 whatever they are called."""
    kept = []
    for path in files:
        if not path.is_file():
            raise FairshotError(f"there is no file {path}: give {_where_released()}")
        digest = sha256(path)
        known = next((file for file in FILES.values() if file.sha256 == digest), None)
        if known is None:
            raise FairshotError(
                f"{path} has sha256 {digest[:16]}..., which is none of the released critics': give {_where_released()}"
            )
        target = cache_folder() / "data" / FOLDER / known.name
        with complete_file(target) as unfinished:
            shutil.copyfile(path, unfinished)
        kept.append(target)
    return kept


def refuse_fetch() -> NoReturn:
    """Says where the files are, as they cannot be fetched by name."""
    raise FairshotError(
        f"the published critics cannot be fetched by name: take the files from {HOME}, and run 'fairshot data import "
        f"{FOLDER} FILE FILE'"
    )


def is_released(weights: dict[str, str]) -> bool:
    """Whether critics with these fingerprints, by kind, are those that the authors released."""
    return all(weights.get(kind) == file.weights for kind, file in FILES.items())


def _find(name: str) -> Path:
    """A released file in the data folders, or where it was imported to."""
    folders = dict.fromkeys(folder / FOLDER for folder in (*data_folders(), cache_folder() / "data"))
    for folder in folders:
        if (folder / name).is_file():
            return folder / name
    raise FairshotError(
        f"the published critics are not here: no {name} in {', '.join(map(str, folders))}; take {_where_released()} "
        f"and run 'fairshot data import {FOLDER} FILE FILE'"
    )


def _where_released() -> str:
    return f"{' and '.join(file.place for file in FILES.values())} of {HOME}"


def _seen() -> tuple[Seen | None, tuple[str, ...]]:
    """What both were trained on, and what they were chosen on; a warning where that cannot be known."""
    try:
        base, novel = (find_part(f"{SOURCE}/{part}", recipe=RECIPE) for part in ("base", "novel"))
    except FairshotError:
        return None, ("whether it was trained on these drawings was not checked, as omniglot is not here",)
    return remember(base, val=novel), ()


def _fitted(file: ReleasedFile, path: Path, seen: Seen | None, warnings: tuple[str, ...]) -> Fitted:
    network = _network(path, file.last)
    fitted = Fitted(file.learner, Model(network, {}).eval().requires_grad_(False), file.record, seen)
    if fitted.content != file.weights:
        warnings += (f"{path} is not the file that the authors released: published positions are left out",)
    return replace(fitted, warnings=warnings)


def _network(path: Path, last: str) -> Network:
    """The critic whose weights a file holds under the authors' names."""
    network, layers = make_network("critic", SHAPE), LAYERS | {last: "last"}
    state: dict[str, Tensor] = {}
    for name, value in read_tensors(path).items():
        layer, _, what = name.rpartition(".")
        state[f"{layers.get(layer, layer)}.{what}"] = torch.from_numpy(value)
    found, wanted = ({name: value.shape for name, value in each.items()} for each in (state, network.state_dict()))
    if found != wanted:
        wrong = sum(found.get(name) != wanted.get(name) for name in found | wanted)
        raise FairshotError(
            f"{path} holds no critic as the authors saved it, {wrong} tensors are missing or of another shape: take "
            f"{_where_released()}"
        )
    network.load_state_dict(state)
    return network
