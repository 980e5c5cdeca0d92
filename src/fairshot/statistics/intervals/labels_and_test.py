"""Would other images of the same classes change the mean, labelled ones and test images both?

Labelled and test images are crossed: what they do together is in the variance over either, and is counted once, as for
runs and classes. Equation (D70) of docs/derivation.md.
"""

from dataclasses import replace

from fairshot.statistics.estimate import Spread
from fairshot.statistics.intervals.influence import TINY
from fairshot.statistics.intervals.labels import over_labels
from fairshot.statistics.intervals.test_images import over_test_images, shared_variance
from fairshot.statistics.probe_answers import ProbeAnswers


def over_labels_and_test(answers: ProbeAnswers) -> Spread | str:
    """The spread of the mean over fresh labelled images and fresh test images at once, or why there is none."""
    labels, test = over_labels(answers), over_test_images(answers)
    if isinstance(labels, str) or isinstance(test, str):
        return labels if isinstance(labels, str) else str(test)
    single = float(answers.scores.var(ddof=1))
    both = shared_variance(answers) * labels.total / single if single > 0 else 0.0
    total = max(labels.total + test.total - max(both, 0.0), labels.total, test.total)
    parts = (max(labels.variance, 0.0), test.variance)
    doubt = parts[0] ** 2 / labels.unit_degrees + parts[1] ** 2 / test.unit_degrees
    return replace(
        labels,
        population="images",
        variance=total - labels.sampling,
        unit_degrees=max(sum(parts) ** 2 / max(doubt, TINY), 1.0),
    )
