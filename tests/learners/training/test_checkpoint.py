"""Files of a training that somebody forged, or that are of another training, are refused in one line or do no harm."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors import safe_open
from safetensors.torch import save_file
from torch import Tensor

from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.learners.training.checkpoint import CHECKPOINT, LOG, SETTING, read_log
from fairshot.learners.training.loop import train
from fairshot.learners.training.plan import Plan
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source

PLAN = Plan(way=3, shot=1, query=1, steps=2, epoch=1, rate=3e-3)


@pytest.fixture(scope="module")
def base() -> Source:
    pixels = np.random.default_rng(0).integers(0, 256, (12, 16, 16), dtype=np.uint8)
    return from_arrays(pixels, np.arange(12) % 4)


@pytest.fixture(scope="module")
def trained(base: Source, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("trained")
    train(Prototypes(), base, plan=PLAN, out=folder)
    return folder


@pytest.fixture
def run(trained: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(trained, tmp_path / "run"))


SETTINGS: list[Callable[[dict[str, Any]], Any]] = [
    lambda setting: [],
    lambda setting: 3,
    lambda setting: {},
    lambda setting: {"record": 3, "threads": 1},
    lambda setting: setting | {"record": []},
    lambda setting: setting | {"record": setting["record"] | {"plan": []}},
    lambda setting: setting | {"record": setting["record"] | {"plan": "adam"}},
    lambda setting: setting | {"record": setting["record"] | {"code": 3}},
    lambda setting: setting | {"threads": "many"},
    lambda setting: setting | {"threads": -1},
    lambda setting: setting | {"threads": 10**30},
    lambda setting: setting | {"threads": None},
]


@pytest.mark.parametrize("forge", SETTINGS)
def test_forged_settings_are_refused(forge: Callable[[Any], Any], run: Path, base: Source) -> None:
    (run / SETTING).write_text(json.dumps(forge(json.loads((run / SETTING).read_text()))))
    with pytest.raises(FairshotError):
        train(Prototypes(), base, plan=PLAN, out=run)


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[" * 100_000, b'{"record": {"plan"'])
def test_settings_that_are_no_json_are_refused(content: bytes, run: Path, base: Source) -> None:
    (run / SETTING).write_bytes(content)
    with pytest.raises(FairshotError, match=r"^.*training.json cannot be read: remove .*run or choose another folder$"):
        train(Prototypes(), base, plan=PLAN, out=run)


Tensors = dict[str, Tensor]


def in_state(**fields: Any) -> Callable[[Tensors, dict[str, Any]], tuple[Tensors, Any]]:
    return lambda tensors, state: (tensors, state | fields)


def first_of(tensors: Tensors, prefix: str) -> str:
    return next(name for name in sorted(tensors) if name.startswith(prefix) and tensors[name].ndim)


CHECKPOINTS: list[Callable[[Tensors, dict[str, Any]], tuple[Tensors, Any]]] = [
    lambda tensors, state: (tensors, []),
    lambda tensors, state: (tensors, {}),
    in_state(step="two"),
    in_state(step=-1),
    in_state(step=1.5),
    in_state(step=10**9),
    in_state(loss="low"),
    in_state(terms=3),
    in_state(log=3),
    in_state(log=[{"epoch": 1}]),
    in_state(other=1),
    lambda tensors, state: ({}, state),
    lambda tensors, state: (tensors | {first_of(tensors, "model."): torch.zeros(1)}, state),
    lambda tensors, state: (tensors | {"model.more": torch.zeros(1)}, state),
    lambda tensors, state: (tensors | {"optimizer.999.exp_avg": torch.zeros(1)}, state),
    lambda tensors, state: (tensors | {"optimizer.x": torch.zeros(1)}, state),
]


@pytest.mark.parametrize("forge", CHECKPOINTS)
def test_forged_checkpoints_are_refused(forge: Callable[..., Any], run: Path, base: Source) -> None:
    with safe_open(run / CHECKPOINT, "pt") as file:
        state, tensors = json.loads(file.metadata()["state"]), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    del state["checksum"]  # as in files of earlier versions
    tensors, state = forge(tensors, state)
    save_file(tensors, run / CHECKPOINT, {"state": json.dumps(state)})
    (run / "weights.safetensors").unlink(missing_ok=True)
    with pytest.raises(FairshotError) as caught:
        train(Prototypes(), base, plan=PLAN, out=run)
    message = f"{run / CHECKPOINT} is of another training: remove it to train from the beginning"
    assert str(caught.value) == message


@pytest.mark.parametrize("content", [b"epoch,step\nx,y\n", b"epoch\n" + b"1" * 200_000, b"\xff\xff\n\xff", b"a,b\n1\n"])
def test_a_log_that_is_none_is_refused(content: bytes, run: Path) -> None:
    (run / LOG).write_bytes(content)
    with pytest.raises(FairshotError, match=r"^.*log.csv is not a log of a training: remove .*run to train anew$"):
        read_log(run)


def test_a_rate_beyond_all_numbers_is_one_line(base: Source) -> None:
    plan = Plan(way=3, shot=1, query=1, steps=3, epoch=3, rate=1e30)
    with pytest.raises(FairshotError, match=r"^(the loss is nan at step \d: lower the rate|.* gave NaN or infinite)"):
        train(Prototypes(), base, base, plan=plan)
