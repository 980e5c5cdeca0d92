"""Tables that set any classes together against classes of one parent: how much of a score is the choice of episodes?"""

from dataclasses import dataclass
from typing import ClassVar

from fairshot.studies.kinds.trained_table import TrainedTable
from fairshot.tasks.task import TaskDistribution
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.within_parent import WithinParent


def both_ways(way: int, shot: int, *, query: int) -> tuple[TaskDistribution, TaskDistribution]:
    """The same episode of any classes, and of classes of one parent."""
    return Uniform(way=way, shot=shot, query=query), WithinParent(way=way, shot=shot, query=query)


@dataclass(frozen=True)
class Structured(TrainedTable):
    """Shown side by side."""

    view: ClassVar[str] = "sides"
