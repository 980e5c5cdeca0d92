"""The verb `track`: a result into a tool that keeps experiments, MLflow or Weights & Biases."""

import json
import re
from pathlib import Path
from typing import Any

from fairshot.evaluation.load import load
from fairshot.results.schema import Result
from fairshot.runtime.errors import FairshotError, kind_of, unknown

TOOLS = ("mlflow", "wandb")
UNSAFE = re.compile(r"[^\w./ -]+")  # what MLflow takes in no name
FILE = "result.json"


def track(result: Any, tool: str = "mlflow", *, project: str = "fairshot", name: str | None = None) -> str:
    """Adds a result to an experiment of MLflow, or to a project of Weights & Biases, and returns the run's id.

    `result` is an evaluation, a study, scores of samples, or where one was saved. Every value becomes a metric
    `LEARNER/TASK/METRIC`, and the ends of the interval to quote become `.../low` and `.../high`; data, seed and command
    become settings, and the whole result a file. Where the tool keeps it is its own setting (MLFLOW_TRACKING_URI,
    WANDB_MODE).
    """
    if tool not in TOOLS:
        raise unknown("tool", tool, TOOLS)
    stored = _stored(load(result) if isinstance(result, str | Path) else result)
    adders = {"mlflow": _to_mlflow, "wandb": _to_wandb}
    return adders[tool](stored, project, name)


def metrics_of(result: Result) -> dict[str, float]:
    """Every value of a result, and the ends of the intervals to quote, by a name that tools take."""
    metrics = {}
    for row in result.rows:
        if row.value is None:
            continue
        key = UNSAFE.sub("_", f"{row.learner}/{row.task}/{row.metric}")
        metrics[key] = row.value
        if row.quoted is not None:
            metrics |= {f"{key}/low": row.quoted[0], f"{key}/high": row.quoted[1]}
    return metrics


def settings_of(result: Result) -> dict[str, Any]:
    """Where the numbers come from."""
    return {
        "data": result.source.name,
        "recipe": result.source.recipe,
        "fingerprint": result.source.fingerprint,
        "episodes_key": result.episodes_key,
        "seed": result.seed,
        "command": " ".join(result.command),
    }


def _stored(result: Any) -> Result:
    stored = result if isinstance(result, Result) else getattr(result, "result", None)
    if not isinstance(stored, Result):
        raise FairshotError(f"cannot track {kind_of(result)}: give an evaluation, a study or scores of samples")
    return stored


def _to_mlflow(result: Result, project: str, name: str | None) -> str:
    try:
        import mlflow
    except ImportError as error:
        raise _missing("mlflow") from error
    mlflow.set_experiment(project)
    with mlflow.start_run(run_name=name) as run:
        mlflow.log_params(settings_of(result))
        mlflow.log_metrics(metrics_of(result))
        mlflow.log_dict(json.loads(result.json_text()), FILE)
        return str(run.info.run_id)


def _to_wandb(result: Result, project: str, name: str | None) -> str:
    try:
        import wandb
    except ImportError as error:
        raise _missing("wandb") from error
    run = wandb.init(project=project, name=name, config=settings_of(result))
    try:
        run.summary.update(metrics_of(result))
        artifact = wandb.Artifact("result", type="fairshot")
        with artifact.new_file(FILE, mode="w") as file:
            file.write(result.json_text())
        run.log_artifact(artifact)
        return str(run.id)
    finally:
        run.finish()


def _missing(package: str) -> FairshotError:
    return FairshotError(f"{package} is not installed: pip install 'fairshot[{package}]'")
