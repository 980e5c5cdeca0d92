"""Anybody's encoder in front of any head: a torch module or a function from images to vectors."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from jaxtyping import Float
from torch import Tensor, nn

from fairshot.learners.foreign.code import foreign_identity
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.wrapper import Wrapper
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.fingerprints import fingerprint


@dataclass(frozen=True)
class Encoded(Wrapper):
    """Embeds with `encode` and lets `head` classify the embeddings."""

    head: Classifier
    encode: Callable[[Any], Any] = field(repr=False)
    file: str = ""
    """The hash of the file it came from."""
    name: str = ""
    """What errors call the encoder."""

    @property
    def label(self) -> str:
        """The encoder's name, where it has one, or what the head is called."""
        return self.name or self.head.label

    @property
    def inner(self) -> Classifier:
        """The head."""
        return self.head

    @property
    def settings(self) -> dict[str, Any]:
        """The head's settings; nothing can be told of the encoder but its file."""
        return {"head": dict(self.head.settings), "file": self.file}

    @property
    def identity(self) -> str | None:
        """Head and encoder, with its weights."""
        head, encoder = self.head.identity, foreign_identity(self.encode, self.file)
        return fingerprint(head, encoder) if head and encoder else None

    def embed(self, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image feature"]:
        """A module gets a tensor, in evaluation mode; any other function a NumPy array."""
        encode = self.encode
        features = encode.eval()(images) if isinstance(encode, nn.Module) else encode(images.numpy())
        features = features if isinstance(features, Tensor) else torch.from_numpy(np.asarray(features))
        if len(features) != len(images):
            raise FairshotError(
                f"{self.label} gave {len(features)} rows for {len(images)} images when it embedded: an encoder returns "
                "one finite vector per image"
            )
        return features.to(torch.float32).flatten(1)

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """As the head."""
        return self.head.classify(batch)
