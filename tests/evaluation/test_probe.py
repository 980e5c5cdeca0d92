import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import RidgeClassifier
from sklearn.neighbors import NearestCentroid

import fairshot as fs
from fairshot.results.schema import parse_result

Data = tuple[np.ndarray, np.ndarray]
POPULATIONS = {"episodes", "labels", "test", "images", "classes"}


def make_data(images: int, *, classes: int = 8, seed: int = 0, noise: float = 1.2) -> Data:
    centres = np.random.default_rng(0).normal(size=(classes, 6))
    labels = np.repeat(np.arange(classes), images)
    vectors = centres[labels] + noise * np.random.default_rng(seed + 1).normal(size=(len(labels), 6))
    return vectors.astype(np.float32), np.array([f"c{label}" for label in labels])


POOL, TEST = make_data(20), make_data(10, seed=1)


def test_every_draw_scores_as_scikit_learn_fitted_on_it() -> None:
    found = fs.probe(POOL, ["prototypes", "ridge:relative=False"], test=TEST, shot=3, draws=6)
    for name, model in (("prototypes", NearestCentroid()), ("ridge:relative=False", RidgeClassifier(alpha=1.0))):
        scores = []
        for ids in found.draws.image_ids:
            rows = found.draws.pool.rows(ids.ravel())
            scores.append((model.fit(POOL[0][rows], POOL[1][rows]).predict(TEST[0]) == TEST[1]).mean())
        assert found.answers[name, 3, "accuracy"].scores == pytest.approx(scores)
        assert found[name].value == pytest.approx(np.mean(scores))
    assert set(found["prototypes"].intervals) == POPULATIONS
    assert found["prototypes"].headline == "classes"


def test_any_backend_gives_the_same_and_estimators_of_anybody_can_be_probed() -> None:
    learners = {"theirs": NearestCentroid(), "ours": "prototypes"}
    serial = fs.probe(POOL, learners, test=TEST, shot=2, draws=5, backend="serial")
    threads = fs.probe(POOL, learners, test=TEST, shot=2, draws=5, backend="threads")
    assert serial["theirs"].value == serial["ours"].value == threads["ours"].value
    assert serial["ours"].intervals == threads["ours"].intervals
    assert serial["theirs"].intervals["labels"] is not None


def test_curves_differences_and_classes_are_told() -> None:
    found = fs.probe(POOL, ["prototypes", "ridge"], test=TEST, shot=[1, 4, 12], draws=30)
    assert [point.shot for point in found.shots[0].points] == [1, 4, 12]
    assert "shot" in found.shots[0].sentence
    assert [gain.more for gain in found.shots[0].gains] == [4, 12]
    assert {(row.shot, row.difference) for row in found.comparisons} == {(1, True), (4, True), (12, True)}
    rates = [rate for rate in found.class_rates if (rate.learner, rate.shot) == ("ridge", 12)]
    assert np.mean([rate.value for rate in rates]) == pytest.approx(found["ridge", 12].value)
    text = str(found)
    assert "8-way 12-shot probe, 30 draws" in text
    assert "The hardest classes of" in text
    again = parse_result(json.loads(found.to_json()))
    assert again == found.result


def test_one_draw_and_three_are_honest() -> None:
    one, three = (fs.probe(POOL, test=TEST, shot=2, draws=draws)["prototypes"] for draws in (1, 3))
    many = fs.probe(POOL, test=TEST, shot=2, draws=300)["prototypes"]
    assert one.intervals["labels"] is None
    assert "labels: one draw of the labelled images says nothing about others" in one.notes
    assert one.intervals["test"] is not None
    widths = [np.diff(row.intervals["labels"])[0] for row in (three, many) if row.intervals["labels"]]
    assert widths[0] > 2 * widths[1]


def test_unbalanced_pools_and_tests_small_classes_and_chosen_classes() -> None:
    keep = np.ones(len(POOL[0]), dtype=bool)
    keep[2:20] = False  # c0 has two images
    pool, test = (POOL[0][keep], POOL[1][keep]), (TEST[0][:-4], TEST[1][:-4])
    with pytest.raises(fs.FairshotError, match="5 shots were asked for, and class 'c0' has 2 images in the pool: ask"):
        fs.probe(pool, test=test, shot=5)
    found = fs.probe(pool, test=test, shot=5, draws=4, skip_small=True)
    assert "1 class with fewer than 5 pool images left out" in found.result.notes
    assert {row.metric for row in found} == {"accuracy", "macro accuracy"}
    macro = found["prototypes", 5, "macro accuracy"].value
    assert macro == pytest.approx(np.mean([rate.value for rate in found.class_rates]))
    few = fs.probe(POOL, test=TEST, draws=4, classes=["c1", "c3", "c5"])
    assert few["prototypes"].task == "3-way 1-shot probe"
    with pytest.raises(fs.FairshotError, match="unknown class of the pool 'd'"):
        fs.probe(POOL, test=TEST, classes=["c1", "d"])


