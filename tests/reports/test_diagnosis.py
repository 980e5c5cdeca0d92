"""What a person sees of a diagnosis."""

import json
from dataclasses import replace

import pytest

from fairshot.evaluation.diagnosis import (
    Calibration,
    Diagnoses,
    Diagnosis,
    EpisodeScores,
    Question,
    SupportRange,
    Times,
)
from fairshot.results.schema import SourceName
from fairshot.runtime.errors import FairshotError
from fairshot.statistics.geometry import Geometry
from fairshot.statistics.per_class import Rate, Rates
from fairshot.statistics.reliability import Bin
from fairshot.statistics.tails import LEVELS, Tails

PROFILE = {step / 20: share for step, share in enumerate([1.0] * 9 + [0.75] * 4 + [0.25] * 4 + [0.0] * 4)}
FIELDS = (
    "learner task episodes episodes_key part value intervals tails metric classes confused support calibration geometry "
    "times settings notes fixed"
).split()
BINS = tuple(Bin(at / 10, at / 10 + 0.1, 0, None, None) for at in range(8))


def make_diagnosis(classes: int = 9) -> Diagnosis:
    rows = tuple(
        Rate(
            name=f"[class{at}]",
            value=0.1 * at,
            low=0.0,
            high=0.1 * at + 0.05,
            shrunken=0.3 + 0.05 * at,
            meetings=7,
            queries=1234,
        )
        for at in range(classes)
    )
    source = SourceName(name="birds", fingerprint="f", recipe="84")
    return Diagnosis(
        question=Question(
            learner="mine.py:[net]", task="5-way", source=source, episodes=1500, episodes_key="key", seed=7
        ),
        scores=EpisodeScores(
            value=0.625,
            intervals={"episodes": (0.6, 0.65)},
            tails=Tails(0.25, 0.3, dict.fromkeys(LEVELS, 0.5), PROFILE),
        ),
        classes=Rates(rows, 0.125, 0.4),
        support=SupportRange(episodes=20, candidates=9.25, worst=0.2, drawn=0.6, best=0.9),
        calibration=Calibration(
            ece=0.2,
            ece_of_calibrated=0.06,
            brier=0.5,
            pooled_ece=0.15,
            pooled_ece_of_calibrated=0.001,
            table=(*BINS, Bin(0.8, 0.9, 40, 0.85, 0.5), Bin(0.9, 1.0, 2000, 0.95, 0.75)),
        ),
        geometry=Geometry(
            images=500,
            classes=9,
            features=64,
            neighbours=10,
            hubness=2.25,
            anti_hubs=0.125,
            largest_hub=99,
            silhouette=0.25,
            between=None,
        ),
        times=Times(image_seconds=0.0025, images=500, episode_seconds=0.000125),
        notes=("two classes were left out",),
    )


def rendered(*diagnoses: Diagnosis) -> str:
    return Diagnoses(rows=diagnoses).to_text(width=1000)


def test_every_line_is_there_in_plain_words() -> None:
    lines = [" ".join(line.split()) for line in rendered(make_diagnosis()).splitlines() if line.strip()]
    assert lines == [
        "mine.py:[net]: 62.5% right on average, 30.0% in the worst tenth of the episodes (5-way, 1,500 episodes of birds).",
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
        "The worst of many classes look worse than they are, since bad luck put them there too: trust 'expected', which is "
        "drawn towards the mean by the share of noise.",
        "Beyond noise, classes differ by 12.5 points (standard deviation); 40% of the variance seen is noise.",
        "Support images: how much depends on them?",
        "20 episodes with other support images for the same queries, 9.25 tried for each image on average.",
        "Worst found 20.0%, as drawn 60.0%, best found 90.0%.",
        "A greedy search finds them: the true extremes may lie further out.",
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
        "One image is among the 10 nearest of 99 others; 12.5% of the images are among the nearest of none.",
        "Wall time on this machine",
        "2.5 ms to read and embed an image (500 images), 125 µs to learn and answer an episode (one thread).",
        "Notes",
        "Two classes were left out.",
    ]


def test_few_classes_are_shown_once_pairs_have_a_table_and_what_is_unknown_is_a_dash() -> None:
    unknown = Rate(name="lonely", value=0.5, low=None, high=None, shrunken=None, meetings=1, queries=5)
    one = replace(make_diagnosis(4), confused=(unknown,), support=None, classes=Rates((unknown,), None, None))
    text = rendered(one, make_diagnosis(6))
    lines = [" ".join(line.split()) for line in text.splitlines()]
    assert "pair confused 95% interval expected episodes queries" in lines
    assert lines.count("lonely 50.0% - - 1 5") == 2
    assert text.count("[class3]") == 1
    assert text.count("Support images: how much") == 1
    assert "worst and the" not in text
    none = SupportRange(episodes=20, candidates=0.0, worst=0.6, drawn=0.6, best=0.6)
    stuck = replace(make_diagnosis(), support=none)
    assert "so none is left to exchange: ask for fewer queries." in rendered(stuck)
    assert "best found" not in rendered(stuck)


def test_a_fixed_list_of_episodes_is_not_said_to_have_more() -> None:
    fixed = replace(make_diagnosis().question, fixed=True)
    text = rendered(replace(make_diagnosis(), question=fixed))
    assert "more episodes" not in text
    assert "95% intervals for others made like the episodes of this fixed list, each for a class" in text


@pytest.mark.parametrize("profile", [dict.fromkeys(PROFILE, 1.0), {**dict.fromkeys(PROFILE, 0.0), 0.0: 1.0}])
def test_profiles_without_a_slope_are_drawn(profile: dict[float, float]) -> None:
    scores = make_diagnosis().scores
    flat = replace(scores, tails=replace(scores.tails, profile=profile))
    assert "100.0% " in rendered(replace(make_diagnosis(), scores=flat))


def test_json_names_the_data_and_the_episodes() -> None:
    found = json.loads(make_diagnosis().to_json(["fairshot", "diagnose"]))
    assert (found["seed"], found["command"], found["episodes_key"]) == (7, ["fairshot", "diagnose"], "key")
    assert found["source"] == make_diagnosis().question.source.model_dump()
    assert list(found["rows"][0]) == FIELDS
    assert found["rows"][0]["tails"]["profile"]["0.5"] == 0.75
    other = replace(make_diagnosis().question, episodes_key="other")
    two = Diagnoses(rows=(make_diagnosis(), replace(make_diagnosis(), question=other)))
    assert json.loads(two.to_json())["episodes_key"] is None
    assert [row["episodes_key"] for row in json.loads(two.to_json())["rows"]] == ["key", "other"]


def test_a_diagnosis_is_indexed_by_class_and_shows_every_class_first() -> None:
    found = make_diagnosis()
    assert found["[class2]"] == found.classes.rows[2]
    with pytest.raises(FairshotError, match=r"^unknown class '\[class22\]': did you mean '\[class2\]'\?$"):
        found["[class22]"]
    classes = found.tables()[0]
    assert [row[0] for row in classes.rows] == [rate.name for rate in found.classes.rows]
    assert found.summary() == found.to_text(width=1000).splitlines()[0]
