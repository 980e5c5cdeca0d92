"""The file of `evaluate --plot`: what is refused before anything is evaluated."""

from pathlib import Path

import pytest

from fairshot.reports.plot import refuse_plot
from fairshot.runtime.errors import FairshotError
from fairshot.tasks.meta_dataset import MetaDataset
from fairshot.tasks.uniform import Uniform


@pytest.mark.parametrize(
    ("path", "tasks", "message"),
    [
        ("deep/a.pdf", [], "--plot draws .svg, .png and .html files, and deep/a.pdf is none of them: name it a.svg"),
        (
            "a.svg",
            [Uniform(shot=1), Uniform(shot=2), Uniform(way=6, shot=5)],
            "--plot draws the score against at least 3 numbers of shots, and 2 were given: ask for --shot 1,2,5,10",
        ),
        (
            "a.svg",
            [MetaDataset()],
            "--plot draws the score against at least 3 numbers of shots, and these tasks have none to set: ask for "
            "--shot 1,2,5,10",
        ),
    ],
)
def test_nothing_to_draw_gives_one_clear_line(path: str, tasks: list, message: str) -> None:
    with pytest.raises(FairshotError) as raised:
        refuse_plot(Path(path), tasks)
    assert str(raised.value) == message


@pytest.mark.parametrize("name", ["a.svg", "a.png", "a.html"])
def test_three_formats_are_drawn(name: str) -> None:
    refuse_plot(Path(name), [Uniform(shot=shot) for shot in (1, 2, 5)])
    refuse_plot(None, [])
