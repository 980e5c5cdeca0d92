"""The verb train: names to runs, and runs to learners."""

import json
import shlex
import sys
from pathlib import Path

import pytest
import torch
from PIL import Image

import fairshot
from fairshot.cli.main import main
from fairshot.learners.training.checkpoint import read_log
from fairshot.learners.training.loop import Training
from fairshot.specs.learners import find_learner
from tests.learners.training.test_loop import world

SPLIT = "glyphs:alphabets=4,characters=5/parents"
SHORT = "way=4,shot=1,query=2,steps=3,epoch=2"
TRAIN = ["train", "prototypes", "--split", SPLIT, "--recipe", "16", "--set", SHORT]


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "proto"
    assert main([*TRAIN, "--out", str(folder)]) == 0
    return folder


def test_a_run_is_a_learner_and_so_is_each_snapshot_and_any_head_on_it(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    snapshot = run / "snapshots" / "epoch0001.safetensors"
    specs = [str(run), f"prototypes:metric=cosine@{run}", f"neighbours:k=3@{run}", str(snapshot)]
    command = ["evaluate", f"{SPLIT}/novel", "--learner", *specs, "--way", "3", "--query", "2", "--episodes", "20"]
    assert main([*command, "--json"]) == 0
    result = json.loads(capsys.readouterr().out)
    assert [row["learner"] for row in result["rows"]] == specs
    assert result["source"]["recipe"] == "16"  # the learners' own
    trained = [row["settings"]["trained"] for row in result["rows"]]
    assert [one["epoch"] for one in trained] == [2, 2, 2, 1]
    assert {one["preset"] for one in trained} == {"laptop with way=4, query=2, steps=3, epoch=2"}
    assert {one["batch_norm"] for one in trained} == {"running"}


def test_the_same_command_finds_its_run_and_another_one_is_refused(
    run: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.stat().st_mtime_ns for path in (run / "snapshots").iterdir()}
    assert main([*TRAIN, "--out", str(run), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["record"]["learner"], told["record"]["epoch"], len(told["log"])) == ("prototypes", 2, 2)
    assert before == {path: path.stat().st_mtime_ns for path in (run / "snapshots").iterdir()}
    assert main([*TRAIN[:-1], "way=4,shot=1,query=2,steps=4,epoch=2", "--out", str(run)]) == 2
    said = f"fairshot: {run} holds a training with another steps (3, not 4): choose another folder, or remove it"
    assert capsys.readouterr().err.splitlines()[-1] == said


def test_a_training_goes_on_with_the_threads_it_began_with(run: Path) -> None:
    told = json.loads((run / "training.json").read_text())
    before = torch.get_num_threads()
    used = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Training, "_train", lambda self: used.append(torch.get_num_threads()))
        (run / "training.json").write_text(json.dumps({**told, "threads": 3}))
        assert main([*TRAIN, "--out", str(run)]) == 0
    (run / "training.json").write_text(json.dumps(told))
    assert (used, torch.get_num_threads()) == ([3], before)


@pytest.mark.parametrize("began", ["1.0.0", None])
def test_going_on_with_another_torch_is_allowed_and_noted(
    run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], began: str | None
) -> None:
    told = json.loads((run / "training.json").read_text())
    assert (told.pop("torch"), told.pop("fairshot")) == (torch.__version__, fairshot.__version__)
    told |= {"torch": began, "fairshot": "0.0.1"} if began else {}
    (tmp_path / "training.json").write_text(json.dumps(told))
    said = (
        f"Note: the training began with torch 1.0.0 and goes on with {torch.__version__}: the same bytes as without an "
        "interruption are not promised."
    )
    capsys.readouterr()
    for going_on in (True, False):  # a finished training is not gone on with
        assert main([*TRAIN, "--out", str(tmp_path)]) == 0
        assert (said in capsys.readouterr().err.splitlines()) == (going_on and began is not None)
    assert json.loads((tmp_path / "training.json").read_text()) == told  # what it began with


def test_it_says_what_it_did_and_how_to_judge_it(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TRAIN, "--out", str(run)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("prototypes on glyphs/parents/base (recipe 16, conv4, preset laptop with way=4")
    assert lines[1].startswith("Epoch 2 of 2: loss ")
    assert lines[3] == f"Evaluate it: fairshot evaluate {SPLIT}/novel --learner {run}"


def test_the_log_for_machines_is_of_numbers(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*TRAIN, "--out", str(run), "--json"]) == 0
    log = json.loads(capsys.readouterr().out)["log"]
    assert log == [epoch.as_row() for epoch in read_log(run)]
    assert [(row["epoch"], row["step"]) for row in log] == [(1, 2), (2, 3)]
    assert {type(row["loss"]) for row in log} == {float}


