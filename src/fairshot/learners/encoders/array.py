"""Vectors that were made elsewhere, `array:FILE`: one for each image of the data, in the same order."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from jaxtyping import Float, Int
from torch import Tensor

from fairshot.learners.encoders.encoder import Encoder
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint
from fairshot.sources.array import load
from fairshot.sources.source import Source


@dataclass(frozen=True)
class Array(Encoder):
    """Row i of the file belongs to image i; labels in the file must be those of the data, lest an order be mixed up."""

    model: str

    @property
    def name(self) -> str:
        """As it is written."""
        return f"array:{self.model}"

    @cached_property
    def vectors(self) -> Source:
        """What the file holds."""
        source = load(self.model)
        if source.has_images:
            raise FairshotError(f"{self.model} holds images, and an encoder gives vectors: give a file of vectors")
        return source

    @property
    def identity(self) -> str:
        """What the file holds."""
        return fingerprint("array", self.vectors.content)

    def embed(self, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image feature"]:
        """Raises: there are vectors for the images of one source and no others."""
        raise FairshotError(
            f"{self.name} holds vectors of given images and cannot make new ones: give an encoder that reads images"
        )

    def find_vectors(self, source: Source, rows: Int[np.ndarray, " image"]) -> Float[np.ndarray, "image feature"]:
        """The vectors of some images, by their place in the whole source."""
        known = self.vectors
        if len(known) != len(source.store):
            raise FairshotError(
                f"{self.model} holds {len(known):,} vectors and {source.name} {len(source.store):,} images: give one "
                "for each image, in the order of the data"
            )
        image_ids = source.image_ids[rows]
        named = [known.class_names[number] for number in known.class_ids[image_ids]]
        wanted = [source.class_names[number] for number in source.class_ids[rows]]
        if (wrong := next((place for place in range(len(rows)) if named[place] != wanted[place]), None)) is not None:
            raise FairshotError(
                f"row {image_ids[wrong]} of {self.model} has the label {named[wrong]}, and the image there is of "
                f"{wanted[wrong]}: give the vectors in the order of the data, with the same class names"
            )
        return known.store[image_ids]
