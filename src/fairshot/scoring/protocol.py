"""What critics find about one set of images, measure by measure."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from jaxtyping import Float, Int

from fairshot.runtime.backends.backend import Progress
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.scoring.class_values import over_class_values
from fairshot.scoring.critic_view import Sight
from fairshot.scoring.critics import PAIR, PROTOTYPES, SIMCLR
from fairshot.scoring.measures.authenticity import authentic
from fairshot.scoring.measures.diversity import chords_by_class, deviation_by_class
from fairshot.scoring.measures.frechet import frechet_distance, on_number
from fairshot.scoring.measures.human_distance import HUMAN, Point, Points
from fairshot.scoring.measures.manifold import NEIGHBOURS, Manifold, compare_manifolds
from fairshot.scoring.measures.originality import Originality, compare_originality
from fairshot.scoring.measures.recognizability import WAY, Recognized, Trials, draw_trials, expected_accuracy, recognise
from fairshot.scoring.measures.vendi import vendi_score
from fairshot.scoring.recognisers import RECOGNISERS, Recogniser
from fairshot.scoring.sample_scores import SHARES
from fairshot.statistics.estimate import Estimate

AXES = ("diversity", "recognizability")
# The paper's Table S2: both critics, both equations, on people's drawings.
EQ_2, EQ_3 = "Eq. 2", "Eq. 3"
TABLE_S2 = (
    (f"{PROTOTYPES} {EQ_2}", f"{SIMCLR} {EQ_2}"),
    (f"{PROTOTYPES} {EQ_3}", f"{SIMCLR} {EQ_3}"),
    (f"{PROTOTYPES} {EQ_2}", f"{PROTOTYPES} {EQ_3}"),
    (f"{SIMCLR} {EQ_2}", f"{SIMCLR} {EQ_3}"),
)


@dataclass(frozen=True)
class Judging:
    """How samples are judged."""

    way: int = WAY
    times: int | None = None
    """How often each class is asked for; None: as often as is usual with the recogniser."""
    recogniser: str = PROTOTYPES
    exemplar_asks: bool = False
    """Whether the exemplar may be the human drawing that is to be recognised, as in the published code."""
    neighbours: int = NEIGHBOURS
    seed: int = 0

    def __post_init__(self) -> None:
        if self.recogniser not in RECOGNISERS:
            raise unknown("recogniser", self.recogniser, RECOGNISERS)
        least = {"way": 2, "times": 1, "neighbours": 1}
        for name, lowest in least.items():
            asked = getattr(self, name)
            if asked is not None and asked < lowest:
                raise FairshotError(f"--{name} is {asked}: it must be at least {lowest}")

    @property
    def recognising(self) -> Recogniser:
        """Who tells what a sample is of."""
        return RECOGNISERS[self.recogniser]

    @property
    def trials(self) -> int:
        """Of each class."""
        return self.times if self.times is not None else self.recognising.times

    def draw(self, own: Sight) -> Trials:
        """Who meets whom, and which image asks."""
        return draw_trials(own.labels, own.asking, way=self.way, times=self.trials, seed=self.seed)


@dataclass(frozen=True, eq=False)
class Card:
    """What was found about one set of images."""

    sight: Sight
    values: dict[str, Float[np.ndarray, " class"]]
    recognized: Recognized
    whole: dict[str, float]
    """Of all classes together."""
    curve: Originality | None = None

    @property
    def estimates(self) -> dict[str, Estimate]:
        """The mean of each measure over classes."""
        return {name: self.estimate(name) for name in self.values} | {"recognizability": self.recognized.estimate}

    def estimate(self, name: str, parents: Int[np.ndarray, " class"] | None = None) -> Estimate:
        """Of one measure, class by class; over other parents, if classes come in some."""
        return over_class_values(self.values[name], bounds=(0.0, 1.0 if name in SHARES else np.inf), parents=parents)

    @property
    def points(self) -> Points:
        """Diversity and recognizability of every class."""
        return np.stack([self.values[axis] for axis in AXES], axis=1)

    @property
    def point(self) -> Point:
        """The mean over classes."""
        diversity, recognizability = self.points.mean(axis=0).tolist()
        return diversity, recognizability


def judge(own: Sight, human: Sight, judging: Judging, progress: Progress) -> Card:
    """All measures; those that compare with people are left out for people themselves."""
    labels, features, classes = own.labels, own.features, range(len(own.exemplars))
    trials = judging.draw(own)
    recognized = recognise(judging.recognising.far(own, trials, progress), labels, trials)
    values = {
        "diversity": deviation_by_class(features, labels),
        "recognizability": recognized.by_class,
        "copies": own.by_class(own.copies),
        "originality": own.by_class(own.originality),
        "chords": chords_by_class(features, labels),
        "vendi": np.array([vendi_score(features[labels == c]) for c in classes]),
    }
    whole = {"inception": own.inception}
    if own is human:
        return Card(own, values, recognized, whole)
    pairs = [(human.features[human.labels == c], features[labels == c]) for c in classes]
    found = [compare_manifolds(real, samples, judging.neighbours) for real, samples in pairs]
    values |= {name: _column(found, name) for name in ("precision", "recall", "density", "coverage")}
    values["authentic"] = np.array([authentic(real, samples).mean() for real, samples in pairs])
    whole["frechet"] = frechet_distance(human.features, features)
    curve = compare_originality(_curve(own, judging.way), _curve(human, judging.way))
    whole |= {"beyond": curve.beyond} | ({"curve": curve.distance} if curve.distance is not None else {})
    return Card(own, values, recognized, whole, curve)


def diversities(own: Sight) -> dict[str, Float[np.ndarray, " class"]]:
    """Both equations in the features of both critics, by name."""
    return {
        f"{kind} {equation}": measure(features, own.labels)
        for kind, features in zip(PAIR, (own.features, own.rival_features), strict=True)
        for equation, measure in ((EQ_2, deviation_by_class), (EQ_3, chords_by_class))
    }


def _column(found: Sequence[Manifold], name: str) -> Float[np.ndarray, " class"]:
    return np.array([getattr(one, name) for one in found])


def _curve(own: Sight, way: int) -> tuple[np.ndarray, np.ndarray]:
    known = expected_accuracy(own.distances, own.labels, way)
    return own.originality[own.asking], known[own.asking]


def notes_on(cards: Mapping[str, Card], judging: Judging) -> list[str]:
    """What a reader must know of the numbers."""
    human = cards[HUMAN].sight
    told = "may be" if judging.exemplar_asks else "is never"
    notes = [f"the exemplar {told} the human drawing that is to be recognised", *_on_recogniser(judging)]
    sights = [card.sight for name, card in cards.items() if name != HUMAN] + [human]
    notes.append(on_number(min(len(own.labels) for own in sights), human.features.shape[1]))
    counts = {own.name: int(np.bincount(own.labels).min()) for own in sights}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{name} {number}" for name, number in counts.items())
        notes.append(
            f"sets differ in their images a class ({told}): the deviation of few is a little too small, and chords, "
            "vendi, precision, recall, density and coverage depend on their number"
        )
    notes += [
        f"balls of {name} reach to neighbour {number - 1} and not {judging.neighbours}, as a class has {number} images"
        for name, number in counts.items()
        if number <= judging.neighbours
    ]
    return notes


def _on_recogniser(judging: Judging) -> list[str]:
    """What is different where another critic recognises than the usual one."""
    notes = []
    if judging.recogniser != PROTOTYPES:
        notes.append(f"{judging.recogniser} recognises; curve and inception are by {PROTOTYPES} all the same")
    if judging.times is None and judging.trials != RECOGNISERS[PROTOTYPES].times:
        notes.append(
            f"each class is asked for {judging.trials} times and not {RECOGNISERS[PROTOTYPES].times}, as "
            f"{judging.recogniser} adapts to every episode anew: --times N changes it"
        )
    return notes
