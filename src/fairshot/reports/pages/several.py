"""One page of several results, with a comparison first where they answered the same episodes."""

from collections.abc import Sequence
from pathlib import Path

from fairshot.evaluation.compare import compare
from fairshot.evaluation.load import load
from fairshot.reports.pages.page import write_page
from fairshot.results.evaluation import Evaluation
from fairshot.runtime.errors import FairshotError
from fairshot.tables.tabular import Tabular

TOGETHER = "All together"


def write_report(results: Sequence[Path | str], path: Path | str) -> Path:
    """Writes the page of results that lie in folders or files."""
    loaded = {str(result): load(result) for result in results}
    if len(loaded) == 1:
        return write_page(next(iter(loaded.values())), path)
    return write_page(_with_comparison(loaded), path, "fairshot report")


def _with_comparison(loaded: dict[str, Tabular]) -> dict[str, Tabular]:
    evaluations = [one for one in loaded.values() if isinstance(one, Evaluation)]
    if len(evaluations) < 2:
        return loaded
    try:
        return {TOGETHER: compare(evaluations), **loaded}
    except FairshotError:  # they did not answer the same episodes
        return loaded
