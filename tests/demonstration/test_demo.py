"""The demonstration shows what makes the field hard, on invented handwriting and on somebody's own images."""

from pathlib import Path

import numpy as np
import pytest
from PIL import Image

import fairshot as fs
from fairshot.cli.main import main
from fairshot.demonstration.demo import Effort, folder_of
from fairshot.demonstration.jobs import Demonstration

SMALL = Effort(
    episodes=60,
    steps=2,
    samples=2,
    shots=(5,),
    world="glyphs:alphabets=10,characters=6,drawers=10,takes=1",
    people="glyphs:alphabets=5,characters=5,drawers=3,takes=1,seed=7",
)


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Demonstration:
    return fs.demo(out=tmp_path_factory.mktemp("demo"), effort=SMALL, progress=lambda what, done, whole, mean: None)


def test_every_job_is_done_on_glyphs(shown: Demonstration) -> None:
    value = {(row.learner, row.task): row.value for row in shown.evaluation.rows}
    assert len(shown.evaluation.learners) == 5
    task = "5-way 5-shot 5-query"
    assert abs(value["chance", task] - 0.2) < 0.06
    assert all(value[name, f"within-parent {task}"] > 0 for name in shown.evaluation.learners)
    assert shown.audit.accuracy.consistency is not None
    assert shown.scores is not None
    assert "warp_editor@omniglot" in shown.scores.sets


def test_what_is_printed_fits_a_terminal_and_ends_with_the_page(shown: Demonstration) -> None:
    lines = shown.to_text(width=80).rstrip().splitlines()
    assert max(map(len, lines[:-1])) <= 80
    assert lines[-1] == f"Report: {shown.page}"
    assert len(lines) < 25


def test_the_page_holds_every_job(shown: Demonstration) -> None:
    page = shown.page.read_text()
    assert page.count("<article>") == 4
    for heading in ("In short", "Which learner is best?", "What can this benchmark measure?", "Episodes", "Figures"):
        assert f">{heading}</h" in page
    assert len(page) < 2_000_000


def images(folder: Path, classes: int, count: int) -> Path:
    random = np.random.default_rng(0)
    for c in range(classes):
        (folder / f"class {c}").mkdir(parents=True)
        for i in range(count):
            tones = random.integers(0, 120, (12, 12)) + 15 * c
            Image.fromarray(tones.astype(np.uint8)).save(folder / f"class {c}" / f"{i}.png")
    return folder


def test_a_folder_of_few_images_is_enough(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = images(tmp_path / "mine", classes=3, count=2)
    asked = ["demo", f"folder:{folder}", "--episodes", "20", "--out", str(tmp_path / "out")]
    assert main(asked) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "3-way 1-shot 1-query" in text
    assert "No network was trained on these images, which takes dozens of classes" in text
    assert "No two groups of classes (PARENT/CLASS/IMAGE) are large enough" in text
    assert (tmp_path / "out" / "report.html").exists()


def test_each_data_set_has_a_folder_of_its_own() -> None:
    assert folder_of(None) == "fairshot-demo"
    assert folder_of("folder:my photos/") == "fairshot-demo-my-photos"
    assert folder_of(([[0.0]], ["a"])) == "fairshot-demo-data"


def test_a_folder_with_one_class_is_refused_in_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = images(tmp_path / "mine", classes=1, count=6)
    assert main(["demo", f"folder:{folder}", "--out", str(tmp_path / "out")]) == 2
    assert "has 1 class with two images, and two are needed: add images or classes" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
