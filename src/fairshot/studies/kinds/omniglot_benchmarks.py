"""Omniglot's characters as a trained network sees them: a population of alphabets, and one of turned characters."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from jaxtyping import Float, Int

from fairshot.learners.features import Features
from fairshot.runtime.cache import arrays_once
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.seeds import Stream
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.studies.kinds.simulated_benchmarks import Counts, Vectors, World

DRAWINGS = 20
LEARNERS = {1: "prototypes@omniglot-lake", 4: "prototypes@omniglot-vinyals"}
PARTS = {1: "omniglot/lake/novel", 4: "omniglot/vinyals/novel"}


@dataclass(frozen=True)
class Characters(World):
    """Characters that the network never saw, with all their drawings.

    Alphabets are drawn with replacement and their characters without, so that no benchmark has a character twice. With
    turns, characters are drawn, each of which is as many classes, and alphabets do not count.
    """

    @property
    def label(self) -> str:
        """Such as `Omniglot, 20 parents of 6 classes of 20`."""
        turned = f", {self.turns} turns of each character" if self.turns > 1 else ""
        return f"Omniglot, {self.shape}{turned}"

    def draw_classes(self, parents: Stream, classes: Stream) -> Int[np.ndarray, " class"]:
        """Rows of the table of embedded drawings."""
        homes = embedded(self.turns)[1]
        if self.turns > 1:
            characters = len(homes) // self.turns
            drawn = classes.permutations(np.array([characters]))[0][: self.classes // self.turns]
            return (drawn[:, None] + characters * np.arange(self.turns)).ravel()
        order = classes.permutations(np.array([len(homes)]))[0]
        by_home = [order[homes[order] == home].tolist() for home in range(int(homes.max()) + 1)]
        found: list[int] = []
        for home in parents.integers(len(by_home), self.parents).tolist():
            each = self.classes // self.parents
            if len(by_home[home]) < each:  # this alphabet was drawn so often that it has no more characters
                home = max(range(len(by_home)), key=lambda other: len(by_home[other]))
            found += by_home[home][:each]
            del by_home[home][:each]
        return np.array(found)

    def draw_images(self, classes: Int[np.ndarray, " class"], counts: Counts, stream: Stream) -> Vectors:
        """All drawings of each character."""
        return embedded(self.turns)[0][classes].reshape(-1, embedded(self.turns)[0].shape[2])


@cache
def embedded(turns: int) -> tuple[Float[np.ndarray, "class drawing feature"], Int[np.ndarray, " class"]]:
    """The drawings of every novel character by a shipped network, and the alphabet of each."""
    learner = find_learner(LEARNERS[turns])
    part = find_part(PARTS[turns], recipe=learner.trained_recipe)
    key = fingerprint(part.fingerprint, learner.identity)

    def build(folder: Path) -> None:
        vectors = Features(part, learner).vectors(part.members.image_ids)
        np.save(folder / "embedded.npy", vectors.reshape(len(part.classes), DRAWINGS, -1))

    return arrays_once("characters", key, build)["embedded"], part.parent_ids
