"""The verb compare: only what was answered on the same episodes."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from fairshot.cli.main import main
from fairshot.evaluation.compare import compare
from fairshot.evaluation.evaluate import evaluate
from fairshot.metrics.error import Error
from fairshot.results import folder
from fairshot.results.evaluation import Evaluation
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.statistics.answers import like
from fairshot.tasks.uniform import Uniform
from tests.conftest import make_vectors

TASK = Uniform(way=5, shot=2, query=6)


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    root, source = tmp_path_factory.mktemp("compare"), make_vectors(spread=1.8)
    for name, learner, settings in (
        ("a", "prototypes", {}),
        ("b", "neighbours", {}),
        ("seeded", "prototypes", {"seed": 1}),
        ("errors", "ridge", {"metric": Error()}),
    ):
        evaluate(source, {learner: find_learner(learner)}, [TASK], episodes=8000, out=root / name, **settings)
    evaluate(
        source, {"neighbours": find_learner("neighbours")}, [TASK], episodes=8000, metric=Error(), out=root / "errors"
    )
    return {path.name: path for path in root.iterdir()}


def test_two_learners_are_compared_episode_by_episode(folders: dict[str, Path]) -> None:
    (comparison,) = compare([folders["a"], folders["b"]])
    values = [json.loads((folders[name] / "result.json").read_text())["rows"][0]["value"] for name in "ab"]
    assert (comparison.first, comparison.second, comparison.task) == ("prototypes", "neighbours", TASK.label)
    assert comparison.value == pytest.approx(values[0] - values[1])
    for name, difference in comparison.differences.items():
        assert difference.estimate.value == pytest.approx(comparison.value)
        if name != "parents":  # which are four
            assert difference.estimate.low < comparison.value < difference.estimate.high
    assert set(comparison.differences) == {"episodes", "images", "classes", "parents"}
    assert comparison.headline == "classes"


def test_whatever_the_pairs_each_learner_is_loaded_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    learners = {f"ridge {number}": find_learner(f"ridge:strength={number}") for number in range(1, 7)}
    evaluate(make_vectors(spread=1.8), learners, [TASK], episodes=20, out=tmp_path)
    loaded: list[str] = []

    def counted(name: str) -> None:
        load = getattr(folder, name)
        monkeypatch.setattr(folder, name, lambda *given: loaded.append(name) or load(*given))

    counted("load_scores")
    counted("load_episodes")
    assert len(compare(tmp_path)) == 15
    assert loaded.count("load_episodes") <= len(learners)
    assert loaded.count("load_scores") <= 2 * len(learners)  # for the scores, and for the single answers


def test_learners_share_what_they_were_asked(folders: dict[str, Path]) -> None:
    one, other = (
        Evaluation.load(folders[name]).answers(Evaluation.load(folders[name]).rows[0], 50) for name in ("a", "b")
    )
    shared = like(one, other)
    assert shared.query_image is one.query_image
    assert shared.correct is other.correct
    assert shared.way is one.way
    assert like(one, other.first(49)).query_image is not one.query_image


def test_an_error_is_compared_as_an_error(folders: dict[str, Path]) -> None:
    (comparison,) = compare([folders["errors"]])
    assert comparison.differences["classes"].estimate.value == pytest.approx(comparison.value)
    assert (
        comparison.differences["classes"].estimate.low
        < comparison.value
        < comparison.differences["classes"].estimate.high
    )


def test_one_learner_has_nobody_to_be_compared_with(folders: dict[str, Path]) -> None:
    with pytest.raises(FairshotError) as caught:
        compare([folders["a"]])
    assert str(caught.value) == f"{folders['a']} has one learner: give two or more to compare"


@pytest.mark.parametrize("others", [("a", "seeded"), ("a", "errors")])
def test_results_on_other_episodes_are_refused(others: tuple[str, ...], folders: dict[str, Path]) -> None:
    chosen = [folders[name] for name in others]
    if others == ("a", "errors"):
        assert len(compare(chosen)) == 1  # the two errors; never an error with an accuracy
        return
    with pytest.raises(FairshotError) as caught:
        compare(chosen)
    assert str(caught.value) == (
        f"no two of the {len(others)} rows in {', '.join(map(str, chosen))} are on the same episodes: evaluate both "
        "learners on the same part and tasks, with the same seed and metric"
    )


def test_the_command_prints_tables_or_json_without_torch(
    folders: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", str(folders["a"]), str(folders["b"]), "--json"]) == 0
    row = json.loads(capsys.readouterr().out)["rows"][0]
    assert row["differences"]["classes"]["p_value"] < 1
    assert main(["compare", str(folders["a"]), str(folders["b"])]) == 0
    assert "new classes" in capsys.readouterr().out
    code = f"import sys, fairshot.cli.main; assert fairshot.cli.main.main(['compare', {str(folders['a'])!r}, {str(folders['b'])!r}]) == 0; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_a_folder_without_a_result_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(tmp_path / "nothing")]) == 2
    assert capsys.readouterr().err == (
        f"fairshot: there is no result {tmp_path}/nothing/result.json: make one with 'fairshot evaluate ... --out {tmp_path}/nothing'\n"
    )


def test_a_paired_test_finds_what_overlapping_intervals_for_fresh_classes_hide(
    omniglot: Source, tmp_path: Path
) -> None:
    names = ("prototypes", "prototypes:metric=cosine")
    drawings = find_part("omniglot/lake/novel", recipe="28")
    learners = {name: find_learner(name) for name in names}
    result = evaluate(drawings, learners, [Uniform(way=5, shot=5, query=5)], episodes=1000, out=tmp_path)
    first, second = (row.intervals["classes"] for row in result.rows)
    assert second[0] < first[0] < second[1] < first[1]  # they overlap
    (comparison,) = compare([tmp_path])
    assert (comparison.first, comparison.second) == names
    assert comparison.value == pytest.approx(result.rows[0].value - result.rows[1].value)
    paired = comparison.differences["classes"]
    assert paired.estimate.low > 0
    assert paired.p_value < 0.001
    # The same classes are hard for both: their difference is known far better than either.
    assert paired.estimate.high - paired.estimate.low < 0.5 * min(first[1] - first[0], second[1] - second[0])


@pytest.mark.parametrize("form", ["markdown", "latex", "csv"])
def test_a_comparison_is_printed_in_every_format_and_written_as_a_page(
    form: str, vectors: Source, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    evaluate(vectors, ["prototypes", "ridge"], query=5, episodes=30, out=tmp_path / "a")
    assert main(["compare", str(tmp_path / "a"), "--format", form, "--report", str(tmp_path / "page.html")]) == 0
    assert "population" in capsys.readouterr().out
    assert "prototypes" in (tmp_path / "page.html").read_text()


def test_a_pair_is_found_by_its_learners_and_its_task_and_all_pairs_become_a_frame(vectors: Source) -> None:
    found = evaluate(vectors, ["prototypes", "ridge", "neighbours"], shot=[1, 2], query=5, episodes=30).compare()
    task = found[0].task
    assert found["ridge", "prototypes", task] is found["prototypes", "ridge", task]
    with pytest.raises(FairshotError, match="say which task of ridge, prototypes is meant: there are 5-way 1-shot"):
        _ = found["ridge", "prototypes"]
    with pytest.raises(FairshotError, match="unknown pair 'ridge, nix'"):
        _ = found["ridge", "nix"]
    with pytest.raises(FairshotError, match="a pair is two learners"):
        _ = found["ridge"]
    frame = found.to_frame()
    assert len(frame) == sum(len(pair.differences) for pair in found)
    assert set(frame["task"]) == {pair.task for pair in found}


def test_no_other_classes_are_refused(vectors: Source, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(vectors, ["prototypes", "ridge"], query=5, episodes=600, out=tmp_path / "a")
    assert main(["compare", str(tmp_path / "a"), "--classes", "0"]) == 2
    assert capsys.readouterr().err == "fairshot: 0 other classes were asked for: ask for at least 1\n"


def test_the_same_evaluation_twice_is_refused(vectors: Source, tmp_path: Path) -> None:
    evaluation = evaluate(vectors, ["prototypes", "ridge"], [TASK], episodes=20, out=tmp_path / "a")
    with pytest.raises(FairshotError, match="the same evaluation is given twice: give it once"):
        compare([evaluation, evaluation])
    with pytest.raises(FairshotError, match="a is given twice: give it once"):
        compare([tmp_path / "a", str(tmp_path / "b" / ".." / "a")])
