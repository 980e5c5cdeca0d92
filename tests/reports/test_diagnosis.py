"""What a person sees of a diagnosis."""

import io
import json
from dataclasses import replace

import pytest
from rich.console import Console

from fairshot.evaluation.diagnosis import Calibration, Diagnosis, SupportRange, Times
from fairshot.reports.diagnosis import diagnoses_json, render_diagnosis
from fairshot.statistics.geometry import Geometry
from fairshot.statistics.per_class import Rate, Rates
from fairshot.statistics.reliability import Bin
from fairshot.statistics.tails import LEVELS, Tails
from tests.conftest import make_vectors

PROFILE = {step / 20: share for step, share in enumerate([1.0] * 9 + [0.75] * 4 + [0.25] * 4 + [0.0] * 4)}
BINS = tuple(Bin(at / 10, at / 10 + 0.1, 0, None, None) for at in range(8))


def make_diagnosis(classes: int = 9) -> Diagnosis:
    rows = tuple(
        Rate(f"[class{at}]", 0.1 * at, 0.0, 0.1 * at + 0.05, 0.3 + 0.05 * at, 7, 1234) for at in range(classes)
    )
    return Diagnosis(
        "mine.py:[net]",
        "5-way",
        "birds",
        1500,
        "key",
        0.625,
        {"episodes": (0.6, 0.65)},
        Tails(0.25, 0.3, dict.fromkeys(LEVELS, 0.5), PROFILE),
        Rates(rows, 0.125, 0.4),
        (),
        SupportRange(20, 9.25, 0.2, 0.6, 0.9),
        Calibration(
            0.2, 0.06, 0.5, 0.15, 0.001, (*BINS, Bin(0.8, 0.9, 40, 0.85, 0.5), Bin(0.9, 1.0, 2000, 0.95, 0.75))
        ),
        Geometry(500, 9, 64, 10, 2.25, 0.125, 99, 0.25, None),
        Times(0.0025, 500, 0.000125),
        notes=("two classes were left out",),
    )


def rendered(*diagnoses: Diagnosis) -> str:
    console = Console(file=io.StringIO(), width=100)
    render_diagnosis(diagnoses, console)
    return console.file.getvalue()


def test_every_line_is_there_in_plain_words() -> None:
    lines = [" ".join(line.split()) for line in rendered(make_diagnosis()).splitlines() if line.strip()]
    assert lines == [
        "mine.py:[net]: 5-way, 1,500 episodes of birds",
        "Episodes: how bad are the bad ones?",
        "Mean accuracy 62.5%.",
        "Mean of the worst tenth of the episodes 30.0% (CVaR at 10%), of the worst twentieth 25.0%.",
        "At least one episode in twenty gets 50% or less; all such quantiles: 1%: 50%, 5%: 50%, 25%: 50%, 50%: 50%, 75%: "
        "50%, 95%: 50%, 99%: 50%.",
        "accuracy of at least episodes",
        "40% 100.0% ████████████████████████",
        "50% 75.0% ██████████████████░░░░░░",
        "60% 75.0% ██████████████████░░░░░░",
        "70% 25.0% ██████░░░░░░░░░░░░░░░░░░",
        "80% 25.0% ██████░░░░░░░░░░░░░░░░░░",
        "90% 0.0% ░░░░░░░░░░░░░░░░░░░░░░░░",
        "Classes: which are hard?",
        "The 3 worst and the 3 best of 9 classes:",
        "class right 95% interval expected episodes queries",
        "[class0] 0.0% 0.0–5.0 30.0% 7 1,234",
        "[class1] 10.0% 0.0–15.0 35.0% 7 1,234",
        "[class2] 20.0% 0.0–25.0 40.0% 7 1,234",
        "[class6] 60.0% 0.0–65.0 60.0% 7 1,234",
        "[class7] 70.0% 0.0–75.0 65.0% 7 1,234",
        "[class8] 80.0% 0.0–85.0 70.0% 7 1,234",
        "95% intervals for more episodes of the same images, each for a class that was named beforehand.",
        "The worst of many looks worse than it is, because bad luck put it there too: 'expected' is drawn to the mean",
        "by the share of noise, and is what to trust.",
        "Beyond noise, classes differ by 12.5 points (standard deviation); 40% of the variance seen is noise.",
        "Support images: how much hangs on them?",
        "Episodes: 20, each with other support images for the same queries; 9.25 could be tried for each image.",
        "Worst found 20.0%, as drawn 60.0%, best found 90.0%.",
        "Found by a search, not the true extremes, which may lie further out.",
        "Calibration: is it right as often as it says?",
        "it says is right queries",
        "85.0% 50.0% ████████████░░░░░░░░░░░░ 40",
        "95.0% 75.0% ██████████████████░░░░░░ 2,000",
        "Gap between the two over all queries (ECE): 15.0 points; 0.1 if it were calibrated.",
        "Mean gap of single episodes: 20.0 points; 6.0 if calibrated, since episodes have few queries.",
        "Brier score 0.500 (0 is best, 2 is worst).",
        "Embedding: do classes lie apart, and are there hubs?",
        "500 images of 9 classes, 64 numbers each, by Euclidean distance.",
        "Silhouette +0.25 (+1: classes far apart, 0: they touch, below: they mix).",
        "Hubness 2.2 (0: none; above 1: some images are near neighbours of very many).",
        "One image is among the 10 nearest of 99 others; 12.5% of the images are so of none.",
        "Wall time on this machine",
        "2.5 ms to read and embed an image (500 images), 125 µs to learn and answer an episode (one thread).",
        "Notes",
        "Two classes were left out.",
    ]


