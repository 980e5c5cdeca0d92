"""What a person sees."""

import io
import itertools
import time

import pytest
from rich.console import Console

from fairshot.reports import progress as module
from fairshot.reports.comparisons import render_comparisons
from fairshot.reports.progress import progress_bar
from fairshot.reports.sides import render_sides
from fairshot.reports.terminal import render_result
from fairshot.results.schema import Result, Row, SourceName
from fairshot.statistics.comparison import Comparison, Difference
from fairshot.statistics.estimate import Estimate


def make_row(learner: str, task: str, value: float, published: float | None = None) -> Row:
    return Row(
        learner=learner,
        task=task,
        part="birds/novel",
        metric="accuracy",
        episodes=1500,
        episodes_key="k",
        value=value,
        intervals={"episodes": (value - 0.01, value + 0.01), "classes": (value - 0.1, value + 0.1)},
        published=published,
    )


def rendered(result: Result) -> str:
    console = Console(file=io.StringIO(), width=80)
    render_result(result, console)
    return console.file.getvalue()


def make_result(*rows: Row) -> Result:
    return Result(
        seed=3,
        source=SourceName(name="birds/novel", fingerprint="f", recipe="84"),
        episodes_key="k",
        rows=list(rows),
        notes=["two classes were left out"],
    )


def test_a_table_for_each_task_explains_itself() -> None:
    text = rendered(make_result(*(make_row(name, task, 0.5) for name in ("a", "b") for task in ("one", "two"))))
    lines = [line.split() for line in text.splitlines() if line.strip()]
    assert lines[0] == ["birds/novel,", "recipe", "84,", "in", "percent"]
    assert [line for line in lines if line[0] in ("one,", "two,", "a", "b")] == [
        ["one,", "1,500", "episodes"],
        ["a", "50.00", "40.0–60.0", "49.0–51.0"],
        ["b", "50.00", "40.0–60.0", "49.0–51.0"],
        ["two,", "1,500", "episodes"],
        ["a", "50.00", "40.0–60.0", "49.0–51.0"],
        ["b", "50.00", "40.0–60.0", "49.0–51.0"],
    ]
    assert "New classes: other classes of this kind, images too. Sampler: more episodes of the same images" in text
    assert "Note: two classes were left out." in text
    assert "published" not in text


def test_a_missing_interval_is_a_dash_with_its_reason_below() -> None:
    row = make_row("a", "one", 0.5)
    row = row.model_copy(update={"intervals": {**row.intervals, "images": None}, "notes": ["images: too few"]})
    text = rendered(make_result(row))
    assert ["a", "50.00", "-", "40.0–60.0", "49.0–51.0"] in [line.split() for line in text.splitlines()]
    assert "a, one: no interval for images: too few." in text


def test_published_numbers_get_a_column_when_there_are_any() -> None:
    text = rendered(make_result(make_row("a", "one", 0.5, published=0.55), make_row("b", "one", 0.25)))
    assert "published" in text
    assert "55.0" in text


FIXED = (
    "Such episodes: others made like those of this fixed list, judged by how much these differ among themselves; the "
    "list has no more."
)


def test_a_fixed_list_of_episodes_is_not_said_to_have_more() -> None:
    fixed = make_row("a", "Lake's 20 runs", 0.5)
    only = {"scores": [0.4, 0.6], "intervals": {"episodes": (0.4, 0.6)}, "episodes": 2}
    fixed = fixed.model_copy(update=only)
    text = rendered(make_result(fixed))
    assert "more episodes of the same images" not in text
    assert "sampler" not in text.lower()
    assert ["learner", "accuracy", "such", "episodes"] in [line.split() for line in text.splitlines()]
    assert f"95% intervals. {FIXED}" in text
    both = rendered(make_result(fixed, make_row("a", "one", 0.5)))
    assert "Sampler: more episodes of the same images, which is what papers print. Such episodes: " in both
    ratio = fixed.model_copy(update={"metric": "cscc", "scores": None})
    assert "sampler" not in rendered(make_result(fixed, ratio)).lower(), (
        "a ratio on the same list has no sampler either"
    )


def test_beside_two_kinds_of_episodes_a_fixed_list_is_told_apart() -> None:
    within = make_row("a", "within-parent 5-way", 0.5).model_copy(update={"counterpart": "5-way"})
    rows = [make_row("a", "5-way", 0.5), within]
    fixed = make_row("a", "Lake's 20 runs", 0.5).model_copy(update={"scores": [0.4, 0.6]})
    texts = []
    for extra in (fixed, make_row("a", "closed 5-way", 0.5)):
        console = Console(file=io.StringIO(), width=80)
        render_sides(make_result(*rows, extra), console)
        texts.append(console.file.getvalue())
    assert FIXED in texts[0]
    assert ["learner", "episodes", "of", "accuracy", "such", "episodes"] in [
        line.split() for line in texts[0].splitlines()
    ]
    assert "Such episodes" not in texts[1]
    assert ["learner", "episodes", "of", "accuracy", "sampler"] in [line.split() for line in texts[1].splitlines()]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("patience", "shown"), [(0.0, True), (60.0, False)])
def test_progress_appears_late_on_standard_error_with_a_running_estimate(
    patience: float, shown: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    screen = Terminal()
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(module, "PATIENCE", patience)
    monkeypatch.setenv("TERM", "xterm")
    with progress_bar() as report:
        report("prototypes, 5-way", 512, 1024, 0.637)
        time.sleep(0.2)
    assert ("63.7%" in screen.getvalue()) == shown
    assert capsys.readouterr().out == ""


def make_comparison(first: str, second: str, value: float, p_value: float | None) -> Comparison:
    reason = "" if p_value is not None else "too few episodes"
    ends = (value - 0.01, value + 0.01) if p_value is not None else (None, None)
    estimate = Estimate(value, *ends, 0.95, "pairs, t", "classes", reason)
    difference = Difference(estimate, p_value, 0.02 if p_value is not None else None, 2.5)
    return Comparison(first, second, "one", value, 0.5, {"classes": difference}, {"classes": 40, "episodes": 100})


def shown(comparisons: list[Comparison], *, pairs: bool = False) -> str:
    console = Console(file=io.StringIO(), width=100)
    render_comparisons(comparisons, console, pairs=pairs)
    return console.file.getvalue()


def test_many_learners_are_a_matrix_whose_stars_survive_holm() -> None:
    values = {"a": 0.9, "b": 0.8, "c": 0.795, "[d]": 0.5}
    p_values = {("a", "b"): 0.001, ("a", "c"): 0.03, ("b", "c"): 0.9}
    pairs = [
        make_comparison(one, two, values[one] - values[two], p_values.get((one, two), None if two == "[d]" else 1.0))
        for one, two in itertools.combinations(values, 2)
    ]
    lines = [line.split() for line in shown(pairs).splitlines() if line.strip()]
    assert lines[3] == ["1", "a", "+10.0*", "+10.5", "+40.0?"]
    assert lines[6] == ["4", "[d]", "-40.0?", "-30.0?", "-29.5?"]
    assert "at p < 0.05 after Holm" in shown(pairs)
    assert "to tell them apart" not in shown(pairs)
    assert shown(pairs, pairs=True).count("to tell them apart") == 6


def test_few_learners_are_pairs_that_say_what_it_would_take() -> None:
    text = shown([make_comparison("a", "b", 0.005, 0.4)])
    assert "100 classes, now 40" in text
