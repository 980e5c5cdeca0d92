"""A study of many sources in small: at once, in parts, interrupted, limited; the same each time."""

import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from fairshot.results.schema import read_result
from fairshot.results.source_rows import ManySourcesResult
from fairshot.runtime.errors import FairshotError
from fairshot.specs.registry import find_module
from fairshot.studies.kinds import many_sources
from fairshot.studies.kinds.many_sources import Head, ManySources
from fairshot.studies.kinds.source_findings import Tested as Source  # pytest takes names with Test for its own
from fairshot.studies.kinds.trained_table import Course
from fairshot.studies.study import Choice, run, run_study
from fairshot.tasks.by_source import BySource

FIRST, SECOND = "glyphs:alphabets=5,characters=6,drawers=5/parents", "glyphs:alphabets=6,characters=8/random"
PLAN = "steps=2,epoch=2,recipe=16,images=8,val_episodes=2"
LIMITS = {"most_way": 6, "most_support": 12, "most_queries": 2}
STUDY = ManySources(
    title="many in small",
    paper="nobody",
    name="many_in_small",
    courses={
        "start": Course("baseline", "released-laptop", PLAN, FIRST),
        **{
            f"{learner}-{setting}": Course(learner, "released-laptop", PLAN, split, begin="start")
            for setting, split in (("one", FIRST), ("many", f"{FIRST}+{SECOND}"))
            for learner in ("baseline", "prototypes")
        },
    },
    recipe="16",
    settings=("one", "many"),
    episodes=6,
    small_episodes=4,
    task=BySource(**LIMITS),
    small=BySource(**(LIMITS | {"most_way": 5})),
    heads={
        "k-NN": Head("baseline", "neighbours"),
        "Prototypes": Head("prototypes"),
        "Clusters": Head("prototypes", "sinkhorn"),
        "Slow": Head("baseline", slow=True),
    },
    ranked=("k-NN", "Prototypes", "Slow"),
    ratios=(("Clusters", "Prototypes"),),
    published_ratios={("Clusters (one)", "First"): 0.6},
    sources=(Source("First", f"{FIRST}/novel", True, "glyphs", -1), Source("Far Away", f"{SECOND}/novel", True, "")),
)
CHANGING = {"seconds", "command", "commit", "study_tables"}


