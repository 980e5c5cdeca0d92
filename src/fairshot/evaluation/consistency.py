"""The verb `cscc`: how much of a supervised accuracy is left without labels (Huang et al. 2019).

The class semantics consistency criterion is the unsupervised accuracy of a clusterer by the accuracy of a classifier
on the same backbone. Near 1, classes are what a network that saw such classes would call classes by itself.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.encoded import Encoded
from fairshot.learners.encoders.encoder import Encoder
from fairshot.learners.fitted import Fitted
from fairshot.learners.learner import Classifier
from fairshot.learners.training.record import is_trained
from fairshot.learners.wrapper import as_clusterer
from fairshot.results.evaluation import Evaluation
from fairshot.results.records import Store
from fairshot.results.schema import Row
from fairshot.runtime.backends.backend import Backend, Progress
from fairshot.runtime.errors import FairshotError, unknown
from fairshot.runtime.grammar.learner import parse_learner
from fairshot.specs.encoders import NONE, put_encoders
from fairshot.specs.learners import as_learners
from fairshot.specs.tasks import Counts
from fairshot.statistics.ratio import in_quadrature, ratio_of

REFERENCE = "prototypes"
ONE_SHOT = "with one image a class, clustering is no task: any learner that keeps them apart gets a CSCC of 1"


@dataclass(frozen=True)
class Pair:
    """A clusterer and the classifier that it is measured by, both by name."""

    clusterer: str
    classifier: str


def reference_of(spec: str) -> str:
    """Prototypes on what stands behind a clusterer: `kmeans@W` has `prototypes@W`, and a run's folder itself."""
    if is_trained(spec) and (Path(spec).exists() or not parse_learner(spec).behind):
        return f"{REFERENCE}@{spec}"
    return str(parse_learner(spec).with_head(REFERENCE))


def backbone(learner: Classifier) -> str:
    """What makes vectors of images: only accuracies on the same kind of it can be divided."""
    if isinstance(learner, Fitted):
        colours, size = learner.record.shape
        return f"{learner.record.plan.network} on {colours} x {size} x {size}"
    if isinstance(learner, Encoded) and isinstance(learner.encode, Encoder):
        return learner.encode.name
    if isinstance(learner, Encoded):
        return f"an encoder of one's own ({learner.file[:12] or type(learner.encode).__name__})"
    return "none: the images or features themselves"


def cscc(  # noqa: PLR0913 all but the first four are keywords with defaults
    data: Any,
    clusterers: Any = "sinkhorn",
    against: Any = None,
    tasks: Any = None,
    *,
    way: Counts = 5,
    shot: Counts = 5,
    query: int = 15,
    disjoint: str | None = None,
    skip_small: bool = False,
    dirichlet: float | None = None,
    unknown: int = 0,
    episodes: int = 1000,
    seed: int = 0,
    split: str | None = None,
    part: str | None = None,
    recipe: str | int | None = None,
    encoder: Any = None,
    groups: str | None = None,
    skip_bad: bool = False,
    allow_seen: bool = False,
    backend: Backend = "auto",
    out: Path | str | Store | None = None,
    shard: str | None = None,
    command: Sequence[str] = (),
    progress: Progress = lambda what, done, whole, mean: None,
) -> Evaluation:
    """Accuracies of clusterers and classifiers on the same episodes, and for every pair and task their ratio.

    `against` names the classifier of each clusterer, or one for all; without it, prototypes on the same weights.
    `shard` is what `evaluate` takes.
    """
    clusterers = put_encoders(clusterers, encoder, data, recipe)
    against = None if against is None else put_encoders(against, encoder, data, recipe)
    named, pairs = _pairs(clusterers, against)
    refuse_pairs(pairs, named)
    where: dict[str, Any] = {"split": split, "part": part, "recipe": recipe, "groups": groups, "skip_bad": skip_bad}
    shape: dict[str, Any] = {"way": way, "shot": shot, "query": query, "disjoint": disjoint, "skip_small": skip_small}
    how: dict[str, Any] = {"episodes": episodes, "seed": seed, "allow_seen": allow_seen, "backend": backend}
    how |= {"out": out, "shard": shard}
    open_set: dict[str, Any] = {"dirichlet": dirichlet, "unknown": unknown}
    evaluation = evaluate(
        data, named, tasks, encoder=NONE, **where, **shape, **open_set, **how, command=command, progress=progress
    )
    return with_ratios(evaluation, pairs)


