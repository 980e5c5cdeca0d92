"""Courses that are scored in results of earlier runs are neither trained nor scored again."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from fairshot.results.schema import SourceName, read_result, write_result
from fairshot.results.study_rows import DistanceResult, SamplePoint, SampleResult
from fairshot.runtime.errors import FairshotError
from fairshot.scoring.critics import Critics
from fairshot.studies.kinds.human_distances import HumanDistances
from fairshot.studies.kinds.plane_tables import training_table
from fairshot.studies.kinds.sample_judge import shorten
from fairshot.studies.kinds.sweep import Axis, Sweep
from fairshot.studies.study import Choice, run, run_study
from tests.studies.kinds.small_generators import BETAS, SWEPT, WHERE

AXIS = Axis("vae_stn", "beta", BETAS, (0, 1))


@pytest.fixture
def file(result: SampleResult, folder: Path) -> Path:
    return folder / "run" / "study.json"


def run_known(study: Any, out: Path, *files: Path, only: tuple[str, ...] = ()) -> tuple[SampleResult, list[str]]:
    notes: list[str] = []
    result = run(study, out=out, choice=Choice(only=only, known=files), note=notes.append).result
    assert isinstance(result, SampleResult)
    return result, notes


def changed_file(file: Path, out: Path, change: Any) -> Path:
    document = json.loads(file.read_text())
    document.pop("checksum")  # it is meant
    change(document)
    out.write_text(json.dumps(document))
    return out


def test_nothing_is_trained_or_scored_that_is_known_and_all_numbers_are_the_same(
    study: Sweep, result: SampleResult, file: Path, tmp_path: Path
) -> None:
    again, notes = run_known(study, tmp_path / "again", file)
    assert notes == ["6 of 6 courses known from earlier results"]
    assert not (tmp_path / "again" / "training").exists()
    assert not list(tmp_path.rglob("scores/**/*.json"))
    assert again.rows == result.rows
    assert again.fits == result.fits
    assert again.training == result.training
    assert again.sheets == result.sheets
    assert {*result.sheets} == {*result.training}
    assert {point.known for point in again.points} == {str(file)}
    assert [point.model_copy(update={"known": ""}) for point in again.points] == result.points
    assert [table for table in again.study_tables if table.title != "Trainings"] == [
        table for table in result.study_tables if table.title != "Trainings"
    ]
    assert {line[-1] for line in training_table(again).rows} == {str(file)}
    third, _ = run_known(study, tmp_path / "third", tmp_path / "again" / "study.json")
    assert third.rows == result.rows, "what was known is known to others"


def test_a_part_of_the_courses_is_of_use_for_the_whole(study: Sweep, result: SampleResult, tmp_path: Path) -> None:
    run_known(study, tmp_path / "part", only=("beta2.0", "seed1"))
    part = tmp_path / "part" / "study.json"
    whole, notes = run_known(study, tmp_path / "whole", part)
    assert notes[:2] == ["4 of 6 courses known from earlier results", "2 of 2 courses to be trained"]
    assert whole.rows == result.rows
    trained = {point.course for point in whole.select(whole.points[0].critic, "vae_stn") if not point.known}
    assert {path.name for path in (tmp_path / "whole" / "training").iterdir()} == trained
    assert {line[0] for line in training_table(whole).rows if not line[-1]} == trained


def test_other_critics_ask_for_a_training(study: Sweep, critics: Critics, file: Path, tmp_path: Path) -> None:
    both = replace(study, critics=(critics, replace(critics, name="others")), models=SWEPT[:1])
    result, notes = run_known(both, tmp_path, file)
    assert notes[:2] == ["0 of 2 courses known from earlier results", "2 of 2 courses to be trained"]
    assert {(point.critic, bool(point.known)) for point in result.points if point.course} == {
        (critics.name, True),
        ("others", False),
    }


def test_distances_to_people_need_no_training(critics: Critics, file: Path, tmp_path: Path) -> None:
    distances = HumanDistances(
        title="How far?",
        paper="nobody",
        models=SWEPT,
        axes=(AXIS,),
        order=("vae_stn",),
        pair=("vae_stn", "neural_statistician"),
        critics=(critics,),
        **WHERE,
    )
    plain = run_study(distances, out=shutil.copytree(file.parent, tmp_path / "plain"))
    known, _ = run_known(distances, tmp_path / "known", file)
    assert not (tmp_path / "known" / "training").exists()
    assert isinstance(known, DistanceResult)
    assert isinstance(plain, DistanceResult)
    assert known.rows == plain.rows
    assert known.best == plain.best
    assert known.class_means(critics.name) == plain.class_means(critics.name)
    assert {point.model for point in known.points if point.by_class} == set(known.best[critics.name])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda d: d.pop("judging"), "does not have the scores of every course class by class, as older results do"),
        (lambda d: first_of(d, "judging").update(times=500), "with times 500, and this run has 6: leave it out of"),
        (lambda d: first_of(d, "judging").update(people="f"), "with people f, and this run has "),
        (lambda d: first_of(d, "judging")["critics"].update(simclr="a"), "with critics a and "),
        (lambda d: first_of(d, "judging").update({"samples a class": 10}), "with samples a class 10, and this run has"),
        (lambda d: first_of(d, "training").update(steps=9), "trained with steps 9, and this run has 2: leave it out"),
        (lambda d: first_of(d, "training").update(preset="laptop"), "trained with preset laptop, and this run has qui"),
        (lambda d: first_of(d, "training").update(split="any"), "trained with split any, and this run has glyphs"),
        (lambda d: d.update(kind="scores"), "is of another kind of study: --known takes results of studies of"),
    ],
)
def test_what_does_not_fit_is_refused(study: Sweep, file: Path, tmp_path: Path, change: Any, message: str) -> None:
    other = changed_file(file, tmp_path / "other.json", change)
    with pytest.raises(FairshotError) as found:
        run_known(study, tmp_path / "out", other)
    assert str(found.value).startswith(f"{other} ")
    assert message in str(found.value)
    assert "\n" not in str(found.value)
    assert not (tmp_path / "out").exists()


def test_a_file_that_is_not_there_is_refused(study: Sweep, tmp_path: Path) -> None:
    with pytest.raises(FairshotError, match=r"^there is no result "):
        run_known(study, tmp_path, tmp_path / "none.json")


def test_what_was_drawn_with_other_settings_is_another_set(study: Sweep, file: Path, tmp_path: Path) -> None:
    def move(document: dict[str, Any]) -> None:
        for point in document["points"]:
            point["sampling"] = {"guidance": 2.0}

    _, notes = run_known(study, tmp_path, changed_file(file, tmp_path / "other.json", move), only=("beta2.0",))
    assert notes[0] == "0 of 2 courses known from earlier results"


def test_forty_courses_by_two_pairs_of_critics_are_not_much_to_keep(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    points = [
        SamplePoint(
            critic=critic,
            model=f"vae_stn, beta {course // 3}",
            generator="vae_stn",
            course=f"vae_stn-quick-beta{course // 3}-seed{course % 3}",
            seed=course % 3,
            values={"diversity": rng.random(), "recognizability": rng.random()},
            by_class={
                "diversity": shorten(rng.uniform(0, 3, 150).tolist()).tolist(),
                "recognizability": (rng.integers(0, 501, 150) / 500).tolist(),
            },
        )
        for critic in ("published", "omniglot")
        for course in range(40)
    ]
    source = SourceName(name="any", fingerprint="f", recipe="diversity")
    result = SampleResult(seed=0, source=source, episodes_key="k", rows=[], points=points)
    write_result(result, tmp_path / "it.json")
    assert (tmp_path / "it.json").stat().st_size < 400_000, "tables and rows come to these"
    assert read_result(tmp_path / "it.json") == result


def first_of(document: dict[str, Any], name: str) -> dict[str, Any]:
    found: dict[str, Any] = next(iter(document[name].values()))
    return found
