"""Which critics are refused and how they are found; the shipped ones, where the right answer is known."""

import json
import shutil
from pathlib import Path

import pytest
from safetensors import safe_open
from safetensors.torch import save_file

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critics import Critics, load_critics
from fairshot.scoring.protocol import Protocol
from fairshot.scoring.sample_scores import SampleScores
from fairshot.scoring.score import score
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from tests.scoring.small_world import PROTOCOL, WORLD, value

YARDSTICKS = ["copy", "warped", "strangers", "noise", "fresh"]
SMALL = "glyphs:alphabets=2,characters=15,seed=1"


@pytest.fixture(scope="module")
def shipped() -> SampleScores:
    return score(YARDSTICKS, critic="glyphs", on=SMALL, protocol=Protocol(times=200))


def test_copies_have_no_diversity_and_are_always_recognised(shipped: SampleScores) -> None:
    assert value(shipped, "copy", "diversity") == 0
    assert value(shipped, "copy", "recognizability") == 1


def test_noise_and_strangers_are_at_chance(shipped: SampleScores) -> None:
    assert value(shipped, "noise", "recognizability") == pytest.approx(1 / 20, abs=0.03)
    assert value(shipped, "strangers", "recognizability") < 1 / 20


def test_on_glyphs_the_true_process_is_nearest_to_the_drawers(shipped: SampleScores) -> None:
    for metric in ("distance", "class_distance", "frechet"):
        values = {name: value(shipped, name, metric) for name in YARDSTICKS}
        assert min(values, key=lambda name: values[name]) == "fresh", metric
    for metric in ("precision", "recall", "density", "coverage"):
        values = {name: value(shipped, name, metric) for name in ("warped", "strangers", "noise", "fresh")}
        assert max(values, key=lambda name: values[name]) == "fresh", metric


def test_people_draw_omniglot_diversely_and_recognisably(omniglot: Source) -> None:
    human = score("human", critic="omniglot")
    assert human.classes == 150
    assert value(human, "human", "recognizability") >= 0.95
    assert value(human, "human", "recognizability") == pytest.approx(0.9728, abs=0.002)
    assert value(human, "human", "diversity") == pytest.approx(0.7105, abs=0.001)


def test_critics_without_numbers_are_refused(critics_folder: Path, tmp_path: Path) -> None:
    folder = tmp_path / "broken"
    shutil.copytree(critics_folder, folder)
    path = folder / "simclr" / "weights.safetensors"
    with safe_open(path, "pt") as file:
        told, state = file.metadata(), {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118
    told = {"fairshot": json.dumps(json.loads(told["fairshot"]) | {"checksum": None})}  # as if nobody had noted any
    save_file(
        {name: value * float("nan") if value.is_floating_point() else value for name, value in state.items()},
        path,
        told,
    )
    with pytest.raises(FairshotError) as refused:
        load_critics(str(folder))
    assert str(refused.value) == f"simclr of {folder} has weights that are not numbers: train it anew"


def test_critics_that_saw_the_drawings_are_refused(critics: Critics) -> None:
    with pytest.raises(FairshotError, match=r"simclr of .* was trained on glyphs/parents/base, which holds .* images"):
        score(["copy"], critic=critics, on=f"{WORLD}/parents/base", protocol=PROTOCOL)


def test_what_is_no_pair_of_critics(critics: Critics, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FairshotError) as refused:
        load_critics(str(tmp_path))
    assert str(refused.value) == (
        f"{tmp_path} holds 0 runs of simclr: a pair of critics is a folder with one run of simclr and one of "
        f"prototypes, made by 'fairshot train ... --out {tmp_path}/simclr'"
    )
    with pytest.raises(FairshotError, match="there are no critics 'omniglot-lake': there are"):
        load_critics("omniglot-lake")
    # Of a world without its settings only the name is known, and another world has the same.
    monkeypatch.setattr(
        "fairshot.scoring.human_reference.find_part", lambda what, recipe: find_part("glyphs:alphabets=2,characters=2")
    )
    with pytest.raises(FairshotError, match="which does not tell what to compare samples with: say on which"):
        score(["copy"], critic=critics, protocol=PROTOCOL)


def test_shipped_critics_are_found_by_name(critics_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weights = {
        f"{kind}@glyphs-critic": critics_folder / kind / "weights.safetensors" for kind in ("simclr", "prototypes")
    }
    monkeypatch.setattr("fairshot.scoring.critics.shipped_weights", lambda: weights)
    pair = load_critics("glyphs")
    assert pair.about["simclr"]["learner"] == "simclr"
    assert pair.about["prototypes"]["learner"] == "prototypes"
    with pytest.raises(FairshotError) as refused:
        load_critics("glyph")
    assert str(refused.value) == (
        "there are no critics 'glyph': there are glyphs, published; or give a folder with a run of simclr and one of "
        "prototypes"
    )
