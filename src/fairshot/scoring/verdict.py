"""What `score` found, in one sentence: which set is nearest to people, or why that cannot be said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from fairshot.scoring.sample_scores import HUMAN, SetDifference
from fairshot.tables.words import listed, plain

SCALE = "0: as people draw; 1: as far as exact copies, or as samples that are recognised by chance"
DISTANCES = ("distance", "class_distance")


@dataclass(frozen=True)
class Standing:
    """The distances of all sets, by either measure, and how sure it is that they differ."""

    distances: Mapping[str, Mapping[str, float]]
    differences: Sequence[SetDifference]

    def difference(self, first: str, second: str, metric: str) -> SetDifference | None:
        """The difference of two sets, in whichever order they were compared."""
        pair = {first, second}
        return next((d for d in self.differences if d.metric == metric and {d.first, d.second} == pair), None)

    def nearest(self, metric: str) -> list[str]:
        """The set with the least distance, and those that are not clearly farther, from near to far."""
        values = self.distances[metric]
        ordered = sorted(values, key=lambda name: values[name])
        return [name for name in ordered if name == ordered[0] or not self._is_clear(ordered[0], name, metric)]

    def _is_clear(self, first: str, second: str, metric: str) -> bool:
        difference = self.difference(first, second, metric)
        return difference is not None and difference.is_clear

    def with_distances(self, names: Sequence[str], metric: str) -> str:
        """Sets with their distances."""
        return listed([f"{name} ({plain(self.distances[metric][name], 2)})" for name in names])

    def beside_people(self, name: str) -> str:
        """On which side of people a set lies, on either axis."""
        diverse = self._side(name, "diversity", "diverse")
        return f"{diverse} and recognised {self._side(name, 'recognizability', 'often')}"

    def _side(self, name: str, metric: str, what: str) -> str:
        difference = self.difference(name, HUMAN, metric)
        if difference is None or (difference.interval is not None and not difference.is_clear):
            return f"not clearly more or less {what} than people"
        if difference.value == 0:
            return f"as {what} as people"
        more = (difference.value > 0) == (difference.first == name)
        these = " on these classes" if difference.interval is None else ""
        return f"{'more' if more else 'less'} {what} than people{these}"


def verdict(
    distances: Mapping[str, Mapping[str, float]], differences: Sequence[SetDifference] = (), *, lacking: str = ""
) -> str:
    """The sentence; empty where people alone were looked at."""
    if lacking:
        return f"How far samples are from people cannot be told: {lacking}."
    standing, sets = Standing(distances, differences), list(distances.get("distance", ()))
    if not sets:
        return ""
    if len(sets) == 1:
        (name,) = sets
        return (
            f"{name} is {plain(distances['distance'][name], 2)} from people ({SCALE}): {standing.beside_people(name)}."
        )
    return f"{_among_several(standing, len(sets))}."


def _among_several(standing: Standing, sets: int) -> str:
    """Which of several is nearest, where both measures say so; where they do not, that they do not."""
    by_means, by_classes = (standing.nearest(metric) for metric in DISTANCES)
    named = standing.with_distances(by_means, "distance")
    if not (set(by_means) <= set(by_classes) or set(by_classes) <= set(by_means)):
        return (
            f"Which of {sets} sets is nearest to people cannot be said, as two ways to measure it disagree: by the "
            f"distance of the means over classes ({SCALE}) it is {named}, and class by class "
            f"{standing.with_distances(by_classes, 'class_distance')}"
        )
    if len(by_means) == 1:
        return _one_winner(standing, sets, by_means[0], [name for name in by_classes if name != by_means[0]])
    unsure = f"Which of {named} is nearer to people cannot be told for other classes by their distance ({SCALE})"
    if set(by_classes) == set(by_means):
        return f"{unsure}, nor class by class"
    if set(by_classes) < set(by_means):
        verb = "is" if len(by_classes) == 1 else "are"
        return f"{unsure}; class by class {listed(by_classes)} {verb} nearer than the rest"
    others = [name for name in by_classes if name not in by_means]
    return f"{unsure}, and class by class {listed(others)} cannot be distinguished from them either"


def _one_winner(standing: Standing, sets: int, name: str, others: Sequence[str]) -> str:
    """That a set is nearest by the means, and whether it is class by class, or is like others there."""
    of, distance = "Of the two sets" if sets == 2 else f"Of {sets} sets", plain(standing.distances["distance"][name], 2)
    nearest = f"{of}, {name} is nearest to people by its distance of {distance} ({SCALE})"
    if others:
        return f"{nearest}, but class by class it cannot be distinguished from {listed(list(others))}"
    return f"{nearest} and class by class: {standing.beside_people(name)}"
