"""Sentences made of numbers never contradict them, whatever the numbers are: signs, ties, zeros, one of a thing."""

import io
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from fairshot.audits.findings import (
    Accuracies,
    Audit,
    AuditedData,
    ClassSummary,
    Distribution,
    Duel,
    Precision,
    Question,
)
from fairshot.checks.finding import Finding
from fairshot.checks.report import CheckReport
from fairshot.learners.training.plan import Plan
from fairshot.learners.training.record import Record
from fairshot.prediction.predictions import Expected, Prediction, Predictions
from fairshot.reports.checks import conclusion
from fairshot.reports.evaluations import evaluation_tables
from fairshot.reports.training import TrainingReport
from fairshot.results.schema import Result, Row, SourceName
from fairshot.statistics.comparison import Comparison
from fairshot.statistics.per_class import Rates
from fairshot.tables.quantities import show_quantity
from fairshot.tables.render import to_text
from fairshot.tables.table import Quantity, Unit
from fairshot.tables.words import count_of, listed, plain, signed
from tests.reports.test_diagnosis import make_diagnosis

NEVER = r"[+-]0(\.0+)?(?![\d.])|\bnan\b|\binf\b|\bNone\b|\b1 (shot|class(es)?|image|episode|quer(y|ies)|check|set|tuple)s\b|\b1 classes\b"
shares = st.one_of(st.sampled_from([0.0, 1.0, 0.5, 1e-9, 1 - 1e-9]), st.floats(0, 1))


def never(text: str) -> None:
    found = re.search(NEVER, text)
    assert found is None, f"{found} in {text}"


def shown(render: Callable[[Console], None]) -> str:
    console = Console(file=io.StringIO(), width=200)
    render(console)
    return console.file.getvalue()


@given(st.floats(-1e6, 1e6), st.integers(0, 3))
def test_numbers_have_a_sign_only_where_something_is_left(value: float, digits: int) -> None:
    told, bare = signed(value, digits), plain(value, digits)
    assert float(told) == float(bare) == pytest.approx(value, abs=0.51 * 10**-digits)
    assert (told[0] in "+-") == (float(told) != 0)
    assert bare.startswith("-") == (float(bare) < 0)
    assert told.startswith("+") == (float(told) > 0)


def test_one_of_a_thing_and_many() -> None:
    assert [count_of(number, "class") for number in (0, 1, 1000)] == ["0 classes", "1 class", "1,000 classes"]
    assert [count_of(number, "shot") for number in (1, 2)] == ["1 shot", "2 shots"]
    assert [listed(list(names)) for names in ("a", "ab", "abc")] == ["a", "a and b", "a, b and c"]


def row(value: float, half: float | None = None, **changed: object) -> Row:
    ends = None if half is None else (value - half, value + half)
    made = Row(
        learner="mine",
        task="5-way",
        part="birds",
        metric="accuracy",
        episodes=1,
        episodes_key="k",
        value=value,
        intervals={"episodes": ends, "classes": ends},
    )
    return made.model_copy(update=changed)


def audit_of(mean: Row, within: Row | None, consistency: Row | None = None, one_point: int | None = None) -> Audit:
    distribution = Distribution(kind="out", why="so it is", base_tuples=None, own_tuples=1.0)
    return Audit(
        data=AuditedData(part="birds", recipe="84", images=1, classes=1, parents=1, distribution=distribution),
        question=Question(learner="mine", rival="other", task="5-way", episodes=1),
        accuracy=Accuracies(mean=mean, within=within, consistency=consistency),
        duel=Duel(
            comparison=Comparison(
                first="mine", second="other", task="5-way", value=0.1, improvement=0.5, differences={}, units={}
            ),
            flips={"1": None},
        ),
        classes=ClassSummary(
            curve=(Precision(units=10, mean=0.1, difference=None),), one_point=one_point, counted=1, hardest=()
        ),
        findings=(),
    )


def sentences(found: Audit) -> list[str]:
    """The verdict, sentence by sentence."""
    return found.verdict.splitlines()


