"""The file that `--plot` of evaluate and diagnose asks for: refused before anything is evaluated, written after."""

from collections.abc import Sequence
from pathlib import Path

from fairshot.evaluation.diagnosis import Diagnoses
from fairshot.evaluation.shots import LEAST_SHOTS, shot_families
from fairshot.results.schema import ShotCurve
from fairshot.runtime.errors import FairshotError
from fairshot.tasks.task import TaskDistribution

FORMATS = (".svg", ".png", ".html")


def refuse_plot(path: Path | None, tasks: Sequence[TaskDistribution]) -> None:
    """Raises where there would be nothing to draw, or no way to draw it."""
    if path is None:
        return
    refuse_format(path)
    most = max((len(shots) for shots in shot_families(tasks).values()), default=0)
    if most < LEAST_SHOTS:
        there = f"{most} {'was' if most == 1 else 'were'} given" if most else "these tasks have none to set"
        raise FairshotError(
            f"--plot draws the score against at least {LEAST_SHOTS} numbers of shots, and {there}: ask for "
            "--shot 1,2,5,10"
        )


def refuse_format(path: Path | None) -> None:
    """Raises where a file's name asks for none of the formats."""
    if path is not None and path.suffix not in FORMATS:
        raise FairshotError(
            f"--plot draws {', '.join(FORMATS[:-1])} and {FORMATS[-1]} files, and {path} is none of them: "
            f"name it {path.stem}.svg"
        )


def write_episodes(diagnoses: Diagnoses, path: Path) -> None:
    """Writes the easiest, the median and the hardest episode of the first learner and task as pictures."""
    from fairshot.reports.charts.chart import save
    from fairshot.reports.charts.episodes import episode_chart

    first = diagnoses.rows[0]
    if not first.shown:
        raise FairshotError(
            f"--plot shows the images of episodes, and {first.question.source.name} has none: give images, not vectors"
        )
    save(episode_chart(first.shown, f"{first.question.learner}, {first.question.task}"), path)


def write_plot(curves: Sequence[ShotCurve], path: Path) -> None:
    """Writes the curves of all learners, or leaves what was there."""
    # Here, and not above: the library that draws takes a quarter of a second to load.
    from fairshot.reports.charts.chart import save
    from fairshot.reports.charts.shot_curve import shot_chart

    save(shot_chart(curves), path)
