"""The verb evaluate: the same numbers however the work is cut, resumed or spread."""

import csv
import json
import threading
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.ensemble import RandomForestClassifier
from sklearn.svm import SVC

from fairshot.evaluation import cell, scorer
from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.encoded import Encoded
from fairshot.learners.foreign.estimators import Estimator
from fairshot.learners.foreign.functions import Function
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.metrics.accuracy import Accuracy
from fairshot.metrics.error import Error
from fairshot.results.folder import Folder
from fairshot.results.schema import read_result
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.statistics.scores import load_scores
from fairshot.tasks.uniform import Uniform
from fairshot.tasks.whole_parent import WholeParent
from fairshot.tasks.within_parent import WithinParent
from tests.conftest import make_vectors

TASK = Uniform(way=5, shot=2, query=6)


class Counting(Classifier):
    """Prototypes that count the tasks they are given, and the images they embed."""

    def __init__(self) -> None:
        self.head, self.tasks, self.images = find_learner("prototypes"), 0, 0
        self.lock = threading.Lock()

    @property
    def identity(self) -> str:
        return "counting"

    def embed(self, images: torch.Tensor) -> torch.Tensor:
        self.images += len(images)
        return images

    def classify(self, batch: TaskBatch) -> torch.Tensor:
        with self.lock:
            self.tasks += len(batch.way)
        return self.head.classify(batch)


def naive_accuracy(source: Source, task, episodes: int, seed: int) -> list[float]:
    """One episode after the other, one query after the other."""
    scores = []
    sampled = task.sample(source, range(episodes), seed)
    for support, labels, queries, truth, _ in zip(*sampled.tables, strict=True):
        real = labels >= 0
        means = {label: source.store[support[real & (labels == label)]].mean(0) for label in set(labels[real])}
        answers = [
            min(means, key=lambda label: ((source.store[q] - means[label]) ** 2).sum()) for q in queries[truth >= 0]
        ]
        scores.append(float(np.mean(answers == truth[truth >= 0])))
    return scores


@pytest.mark.parametrize(
    "task", [TASK, WithinParent(way=4, shot=1, query=5), WholeParent(shot=2, query=3)], ids=lambda t: t.label
)
def test_scores_equal_a_plain_loop(task, tmp_path: Path) -> None:
    source = make_vectors(classes=20, parents=3, spread=1.5)
    evaluate(source, {"p": find_learner("prototypes")}, [task], episodes=50, seed=3, out=tmp_path)
    with open(tmp_path / "episodes.csv", newline="") as file:
        table = list(csv.DictReader(file))
    assert [int(row["episode"]) for row in table] == list(range(50))
    np.testing.assert_allclose([float(row["score"]) for row in table], naive_accuracy(source, task, 50, 3))


@pytest.mark.parametrize("backend", ["serial", "threads", "local", "auto"])
def test_step_size_and_processes_change_nothing(backend, vectors: Source, monkeypatch: pytest.MonkeyPatch) -> None:
    learners = {name: find_learner(name) for name in ("prototypes", "svm")}
    whole = evaluate(vectors, learners, [TASK], episodes=130, backend="serial").result
    monkeypatch.setattr(scorer, "STEP_BYTES", 7000)
    assert evaluate(vectors, learners, [TASK], episodes=130, backend=backend).result == whole


def test_functions_from_anywhere_reach_other_processes(vectors: Source) -> None:
    secret = np.eye(16, dtype=np.float32)
    nearest = Function(lambda x, y, q: y[(((q @ secret)[:, None] - x[None]) ** 2).sum(-1).argmin(1)])
    local = evaluate(vectors, {"f": nearest}, [TASK], episodes=130, backend="local").rows[0].value
    assert local == evaluate(vectors, {"f": find_learner("neighbours")}, [TASK], episodes=130).rows[0].value


def test_an_image_is_embedded_once(vectors: Source) -> None:
    learner = Counting()
    evaluate(vectors, {"it": learner}, [TASK, WithinParent(way=3, shot=1, query=2)], episodes=500)
    assert learner.images == len(vectors)


def test_few_episodes_embed_only_their_own_images(vectors: Source) -> None:
    learner = Counting()
    evaluate(vectors, {"it": learner}, [TASK], episodes=1)
    assert learner.images == 40


