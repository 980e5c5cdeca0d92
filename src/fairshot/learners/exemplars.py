"""Exemplars: one image of each class that stands for it (Boutin et al. 2022, Eq. 1).

The image nearest to the mean of its class in a critic's features. The published files that name them are missing; the
features of a network that learned without labels need no exemplars themselves, so nothing goes round in a circle.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from jaxtyping import Float, Int
from torch import Tensor

from fairshot.learners.fitted import load_state
from fairshot.learners.networks.critic import Critic
from fairshot.learners.networks.network import Network, make_network
from fairshot.learners.training.lessons import FixedSupport
from fairshot.learners.training.record import Record, find_weights, read_record
from fairshot.runtime.cache import arrays_once
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source

BATCH = 512  # images embedded at a time
RANDOM = "random"

Labels = Int[np.ndarray, " image"]
Rows = Int[np.ndarray, " class"]


def central_rows(features: Float[np.ndarray, "image feature"], labels: Labels) -> Rows:
    """For each label in order, the row nearest to the mean of all of that label; the first of equals."""
    return nearest_rows(features, labels, 1)[:, 0]


def nearest_rows(
    features: Float[np.ndarray, "image feature"], labels: Labels, count: int
) -> Int[np.ndarray, "class count"]:
    """For each label in order, the rows nearest to the mean of all of that label, the nearest first."""
    classes, numbers = np.unique(labels, return_inverse=True)
    exact = features.astype(np.float64)
    sums = np.zeros((len(classes), features.shape[1]))
    np.add.at(sums, numbers, exact)
    distances = ((exact - (sums / np.bincount(numbers)[:, None])[numbers]) ** 2).sum(1)
    order = np.lexsort((np.arange(len(labels)), distances, numbers))
    return order[np.searchsorted(numbers[order], np.arange(len(classes)))[:, None] + np.arange(count)]


def random_rows(labels: Labels, seed: int = 0) -> Rows:
    """For each label in order, any of its rows."""
    return any_rows(labels, 1, seed)[:, 0]


def any_rows(labels: Labels, count: int, seed: int = 0) -> Int[np.ndarray, "class count"]:
    """For each label in order, any of its rows and those that follow it."""
    order = np.argsort(labels, kind="stable")
    _, starts, counts = np.unique(labels[order], return_index=True, return_counts=True)
    first = Stream(seed, "exemplars").integers(counts, len(counts))
    return order[starts[:, None] + (first[:, None] + np.arange(count)) % counts[:, None]]


def load_network(path: Path) -> tuple[Network, Record]:
    """A trained network alone, whatever stood behind it."""
    record, _ = read_record(path)
    network, prefix = make_network(record.plan.network, record.shape), "network."
    state = load_state(path)
    network.load_state_dict({name.removeprefix(prefix): state[name] for name in state if name.startswith(prefix)})
    return network.eval().requires_grad_(False), record


def embed_features(network: Network, source: Source) -> Float[np.ndarray, "image feature"]:
    """The features of all images of a part: in front of a critic's last layer; of another network, its vectors."""
    return _embedded(network.embed_features if isinstance(network, Critic) else network.embed, source)


def embed_outputs(network: Network, source: Source) -> Float[np.ndarray, "image feature"]:
    """What comes out of a network for all images of a part."""
    return _embedded(network.embed, source)


def _embedded(embed: Callable[[Tensor], Tensor], source: Source) -> Float[np.ndarray, "image feature"]:
    shown = []
    for start in range(0, len(source), BATCH):
        images = source.recipe.scale(source.read(slice(start, start + BATCH)))
        shown.append(embed(torch.from_numpy(np.array(images))).numpy())
    return np.concatenate(shown)


def choose_exemplars(source: Source, how: str, seed: int = 0) -> Int[np.ndarray, " class"]:
    """The exemplar of each class, as image ids: `random`, or nearest to the mean by some weights."""
    if how == RANDOM:
        return source.image_ids[random_rows(source.class_ids, seed)]
    weights = find_weights(how, "simclr")
    network, record = load_network(weights)
    shown = (source.recipe.name, *source.recipe.scale(source.read(slice(0, 1))).shape[1:3])
    if shown != (record.recipe, *record.shape):
        raise FairshotError(
            f"{how} was trained on images of {_by(record.shape)} (recipe {record.recipe}), and those of {source.name} "
            f"are {_by(shown[1:])} (recipe {shown[0]}): use the same recipe for both"
        )
    if len(source) <= BATCH:
        return source.image_ids[_central(network, source)]
    # Half a minute for Omniglot, and every training of a generator begins with it.
    key = fingerprint(source.fingerprint, np.frombuffer(weights.read_bytes(), dtype=np.uint8))
    kept = arrays_once(
        "exemplars", key, lambda folder: np.save(folder / "rows.npy", _central(network, source)), needed=["rows"]
    )
    return source.image_ids[np.asarray(kept["rows"])]


def _central(network: Network, source: Source) -> Rows:
    return central_rows(embed_features(network, source), source.class_ids)


def _by(shape: tuple[int, ...]) -> str:
    return f"{shape[0]} x {shape[1]} x {shape[1]}"


@dataclass(frozen=True)
class FromExemplars(FixedSupport):
    """The support of a class is its exemplar, in every episode; queries are its other images."""

    pool: int = 1
    image_ids: frozenset[int] = field(default=frozenset(), repr=False)
    """Of all parts that episodes are drawn from."""

    def _pools(self, source: Source) -> Int[np.ndarray, "class 1"]:
        order = np.argsort(source.class_ids, kind="stable")
        chosen = order[np.isin(source.image_ids[order], sorted(self.image_ids))]
        if self.shot != 1 or not np.array_equal(source.class_ids[chosen], source.classes):
            raise FairshotError(
                f"{len(chosen)} exemplars serve {self.shot} shots of the {len(source.classes)} classes of "
                f"{source.name}: give one for each class, and shot=1"
            )
        return source.image_ids[chosen][:, None]


def exemplar_task(parts: list[Source], how: str, *, way: int, shot: int, query: int, seed: int) -> FromExemplars:
    """Episodes whose support are the exemplars of these parts."""
    ids = np.concatenate([choose_exemplars(part, how, seed) for part in parts])
    return FromExemplars(way=way, shot=shot, query=query, image_ids=frozenset(ids.tolist()))
