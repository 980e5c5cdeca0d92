"""Evaluations as tables."""

from fairshot.reports.evaluations import evaluation_tables
from fairshot.results.schema import Result, Row, SourceName
from fairshot.tables.render import to_text


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
    return to_text(evaluation_tables(result), width=400)


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
    where = ["1,500", "episodes", "of", "birds/novel", "(recipe", "84)"]
    row = ["50.00", "[40.0,", "60.0]", "[49.0,", "51.0]"]
    assert [line for line in lines if line[0] in ("one,", "two,", "a", "b")] == [
        ["one,", *where],
        ["a", *row],
        ["b", *row],
        ["two,", *where],
        ["a", *row],
        ["b", *row],
    ]
    assert "New classes: other classes of this kind, images too. Usual CI: more episodes of the same images" in text
    assert "Note: two classes were left out." in text
    assert "published" not in text


def test_a_missing_interval_is_a_dash_with_its_reason_below() -> None:
    row = make_row("a", "one", 0.5)
    row = row.model_copy(update={"intervals": {**row.intervals, "images": None}, "notes": ["images: too few"]})
    text = rendered(make_result(row))
    assert ["a", "50.00", "-", "[40.0,", "60.0]", "[49.0,", "51.0]"] in [line.split() for line in text.splitlines()]
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
    assert "usual ci" not in text.lower()
    assert ["learner", "accuracy,", "%", "such", "episodes,", "%"] in [line.split() for line in text.splitlines()]
    assert f"95% intervals. {FIXED}" in text
    both = rendered(make_result(fixed, make_row("a", "one", 0.5)))
    assert "Usual CI: more episodes of the same images, which is what papers print. Such episodes: " in both
    ratio = fixed.model_copy(update={"metric": "cscc", "scores": None})
    assert "usual ci" not in rendered(make_result(fixed, ratio)).lower(), (
        "a ratio on the same list has no sampler either"
    )


def test_a_reason_that_a_ratio_shares_with_its_accuracy_is_given_once() -> None:
    accuracy = make_row("a", "one", 0.5).model_copy(update={"notes": ["classes: 60 episodes are not enough"]})
    ratio = accuracy.model_copy(update={"metric": "cscc", "scores": None})
    assert rendered(make_result(ratio, accuracy)).count("no interval for classes: 60 episodes are not enough") == 1


def test_stars_on_different_populations_are_explained() -> None:
    usual = make_row("a", "one", 0.5).model_copy(update={"headline": "episodes"})
    classes = make_row("b", "one", 0.6).model_copy(update={"headline": "classes"})
    elsewhere = make_row("b", "two", 0.6).model_copy(update={"headline": "classes"})
    told = "Stars stand on different populations: in each row on the widest one that its answers allow."
    assert told in rendered(make_result(usual, classes))
    assert told not in rendered(
        make_result(classes, make_row("c", "one", 0.7).model_copy(update={"headline": "classes"}))
    )
    assert told not in rendered(make_result(usual, elsewhere)), "each table is consistent in itself"


def test_an_interval_without_width_is_not_one_to_quote() -> None:
    ends = {"episodes": (0.0, 0.0), "classes": None}
    alike = make_row("a", "one", 0.0).model_copy(update={"headline": "episodes", "intervals": ends})
    text = rendered(make_result(alike))
    assert "[0.0, 0.0]*" not in text
    assert (
        "a, one: no interval is to be quoted, because all 1,500 episodes score 0.0%: how much others vary is not known."
    ) in text
    sums = alike.model_copy(update={"intervals": {**ends, "episodes": (0.2 - 1e-17, 0.2 + 1e-16)}, "value": 0.2})
    assert "[20.0, 20.0]*" not in rendered(make_result(sums)), "equal scores, but for the rounding of their mean"
    varied = alike.model_copy(update={"intervals": {**ends, "episodes": (0.0, 0.1)}})
    assert "[0.0, 10.0]*" in rendered(make_result(varied))
    assert "no interval is to be quoted" not in rendered(make_result(varied))