def test_the_same_command_resumes_and_more_episodes_extend(vectors: Source, tmp_path: Path) -> None:
    learner = Counting()
    first = evaluate(vectors, {"it": learner}, [TASK], episodes=100, out=tmp_path)
    again = evaluate(vectors, {"it": learner}, [TASK], episodes=100, out=tmp_path)
    assert (learner.tasks, again.result) == (100, first.result)
    more = evaluate(vectors, {"it": learner}, [TASK], episodes=1500, out=tmp_path)
    assert learner.tasks == 1500
    assert more.rows == evaluate(vectors, {"it": Counting()}, [TASK], episodes=1500).rows
    fewer = evaluate(vectors, {"it": learner}, [TASK], episodes=100, out=tmp_path)
    assert (learner.tasks, fewer.result) == (1500, first.result)


def test_an_interrupted_command_goes_on_where_it_stopped(
    vectors: Source, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cell, "SAVE_SECONDS", 0)

    def stop_on_the_way(what: str, done: int, whole: int, mean: float) -> None:
        if done > 2500:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        evaluate(vectors, {"it": Counting()}, [TASK], episodes=4000, out=tmp_path, progress=stop_on_the_way)
    assert not (tmp_path / "result.json").exists()
    (kept,) = (tmp_path / "scores").iterdir()
    saved = len(load_scores(kept))
    assert 1500 < saved <= 2500
    learner = Counting()
    result = evaluate(vectors, {"it": learner}, [TASK], episodes=4000, out=tmp_path)
    assert learner.tasks == 4000 - saved
    assert result.rows == evaluate(vectors, {"it": Counting()}, [TASK], episodes=4000).rows


def test_the_folder_holds_everything(vectors: Source, tmp_path: Path) -> None:
    result = evaluate(vectors, {"p": find_learner("prototypes")}, [TASK], episodes=20, out=tmp_path)
    assert read_result(tmp_path / "result.json") == result.result
    assert set(json.loads((tmp_path / "result.json").read_text())) >= {
        "schema",
        "fairshot",
        "command",
        "seed",
        "source",
        "episodes_key",
        "rows",
    }
    sampled = TASK.sample(vectors, range(20), 0)
    with np.load(tmp_path / "episodes" / f"{result.result.episodes_key}.npz") as kept:
        for name in ("support_ids", "support_labels", "query_ids", "query_labels", "class_ids"):
            np.testing.assert_array_equal(kept[name], getattr(sampled, name))
    assert not list(tmp_path.rglob(".unfinished*"))


def test_other_learners_and_tasks_join_the_folder(vectors: Source, tmp_path: Path) -> None:
    for name, task in (("prototypes", TASK), ("ridge", TASK), ("ridge", WithinParent(way=3, shot=1, query=2))):
        evaluate(vectors, {name: find_learner(name)}, [task], episodes=10, out=tmp_path)
    rows = read_result(tmp_path / "result.json").rows
    assert [(row.learner, row.task) for row in rows] == [
        ("prototypes", "5-way 2-shot 6-query"),
        ("ridge", "5-way 2-shot 6-query"),
        ("ridge", "within-parent 3-way 1-shot 2-query"),
    ]
    assert len((tmp_path / "episodes.csv").read_text().splitlines()) == 31


def test_other_data_or_another_seed_are_refused_before_any_work(vectors: Source, tmp_path: Path) -> None:
    evaluate(vectors, {"p": find_learner("prototypes")}, [TASK], episodes=10, out=tmp_path)
    before = (tmp_path / "result.json").read_bytes()
    learner = Counting()
    with pytest.raises(FairshotError) as caught:
        evaluate(vectors, {"p": learner}, [TASK], episodes=10, seed=1, out=tmp_path)
    assert str(caught.value) == (
        f"{tmp_path} holds results of vectors (raw, seed 0), not of vectors (raw, seed 1): choose another folder"
    )
    assert learner.tasks == 0
    assert (tmp_path / "result.json").read_bytes() == before