@given(shares, shares, st.sampled_from([None, 0.0, 1e-9, 0.01, 0.3]))
def test_an_audit_calls_classes_of_one_parent_harder_only_if_they_are(
    mean: float, within: float, half: float | None
) -> None:
    found = audit_of(row(mean, half), row(within, half))
    text = sentences(found)[2]
    reach = None if half is None else half * 2**0.5
    gap, told = mean - within, float(f"{100 * abs(mean - within):.1f}")
    clear = reach is not None and abs(gap) > reach * (1 + 1e-6) and told > 0
    unclear = reach is None or abs(gap) < reach * (1 - 1e-6) or told == 0
    if clear:
        assert ("cost" in text, "easier" in text) == (gap > 0, gap < 0), text
        assert f"{told:.1f} points" in text
    if unclear:
        assert text.startswith("Classes of one parent are not clearly harder or easier than any ("), text
    written = found.to_text(width=200)
    line = next(line for line in written.splitlines() if "within one parent" in line)
    change = re.search(r": ([+-]?[\d.]+) points", line)
    assert change is not None, line
    assert float(change[1]) == pytest.approx(100 * (within - mean), abs=0.051), (
        "from any classes to those of one parent"
    )
    never(written)
    assert "intervals: ." not in written
    assert float(line.rpartition("errors ")[2].split()[0]) < 1e12 if "times as many" in line else True


def test_an_audit_by_hand() -> None:
    harder = audit_of(row(0.95, 0.01), row(0.8, 0.01))
    assert sentences(harder)[2] == "Classes of one parent cost 15.0 points that unstructured episodes hide."
    easier = audit_of(row(0.8, 0.01), row(0.95, 0.01))
    assert sentences(easier)[2] == "Classes of one parent are 15.0 points easier than any."
    perfect = audit_of(row(1.0, 0.01), row(0.9, 0.01))
    text = perfect.to_text(width=1000)
    assert "100.0% for any classes, 90.0% within one parent (89.0–91.0): -10.0 points, from no errors." in text


@given(st.sampled_from([0.0, 1e-6, 0.004, 0.1]), st.sampled_from([0.0, 1e-6, 0.004, 0.1]))
def test_an_audit_says_that_papers_promise_too_much_only_if_they_do(wide: float, usual: float) -> None:
    both = row(0.5).model_copy(
        update={"intervals": {"classes": (0.5 - wide, 0.5 + wide), "episodes": (0.5 - usual, 0.5 + usual)}}
    )
    assert ("not to the" in sentences(audit_of(both, None))[1]) == (wide > usual)


@given(st.floats(0, 1.5))
def test_what_is_left_without_labels_is_no_more_than_all(share: float) -> None:
    text = sentences(audit_of(row(0.5), None, row(share)))[2]
    assert ("is left without labels" in text) == (share <= 1)
    assert ("no worse than the labels" in text) == (share > 1)
    told = [int(number) for number in re.findall(r"(\d+)% of the accuracy", text)]
    assert all(number <= 100 for number in told)


def test_an_audit_of_classes_that_do_not_differ_promises_nothing() -> None:
    text = audit_of(row(0.5, 0.1), None, one_point=0).to_text(width=1000)
    assert "Classes do not differ beyond noise here, so how many one point takes cannot be estimated." in text
    assert audit_of(row(0.5, 0.1), None, one_point=0).advice == ()
    one = audit_of(row(0.5, 0.1), None, one_point=1).to_text(width=1000)
    assert "One point takes about 1 class; there are 1." in one


@given(st.floats(-1, 1), st.floats(-1, 50), st.integers(0, 2), shares, shares)
def test_a_diagnosis_has_no_signs_of_nothing(
    silhouette: float, hubness: float, number: int, deviation: float, noise: float
) -> None:
    base = make_diagnosis()
    lone = replace(
        base.geometry, silhouette=silhouette, hubness=hubness, largest_hub=number, images=number, classes=number
    )
    classes = Rates(base.classes.rows, deviation, noise)
    question = replace(base.question, episodes=number)
    text = replace(base, geometry=lone, classes=classes, question=question).to_text()
    never(text)
    alike = f"{100 * deviation:.1f}" == "0.0"
    assert ("Classes do not differ beyond noise." in text) == alike
    assert ("Beyond noise, classes differ by" in text) == (not alike)


