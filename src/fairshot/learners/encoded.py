"""An encoder in front of any head: one that comes with weights, or anybody's torch module or function."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from jaxtyping import Float, Shaped
from torch import Tensor, nn

from fairshot.learners.encoders.encoder import Encoder
from fairshot.learners.foreign.code import foreign_identity
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.wrapper import Wrapper
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint


@dataclass(frozen=True)
class Encoded(Wrapper):
    """Embeds with `encode` and lets `head` classify the embeddings."""

    head: Classifier
    encode: Encoder | Callable[[Any], Any] = field(repr=False)
    file: str = ""
    """The hash of the file it came from."""
    name: str = ""
    """What errors call the encoder."""

    @property
    def encoder(self) -> Encoder:  # type: ignore[override]
        """What embeds."""
        return self.encode if isinstance(self.encode, Encoder) else OwnEncoder(self.encode, self.file, self.label)

    @property
    def label(self) -> str:
        """The encoder's name, where it has one, or what the head is called."""
        if isinstance(self.encode, Encoder):
            return self.encode.name
        return self.name or self.head.label

    @property
    def inner(self) -> Classifier:
        """The head."""
        return self.head

    @property
    def settings(self) -> dict[str, Any]:
        """The head's settings; of an encoder of one's own nothing is known but its file."""
        encoder = {"encoder": self.encode.name} if isinstance(self.encode, Encoder) else {"file": self.file}
        return {"head": dict(self.head.settings), **encoder}

    @property
    def identity(self) -> str | None:
        """Head and encoder, with its weights."""
        head, encoder = self.head.identity, self.encoder.identity
        return fingerprint(head, encoder) if head and encoder else None

    def embed(self, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image feature"]:
        """As the encoder does."""
        features = self.encoder.embed(images)
        if len(features) != len(images):
            raise FairshotError(
                f"{self.label} gave {len(features)} rows for {len(images)} images when it embedded: an encoder returns "
                "one finite vector per image"
            )
        return features.to(torch.float32).flatten(1)

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """As the head."""
        return self.head.classify(batch)


@dataclass(frozen=True)
class OwnEncoder(Encoder):
    """Somebody's torch module or function from images to vectors."""

    encode: Callable[[Any], Any]
    file: str
    label: str

    @property
    def name(self) -> str:
        """As it was called by whoever gave it."""
        return self.label

    @property
    def identity(self) -> str | None:
        """Its code, what it refers to, and its file; modules that it imports are not looked at."""
        return foreign_identity(self.encode, self.file)

    def embed(self, images: Float[Tensor, "image ..."]) -> Shaped[Tensor, "row ..."]:
        """A module gets a tensor, in evaluation mode; any other function a NumPy array."""
        encode = self.encode
        features = encode.eval()(images) if isinstance(encode, nn.Module) else encode(images.numpy())
        return features if isinstance(features, Tensor) else torch.from_numpy(np.asarray(features))
