"""The file that `evaluate --plot` asks for: refused before anything is evaluated, written after."""

from collections.abc import Sequence
from pathlib import Path

from fairshot.evaluation.shots import LEAST_SHOTS, shot_families
from fairshot.results.schema import ShotCurve
from fairshot.runtime.errors import FairshotError
from fairshot.tasks.task import TaskDistribution

FORMATS = (".svg", ".png", ".html")


def refuse_plot(path: Path | None, tasks: Sequence[TaskDistribution]) -> None:
    """Raises where there would be nothing to draw, or no way to draw it."""
    if path is None:
        return
    if path.suffix not in FORMATS:
        raise FairshotError(
            f"--plot draws {', '.join(FORMATS[:-1])} and {FORMATS[-1]} files, and {path} is none of them: "
            f"name it {path.stem}.svg"
        )
    most = max((len(shots) for shots in shot_families(tasks).values()), default=0)
    if most < LEAST_SHOTS:
        there = f"{most} {'was' if most == 1 else 'were'} given" if most else "these tasks have none to set"
        raise FairshotError(
            f"--plot draws the score against at least {LEAST_SHOTS} numbers of shots, and {there}: ask for "
            "--shot 1,2,5,10"
        )


def write_plot(curves: Sequence[ShotCurve], path: Path) -> None:
    """Writes the curves of all learners, or leaves what was there."""
    # Here, and not above: the library that draws takes a quarter of a second to load.
    from fairshot.reports.charts.chart import save
    from fairshot.reports.charts.shot_curve import shot_chart

    save(shot_chart(curves), path)
