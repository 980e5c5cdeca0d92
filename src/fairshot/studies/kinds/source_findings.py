"""What trainings on one source and on many gave on every source: gains, ratios, curves, places, and claims."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fairshot.results.evaluation import Evaluation
from fairshot.results.schema import Row
from fairshot.results.source_rows import CurvePoint, MeanRank, SourceDifference
from fairshot.results.study_rows import ClaimRow
from fairshot.sources.source import Source
from fairshot.statistics.estimate import Estimate
from fairshot.statistics.intervals.populations import estimate_all
from fairshot.statistics.source_ranks import rank_over_sources
from fairshot.studies.kinds.claim import Claim
from fairshot.studies.kinds.episode_curves import answered, curve_points, height_points

POPULATIONS = ("classes", "images", "episodes")  # whom an interval is for: the first that can be had
CLAIMS = "claims"  # the task that claims stand under


@dataclass(frozen=True)
class Tested:
    """A source that learners are tried on."""

    label: str
    what: str
    trained: bool
    """Whether other classes of it are trained on, where many sources are."""
    lacks: str
    """What it is, and what it lacks against the released one."""
    direction: int = 0
    """Where both published tables agree: 1, training on many sources helps here; -1, it harms; 0, they do not agree."""


@dataclass(frozen=True, kw_only=True)
class Heading:
    """What findings are about."""

    settings: tuple[str, str]
    sources: tuple[Tested, ...]
    learners: tuple[str, ...]
    fast: tuple[str, ...]
    """Learners that answered whole episodes; the others answered small ones alone."""
    ranked: tuple[str, ...]
    ratios: tuple[tuple[str, str], ...]
    published: Mapping[tuple[str, str], float]

    def named(self, learner: str, setting: str) -> str:
        """What a learner of a setting is called in rows."""
        return f"{learner} ({setting})"

    @property
    def claim_texts(self) -> list[str]:
        """The directions that both documents share."""
        return [self.claim_text(tested) for tested in self.sources if tested.direction]

    def claim_text(self, tested: Tested) -> str:
        """One of them."""
        verb = "raises" if tested.direction > 0 else "lowers"
        return f"training on all sources {verb} prototypes on {tested.label}"


@dataclass
class Findings:
    """What every source gave, by label."""

    parts: dict[str, Source] = field(default_factory=dict)
    whole: dict[str, Evaluation] = field(default_factory=dict)
    small: dict[str, Evaluation] = field(default_factory=dict)
    grain: Evaluation | None = None


def gather(heading: Heading, findings: Findings, seed: int) -> dict[str, Any]:
    """All fields of the result."""
    rows = [row for tested in heading.sources for row in _rows(heading, findings, tested)]
    differences = [one for tested in heading.sources for one in _differences(heading, findings, tested)]
    ranks, critical, friedman = _ranks(heading, findings, seed)
    return {
        "rows": [*rows, *_claims(heading, findings, rows[0])],
        "differences": differences,
        "points": [*_curves(heading, findings), *_grain(heading, findings)],
        "ranks": ranks,
        "critical_difference": critical,
        "friedman": friedman,
    }


def _rows(heading: Heading, findings: Findings, tested: Tested) -> Iterator[Row]:
    """Accuracies of whole episodes, of small ones for those who answered these alone, and ratios."""
    whole, small = findings.whole[tested.label], findings.small[tested.label]
    known = {row.learner for row in whole.rows}
    ratios = [
        row
        for above, below in heading.ratios
        for setting in heading.settings
        for row in whole.consistency(heading.named(above, setting), heading.named(below, setting))
    ]
    slow = [row for row in small.rows if row.learner not in known]
    for row in (*whole.rows, *slow, *ratios):
        yield row.model_copy(update={"task": tested.label})


def difference(evaluation: Evaluation, first: str, second: str, task: str = "") -> Estimate:
    """What the first learner scores more than the second, for the widest population that has an interval."""
    words = [task] if task else []
    rows = [evaluation[(name, *words)] for name in (first, second)]
    per_query = all(row.per_query for row in rows)
    above, below = (evaluation.answers(row, per_query=per_query) for row in rows)
    values = [evaluation.scores(row)[0].values[: rows[0].episodes] for row in rows]
    answers = replace(above, correct=above.correct - below.correct)
    if above.values is not None and below.values is not None:
        answers = replace(answers, values=above.values - below.values)
    estimates = estimate_all(answers, values[0] - values[1], difference=True)
    there = [estimates[name] for name in POPULATIONS if name in estimates and estimates[name].interval is not None]
    return there[0] if there else estimates["episodes"]


def _differences(heading: Heading, findings: Findings, tested: Tested) -> Iterator[SourceDifference]:
    one, many = heading.settings
    for learner in heading.learners:
        evaluation = (findings.whole if learner in heading.fast else findings.small)[tested.label]
        found = difference(evaluation, heading.named(learner, many), heading.named(learner, one))
        row = evaluation[heading.named(learner, many)]
        yield SourceDifference(
            learner=learner,
            source=tested.label,
            trained=tested.trained,
            task=row.task,
            episodes=row.episodes,
            value=found.value,
            interval=found.interval,
            population=found.population,
            published=heading.published.get((learner, tested.label)),
        )


def _curves(heading: Heading, findings: Findings) -> Iterator[CurvePoint]:
    """Appendix D: one on one, many on all that are trained on, many on the one."""
    one, many = heading.settings
    home = heading.sources[0].label
    trained = [tested.label for tested in heading.sources if tested.trained]
    shown = {
        f"{one} on {home}": (one, [home]),
        f"{many} on {many}": (many, trained),
        f"{many} on {home}": (many, [home]),
    }
    for title, (setting, labels) in shown.items():
        for learner in heading.fast:
            name = heading.named(learner, setting)
            tables = [answered(findings.whole[label], findings.whole[label][name]) for label in labels]
            yield from curve_points(title, learner, tables)


def _grain(heading: Heading, findings: Findings) -> Iterator[CurvePoint]:
    """Fine against coarse: nodes of WordNet by height, and classes of one parent against any."""
    home = heading.sources[0].label
    names, whole = findings.parts[home].class_names, findings.whole[home]
    for setting in heading.settings:
        for learner in heading.fast:
            row = whole[heading.named(learner, setting)]
            yield from height_points(setting, learner, answered(whole, row), names)
    if findings.grain is not None:
        yield from _parent_points(findings.grain)


def _parent_points(evaluation: Evaluation) -> Iterator[CurvePoint]:
    """Any classes together (0) and classes of one parent (1)."""
    for row in evaluation.rows:
        learner, _, setting = row.learner.rpartition(" (")
        within = float(evaluation.tasks.index(row.task))
        yield CurvePoint(
            setting=setting.rstrip(")"),
            learner=learner,
            axis="one parent",
            low_x=within,
            high_x=within,
            value=row.number,
            interval=row.quoted or row.intervals.get("episodes"),
            episodes=row.episodes,
        )


def _ranks(heading: Heading, findings: Findings, seed: int) -> tuple[list[MeanRank], float | None, dict[str, float]]:
    ranks, critical, friedman = list[MeanRank](), None, dict[str, float]()
    for setting in heading.settings:
        tables = [_values(evaluation, heading, setting) for evaluation in findings.small.values()]
        found = rank_over_sources(tables, seed)
        critical, friedman[setting] = found.critical, found.p_value
        for number, learner in enumerate(heading.ranked):
            ends = float(found.low[number]), float(found.high[number])
            ranks.append(MeanRank(setting=setting, learner=learner, value=float(found.means[number]), interval=ends))
    return ranks, critical, friedman


def _values(evaluation: Evaluation, heading: Heading, setting: str) -> np.ndarray:
    rows: Sequence[Row] = [evaluation[heading.named(name, setting)] for name in heading.ranked]
    return np.stack([evaluation.scores(row)[0].values for row in rows])


def _claims(heading: Heading, findings: Findings, like: Row) -> list[ClaimRow]:
    """Directions that both documents share, each as a gain that is above 0 where ours agrees."""
    one, many = heading.settings
    rows = []
    for tested in heading.sources:
        if not tested.direction:
            continue
        first, second = (heading.named("Prototypes", setting) for setting in (many, one)[:: tested.direction])
        estimate = difference(findings.whole[tested.label], first, second)
        about = f"what {first} scores more than {second}"
        claim = Claim(heading.claim_text(tested), about, estimate)
        rows.append(claim.row(CLAIMS, findings.parts[tested.label].name, like.episodes_key))
    return rows
