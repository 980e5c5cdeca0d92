"""The verb `audit`: what it says about a benchmark, and that it says so of any."""

import html
import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from fairshot.audits.audit import audit, distribution_of, fitting_task, pixels_for
from fairshot.audits.contestants import find_contestants, has_encoder, on_same_vectors
from fairshot.audits.findings import Audit
from fairshot.audits.precision import Sureness
from fairshot.cli.main import main
from fairshot.evaluation.compare import compare
from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.specs.data import find_split
from fairshot.specs.learners import find_learner
from fairshot.splits.split import Split
from fairshot.statistics.estimate import Spread
from fairshot.tables.markdown import escape
from tests.paths import RESULTS

FIELDS = {
    *"schema fairshot command part recipe images classes parents learner rival task episodes distribution mean within".split(),
    *"consistency comparison flips curve one_point findings worst notes seconds gap verdict advice".split(),
}
WORLD = "glyphs:alphabets=8,characters=12"


@pytest.fixture(scope="module")
def split() -> Split:
    return find_split(WORLD, "parents", recipe="28").hold_out(8)


@pytest.fixture(scope="module")
def found(split: Split) -> Audit:
    return audit(split.novel, split, episodes=600)


def test_classes_apart_are_out_of_distribution_and_images_apart_are_in(split: Split) -> None:
    assert distribution_of(split.novel, split, 5).kind == "out"
    assert distribution_of(split.base_heldout, split, 5).kind == "in"
    assert distribution_of(split.base, split, 5).kind == "none"
    assert distribution_of(split.novel, None, 5).kind == "none"
    drawers = find_split("glyphs:alphabets=6,characters=8", "by-drawer")
    assert distribution_of(drawers.novel, drawers, 5).kind == "in"
    assert "no drawer is in two parts" in distribution_of(drawers.novel, drawers, 5).why


def test_tuples_are_counted_in_order() -> None:
    source = from_arrays(np.zeros((128, 2), dtype=np.float32), np.repeat(np.arange(64), 2))
    assert distribution_of(source, None, 5).own_tuples == 64 * 63 * 62 * 61 * 60


def test_its_numbers_are_those_of_the_other_verbs(found: Audit, split: Split, tmp_path: Path) -> None:
    learners = {name: find_learner(name) for name in ("prototypes", "neighbours")}
    result = evaluate(split.novel, learners, [fitting_task(split.novel)], episodes=600, out=tmp_path)
    assert found.accuracy.mean.intervals == result.rows[0].intervals
    compared = compare([tmp_path])[0]
    assert found.duel.comparison.differences["classes"].forecast == compared.differences["classes"].forecast
    assert found.gap is not None
    assert found.accuracy.within is not None
    assert found.gap == found.accuracy.mean.number - found.accuracy.within.number


def test_more_classes_make_it_surer_and_the_curve_meets_one_point(found: Audit) -> None:
    widths = [point.mean for point in found.classes.curve if point.mean is not None]
    assert widths == sorted(widths, reverse=True)
    flips = [found.duel.flips[gap] for gap in ("0.5", "1", "2")]
    assert flips == sorted(flips, reverse=True)


def half(interval: tuple[float, float] | None) -> float:
    assert interval is not None
    return (interval[1] - interval[0]) / 2


def test_the_curve_at_its_own_size_is_the_interval_that_the_verdict_quotes(found: Audit) -> None:
    mean, comparison = found.accuracy.mean, found.duel.comparison
    population = "parents" if mean.headline == "parents" else "classes"
    (here,) = [point for point in found.classes.curve if point.units == found.classes.counted]
    assert here.population == population
    assert here.mean == pytest.approx(half(mean.intervals[population]), rel=1e-9)
    assert here.difference == pytest.approx(half(comparison.differences[population].estimate.interval), rel=1e-9)
    assert f"accurate to ±{100 * half(mean.quoted):.1f} points for other {population}" in found.verdict
    told = next(line for line in str(found).splitlines() if line.split()[:1] == [f"{here.units}"])
    assert told.split()[1] == f"{100 * half(mean.quoted):.2f}"


