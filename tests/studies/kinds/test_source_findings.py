"""Gains, ratios, curves, grain, places and claims agree with plain loops over the scores that they come from."""

import numpy as np
import pytest

from fairshot.results.evaluation import Evaluation
from fairshot.results.source_rows import CurvePoint, SourceRow
from fairshot.results.study_rows import ClaimRow
from fairshot.studies.kinds.episode_curves import LEAST, WAYS
from fairshot.studies.kinds.source_findings import gain
from fairshot.tasks.episodes import PAD
from tests.studies.kinds.small_sources import EPISODES, HEADING, SETTINGS, SMALL, SOURCES, make_findings, make_result

LABELS = [tested.label for tested in SOURCES]


def scores(evaluation: Evaluation, learner: str, task: str = "") -> np.ndarray:
    """The score of every episode, as it was kept."""
    return evaluation.scores(evaluation[(learner, task) if task else learner])[0].values


def points(axis: str, setting: str = "", learner: str = "") -> list[CurvePoint]:
    return [
        point
        for point in make_result().points
        if point.axis == axis and setting in ("", point.setting) and learner in ("", point.learner)
    ]


def test_every_learner_has_a_row_on_every_source() -> None:
    rows = [row for row in make_result().rows if isinstance(row, SourceRow)]
    expected = [(label, name, setting, False) for label in LABELS for name, setting in HEADING.every(HEADING.fast)]
    expected += [(label, name, setting, True) for label in LABELS for name, setting in HEADING.every(HEADING.ranked)]
    accuracies = [(row.source, row.head, row.setting, row.small) for row in rows if row.metric == "accuracy"]
    assert sorted(accuracies) == sorted(expected)
    for row in rows:
        assert row.learner == f"{row.head} ({row.setting})"
        assert row.task == (f"{row.source}, small episodes" if row.small else row.source)
        if row.metric == "accuracy":
            evaluation = (make_findings().small if row.small else make_findings().whole)[row.source]
            assert row.number == pytest.approx(scores(evaluation, row.learner).mean())
            assert row.episodes == (SMALL if row.small else EPISODES)


def test_a_ratio_is_one_accuracy_by_the_other_on_the_same_episodes() -> None:
    ratios = [row for row in make_result().rows if row.metric == "cscc"]
    assert [(row.source, row.setting) for row in ratios] == [(label, one) for label in LABELS for one in SETTINGS]
    for row in ratios:
        whole = make_findings().whole[row.source]
        above, below = (scores(whole, f"{name} ({row.setting})").mean() for name in ("Clusters", "Prototypes"))
        assert row.number == pytest.approx(above / below)
        assert row.against == f"Prototypes ({row.setting})"
        assert row.published == (0.5 if (row.source, row.setting) == ("Fish", "one") else None)


def test_gains_are_paired_differences() -> None:
    assert [(one.source, one.learner) for one in make_result().differences] == [
        (label, name) for label in LABELS for name in HEADING.learners
    ]
    for one in make_result().differences:
        slow = one.learner not in HEADING.fast
        evaluation = (make_findings().small if slow else make_findings().whole)[one.source]
        many, few = (scores(evaluation, f"{one.learner} ({setting})") for setting in ("many", "one"))
        assert one.value == pytest.approx(np.mean(many - few))
        assert one.episodes == (SMALL if slow else EPISODES)
        assert one.published == {("k-NN", "Fish"): 0.0, ("Prototypes", "Marks"): 0.25}.get((one.learner, one.source))
        assert one.trained == (one.source != "Birds")
        if one.interval is not None:
            assert one.interval[0] <= one.value <= one.interval[1]
    assert all(one.value > 0 for one in make_result().differences if one.learner == "Prototypes"), (
        "more features help here"
    )


def test_a_gain_has_the_interval_that_a_comparison_quotes() -> None:
    whole = make_findings().whole["Marks"]
    forth, back = (gain(whole, *pair) for pair in (("k-NN (one)", "k-NN (many)"), ("k-NN (many)", "k-NN (one)")))
    (pair,) = whole.compare(only=[("k-NN (one)", "k-NN (many)")])
    quoted = pair.differences[pair.headline].estimate
    assert (forth.value, forth.interval, forth.population) == (quoted.value, quoted.interval, pair.headline)
    assert (back.value, back.low, back.high) == (-forth.value, -forth.high, -forth.low)


