"""Words to generators: `NAME`, `NAME:setting=value@WEIGHTS`, a run's folder or a file of weights; and objects."""

import inspect
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.learner import parse_learner
from fairshot.runtime.grammar.name import Name, is_own_code
from fairshot.runtime.grammar.settings import parameters, type_settings
from fairshot.specs.generator_weights import find_weighted_generator
from fairshot.specs.registry import find_class, find_name, names

if TYPE_CHECKING:
    from fairshot.generators.generator import Generator
    from fairshot.generators.training.sampler import TrainedGenerator
    from fairshot.generators.training.trainable import TrainableGenerator


def find_named_generator(spec: str) -> "Generator | None":
    """A generator that is found by its name, with its settings, or a trained one by its folder; None for others."""
    trained = find_trained_generator(spec)
    if trained is not None:
        return trained
    parsed = _find_name_and_weights(spec)
    if parsed is None:
        return None
    name, weights = parsed
    kind = find_class("generators", name.name)
    settings = type_settings(name.settings, parameters(kind), name.name)
    return find_weighted_generator(name.stem, settings, weights) or kind(**settings)


def _find_name_and_weights(spec: str) -> tuple[Name, str] | None:
    """The name and settings of a generator, and the weights behind it; None where a spec names none."""
    if is_own_code(spec):
        return None
    with suppress(FairshotError):  # folders of samples may have any name
        parsed = parse_learner(spec)
        if isinstance(parsed.head, Name) and parsed.head.stem in names("generators"):
            return parsed.head, parsed.weights
    return None


def find_trained_generator(spec: str) -> "TrainedGenerator | None":
    """The generator of a run's folder or a file of weights; None for what is neither; a learner's is an error."""
    from fairshot.learners.training.record import find_weights, is_trained, read_record

    if not is_trained(spec):
        return None
    from fairshot.generators.training.sampler import load_generator

    path = find_weights(spec)
    record, _ = read_record(path)
    if record.learner not in names("generators"):
        raise FairshotError(f"{spec} holds a trained {record.learner}, which draws nothing: give a trained generator")
    return load_generator(path, find_class("generators", record.learner)(**record.settings))


def find_trainable_generator(learner: Any, preset: str) -> "tuple[TrainableGenerator, str] | None":
    """A generator that can be trained and its name; with the settings of a preset, but for those that are given.

    None for everything that is no generator; one that has nothing to train is an error.
    """
    if isinstance(learner, str | Path):
        named = find_name("generators", str(learner))
        return None if named is None else _by_name(named, preset)
    from fairshot.generators.generator import Generator
    from fairshot.generators.training.trainable import TrainableGenerator

    if not isinstance(learner, Generator):
        return None
    name = Path(inspect.getfile(type(learner))).stem
    if not isinstance(learner, TrainableGenerator):
        raise _nothing_to_train(name)
    return learner.with_settings(_settings(learner, preset)), name


def _by_name(spec: Name, preset: str) -> "tuple[TrainableGenerator, str]":
    from fairshot.generators.training.trainable import TrainableGenerator

    name = spec.stem
    kind = find_class("generators", name)
    if not issubclass(kind, TrainableGenerator):
        raise _nothing_to_train(name)
    given = type_settings(spec.settings, parameters(kind), name)
    return kind(**{**_settings(kind, preset), **given}), name


def _settings(kind: Any, preset: str) -> dict[str, Any]:
    return dict(kind.preset(preset).settings) if preset else {}


def _nothing_to_train(name: str) -> FairshotError:
    from fairshot.generators.training.trainable import TrainableGenerator

    others = [other for other in names("generators") if issubclass(find_class("generators", other), TrainableGenerator)]
    return FairshotError(f"{name} has nothing to train: choose among {', '.join(others)}")
