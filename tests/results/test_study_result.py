"""What a study found shows itself."""

import pytest
from rich.cells import cell_len

from fairshot.results.schema import read_result
from fairshot.results.study_result import StudyResult
from fairshot.specs.registry import find_module
from tests.paths import RESULTS


def committed(name: str) -> StudyResult:
    study = find_module("studies", name).STUDY
    return StudyResult(study.title, study.paper, study.view, read_result(RESULTS / f"{name}.json"))


@pytest.mark.parametrize(
    "name", ["lake_runs", "omniglot_eval", "coverage", "fid_bias", "two_sides_table1", "critic_controls"]
)
def test_a_study_shows_itself_in_every_format(name: str) -> None:
    found = committed(name)
    text = found.to_text(width=80)
    assert text.startswith(found.title)
    assert all(cell_len(line) <= 80 for line in text.splitlines())
    assert found.to_markdown().count("|---") >= len(found.tables())
    assert found.to_latex().count("\\toprule") == len(found.tables())
    assert found.to_csv()
    assert len(found.to_frame()) == len(found.tables()[0].rows)
    assert found.to_json() == found.result.json_text()
    assert list(found) == found.rows


def test_our_numbers_stand_beside_the_published_ones() -> None:
    frame = committed("lake_runs").to_frame()
    assert frame["published"].tolist()[0] == 0.388
    assert frame["Lake's 20 runs"].tolist()[0] == pytest.approx(0.3875)
    assert set(frame.columns) == {"learner", "Lake's 20 runs", "Lake's 20 runs.low", "Lake's 20 runs.high", "published"}


def test_two_kinds_of_episodes_stand_side_by_side() -> None:
    found = committed("omniglot_eval")
    assert [column.name for column in found.tables()[0].columns] == [
        "learner",
        "episodes of",
        "any classes",
        "within one parent",
        "ratio of errors",
        "published, any",
        "published, within",
    ]
    assert "9.4 [7.9, 11.1]" in found.to_text(width=200)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("lake_runs", "This is not the published setting: limited to 3 episodes."),
        ("structure", "This is not the published setting: limited to 3 episodes."),
        ("coverage", "This is not the whole study: limited to 3 episodes."),
        ("fid_bias", "This is not the whole study: limited to 3 episodes."),
    ],
)
def test_a_shortened_study_says_so_once(name: str, said: str) -> None:
    found = committed(name)
    limited = found.result.model_copy(update={"preset": "limited to 3 episodes"})
    short = StudyResult(found.title, found.paper, found.view, limited)
    for text in (short.to_text(width=200), short.to_markdown()):
        assert text.count(said) == 1
        assert text.count("This is not the") == 1
    assert "This is not the" not in found.to_text()
