"""In and out of distribution: the studies on a world of drawings small enough for a test."""

import json
from pathlib import Path

import numpy as np
import pytest

from fairshot.learners.features import Features
from fairshot.reports.charts.snapshots import snapshot_chart
from fairshot.results.schema import parse_result
from fairshot.results.study_result import StudyResult
from fairshot.runtime.errors import FairshotError
from fairshot.sources.glyphs.glyphs import load
from fairshot.specs.data import find_split
from fairshot.specs.learners import find_learner
from fairshot.statistics.selection import kendall
from fairshot.studies.kinds.class_set_flips import Classifiers, Rivals, Turns
from fairshot.studies.kinds.rank_table import Column, RankTable
from fairshot.studies.kinds.snapshot_selection import (
    REFERENCE,
    Benchmark,
    Snapshots,
    named_rightly,
    places,
    snapshots_in,
)
from fairshot.studies.kinds.trade_off import Choice, Trades
from fairshot.studies.kinds.trained_table import Course
from fairshot.studies.study import run_study
from fairshot.tasks.per_attribute import PerAttribute
from fairshot.tasks.uniform import Uniform
from tests.panels import panels

WORLD = "glyphs:alphabets=6,characters=8"
SPLIT, DRAWERS = f"{WORLD}/random+6", f"{WORLD}/by-drawer"
PLAN = "recipe=omniglot-eval,way=5,shot=2,query=2,steps=6,epoch=2,val_episodes=2,val_way=3"
TASK = Uniform(way=5, shot=2, query=4)
COURSES = {
    "pn": Course("prototypes", changes=PLAN, split=SPLIT),
    "rr": Course("meta_ridge", changes=PLAN, split=SPLIT),
    "sb": Course("baseline", changes=f"{PLAN},images=20", split=SPLIT),
}


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path / "kept"


def test_learners_are_ranked_on_every_benchmark(kept: Path) -> None:
    drawer = Course(
        "prototypes", changes=f"{PLAN},task=per-attribute:attribute=drawer/way=0/query=0,shot=1", split=DRAWERS
    )
    study = RankTable(
        title="t",
        paper="p",
        name="x",
        learners=("PN", "RR"),
        courses={**COURSES, "drawer": drawer},
        episodes=8,
        columns=(
            Column("base", "in", f"{SPLIT}/base_heldout", TASK, {"PN": "pn", "RR": "rr"}, "omniglot-eval"),
            Column(
                "novel", "out", f"{SPLIT}/novel", TASK, {"PN": "pn", "RR": "rr"}, "omniglot-eval", {"PN": 0.5}, "mini"
            ),
            Column(
                "drawers", "in", f"{DRAWERS}/novel", PerAttribute(way=0, query=0), {"PN": "drawer"}, "omniglot-eval"
            ),
        ),
    )
    result = run_study(study, out=kept)
    assert {(row.learner, row.task) for row in result.rows} == study.cells
    both = [row for row in result.rows if row.task == "novel"]
    assert sorted(row.rank for row in both) == [1, 2]
    assert max(both, key=lambda row: row.number).rank == 1
    assert all(1 <= row.ranks[0] <= row.rank <= row.ranks[1] <= 2 for row in both)
    assert [row.published for row in both] == [0.5, None]
    ranks, accuracies = result.study_tables
    assert [column.name for column in ranks.columns] == ["learner", "base (in)", "novel (out)", "drawers (in)"]
    heads = ["learner", "base (in)", "novel (out)", "published, mini", "drawers (in)"]
    assert [column.name for column in accuracies.columns] == heads
    assert accuracies.rows[1][3:] == [None, None]
    assert [cell.value for cell in ranks.column("novel (out)")] == [row.rank for row in both]
    assert [cell.value for cell in accuracies.column("novel (out)")] == [row.value for row in both]
    assert accuracies.rows[0][3].value == 0.5
    assert result.training["drawer"]["steps"] == 6


def snapshots(**changes) -> Snapshots:
    own = Benchmark("glyphs", SPLIT, TASK, {"PN": "pn", "RR": "rr"}, "sb", recipe="omniglot-eval", **changes)
    return Snapshots(title="t", paper="p", name="x", courses=COURSES, benchmarks=(own,), episodes=10)


def test_every_snapshot_is_judged_on_every_side(kept: Path) -> None:
    study = snapshots()
    result = run_study(study, out=kept)
    assert {(row.learner, row.task) for row in result.rows} == study.cells
    assert len(result.rows) == 3 * (2 * 4 + 2)
    curves = {
        (row.learner, row.task): [r.number for r in result.rows if (r.learner, r.task) == (row.learner, row.task)]
        for row in result.rows
    }
    tables = {table.title: table for table in result.study_tables}
    wanted = kendall(*(np.array(curves["PN", f"glyphs, {name}"]) for name in ("ValGen", "NovelGen")))
    row = next(row for row in tables["agreement"].rows if row[1:3] == ["PN", "ValGen for NovelGen"])
    assert (row[3].value, *row[4:6]) == (wanted.tau, wanted.ties, 3)
    last = next(row for row in tables["losses"].rows if row[1:3] == ["PN", "last"])
    novel = curves["PN", "glyphs, NovelGen"]
    assert last[3] == 3
    assert last[5].value == pytest.approx(max(novel) - novel[-1])
    assert {row[2] for row in tables["losses"].rows if row[1] == REFERENCE} == {"last", "val images"}
    assert [cell.value for cell in tables["glyphs, PN"].column("NovelGen")] == novel
    again = parse_result(json.loads(result.json_text()))
    assert study.tables(again) == result.study_tables == again.study_tables
    drawn = panels(snapshot_chart(result))
    assert list(drawn) == ["glyphs, PN", "glyphs, RR", "glyphs, IC"]
    assert [len({row["curve"] for row in rows}) for rows in drawn.values()] == [4, 4, 2]
    assert [row["y"] for row in drawn["glyphs, PN"] if row["curve"] == "NovelGen"] == novel


