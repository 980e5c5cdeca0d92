"""Anybody's function f(support_x, support_y, query_x) as a classifier."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from jaxtyping import Num

from fairshot.learners.foreign.code import foreign_identity
from fairshot.learners.single_task import Labels, Queries, SingleTask, Support, Task, answer_scores


@dataclass(frozen=True)
class Function(SingleTask):
    """Any function f(support_x, support_y, query_x) that returns labels or a score for each query and class."""

    function: Callable[[Support, Labels, Queries], np.ndarray] = field(repr=False)
    name: str = "function"
    file: str = ""
    """The hash of the file it came from."""

    @property
    def label(self) -> str:
        """The name it was given."""
        return self.name

    @property
    def settings(self) -> dict[str, Any]:
        """Nothing can be told of a function but its file."""
        return {"file": self.file}

    @property
    def identity(self) -> str | None:
        """The code and what it refers to."""
        return foreign_identity(self.function, self.file)

    def scores(self, task: Task) -> Num[np.ndarray, "query way"]:
        """What the function returns, checked."""
        answer = np.asarray(self.function(task.support, task.labels, task.queries))
        return answer_scores(answer, task, self.name)
