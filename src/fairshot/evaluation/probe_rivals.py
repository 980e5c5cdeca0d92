"""What tuning on the test set is worth, and what class vectors alone give."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from fairshot.evaluation.probe_cell import ProbeCell
from fairshot.learners.chooser import Chooser
from fairshot.learners.classifiers.prior_prototypes import PriorPrototypes
from fairshot.learners.encoded import Encoded
from fairshot.learners.learner import Classifier
from fairshot.learners.wrapper import Wrapper
from fairshot.statistics.probe_answers import ProbeAnswers

OUTWEIGHS = 1e6  # images that a class vector counts as, so that no labelled image matters


@dataclass(frozen=True, eq=False)
class Tuned:
    """A head with fixed settings, and what it answered."""

    setting: str
    cell: ProbeCell
    answers: Sequence[ProbeAnswers]


def candidates_of(learner: Classifier) -> Mapping[str, Classifier]:
    """What a head chooses from inside the support, each behind the encoder that the head has; nothing for others."""
    if isinstance(learner, Chooser):
        return learner.candidates
    if isinstance(learner, Wrapper):
        return {setting: learner.around(inner) for setting, inner in candidates_of(learner.inner).items()}
    return {}


def best_candidate(tried: Sequence[Tuned]) -> Tuned:
    """The one with the highest score on the test set, the first of equal ones."""
    return max(tried, key=lambda candidate: float(candidate.answers[0].scores.mean()))


def zero_shot_learner(learner: Classifier) -> Classifier:
    """A learner that sees what another one sees, and answers by class vectors alone."""
    head = PriorPrototypes(weight=OUTWEIGHS)
    return replace(learner, head=head) if isinstance(learner, Encoded) else head