def test_twenty_classes_are_as_sure_in_the_text_as_in_the_table() -> None:
    rng = np.random.default_rng(3)
    labels = np.repeat(np.arange(20), 12)
    centres = rng.normal(size=(20, 4)) * rng.uniform(0.2, 2, size=(20, 1))
    found = audit((centres[labels] + rng.normal(size=(240, 4)), labels), episodes=800)
    assert found.accuracy.mean.headline == "classes"
    (here,) = [point for point in found.classes.curve if point.units == 20]
    assert here.mean == pytest.approx(half(found.accuracy.mean.quoted), rel=1e-9)
    assert found.classes.one_point is not None
    assert found.classes.one_point > 20, "an interval of several points is not sure to one"


def test_one_point_is_the_first_size_whose_interval_is_no_wider() -> None:
    spread = Spread(
        value=0.8,
        population="classes",
        variance=4e-4,
        sampling=1e-6,
        noise=4e-5,
        unit_degrees=19.0,
        episodes=5000,
        units=20,
    )
    sure = Sureness(spread, 20, worst=0.2)
    needed = sure.needed()
    assert needed is not None
    widths = [sure.half_width(size) for size in (needed - 1, needed)]
    assert widths[0] is not None
    assert widths[1] is not None
    assert widths[1] <= 0.01 < widths[0]
    assert Sureness(replace(spread, variance=-1e-5), 20).needed() == 0
    assert Sureness(replace(spread, sampling=1e-3), 20).needed() is None, "episodes alone leave more than a point"


