"""Words to learners: by name, with weights, out of a file, or any object of a Python user."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.user_file import load_from_file
from fairshot.specs.grammar import is_own_code, parameters, parse_settings, parse_spec, split_label
from fairshot.specs.registry import find_class

if TYPE_CHECKING:
    from fairshot.learners.learner import Classifier


def find_learner(spec: str) -> "Classifier":
    """`NAME`, `NAME:setting=value,...`, `NAME@WEIGHTS`, a run folder, `path.py:name`, or `NAME@path.py:encoder`."""
    from fairshot.learners.foreign.encoders import Encoded
    from fairshot.learners.training.record import find_weights, is_trained

    if is_trained(spec) and Path(spec).exists():  # whatever signs are in its path
        return _trained(find_weights(spec), None)
    head, at, behind = spec.partition("@")
    if at and is_own_code(behind):
        target, digest = load_from_file(behind)
        return Encoded(find_learner(head), _as_encoder(target, behind), file=digest)
    if is_own_code(spec):
        target, digest = load_from_file(spec)
        return _adapt(target, digest, spec)
    if at:
        return _trained(find_weights(behind, parse_spec(head).name), head)
    if is_trained(spec):
        return _trained(find_weights(spec), None)
    return _by_name(spec, {})


def as_learner(learner: Any) -> "Classifier":
    """A learner, whatever it is given as: a spec, a Classifier, a scikit-learn estimator, a function, a module."""
    from fairshot.learners.learner import Classifier

    if isinstance(learner, Path):
        learner = str(learner)
    if isinstance(learner, str):
        return find_learner(learner)
    return learner if isinstance(learner, Classifier) else _adapt(learner, "", _name_of(learner))


def as_learners(learners: Any) -> "dict[str, Classifier]":
    """Learners by name: a mapping as it is, one or several specs under their own text, objects under their type."""
    if isinstance(learners, Mapping):
        return {str(name): as_learner(learner) for name, learner in learners.items()}
    listed = list(learners) if isinstance(learners, Sequence) and not isinstance(learners, str) else [learners]
    if not listed:
        raise FairshotError("no learner was given: name at least one, such as 'prototypes'")
    found: dict[str, Classifier] = {}
    for learner in listed:
        name, spec = split_label(learner) if isinstance(learner, str) else (_name_of(learner), learner)
        if name in found and isinstance(learner, str):
            continue
        if name in found:
            raise FairshotError(f"two learners are called {name}: give them names of their own, as a dictionary")
        found[name] = as_learner(spec)
    return found


def one_learner(learner: Any) -> "tuple[str, Classifier]":
    """A single learner with its name, given as any of these."""
    found = as_learners(learner)
    if len(found) > 1:
        raise FairshotError(f"{len(found)} learners were named, {', '.join(found)}: name one")
    return next(iter(found.items()))


def _name_of(learner: Any) -> str:
    """What an object is called where nobody said: a function by its own name, anything else by its type."""
    if isinstance(learner, Path):
        return str(learner)
    return getattr(learner, "__name__", None) or type(learner).__name__


def _by_name(spec: str, known: Mapping[str, Any]) -> "Classifier":
    """A learner by name with settings, on top of those that are known."""
    name, _, settings = spec.partition(":")
    kind = find_class("learners", name)
    return kind(**{**known, **parse_settings(settings, parameters(kind.__init__), name)})


def _trained(path: Path, spec: str | None) -> "Classifier":
    """Weights with the head they were trained with, or with the one that is asked for."""
    from fairshot.learners.fitted import load_fitted
    from fairshot.learners.networks.network import make_network
    from fairshot.learners.training.record import read_record

    record, _ = read_record(path)
    own = spec is None or parse_spec(spec).name.replace("-", "_") == record.learner
    try:
        head = _by_name(spec or record.learner, record.settings) if own else find_learner(str(spec))
        return load_fitted(path, make_network(record.plan.network, record.shape), head, own=own)
    except FairshotError:
        raise
    except Exception as error:  # a file cut short, other shapes, settings that are no more
        raise FairshotError(
            f"the weights {path} cannot be used ({type(error).__name__}): they are damaged or of another version, so "
            "train anew"
        ) from error


def _adapt(target: Any, digest: str, spec: str) -> "Classifier":
    """A learner out of whatever the user has under that name."""
    from torch import nn

    from fairshot.learners.foreign.code import Foreign
    from fairshot.learners.foreign.encoders import Encoded
    from fairshot.learners.foreign.estimators import Estimator, Function
    from fairshot.learners.learner import Classifier

    target = _make(target, spec)
    if isinstance(target, Classifier):
        return Foreign(target, digest)
    if isinstance(target, nn.Module):
        return Encoded(find_learner("prototypes"), target, file=digest)
    if hasattr(target, "fit") and hasattr(target, "predict"):
        return Estimator(target, file=digest)
    if callable(target):
        count = len([p for p in inspect.signature(target).parameters.values() if p.default is p.empty])
        if count == 3:
            return Function(target, name=spec, file=digest)
        if count == 1:
            return Encoded(find_learner("prototypes"), target, file=digest)
    raise FairshotError(
        f"{spec} is neither a scikit-learn estimator, nor f(support_x, support_y, query_x), nor an encoder f(images), "
        "nor a Classifier"
    )


def _as_encoder(target: Any, spec: str) -> Callable[[Any], Any]:
    made = _make(target, spec)
    if not callable(made):
        raise FairshotError(f"{spec} is not an encoder: give a function or a torch module from images to vectors")
    return made


def _make(target: Any, spec: str) -> Any:
    """What a class or a function without arguments makes; anything else is itself."""
    if not isinstance(target, type) and not (inspect.isfunction(target) and not inspect.signature(target).parameters):
        return target
    try:
        return target()
    except Exception as error:
        raise FairshotError(f"{spec} cannot be made without arguments ({type(error).__name__}: {error})") from error
