"""Words to learners: by name, with weights, out of a file, or any object of a Python user."""

import os
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError, shown
from fairshot.runtime.grammar.learner import LearnerSpec, parse_learner
from fairshot.runtime.grammar.name import Code, Spec, split_label
from fairshot.runtime.grammar.settings import parameters, type_settings
from fairshot.specs.foreign import adapt, as_encoder, load_code
from fairshot.specs.registry import find_class
from fairshot.specs.weights import load_trained

if TYPE_CHECKING:
    from fairshot.learners.learner import Classifier
    from fairshot.learners.networks.network import Architecture


def find_learner(spec: str) -> "Classifier":
    """`NAME`, `NAME:setting=value,...`, `NAME@WEIGHTS`, a run folder, `path.py:name`, `NAME@path.py:encoder`, or
    `NAME@ENCODER` with an encoder that comes with its weights.

    Settings stand behind a name in a file as well: `mine.py:Mine:k=3`.
    Weights whose network or learner is somebody's own code are given with it: `mine.py:Net@runs/x`.
    """
    from fairshot.learners.encoded import Encoded
    from fairshot.learners.training.record import is_trained
    from fairshot.specs.encoders import find_encoder

    use_registered_networks()
    if is_trained(spec) and Path(spec).exists():  # whatever signs are in its path
        return load_trained(LearnerSpec(weights=spec), _find_head)
    parsed = parse_learner(spec)
    if parsed.weights and parsed.head is not None and _names_encoder(parsed):
        return Encoded(find_learner(str(parsed.head)), find_encoder(parsed.weights))
    if parsed.weights:
        return load_trained(parsed, _find_head)
    assert parsed.head is not None
    if parsed.code is not None:
        return _encoded(parsed.head, parsed.code)
    if is_trained(spec):
        return load_trained(LearnerSpec(weights=spec), _find_head)
    return _find_head(parsed.head, {})


def _names_encoder(parsed: LearnerSpec) -> bool:
    """Whether what stands behind a head is an encoder; a file or folder of that name is weights."""
    from fairshot.specs.encoders import is_encoder

    return parsed.code is None and is_encoder(parsed.weights) and not Path(parsed.weights).exists()


def _encoded(head: Spec, code: Code) -> "Classifier":
    """A head on an encoder out of a file."""
    from fairshot.learners.encoded import Encoded

    target, digest = load_code(code)
    return Encoded(find_learner(str(head)), as_encoder(target, code), file=digest, name=str(code))


def as_learner(learner: Any) -> "Classifier":
    """A learner, whatever it is given as: a spec, a Classifier, a scikit-learn estimator, a function, a module."""
    from fairshot.learners.learner import Classifier

    if isinstance(learner, Path):
        learner = str(learner)
    if isinstance(learner, str):
        return find_learner(learner)
    return learner if isinstance(learner, Classifier) else adapt(learner, "", name_of(learner))


def as_learners(learners: Any) -> "dict[str, Classifier]":
    """Learners by name: a mapping as it is, one or several specs under their own text, objects under their type."""
    if isinstance(learners, Mapping) and len(learners):
        return {_as_name(name): as_learner(learner) for name, learner in learners.items()}
    several = isinstance(learners, Sequence | Mapping) and not isinstance(learners, str | bytes)
    listed = list(learners) if several else [learners]
    if not listed:
        raise FairshotError("no learner was given: name at least one, such as 'prototypes'")
    named: dict[str, Classifier] = {}
    for learner in dict.fromkeys(listed) if all(isinstance(one, str) for one in listed) else listed:
        name, spec = split_label(learner) if isinstance(learner, str) else (_free_name(learner, named), learner)
        if name in named:
            how = f"as in 'other={spec}'" if isinstance(learner, str) else "as a dictionary"
            raise FairshotError(f"two learners are called {name}: give them names of their own, {how}")
        named[name] = as_learner(spec)
    return named


def _as_name(name: Any) -> str:
    if not isinstance(name, str) or not name.strip():
        raise FairshotError(f"a learner is called {shown(name)}: give it a name, as in {{'mine': ...}}")
    return name


def one_learner(learner: Any) -> "tuple[str, Classifier]":
    """A single learner with its name, given as any of these."""
    found = as_learners(learner)
    if len(found) > 1:
        raise FairshotError(f"{len(found)} learners were named, {', '.join(found)}: name one")
    return next(iter(found.items()))


def name_of(learner: Any) -> str:
    """What an object is called where nobody said: a function by its own name, anything else by its type."""
    from fairshot.learners.learner import Learner

    if isinstance(learner, Path):
        return str(learner)
    if isinstance(learner, Learner):
        return learner.label
    return getattr(learner, "__name__", None) or type(learner).__name__


def _free_name(learner: Any, taken: Mapping[str, Any]) -> str:
    """The name of an object; trained learners of one name are told apart by seed and by what they were trained on."""
    from fairshot.learners.fitted import Fitted

    name = name_of(learner)
    if not isinstance(learner, Fitted):
        return name
    record = learner.record
    for difference in (f", seed {record.seed}", f" on {record.source}", f", {record.preset}"):
        if name not in taken:
            break
        name += difference
    return name


def _find_head(head: Spec, known: Mapping[str, Any]) -> "Classifier":
    """A learner by name with settings, on top of those that are known; or out of somebody's file."""
    if isinstance(head, Code):
        return adapt(*load_code(head), head)
    if head.name.endswith(".py"):
        raise FairshotError(f"{head.name} is a file: say which learner in it, as in {head.name}:NAME")
    if os.sep in head.name:
        raise FairshotError(f"there is no run {head.name}: train one with 'fairshot train ... --out {head.name}'")
    kind = find_class("learners", head.name)
    learner: Classifier = kind(**{**known, **type_settings(head.settings, parameters(kind), head.name)})
    return learner


@cache
def use_registered_networks() -> None:
    """Lets networks of plugins be found by name wherever one is made."""
    from fairshot.learners.networks.network import register_finder

    register_finder(_find_network)


def _find_network(name: str) -> "Architecture":
    from fairshot.learners.foreign.modules import as_architecture

    architecture = as_architecture(find_class("networks", name), name)
    if architecture is None:
        raise FairshotError(f"{name} is no network: its class must be a torch module from images to vectors")
    return architecture
