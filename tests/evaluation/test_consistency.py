"""The verb `cscc`, and clusterers before the other verbs."""

import json
from pathlib import Path

import numpy as np
import pytest

from fairshot.checks.checklist import check
from fairshot.cli.main import main
from fairshot.evaluation.compare import compare
from fairshot.evaluation.consistency import ONE_SHOT, Pair, cscc, reference_of, with_ratios
from fairshot.evaluation.diagnose import diagnose
from fairshot.evaluation.evaluate import evaluate
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.specs.metrics import find_metric
from fairshot.tasks.uniform import Uniform

ENCODER = "import numpy as np\ndef halves(images):\n    return images.reshape(len(images), -1)[:, ::2]\n"


@pytest.fixture(scope="module")
def part() -> Source:
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(20), 12)
    features = 2.0 * rng.normal(size=(20, 6))[labels] + rng.normal(size=(240, 6))
    return from_arrays(features.astype(np.float32), labels)


def test_the_ratio_stands_beside_both_accuracies(part: Source) -> None:
    learners = {name: find_learner(name) for name in ("sinkhorn", "kmeans", "prototypes")}
    pairs = [Pair("sinkhorn", "prototypes"), Pair("kmeans", "prototypes")]
    result = with_ratios(evaluate(part, learners, [Uniform(way=5, shot=5, query=5)], episodes=200), pairs)
    found = {(row.learner, row.metric): row for row in result.rows}
    assert len(found) == 5
    for name in ("sinkhorn", "kmeans"):
        row = found[name, "cscc"]
        assert row.number == pytest.approx(found[name, "accuracy"].number / found["prototypes", "accuracy"].number)
        assert set(row.intervals) == {"episodes", "images", "classes", "quadrature"}
        assert row.warnings == []
        assert row.against == "prototypes"
    assert found["kmeans", "cscc"].number < found["sinkhorn", "cscc"].number < 1


def test_one_shot_is_called_trivial(part: Source) -> None:
    result = cscc(part, "kmeans", "prototypes", Uniform(way=5, shot=1, query=5), episodes=50)
    assert result.rows[0].warnings == [ONE_SHOT]
    assert result.rows[0].number == pytest.approx(1.0, abs=0.02)


def test_the_accuracy_of_a_clusterer_uses_labels_for_names_alone(part: Source) -> None:
    task = Uniform(way=4, shot=6, query=3)
    rows = evaluate(part, {"it": find_learner("kmeans:restarts=5")}, [task], episodes=100).rows
    scores = {}
    for metric in ("clustering", "nmi", "ari"):
        scores[metric] = evaluate(
            part, {"it": find_learner("kmeans:restarts=5")}, [task], episodes=100, metric=find_metric(metric)
        ).rows[0]
    assert rows[0].number > 0.9
    assert scores["clustering"].number > 0.9
    assert not scores["clustering"].per_query
    assert scores["ari"].number < scores["nmi"].number < 1


def test_what_stands_behind_a_clusterer_gets_prototypes() -> None:
    assert reference_of("kmeans") == "prototypes"
    assert reference_of("kmeans:restarts=3@prototypes@omniglot-lake") == "prototypes@prototypes@omniglot-lake"
    assert reference_of("sinkhorn@mine.py:encode") == "prototypes@mine.py:encode"


def test_the_command_says_it_all(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    glyphs = "glyphs:alphabets=10,characters=10,drawers=8/parents/novel"
    words = ["cscc", glyphs, "--recipe", "28", "--way", "3", "--shot", "2", "--query", "3", "--episodes", "40"]
    assert main([*words, "--learner", "sinkhorn@prototypes@omniglot-lake", "--recipe", "omniglot-eval"]) == 0
    out = capsys.readouterr().out
    assert "cscc" in out
    assert "prototypes@prototypes@omniglot-lake" in out
    assert "As published: of a ratio, as if both of its accuracies erred independently." in " ".join(out.split())
    assert main([*words, "--json", "--out", str(tmp_path / "kept")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [(row["learner"], row["metric"]) for row in told["rows"]] == [
        ("sinkhorn", "cscc"),
        ("sinkhorn", "accuracy"),
        ("prototypes", "accuracy"),
    ]
    assert main(["compare", str(tmp_path / "kept")]) == 0


def test_bad_input_gets_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    glyphs = "glyphs:alphabets=10,characters=10,drawers=8/parents/novel"
    (tmp_path / "mine.py").write_text(ENCODER)
    cases = {
        ("cscc", glyphs, "--learner", "prototypes"): "prototypes needs labels, and clusters are asked for: choose a "
        "clusterer, such as kmeans, sinkhorn or centroid",
        (
            "evaluate",
            glyphs,
            "--learner",
            "ridge",
            "--metric",
            "clustering",
        ): "ridge needs labels, and clusters are asked for: choose a clusterer, such as kmeans, sinkhorn or centroid",
        ("cscc", glyphs, "--learner", "kmeans", "sinkhorn", "kmeans", "--against", "prototypes", "ridge"): "2 learners "
        "stand against 3 clusterers: give one, or one for each",
        (
            "cscc",
            glyphs,
            "--recipe",
            "28",
            "--learner",
            "kmeans",
            "--against",
            "prototypes@prototypes@omniglot-vinyals",
        ): "the "
        "backbone of kmeans is none: the images or features themselves, that of prototypes@prototypes@omniglot-vinyals is "
        "conv4 on 1 x 28 x 28: a ratio of their accuracies would be one of networks, so take --against prototypes",
    }
    for words, wanted in cases.items():
        assert main(list(words)) == 2
        assert capsys.readouterr().err == f"fairshot: {wanted}\n"


def test_clusters_need_no_queries_and_answers_do(part: Source, tmp_path: Path) -> None:
    task, kmeans = Uniform(way=4, shot=12, query=0), find_learner("kmeans")
    both = {"kmeans": kmeans, "sinkhorn": find_learner("sinkhorn")}
    found = evaluate(part, both, [task], episodes=20, metric=find_metric("clustering"), out=tmp_path).rows[0]
    assert 0.5 < found.number <= 1
    assert compare([tmp_path])[0].first == "kmeans"
    with pytest.raises(FairshotError, match="none can be unbalanced or unknown"):
        Uniform(query=0, unknown=2)
    with pytest.raises(FairshotError, match="accuracy needs queries, and 4-way 12-shot 0-query has none"):
        evaluate(part, {"kmeans": kmeans}, [task], episodes=4)
    with pytest.raises(FairshotError, match="a check needs queries"):
        check(kmeans, part, task=task)
    with pytest.raises(FairshotError, match="a diagnosis needs queries"):
        diagnose(part, kmeans, task)
