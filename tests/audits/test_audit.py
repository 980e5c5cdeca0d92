"""The verb `audit`: what it says about a benchmark, and that it says so of any."""

import json
import re
from pathlib import Path

import numpy as np
import pytest
import torch

from fairshot.audits.audit import audit, distribution_of, fitting_task, pixels_for
from fairshot.audits.contestants import find_contestants, has_encoder, on_same_vectors
from fairshot.audits.findings import Audit
from fairshot.cli.main import main
from fairshot.evaluation.compare import compare
from fairshot.evaluation.evaluate import evaluate
from fairshot.learners.classifiers.prototypes import Prototypes
from fairshot.runtime.errors import FairshotError
from fairshot.sources.array import from_arrays
from fairshot.specs.data import find_split
from fairshot.specs.learners import find_learner
from fairshot.splits.split import Split
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
    assert found.classes.one_point is not None
    scale = widths[0] * np.sqrt(found.classes.curve[0].classes)
    assert scale / np.sqrt(found.classes.one_point) == pytest.approx(0.01, rel=0.01)
    flips = [found.duel.flips[gap] for gap in ("0.5", "1", "2")]
    assert flips == sorted(flips, reverse=True)


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
    lines = str(found).splitlines()
    assert lines[:4] == ["Verdict", *found.verdict.splitlines()]
    assert found.summary() == found.verdict
    assert str(found["twins"].seen) in str(found)
    assert found.to_frame().shape[0] == 3
    assert "<table" in found._repr_html_()
    assert {*json.loads(found.to_json())} >= FIELDS


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
    match = re.search(r"(\d+) seconds\.", text)
    assert match is not None
    assert int(match[1]) < 120
    sections = ("In or out of distribution", "How sure is a mean?", "Verdict", "What to change", "Hardest classes")
    assert all(f"\n{section}\n" in f"\n{text}" for section in sections)
    verdict = text[f"\n{text}".index("\nVerdict\n") :].split("\n\n")[0].strip().splitlines()[1:]
    assert len(verdict) == 3