def test_turned_classes_count_as_the_originals_they_are_made_of() -> None:
    X, y = vectors()
    found = audit(from_arrays(X, y, made_of=np.arange(12) // 2), episodes=200)
    assert (found.data.classes, found.data.originals, found.classes.counted) == (12, 6, 6)
    assert "12 classes made of 6" in str(found)
    assert "How many original classes would it take?" in str(found)


@pytest.mark.parametrize(
    ("sizes", "asked"), [({"way": 50}, "50-way 4-shot 5-query"), ({"way": 12, "shot": 9}, "12-way 9-shot 1-query")]
)
def test_what_was_asked_for_is_never_made_smaller(sizes: dict[str, int], asked: str) -> None:
    source = from_arrays(*vectors())
    images = 9 if "shot" not in sizes else 10
    count = 12 if "shot" not in sizes else 0
    message = f"{asked} was asked for, and array has {count} classes with {images} images: ask for a smaller task"
    with pytest.raises(FairshotError, match=f"^{re.escape(message)}$"):
        audit(source, **sizes)


def test_it_ends_with_a_verdict_and_what_to_change(found: Audit) -> None:
    sentences = found.verdict.splitlines()
    assert len(sentences) == 3
    assert "out of distribution" in sentences[0]
    assert "that papers print" in sentences[1]
    assert "one parent" in sentences[2]
    assert any("within_parent" in line for line in found.advice)


def test_copies_across_parts_are_told() -> None:
    rng = np.random.default_rng(0)
    features = rng.normal(size=(200, 4)).astype(np.float32)
    features[:3] = features[-3:]  # the first class is base or novel, the last may be on the other side
    source = from_arrays(features, np.repeat(np.arange(20), 10))
    base, novel = (
        source.select_classes(np.arange(10), name="a/base"),
        source.select_classes(np.arange(10, 20), name="a"),
    )
    nothing = source.select(np.zeros(200, dtype=bool), name="a/none")
    found = audit(novel, Split("a", base=base, base_heldout=nothing, val=nothing, novel=novel), episodes=300)
    assert found["parts"].outcome == "leak"
    assert any("parts" in line for line in found.advice)


def test_small_classes_get_smaller_tasks() -> None:
    labels = np.repeat(np.arange(12), 4)
    task = fitting_task(from_arrays(np.zeros((48, 2), dtype=np.float32), labels))
    assert (task.way, task.shot, task.query) == (5, 2, 2)
    with pytest.raises(FairshotError, match="0 classes with two images"):
        fitting_task(from_arrays(np.zeros((3, 2), dtype=np.float32), np.arange(3)))


def test_the_command_speaks_to_people_and_machines(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = np.random.default_rng(1)
    labels = np.repeat(np.arange(15), 9)
    np.savez(tmp_path / "mine.npz", X=rng.normal(size=(15, 5))[labels] + rng.normal(size=(135, 5)), y=labels)
    what = f"array:{tmp_path / 'mine.npz'}"
    assert main(["audit", what, "--episodes", "200"]) == 0
    out = capsys.readouterr().out
    assert "Verdict" in out
    assert "What to change" in out
    assert main(["audit", what, "--episodes", "200", "--json", "--learner", "prototypes", "ridge"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["rival"], told["distribution"]["kind"]) == ("ridge", "none")
    assert len(told["verdict"]) == 3
    assert main(["audit", what, "--learner", "a", "b", "c"]) == 2
    assert "3 learners were named" in capsys.readouterr().err


def test_a_rival_stands_on_the_same_vectors() -> None:
    assert on_same_vectors("neighbours", "prototypes") == "neighbours"
    assert on_same_vectors("neighbours", "ridge@mine.py:encode") == "neighbours@mine.py:encode"
    weights = "prototypes@omniglot-lake"
    assert on_same_vectors("sinkhorn", weights) == f"sinkhorn@{weights}"
    assert on_same_vectors("sinkhorn", f"ridge@{weights}") == f"sinkhorn@{weights}"
    assert find_learner(f"sinkhorn@{weights}").clusters


def vectors() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(1)
    labels = np.repeat(np.arange(12), 9)
    return rng.normal(size=(12, 5))[labels] + rng.normal(size=(108, 5)), labels


def comparable(found: Audit) -> dict[str, object]:
    return {**json.loads(found.to_json()), "seconds": None}


def test_arrays_sources_and_specs_give_the_same(tmp_path: Path) -> None:
    X, y = vectors()
    np.savez(tmp_path / "array.npz", X=X, y=y)
    usual = audit((X, y), learner=["prototypes", "ridge"], episodes=100)
    for data in (from_arrays(X, y), tmp_path / "array.npz", f"array:{tmp_path / 'array.npz'}"):
        assert comparable(audit(data, learner="prototypes", rival="ridge", episodes=100)) == comparable(usual)
    objects = audit((X, y), learner={"prototypes": Prototypes(), "ridge": "ridge"}, episodes=100)
    assert comparable(objects) == comparable(usual)


def test_the_command_line_gives_what_python_gives(capsys: pytest.CaptureFixture[str]) -> None:
    what, sizes = "glyphs:alphabets=4,characters=8/parents/novel", {"way": 3, "shot": 2, "query": 3}
    options = [word for name, size in sizes.items() for word in (f"--{name}", str(size))]
    assert main(["audit", what, "--episodes", "40", "--json", *options]) == 0
    told = json.loads(capsys.readouterr().out)
    found = audit(what, episodes=40, **sizes)
    assert {**told, "seconds": None, "command": []} == comparable(found)
    assert found.data.recipe == "32", "pixels are looked at small"


class Halved(Prototypes):
    """Prototypes on half of each vector."""

    def embed(self, images: torch.Tensor) -> torch.Tensor:
        return images.flatten(1)[:, :2]


def test_an_object_has_its_rival_on_its_own_vectors() -> None:
    first, second = find_contestants(Halved())
    assert (first.name, second.name) == ("Halved", "neighbours@Halved")
    assert second.learner.embed(torch.ones(1, 5)).shape == (1, 2)
    assert find_contestants(find_learner("neighbours"))[1].name == "prototypes"
    found = audit(vectors(), learner=Halved(), episodes=60)
    assert found.accuracy.consistency is not None
    assert found.accuracy.consistency.learner == "sinkhorn@Halved"
    halves = audit((vectors()[0][:, :2], vectors()[1]), episodes=60)
    assert found.accuracy.mean.value == pytest.approx(halves.accuracy.mean.value)
    assert found.duel.comparison.value == pytest.approx(halves.duel.comparison.value)


def test_an_audit_shows_itself_with_the_verdict_first(found: Audit) -> None:
    lines = found.to_text(width=1000).splitlines()
    assert lines[:4] == ["Verdict", *found.verdict.splitlines()]
    assert found.summary() == found.verdict
    assert str(found["twins"].seen) in found.to_text(width=1000)
    assert found.to_frame().shape[0] == 3
    assert "<table" in found._repr_html_()
    assert {*json.loads(found.to_json())} >= FIELDS


def test_what_to_change_stands_in_every_form(found: Audit, tmp_path: Path) -> None:
    page, markdown, notebook = found.save(tmp_path / "a.html").read_text(), found.to_markdown(), found._repr_html_()
    assert found.report(tmp_path / "b.html").read_text() == page, "both are the same page"
    assert markdown.count("### What to change\n\n* ") == 1
    assert markdown == found.save(tmp_path / "a.md").read_text()
    for text in (page, notebook):
        assert text.count("<h3>What to change</h3>\n<ul><li>") == 1
        assert text.count("<caption>Hardest classes</caption>") == 1
        assert text.count("<li>") == len(found.advice)
    for line in found.advice:
        assert f"<li>{html.escape(line)}.</li>" in page
        assert f"<li>{html.escape(line)}.</li>" in notebook
        assert f"* {escape(line)}." in markdown
    for line in found.verdict.splitlines():
        assert page.count(html.escape(line)) == 1, "the page says its answer once"


def test_sentences_are_broken_between_words_and_no_line_is_wider(found: Audit) -> None:
    lines = str(found).splitlines()
    assert all(len(line) <= 80 and line == line.rstrip() for line in lines)
    assert " ".join(lines).split() == found.to_text(width=1000).replace("\n", " ").split()


@pytest.mark.parametrize(
    ("what", "split", "learner", "recipe"),
    [
        ("glyphs/random/novel", None, "prototypes", "32"),
        ("glyphs", "random", "prototypes", "32"),
        ("folder:some/birds", None, "neighbours", "32"),
        ("omniglot/lake/novel", None, "prototypes", None),
        ("omniglot", "lake", "prototypes", None),
        ("array:some.npz", None, "prototypes", None),
        ("glyphs/random/novel", None, "prototypes@mine.py:encode", None),
    ],
)
def test_pixels_are_looked_at_small_unless_something_says_otherwise(
    what: str, split: str | None, learner: str, recipe: str | None
) -> None:
    assert pixels_for(what, split, encodes=has_encoder(learner)) == recipe


@pytest.mark.results
@pytest.mark.parametrize("name", ["glyphs", "omniglot_lake", "omniglot_vinyals", "cifar_fs", "folder"])
def test_committed_audits_are_whole_and_took_less_than_two_minutes(name: str) -> None:
    text = (RESULTS / f"audit_{name}.txt").read_text()
    match = re.search(r"(\d+)\s+seconds\.", text)
    assert match is not None
    assert int(match[1]) < 120
    sections = ("In or out of distribution", "How accurate is a mean?", "Verdict", "What to change", "Hardest classes")
    assert all(f"\n{section}\n" in f"\n{text}" for section in sections)
    verdict = text[f"\n{text}".index("\nVerdict\n") :].split("\n\n")[0].strip().splitlines()[1:]
    assert len(re.findall(r"\.(?= [A-Z0-9]|$)", " ".join(verdict))) == 3