@pytest.mark.parametrize(
    ("title", "setting", "labels"),
    [
        ("one, tested on Fish", "one", ["Fish"]),
        ("many, tested on all", "many", LABELS),
        ("many, tested on Fish", "many", ["Fish"]),
    ],
)
def test_the_three_settings_of_appendix_d(title: str, setting: str, labels: list[str]) -> None:
    for learner in HEADING.fast:
        right, asked, episodes = ({pair: 0 for pair in WAYS} for _ in range(3))
        for label in labels:
            whole = make_findings().whole[label]
            row = whole[f"{learner} ({setting})"]
            drawn, kept = whole.records.episodes(row.episodes_key, row.episodes)[1], whole.scores(row)[0]
            for number, classes in enumerate(drawn.class_ids):
                way = int((classes != PAD).sum())
                pair = next((low, high) for low, high in WAYS if low <= way <= high)
                right[pair] += int((kept.correct[number] & kept.asked[number]).sum())
                asked[pair] += int(kept.asked[number].sum())
                episodes[pair] += 1
        found = {(point.low_x, point.high_x): point for point in points("way", title, learner)}
        assert set(found) == {pair for pair in WAYS if episodes[pair] >= LEAST}
        for pair, point in found.items():
            assert point.value == pytest.approx(right[pair] / asked[pair])
            assert point.episodes == episodes[pair]
    assert {point.learner for point in points("shot", title)} == set(HEADING.fast)


def test_heights_share_out_all_episodes_of_the_first_source() -> None:
    for learner, setting in HEADING.every(HEADING.fast):
        found = points("height", setting, learner)
        assert sum(point.episodes for point in found) == EPISODES
        assert len({point.low_x for point in found}) > 1
        whole = make_findings().whole["Fish"]
        kept = whole.scores(whole[f"{learner} ({setting})"])[0]
        low, high = min(point.value for point in found), max(point.value for point in found)
        assert low <= (kept.correct & kept.asked).sum() / kept.asked.sum() <= high


def test_classes_of_one_parent_stand_beside_any() -> None:
    grain = make_findings().grain
    assert grain is not None
    for place, task in enumerate(("3-way 2-shot 2-query", "within-parent 3-way 2-shot 2-query")):
        for learner, setting in HEADING.every(HEADING.fast):
            (point,) = [one for one in points("one parent", setting, learner) if one.low_x == place]
            assert point.value == pytest.approx(scores(grain, f"{learner} ({setting})", task).mean())


def test_places_are_counted_in_small_episodes() -> None:
    for setting in SETTINGS:
        places = {name: [] for name in HEADING.ranked}
        for label in LABELS:
            means = {
                name: scores(make_findings().small[label], f"{name} ({setting})").mean() for name in HEADING.ranked
            }
            for name, mean in means.items():
                better, equal = (sum(sign(other) for other in means.values()) for sign in (mean.__lt__, mean.__eq__))
                places[name].append(better + (equal + 1) / 2)
        found = {rank.learner: rank for rank in make_result().ranks if rank.setting == setting}
        for name, expected in places.items():
            assert found[name].value == pytest.approx(np.mean(expected))
            assert found[name].interval[0] <= found[name].value <= found[name].interval[1]
    # Demsar 2006, Table 5: q = 2.343 for three classifiers at 0.05.
    assert make_result().critical_difference == pytest.approx(2.343 * np.sqrt(3 * 4 / (6 * 3)), rel=1e-3)
    assert set(make_result().friedman) == set(SETTINGS)


def test_claims_are_gains_in_the_published_direction() -> None:
    claims = [row for row in make_result().rows if isinstance(row, ClaimRow)]
    assert [row.learner for row in claims] == [
        "training on all sources lowers prototypes on Fish",
        "training on all sources raises prototypes on Marks",
    ]
    gains = {one.source: one for one in make_result().differences if one.learner == "Prototypes"}
    assert [row.value for row in claims] == pytest.approx([-gains["Fish"].value, gains["Marks"].value])
    for row, label in zip(claims, ("Fish", "Marks"), strict=True):
        whole = make_findings().whole[label]
        assert (row.part, row.episodes_key) == (label.lower(), whole["Prototypes (one)"].episodes_key)
        low, high = row.quoted
        assert row.verdict == ("agree" if low > 0 else "disagree" if high < 0 else "cannot be told")
