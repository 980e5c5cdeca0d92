"""The verb train with learners and networks of somebody's own, from the command line and from Python."""

import json
import shlex
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
import torch
from torch import Tensor, nn

import fairshot as fs
from fairshot.cli.main import main
from fairshot.evaluation.train import find_course, train
from fairshot.learners.fitted import Fitted
from fairshot.learners.training.loop import Reports
from fairshot.learners.training.plan import Plan
from fairshot.runtime.errors import FairshotError
from fairshot.specs.learners import as_learners, find_learner
from tests.learners.training.test_loop import Interrupted, interrupt_at, world

SPLIT = "glyphs:alphabets=4,characters=5/parents"
SHORT = "way=3,shot=1,query=2,tasks=1,steps=4,epoch=2,val_episodes=3"
PLAN = Plan(way=3, shot=1, query=1, steps=3, epoch=2, val_episodes=3)
CODE = """
from dataclasses import dataclass
from typing import ClassVar

import torch
from torch import nn

import fairshot as fs


class Net(nn.Module):
    def __init__(self, colours, size):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(colours, 4, 3, stride=4), nn.BatchNorm2d(4), nn.ReLU(), nn.Dropout(0.2), nn.Flatten()
        )

    def forward(self, images):
        return self.body(images)


drawn = nn.Sequential(nn.Flatten(), nn.Linear(256, 4))


def made():
    return nn.Sequential(nn.Flatten(), nn.LazyLinear(4))


class Styled(fs.learners.Network):
    def __init__(self, colours, size):
        super().__init__()
        self.linear = nn.Linear(colours * size * size, 4)

    def forward(self, images, tasks=None):
        return self.linear(images.flatten(1))


@dataclass(frozen=True)
class Mine(fs.learners.Trainable):
    power: float = 2.0
    presets: ClassVar = {"laptop": fs.learners.Plan(way=3, shot=1, query=2, steps=2, val_episodes=3)}

    def start(self, width, classes):
        return {"scale": torch.tensor(1.0)}

    def logits(self, batch, head):
        support, query = batch.vectors
        means = batch.one_hot.mT @ support / batch.one_hot.sum(1)[:, :, None]
        return -head["scale"] * torch.cdist(query, means) ** self.power


steep = Mine(power=3.0)


class Fails(Mine):
    def loss(self, model, lesson, plan):
        return 1 / 0


class Bare(Mine):
    def loss(self, model, lesson, plan):
        return super().loss(model, lesson, plan).value


number = 3
"""


@pytest.fixture(autouse=True)
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("mine.py").write_text(CODE)
    return Path("mine.py")


def run(learner: str, *words: str, out: str = "run") -> int:
    changes = ["--set", SHORT] if "mine.py:Mine" not in learner and "steep" not in learner else []
    return main(["train", learner, "--split", SPLIT, "--recipe", "16", "--out", out, *changes, *words])


def rows(*learners: str, capsys: pytest.CaptureFixture[str]) -> list[dict[str, Any]]:
    capsys.readouterr()
    command = ["evaluate", f"{SPLIT}/novel", "--learner", *learners, "--way", "3", "--query", "2", "--episodes", "6"]
    assert main([*command, "--json"]) == 0
    found: list[dict[str, Any]] = json.loads(capsys.readouterr().out)["rows"]
    return found


NEEDED = {
    "mine.py:Net": "mine.py:Net",
    "mine.py:drawn": "mine.py:drawn",
    "mine.py:made": "mine.py:made",
    "siamese@mine.py:Styled": "mine.py:Styled",
    "maml:inner_steps=1,test_steps=1@mine.py:Net": "mine.py:Net",
    "mine.py:steep": "mine.py:steep",
    "mine.py:Mine@mine.py:Net": "mine.py:Mine@mine.py:Net",
}


