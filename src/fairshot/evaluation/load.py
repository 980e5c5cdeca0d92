"""The verb `load`: reads back what was saved."""

import importlib
import json
from pathlib import Path
from typing import Any

from fairshot.evaluation.comparisons import KIND, Comparisons
from fairshot.results.evaluation import Evaluation
from fairshot.results.folder import RESULT
from fairshot.results.records import NoRecords
from fairshot.results.schema import read_result
from fairshot.results.study_result import STUDY, StudyResult
from fairshot.runtime.errors import FairshotError

OF_SAMPLES = {"critic", "recogniser", "by_class"}  # what scores of samples have, and no other result


def load(path: Path | str) -> Any:
    """What a verb gave and saved: an evaluation out of its folder; comparisons, a study, scores out of their file."""
    path = Path(path)
    if path.is_dir():
        only_study = (path / STUDY).exists() and not (path / RESULT).exists()
        return StudyResult.load(path / STUDY) if only_study else Evaluation.load(path)
    if not path.exists():
        raise FairshotError(f"there is nothing at {path}: give a folder that evaluate saved to, or a JSON file")
    keys = _top_keys(path)
    if "rows" not in keys:
        raise FairshotError(f"{path} holds no result: give a folder that evaluate saved to, or a JSON file")
    if keys.keys() >= OF_SAMPLES:
        return importlib.import_module("fairshot.scoring.sample_scores").SampleScores.load(path)
    if keys.get("kind") == KIND:
        return Comparisons.load(path)
    return StudyResult.load(path) if "study" in keys else _unnamed(path)


def _unnamed(path: Path) -> Evaluation | StudyResult:
    """What `--json` printed: rows without the scores behind them; of a study, its tables."""
    result = read_result(path)
    if result.study_tables or result.kind not in ("scores", ""):
        return StudyResult(path.stem, str(path), "tasks", result)
    return Evaluation(result, NoRecords(path))


def _top_keys(path: Path) -> dict[str, Any]:
    """The JSON object in a file; nothing where it holds none, which whoever reads it says better."""
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return document if isinstance(document, dict) else {}
