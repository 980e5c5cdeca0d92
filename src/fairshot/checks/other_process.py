"""Another process, environment, folder and host: no answer may depend on where it is given or on the order of a set."""

from contextlib import suppress

import numpy as np
import torch
from torch import Tensor

from fairshot.checks.check import Case, LearnerCheck, mask_ignored
from fairshot.checks.finding import Outcome
from fairshot.checks.global_random import generators_restored
from fairshot.checks.other_place import CannotRebuild, Job, answer_elsewhere, elsewhere, other_place
from fairshot.checks.probe import Probe, Response, judge, respond, small_probe
from fairshot.runtime.errors import FairshotError

SECONDS = 300  # a learner that does not answer by then there is not waited for


class OtherProcess(LearnerCheck):
    """Asks a copy of the learner in another process; one that cannot be copied is asked here, under other names."""

    def look(self, case: Case) -> tuple[Outcome, str]:
        """Compares features and answers; failing there is a fact to know."""
        probe = small_probe(case)
        with generators_restored():  # there too: what the learner would draw is not what is looked at here
            before = respond(case.fresh(), probe)
        try:
            after, where = _answered(case, probe)
        except Exception as error:  # whatever foreign code may raise
            reason = str(error) if isinstance(error, FairshotError) else f"{type(error).__name__}: {error}"
            return "warning", f"in another process and environment it cannot answer: {reason}"
        return judge(probe, before, after, where)


def _answered(case: Case, probe: Probe) -> tuple[Response, str]:
    with other_place() as place:
        if case.snapshot is not None:
            with suppress(CannotRebuild):
                job = Job(case.snapshot, _images(case, probe), probe.batch)
                features, logits = answer_elsewhere(job, place, SECONDS)
                answered = Response(features, mask_ignored(probe.batch, torch.from_numpy(logits)))
                return answered, "in another process and environment"
        with elsewhere(place), generators_restored():
            return respond(case.fresh(), probe), "under another process number, environment and folder"


def _images(case: Case, probe: Probe) -> Tensor:
    """As an encoder is given them."""
    stored = case.part.read(probe.rows)
    return torch.from_numpy(np.array(case.part.recipe.scale(stored) if case.part.has_images else stored))
