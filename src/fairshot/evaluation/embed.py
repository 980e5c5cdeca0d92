"""The verb `embed`: images become vectors once, in a file that every other verb and any other tool can read."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from jaxtyping import Float

from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.encoded import Encoded
from fairshot.learners.features import BATCH, Features
from fairshot.runtime.backends.backend import Progress
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.files import complete_file, require_ending
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.source import MADE_OF, Source
from fairshot.specs.data import as_part
from fairshot.specs.encoders import USUAL, as_encoder
from fairshot.tables.words import count_of

ENDINGS = (".npz",)


@dataclass(frozen=True, eq=False)
class Embedding:
    """The vectors of all images of some data, with everything that belongs to the images."""

    encoder: str
    source: Source
    vectors: Float[np.ndarray, "image feature"]
    warnings: tuple[str, ...] = ()

    def __repr__(self) -> str:
        images, features = self.vectors.shape
        return f"<Embedding of {self.source.name} by {self.encoder}: {images:,} x {features:,}>"

    @property
    def arrays(self) -> dict[str, np.ndarray]:
        """As `array:FILE.npz` reads them: X, y, and parents, groups and other attributes where there are some."""
        source = self.source
        labels = np.array([source.class_names[number] for number in source.class_ids])
        whole = len(source) == len(source.store)
        origin = source.origin if whole else fingerprint("vectors of a part", source.origin)
        arrays = {"X": self.vectors, "y": labels, "origin": np.array(origin)}
        if len(source.parent_names) > 1:
            arrays["parents"] = np.array([source.parents[number] for number in source.class_ids])
        if MADE_OF in source.class_attributes:
            arrays[MADE_OF] = source.class_attributes[MADE_OF][source.class_ids]
        for name, values in source.attributes.items():
            arrays["groups" if name == "group" else f"attribute.{name}"] = values
        return arrays

    def save(self, path: Path | str) -> Path:
        """Writes an .npz file, whole or not at all."""
        path = require_ending(Path(path), ENDINGS, "a file of vectors")
        with complete_file(path) as unfinished, open(unfinished, "wb") as file:
            np.savez(file, allow_pickle=False, **self.arrays)
        return path


def embed(
    data: Any,
    encoder: Any = USUAL,
    *,
    split: str | None = None,
    part: str | None = None,
    recipe: str | int | None = None,
    groups: str | None = None,
    skip_bad: bool = False,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Embedding:
    """The vectors of all images of some data; those that this encoder made before are not made again."""
    learner = Encoded(Prototypes(metric="cosine"), as_encoder(encoder))
    where: dict[str, Any] = {"split": split, "part": part, "recipe": recipe, "groups": groups, "skip_bad": skip_bad}
    source, _ = as_part(data, **where, learners=[learner])
    if not source.has_images:
        raise FairshotError(
            f"{source.name} holds {count_of(len(source), 'vector')} and no images: it is embedded already"
        )
    features = Features(source, learner)
    vectors = []
    for start in range(0, len(source), BATCH):
        vectors.append(features.vectors(source.image_ids[start : start + BATCH]))
        progress("embedding", min(start + BATCH, len(source)), len(source), np.nan)
    return Embedding(learner.label, source, np.concatenate(vectors), learner.encoder.warnings)
