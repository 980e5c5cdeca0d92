"""Results of the first schema become results of the second, and every number in them stays."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from fairshot.results.migration import main, migrate
from fairshot.results.schema import parse_result, read_result
from fairshot.results.study_rows import AgreementRow, ChoiceResult, CriticResult, FlipRow, ForecastRow, SnapshotRow
from fairshot.runtime.errors import FairshotError
from fairshot.tables.table import Quantity
from tests.paths import RESULTS


def old_row(learner: str, task: str, value: float | None, **fields: Any) -> dict[str, Any]:
    usual = {
        "learner": learner,
        "task": task,
        "part": "novel",
        "metric": "accuracy",
        "episodes": 10,
        "episodes_key": "k",
    }
    return usual | {"value": value, "intervals": {"episodes": [0.1, 1 / 3], "classes": None}} | fields


def old_document(*rows: dict[str, Any], **fields: Any) -> dict[str, Any]:
    source = {"name": "omniglot", "fingerprint": "f", "recipe": "raw"}
    usual = {"schema": 1, "fairshot": "0.1.0", "command": [], "seed": 3, "source": source, "episodes_key": "k"}
    return usual | {"rows": list(rows), "preset": "paper"} | fields


def facts(title: str, columns: list[str], *rows: list[str], note: str = "") -> dict[str, Any]:
    return {"title": title, "columns": columns, "rows": list(rows), "note": note}


SNAPSHOTS = old_document(
    *(
        old_row(name, f"Omniglot, {part}", value + number / 7, part=part, snapshot=number)
        for name, part, value in (("PN", "NovelGen", 0.3), ("PN", "BaseGen", 0.31))
        for number in (1, 2, 3)
    ),
    facts=[
        facts("Omniglot, PN", ["snapshot", "BaseGen"], ["1", "45.3"]),
        facts(
            "losses",
            ["benchmark", "learner", "rule", "takes snapshot", "the best is", "loses", "loses, cross-fitted"],
            ["Omniglot", "PN", "BaseGen", "1", "3", "28.57", "-0.01"],
        ),
    ],
    training={"pn": {"about": "prototypes on omniglot (recipe raw, conv4, preset laptop with steps=320)"}},
)
CHOICES = old_document(
    *(
        old_row(f"PN, ways: {way}", part, value)
        for way, part, value in (
            ("5", "BaseGen", 0.5612345),
            ("10", "BaseGen", 0.5812345),
            ("5", "NovelGen", 0.5),
            ("10", "NovelGen", 0.45),
        )
    ),
    facts=[
        facts(
            "trades",
            ["variant", "BaseGen", "against the first", "NovelGen", "against the first "],
            ["PN, ways: 5", "56.1", "", "50.0", ""],
            ["PN, ways: 10", "58.1", "+2.0 [-0.9, 2.2] over images", "45.0", "-5.0 [none]"],
        ),
        facts(
            "losses",
            ["choice", "rule", "takes", "the best is", "loses", "loses, cross-fitted"],
            ["PN, ways", "BaseGen", "10", "5", "5.00", "-0.08"],
        ),
    ],
)
FLIPS = old_document(
    old_row(
        "PN and RR",
        "Omniglot, a gap of 0.5, 20 classes",
        0.31,
        part="Omniglot",
        metric="flips",
        better="RR, e6",
        worse="PN, e9",
        gap=0.0047,
        accuracy=0.8,
        base_classes=9,
        all_classes=99,
        novel_classes=20,
        tasks=100,
        exaggerated=0.2,
        deviation=0.01,
        foretold=0.23,
        foretold_elsewhere=0.24,
        intervals={"sets": [0.2, 0.4]},
    ),
    old_row(
        "IC",
        "Omniglot, ordinary, a gap of 1, 100 images a class",
        0.0,
        part="Omniglot, ordinary",
        metric="flips",
        better="SB, e6",
        worse="SB, e9",
        gap=0.01,
        accuracy=0.8,
        base_classes=9,
        all_classes=9,
        novel_classes=None,
        tasks=None,
        exaggerated=0.0,
        deviation=None,
        foretold=None,
        foretold_elsewhere=None,
        intervals={"sets": [0.0, 0.1]},
    ),
)
CRITICS = old_document(
    old_row("maml", "exemplars", 0.9, metric="recognizability", intervals={"parents": [0.8, 0.95]}),
    old_row("maml", "exemplars instead of random ones", 0.03, metric="recognizability", intervals={"parents": None}),
    *(
        old_row("a Eq. 2", "b Eq. 2", value, metric=metric, intervals={"parents": [0.5, 0.9]})
        for metric, value in (("spearman", 0.82), ("pearson", 0.86), ("r_squared", 0.75))
    ),
    facts=[
        facts(
            "Table S2",
            ["one", "other", "ρ", "published ρ", "r", "published r", "R²", "published R²"],
            ["a Eq. 2", "b Eq. 2", "0.82 [0.50, 0.90] (p 3e-08)", "0.85", "0.86 [0.50, 0.90]", "", "0.75", "> 0.44"],
        ),
        facts("recognizability", ["critic", "%"], note="20-way, each class asked for 240 times."),
    ],
    critics={"a": {"fingerprint": "x"}},
    class_names=[str(number) for number in range(30)],
    by_class={"a Eq. 2": [0.5, 0.25]},
)
FORECASTS = old_document(
    old_row("gaps", "0 to 2%", None, metric="forecast", notes=["no trial"], intervals={}),
    old_row(
        "gaps", "2 to 5%", 0.04, metric="forecast", predicted=0.03, verdict="holds", intervals={"trials": [0.0, 0.1]}
    ),
)
SIDES = old_document(
    old_row("a", "5-way 1-shot", 0.5, statistics=2),
    old_row("a", "within-parent 5-way 1-shot", 0.25),
    old_row("a minus b", "5-way 1-shot", -0.1, metric="accuracy, difference"),
)
ALL = [SNAPSHOTS, CHOICES, FLIPS, CRITICS, FORECASTS, SIDES]


def leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    """Everything that is no list and no object, with where it stands."""
    if isinstance(value, dict | list):
        for place, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from leaves(inner, (*path, place))
    else:
        yield path, value


@pytest.mark.parametrize("document", ALL)
def test_every_value_of_rows_and_intervals_stays(document: dict[str, Any], tmp_path: Path) -> None:
    text = json.dumps(document)
    (tmp_path / "result.json").write_text(text)
    assert main([str(tmp_path / "result.json")]) == 0
    assert json.dumps(document) == text, "what was given is left alone"
    written = json.loads((tmp_path / "result.json").read_text())
    assert written["schema"] == 2
    now = dict(leaves(written["rows"]))
    renamed = {"foretold": "predicted", "foretold_elsewhere": "predicted_elsewhere"}
    for path, value in leaves(document["rows"]):
        place = tuple(renamed.get(name, name) for name in path)
        assert now[place] == value, path
    assert "facts" not in written
    assert read_result(tmp_path / "result.json") == parse_result(document)


def test_what_is_of_the_second_schema_stays_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    once = migrate(SIDES)
    assert migrate(once) == once
    path = tmp_path / "result.json"
    path.write_text(json.dumps(SIDES))
    main([str(path)])
    main([str(path)])
    assert capsys.readouterr().out == f"{path}: rewritten\n{path}: as it was\n"
    assert [file.name for file in tmp_path.iterdir()] == ["result.json"]


def test_a_preset_is_what_learners_were_trained_by() -> None:
    assert migrate(SNAPSHOTS)["preset"] == "laptop"
    assert migrate(SIDES)["preset"] == "paper"
    assert migrate(SNAPSHOTS | {"preset": "limited to 3 episodes"})["preset"] == "limited to 3 episodes"
    both = {
        "a": {"about": "x (preset reference)"},
        "b": {"about": "y (preset laptop with a=1)"},
        "c": {"about": "z (preset reference)"},
    }
    assert migrate(SIDES | {"training": both})["preset"] == "reference, laptop"


def test_intervals_of_the_first_version_are_marked_as_such() -> None:
    assert migrate(SIDES)["statistics"] == 1
    assert migrate(SIDES | {"statistics": 2})["statistics"] == 2


def test_labels_are_parsed_once() -> None:
    any_classes, within, difference = parse_result(SIDES).rows
    assert (any_classes.counterpart, within.counterpart) == ("", "5-way 1-shot")
    assert [row.difference for row in (any_classes, within, difference)] == [False, False, True]
    flips = parse_result(FLIPS).rows
    assert all(isinstance(row, FlipRow) for row in flips)
    assert [(row.asked_gap, row.novel_classes, row.images, row.predicted) for row in flips] == [
        (0.005, 20, None, 0.23),
        (0.01, None, 100, None),
    ]
    assert all(isinstance(row, ForecastRow) for row in parse_result(FORECASTS).rows)
    snapshots = parse_result(SNAPSHOTS).rows
    assert {(type(row), row.benchmark) for row in snapshots} == {(SnapshotRow, "Omniglot")}


def test_losses_are_in_full_where_rows_have_them() -> None:
    result = parse_result(SNAPSHOTS)
    assert isinstance(result, ChoiceResult)
    (loss,) = result.losses
    assert (loss.choice, loss.learner, loss.rule, loss.chosen, loss.best) == ("Omniglot", "PN", "BaseGen", "1", "3")
    assert loss.plain == (0.3 + 3 / 7) - (0.3 + 1 / 7)
    assert loss.crossed == -0.0001


def test_differences_are_in_full_and_their_intervals_as_they_were_shown() -> None:
    result = parse_result(CHOICES)
    assert isinstance(result, ChoiceResult)
    on_base, on_novel = result.differences
    assert (on_base.learner, on_base.against, on_base.task) == ("PN, ways: 10", "PN, ways: 5", "BaseGen")
    assert on_base.value == 0.5812345 - 0.5612345
    assert on_base.interval == pytest.approx((-0.009, 0.022))
    assert on_base.population == "images"
    assert (on_novel.interval, on_novel.population) == (None, "")
    assert result.losses[0].plain == 0.5 - 0.45


def test_correlations_get_their_table_p_value_and_bound() -> None:
    result = parse_result(CRITICS)
    assert isinstance(result, CriticResult)
    assert (result.way, result.times) == (20, 240)
    known, gain, rank, line, squared = result.rows
    assert [row.difference for row in (known, gain)] == [False, True]
    assert all(isinstance(row, AgreementRow) and row.table == "Table S2" for row in (rank, line, squared))
    assert f"{rank.p_value:.0e}" == "3e-08"
    assert (line.p_value, rank.published_above, squared.published_above) == (None, None, 0.44)


def test_the_p_value_is_that_of_scipy() -> None:
    from fairshot.results.first_schema import spearman_p

    one, other = [1, 2, 3, 4, 5, 6, 7], [2, 1, 4, 3, 7, 5, 6]
    correlation, p_value = stats.spearmanr(one, other)
    assert spearman_p(correlation, 7) == pytest.approx(p_value)


def test_text_becomes_numbers_as_they_were_shown() -> None:
    table = facts("t", ["a", "b", "c", "d"], ["31 [23, 41]", "-0.30", "3 of 4", ""], note="So.")
    (typed,) = parse_result(old_document(old_row("a", "b", 0.5), facts=[table])).study_tables
    assert typed.rows == [
        [Quantity(value=31, low=23, high=41, digits=0), Quantity(value=-0.3, digits=2), "3 of 4", None]
    ]
    assert typed.notes == ["So."]


def test_a_later_schema_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "result.json").write_text(json.dumps(SIDES | {"schema": 3}))
    with pytest.raises(FairshotError) as caught:
        read_result(tmp_path / "result.json")
    assert str(caught.value) == "a result of schema 3 was given, and this fairshot reads 1 and 2: update fairshot"


def test_without_files_it_is_said_what_to_give(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2
    assert capsys.readouterr().err == "fairshot: no files: name results to rewrite, such as results/*.json\n"


def test_rows_of_kinds_that_nobody_knows_are_kept() -> None:
    row = old_row("a", "b", 0.5, kind="later", more=1)
    again = json.loads(parse_result(old_document(row, schema=2)).json_text())
    assert (again["rows"][0]["kind"], again["rows"][0]["more"]) == ("later", 1)


@pytest.mark.results
@pytest.mark.parametrize("path", sorted(RESULTS.glob("*.json")), ids=lambda path: path.stem)
def test_committed_results_are_of_the_second_schema(path: Path) -> None:
    document = json.loads(path.read_text())
    assert document["schema"] == 2
    again = dict(leaves(json.loads(read_result(path).json_text())))
    assert all(again[place] == value for place, value in leaves(document)), "what is there is read and written again"
