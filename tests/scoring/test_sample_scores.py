"""Scores in the hand: indexed, compared, printed, saved and loaded."""

from pathlib import Path

import pytest

from fairshot.runtime.errors import FairshotError
from fairshot.scoring.measures.measure import find_measures
from fairshot.scoring.sample_scores import SampleScores, package_measures
from tests.paths import RESULTS
from tests.scoring.small_world import value


def test_a_set_holds_its_numbers_with_intervals(found: SampleScores) -> None:
    fresh = found["fresh"]
    assert fresh.diversity.value == value(found, "fresh", "diversity")
    assert (fresh.diversity.low, fresh.diversity.high) == found.row("fresh", "diversity").intervals["classes"]
    assert fresh.recognizability.unit == "share"
    assert fresh["class_distance"].value == value(found, "fresh", "class_distance")
    assert fresh.interval("diversity") == fresh.interval("diversity", "classes")
    assert found["copy"].diversity.why == "all classes have the same value: nothing varies"
    by_class = fresh.by_class("vendi")
    assert len(by_class) == 6
    assert sum(by_class.values()) / 6 == pytest.approx(fresh.vendi.value)
    assert "recognizability" in dir(fresh)
    assert "share of samples that are the exemplar" in " ".join(fresh.to_text(width=200).split())


def test_what_is_not_there_is_named(found: SampleScores) -> None:
    with pytest.raises(FairshotError, match="unknown set of samples 'frehs': did you mean 'fresh'"):
        found["frehs"]
    with pytest.raises(FairshotError, match="unknown measure of human 'distance'"):
        found["human"]["distance"]
    with pytest.raises(AttributeError, match="human has no measure 'distance': it has diversity, recognizability, "):
        _ = found["human"].distance
    with pytest.raises(FairshotError, match="unknown population of diversity 'parents': there are: classes"):
        found["human"].interval("diversity", "parents")
    with pytest.raises(FairshotError, match="unknown difference of 'copy and mine by vendi'"):
        found.difference("copy", "mine", "vendi")


def test_a_difference_in_either_order(found: SampleScores) -> None:
    one, other = (found.difference(*pair, "diversity") for pair in (("fresh", "human"), ("human", "fresh")))
    assert one.value == -other.value
    assert one.interval == pytest.approx((-other.interval[1], -other.interval[0]))
    assert (one.p, one.holm, one.first, other.first) == (other.p, other.holm, "fresh", "human")
    far = found.difference("copy", "fresh", "distance")
    assert far.value == pytest.approx(found["copy"].distance.value - found["fresh"].distance.value)


def test_what_was_saved_is_loaded(found: SampleScores, tmp_path: Path) -> None:
    path = found.save(tmp_path / "scores.json")
    again = SampleScores.load(path)
    assert again.to_json() == found.to_json()
    assert str(again) == str(found)
    written = [path.name for path in again.pictures(tmp_path / "pictures")]
    assert written == ["plane.svg", "originality.svg", "originality-ranks.svg"]
    with pytest.raises(FairshotError) as refused:
        _ = again.exemplars
    assert str(refused.value) == "scores that were loaded from a file hold no images: score the samples anew"
    (tmp_path / "other.json").write_text("[]")
    with pytest.raises(FairshotError, match=r"other.json holds no scores of samples: make such a file with 'fairshot"):
        SampleScores.load(tmp_path / "other.json")


@pytest.mark.parametrize("name", ["score_omniglot", "score_glyphs"])
def test_committed_scores_show_themselves(name: str) -> None:
    scores = SampleScores.load(RESULTS / f"{name}.json")
    text = scores.to_text(width=80)
    assert " ".join(text.split()).startswith(scores.verdict)
    assert max(map(len, text.splitlines())) <= 80
    assert scores.to_markdown().count("| `human` |") >= 1
    assert scores["copy"].diversity.value == 0
    assert list(scores.measures) == list(find_measures())


def test_measures_of_the_package_are_those_that_are_found() -> None:
    assert list(package_measures()) == list(find_measures())
