"""What trainings on one source and on many gave on every source: gains, ratios, curves, places, and claims."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from fairshot.results.evaluation import Evaluation
from fairshot.results.schema import Row
from fairshot.results.source_rows import CurvePoint, MeanRank, SourceDifference, SourceRow
from fairshot.results.study_rows import ClaimRow
from fairshot.sources.source import Source
from fairshot.splits.wordnet import in_wordnet
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.estimate import Estimate
from fairshot.statistics.source_ranks import rank_over_sources
from fairshot.studies.kinds.claim import Claim
from fairshot.studies.kinds.episode_curves import answered, curve_points, episode_heights, height_points

CLAIMS = "claims"  # the task that claims stand under
CLAIMED = "Prototypes"  # the learner whose gains both documents report


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
    """Trained on one source, trained on many."""
    sources: tuple[Tested, ...]
    """The first is the one source that is always trained on."""
    learners: tuple[str, ...]
    fast: tuple[str, ...]
    """Learners that answered whole episodes; the others answered small ones alone."""
    ranked: tuple[str, ...]
    """Learners that answered small episodes."""
    ratios: tuple[tuple[str, str], ...]
    published: Mapping[tuple[str, str], float]
    """By learner and source, what training on many gains."""
    published_ratios: Mapping[tuple[str, str], float]
    """By learner with its setting and source, what is left of the accuracy without labels."""

    def named(self, learner: str, setting: str) -> str:
        """What a learner of a setting is called in rows."""
        return f"{learner} ({setting})"

    def every(self, learners: Sequence[str]) -> list[tuple[str, str]]:
        """Each of the learners with each setting."""
        return [(learner, setting) for learner in learners for setting in self.settings]

    @property
    def claim_texts(self) -> list[str]:
        """The directions that both documents share."""
        return [self.claim_text(tested) for tested in self.sources if tested.direction]

    def claim_text(self, tested: Tested) -> str:
        """One of them."""
        verb = "raises" if tested.direction > 0 else "lowers"
        return f"training on all sources {verb} {CLAIMED.lower()} on {tested.label}"


def small_task(label: str) -> str:
    """What small episodes of a source are called in rows."""
    return f"{label}, small episodes"


@dataclass
class Findings:
    """What every source gave, by label."""

    parts: dict[str, Source] = field(default_factory=dict)
    whole: dict[str, Evaluation] = field(default_factory=dict)
    small: dict[str, Evaluation] = field(default_factory=dict)
    grain: Evaluation | None = None
    """Any classes together (the first task) and classes of one parent (the second)."""


def gather(heading: Heading, findings: Findings, seed: int) -> dict[str, Any]:
    """All fields of the result."""
    rows = [row for tested in heading.sources for row in _rows(heading, findings, tested)]
    differences = [one for tested in heading.sources for one in _differences(heading, findings, tested)]
    ranks, critical, friedman = _ranks(heading, findings, seed)
    return {
        "rows": [*rows, *_claims(heading, findings)],
        "differences": differences,
        "points": [*_curves(heading, findings), *_grain(heading, findings)],
        "ranks": ranks,
        "critical_difference": critical,
        "friedman": friedman,
    }


def _rows(heading: Heading, findings: Findings, tested: Tested) -> Iterator[SourceRow]:
    """Accuracies in whole and in small episodes, and ratios of two accuracies in whole ones."""
    whole, small, label = findings.whole[tested.label], findings.small[tested.label], tested.label
    for learner, setting in heading.every(heading.fast):
        yield _source_row(whole[heading.named(learner, setting)], learner, setting, label)
    for learner, setting in heading.every(heading.ranked):
        row = _source_row(small[heading.named(learner, setting)], learner, setting, label)
        yield row.model_copy(update={"task": small_task(label), "small": True})
    for above, below in heading.ratios:
        for setting in heading.settings:
            name = heading.named(above, setting)
            (ratio,) = whole.consistency(name, heading.named(below, setting))
            published = {"published": heading.published_ratios.get((name, label))}
            yield _source_row(ratio, above, setting, label).model_copy(update=published)


def _source_row(row: Row, learner: str, setting: str, label: str) -> SourceRow:
    about = {"kind": "source", "head": learner, "setting": setting, "source": label, "task": label}
    return SourceRow.model_validate({**row.model_dump(), **about})


def gain(evaluation: Evaluation, first: str, second: str) -> Estimate:
    """What the first learner scores more than the second on the same episodes, with the interval that is quoted."""
    (pair,) = evaluation.compare(only=[(first, second)])
    estimate = _quoted(pair)
    if pair.first == first:
        return estimate
    low, high = (None if end is None else -end for end in (estimate.high, estimate.low))
    return replace(estimate, value=-estimate.value, low=low, high=high)


def _quoted(pair: Comparison) -> Estimate:
    return pair.differences[pair.headline].estimate


def _differences(heading: Heading, findings: Findings, tested: Tested) -> Iterator[SourceDifference]:
    one, many = heading.settings
    for learner in heading.learners:
        evaluation = (findings.whole if learner in heading.fast else findings.small)[tested.label]
        found = gain(evaluation, heading.named(learner, many), heading.named(learner, one))
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
    """Appendix D: trained and tested on the one source, on many and all of them, on many and the one."""
    one, many = heading.settings
    home, labels = heading.sources[0].label, [tested.label for tested in heading.sources]
    shown = {
        f"{one}, tested on {home}": (one, [home]),
        f"{many}, tested on all": (many, labels),
        f"{many}, tested on {home}": (many, [home]),
    }
    for title, (setting, tried) in shown.items():
        for learner in heading.fast:
            name = heading.named(learner, setting)
            tables = [answered(findings.whole[label], findings.whole[label][name]) for label in tried]
            yield from curve_points(title, learner, tables)


def _grain(heading: Heading, findings: Findings) -> Iterator[CurvePoint]:
    """Fine against coarse: nodes of WordNet by height, and classes of one parent against any."""
    home = heading.sources[0].label
    names, whole = findings.parts[home].class_names, findings.whole[home]
    tables = {pair: answered(whole, whole[heading.named(*pair)]) for pair in heading.every(heading.fast)}
    if in_wordnet(findings.parts[home]):
        heights = episode_heights(next(iter(tables.values())).episodes, names)
        for (learner, setting), table in tables.items():
            yield from height_points(setting, learner, table, heights)
    if findings.grain is not None:
        yield from _parent_points(heading, findings.grain)


def _parent_points(heading: Heading, evaluation: Evaluation) -> Iterator[CurvePoint]:
    """Any classes together (0) and classes of one parent (1)."""
    for place, task in enumerate(evaluation.tasks):
        for learner, setting in heading.every(heading.fast):
            row = evaluation[heading.named(learner, setting), task]
            yield CurvePoint(
                setting=setting,
                learner=learner,
                axis="one parent",
                low_x=place,
                high_x=place,
                value=row.number,
                interval=row.quoted or row.intervals.get("episodes"),
                episodes=row.episodes,
            )


def _ranks(heading: Heading, findings: Findings, seed: int) -> tuple[list[MeanRank], float | None, dict[str, float]]:
    ranks, critical, friedman = list[MeanRank](), None, dict[str, float]()
    for setting in heading.settings:
        tables = [_values(findings.small[tested.label], heading, setting) for tested in heading.sources]
        found = rank_over_sources(tables, seed)
        critical, friedman[setting] = found.critical, found.p_value
        for number, learner in enumerate(heading.ranked):
            ends = float(found.low[number]), float(found.high[number])
            ranks.append(MeanRank(setting=setting, learner=learner, value=float(found.means[number]), interval=ends))
    return ranks, critical, friedman


def _values(evaluation: Evaluation, heading: Heading, setting: str) -> np.ndarray:
    rows = [evaluation[heading.named(name, setting)] for name in heading.ranked]
    return np.stack([evaluation.scores(row)[0].values for row in rows])


def _claims(heading: Heading, findings: Findings) -> Iterator[ClaimRow]:
    """Directions that both documents share, each as a gain that is above 0 where ours agrees."""
    one, many = heading.settings
    for tested in heading.sources:
        if not tested.direction:
            continue
        better, worse = (many, one) if tested.direction > 0 else (one, many)
        first, second = heading.named(CLAIMED, better), heading.named(CLAIMED, worse)
        whole = findings.whole[tested.label]
        about = f"what {first} scores more than {second}"
        claim = Claim(heading.claim_text(tested), about, gain(whole, first, second))
        yield claim.row(CLAIMS, findings.parts[tested.label].name, whole[first].episodes_key)
