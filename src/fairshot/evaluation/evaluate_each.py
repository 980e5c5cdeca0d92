"""The verb `evaluate_each`: the same learners and tasks on each of several sources by itself."""

from pathlib import Path
from typing import Any

from fairshot.evaluation.evaluate import evaluate
from fairshot.results.evaluations import Evaluations, source_folder
from fairshot.runtime.errors import FairshotError
from fairshot.specs.data import several


def evaluate_each(
    data: Any, learners: Any = "prototypes", tasks: Any = None, *, out: Path | str | None = None, **settings: Any
) -> Evaluations:
    """`evaluate` on every source that is named, `a/x/novel+b/y/novel` or a list; joined, they would be one source.

    All other settings are those of `evaluate`. With `out`, each is kept in a folder of its own below it, and resumed.
    """
    pieces = several(data)
    if not pieces:
        raise FairshotError(
            "this is one source: give a list of several, or names with + between them, or call evaluate"
        )
    names = [piece if isinstance(piece, str) else piece.name for piece in pieces]
    twice = next((name for number, name in enumerate(names) if name in names[:number]), None)
    if twice is not None:
        raise FairshotError(f"{twice} is there twice: name each source once")
    return Evaluations(
        {
            name: evaluate(piece, learners, tasks, out=None if out is None else source_folder(out, name), **settings)
            for name, piece in zip(names, pieces, strict=True)
        }
    )
