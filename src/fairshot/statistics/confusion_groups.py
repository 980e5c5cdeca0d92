"""Do classes look as if they came in pairs or small groups that are mistaken for each other, though nothing says so?

Classes that were drawn one by one resemble some others more and some less, without a gap. Where most classes are
mistaken for the same one or few others, and these for them and for hardly anybody else, they were hardly drawn one by
one. An interval for other classes is then too narrow: a fresh benchmark would have other groups, not single classes.
"""

from collections.abc import Sequence

import numpy as np

from fairshot.statistics.answers import Answers
from fairshot.statistics.intervals.class_pairs import PairEffects, pair_effects

MEETINGS = 20.0  # episodes that two classes must share on average before anything can be seen
CLEAR = 4.0  # standard deviations by which two classes that are mistaken for each other must lower the score
GAP = 1.5  # how many times as much as any class outside its group the members of a group matter to a class
LARGEST = 6  # classes of a group
MOST_CLASSES = 0.5  # a smaller share of classes in such groups comes about when classes are drawn one by one


def confusable_warning(answers: Answers, class_names: Sequence[str]) -> list[str]:
    """A sentence where classes look as if they were drawn in groups and no parents say so; none otherwise."""
    pairs = None if answers.layout.families else pair_effects(answers)
    groups = [] if pairs is None else confusable_groups(pairs)
    if not groups:
        return []
    names = " and ".join(f"'{class_names[answers.layout.classes[row]]}'" for row in groups[0])
    return [
        f"{sum(map(len, groups))} of {len(answers.layout.counts)} classes seem to come in small groups that are "
        f"mistaken for each other, such as {names}: if others would too, the interval for new classes is too "
        "narrow; give each group a parent of its own, and one for new parents is made"
    ]


def confusable_groups(pairs: PairEffects) -> list[tuple[int, ...]]:
    """Groups of classes, by row, that are mistaken for each other; none unless most classes are in one."""
    if pairs.meetings < MEETINGS:
        return []
    groups = [_group(row, pairs.effects[row], pairs.noise) for row in range(len(pairs.effects))]
    mutual = {group for group in groups if group and all(groups[member] == group for member in group)}
    if sum(map(len, mutual)) < MOST_CLASSES * len(groups):
        return []
    return sorted(tuple(sorted(group)) for group in mutual)


def _group(row: int, effects: np.ndarray, noise: float) -> frozenset[int]:
    """A class with those that matter to it far more than all others; empty if there is no such gap."""
    order = np.argsort(effects, kind="stable")[:LARGEST]
    harm = np.maximum(-effects[order], 0)
    gaps = harm[:-1] / np.maximum(harm[1:], 2 * noise)
    size = int(gaps.argmax()) + 1
    if gaps[size - 1] < GAP or harm[size - 1] <= CLEAR * noise:
        return frozenset()
    return frozenset([row, *order[:size].tolist()])
