"""How often does a 95% interval hold? Benchmarks drawn again and again, with the usual interval beside ours."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

import numpy as np
from jaxtyping import Bool, Float
from scipy import stats

from fairshot.results.schema import LIMITED, Result, Row, SourceName
from fairshot.results.study_rows import CoverageResult, CoverageRow
from fairshot.runtime.backends.backend import ordered_map
from fairshot.runtime.errors import unknown
from fairshot.runtime.files import complete_file
from fairshot.runtime.fingerprints import fingerprint
from fairshot.specs.data import find_source
from fairshot.studies.kinds.omniglot_benchmarks import Characters, embedded
from fairshot.studies.kinds.probe_benchmarks import ProbeSetting
from fairshot.studies.kinds.repetitions import Setting, repeat
from fairshot.studies.kinds.simulated_benchmarks import Cifar, Gaussian, components
from fairshot.studies.study import Choice, Conditions, Study
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent

PORTION = 10  # repetitions handed to a process at a time
EXAMPLES = 40  # repetitions whose intervals are kept, for a picture
Table = Float[np.ndarray, "repetition episodes end"]

FEW, MANY, LONG = (100, 300), (100, 1000, 10_000), (1000, 3000)
ONE, FIVE = Uniform(way=5, shot=1, query=15), Uniform(way=5, shot=5, query=15)
ONE_OF_FEW = Uniform(way=5, shot=1, query=10)
WITHIN = WithinParent(way=5, shot=1, query=10)
HALVES, NEAR = ("first half", "second half"), ("prototypes", "1-NN")

SETTINGS = (
    # Fresh images of the same classes.
    Setting(Gaussian(40), ONE, "images", episodes=MANY),
    Setting(Gaussian(15), ONE, "images"),
    Setting(Gaussian(15, images=(100, 100)), FIVE, "images"),
    Setting(Gaussian(200), ONE, "images"),
    Setting(Gaussian(40), Uniform(way=20, shot=5, query=10), "images", episodes=FEW),
    Setting(Gaussian(40, images=(20, 100)), FIVE, "images"),
    Setting(Gaussian(40, images=(20, 40)), MetaDataset(), "images", episodes=FEW),
    Setting(Gaussian(64, 8, (20, 40), parent_spread=1.0), MetaDataset(bilevel=True), "images", episodes=(300, 1000)),
    Setting(Gaussian(80, 8, parent_spread=1.0), WITHIN, "images"),
    Setting(Cifar(40, images=(100, 100)), FIVE, "images"),
    Setting(Cifar(15), ONE, "images"),
    # Images that come in groups, kept apart or not; queries that are answered together.
    Setting(Gaussian(40, images=(40, 40), group=4), Uniform(way=5, shot=1, query=10, disjoint="group"), "images"),
    Setting(Gaussian(40, images=(40, 40), group=4), ONE_OF_FEW, "images"),
    Setting(Gaussian(40, images=(60, 60)), Uniform(way=5, shot=1, query=5), "images", ("transductive",), LONG),
    Setting(Cifar(40, images=(60, 60)), Uniform(way=5, shot=1, query=5), "images", ("transductive",), (1000,)),
    # Fresh classes.
    Setting(Gaussian(40), ONE, "classes", episodes=MANY),
    Setting(Gaussian(15), ONE, "classes"),
    Setting(Gaussian(100, images=(50, 50)), FIVE, "classes"),
    Setting(Gaussian(40, images=(20, 100)), FIVE, "classes"),
    Setting(Gaussian(40, images=(20, 40)), MetaDataset(), "classes"),
    Setting(Gaussian(80, 8, parent_spread=1.0), WITHIN, "classes"),
    Setting(Gaussian(15, spread=1.8), ONE, "classes"),
    Setting(Gaussian(40, spread=1.8), ONE, "classes"),
    Setting(Gaussian(40, spread=2.5), ONE, "classes"),
    Setting(Cifar(40, images=(100, 100)), FIVE, "classes", episodes=MANY),
    Setting(Cifar(15), ONE, "classes"),
    Setting(Cifar(100, images=(50, 50)), FIVE, "classes"),
    Setting(Cifar(40, images=(20, 40)), MetaDataset(), "classes"),
    # Fresh parents.
    Setting(Gaussian(160, 20, parent_spread=1.0), WITHIN, "parents"),
    Setting(Gaussian(240, 40, parent_spread=1.0), WITHIN, "parents"),
    Setting(Cifar(160, 20), WITHIN, "parents"),
    # Families of classes that meet in one episode; confusable pairs; families that share nothing.
    Setting(Gaussian(160, 20), ONE, "parents", episodes=(1000,)),
    Setting(Gaussian(160, 20), ONE, "quoted", episodes=(1000,)),
    Setting(Gaussian(60, 10), ONE, "quoted", episodes=(1000,)),
    Setting(Gaussian(20, 10, parent_spread=1.5, spread=0.4), ONE, "quoted", episodes=(1000,)),
    Setting(Gaussian(48, 12, uneven=0.0), ONE, "quoted", episodes=(1000,)),
    Setting(Cifar(60, 12), ONE, "quoted", episodes=(1000,)),
    Setting(Characters(120, 20), ONE, "quoted", episodes=(1000,)),
    Setting(Characters(120, 20), Uniform(way=20, shot=1, query=5), "quoted", episodes=(1000,)),
    Setting(Characters(160, turns=4), Uniform(way=20, shot=1, query=5), "classes", episodes=(1000,)),
    Setting(Characters(160, turns=4), ONE, "classes", episodes=(1000,)),
    # Hopeless classes, which a benchmark of few classes often has none of.
    *(
        Setting(Gaussian(classes, spread=1.5, hopeless=share), FIVE, "classes", episodes=(600,))
        for classes, shares in ((10, (0.1, 0.2)), (20, (0.05, 0.1, 0.2)), (40, (0.02, 0.05, 0.1)), (60, (0.02, 0.05)))
        for share in shares
    ),
    # Differences of two learners; where neither is better, the test must not find one.
    Setting(Gaussian(40, twins="same"), FIVE, "images", HALVES, null=True),
    Setting(Gaussian(40, twins="own"), FIVE, "classes", HALVES, MANY, null=True),
    Setting(Gaussian(15, twins="own"), FIVE, "classes", HALVES, null=True),
    Setting(Gaussian(40, twins="same"), FIVE, "classes", HALVES, null=True),
    Setting(Gaussian(160, 20, parent_spread=1.0, twins="own"), WITHIN, "parents", HALVES, null=True),
    Setting(Gaussian(40, images=(100, 100)), FIVE, "images", NEAR),
    Setting(Gaussian(40, images=(100, 100)), FIVE, "classes", NEAR),
    Setting(Cifar(40, images=(100, 100)), FIVE, "images", NEAR),
    Setting(Cifar(40, images=(100, 100)), FIVE, "classes", NEAR),
    Setting(Cifar(15), FIVE, "classes", NEAR),
    # Training runs.
    Setting(Gaussian(40), ONE_OF_FEW, "runs"),
    Setting(Gaussian(40), ONE_OF_FEW, "runs and classes"),
    Setting(Cifar(40), ONE_OF_FEW, "runs and classes"),
)


@dataclass(frozen=True)
class Coverage(Study):
    """Many repetitions of every setting; the truth is the mean over all repetitions of the same population.

    The mean of a benchmark is an unbiased estimate of the population's, so the mean over hundreds of benchmarks is the
    truth up to a thirtieth (fresh classes) or a sixteenth (fresh images) of one benchmark's standard deviation.
    """

    view: ClassVar = "coverage"
    repeat: ClassVar[Callable] = staticmethod(repeat)
    """From a setting and the number of a repetition to the ends of its intervals."""
    seed: ClassVar = 0

    settings: tuple[Setting | ProbeSetting, ...]
    repetitions: int = 1000
    only: tuple[str, ...] = ()
    """Words that the labels of settings had to hold, where this is a part of the study."""

    @property
    def preset(self) -> str:
        """The whole study, or which settings of it these are."""
        return f"{LIMITED} settings with {' or '.join(self.only)}" if self.only else super().preset

    def choose(self, choice: Choice) -> "Study":
        """The settings whose labels hold one of the words; they draw the same benchmarks as in the whole study."""
        if not choice.only:
            return super().choose(choice)
        settings = [setting for setting in self.settings if any(word in setting.label for word in choice.only)]
        if not settings:
            raise unknown("setting", " or ".join(choice.only), [setting.label for setting in self.settings])
        chosen = replace(self, settings=tuple(settings), only=choice.only)
        return Study.choose(chosen, replace(choice, only=()))

    @property
    def size(self) -> tuple[int, str]:
        """Repetitions."""
        return self.repetitions, "repetitions"

    @property
    def cells(self) -> set[tuple[str, str]]:
        """Every setting."""
        return {(setting.learner, setting.task.label) for setting in self.settings}

    def run(self, conditions: Conditions) -> Result:
        """A row for each setting and number of episodes; with `out`, finished settings are found again."""
        count = min(self.repetitions, conditions.limit or self.repetitions)
        real = any(isinstance(setting.world, Cifar) for setting in self.settings)
        if real:
            components()  # missing data must be said now, not after an hour
        drawn = {setting.world.turns for setting in self.settings if isinstance(setting.world, Characters)}
        prints = [embedded(turns)[0] for turns in sorted(drawn)]
        rows, examples = list[Row](), {}
        for number, setting in enumerate(self.settings, 1):
            table = self._repeated(setting, count, conditions, f"{number} of {len(self.settings)}")
            rows += [_row(setting, table, place) for place in range(len(setting.episodes))]
            examples[setting.label] = table[:EXAMPLES, -1].tolist()
        data = fingerprint(find_source("cifar100").fingerprint if real else "", *map(fingerprint, prints))
        name = f"simulated populations{', CIFAR-100' if real else ''}{' and Omniglot' if drawn else ''}"
        source = SourceName(name=name, fingerprint=data, recipe="raw")
        key = fingerprint([setting.key for setting in self.settings])
        result = conditions.stamp(
            CoverageResult(seed=self.seed, source=source, rows=rows, episodes_key=key, examples=examples)
        )
        if conditions.out:
            with complete_file(conditions.out / "result.json") as unfinished:
                unfinished.write_text(result.json_text() + "\n")
        return result

    def _repeated(self, setting: Setting | ProbeSetting, count: int, conditions: Conditions, where: str) -> Table:
        kept = (
            conditions.out and conditions.out / "settings" / f"{fingerprint(setting.key, setting.episodes, count)}.json"
        )
        if kept and kept.exists():
            return np.array(json.loads(kept.read_text()), dtype=np.float64)
        portions = [range(start, min(start + PORTION, count)) for start in range(0, count, PORTION)]
        backend = "local" if conditions.backend in ("auto", "threads") and count > PORTION else conditions.backend
        backend = "serial" if count <= PORTION else backend
        done: list[np.ndarray] = []
        for answer in ordered_map(
            partial(_several, self.repeat, setting), portions, count=len(portions), backend=backend
        ):
            done += answer
            mean = float(np.mean([ends[-1, 0] for ends in done]))
            what = f"{where}: {setting.world.label}, {setting.population}"
            conditions.progress(what, len(done), count, mean)
        if kept:
            with complete_file(kept) as unfinished:
                unfinished.write_text(json.dumps(np.array(done).tolist()))
        return np.array(done)


def _several(
    repeated: Callable[[Any, int], np.ndarray], setting: Setting | ProbeSetting, repetitions: Sequence[int]
) -> list[np.ndarray]:
    return [repeated(setting, repetition) for repetition in repetitions]


def _row(setting: Setting | ProbeSetting, table: Table, place: int) -> CoverageRow:
    """Coverage and width of one setting at one number of episodes."""
    sets = np.array([setting.set_of(repetition) for repetition in range(len(table))])
    best = table[:, -1, 0]  # the means of the longest evaluations tell the truth best
    truth = np.array([0.0 if setting.null else best[sets == own].mean() for own in sets])
    mean, usual_low, usual_high, low, high = table[:, place].T
    given = ~np.isnan(low)
    covered = ((low <= truth) & (truth <= high))[given]
    usual = (usual_low <= truth) & (truth <= usual_high)
    away = mean - np.array([mean[sets == own].mean() for own in sets])
    ideal = 1.96 * float(np.sqrt((away**2).sum() / max(len(away) - len(set(sets.tolist())), 1)))
    world = setting.world
    found = {
        "learner": setting.learner,
        "task": setting.task.label,
        "part": world.label,
        "metric": "coverage",
        "episodes": setting.episodes[place],
        "episodes_key": setting.key,
        "value": float(covered.mean()) if len(covered) else 0.0,
        "intervals": {"repetitions": _wilson(covered)},
        "population": setting.population,
        "usual": float(usual.mean()),
        "width": float(((high - low)[given] / 2).mean()) / ideal if len(covered) else None,
        "usual_width": float(((usual_high - usual_low) / 2).mean()) / ideal,
        "null": float(1 - given.mean()),
        "repetitions": len(table),
        "accuracy": float(best.mean()),
        "difference_is_zero": setting.null,
        "units": {"classes": world.classes, "parents": world.parents, "images": world.images[0]},
    }
    return CoverageRow.model_validate(found)


def _wilson(covered: Bool[np.ndarray, " repetition"]) -> tuple[float, float] | None:
    if not len(covered):
        return None
    low, high = stats.binomtest(int(covered.sum()), len(covered)).proportion_ci(0.95, "wilson")
    return float(low), float(high)


STUDY = Coverage(
    title="How often 95% intervals hold",
    paper="fairshot",
    settings=SETTINGS,
)
