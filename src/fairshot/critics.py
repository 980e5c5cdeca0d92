"""A pair of critics: one in whose features drawings differ, and one that recognises them (Boutin et al. 2022)."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float, UInt8

from fairshot.learners.exemplars import embed_features, embed_outputs
from fairshot.learners.fitted import Fitted
from fairshot.learners.record import find_weights, is_trained, read_record, shipped_weights
from fairshot.learners.seen import refuse_seen
from fairshot.resolve import find_learner
from fairshot.runtime.errors import FairshotError
from fairshot.sources.recipe import Recipe, find_recipe
from fairshot.sources.source import Source

KINDS = ("simclr", "prototypes")
SHIPPED = "-critic"  # how the names of those end that come with the package: simclr@omniglot-critic

Images = UInt8[np.ndarray, "image channel height width"]


@dataclass(frozen=True, eq=False)
class Critics:
    """Both were trained on images prepared alike."""

    name: str
    diversity: Fitted
    recogniser: Fitted

    @property
    def recipe(self) -> Recipe:
        """How they were shown images, never with turned copies."""
        record = self.diversity.record
        return replace(find_recipe(record.recipe), rotations=(0,), size=record.shape[1])

    @property
    def about(self) -> dict[str, Any]:
        """Where both come from, for a result."""
        return {
            kind: {**fitted.settings["trained"], "identity": fitted.identity}
            for kind, fitted in zip(KINDS, (self.diversity, self.recogniser), strict=True)
        }

    def warnings(self, part: Source, *, allow: bool) -> list[str]:
        """What should be known before they judge a part; raises if they saw it."""
        both = zip(KINDS, (self.diversity, self.recogniser), strict=True)
        found = [refuse_seen(f"{kind} of {self.name}", fitted.seen, part, allow=allow) for kind, fitted in both]
        return [warning for warnings in found for warning in warnings]

    def features(self, images: Images) -> Float[np.ndarray, "image feature"]:
        """In which diversity is measured."""
        unique, back = self._unique(images)
        return embed_features(self.diversity.model.network, unique)[back]

    def rival_features(self, images: Images) -> Float[np.ndarray, "image feature"]:
        """The same layer of the other critic, to see whether both agree."""
        unique, back = self._unique(images)
        return embed_features(self.recogniser.model.network, unique)[back]

    def outputs(self, images: Images) -> Float[np.ndarray, "image feature"]:
        """By which drawings are recognised."""
        unique, back = self._unique(images)
        return embed_outputs(self.recogniser.model.network, unique)[back]

    def _unique(self, images: Images) -> tuple[Source, np.ndarray]:
        """Each image once: copies then have the same features to the last digit."""
        rows, back = np.unique(images.reshape(len(images), -1), axis=0, return_inverse=True)
        store = np.ascontiguousarray(rows).reshape(-1, *images.shape[1:])
        source = Source.create("samples", store, np.zeros(len(store), dtype=np.int64), class_names=("any",))
        return replace(source, recipe=self.recipe), back.ravel()


def load_critics(name: str) -> Critics:
    """A folder with a run of each kind, or shipped weights of both kinds by name."""
    paths = _of_folder(Path(name)) if Path(name).is_dir() else {kind: _shipped(kind, name) for kind in KINDS}
    fitted = {kind: find_learner(str(path)) for kind, path in paths.items()}
    one, other = (fitted[kind] for kind in KINDS)
    assert isinstance(one, Fitted)
    assert isinstance(other, Fitted)
    own, theirs = ((each.record.recipe, each.record.shape) for each in (one, other))
    if own != theirs:
        raise FairshotError(
            f"the critics of {name} see images of different kinds, recipe {own[0]} at {own[1][1]} pixels and recipe "
            f"{theirs[0]} at {theirs[1][1]}: train both with the same recipe"
        )
    return Critics(name, one, other)


def _of_folder(folder: Path) -> dict[str, Path]:
    """The runs in it by the learner that was trained; there must be one of each kind."""
    runs: dict[str, list[Path]] = {kind: [] for kind in KINDS}
    for run in sorted(path for path in folder.iterdir() if is_trained(str(path))):
        weights = find_weights(str(run))
        kind = read_record(weights)[0].learner
        if kind in runs:
            runs[kind].append(weights)
    for kind, found in runs.items():
        if len(found) != 1:
            raise FairshotError(
                f"{folder} holds {len(found)} runs of {kind}: a pair of critics is a folder with one run of simclr "
                f"and one of prototypes, made by 'fairshot train ... --out {folder}/{kind}'"
            )
    return {kind: found[0] for kind, found in runs.items()}


def _shipped(kind: str, name: str) -> Path:
    full, shipped = f"{kind}@{name}{SHIPPED}", shipped_weights()
    if full in shipped:
        return shipped[full]
    pairs = [each.partition("@")[2].removesuffix(SHIPPED) for each in shipped if each.startswith(f"{KINDS[0]}@")]
    raise FairshotError(
        f"there are no critics '{name}': there are {', '.join(pairs) or 'none shipped'}; or give a folder with a run "
        "of simclr and one of prototypes"
    )
