"""Generators that are trained for a step or two on a small world of glyphs, and critics for them."""

from pathlib import Path

import numpy as np

from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.classifiers.simclr import Simclr
from fairshot.learners.training.loop import train
from fairshot.learners.training.plan import Plan
from fairshot.scoring.critics import Critics, load_critics
from fairshot.scoring.sample_scores import HUMAN
from fairshot.specs.data import find_split
from fairshot.studies.kinds.generator_model import Model
from fairshot.studies.kinds.path_claim import PathClaim
from fairshot.studies.kinds.plane import Place, Plane
from fairshot.studies.kinds.sample_judge import AXES, SetPoint
from fairshot.studies.kinds.sweep import Axis, Sweep

WORLD = "glyphs:alphabets=5,characters=6,drawers=5"
CHANGES = "steps=2,epoch=2,images=4,exemplars=random,recipe=diversity-28"
WHERE = {"split": f"{WORLD}/parents", "on": f"{WORLD}/parents/novel", "way": 4, "times": 6}
BETAS = (1.0, 2.0, 3.0)
SWEPT = tuple(Model("vae_stn", {"beta": b, "glimpses": 2}, seeds=(0, 1), changes=CHANGES) for b in BETAS)


def make_critics(folder: Path) -> Critics:
    """A pair of poor critics: what must hold for any critic holds for them."""
    base = find_split(WORLD, "parents", recipe="diversity").base
    plan = Plan(network="critic", images=16, steps=2, epoch=2, optimizer="rmsprop")
    train(Simclr(), base, plan=plan, out=folder / "simclr")
    plan = Plan(network="critic", way=5, shot=1, query=2, steps=2, epoch=2, exemplars=str(folder / "simclr"))
    train(Prototypes(), base, plan=plan, out=folder / "prototypes")
    return load_critics(str(folder))


def make_sweep(critics: Critics) -> Sweep:
    """A sweep of three values with two trainings each."""
    return Sweep(
        title="What does it do?",
        paper="nobody",
        models=SWEPT,
        axes=(Axis("vae_stn", "beta", BETAS, (0, 1)),),
        critics=(critics,),
        questions=(PathClaim("It falls.", "vae_stn", "diversity falls"),),
        yardsticks=("copy",),
        **WHERE,
    )


def make_plane(models: dict[str, list[tuple[float, float]]], *, classes: int = 6, seed: int = 0) -> Plane:
    """Models with a point for each training, whose classes lie around it; people are at (1, 0.9)."""
    rng = np.random.default_rng(seed)
    places = []
    for model, points in {**models, HUMAN: [(1.0, 0.9)]}.items():
        for number, point in enumerate(points):
            noise = rng.normal(0, 0.01, (classes, 2))
            table = np.array(point) + noise - noise.mean(axis=0)
            found = SetPoint(dict(zip(AXES, point, strict=True)), dict(zip(AXES, table.T, strict=True)))
            trained = model not in ("copy", HUMAN)
            generator = model.partition(",")[0]
            course = f"{model}-seed{number}" if trained else ""
            places.append(
                Place(model=model, generator=generator, found=found, course=course, seed=number if trained else None)
            )
    return Plane("any", places, 4, None, np.arange(1.0, classes + 1))
