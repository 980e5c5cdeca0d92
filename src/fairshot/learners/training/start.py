"""What a training begins with: its record, its model, and the parts it is shown."""

import json
from dataclasses import replace

import numpy as np
import torch

from fairshot.learners.fitted import load_fitted
from fairshot.learners.networks.network import Architecture
from fairshot.learners.seen import Seen, remember_both
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.record import Record, find_weights, read_record
from fairshot.learners.training.subject import Subject
from fairshot.learners.training.trainable import Model, Trainable
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.seeds import Stream
from fairshot.sources.source import Source
from fairshot.sources.union import JoinedSource, join, sources_of


def make_record(subject: Subject, network: Architecture, plan: Plan, *, preset: str, base: Source, seed: int) -> Record:
    """What is known of a training before its first step."""
    if not base.has_images:
        raise FairshotError(f"{base.name} holds feature vectors, and a network is trained on images")
    colours, height, width = base.recipe.scale(base.read(slice(0, 1))).shape[1:]
    if height != width:
        raise FairshotError(f"{base.name} has images of {width} x {height}: networks want squares, use the recipe 84")
    return Record(
        learner=subject.name,
        settings=_settings(subject),
        plan=replace(plan, network=network.name),
        preset=preset,
        source=base.name,
        recipe=base.recipe.name,
        shape=(colours, height),
        classes=len(base.classes),
        seed=seed,
        code=subject.code(network),
    )


def _settings(subject: Subject) -> dict[str, object]:
    settings = dict(subject.learner.settings)
    try:
        json.dumps(settings)
    except (TypeError, ValueError) as error:
        raise FairshotError(
            f"the settings of {subject.name} cannot be written down ({error}): fields of a learner are numbers, texts "
            "and truths"
        ) from error
    return settings


def start_model(learner: Trainable, network: Architecture, record: Record) -> Model:
    """The model before the first step, with random weights that depend on the seed alone."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(draw_seed(record.seed, "weights", 0))
        made = network.make(record.shape)
        model = Model(made, learner.start(made.width, record.classes), record.plan.statistics)
    if not any(parameter.requires_grad for parameter in model.parameters()):
        raise FairshotError(f"{network.name} has no weights that could be learned: there is nothing to train")
    return model


def begin_with(model: Model, learner: Trainable, network: Architecture, record: Record, seen: Seen) -> Seen:
    """Gives the network the weights that the plan names; returns what both trainings saw."""
    path = find_weights(record.plan.begin, record.learner)
    before = read_record(path)[0]
    wanted, given = (f"{one.plan.network} for {'x'.join(map(str, one.shape))}" for one in (record, before))
    if wanted != given:
        raise FairshotError(
            f"the training has a network {wanted} and would begin with one {given}: change network or recipe"
        )
    fitted = load_fitted(path, network.make(before.shape), learner, own=False)
    model.network.load_state_dict(fitted.model.network.state_dict())
    return seen if fitted.seen is None else remember_both(fitted.seen, seen)


def join_parts(parts: list[Source]) -> Source:
    """Parts of one source as one part; a single part as it is."""
    if len(parts) == 1:
        return parts[0]
    if isinstance(parts[0], JoinedSource):
        return join([join_parts(list(same)) for same in zip(*map(sources_of, parts), strict=True)])
    image_ids = np.concatenate([part.image_ids for part in parts])
    order = np.argsort(image_ids)
    attributes = {
        name: np.concatenate([part.attributes[name] for part in parts])[order] for name in parts[0].attributes
    }
    return replace(
        parts[0],
        name=" and ".join(part.name for part in parts),
        image_ids=image_ids[order],
        class_ids=np.concatenate([part.class_ids for part in parts])[order],
        attributes=attributes,
    )


def draw_seed(seed: int, purpose: str, step: int) -> int:
    """Where torch's random numbers begin, for one purpose at one step."""
    return int(Stream(seed, purpose, step).integers(1 << 48, 1)[0])
