"""Generators that come trained: small files that say what they saw, and draw by their name alone."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from fairshot.cli.main import main
from fairshot.generators.training.compact_weights import main as ship
from fairshot.generators.training.course import train_generator
from fairshot.generators.training.sampler import TrainedGenerator
from fairshot.generators.weights import LARGEST, shipped_generators
from fairshot.learners.training.record import read_record
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.sample_sets import find_generator
from tests.generators.test_generators import exemplars
from tests.generators.training.worlds import GENERATORS, PLAN, base

NAMES = ("latent_diffusion@omniglot", "warp_editor@omniglot")


def test_they_are_few_and_small_and_were_never_shown_what_scores_are_made_on() -> None:
    assert tuple(shipped_generators()) == NAMES
    for name, path in shipped_generators().items():
        record = read_record(path)[0]
        assert path.stat().st_size < LARGEST
        assert record.learner == name.partition("@")[0]
        assert record.source == "omniglot/weak-val/base"


def test_the_listing_says_what_each_was_trained_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ls", "generators"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    for name in NAMES:
        assert f"{name} weights: {name.partition('@')[0]} on omniglot/weak-val/base" in shown


@pytest.mark.parametrize("spec", [*NAMES, *(name.partition("@")[0] for name in NAMES), "latent-diffusion:guidance=2"])
@pytest.mark.parametrize("size", [20, 105])
def test_they_draw_what_is_like_the_exemplar_in_either_polarity(spec: str, size: int) -> None:
    generator = find_generator(spec)
    assert isinstance(generator, TrainedGenerator)
    shown = exemplars(3).repeat(size // 20, 2).repeat(size // 20, 3)
    shown = np.pad(shown, ((0, 0), (0, 0), (0, size - shown.shape[2]), (0, size - shown.shape[3])))
    light, dark = (generator.generate(one, 5, 0) for one in (shown, 1 - shown))
    np.testing.assert_allclose(dark, 1 - light, atol=1e-4)
    assert 0.3 < light.mean() / shown.mean() < 3, "about as much ink"
    flat, wanted = (light > 0.5).reshape(15, -1).astype(float), shown.reshape(3, -1)
    likeness = np.array([[np.corrcoef(one, other)[0, 1] for other in wanted] for one in flat]).reshape(3, 5, 3).mean(1)
    assert (likeness.argmax(1) == np.arange(3)).all(), "more like its own exemplar than like others"


def test_a_drawing_is_all_that_the_command_needs(tmp_path: Path) -> None:
    picture = np.full((40, 60), 255, dtype=np.uint8)
    picture[10:30, 20:24] = picture[18:22, 15:45] = 0
    Image.fromarray(picture).save(tmp_path / "mine.png")
    out = tmp_path / "out"
    assert main(["generate", "latent_diffusion", str(tmp_path / "mine.png"), "--count", "3", "--out", str(out)]) == 0
    assert sorted(path.name for path in out.iterdir()) == ["mine", "sheet.png"]
    assert len([*(out / "mine").iterdir()]) == 3


def test_shipped_weights_draw_by_the_settings_that_are_listed() -> None:
    for spec, settings in {
        "latent_diffusion": {"guidance": 4.0, "sampling_steps": 30},
        "latent_diffusion@omniglot": {"guidance": 4.0, "sampling_steps": 30},
        "latent_diffusion:sampling_steps=5@omniglot": {"guidance": 4.0, "sampling_steps": 5},
    }.items():
        generator = find_generator(spec)
        assert isinstance(generator, TrainedGenerator)
        assert settings == {name: getattr(generator.settings, name) for name in settings}


def test_settings_of_drawing_are_changed_and_those_of_training_ask_for_one(tmp_path: Path) -> None:
    run = tmp_path / "run"
    train_generator(GENERATORS["latent_diffusion"], base(), plan=PLAN, out=run)
    plain, guided = find_generator(str(run)), find_generator(f"latent_diffusion:guidance=4@{run}")
    assert isinstance(plain, TrainedGenerator)
    assert isinstance(guided, TrainedGenerator)
    assert np.array_equal(
        guided.generate(exemplars(), 2, 0), plain.with_sampling({"guidance": 4.0}).generate(exemplars(), 2, 0)
    )
    assert not isinstance(find_generator("latent_diffusion:width=100"), TrainedGenerator)
    weights = run / "weights.safetensors"
    for spec, said in {
        f"latent_diffusion:width=100@{run}": "width of latent_diffusion was decided in its training: guidance, "
        "sampling_steps can be changed without another one",
        f"vae_stn@{run}": f"{weights} holds a trained latent_diffusion: write latent_diffusion@... in front of it",
        "warp_editor@omniglott": "unknown weights 'warp_editor@omniglott': did you mean 'warp_editor@omniglot'?",
    }.items():
        with pytest.raises(FairshotError) as caught:
            find_generator(spec)
        assert str(caught.value) == said


@pytest.mark.parametrize("name", ["latent_diffusion", "vae_stn", "warp_editor"])
def test_compact_weights_draw_nearly_the_same_and_know_what_they_saw(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    run, shelf = tmp_path / "run", tmp_path / "weights"
    shelf.mkdir()
    for module in ("training.compact_weights", "weights"):
        monkeypatch.setattr(f"fairshot.generators.{module}.FOLDER", shelf)
    whole = train_generator(GENERATORS[name], base(), plan=PLAN, out=run)
    ship(str(run), f"{name}@omniglot")
    file = shelf / f"{name}@omniglot.safetensors"
    assert capsys.readouterr().out == f"{file}: {file.stat().st_size:,} bytes\n"
    small = find_generator(name)
    assert isinstance(small, TrainedGenerator)
    np.testing.assert_allclose(small.generate(exemplars(), 2, 0), whole.generate(exemplars(), 2, 0), atol=0.02)
    assert small.record == whole.record
    assert small.seen is not None
    assert small.seen.overlap(base()) == (42, 7)
    assert file.stat().st_size < (run / "weights.safetensors").stat().st_size
    with pytest.raises(FairshotError) as caught:
        ship(str(run), "other@omniglot")
    assert str(caught.value) == f"{run} holds a trained {name}: call it {name}@omniglot, not other@omniglot"
    monkeypatch.setattr("fairshot.generators.training.compact_weights.LARGEST", 10)
    size = file.stat().st_size
    with pytest.raises(FairshotError) as caught:
        ship(str(run), f"{name}@omniglot")
    assert (
        str(caught.value) == f"the weights of {run} take {size:,} bytes, and 10 may be shipped: choose a smaller preset"
    )
    assert not file.exists()
