"""How long 20 drawings of each of 150 classes take: `python benchmarks/drawing.py [--json] [MODEL ...]`.

Networks of the preset `paper`, at 50 pixels and with random weights, which take as long as trained ones. The time of
the processor is that of all threads together, and says what a machine without other work would take.
"""

import argparse
import json
import time

import numpy as np
import torch

from fairshot.generators.training.sampler import TrainedGenerator, freeze, make_empty_network
from fairshot.generators.training.trainable import TrainableGenerator
from fairshot.learners.training.record import Record
from fairshot.specs.registry import find_class, names

CLASSES, COUNT, SIZE, PRESET = 150, 20, 50, "paper"


def untrained(name: str) -> TrainedGenerator:
    """A generator as its training would begin."""
    kind = find_class("generators", name)
    preset = kind.preset(PRESET)
    settings = kind(**preset.settings)
    record = Record(
        learner=name,
        settings=dict(preset.settings),
        plan=preset.plan,
        preset=PRESET,
        source="nothing",
        recipe=preset.plan.recipe,
        shape=(1, SIZE),
        classes=0,
        seed=0,
    )
    return TrainedGenerator(settings, freeze(make_empty_network(settings, SIZE)), record)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    trainable = [name for name in names("generators") if issubclass(find_class("generators", name), TrainableGenerator)]
    exemplars = (np.random.default_rng(0).random((CLASSES, 1, SIZE, SIZE)) < 0.1).astype(np.float32)
    for name in arguments.models or trainable:
        generator = untrained(name)
        started, at_work = time.perf_counter(), time.process_time()
        generator.generate(exemplars, COUNT, 0)
        found = {
            "model": name,
            "drawings": CLASSES * COUNT,
            "processor, s": round(time.process_time() - at_work, 1),
            "clock, s": round(time.perf_counter() - started, 1),
            "threads": torch.get_num_threads(),
        }
        print(json.dumps(found) if arguments.json else found, flush=True)


if __name__ == "__main__":
    main()