def test_few_classes_are_shown_once_pairs_have_a_table_and_what_is_unknown_is_a_dash() -> None:
    unknown = Rate("lonely", 0.5, None, None, None, 1, 5)
    one = replace(make_diagnosis(4), confused=(unknown,), support=None, classes=Rates((unknown,), None, None))
    text = rendered(one, make_diagnosis(6))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "pair confused 95% interval expected episodes queries" in lines
    assert lines.count("lonely 50.0% - - 1 5") == 2
    assert text.count("[class3]") == 1
    assert text.count("Support images: how much") == 1
    assert "worst and the" not in text
    stuck = replace(make_diagnosis(), support=SupportRange(20, 0.0, 0.6, 0.6, 0.6))
    assert "so none is left to exchange: lower --query." in rendered(stuck)
    assert "found" not in rendered(stuck)


def test_a_fixed_list_of_episodes_is_not_said_to_have_more() -> None:
    text = rendered(replace(make_diagnosis(), fixed=True))
    assert "more episodes" not in text
    assert "95% intervals for others made like the episodes of this fixed list, each for a class" in text


@pytest.mark.parametrize("profile", [dict.fromkeys(PROFILE, 1.0), {**dict.fromkeys(PROFILE, 0.0), 0.0: 1.0}])
def test_profiles_without_a_slope_are_drawn(profile: dict[float, float]) -> None:
    tails = replace(make_diagnosis().tails, profile=profile)
    assert "100.0% " in rendered(replace(make_diagnosis(), tails=tails))


def test_json_names_the_data_and_the_episodes() -> None:
    part = make_vectors(classes=3)
    found = json.loads(diagnoses_json([make_diagnosis()], part, seed=7, command=["fairshot", "diagnose"]))
    assert (found["seed"], found["command"], found["episodes_key"]) == (7, ["fairshot", "diagnose"], "key")
    assert found["source"] == {"name": "vectors", "fingerprint": part.fingerprint, "recipe": "raw"}
    assert found["rows"][0]["tails"]["profile"]["0.5"] == 0.75
    two = [make_diagnosis(), replace(make_diagnosis(), episodes_key="other")]
    assert json.loads(diagnoses_json(two, part, seed=7, command=[]))["episodes_key"] is None