def test_fewer_images_of_each_class_can_be_looked_at(kept: Path) -> None:
    source = load(alphabets=2, characters=3)
    kept_images = source.select(places(source, 0) < 6)
    assert set(kept_images.members.counts.tolist()) == {6}
    assert sorted(places(source, 0)[source.class_ids == 4].tolist()) == list(range(20))


def test_only_learners_of_labels_name_classes(kept: Path) -> None:
    split = find_split(WORLD, "random+6", recipe="omniglot-eval")
    with pytest.raises(FairshotError, match="trained on the labels"):
        named_rightly(find_learner("prototypes"), split.base_heldout, split.base)


def test_names_are_those_that_the_linear_layer_gives(kept: Path) -> None:
    run_study(snapshots(), out=kept)
    split = find_split(WORLD, "random+6", recipe="omniglot-eval")
    learner = find_learner(str(snapshots_in(kept / "training" / "sb")[-1]))
    right = named_rightly(learner, split.base, split.base)
    vectors = Features(split.base, learner).embed(np.arange(len(split.base)))
    head = {name: value.numpy() for name, value in learner.model.learned.items()}
    answers = (vectors @ head["weight"].T + head["bias"]).argmax(axis=1)
    assert right.mean() == pytest.approx((split.base.classes[answers] == split.base.class_ids).mean())


def turns(sets: int = 12) -> Turns:
    own = Rivals(
        "glyphs", SPLIT, Uniform(way=3, shot=1, query=3), {"PN": "pn", "RR": "rr"}, (5, 7), recipe="omniglot-eval"
    )
    reference = Classifiers("glyphs as ordinary classification", SPLIT, "sb", images=3, recipe="omniglot-eval")
    return Turns(
        title="t", paper="p", name="x", courses=COURSES, rivals=(own,), reference=reference, sets=sets, tasks=60
    )


def test_novel_parts_are_drawn_and_flips_counted(kept: Path) -> None:
    study = turns()
    result = run_study(study, out=kept)
    assert {(row.learner, row.task) for row in result.rows} == study.cells
    for row in result.rows:
        low, high = row.intervals["sets"]
        assert low <= row.number <= high
        assert row.gap >= 0
        assert 0 <= row.exaggerated <= 1
        assert row.predicted is None or 0 <= row.predicted <= row.predicted_elsewhere <= 0.5
    again = run_study(turns(), out=kept)
    assert [row.value for row in again.rows] == [row.value for row in result.rows]


def test_a_shortened_study_of_flips_trains_less(kept: Path) -> None:
    result = run_study(turns(), limit=3, out=kept)
    assert result.preset == "limited to 3 novel parts"
    assert {row.episodes for row in result.rows} == {3}
    assert result.training["pn"]["steps"] == 3


def test_choices_are_weighed_on_both_sides(kept: Path) -> None:
    study = Trades(
        title="t",
        paper="p",
        name="x",
        split=SPLIT,
        task=TASK,
        recipe="omniglot-eval",
        episodes=20,
        courses={**COURSES, "fixed": Course("prototypes", changes=f"{PLAN},fixed_support=2", split=SPLIT)},
        choices=(Choice("support", {"any": "pn", "fixed": "fixed"}),),
    )
    result = run_study(study, out=kept)
    assert {(row.learner, row.task) for row in result.rows} == study.cells
    values = {(row.learner, row.task): row.number for row in result.rows}
    first, row = result.study_tables[0].rows
    assert row[1].value == values["support: fixed", "BaseGen"]
    assert row[5].value == pytest.approx(values["support: fixed", "NovelGen"] - values["support: any", "NovelGen"])
    assert first[2:4] == [None, None]
    assert [row[1] for row in result.study_tables[1].rows] == ["BaseGen", "ValGen", "support cross-validation"]
    again = parse_result(json.loads(result.json_text()))
    assert study.tables(again) == result.study_tables == again.study_tables


def test_tables_of_a_study_are_shown_and_written(kept: Path) -> None:
    study = turns(3)
    result = run_study(study, out=kept)
    text = StudyResult("t", "p", study.view, result).to_text(width=200)
    assert text.startswith("t (p)")
    assert "flips" in text
    assert "predicted" in text
    written = json.loads(result.json_text())
    assert written["tables"][0]["title"] == "flips"
    assert written["rows"][0]["kind"] == "flips"
    again = parse_result(written)
    assert again == result
    assert study.tables(again) == result.study_tables
