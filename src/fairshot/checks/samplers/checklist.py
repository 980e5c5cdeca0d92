"""Every check of a sampler: the episodes that it draws, looked at one fault after the other."""

from typing import Any

import numpy as np

from fairshot.checks.global_random import generators_restored
from fairshot.checks.report import CheckReport
from fairshot.checks.samplers.sampler import Shape, draw_episodes
from fairshot.results.schema import SourceName
from fairshot.runtime.fingerprints import fingerprint
from fairshot.runtime.grammar.name import Code
from fairshot.sources.source import Source
from fairshot.specs.registry import find_class, names

KIND = "sampler_checks"
EPISODES = 1000  # drawn, unless others are asked for: enough to see that a class of hundreds is never drawn
CLASSES, ITEMS = 20, 30  # of a stand-in, where no data is named


def check_sampler(target: Any, spec: Code | str, part: Source | None, shape: Shape, seed: int = 0) -> CheckReport:
    """What every check finds in the episodes that a sampler draws from a part, or from a stand-in for one."""
    if part is None:
        classes, groups = np.repeat(np.arange(CLASSES), ITEMS), None
        source = SourceName(name=f"{CLASSES} classes of {ITEMS}", fingerprint=fingerprint(classes), recipe="none")
    else:
        classes = np.unique(part.class_ids, return_inverse=True)[1]
        marks = part.attributes.get("group")
        groups = None if marks is None else np.unique(marks, return_inverse=True)[1]
        source = SourceName.of(part)
    with generators_restored(seed):
        draws = draw_episodes(target, spec, classes, groups, shape)
    checks = [find_class(KIND, name)() for name in names(KIND)]
    return CheckReport(
        findings=tuple(check.find(draws) for check in checks),
        learner=str(spec),
        source=source,
        task=f"{shape.way}-way {shape.shot}-shot {shape.query}-query",
        episodes=len(draws.episodes),
        seed=seed,
    )
