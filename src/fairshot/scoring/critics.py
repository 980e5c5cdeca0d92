"""Critics: one in whose features drawings differ, one that recognises them, and controls (Boutin et al. 2022)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, UInt8

from fairshot.learners.exemplars import embed_features, embed_outputs
from fairshot.learners.fitted import Fitted
from fairshot.learners.seen import refuse_seen
from fairshot.learners.training.record import Record, find_weights, is_trained, read_record, shipped_weights
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.scoring.published_critics import PUBLISHED, open_published
from fairshot.sources.recipe import Recipe, find_recipe
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner

SIMCLR, PROTOTYPES, MAML, FIVE_SHOT = "simclr", "prototypes", "maml", "five-shot"
PAIR = (SIMCLR, PROTOTYPES)
SHOTS = {PROTOTYPES: 1, FIVE_SHOT: 5}  # what tells one prototypical critic from the other
# What the names of those are that come with the package: simclr@omniglot-critic.
SHIPPED = {
    SIMCLR: "simclr@{}-critic",
    PROTOTYPES: "prototypes@{}-critic",
    MAML: "maml@{}-critic",
    FIVE_SHOT: "prototypes@{}-critic-5-shot",
}
KEPT = 32  # tables of embedded images, such as those of people's drawings, that are kept for the next use

Images = UInt8[np.ndarray, "image channel height width"]


@dataclass(frozen=True, eq=False)
class Critics:
    """Trained networks by kind; all were trained on images prepared alike."""

    name: str
    fitted: Mapping[str, Fitted]
    _tables: dict[str, np.ndarray] = field(default_factory=dict, init=False, repr=False)

    def __post_init__(self) -> None:
        first, *others = ((fitted.record.recipe, fitted.record.shape) for fitted in self.fitted.values())
        other = next((other for other in others if other != first), first)
        if first != other:
            raise FairshotError(
                f"the critics of {self.name} see images of different kinds, recipe {first[0]} at {first[1][1]} pixels "
                f"and recipe {other[0]} at {other[1][1]}: train all with the same recipe"
            )

    @property
    def diversity(self) -> Fitted:
        """In whose features drawings differ."""
        return self.fitted[SIMCLR]

    @property
    def recipe(self) -> Recipe:
        """How they were shown images, never with turned copies."""
        record = self.diversity.record
        return replace(find_recipe(record.recipe), rotations=(0,), size=record.shape[1])

    @property
    def about(self) -> dict[str, Any]:
        """Where each comes from, and the fingerprint of its weights: numbers are comparable if that is the same."""
        return {
            kind: {**fitted.settings["trained"], "fingerprint": fitted.content} for kind, fitted in self.fitted.items()
        }

    @property
    def fingerprints(self) -> dict[str, str]:
        """Of the weights of each, by kind."""
        return {kind: fitted.content for kind, fitted in self.fitted.items()}

    def warnings(self, part: Source, *, allow: bool) -> list[str]:
        """What should be known before they look at a part; raises if they were trained on it."""
        found = [
            refuse_seen(f"{kind} of {self.name}", fitted.seen, part, allow=allow)
            for kind, fitted in self.fitted.items()
        ]
        found += [
            [f"{kind} of {self.name}: {warning}" for warning in fitted.warnings] for kind, fitted in self.fitted.items()
        ]
        return [warning for warnings in found for warning in warnings]

    def features(self, images: Images, kind: str = SIMCLR) -> Float[np.ndarray, "image feature"]:
        """The features in which diversity is measured, or the same layer of another critic."""
        return self._embed(embed_features, images, kind)

    def outputs(self, images: Images, kind: str = PROTOTYPES) -> Float[np.ndarray, "image feature"]:
        """The outputs by which drawings are recognised."""
        return self._embed(embed_outputs, images, kind)

    def _embed(self, embed: Callable[..., np.ndarray], images: Images, kind: str) -> np.ndarray:
        """What a critic makes of images; the same images are embedded once."""
        key = fingerprint(embed.__name__, kind, images)
        if key not in self._tables:
            unique, back = self._unique(images)
            self._tables[key] = embed(self.fitted[kind].model.network, unique)[back]
            for oldest in list(self._tables)[:-KEPT]:
                del self._tables[oldest]
        return self._tables[key]

    def _unique(self, images: Images) -> tuple[Source, np.ndarray]:
        """Each image once: copies then have the same features to the last digit."""
        flat = np.ascontiguousarray(images.reshape(len(images), -1))
        bytes_of_each = flat.view(np.dtype((np.void, flat.shape[1])))[:, 0]  # sorted at once, not pixel by pixel
        _, rows, back = np.unique(bytes_of_each, return_index=True, return_inverse=True)
        store = images[rows]
        source = Source.create("samples", store, np.zeros(len(store), dtype=np.int64), class_names=("any",))
        return replace(source, recipe=self.recipe), back.ravel()


def load_critics(name: str, recogniser: str = PROTOTYPES) -> Critics:
    """A pair and who recognises beside it: a folder with a run of each, shipped by name, or those of the authors."""
    kinds = tuple(dict.fromkeys([*PAIR, recogniser]))
    if name == PUBLISHED and not Path(name).is_dir():
        return Critics(name, _finite(name, open_published(recogniser)))
    return open_critics(name, _of_folder(Path(name), kinds) if Path(name).is_dir() else _shipped(name, kinds))


def open_critics(name: str, weights: Mapping[str, Path]) -> Critics:
    """The critics of some files, by kind."""
    learners = {kind: find_learner(str(path)) for kind, path in weights.items()}
    fitted = {kind: learner for kind, learner in learners.items() if isinstance(learner, Fitted)}
    return Critics(name, _finite(name, fitted))


def _finite(name: str, fitted: Mapping[str, Fitted]) -> Mapping[str, Fitted]:
    """Critics whose weights are all numbers."""
    for kind, critic in fitted.items():
        if not all(torch.isfinite(value).all() for value in critic.model.state_dict().values()):
            raise FairshotError(f"{kind} of {name} has weights that are not numbers: train it anew")
    return fitted


def kind_of(record: Record) -> str | None:
    """Which critic a record is of, if it is one."""
    if record.learner in SHOTS:
        return next((kind for kind, shot in SHOTS.items() if shot == record.plan.shot), None)
    return record.learner if record.learner in SHIPPED else None


def _of_folder(folder: Path, kinds: tuple[str, ...]) -> dict[str, Path]:
    """The runs in it by what their records say; there must be one of each kind."""
    runs: dict[str, list[Path]] = {kind: [] for kind in kinds}
    for run in sorted(path for path in folder.iterdir() if is_trained(str(path))):
        weights = find_weights(str(run))
        kind = kind_of(read_record(weights)[0])
        if kind in runs:
            runs[kind].append(weights)
    for kind, found in runs.items():
        if len(found) != 1:
            beside = "" if kind in PAIR else f", and one of {kind} beside it to recognise by that"
            raise FairshotError(
                f"{folder} holds {len(found)} runs of {kind}: a pair of critics is a folder with one run of simclr "
                f"and one of prototypes{beside}, made by 'fairshot train ... --out {folder}/{kind}'"
            )
    return {kind: found[0] for kind, found in runs.items()}


def _shipped(name: str, kinds: tuple[str, ...]) -> dict[str, Path]:
    full, shipped = {kind: SHIPPED[kind].format(name) for kind in kinds}, shipped_weights()
    missing = [kind for kind in kinds if full[kind] not in shipped]
    if not missing:
        return {kind: shipped[full[kind]] for kind in kinds}
    start, end = SHIPPED[SIMCLR].split("{}")
    pairs = [each[len(start) : -len(end)] for each in shipped if each.startswith(start) and each.endswith(end)]
    if name in pairs:
        raise FairshotError(
            f"the critics '{name}' come without {missing[0]}: leave out recogniser, or give a folder with a run of "
            f"simclr, one of prototypes and one of {missing[0]}"
        )
    raise FairshotError(
        f"there are no critics '{name}': there are {', '.join([*pairs, PUBLISHED])}; or give a folder with a run of "
        "simclr and one of prototypes"
    )
