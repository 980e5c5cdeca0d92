"""What is trained with settings of somebody's own is found again with them."""

from pathlib import Path
from typing import Any

import pytest

from fairshot.evaluation.train import train
from fairshot.runtime.errors import FairshotError
from fairshot.specs.learners import find_learner

SPLIT = "glyphs:alphabets=4,characters=5/parents"
SHORT = {"way": 3, "shot": 1, "query": 1, "steps": 1, "epoch": 1, "val_episodes": 2}
CODE = """
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import nn

import fairshot as fs


class Net(nn.Module):
    def __init__(self, colours, size, width=2, deep=False):
        super().__init__()
        self.body = nn.Sequential(nn.Flatten(), nn.Linear(colours * size * size, width))

    def forward(self, images):
        return self.body(images)


@dataclass(frozen=True)
class Mine(fs.learners.Trainable):
    power: float = 2.0
    presets: ClassVar = {"laptop": fs.learners.Plan(way=3, shot=1, query=1, steps=1, val_episodes=2)}

    def logits(self, batch, head):
        support, query = batch.vectors
        means = batch.one_hot.mT @ support / batch.one_hot.sum(1)[:, :, None]
        return -torch.cdist(query, means) ** self.power
"""


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(CODE)


def found(spec: str) -> Any:
    return find_learner(spec)


def test_a_network_keeps_its_settings() -> None:
    fitted: Any = train("mine.py:Net:width=3", SPLIT, recipe="8", changes=SHORT, out="run")
    assert fitted.record.plan.network == "mine.py:Net:width=3"
    for spec in ("mine.py:Net:width=3@run", "mine.py:Net@run", "ridge@mine.py:Net@run"):
        assert found(spec).model.network.width == 3
    with pytest.raises(FairshotError) as refused:
        found("mine.py:Net:width=4@run")
    assert str(refused.value) == (
        "the weights run/weights.safetensors do not fit mine.py:Net:width=4 (RuntimeError): it has other layers than "
        "when it was trained, so restore the file or train anew"
    )
    with pytest.raises(FairshotError) as refused:
        found("run")
    assert str(refused.value) == (
        "run was trained with mine.py:Net:width=3, code of somebody's own that weights do not bring along: write "
        "mine.py:Net:width=3@run"
    )


def test_a_learner_keeps_its_settings_unless_others_are_given() -> None:
    fitted: Any = train("mine.py:Mine:power=3.0@mine.py:Net:width=3", SPLIT, recipe="8", changes=SHORT, out="run")
    assert (fitted.record.learner, fitted.record.settings) == ("mine.py:Mine:power=3.0", {"power": 3.0})
    both = "mine.py:Net@run"
    assert found(f"mine.py:Mine@{both}").head.power == 3.0
    assert found(f"mine.py:Mine:power=1.5@{both}").head.power == 1.5


def test_a_setting_that_a_network_does_not_take_is_named() -> None:
    with pytest.raises(FairshotError) as refused:
        train("mine.py:Net:wdith=3", SPLIT, recipe="8", changes=SHORT)
    assert str(refused.value) == "unknown setting of mine.py:Net 'wdith': did you mean 'width'?"
