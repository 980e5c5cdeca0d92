"""What did not make training fast enough: usual advice on the plain side of training.py.

    python benchmarks/tried.py [--only compiled | channels_last | half]

Each is measured in turns with the plain step or the plain embedding, on the same random drawings; a ratio above 1 is
faster than plain. `torch.compile` needs a C++ compiler, is given the network without freezing its weights, and has
compiled before the clock starts. What fairshot does instead, and how much faster it is, training.py tells.
"""

import argparse
import json
from collections.abc import Callable

import torch
from plain_training import conv4, embed, prototypical_step
from torch import Tensor
from training import IMAGES, QUERY, SHOT, SIZE, WAY, in_turns

Work = Callable[[], object]
TRIED = {
    "channels last": {"channels_last": True},
    "bfloat16": {"half": True},
    "torch.compile": {"compiled": True},
}


def step(*, channels_last: bool = False, half: bool = False, compiled: bool = False) -> Work:
    layout = torch.channels_last if channels_last else torch.contiguous_format
    model = conv4(1).to(memory_format=layout)
    if compiled:
        model.compile()
    optimizer = torch.optim.Adam(model.parameters())
    support, query = torch.rand(WAY, SHOT, 1, SIZE, SIZE), torch.rand(WAY, QUERY, 1, SIZE, SIZE)

    def work() -> None:
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            prototypical_step(model, optimizer, support, query)

    return work


def embedding(*, channels_last: bool = False, half: bool = False, compiled: bool = False) -> Work:
    model, images = conv4(1), torch.rand(IMAGES // 10, 1, SIZE, SIZE)
    if channels_last:
        model = model.to(memory_format=torch.channels_last)
    if compiled:
        model.compile()

    def work() -> Tensor:
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            return embed(model, images)

    return work


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=[name for options in TRIED.values() for name in options])
    only = parser.parse_args().only
    torch.manual_seed(0)
    for what, make in (("a step of prototypes", step), ("embedding", embedding)):
        for name, options in TRIED.items():
            if only in (None, *options):
                tried, plain = in_turns(make(**options), make())
                row = {"task": what, "tried": name, "s": round(tried, 3), "plain, s": round(plain, 3)}
                print(json.dumps({**row, "ratio": round(plain / tried, 2)}), flush=True)


if __name__ == "__main__":
    main()