def test_draws_are_exported_and_used_again(tmp_path: Path) -> None:
    first = fs.probe(POOL, test=TEST, shot=3, draws=4, seed=7)
    path = first.export_draws(tmp_path / "draws.csv")
    again = fs.probe(POOL, test=TEST, draws=path)
    assert again["prototypes"].value == first["prototypes"].value
    assert again.result.episodes_key == first.result.episodes_key
    assert fs.probe(POOL, test=TEST, draws=path, shot=[2, 3])["prototypes", 2].shot == 2


def test_what_is_tuned_on_the_test_set_may_stand_behind_an_encoder() -> None:
    found = fs.probe(POOL, ["ridge_loo"], test=TEST, draws=4, tuned=True, encoder=lambda vectors: 3 * vectors)
    plain = fs.probe(POOL, ["ridge_loo"], test=TEST, draws=4, tuned=True)
    encoded = {row.learner: row.value for row in found.rows}
    assert len(encoded) == 2
    assert list(encoded.values()) == pytest.approx([row.value for row in plain.rows])


def test_class_vectors_give_a_zero_shot_line_and_a_prior() -> None:
    centres = np.random.default_rng(0).normal(size=(8, 6))
    vectors = {f"c{number}": centre for number, centre in enumerate(centres)}
    heads = ["prior_prototypes_loo", "tip_adapter_loo"]
    found = fs.probe(POOL, heads, test=TEST, shot=1, draws=10, class_vectors=vectors, tuned=True)
    cosines = TEST[0] @ (centres / np.linalg.norm(centres, axis=1, keepdims=True)).T
    plain = (np.array([f"c{best}" for best in cosines.argmax(1)]) == TEST[1]).mean()
    assert found["zero-shot"].value == pytest.approx(plain)
    assert found["zero-shot"].intervals["test"] is not None
    for head in heads:
        tuned = f"{head}, tuned on test"
        assert any((row.learner, row.against) == (tuned, head) for row in found.comparisons)
    fixed = fs.probe(POOL, ["tip_adapter:alpha=1,beta=5.5"], test=TEST, shot=1, draws=10, class_vectors=vectors)
    assert found["tip_adapter_loo, tuned on test"].number >= fixed["tip_adapter:alpha=1,beta=5.5"].number
    with pytest.raises(fs.FairshotError, match="unknown class among the class vectors 'c0'"):
        fs.probe(POOL, heads, test=TEST, class_vectors={"d": centres[0]})
    with pytest.raises(fs.FairshotError, match="class_vectors have 3 numbers and the images 6: embed both with the"):
        fs.probe(POOL, heads, test=TEST, class_vectors=centres[:, :3])


def test_groups_never_stand_on_both_sides() -> None:
    X, y = make_data(12)
    groups = np.arange(len(y)) // 3
    table = {"X": X, "y": y, "groups": groups, "attribute.split": np.where(np.arange(len(y)) % 12 < 7, "train", "test")}
    found = fs.probe(table, shot=2, draws=5)
    test_groups = set(groups[np.arange(len(y)) % 12 >= 7])
    assert test_groups.isdisjoint(groups[found.draws.image_ids.ravel()])
    assert "8 pool images of groups that are in the test left out" in found.result.notes


SUBJECTS = {
    "weather": "rain sun wind storm cloud snow warm cold north coast forecast",
    "food": "bread soup salt oven apple butter dinner spice fresh plate recipe",
    "sport": "match goal team coach ball season win league score stadium player",
    "music": "song guitar band concert melody piano choir album rhythm voice stage",
    "travel": "train ticket hotel island harbour luggage border map guide flight beach",
    "money": "bank loan price market tax salary budget stock coin invoice debt",
}


def test_texts_as_vectors_can_be_probed() -> None:
    rng = np.random.default_rng(0)
    common = "the a of and in was very then with for".split()
    labels = np.repeat(list(SUBJECTS), 30)
    texts = [" ".join(rng.choice(SUBJECTS[s].split(), 4).tolist() + rng.choice(common, 6).tolist()) for s in labels]
    vectors = TruncatedSVD(12, random_state=0).fit_transform(TfidfVectorizer().fit_transform(texts))
    split = np.tile(np.repeat(["train", "test"], [20, 10]), 6)
    found = fs.probe({"X": vectors, "y": labels, "attribute.split": split}, ["ridge_loo"], shot=[1, 4, 8], draws=40)
    assert found["ridge_loo", 8].value > found["ridge_loo", 1].value > 1 / 6
    assert found["ridge_loo", 8].intervals["labels"] is not None


def test_nonsense_is_refused_in_a_line() -> None:
    for asked, message in (
        ({"shot": 0}, "0 shots were asked for: ask for at least 1"),
        ({"draws": 0}, "0 draws were asked for: ask for at least 1"),
    ):
        with pytest.raises(fs.FairshotError, match=message):
            fs.probe(POOL, test=TEST, **asked)
    with pytest.raises(fs.FairshotError, match="array does not say which images are for testing"):
        fs.probe(POOL)
