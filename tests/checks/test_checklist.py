"""The verb `check` takes objects or specs, and what it gives is a report that can be asked, indexed and saved."""

import json
from pathlib import Path

import numpy as np
import pytest

import fairshot as fs
from fairshot.checks.checklist import check
from fairshot.checks.report import CheckReport
from fairshot.cli.main import main
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.runtime.errors import FairshotError
from tests.checks.test_learner_leaks import HiddenTransduction
from tests.checks.worlds import make_images, make_source, make_split

IMAGES = make_images()


@pytest.fixture(scope="module")
def report() -> CheckReport:
    return check({"mine": HiddenTransduction()}, make_source(IMAGES), episodes=2)


def test_a_report_is_false_if_there_is_a_leak(report: CheckReport) -> None:
    assert not report
    assert not report.passed
    assert [finding.check for finding in report.leaks] == ["one_query"]
    assert report["one_query"] in report.leaks
    assert report[0] == next(iter(report))
    assert report[:2] == report.findings[:2]
    assert report.learner == "mine"
    with pytest.raises(FairshotError, match=r"^unknown check 'one_quer': did you mean 'one_query'\?$"):
        report["one_quer"]


def test_the_conclusion_is_the_first_line_and_tables_fit_80_columns(report: CheckReport) -> None:
    lines = str(report).splitlines()
    assert lines[0] == report.summary() == "The learner leaks (one_query): its numbers cannot be trusted."
    assert lines[1].startswith("mine on drawings, 5-way 1-shot 11-query, 2 episodes (drawings is too small for")
    assert max(len(line) for line in lines[3:]) <= 80
    assert report.to_frame().shape == (len(report), 4)
    assert report.to_markdown().count("| `one_query` | learner | LEAK |") == 1


def test_a_report_is_saved_in_the_form_that_the_ending_names(report: CheckReport, tmp_path: Path) -> None:
    assert json.loads(report.save(tmp_path / "a.json").read_text())["leaks"] == 1
    assert "<table" in report.save(tmp_path / "a.html").read_text()
    assert report.save(tmp_path / "a.txt").read_text() == str(report)


def test_arrays_sources_splits_and_specs_give_the_same(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flat, labels = IMAGES.reshape(-1, *IMAGES.shape[2:]), np.repeat(np.arange(len(IMAGES)), IMAGES.shape[1])
    np.savez(tmp_path / "array.npz", X=flat, y=labels)
    what = f"array:{tmp_path / 'array.npz'}"
    usual = fs.check("prototypes", on=(flat, labels), query=3, episodes=2)
    assert fs.check({"prototypes": Prototypes()}, on=what, query=3, episodes=2) == usual
    assert main(["check", "prototypes", "--on", what, "--query", "3", "--episodes", "2", "--json"]) == 0
    assert {**json.loads(capsys.readouterr().out), "command": []} == json.loads(usual.to_json())


def test_a_split_brings_its_other_parts() -> None:
    split = make_split(make_source(IMAGES))
    whole, part = (
        fs.check("prototypes", split, episodes=2),
        fs.check("prototypes", split.novel, split=split, episodes=2),
    )
    assert whole == part
    assert whole["parts"].outcome == "ok"
