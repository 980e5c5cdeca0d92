"""Who is asked in an audit: a learner, and others on the same vectors to measure it by."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import torch

from fairshot.learners.encoded import Encoded
from fairshot.learners.fitted import Fitted
from fairshot.learners.foreign.code import Foreign
from fairshot.learners.learner import Classifier
from fairshot.learners.training.record import is_trained, shipped_weights
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.learner import parse_learner
from fairshot.runtime.grammar.name import Code, is_own_code, split_label
from fairshot.specs.encoders import sees_pixels
from fairshot.specs.learners import as_learners, find_learner

RIVALS = ("prototypes", "neighbours")


@dataclass(frozen=True)
class Contestant:
    """A learner with its name, and the spec that named it if one did."""

    name: str
    learner: Classifier
    spec: str | None = None

    @property
    def encodes(self) -> bool:
        """Whether it makes vectors of its own, and does not take pixels or features as they are."""
        return not sees_pixels(self.learner) if self.spec is None else has_encoder(self.spec)

    @property
    def clusterable(self) -> bool:
        """Whether a clusterer can be put on its vectors; what a file holds under a name may have none."""
        return self.spec is None or not isinstance(parse_learner(self.spec).head, Code)

    @property
    def head(self) -> str:
        """The name of its kind, without settings and weights."""
        learner = self.learner.learner if isinstance(self.learner, Foreign) else self.learner
        inner = learner.head if isinstance(learner, Fitted | Encoded) else learner
        return type(inner).__name__.lower() if self.spec is None else _head_name(self.spec)

    def with_head(self, head: str) -> "Contestant":
        """Another learner on the same vectors."""
        if self.spec is not None:
            spec = on_same_vectors(head, self.spec)
            plain = self.name == _head_name(self.spec)  # an encoder that all share is in nobody's name
            return Contestant(head if plain else spec, find_learner(spec), spec)
        name = head if sees_pixels(self.learner) else f"{head}@{self.name}"
        return Contestant(name, _replace_head(self.learner, find_learner(head)))


def find_contestants(learner: Any, rival: Any = None) -> tuple[Contestant, Contestant]:
    """The learner and its rival, from one or two specs or objects; the usual rival stands on the same vectors."""
    given = list(learner) if isinstance(learner, list | tuple) else [learner]
    given += [] if rival is None else [rival]
    count = sum(len(one) if isinstance(one, Mapping) else 1 for one in given)
    if count > 2:
        raise FairshotError(f"{count} learners were named: an audit compares two of them, or one with its usual rival")
    named = [
        Contestant(name, found, _spec(one[name] if isinstance(one, Mapping) else one))
        for one in given
        for name, found in as_learners(one).items()
    ]
    first = named[0]
    return first, named[1] if len(named) == 2 else first.with_head(RIVALS[0 if first.head == RIVALS[1] else 1])


def has_encoder(spec: str) -> bool:
    """Whether a spec names weights, an encoder or somebody's own code."""
    return is_own_code(spec) or bool(parse_learner(spec).behind)


def on_same_vectors(head: str, spec: str) -> str:
    """The spec of another learner on what stands behind this one; on itself, where it is trained weights."""
    if is_trained(spec) or spec in shipped_weights():
        return f"{head}@{spec}"
    return str(parse_learner(spec).with_head(head))


def _head_name(spec: str) -> str:
    head = parse_learner(spec).head
    return "" if head is None else head.name


def _spec(given: Any) -> str | None:
    return split_label(given)[1] if isinstance(given, str) else None


def _replace_head(learner: Classifier, head: Classifier) -> Classifier:
    """The head on whatever the learner makes of an image."""
    if isinstance(learner, Foreign):
        return _replace_head(learner.learner, head)
    if isinstance(learner, Fitted):
        return replace(learner, head=head, own=False)
    if isinstance(learner, Encoded):
        return replace(learner, head=head)
    return head if sees_pixels(learner) else Encoded(head, lambda images: learner.embed(torch.from_numpy(images)))
