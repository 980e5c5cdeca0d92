"""All intervals of one score of a probe, or of one difference, each for a population of its own."""

from collections.abc import Callable

from fairshot.statistics.estimate import LEVEL, Estimate, Spread, refuse
from fairshot.statistics.intervals.all_classes import over_all_classes, over_all_parents
from fairshot.statistics.intervals.episodes import over_episodes
from fairshot.statistics.intervals.labels import over_labels
from fairshot.statistics.intervals.labels_and_test import over_labels_and_test
from fairshot.statistics.intervals.test_images import over_test_images
from fairshot.statistics.probe_answers import ProbeAnswers

PROBE_SPREADS: dict[str, Callable[[ProbeAnswers], Spread | str]] = {
    "labels": over_labels,
    "test": over_test_images,
    "images": over_labels_and_test,
    "classes": over_all_classes,
    "parents": over_all_parents,
}


def estimate_probe(
    answers: ProbeAnswers, *, level: float = LEVEL, difference: bool = False, whole: bool = False
) -> dict[str, Estimate]:
    """The mean over draws with an interval for each population, that of parents where classes come in some.

    `whole` where test images are not answered one by one: nothing is then known of other test images and classes.
    """
    value = float(answers.scores.mean())
    estimates = {"episodes": over_episodes(answers.scores, level, difference=difference)}
    for population, over in PROBE_SPREADS.items():
        if population == "parents" and answers.stolen_by_parent is None:
            continue
        spread = over(answers) if not whole or population == "labels" else TOGETHER
        worst = None if difference else 1 / answers.layout.classes
        estimates[population] = (
            refuse(value, population, spread, level)
            if isinstance(spread, str)
            else spread.estimate(level, difference=difference, worst=worst)
        )
    return estimates


TOGETHER = "the learner looks at all test images together, so that none can be left out"
