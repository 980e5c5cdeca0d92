"""Two processes that train one model: their losses and weights are those of one process, but for rounding."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch import nn

from fairshot.cli.main import main
from fairshot.learners.fitted import load_state
from fairshot.learners.layers.norm import Norm
from fairshot.learners.layers.shared_norm import batch_is_shared
from fairshot.learners.networks.network import make_network
from fairshot.learners.training.checkpoint import read_log
from fairshot.learners.training.group import refuse_shared
from fairshot.learners.training.loop import train
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.trainable import Model
from fairshot.runtime.errors import FairshotError
from fairshot.specs.learners import find_learner
from tests.learners.training.test_loop import world
from tests.paths import ROOT

TOLERANCE = {"rtol": 1e-4, "atol": 1e-5}  # of losses; sums of 32 bits come in another order
OF_WEIGHTS = {"rtol": 1e-4, "atol": 1e-4}
LEARNERS = ("prototypes", "baseline")  # on episodes, and on an odd number of images with labels
# Plain descent: Adam divides by the size of a gradient, which makes much of the smallest difference.
PLAN = Plan(way=3, shot=1, query=2, steps=6, epoch=3, images=11, rate=0.02, optimizer="sgd", val_way=3, val_episodes=8)

TOGETHER = """
import sys

import torch

from fairshot.learners.training import resumable
from fairshot.learners.training.loop import Reports, train
from fairshot.specs.learners import find_learner
from tests.learners.training.test_group import LEARNERS, PLAN
from tests.learners.training.test_loop import world

torch.set_num_threads(1)
torch.distributed.init_process_group("gloo")
resumable.CHECKPOINT_SECONDS = 0.0
source = world()
base, val = source.select_classes(source.classes[:6]), source.select_classes(source.classes[6:])

def stop(moment):
    if moment.step == 5:
        raise KeyboardInterrupt

for name in LEARNERS:
    try:
        train(find_learner(name), base, val, plan=PLAN, out=f"{sys.argv[1]}/{name}", reports=Reports(stop))
    except KeyboardInterrupt:
        torch.distributed.barrier()
    train(find_learner(name), base, val, plan=PLAN, out=f"{sys.argv[1]}/{name}")
"""


def test_two_processes_train_as_one_does_and_go_on_after_an_interruption(tmp_path: Path) -> None:
    (tmp_path / "together.py").write_text(TOGETHER)
    words = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    done = subprocess.run(
        [*words, tmp_path / "together.py", tmp_path / "two"],
        env={**os.environ, "PYTHONPATH": f"{ROOT}:{ROOT / 'src'}", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    source = world()
    base, val = source.select_classes(source.classes[:6]), source.select_classes(source.classes[6:])
    for name in LEARNERS:
        train(find_learner(name), base, val, plan=PLAN, out=tmp_path / "one" / name)
        logs = [torch.tensor([row.loss for row in read_log(tmp_path / much / name)]) for much in ("one", "two")]
        torch.testing.assert_close(*logs, **TOLERANCE)
        states = [load_state(tmp_path / much / name / "weights.safetensors") for much in ("one", "two")]
        torch.testing.assert_close(*states, **OF_WEIGHTS)


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = ["train", "prototypes", "--split", "glyphs:alphabets=3,characters=4,drawers=5/parents", "--recipe", "16"]
    asked += ["--set", "way=3,steps=2,epoch=1,optimizer=sgd,query=1"]
    for out, words in (("one", []), ("two", ["--processes", "2"])):
        whole = [*asked, "--out", str(tmp_path / out), *words]
        monkeypatch.setattr("sys.argv", ["fairshot", *whole])
        assert main(whole) == 0
    logs = [torch.tensor([row.loss for row in read_log(tmp_path / out)]) for out in ("one", "two")]
    torch.testing.assert_close(*logs, **TOLERANCE)
    assert "WORLD_SIZE" not in os.environ


def test_batch_norm_of_one_process_alone_is_the_usual_one(tmp_path: Path) -> None:
    maps, (usual, shared) = torch.randn(5, 3, 4, 4), (Norm(3), Norm(3))
    torch.distributed.init_process_group("gloo", init_method=f"file://{tmp_path / 'meet'}", rank=0, world_size=1)
    try:
        with batch_is_shared():
            torch.testing.assert_close(shared(maps), usual(maps.clone()))
        torch.testing.assert_close(dict(shared.state_dict()), dict(usual.state_dict()))
    finally:
        torch.distributed.destroy_process_group()


@pytest.mark.parametrize("name", ["maml", "proto_maml"])
def test_what_processes_cannot_share_is_refused(name: str) -> None:
    network = make_network("conv4", (1, 16))
    with pytest.raises(FairshotError, match=r"^every task has weights or statistics of its own here"):
        refuse_shared(find_learner(name), Model(network, {}), PLAN)
    network.more = nn.BatchNorm1d(2)
    with pytest.raises(FairshotError, match=r"^the batch norm of Conv4 would see a part of the images"):
        refuse_shared(find_learner("prototypes"), Model(network, {}), PLAN)
