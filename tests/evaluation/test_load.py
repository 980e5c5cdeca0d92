"""What was saved comes back as something that shows itself."""

from pathlib import Path

import pytest

import fairshot as fs
from fairshot.results.evaluation import Evaluation
from fairshot.results.study_result import StudyResult
from tests.paths import ROOT
from tests.test_surface import vectors


def test_json_of_an_evaluation_is_an_evaluation_without_its_scores(tmp_path: Path) -> None:
    evaluation = fs.evaluate(vectors(), ["prototypes", "ridge"], query=3, episodes=20)
    path = tmp_path / "scores.json"
    path.write_text(evaluation.to_json())
    loaded = fs.load(path)
    assert loaded["ridge"].value == evaluation["ridge"].value
    assert str(loaded) == str(evaluation).partition("\n\n")[2], "all but the first lines, which say who is best"
    with pytest.raises(fs.FairshotError) as error:
        loaded.compare()
    assert str(error.value) == (f"{path} holds no scores of single queries: load the folder that evaluate saved to")


@pytest.mark.results
@pytest.mark.parametrize("path", sorted((ROOT / "results").glob("*.json")), ids=lambda path: path.stem)
def test_every_committed_result_shows_itself(path: Path) -> None:
    loaded = fs.load(path)
    assert isinstance(loaded, Evaluation | StudyResult | fs.scoring.SampleScores)
    assert max(map(len, str(loaded).splitlines())) <= 80
    assert "<table" in loaded._repr_html_()


def test_what_is_no_result_is_refused(tmp_path: Path) -> None:
    (tmp_path / "list.json").write_text("[1, 2]")
    with pytest.raises(fs.FairshotError) as error:
        fs.load(tmp_path / "list.json")
    assert str(error.value) == (
        f"{tmp_path / 'list.json'} holds no result: give a folder that evaluate saved to, or a JSON file"
    )


def test_a_folder_is_not_given_to_other_data_of_the_same_name(tmp_path: Path) -> None:
    features, labels = vectors()
    fs.evaluate((features, labels), query=3, episodes=5).save(tmp_path / "run")
    with pytest.raises(fs.FairshotError) as error:
        fs.evaluate((features + 1, labels), query=3, episodes=5, out=tmp_path / "run")
    assert str(error.value) == (
        f"{tmp_path / 'run'} holds results of other data that is called array too: choose another folder"
    )
