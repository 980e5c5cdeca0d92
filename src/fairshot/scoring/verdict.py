"""What `score` found, in one sentence: which set is nearest to people, or why that cannot be said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairshot.runtime.words import listed, plain
from fairshot.scoring.measures.human_distance import HUMAN
from fairshot.scoring.sample_scores import SURE, SetDifference

SCALE = "0: as people draw; 1: as far as exact copies, or as samples that are recognised by chance"


@dataclass(frozen=True)
class Found:
    """The distances of all sets, by either measure, and how sure it is that they differ."""

    far: Mapping[str, Mapping[str, float]]
    differences: Sequence[SetDifference]

    def difference(self, one: str, other: str, metric: str) -> SetDifference | None:
        """Of two sets, in whichever order they were compared."""
        pair = {one, other}
        return next((d for d in self.differences if d.metric == metric and {d.first, d.second} == pair), None)

    def nearest(self, metric: str) -> list[str]:
        """The set with the least distance, and those that are not clearly farther, from near to far."""
        values = self.far[metric]
        ordered = sorted(values, key=lambda name: values[name])
        return [name for name in ordered if name == ordered[0] or not self._clear(ordered[0], name, metric)]

    def _clear(self, one: str, other: str, metric: str) -> bool:
        found = self.difference(one, other, metric)
        return found is not None and found.holm is not None and found.holm < SURE

    def named(self, names: Sequence[str], metric: str) -> str:
        """Sets with their distances."""
        return listed([f"{name} ({plain(self.far[metric][name], 2)})" for name in names])

    def beside_people(self, name: str) -> str:
        """On which side of people a set lies, on either axis."""
        diverse = self._side(name, "diversity", "diverse")
        return f"{diverse} and recognised {self._side(name, 'recognizability', 'often')}"

    def _side(self, name: str, metric: str, what: str) -> str:
        found = self.difference(name, HUMAN, metric)
        if found is None or (found.interval is not None and not self._clear(name, HUMAN, metric)):
            return f"not clearly more or less {what} than people"
        if found.value == 0:
            return f"as {what} as people"
        more = (found.value > 0) == (found.first == name)
        these = " on these classes" if found.interval is None else ""
        return f"{'more' if more else 'less'} {what} than people{these}"


def verdict(
    far: Mapping[str, Mapping[str, float]], differences: Sequence[SetDifference] = (), *, lacking: str = ""
) -> str:
    """One sentence; empty where people alone were looked at."""
    if lacking:
        return f"How far samples are from people cannot be told: {lacking}."
    found, sets = Found(far, differences), list(far.get("distance", ()))
    if not sets:
        return ""
    if len(sets) == 1:
        (name,) = sets
        return f"{name} is {plain(far['distance'][name], 2)} from people ({SCALE}): {found.beside_people(name)}."
    return f"{_among(found, len(sets))}."


def _among(found: Found, sets: int) -> str:
    """Which of several is nearest, where both measures say so; where they do not, that they do not."""
    whole, single = found.nearest("distance"), found.nearest("class_distance")
    of, first, told = "Of both sets" if sets == 2 else f"Of {sets} sets", whole[0], found.named(whole, "distance")
    if not (set(whole) <= set(single) or set(single) <= set(whole)):
        return (
            f"Which of {sets} sets is nearest to people cannot be said, as two ways to measure it disagree: by the "
            f"distance of the means over classes ({SCALE}) it is {told}, and class by class "
            f"{found.named(single, 'class_distance')}"
        )
    if len(whole) == 1:
        begun = (
            f"{of}, {first} is nearest to people by its distance of {plain(found.far['distance'][first], 2)} ({SCALE})"
        )
        others = [name for name in single if name != first]
        if others:
            return f"{begun}, but class by class it cannot be told from {listed(others)}"
        return f"{begun} and class by class: {found.beside_people(first)}"
    begun = f"Which of {told} is nearer to people cannot be told for other classes by their distance ({SCALE})"
    if set(single) == set(whole):
        return f"{begun}, nor class by class"
    if set(single) < set(whole):
        return f"{begun}; class by class {listed(single)} {'is' if len(single) == 1 else 'are'} nearer than the rest"
    others = [name for name in single if name not in whole]
    return f"{begun}, and class by class {listed(others)} cannot be told from them either"