def with_ratios(evaluation: Evaluation, pairs: Sequence[Pair]) -> Evaluation:
    """The evaluation with the ratio of every pair first, task by task."""
    ratios = [row for pair in pairs for row in divide(evaluation, pair.clusterer, pair.classifier)]
    update = {"rows": [*ratios, *evaluation.rows], "shots": []}
    return replace(evaluation, result=evaluation.result.model_copy(update=update))


def _pairs(clusterers: Any, against: Any) -> tuple[dict[str, Classifier], list[Pair]]:
    """All learners by name, and which clusterer stands beside which classifier."""
    above = [as_learners(clusterer) for clusterer in _listed(clusterers)]
    given = [_reference(clusterer) for clusterer in _listed(clusterers)] if against is None else _listed(against)
    if len(given) not in (1, len(above)):
        counts = f"{len(given)} learners stand against {len(above)} clusterers"
        raise FairshotError(f"{counts}: give one, or one for each")
    below = [as_learners(classifier) for classifier in given] * (len(above) if len(given) == 1 else 1)
    named = {name: learner for one in (*above, *below) for name, learner in one.items()}
    return named, [Pair(*clusterer, *classifier) for clusterer, classifier in zip(above, below, strict=True)]


def _reference(clusterer: Any) -> Any:
    """The usual classifier of one clusterer; behind an encoder that all share it is called prototypes."""
    if not isinstance(clusterer, Mapping):
        return reference_of(next(iter(as_learners(clusterer))))
    name, spec = next(iter(clusterer.items()))
    reference = reference_of(spec if isinstance(spec, str) else name)
    return {reference if name == spec else REFERENCE: reference}


def _listed(learners: Any) -> list[Any]:
    """One learner, several or a dictionary of them, as a list of single ones."""
    if isinstance(learners, Mapping):
        return [{name: learner} for name, learner in learners.items()]
    return list(learners) if isinstance(learners, list | tuple) else [learners]


def refuse_pairs(pairs: Sequence[Pair], learners: Mapping[str, Classifier]) -> None:
    """Raises where what should cluster cannot, or where two learners do not stand on the same backbone."""
    for pair in pairs:
        as_clusterer(learners[pair.clusterer])
        above, below = (backbone(learners[name]) for name in (pair.clusterer, pair.classifier))
        if above != below:
            raise FairshotError(
                f"the backbone of {pair.clusterer} is {above}, that of {pair.classifier} is {below}: a ratio of their "
                f"accuracies would be one of networks, so take against={reference_of(pair.clusterer)}"
            )


def divide(evaluation: Evaluation, clusterer: str, classifier: str) -> list[Row]:
    """The ratio of two learners' accuracies on every task that both answered."""
    for name in (clusterer, classifier):
        if name not in evaluation.learners:
            raise unknown("learner", name, evaluation.learners)
    by_task = {(row.learner, row.task): row for row in evaluation.rows if row.metric != "cscc"}
    both = [task for task in evaluation.tasks if {(clusterer, task), (classifier, task)} <= set(by_task)]
    return [_ratio(evaluation, by_task[clusterer, task], by_task[classifier, task]) for task in both]


def _ratio(evaluation: Evaluation, above: Row, below: Row) -> Row:
    update: dict[str, Any] = {"metric": "cscc", "against": below.learner, "scores_key": "", "scores": None}
    if above.value is None or below.value is None:
        lacking = above if above.value is None else below
        return above.model_copy(update={**update, "value": None, "intervals": {}, "notes": lacking.notes})
    per_query = above.per_query and below.per_query
    top, bottom = (evaluation.answers(row, per_query=per_query) for row in (above, below))
    values = [evaluation.scores(row)[0].values[: above.episodes] for row in (above, below)]
    estimates = ratio_of(top, bottom, *values)
    intervals = {name: estimate.interval for name, estimate in estimates.items() if name in above.intervals}
    notes = [
        f"{name}: {estimate.reason}" for name, estimate in estimates.items() if estimate.reason and name in intervals
    ]
    intervals["quadrature"] = in_quadrature(*values)
    update |= {
        "value": estimates["episodes"].value,
        "intervals": intervals,
        "notes": notes,
        "warnings": [*above.warnings, *below.warnings, *([ONE_SHOT] if above.shot == 1 else [])],
        "per_query": per_query,
    }
    return above.model_copy(update=update)
