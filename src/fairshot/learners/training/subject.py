"""A Subject: what is trained, a learner and the network it stands on, and whose code these are."""

import hashlib
import inspect
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fairshot.learners.networks.network import Architecture, find_architecture
from fairshot.learners.training.trainable import Trainable

FOUND_BY_NAME = ("fairshot.", "fairshot_plugin_")  # how the names of modules begin whose learners are found by name


@dataclass(frozen=True)
class Subject:
    """A learner that can be trained, and its network where the plan is not to name it."""

    learner: Trainable
    name: str
    """What records call the learner."""
    network: Architecture | None = None
    file: str | None = None
    """The hash of the learner's code, where it is somebody's own and nobody finds it by name."""

    def architecture(self, plan_network: str) -> Architecture:
        """The subject's own network, or the one that a plan names."""
        return self.network or find_architecture(plan_network)

    def code(self, network: Architecture) -> dict[str, str]:
        """The hashes of what is somebody's own, by name."""
        hashes = {self.name: self.file, network.name: network.file}
        return {name: file for name, file in hashes.items() if file is not None}


def as_subject(learner: "Trainable | Subject") -> Subject:
    """A learner with the name that records give it: that of its file, or of its class if it is somebody's own."""
    if isinstance(learner, Subject):
        return learner
    kind = type(learner)
    if kind.__module__.startswith(FOUND_BY_NAME):
        return Subject(learner, Path(inspect.getfile(kind)).stem)
    return Subject(learner, kind.__name__, file=hash_source(kind))


def hash_source(thing: Any) -> str:
    """A hash of how a class or function is written; empty where nobody knows."""
    try:
        return hashlib.sha256(inspect.getsource(thing).encode()).hexdigest()
    except (OSError, TypeError):  # typed in by hand, or not written in Python
        return ""
