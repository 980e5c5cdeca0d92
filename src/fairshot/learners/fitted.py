"""A trained learner: a network in front of a head, with the record of its training. Weights are data, never code."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from fairshot.learners.foreign.code import Foreign
from fairshot.learners.learner import Classifier, Clusters, TaskBatch
from fairshot.learners.networks.network import Network
from fairshot.learners.seen import Seen
from fairshot.learners.training.kept_tensors import read_tensors, write_tensors
from fairshot.learners.training.record import FORMAT, NAME, Record, read_record
from fairshot.learners.training.storable import Storable
from fairshot.learners.training.trainable import Model, Trainable
from fairshot.learners.training.trainable_clusterer import TrainableClusterer
from fairshot.learners.wrapper import Wrapper
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.images.likeness import Packed

MODEL, SEEN = "model.", "seen."
ANEW = "fetch it again, or train it anew"


@dataclass(frozen=True, repr=False)
class Fitted(Wrapper):
    """A trained network in front of its own head, or of another one."""

    head: Classifier
    model: Model = field(repr=False)
    record: Record
    seen: Seen | None = field(repr=False, default=None)
    own: bool = True
    """Whether the head is the one that was trained; any other sees the vectors alone."""
    code: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The hash of somebody's own code that is in use, by name; the record has that of the training."""
    warnings: tuple[str, ...] = ()
    """What a reader of any result must know of it."""

    reads = "images"

    def __str__(self) -> str:
        return self.record.about

    def __repr__(self) -> str:
        return f"<{self.label} on {self.record.source}, seed {self.record.seed}>"

    @property
    def label(self) -> str:
        """That it was trained, and what answers."""
        return f"trained {self.record.learner}" if self.own else f"{self.head.label} on trained {self.record.learner}"

    @property
    def inner(self) -> Classifier:
        """The head."""
        return self.head

    @property
    def settings(self) -> dict[str, Any]:
        """The head's settings, and where the weights come from."""
        record = self.record
        return {
            "head": dict(self.head.settings),
            "trained": {
                "learner": record.learner,
                "settings": record.settings,
                "on": record.source,
                "recipe": record.recipe,
                "network": record.plan.network,
                "preset": record.preset,
                "seed": record.seed,
                "epoch": record.epoch,
                "batch_norm": record.plan.statistics,
            },
        }

    @cached_property
    def content(self) -> str:
        """Every weight, and what an image is made of before: the same as long as the same images give the same."""
        weights = [part for name, value in self.model.state_dict().items() for part in (name, value.numpy())]
        code = [dict(self.code)] if self.code else []
        return fingerprint(self.record.plan.network, self.record.recipe, self.record.shape, *weights, *code)

    @property
    def identity(self) -> str | None:
        """Head, record and every weight."""
        head = self.head.identity
        code = [dict(self.code)] if self.code else []
        return fingerprint(head, self.record.as_dict(), self.content, *code) if head else None

    @property
    def trained_recipe(self) -> str:  # type: ignore[override]
        """As the record says."""
        return self.record.recipe

    @property
    def shift_invariant(self) -> bool:
        """As the head, where it sees vectors."""
        return self.head.shift_invariant and self.model.statistics == "running"

    def embed(self, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image ..."]:
        """By the network, each image by itself, or left to the episode where its support decides."""
        colours, size = self.record.shape
        if tuple(images.shape[1:]) != (colours, size, size):
            raise FairshotError(
                f"{self.record.learner} was trained on images of {colours} x {size} x {size} (recipe "
                f"{self.record.recipe}), and these are {' x '.join(map(str, images.shape[1:]))}: use the recipe "
                f"{self.record.recipe}"
            )
        if isinstance(self.head, Trainable) and self.own:
            return self.head.embed_with(self.model, images)
        return images if self.model.statistics == "support" else self.model.network.embed(images)

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """As the head."""
        if isinstance(self.head, Trainable) and self.own:
            return self.head.answer(self.model, batch)
        return self.head.classify(self.model.embed_tasks(batch) if self.model.statistics == "support" else batch)

    def cluster(self, batch: TaskBatch, sizes: Int[Tensor, "episode way"]) -> Clusters:
        """As the head."""
        if isinstance(self.head, TrainableClusterer) and self.own:
            return self.head.cluster_with(self.model, batch, sizes)
        return super().cluster(self.model.embed_tasks(batch) if self.model.statistics == "support" else batch, sizes)

    def unable(self, way: int) -> str | None:
        """Why episodes of that way cannot be served."""
        return self.head.refuse_way(self.model, way) if isinstance(self.head, Trainable) and self.own else None


def save_fitted(path: Path, model: Storable, record: Record, seen: Seen) -> None:
    """One file with all that is needed to use a model; equal content gives equal bytes."""
    save_weights(path, model.storable(), record, seen)


def save_weights(path: Path, weights: Mapping[str, Tensor], record: Record, seen: Seen) -> None:
    """One file with some weights, where they come from and what was seen."""
    tensors = {MODEL + name: value for name, value in weights.items()}
    for number, one in enumerate((seen, *seen.others)):
        tables = {"images": one.images, "classes": one.classes}
        tables |= {"chosen": one.chosen} if len(one.chosen) else {}
        tensors |= {
            _seen_of(number) + name: torch.from_numpy(np.packbits(_mask(places))) for name, places in tables.items()
        }
    tensors[SEEN + "hashes"] = torch.from_numpy(seen.hashes)
    if seen.likeness is not None:
        tensors[SEEN + "likeness"] = torch.from_numpy(seen.likeness.codes)
        tensors[SEEN + "likeness_axes"] = torch.from_numpy(seen.likeness.axes)
    about: dict[str, Any] = {"part": seen.part, "root": seen.root}
    if seen.others:
        about["others"] = [{"part": other.part, "root": other.root} for other in seen.others]
    content = {"format": FORMAT, "record": record.as_dict(), "seen": about}
    write_tensors(path, tensors, NAME, content)


def load_fitted(path: Path, network: Network, head: Classifier, *, own: bool) -> Fitted:
    """The learner whose weights a file holds, with that network and head."""
    record, state, seen = load_weights(path)
    learned = {name.removeprefix("head."): value for name, value in state.items() if name.startswith("head.")}
    model = Model(network, learned, record.plan.statistics)
    model.load_state_dict(state)
    return Fitted(head, model.eval().requires_grad_(False), record, seen, own)


def load_weights(path: Path) -> tuple[Record, dict[str, Tensor], Seen]:
    """What a file of weights holds: where they come from, the weights by name, and what was seen."""
    record, about = read_record(path)
    tensors, _ = read_tensors(path, NAME, ANEW)
    try:
        return record, _of_model(tensors), _all_seen(tensors, about)
    except (LookupError, TypeError, ValueError, AttributeError) as error:
        raise FairshotError(f"{path} does not say what was seen in training: {ANEW}") from error


def _all_seen(tensors: Mapping[str, Tensor], about: Mapping[str, Any]) -> Seen:
    hashes, likeness = tensors[SEEN + "hashes"].numpy(), None
    if SEEN + "likeness" in tensors:
        likeness = Packed(*(tensors[SEEN + name].numpy() for name in ("likeness", "likeness_axes")))
    first, *others = (_read_seen(tensors, number, one) for number, one in enumerate([about, *about.get("others", [])]))
    return replace(first, hashes=hashes, likeness=likeness, others=tuple(others))


def _read_seen(tensors: Mapping[str, Tensor], number: int, about: Mapping[str, Any]) -> Seen:
    """What was seen of one source; pixels are known of all together."""
    tables = (_places(tensors.get(_seen_of(number) + name)) for name in ("images", "classes", "chosen"))
    images, classes, chosen = tables
    return Seen(about["part"], about["root"], images, classes, np.empty(0, dtype=np.int64), chosen=chosen)


def _seen_of(number: int) -> str:
    """How the names of tables begin that say what was seen of a source."""
    return f"{SEEN}{number}." if number else SEEN


def load_state(path: Path) -> dict[str, Tensor]:
    """The weights in a file, by name."""
    return _of_model(read_tensors(path, NAME, f"remove {path.parents[1]} to train anew")[0])


def _of_model(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name.removeprefix(MODEL): value for name, value in tensors.items() if name.startswith(MODEL)}


def _mask(places: np.ndarray) -> np.ndarray:
    mask = np.zeros(int(places.max(initial=0)) + 1, dtype=bool)
    mask[places] = True
    return mask


def _places(packed: Tensor | None) -> np.ndarray:
    """The other way round; files from before a table was kept have none of it."""
    return np.empty(0, dtype=np.int64) if packed is None else np.flatnonzero(np.unpackbits(packed.numpy()))


def trained_learner(learner: Classifier) -> Fitted | None:
    """The trained learner that this is, also if it came out of somebody's file; None if it was not trained."""
    inner = learner.learner if isinstance(learner, Foreign) else learner
    return inner if isinstance(inner, Fitted) else None
