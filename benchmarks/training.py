"""How fast networks are trained and images embedded, beside plain PyTorch: `python benchmarks/training.py [--json]`.

Both sides do the same work on the same random drawings of 28 pixels with four layers of 64 channels, in turns, and the
best of some repeats counts; the plain side is plain_training.py. A step is forward, backward and Adam. MAML is of
second order: 4 tasks, 20-way 1-shot with 1 query a class, 5 inner steps. On the plain side its queries are normalised
together, as repositories do, which spares it the support's last forward pass. Work is counted in multiplications and
additions of convolutions alone, and compared with a large matrix product in the same run.
"""

import argparse
import json
import time
from collections.abc import Callable

import torch
from plain_training import CHANNELS, conv4, embed, maml_step, prototypical_step
from torch import Tensor, nn

from fairshot.learners.classifiers.maml import Maml
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.learner import TaskBatch
from fairshot.learners.networks.conv4 import Conv4
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Lesson, Model, Trainable

SIZE, REPEATS = 28, 7
WAY, SHOT, QUERY = 60, 5, 5
TASKS, MAML_WAY, INNER = 4, 20, 5
IMAGES = 13_180
Work = Callable[[], object]


def convolutions() -> float:
    """Multiplications and additions of one image's convolutions."""
    sides = [SIZE >> layer for layer in range(4)]
    return sum(2 * side**2 * 9 * (CHANNELS if layer else 1) * CHANNELS for layer, side in enumerate(sides))


def in_turns(ours: Work, plain: Work) -> tuple[float, float]:
    """The best seconds of both, which take turns, so that both meet the same noise."""
    best = [float("inf")] * 2
    for repeat in range(REPEATS + 1):
        for side, work in enumerate((ours, plain)):
            started = time.perf_counter()
            work()
            if repeat:
                best[side] = min(best[side], time.perf_counter() - started)
    return best[0], best[1]


def peak() -> float:
    """Operations a second of a matrix product that fits the cache."""
    table = torch.rand(1024, 1024)
    taken = []
    for _ in range(20):
        started = time.perf_counter()
        table @ table
        taken.append(time.perf_counter() - started)
    return 2 * 1024**3 / min(taken)


def lesson_of(support: Tensor, query: Tensor) -> Lesson:
    """Of images by task and class."""
    tasks, way = support.shape[:2]
    labels, asked = (
        torch.arange(way).repeat_interleave(images.shape[2]).expand(tasks, -1).contiguous()
        for images in (support, query)
    )
    batch = TaskBatch(
        support=support.flatten(1, 2),
        support_labels=labels,
        query=query.flatten(1, 2),
        query_mask=asked >= 0,
        way=torch.full((tasks,), way),
        width=way,
    )
    return Lesson(0, tasks=batch, query_labels=asked)


def our_step(learner: Trainable, lesson: Lesson) -> Work:
    network = Conv4(1, SIZE)
    model = Model(network, learner.start(network.width, 1)).train()
    optimizer = torch.optim.Adam(model.parameters())

    def step() -> None:
        loss = learner.loss(model, lesson, Plan()).value
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        optimizer.step()

    return step


def prototypical() -> tuple[Work, Work, float]:
    support, query = torch.rand(1, WAY, SHOT, 1, SIZE, SIZE), torch.rand(1, WAY, QUERY, 1, SIZE, SIZE)
    model = conv4(1)
    optimizer = torch.optim.Adam(model.parameters())
    images = WAY * (SHOT + QUERY)
    return (
        our_step(Prototypes(), lesson_of(support, query)),
        lambda: prototypical_step(model, optimizer, support[0], query[0]),
        3 * images * convolutions(),
    )


def maml() -> tuple[Work, Work, float]:
    support, query = (torch.rand(TASKS, MAML_WAY, 1, 1, SIZE, SIZE) for _ in range(2))
    layers = [*conv4(1).parameters(), *nn.Linear(CHANNELS, MAML_WAY).parameters()]
    parameters = [own.detach().requires_grad_() for own in layers]
    optimizer = torch.optim.Adam(parameters)
    labels = torch.arange(MAML_WAY)
    tasks = [(support[task, :, 0], labels, query[task, :, 0], labels) for task in range(TASKS)]
    # An inner step is a forward pass, its gradient (twice that), and the gradient of both (twice the three).
    passes = TASKS * MAML_WAY * (INNER * 9 + 2 * 3)
    learner = Maml(head="learned", way=MAML_WAY, inner_steps=INNER)
    return (
        our_step(learner, lesson_of(support, query)),
        lambda: maml_step(parameters, optimizer, tasks, steps=INNER, rate=learner.inner_rate),
        passes * convolutions(),
    )


def embedding() -> tuple[Work, Work, float]:
    images = torch.rand(IMAGES, 1, SIZE, SIZE)
    network, model = Conv4(1, SIZE).eval(), conv4(1)
    return lambda: network.embed(images), lambda: embed(model, images), IMAGES * convolutions()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    as_json = parser.parse_args().json
    torch.manual_seed(0)
    jobs = {
        f"a step of prototypes, {WAY}-way {SHOT}-shot {QUERY}-query": prototypical,
        f"a step of second-order MAML, {TASKS} tasks, {MAML_WAY}-way 1-shot 1-query, {INNER} inner steps": maml,
        f"embedding {IMAGES:,} images": embedding,
    }
    for name, make in jobs.items():
        ours, plain, operations = make()
        fast, slow = in_turns(ours, plain)
        top = peak()
        row = {
            "task": name,
            "fairshot, s": round(fast, 3),
            "plain, s": round(slow, 3),
            "ratio": round(slow / fast, 2),
            "fairshot GFLOP/s": round(operations / fast / 1e9, 1),
            "matrix product GFLOP/s": round(top / 1e9, 1),
            "share of it": round(operations / fast / top, 2),
        }
        print(json.dumps(row) if as_json else ", ".join(f"{key} {value}" for key, value in row.items()), flush=True)


if __name__ == "__main__":
    main()