def found(result: Any) -> dict[str, Any]:
    """All of a result but how long it took, and where weights lay, which scores are kept by."""
    fields = result.model_dump(exclude=CHANGING)
    fields["training"] = {name: {**about, "seconds": 0} for name, about in result.training.items()}
    fields["rows"] = [{**row, "scores_key": ""} for row in fields["rows"]]
    return fields


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the whole study was run at once."""
    folder = tmp_path_factory.mktemp("at_once")
    run_study(STUDY, out=folder)
    return folder


@pytest.fixture(scope="module")
def at_once(folder: Path) -> ManySourcesResult:
    """Its result, from its file."""
    result = read_result(folder / "study.json")
    assert isinstance(result, ManySourcesResult)
    return result


def test_all_cells_are_there_and_the_file_holds_all(at_once: ManySourcesResult) -> None:
    assert {(row.learner, row.task) for row in at_once.rows} == STUDY.cells
    assert at_once.preset == "released-laptop"
    assert all(row.published == STUDY.published_for(row.learner, row.task, row.metric) for row in at_once.rows)
    assert [row.published for row in at_once.rows if row.metric == "cscc"] == [0.6, None, None, None]
    assert {name: about["steps"] for name, about in at_once.training.items()} == dict.fromkeys(STUDY.courses, 2)
    assert STUDY.tables(at_once) == at_once.study_tables


def test_in_parts_it_gives_the_same(at_once: ManySourcesResult, tmp_path: Path) -> None:
    parts = (("start",), ("prototypes", "baseline-many"), ("baseline-one",), ("far away",))
    results = [run(STUDY, out=tmp_path, choice=Choice(only=words)).result for words in parts]
    assert [result.preset for result in results] == [
        "limited to courses with start",
        "limited to courses with prototypes or baseline-many",
        "limited to courses with baseline-one",
        "limited to trials on Far Away",
    ]
    assert [list(result.training) for result in results[:3]] == [
        ["start"],
        ["start", "prototypes-one", "baseline-many", "prototypes-many"],
        ["start", "baseline-one"],
    ]
    assert not any(result.rows for result in results)
    assert [table.title for table in results[0].study_tables] == ["trainings"]
    assert [path.name for path in (tmp_path / "scores").iterdir()] == ["far-away"]
    assert found(run_study(STUDY, out=tmp_path)) == found(at_once)


def test_interrupted_between_cells_it_goes_on(
    at_once: ManySourcesResult, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also with trainings that were moved."""
    shutil.copytree(folder / "training", tmp_path / "training")
    trained = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("checkpoint.safetensors")}
    assert len(trained) == len(STUDY.courses)
    evaluate, calls = many_sources.evaluate, 0

    def stop_after_three(*arguments: Any, **settings: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 4:
            raise KeyboardInterrupt
        return evaluate(*arguments, **settings)

    monkeypatch.setattr(many_sources, "evaluate", stop_after_three)
    with pytest.raises(KeyboardInterrupt):
        run_study(STUDY, out=tmp_path)
    kept = {path: path.stat().st_mtime_ns for path in tmp_path.glob("scores/*/scores/*")}
    assert len(kept) == 6 + 6 + 6, "three learners of two settings in each of three lists of episodes"
    assert found(run_study(STUDY, out=tmp_path)) == found(at_once)
    for path, written in (trained | kept).items():
        assert path.stat().st_mtime_ns == written, "nothing is trained or answered again"


def test_a_limit_shortens_training_and_trials_and_leaves_the_whole_alone(
    at_once: ManySourcesResult, folder: Path
) -> None:
    limited = run_study(STUDY, limit=1, out=folder)
    assert limited.preset == "limited to 1 episodes"
    assert {about["steps"] for about in limited.training.values()} == {1}
    assert {row.episodes for row in limited.rows if row.metric == "accuracy"} == {1}
    assert found(run_study(STUDY, out=folder)) == found(at_once)


def test_a_source_that_is_missing_is_named_before_anything_is_trained(tmp_path: Path) -> None:
    missing = replace(
        STUDY, sources=(*STUDY.sources, Source("Gone", f"array:{tmp_path}/gone.npz/random/novel", False, ""))
    )
    with pytest.raises(FairshotError, match=r"gone\.npz"):
        run_study(missing, out=tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_what_cannot_be_chosen_is_refused_in_one_line() -> None:
    with pytest.raises(FairshotError, match="unknown course 'other'"):
        STUDY.choose(Choice(only=("other",)))
    with pytest.raises(FairshotError) as caught:
        STUDY.choose(Choice(only=("start", "first")))
    assert str(caught.value) == (
        "First is a source and 'start' is none: choose courses to be trained, or sources to be tried"
    )
    with pytest.raises(FairshotError, match="leave out --critic"):
        STUDY.choose(Choice(critic="omniglot"))


def test_the_study_itself_has_what_was_asked_for() -> None:
    study: ManySources = find_module("studies", "meta_dataset_small").STUDY
    assert len(study.sources) >= 10
    assert sum(not tested.trained for tested in study.sources) >= 4
    assert len(study.ranked) == 6
    assert (study.episodes, study.small_episodes) == (600, 200)
    assert all(tested.lacks for tested in study.sources)
    # PROTOCOLS C36: ILSVRC falls; Omniglot, Aircraft and Quick Draw rise (fungi are not trained on here).
    assert {tested.label: tested.direction for tested in study.sources if tested.direction} == {
        "mini-ImageNet": -1,
        "Omniglot": 1,
        "Aircraft": 1,
        "Quick Draw": 1,
    }
    labels = {tested.label for tested in study.sources}
    assert {label for _, label in study.published} == {label for _, label in study.published_ratios} <= labels
    assert len(study.published) == 50
    assert len(study.published_ratios) == 20
    assert study.published["Prototypes", "Aircraft"] == 0.294
    assert study.published_for("Centroid (all)", "Traffic Signs", "cscc") == 0.455
    budgets = {
        setting: [
            (course.learner, course.preset, course.changes, course.begin)
            for name, course in study.courses.items()
            if name.endswith(f"-{setting}")
        ]
        for setting in study.settings
    }
    assert budgets["mini"] == budgets["all"], "both settings are trained alike and as long"