@pytest.mark.parametrize("learner", NEEDED)
def test_own_code_is_trained_and_judged_with_the_code_beside_its_weights(
    learner: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(learner) == 0
    needed = f"{NEEDED[learner]}@run"
    line = capsys.readouterr().out.splitlines()[-1]
    assert line == f"Evaluate it: fairshot evaluate {SPLIT}/novel --learner {needed}"
    (row,) = rows(needed, capsys=capsys)
    assert row["value"] is not None
    assert row["warnings"] == []
    assert main(["evaluate", f"{SPLIT}/novel", "--learner", "run"]) == 2
    code = " and ".join(NEEDED[learner].split("@"))
    assert capsys.readouterr().err == (
        f"fairshot: run was trained with {code}, code of somebody's own that weights do not bring along: write {needed}\n"
    )


def test_the_record_names_the_code_and_its_hash(file: Path) -> None:
    from hashlib import sha256

    assert run("mine.py:Mine@mine.py:Net") == 0
    fitted = find_learner("mine.py:Mine@mine.py:Net@run")
    assert isinstance(fitted, Fitted)
    record, digest = fitted.record, sha256(file.read_bytes()).hexdigest()
    assert (record.learner, record.plan.network, record.settings) == ("mine.py:Mine", "mine.py:Net", {"power": 2.0})
    assert record.code == {"mine.py:Mine": digest, "mine.py:Net": digest}


def test_settings_of_the_training_are_used_again(file: Path) -> None:
    assert run("mine.py:steep") == 0
    file.write_text(CODE.replace("power=3.0", "power=5.0"))
    fitted = find_learner("mine.py:steep@run")
    assert isinstance(fitted, Fitted)
    assert fitted.head.settings == {"power": 3.0}


def test_another_head_needs_the_network_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("mine.py:Mine@mine.py:Net") == 0
    found = rows(
        "ridge@mine.py:Net@run",
        "mine.py:Net@run".replace("mine.py:Net@", "ridge@mine.py:Net@") + "/weights.safetensors",
        capsys=capsys,
    )
    assert found[0]["value"] == found[1]["value"]
    assert main(["evaluate", f"{SPLIT}/novel", "--learner", "ridge@run"]) == 2
    assert capsys.readouterr().err.endswith(": write ridge@mine.py:Net@run\n")
    assert main(["evaluate", f"{SPLIT}/novel", "--learner", "mine.py:Net@run"]) == 2
    assert capsys.readouterr().err.endswith(": write mine.py:Mine@mine.py:Net@run\n")


def test_a_changed_file_is_told_and_its_training_is_not_gone_on_with(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("mine.py:Net") == 0
    before = find_learner("mine.py:Net@run").identity
    file.write_text(f"{CODE}# another line\n")
    (row,) = rows("mine.py:Net@run", capsys=capsys)
    assert row["warnings"] == [
        "mine.py:Net@run: mine.py:Net is not as it was when it was trained, so these may not be the answers of what was "
        "trained"
    ]
    assert find_learner("mine.py:Net@run").identity != before
    assert run("mine.py:Net") == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "fairshot: run holds a training with another version of mine.py:Net: restore that, choose another folder, or "
        "remove the folder"
    )
    file.write_text(CODE.replace("colours, 4, 3", "colours, 5, 3").replace("BatchNorm2d(4)", "BatchNorm2d(5)"))
    with pytest.raises(FairshotError) as caught:
        find_learner("mine.py:Net@run")
    assert str(caught.value) == (
        "the weights run/weights.safetensors do not fit mine.py:Net (RuntimeError): it has other layers than when it was "
        "trained, so restore the file or train anew"
    )


def test_weights_never_run_the_code_that_they_name(file: Path) -> None:
    assert run("mine.py:Net") == 0
    file.write_text("raise SystemExit('it was run')")
    with pytest.raises(FairshotError, match=r"was trained with mine\.py:Net"):
        find_learner("run")
    with pytest.raises(FairshotError, match=r"was trained with mine\.py:Net"):
        find_learner("ridge@run/snapshots/epoch0001.safetensors")


@pytest.mark.parametrize("learner", ["mine.py:Net", "mine.py:Mine", "mine.py:drawn"])
def test_interrupted_anywhere_own_code_ends_with_the_same_bytes(learner: str) -> None:
    def weights(folder: str) -> dict[str, bytes]:
        return {
            path.name: path.read_bytes() for path in Path(folder).rglob("*.safetensors") if "check" not in path.name
        }

    def fit(folder: str, reports: Reports | None = None) -> None:
        train(learner, SPLIT, preset="laptop", changes=SHORT, recipe="16", out=folder, reports=reports)

    fit("whole")
    reports, interruptions = interrupt_at({1, 3}, {1}), 0
    while True:
        try:
            fit("parts", reports)
            break
        except Interrupted:
            interruptions += 1
    assert interruptions == 3
    assert weights("parts") == weights("whole")


MISTAKES = {
    "mine.py:number": "mine.py:number is no network: give a torch module from images to vectors, a class of one, or a "
    "function that makes one",
    "mine.py:Net@mine.py:Net": "mine.py:Net is no Trainable: in front of a network stands a learner that can be trained",
    "ridge@mine.py:Net": "ridge has nothing to train: choose among ",
    "prototypes@omniglot-lake": "prototypes@omniglot-lake is trained already: to begin with its weights, train "
    "prototypes with begin=omniglot-lake (--set begin=omniglot-lake)",
    "mine.py:Fails": "mine.py:Fails failed at step 1 (ZeroDivisionError: division by zero)",
    "mine.py:Bare": "the loss of mine.py:Bare is a Tensor: return fairshot.learners.Loss(value, accuracy)",
    "mine.py:Nets": "unknown name in mine.py 'Nets': did you mean 'Net'?",
}


@pytest.mark.parametrize("learner", MISTAKES)
def test_mistakes_get_one_line(learner: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(learner) == 2
    assert capsys.readouterr().err.splitlines()[-1].startswith(f"fairshot: {MISTAKES[learner]}")


def test_code_that_weights_do_not_need_is_refused() -> None:
    train("prototypes", SPLIT, changes=SHORT, recipe="16", out="run")
    with pytest.raises(FairshotError) as caught:
        find_learner("ridge@mine.py:Net@run")
    assert str(caught.value) == "run was trained on conv4, which is found by its name: write ridge@run"


def test_a_network_of_a_plugin_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    folder = Path("plugin/learners/networks")
    folder.mkdir(parents=True)
    (folder / "tiny_line.py").write_text(
        '"""A line."""\nfrom torch import nn\n\n\nclass TinyLine(nn.Sequential):\n    def __init__(self):\n'
        "        super().__init__(nn.Flatten(), nn.LazyLinear(4))\n"
    )
    monkeypatch.setenv("FAIRSHOT_PLUGINS", "plugin")
    fitted = train("prototypes", SPLIT, changes=f"{SHORT},network=tiny-line", recipe="16", out="run")
    assert fitted.record.code == {}
    found = find_learner("run")
    assert isinstance(found, Fitted)
    assert found.content == fitted.content
    again = train("prototypes", SPLIT, changes=f"{SHORT},network=tiny-line,begin=run", recipe="16")
    assert again.record.plan.begin == "run"


class Small(nn.Module):
    def __init__(self, colours: int, size: int) -> None:
        super().__init__()
        self.linear = nn.Linear(colours * size * size, 4)

    def forward(self, images: Tensor) -> Tensor:
        return self.linear(images.flatten(1))


@dataclass(frozen=True)
class Nearest(fs.learners.Trainable):
    presets: ClassVar = {"short": PLAN}

    def logits(self, batch: Any, head: Any) -> Tensor:
        support, query = batch.vectors
        means = batch.one_hot.mT @ support / batch.one_hot.sum(1)[:, :, None]
        return -torch.cdist(query, means)


@pytest.mark.parametrize("learner", [Small, Small(1, 16), Nearest, Nearest(), "prototypes"])
def test_objects_are_trained_and_evaluated(learner: Any) -> None:
    split = fs.split(SPLIT, recipe="16")
    fitted = train(learner, split, preset=PLAN, changes={"steps": 2})
    assert fitted.record.preset == "own with steps=2"
    result = fs.evaluate(split, [fitted, "prototypes"], way=3, query=2, episodes=4)
    assert result.learners[0] == f"trained {fitted.record.learner}"
    assert str(fitted) == fitted.record.about


def test_a_network_can_be_a_change_of_the_plan() -> None:
    fitted = train("siamese", SPLIT, recipe="16", preset=PLAN, changes={"network": Small, "steps": "2"}, out="run")
    assert (fitted.record.learner, fitted.record.plan.network, fitted.record.plan.steps) == ("siamese", "Small", 2)
    with pytest.raises(FairshotError, match=r"write path.py:Small@run$"):
        find_learner("run")
    again = train("siamese", SPLIT, recipe="16", preset=PLAN, changes={"network": Small, "steps": 2}, out="run")
    assert again.content == fitted.content
    with pytest.raises(
        FairshotError, match=r"two networks were given, mine\.py:Net with the learner and mine\.py:Styled"
    ):
        train("siamese@mine.py:Net", SPLIT, changes="network=mine.py:Styled")
    with pytest.raises(FairshotError, match=r"^network is an int: give a name, path.py:NAME, or a torch module"):
        train("siamese", SPLIT, changes={"network": 3})
    with pytest.raises(FairshotError, match=r"^unknown setting of a plan 'stepps': did you mean 'steps'\?"):
        train("siamese", SPLIT, changes={"stepps": 3})


def test_trained_learners_of_one_kind_get_names_of_their_own() -> None:
    split = fs.split(SPLIT, recipe="16")
    first, second = (train("prototypes", split, preset=replace(PLAN, steps=1), seed=seed) for seed in (0, 1))
    assert list(as_learners([first, second])) == ["trained prototypes", "trained prototypes, seed 1"]
    with pytest.raises(FairshotError, match=r"two learners are called"):
        as_learners([first, first, first, first, first])


def test_arrays_and_sources_are_split_at_random() -> None:
    source = world(classes=10, images=4)
    for data in (source, (source.store[:, 0], source.class_ids)):
        fitted = train(Small, data, preset=replace(PLAN, steps=1))
        assert fitted.record.classes == 6
    smaller = train(Small, source, recipe="12", preset=replace(PLAN, steps=1)).record
    assert (smaller.recipe, smaller.shape) == ("12", (1, 12))


JUDGED = {
    "glyphs:alphabets=4,characters=3,drawers=10/by-drawer": ["--query", "3"],
    "glyphs:alphabets=5,characters=3/random": ["--way", "3"],
    "glyphs:alphabets=5,characters=3/parts/mine.json": ["--way", "2"],
}


@pytest.mark.parametrize("split", JUDGED)
def test_the_line_that_judges_fits_the_split(split: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("parts").mkdir()
    names = list(fs.data("glyphs:alphabets=5,characters=3").class_names)
    Path("parts/mine.json").write_text(json.dumps({"base": names[:9], "val": names[9:13], "novel": names[13:]}))
    assert main(["train", "prototypes", "--split", split, "--recipe", "16", "--set", SHORT, "--out", "run"]) == 0
    words = shlex.split(capsys.readouterr().out.splitlines()[-1].removeprefix("Evaluate it: fairshot "))
    assert words[-2:] == JUDGED[split]
    assert main([*words, "--episodes", "2", "--json"]) == 0


def test_without_an_unseen_part_no_line_is_given() -> None:
    split = fs.split(SPLIT, recipe="16")
    course = find_course("prototypes", replace(split, val=split.base_heldout, novel=split.base_heldout), preset=PLAN)
    fitted = course.run()
    assert course.command(fitted, SPLIT, Path("run")) == ""
