"""The verb `cscc`: how much of a supervised accuracy is left without labels (Huang et al. 2019).

The class semantics consistency criterion is the unsupervised accuracy of a clusterer by the accuracy of a classifier
on the same backbone. Near 1, classes are what a network that saw such classes would call classes by itself.
"""

import tempfile
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from pathlib import Path

from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.fitted import Fitted
from fairshot.learners.foreign.encoders import Encoded
from fairshot.learners.learner import Classifier
from fairshot.learners.wrapper import as_clusterer
from fairshot.results.folder import load_episodes, scores_path
from fairshot.results.schema import Result, Row
from fairshot.runtime.backends.backend import Backend, Progress
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.statistics.answers import tabulate
from fairshot.statistics.intervals.populations import MOST
from fairshot.statistics.ratio import in_quadrature, ratio_of
from fairshot.statistics.scores import load_scores
from fairshot.tasks.task import TaskDistribution

REFERENCE = "prototypes"
ONE_SHOT = "with one image a class, clustering is no task: any learner that keeps them apart gets a CSCC of 1"


@dataclass(frozen=True)
class Pair:
    """A clusterer and the classifier that it is measured by, both by name."""

    clusterer: str
    classifier: str


def reference_of(spec: str) -> str:
    """Prototypes on what stands behind a clusterer: `kmeans@W` has `prototypes@W`, and a run's folder itself."""
    _, at, behind = spec.partition("@")
    if at:
        return f"{REFERENCE}@{behind}"
    from fairshot.learners.training.record import is_trained

    return f"{REFERENCE}@{spec}" if is_trained(spec) else REFERENCE


def backbone(learner: Classifier) -> str:
    """What makes vectors of images: only accuracies on the same kind of it can be divided."""
    if isinstance(learner, Fitted):
        colours, size = learner.record.shape
        return f"{learner.record.plan.network} on {colours} x {size} x {size}"
    if isinstance(learner, Encoded):
        return f"an encoder of one's own ({learner.file[:12] or type(learner.encode).__name__})"
    return "none: the images or features themselves"


def cscc(  # noqa: PLR0913 all but the first four are keywords with defaults
    part: Source,
    learners: Mapping[str, Classifier],
    pairs: Sequence[Pair],
    tasks: Sequence[TaskDistribution],
    *,
    episodes: int = 1000,
    seed: int = 0,
    allow_seen: bool = False,
    backend: Backend = "auto",
    out: Path | None = None,
    progress: Progress = lambda what, done, whole, mean: None,
) -> Result:
    """Accuracies of all learners on the same episodes, and for every pair and task the ratio of the two."""
    for pair in pairs:
        as_clusterer(learners[pair.clusterer])
        _refuse_other_backbone(pair, learners)
    tasks = [task.settle(part) for task in tasks]
    with nullcontext(str(out)) if out else tempfile.TemporaryDirectory() as folder:
        result = evaluate(
            part, learners, tasks, episodes=episodes, seed=seed, allow_seen=allow_seen, backend=backend,
            out=Path(folder), progress=progress,
        )  # fmt: skip
        ratios = [_ratio(pair, task, result, Path(folder)) for pair in pairs for task in tasks]
    return result.model_copy(update={"rows": [*ratios, *result.rows], "shots": []})


def _refuse_other_backbone(pair: Pair, learners: Mapping[str, Classifier]) -> None:
    own, other = (backbone(learners[name]) for name in (pair.clusterer, pair.classifier))
    if own != other:
        raise FairshotError(
            f"the backbone of {pair.clusterer} is {own}, that of {pair.classifier} is {other}: a ratio of their "
            f"accuracies would be one of networks, so take --against {reference_of(pair.clusterer)}"
        )


def _ratio(pair: Pair, task: TaskDistribution, result: Result, folder: Path) -> Row:
    top, bottom = (
        next(row for row in result.rows if (row.learner, row.task) == (name, task.label))
        for name in (pair.clusterer, pair.classifier)
    )
    update = {"metric": "cscc", "against": pair.classifier, "scores_key": "", "scores": None}
    if top.value is None or bottom.value is None:
        lacking = top if top.value is None else bottom
        return top.model_copy(update={**update, "value": None, "intervals": {}, "notes": lacking.notes})
    scores = [load_scores(scores_path(folder, row.scores_key))[: top.episodes] for row in (top, bottom)]
    layout, kept = load_episodes(folder, top.episodes_key)
    per_query = top.per_query and bottom.per_query
    above, below = (tabulate(layout, kept[:MOST], each[:MOST], per_query=per_query) for each in scores)
    found = ratio_of(above, below, scores[0].values, scores[1].values)
    told = {name: estimate.interval for name, estimate in found.items() if name in top.intervals}
    told["quadrature"] = in_quadrature(scores[0].values, scores[1].values)
    notes = [f"{name}: {estimate.reason}" for name, estimate in found.items() if estimate.reason and name in told]
    warnings = [*top.warnings, *bottom.warnings, *([ONE_SHOT] if top.shot == 1 else [])]
    value = found["episodes"].value
    return top.model_copy(
        update={
            **update,
            "value": value,
            "intervals": told,
            "notes": notes,
            "warnings": warnings,
            "per_query": per_query,
        }
    )
