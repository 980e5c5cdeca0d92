"""Words to what can be trained: `NAME`, `NAME@mine.py:Net`, `mine.py:NAME`, or objects in hand."""

import inspect
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.learner import parse_learner
from fairshot.runtime.grammar.name import Code, Name, is_own_code, parse_code
from fairshot.specs.foreign import load_code
from fairshot.specs.learners import find_learner, use_registered_networks
from fairshot.specs.registry import names
from fairshot.specs.weights import find_own_network, network_from_file, own_trainable

if TYPE_CHECKING:
    from fairshot.learners.networks.network import Architecture
    from fairshot.learners.training.subject import Subject
    from fairshot.learners.training.trainable import Trainable


def as_trainable(learner: Any) -> "Subject":
    """What is trained: a spec, a Trainable, or a network of somebody's own, which gets prototypes for a head."""
    from fairshot.learners.training.subject import Subject, as_subject

    use_registered_networks()
    if isinstance(learner, Subject):
        return learner
    if isinstance(learner, str | Path):
        return _find(str(learner))
    made = own_trainable(learner, _name_of(learner))
    if made is not None:
        return as_subject(made)
    network = as_network_code(learner)
    if network is None:
        raise _nothing_to_train(_name_of(learner))
    return _with_prototypes(network)


def find_trainable(spec: str) -> "Trainable":
    """A learner that can be trained, by name or out of a file."""
    return as_trainable(spec).learner


def as_network_code(network: Any) -> "Architecture | None":
    """A network of somebody's own: `mine.py:Net`, a module, its class, or a function that makes it; None for others."""
    from fairshot.learners.foreign.modules import as_architecture
    from fairshot.learners.training.subject import hash_source

    if isinstance(network, str | Path):
        return find_own_network(parse_code(str(network))) if is_own_code(str(network)) else None
    code = network if isinstance(network, type) or inspect.isfunction(network) else type(network)
    return as_architecture(network, _name_of(network), hash_source(code))


def _find(spec: str) -> "Subject":
    parsed = parse_learner(spec)
    head, weights = parsed.head, parsed.weights
    if weights:
        raise FairshotError(
            f"{spec} is trained already: to begin with its weights, train {head} with begin={weights} (--set "
            f"begin={weights})"
        )
    network = find_own_network(parsed.code) if parsed.code else None
    assert head is not None
    return _head_by_name(head, network) if isinstance(head, Name) else _head_from_file(head, network)


def _head_by_name(spec: Name, network: "Architecture | None") -> "Subject":
    from fairshot.learners.training.subject import as_subject
    from fairshot.learners.training.trainable import Trainable

    learner = find_learner(str(spec))
    if not isinstance(learner, Trainable):
        raise _nothing_to_train(str(spec))
    return replace(as_subject(learner), network=network)


def _head_from_file(code: Code, network: "Architecture | None") -> "Subject":
    from fairshot.learners.training.subject import Subject

    target, digest = load_code(code)
    learner = own_trainable(target, code)
    if learner is not None:
        return Subject(learner, str(code), network=network, file=digest)
    if network is not None:
        raise FairshotError(f"{code} is no Trainable: in front of a network stands a learner that can be trained")
    return _with_prototypes(network_from_file(target, digest, code))


def _with_prototypes(network: "Architecture") -> "Subject":
    from fairshot.learners.classifiers.prototypes import Prototypes
    from fairshot.learners.training.subject import Subject

    return Subject(Prototypes(), "prototypes", network=network)


def _name_of(thing: Any) -> str:
    return getattr(thing, "__name__", None) or type(thing).__name__


def _nothing_to_train(name: str) -> FairshotError:
    from fairshot.learners.training.trainable import Trainable

    others = [other for other in names("learners") if isinstance(find_learner(other), Trainable)]
    return FairshotError(
        f"{name} has nothing to train: choose among {', '.join(others)}, or give a Trainable or a network of your own"
    )
