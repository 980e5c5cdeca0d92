"""What can be told of code that is not ours: enough to notice that it changed."""

import hashlib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from jaxtyping import Float
from torch import Tensor

from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.learners.wrapper import Wrapper


def foreign_identity(thing: Any, file: str = "") -> str | None:
    """A hash of an object, its code and what it refers to, and its file; None if it cannot be taken down.

    Modules that the code imports are not part of it.
    """
    from cloudpickle import dumps

    try:
        content = dumps(thing)
    except Exception:  # locks, open files, handles: whatever cannot be pickled cannot be recognised again
        return None
    code = thing if inspect.isroutine(thing) or inspect.isclass(thing) else type(thing)
    try:
        source = inspect.getsource(code)
    except (OSError, TypeError):  # typed in by hand, or not written in Python: the pickle holds its code
        source = ""
    return hashlib.blake2b(content + source.encode() + file.encode(), digest_size=16).hexdigest()


@dataclass(frozen=True)
class Foreign(Wrapper):
    """A Classifier out of somebody's file, recognised by its code."""

    learner: Classifier
    file: str

    @property
    def inner(self) -> Classifier:
        """The learner."""
        return self.learner

    @property
    def settings(self) -> Mapping[str, Any]:
        """Its own, and the hash of its file."""
        return {**self.learner.settings, "file": self.file}

    @property
    def identity(self) -> str | None:
        """Its state, its code and its file."""
        return foreign_identity(self.learner, self.file)

    @property
    def reads(self) -> str:  # type: ignore[override]
        """As it says itself."""
        return self.learner.reads

    def embed(self, images: Float[Tensor, "image ..."]) -> Float[Tensor, "image ..."]:
        """As it does."""
        return self.learner.embed(images)

    def classify(self, batch: TaskBatch) -> Float[Tensor, "episode query way"]:
        """As it does."""
        return self.learner.classify(batch)
