"""How a snapshot is tried: fixed episodes of the val part."""

from dataclasses import replace

import numpy as np
import torch

from fairshot.learners.exemplars import FromExemplars
from fairshot.learners.features import Features
from fairshot.learners.fitted import Fitted
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.tasks.episodes import PAD
from fairshot.tasks.task import TaskDistribution
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent

PORTION = 50  # episodes answered at a time


def val_task(fitted: Fitted, val: Source, task: TaskDistribution | None) -> TaskDistribution:
    """The task that snapshots are tried on: the one that is trained on, or as many classes as the plan says."""
    plan = fitted.record.plan
    if isinstance(task, FromExemplars):
        return replace(task, way=min(plan.val_way, len(val.classes)), query=1)
    if task is not None:
        return task
    most = int(np.bincount(val.parent_ids).max()) if plan.within else len(val.classes)
    if most < 2:
        where = "in any parent" if plan.within else "in all"
        raise FairshotError(
            f"{val.name} has one class {where}, and snapshots are tried on two: give a split with more val classes"
        )
    way = min(plan.val_way, most)
    kind = WithinParent if plan.within else Uniform
    return kind(way=plan.way if fitted.unable(way) else way, shot=plan.val_shot, query=1, disjoint=None)


def val_accuracy(fitted: Fitted, val: Source, task: TaskDistribution) -> float:
    """The share of right answers to the first episodes of the val part, as many as the plan says."""
    features, count = Features(val, fitted), fitted.record.plan.val_episodes
    correct = []
    for start in range(0, count, PORTION):
        episodes = task.sample(val, range(start, min(start + PORTION, count)), 0)
        features.require(episodes)
        with torch.inference_mode():
            answers = fitted.classify(features.batch(episodes)).argmax(2).numpy()
        asked = episodes.query_labels != PAD
        correct.append((answers == episodes.query_labels)[asked])
    return float(np.concatenate(correct).mean())