JUDGED = {
    "glyphs:alphabets=6,characters=5/random-3": "prototypes:metric=cosine",
    "glyphs:alphabets=6,characters=5/parents+6": "maml:head=learned,way=3,inner_steps=1,test_steps=1",
    "folder:my birds": "prototypes",
}


@pytest.mark.parametrize("split", JUDGED)
def test_the_line_that_judges_a_learner_can_be_run(
    split: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    birds = world(classes=26, images=17)
    for number, (image, label) in enumerate(zip(birds.store, birds.class_ids, strict=True)):
        file = Path("my birds", f"bird{label}", f"{number}.png")
        file.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(image[0]).save(file)
    command = ["train", JUDGED[split], "--split", split, "--recipe", "16", "--out", "a run"]
    assert main([*command, "--set", "way=3,shot=1,query=1,tasks=1,steps=1,val_episodes=1"]) == 0
    line = capsys.readouterr().out.splitlines()[-1]
    words = shlex.split(line.removeprefix("Evaluate it: fairshot "))
    assert main([*words, "--episodes", "2", "--json"]) == 0
    (row,) = json.loads(capsys.readouterr().out)["rows"]
    assert (row["learner"], row["value"] is None) == ("a run", False)
    assert row["part"].endswith("/novel")
    assert row["settings"]["trained"]["settings"].items() >= find_learner(JUDGED[split]).settings.items()


def test_without_tensorboard_it_says_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    assert main([*TRAIN, "--out", str(tmp_path / "run"), "--tensorboard"]) == 2
    assert capsys.readouterr().err == (
        "fairshot: --tensorboard needs the package tensorboard: install it with pip install 'fairshot[tensorboard]'\n"
    )
    assert list(tmp_path.iterdir()) == []


def test_tensorboard_is_told_what_the_log_says(tmp_path: Path) -> None:
    events = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator", reason="needs tensorboard, which is an extra"
    )
    assert main([*TRAIN, "--out", str(tmp_path), "--tensorboard"]) == 0
    board = events.EventAccumulator(str(tmp_path / "tensorboard")).Reload()
    log, names = read_log(tmp_path), ("loss", "accuracy", "val_accuracy", "rate")
    assert len(log) == 2
    for name in names:
        told = [(event.step, event.value) for event in board.Scalars(name.replace("_", " "))]
        assert told == [(row.step, pytest.approx(getattr(row, name))) for row in log]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (
            ["train", "chance", "--split", SPLIT],
            "chance has nothing to train: choose among ",
        ),
        (
            ["train", "prototypes", "--split", "glyphs"],
            "cannot train on 'glyphs': write SOURCE/SPLIT, such as omniglot/lake, or folder:PATH",
        ),
        (
            [*TRAIN[:4], "--recipe", "8"],
            "conv4 halves an image four times and needs 16 pixels, here are 8: use the recipe 28",
        ),
        ([*TRAIN, "--preset", "papr"], "unknown preset of prototypes 'papr': did you mean 'paper'?"),
        ([*TRAIN[:-1], "stepps=3"], "unknown setting of a plan 'stepps': did you mean 'steps'?"),
        ([*TRAIN[:-1], "steps=0"], "steps of a training is 0: it must be at least 1"),
        ([*TRAIN[:-1], "network=conv5"], "unknown network 'conv5': did you mean 'conv4'?"),
        (["evaluate", "glyphs", "--learner", "prototypes@nowhere"], "unknown weights 'prototypes@nowhere'"),
        (
            ["evaluate", "glyphs", "--learner", "runs/none/weights.safetensors"],
            "there are no weights runs/none/weights.safetensors: give a folder that 'fairshot train' made, or a snapshot in it",
        ),
    ],
)
def test_bad_input_gets_one_line(
    words: list[str], message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"fairshot: {message}")
    assert list(tmp_path.iterdir()) == []


def test_a_wrong_recipe_is_named(run: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["evaluate", f"{SPLIT}/novel", "--recipe", "28", "--learner", str(run), "--episodes", "2"]) == 2
    assert capsys.readouterr().err.splitlines()[-1] == (
        "fairshot: prototypes was trained on images of 1 x 16 x 16 (recipe 16), and these are 1 x 28 x 28: use the recipe 16"
    )


def test_an_unfinished_run_is_no_learner_yet(run: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "training.json").write_text((run / "training.json").read_text())
    assert main(["evaluate", f"{SPLIT}/novel", "--learner", str(tmp_path)]) == 2
    assert capsys.readouterr().err == (
        f"fairshot: the training in {tmp_path} is not finished: the same 'fairshot train' command goes on with it\n"
    )


def test_a_file_that_holds_no_weights_is_said_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "a.safetensors"
    path.write_bytes(b"nonsense")
    assert main(["evaluate", f"{SPLIT}/novel", "--learner", str(path)]) == 2
    assert capsys.readouterr().err == (
        f"fairshot: {path} holds no weights of fairshot: make them with 'fairshot train'\n"
    )
