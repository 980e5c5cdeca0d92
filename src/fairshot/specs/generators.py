"""Words to generators: `NAME`, `NAME:setting=value`, a run's folder or a file of weights; and objects in hand."""

import inspect
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairshot.runtime.errors import FairshotError
from fairshot.specs.grammar import parameters, parse_settings, parse_spec
from fairshot.specs.registry import find_class, names

if TYPE_CHECKING:
    from fairshot.generators.generator import Generator
    from fairshot.generators.training.sampler import TrainedGenerator
    from fairshot.generators.training.trainable import TrainableGenerator


def find_named_generator(spec: str) -> "Generator | None":
    """A generator that is found by its name, with its settings, or a trained one by its folder; None for others."""
    trained = find_trained_generator(spec)
    if trained is not None:
        return trained
    if not _names_generator(spec):
        return None
    parsed = parse_spec(spec)
    kind = find_class("generators", parsed.name)
    return kind(**parse_settings(parsed.settings, parameters(kind.__init__), parsed.name))


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
        return _by_name(str(learner), preset) if _names_generator(str(learner)) else None
    from fairshot.generators.generator import Generator
    from fairshot.generators.training.trainable import TrainableGenerator

    if not isinstance(learner, Generator):
        return None
    name = Path(inspect.getfile(type(learner))).stem
    if not isinstance(learner, TrainableGenerator):
        raise _nothing_to_train(name)
    return learner.with_settings(_settings(learner, preset)), name


def _by_name(spec: str, preset: str) -> "tuple[TrainableGenerator, str]":
    from fairshot.generators.training.trainable import TrainableGenerator

    parsed = parse_spec(spec)
    name = parsed.name.replace("-", "_")
    kind = find_class("generators", name)
    if not issubclass(kind, TrainableGenerator):
        raise _nothing_to_train(name)
    given = parse_settings(parsed.settings, parameters(kind.__init__), name)
    return kind(**{**_settings(kind, preset), **given}), name


def _settings(kind: Any, preset: str) -> dict[str, Any]:
    return dict(kind.preset(preset).settings) if preset else {}


def _names_generator(spec: str) -> bool:
    return spec.partition(":")[0].replace("-", "_") in names("generators")


def _nothing_to_train(name: str) -> FairshotError:
    from fairshot.generators.training.trainable import TrainableGenerator

    others = [other for other in names("generators") if issubclass(find_class("generators", other), TrainableGenerator)]
    return FairshotError(f"{name} has nothing to train: choose among {', '.join(others)}")