OUTCOMES = st.lists(st.sampled_from(["ok", "warning", "leak", "not applicable"]), max_size=5)


@given(OUTCOMES, OUTCOMES)
def test_a_check_that_could_not_be_applied_found_nothing(learner: list[str], data: list[str]) -> None:
    findings = [
        Finding(f"{about}{number}", about, outcome, "seen")
        for about, outcomes in (("learner", learner), ("data", data))
        for number, outcome in enumerate(outcomes)
    ]
    source = SourceName(name="birds", fingerprint="f", recipe="84")
    report = CheckReport(findings=tuple(findings), learner="mine", source=source, task="5-way", episodes=1)
    text, every = conclusion(findings), [*learner, *data]
    assert report.to_text(width=1000).splitlines()[0] == report.summary() == text, "the answer comes first"
    assert bool(report) == report.passed == ("leak" not in every)
    assert (len(report.leaks), len(report.warnings)) == (every.count("leak"), every.count("warning"))
    never(text)
    assert ("No leak found" in text) == ("leak" not in every)
    for about, outcomes in (("learner", learner), ("data", data)):
        assert (f"The {about} leaks" in text) == ("leak" in outcomes)
    assert ("Worth a look" in text) == ("warning" in every)
    if "leak" not in every:
        left = every.count("not applicable")
        assert f"No leak found by {count_of(len(every) - left, 'check')}" in text
        assert ("could not be applied" in text) == (left > 0)


@given(st.integers(2, 40).flatmap(lambda images: st.tuples(st.integers(0, images), st.just(images))))
def test_what_to_expect_of_predictions_is_what_was_tried(tried: tuple[int, int]) -> None:
    right, images = tried
    known = Expected(right, images, right / images, 0.0, 1.0)
    one = Prediction("a.png", "x", 0.5, "y", 0.5, False, None)
    found = Predictions(
        rows=(one,),
        learner="mine",
        support="given",
        classes=("x", "y"),
        shots=(1, 2),
        recipe=None,
        expected=known,
        temperature=1.0,
    )
    text = found.to_text(width=1000)
    never(text)
    assert f"{right} of {images} support images" in text
    assert ("a little better" in text) == (right < images), "nothing is better than all"


@pytest.mark.parametrize(
    ("accuracy", "told"), [("0.5", ", accuracy 50.0%; "), ("", "; "), ("0.0", ", accuracy 0.0%; ")]
)
def test_a_training_tells_no_accuracy_that_nobody_measured(
    accuracy: str, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "log.csv").write_text(f"epoch,loss,accuracy,val_accuracy,seconds\n1,2.5,{accuracy},,60\n")
    record = Record(
        learner="simclr",
        settings={},
        plan=Plan(),
        preset="laptop",
        source="birds/base",
        recipe="84",
        shape=(1, 28),
        classes=5,
        seed=0,
        epoch=1,
    )
    print(TrainingReport(record, tmp_path, "fairshot evaluate"))
    assert f"Epoch 1 of 1: loss 2.500{told}1.0 minutes in all." in capsys.readouterr().out


@given(st.floats(-1, 2), st.sampled_from([None, 0.0, 1e-9, 0.2]), st.sampled_from(["points", ""]))
def test_differences_of_samples_have_the_sign_of_the_number(value: float, half: float | None, unit: Unit) -> None:
    low, high = (None, None) if half is None else (value - half, value + half)
    text = show_quantity(Quantity(value=value, unit=unit, low=low, high=high, signed=True))
    never(text)
    number = re.match(r"[+-]?[\d.,]+", text)
    assert number is not None
    assert float(number[0].replace(",", "")) * value >= 0


@given(st.floats(-1, 1.5), st.sampled_from([None, 0.0, 1e-9, 0.2]))
def test_tables_of_results_have_no_signs_of_nothing(value: float, half: float | None) -> None:
    result = Result(
        seed=0,
        source=SourceName(name="birds", fingerprint="f", recipe="84"),
        episodes_key="k",
        rows=[row(value, half, metric="cscc")],
    )
    never(to_text(evaluation_tables(result)))
