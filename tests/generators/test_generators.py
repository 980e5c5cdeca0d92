"""What every generator must keep; a new file in generators/ is picked up by itself."""

import os
from pathlib import Path

import numpy as np
import pytest

from fairshot.generators.generator import Generator
from fairshot.generators.training.trainable import TrainableGenerator
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.sample_sets import Request, draw_samples, find_generator
from fairshot.sources.recipe import find_recipe
from fairshot.specs.data import find_part
from fairshot.specs.registry import find_class, names


def exemplars(classes: int = 5, size: int = 20) -> np.ndarray:
    """A horizontal and a vertical stroke each, at places of their own."""
    drawn = np.zeros((classes, 1, size, size), dtype=np.float32)
    for c in range(classes):
        drawn[c, 0, 4 + 2 * c, 5:15] = 1
        drawn[c, 0, 5:12, 5 + c] = 1
    return drawn


YARDSTICKS = [
    name for name in names("generators") if not issubclass(find_class("generators", name), TrainableGenerator)
]


@pytest.fixture(params=YARDSTICKS)
def generator(request: pytest.FixtureRequest) -> Generator:
    found = find_generator(request.param)
    assert found is not None
    return found


def test_so_many_images_of_each_class(generator: Generator) -> None:
    shown = exemplars()
    drawn = generator.generate(shown, 7, 0)
    assert drawn.shape == (5, 7, 1, 20, 20)
    assert drawn.dtype == np.float32
    assert drawn.min() >= 0
    assert drawn.max() <= 1
    assert np.array_equal(shown, exemplars()), "exemplars are left as they are"


def test_the_seed_decides_all(generator: Generator) -> None:
    first = generator.generate(exemplars(), 4, 3)
    np.random.seed(1)
    assert np.array_equal(generator.generate(exemplars(), 4, 3), first)


@pytest.mark.parametrize("name", sorted({*names("generators")} - {*YARDSTICKS}))
def test_what_is_not_trained_says_so(name: str) -> None:
    found = find_class("generators", name)()
    with pytest.raises(FairshotError) as caught:
        found.generate(exemplars(), 2, 0)
    assert str(caught.value) == (
        f"{type(found).__name__} has to be trained before it can draw: say 'fairshot train ... --out runs/a', then name "
        "runs/a"
    )
    assert {"paper", "laptop", "quick"} <= {*type(found).presets}


def test_copies_are_copies() -> None:
    found = find_generator("copy")
    assert found is not None
    assert (found.generate(exemplars(), 3, 0) == exemplars()[:, None]).all()


def test_noise_has_as_much_ink_as_exemplars_have_on_average_anywhere() -> None:
    found = find_generator("noise")
    assert found is not None
    drawn = found.generate(exemplars(), 300, 0)
    share = exemplars().mean()
    assert np.abs(drawn.mean(axis=1) - share).max() < 5.5 * (share / 300) ** 0.5
    assert set(np.unique(drawn)) == {0.0, 1.0}


def test_strangers_are_exemplars_of_all_other_classes_and_never_the_own() -> None:
    found = find_generator("strangers")
    assert found is not None
    drawn = found.generate(exemplars(), 200, 0)
    same = (drawn[:, :, None] == exemplars()[None, None]).all((3, 4, 5))
    assert (same.sum(2) == 1).all()
    shares = same.mean(1)
    assert (np.diag(shares) == 0).all()
    assert (shares + np.eye(5) > 0.15).all()
    with pytest.raises(FairshotError, match="there is one class: give two or more"):
        found.generate(exemplars(1), 2, 0)


def test_warped_drawings_differ_a_little_and_without_noise_not_at_all() -> None:
    one, none = find_generator("warped"), find_generator("warped:strength=0,bend=0")
    assert one is not None
    assert none is not None
    assert none.generate(exemplars(), 2, 0) == pytest.approx(np.repeat(exemplars()[:, None], 2, axis=1), abs=1e-6)
    drawn = one.generate(exemplars(), 20, 0)
    assert len({image.tobytes() for image in drawn[0]}) == 20
    assert drawn.sum(axis=(2, 3, 4)) == pytest.approx(17, rel=0.6), "the ink stays on the paper"
    negative = one.generate(1 - exemplars(), 20, 0)
    assert negative == pytest.approx(1 - drawn, abs=1e-6), "paper goes on beyond the edge in either polarity"


def test_somebodys_own_function_or_object(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import numpy as np\n"
        "def twice(exemplars, count, seed):\n"
        "    assert count == 2\n"
        "    exemplars *= 0.5\n"
        "    return np.stack([exemplars, exemplars], 1)\n"
        "class Made:\n"
        "    def generate(self, exemplars, count, seed):\n"
        "        return [[image[0]] * count for image in exemplars]\n"
        "def broken(exemplars):\n"
        "    return exemplars\n"
        "number = 3\n"
    )
    shown = exemplars()
    function = find_generator(f"{file}:twice")
    assert function is not None
    assert function.generate(shown, 2, 0).shape == (5, 2, 1, 20, 20)
    assert shown.max() == 1, "a function gets a copy"
    made = find_generator(f"{file}:Made")
    assert made is not None
    assert made.generate(shown, 3, 0).shape == (5, 3, 20, 20)
    broken = find_generator(f"{file}:broken")
    assert broken is not None
    with pytest.raises(FairshotError) as refused:
        broken.generate(shown, 3, 0)
    assert str(refused.value) == (
        f"{file}:broken failed as generate(exemplars, count, seed) with exemplars of shape (5, 1, 20, 20) (TypeError: "
        "broken() takes 1 positional argument but 3 were given)"
    )
    with pytest.raises(FairshotError, match="number is no generator: give a function generate"):
        find_generator(f"{file}:number")
    assert find_generator("nobody") is None


def test_a_generator_speaks_and_walks_for_itself(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        "import os\n"
        "class Made:\n"
        "    def __init__(self):\n"
        "        os.system('echo made')\n"
        "        os.chdir('/')\n"
        "    def generate(self, exemplars, count, seed):\n"
        "        os.write(1, b'drawn')\n"
        "        os.chdir('/')\n"
        "        return [[image[0]] * count for image in exemplars]\n"
    )
    here, made = os.getcwd(), find_generator(f"{file}:Made")
    assert made is not None
    assert os.getcwd() == here
    assert made.generate(exemplars(), 3, 0).shape == (5, 3, 20, 20)
    assert os.getcwd() == here
    assert capfd.readouterr() == ("", "made\ndrawn")


@pytest.mark.parametrize("spec", ["copy", "noise", "warped", "fresh"])
@pytest.mark.parametrize("count", [-3, 0])
def test_fewer_images_than_one_cannot_be_drawn(spec: str, count: int) -> None:
    on = "glyphs:alphabets=1,characters=5,drawers=2"
    with pytest.raises(FairshotError) as refused:
        draw_samples(
            spec,
            Request(part=find_part(on), exemplars=exemplars(), recipe=find_recipe("diversity"), on=on, count=count),
        )
    assert str(refused.value) == f"cannot draw {count} images of each class: say count=20, or 1 at least"
