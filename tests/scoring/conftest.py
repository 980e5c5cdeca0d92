"""Critics of a few steps, which many tests of scores stand on."""

from pathlib import Path

import pytest

from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.classifiers.simclr import Simclr
from fairshot.learners.training.loop import train
from fairshot.learners.training.plan import Plan
from fairshot.scoring.critics import Critics, load_critics
from fairshot.scoring.sample_scores import SampleScores
from fairshot.scoring.score import score
from fairshot.specs.data import find_split
from tests.scoring.small_world import ON, PROTOCOL, WORLD


@pytest.fixture(scope="session")
def critics_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a pair of poor critics: what must hold for any critic holds for them."""
    folder = tmp_path_factory.mktemp("critics")
    base = find_split(WORLD, "parents", recipe="diversity").base
    plan = Plan(network="critic", images=16, steps=4, epoch=4, optimizer="rmsprop")
    train(Simclr(), base, plan=plan, out=folder / "simclr")
    plan = Plan(network="critic", way=5, shot=1, query=2, steps=6, epoch=6, exemplars=str(folder / "simclr"))
    train(Prototypes(), base, plan=plan, out=folder / "prototypes")
    return folder


@pytest.fixture(scope="session")
def critics(critics_folder: Path) -> Critics:
    """The same critics, opened once: people's drawings are embedded for the first test alone."""
    return load_critics(str(critics_folder))


@pytest.fixture(scope="session")
def found(critics: Critics) -> SampleScores:
    """Three yardsticks beside people."""
    return score(["copy", "strangers", "fresh", "human"], critic=critics, on=ON, count=10, protocol=PROTOCOL)