def test_an_unreadable_result_is_refused_and_left_alone(vectors: Source, tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text("{")
    with pytest.raises(FairshotError) as caught:
        evaluate(vectors, {"p": find_learner("prototypes")}, [TASK], episodes=10, out=tmp_path)
    expected = f"{tmp_path / 'result.json'} is not a readable result of fairshot: remove it or choose another folder"
    assert str(caught.value) == expected
    assert (tmp_path / "result.json").read_text() == "{"


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (
            lambda x, y, q: y,
            "function returned an array of shape (10,) and type int64 for 30 queries of 5 classes: "
            "return labels from 0 to 4, or scores of shape (30, 5)",
        ),
        (
            lambda x, y, q: np.full(len(q), 7),
            "function returned an array of shape (30,) and type int64 for 30 queries of 5 classes: "
            "return labels from 0 to 4, or scores of shape (30, 5)",
        ),
        (
            lambda x, y, q: np.full((len(q), 5), np.nan),
            "function answered NaN: a classifier returns a number for each query and class",
        ),
    ],
)
def test_a_learner_that_answers_nonsense_is_told_so(function, message: str, vectors: Source) -> None:
    with pytest.raises(FairshotError) as caught:
        evaluate(vectors, {"f": Function(function)}, [TASK], episodes=5)
    assert str(caught.value) == message


def test_pixels_need_images(vectors: Source) -> None:
    with pytest.raises(FairshotError) as caught:
        evaluate(vectors, {"pixels": find_learner("pixels")}, [TASK], episodes=5)
    assert str(caught.value) == (
        "pixels reads images, and vectors holds feature vectors: choose a learner that reads both, such as prototypes"
    )


def test_chance_is_covered_by_its_interval(vectors: Source) -> None:
    row = evaluate(vectors, {"chance": find_learner("chance")}, [Uniform(way=5)], episodes=2000).rows[0]
    low, high = row.intervals["episodes"]
    assert low - 0.003 < 0.2 < high + 0.003
    assert high - low < 0.02


def test_all_learners_answer_the_same_episodes(vectors: Source) -> None:
    result = evaluate(vectors, {name: find_learner(name) for name in ("prototypes", "ridge")}, [TASK], episodes=10)
    assert len({row.episodes_key for row in result.rows}) == 1
    assert result.result.episodes_key == result.rows[0].episodes_key


class Calls:
    """An encoder that knows nothing of an image but when it was asked for it, or with which others."""

    def __init__(self, kind: str) -> None:
        self.kind, self.count = kind, 0

    def __call__(self, images: np.ndarray) -> np.ndarray:
        places = np.arange(self.count, self.count + len(images), dtype=np.float32)
        self.count += len(images)
        return (
            places[:, None]
            if self.kind == "counter"
            else np.full((len(images), 1), images.mean()) + 1e-6 * places[:, None]
        )


@pytest.mark.parametrize("kind", ["counter", "batch mean"])
def test_an_encoder_learns_nothing_from_the_order_of_images(kind: str) -> None:
    source = make_vectors(classes=200, images=20)
    learner = Encoded(find_learner("prototypes"), Calls(kind))
    assert abs(evaluate(source, {"it": learner}, [TASK], episodes=300).rows[0].value - 0.2) < 0.03


def test_extending_a_task_of_variable_way_gives_the_numbers_of_a_fresh_run(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(24), 20)
    flips = rng.random((480, 50)) < 0.3
    vectors = ((rng.random((24, 50)) < 0.5)[labels] ^ flips).astype(np.float32)
    source = from_arrays(vectors, labels, parents=np.repeat(["a", "b", "c", "d"], [3, 3, 3, 15]))
    task, learner = WholeParent(shot=3, query=5), {"p": find_learner("prototypes")}
    for count in range(7, 141, 7):
        extended = evaluate(source, learner, [task], episodes=count, out=tmp_path)
    assert extended.rows == evaluate(source, learner, [task], episodes=140).rows


def test_distances_far_from_zero_keep_their_digits() -> None:
    near = make_vectors(spread=1.5)
    far = from_arrays(near.store + np.float32(10_000), near.class_ids)
    for name in ("prototypes", "neighbours"):
        values = [evaluate(s, {name: find_learner(name)}, [TASK], episodes=200).rows[0].value for s in (near, far)]
        assert abs(values[0] - values[1]) < 0.01


