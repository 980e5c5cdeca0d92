"""Trained generators by their name: `NAME` with the weights that come with fairshot, `NAME:guidance=2@runs/a`."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from fairshot.generators.weights import USUAL, shipped_generators
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.specs.registry import find_class

if TYPE_CHECKING:
    from fairshot.generators.training.sampler import TrainedGenerator


def find_weighted_generator(name: str, settings: dict[str, Any], behind: str) -> "TrainedGenerator | None":
    """The generator of that name with weights, drawing by these settings; None if it has to be trained first.

    `behind` names a run's folder, a file of weights or shipped ones. Without it, those that come with fairshot are
    taken, unless a setting asks for another training. Shipped ones draw by the settings that the generator is listed
    with, those of a run as it was told.
    """
    from fairshot.learners.training.record import find_weights, is_trained

    if is_trained(behind):
        return _load(find_weights(behind), name, settings)
    kind, shipped = find_class("generators", name), shipped_generators()
    sampling = {setting: getattr(kind, setting) for setting in getattr(kind, "sampling", ())}
    full = f"{name}@{behind or USUAL}"
    if full not in shipped and behind:
        raise unknown("weights", full, shipped)
    if full not in shipped or not (behind or {*settings} <= {*sampling}):
        return None
    return _load(shipped[full], name, sampling | settings)


def _load(path: Path, name: str, settings: dict[str, Any]) -> "TrainedGenerator":
    from fairshot.generators.training.sampler import load_generator
    from fairshot.learners.training.record import read_record

    record, _ = read_record(path)
    if record.learner != name:
        raise FairshotError(f"{path} holds a trained {record.learner}: write {record.learner}@... in front of it")
    generator = load_generator(path, find_class("generators", name)(**record.settings))
    return generator.with_sampling(settings) if settings else generator
