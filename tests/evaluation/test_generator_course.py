"""Generators are trained by the verb that trains learners; presets bring settings, and what is given wins."""

from pathlib import Path

import pytest

import fairshot as fs
from fairshot.cli.main import main
from fairshot.evaluation.generator_course import GeneratorCourse
from fairshot.evaluation.train import find_course
from fairshot.generators.vae_stn import VaeStn
from fairshot.runtime.errors import FairshotError

GLYPHS = "glyphs:alphabets=3,characters=4/random"
TINY = "vae_stn:glimpses=2,patch=3,memory=8,latent=2"
SHORT = "steps=3,epoch=2,images=4,exemplars=random"


def course(learner: object, **options: object) -> GeneratorCourse:
    found = find_course(learner, GLYPHS, **options)
    assert isinstance(found, GeneratorCourse)
    return found


def test_a_preset_brings_settings_and_what_is_given_wins() -> None:
    assert course("vae_stn", preset="paper").generator == VaeStn()
    assert course("vae-stn:glimpses=60,beta=2", preset="laptop").generator == VaeStn(
        glimpses=60, beta=2.0, patch=9, memory=256, latent=40
    )
    given = course(VaeStn(beta=3.0), preset="released", changes={"steps": 5})
    assert given.generator == VaeStn(beta=3.0, glimpses=100)
    assert given.preset == "released with steps=5"
    assert given.split.base.recipe.name == "diversity"


@pytest.mark.parametrize(
    ("learner", "options", "said"),
    [
        (
            "copy",
            {},
            "copy has nothing to train: choose among dagan_rn, dagan_un, latent_diffusion, neural_statistician, vae_stn, warp_editor",
        ),
        ("vae_stn:beta=-1", {}, "beta of a generator is -1.0: it must be at least 0"),
        ("vae_stn", {"preset": "papr"}, "unknown preset of vaestn 'papr': did you mean 'paper'?"),
    ],
)
def test_what_cannot_be_trained_is_refused(learner: str, options: dict, said: str) -> None:
    with pytest.raises(FairshotError) as caught:
        course(learner, **options)
    assert str(caught.value) == said


def test_settings_of_episodes_mean_nothing() -> None:
    with pytest.raises(FairshotError, match=r"^way means nothing to vae_stn: a generator's plan has recipe, parts, "):
        course("vae_stn", changes="way=5")


def test_exemplars_are_chosen_on_images_of_the_recipe_that_their_weights_know() -> None:
    made = course("vae_stn", preset="quick")
    assert made.split.base.recipe.name == "diversity-28"
    prepared = made._prepared()
    assert [part.recipe.name for part in prepared] == ["diversity"] * 2
    assert prepared[0].image_ids.tolist() == made.split.base.image_ids.tolist()
    with pytest.raises(FairshotError) as caught:
        GeneratorCourse(made.generator, made.name, made.plan, made.preset, made.split)._prepared()
    assert str(caught.value) == (
        "exemplars are chosen by simclr@omniglot-critic on images of the recipe diversity, and the split in hand has "
        "diversity-28: name the split, or say exemplars=random"
    )


def test_the_command_line_trains_and_python_goes_on_from_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["train", TINY, "--split", GLYPHS, "--preset", "quick", "--set", SHORT, "--out", str(tmp_path)]
    assert main(arguments) == 0
    first, second, *_ = capsys.readouterr().out.splitlines()
    assert first.startswith("vae_stn on glyphs")
    assert second.startswith("Epoch ")
    assert ", on val " in second
    header = (tmp_path / "log.csv").read_text().splitlines()[0]
    assert header == (
        "epoch,step,loss,reconstruction,divergence,val_loss,val_reconstruction,val_divergence,rate,seconds"
    )
    fitted = fs.train(TINY, GLYPHS, preset="quick", changes=SHORT, out=tmp_path)
    assert str(fitted).startswith("vae_stn on glyphs")