def test_an_estimators_answer_is_what_it_predicts(vectors: Source) -> None:
    learners = {kind: Estimator(SVC(decision_function_shape=kind)) for kind in ("ovo", "ovr")}
    rows = evaluate(vectors, learners, [Uniform(way=3, shot=3, query=5)], episodes=40).rows
    assert rows[0].value == rows[1].value


def test_estimators_that_draw_at_random_can_be_repeated(vectors: Source) -> None:
    values = {
        evaluate(vectors, {"f": Estimator(RandomForestClassifier(5))}, [TASK], episodes=10).rows[0].value
        for _ in range(2)
    }
    assert len(values) == 1


def _scores_files(folder: Path) -> int:
    return len(list((folder / "scores").iterdir()))


@pytest.mark.parametrize("change", ["learner", "settings", "function", "metric", "encoder"])
def test_kept_scores_are_not_used_for_anything_else(change: str, vectors: Source, tmp_path: Path) -> None:
    pairs = {
        "learner": (find_learner("logistic"), find_learner("svm")),
        "settings": (find_learner("neighbours:k=1"), find_learner("neighbours:k=3")),
        "function": (
            Function(lambda x, y, q: y[: len(q)] * 0),
            Function(lambda x, y, q: np.zeros(len(q), dtype=np.int64)),
        ),
        "metric": (find_learner("prototypes"), find_learner("prototypes")),
        "encoder": tuple(Encoded(find_learner("prototypes"), torch.nn.Linear(16, 2)) for _ in range(2)),
    }[change]
    metrics = (Accuracy(), Error()) if change == "metric" else (Accuracy(), Accuracy())
    task = Uniform(way=5, shot=6, query=6)
    for learner, metric in zip(pairs, metrics, strict=True):
        kept = evaluate(vectors, {"it": learner}, [task], episodes=10, metric=metric, out=tmp_path).rows[0].value
        assert kept == evaluate(vectors, {"it": learner}, [task], episodes=10, metric=metric).rows[0].value
    assert _scores_files(tmp_path) == 2


def test_another_source_is_refused(vectors: Source, tmp_path: Path) -> None:
    evaluate(vectors, {"p": find_learner("prototypes")}, [TASK], episodes=5, out=tmp_path)
    with pytest.raises(
        FairshotError, match="holds results of other data that is called vectors too: choose another folder"
    ):
        evaluate(make_vectors(seed=1), {"p": find_learner("prototypes")}, [TASK], episodes=5, out=tmp_path)


def test_more_episodes_extend_the_list_of_episodes(vectors: Source, tmp_path: Path) -> None:
    for count in (10, 1500):
        result = evaluate(vectors, {"p": find_learner("prototypes")}, [TASK], episodes=count, out=tmp_path)
    layout, episodes = Folder(tmp_path).episodes(result.result.episodes_key, 10**9)
    np.testing.assert_array_equal(episodes.query_ids, TASK.sample(vectors, range(1500), 0).query_ids)
    np.testing.assert_array_equal(layout.counts, vectors.members.counts)


def test_small_classes_that_were_left_out_are_no_part_of_the_population(tmp_path: Path) -> None:
    source = from_arrays(np.random.default_rng(0).normal(size=(81, 3)), np.append(np.repeat(np.arange(8), 10), 8))
    task = Uniform(way=3, shot=1, query=5, skip_small=True)
    result = evaluate(source, {"p": find_learner("prototypes")}, [task], episodes=20, out=tmp_path)
    assert Folder(tmp_path).episodes(result.result.episodes_key, 10**9)[0].classes.tolist() == list(range(8))
    assert result.rows[0].task == "3-way 1-shot 5-query, small classes left out"


def test_too_few_images_for_the_last_number_of_shots_are_said_before_the_first_answer() -> None:
    vectors, labels = np.random.default_rng(0).normal(size=(40, 3)).astype(np.float32), np.repeat(np.arange(4), 10)
    seen = list[str]()
    with pytest.raises(FairshotError, match="9-shot 5-query needs 14 images per class"):
        evaluate(
            (vectors, labels),
            "prototypes",
            way=3,
            shot=[1, 9],
            query=5,
            episodes=20,
            progress=lambda what, done, whole, mean: seen.append(what),
        )
    assert not seen
