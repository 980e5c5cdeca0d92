"""Episodes as pictures: support above, queries below, wrong answers marked."""

from pathlib import Path

import numpy as np
import pytest

import fairshot as fs
from fairshot.cli.main import main
from fairshot.evaluation.diagnosis import Diagnoses, Diagnosis
from fairshot.reports.charts.chart import to_spec
from fairshot.reports.charts.episodes import MOST_QUERIES, episode_chart
from fairshot.reports.pages.page import make_page
from fairshot.reports.plot import write_episodes
from tests.panels import datasets


@pytest.fixture(scope="module")
def diagnosis() -> Diagnosis:
    random = np.random.default_rng(0)
    labels = np.arange(60) % 4
    images = (random.integers(0, 200, (60, 6, 6)) + 12 * labels[:, None, None]).astype(np.uint8)
    data = {"X": images, "y": labels, "class_names": np.array(["<b>", *"xyz"])}
    return fs.diagnose(data, "prototypes", way=3, shot=2, query=5, episodes=20, searched=0)


def test_every_picture_is_there_and_wrong_ones_say_what_was_chosen(diagnosis: Diagnosis) -> None:
    easiest, _, hardest = diagnosis.shown
    assert easiest.correct.sum() >= hardest.correct.sum()
    cells = [row for rows in datasets(to_spec(episode_chart([hardest], "t"))) for row in rows if "url" in row]
    unique = {(cell["x"], cell["y"]): cell for cell in cells}.values()
    assert len(unique) == 3 * (2 + MOST_QUERIES)
    first = [query for place in hardest.places for query in hardest.queries(place)[:MOST_QUERIES].tolist()]
    wrong = [query for query in first if not hardest.correct[query]]
    assert sum(cell["wrong"] for cell in unique) == len(wrong) > 0
    assert all(cell["said"].startswith("as ") for cell in unique if cell["wrong"])


def test_a_diagnosis_shows_episodes_and_confusions_on_its_page_and_in_a_file(
    diagnosis: Diagnosis, tmp_path: Path
) -> None:
    page = make_page(diagnosis)
    assert "The hardest episode" in page
    assert "<h2>Hard classes</h2>" in page
    assert "<b>" not in page.partition("<main>")[2].partition("<script")[0]
    write_episodes(Diagnoses(rows=(diagnosis,)), tmp_path / "episodes.svg")
    assert "data:image/png" in (tmp_path / "episodes.svg").read_text()


def test_vectors_and_unknown_formats_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "v.npz", X=np.random.default_rng(0).normal(size=(40, 3)), y=np.arange(40) % 4)
    asked = ["diagnose", f"array:{tmp_path / 'v.npz'}", "--way", "3", "--query", "3", "--episodes", "5"]
    assert main([*asked, "--plot", str(tmp_path / "e.pdf")]) == 2
    assert "--plot draws .svg, .png and .html files" in capsys.readouterr().err
    assert main([*asked, "--searched", "0", "--plot", str(tmp_path / "e.svg")]) == 2
    assert "--plot shows the images of episodes, and " in capsys.readouterr().err
    assert not (tmp_path / "e.svg").exists()
