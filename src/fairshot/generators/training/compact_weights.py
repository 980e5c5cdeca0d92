"""Compact weights of generators: half as many digits and nothing but what draws, so that they can come with fairshot.

`python -m fairshot.generators.training.compact_weights RUN NAME@omniglot` writes those of a finished training into the
package, where `fairshot generate NAME` finds them.
"""

import sys
from dataclasses import replace
from pathlib import Path

from fairshot.generators.training.sampler import make_empty_network
from fairshot.generators.training.trainable import TrainableGenerator
from fairshot.generators.weights import FOLDER, LARGEST, USUAL
from fairshot.learners.fitted import load_weights, save_weights
from fairshot.learners.training.record import SUFFIX, find_weights, read_record
from fairshot.runtime.errors import FairshotError
from fairshot.runtime.grammar.learner import parse_learner


def save_compact(run: Path, target: Path, settings: TrainableGenerator) -> int:
    """Writes the weights of a run that draw, as halves of floats, with what was seen; returns the bytes.

    Images that were changed are not recognised by them: the table of likenesses would take as much room as the weights.
    """
    record, weights, seen = load_weights(run)
    network = make_empty_network(settings, record.shape[1])
    needed = {name: weights[name] for name in settings.drawing_weights(network)}
    halves = {name: value.half() if value.is_floating_point() else value for name, value in needed.items()}
    save_weights(target, halves, record, replace(seen, likeness=None))
    return target.stat().st_size


def main(run: str, name: str) -> None:
    """Puts the weights of a run into the package; those that are too large for it are taken out again."""
    from importlib import import_module

    path, target = find_weights(run), FOLDER / f"{name}{SUFFIX}"
    record, _ = read_record(path)
    kind = import_module("fairshot.specs.registry").find_class("generators", record.learner)
    if str(parse_learner(name).head) != record.learner:
        raise FairshotError(f"{run} holds a trained {record.learner}: call it {record.learner}@{USUAL}, not {name}")
    size = save_compact(path, target, kind(**record.settings))
    if size >= LARGEST:
        target.unlink()
        raise FairshotError(
            f"the weights of {run} take {size:,} bytes, and {LARGEST:,} may be shipped: choose a smaller preset"
        )
    print(f"{target}: {size:,} bytes")


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except FairshotError as error:
        sys.exit(str(error))
