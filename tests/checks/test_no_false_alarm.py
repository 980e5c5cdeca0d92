"""No false alarm: every learner that is shipped passes every check, on images and on feature vectors."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from torch import Tensor

from fairshot.checks.checklist import all_checks, check
from fairshot.learners.foreign.estimators import Estimator
from fairshot.learners.learner import Classifier, TaskBatch
from fairshot.runtime.errors import FairshotError
from fairshot.sources.source import Source
from fairshot.specs.data import find_part
from fairshot.specs.learners import find_learner
from fairshot.specs.registry import names
from tests.checks.fragile import Base
from tests.checks.unusual import UNUSUAL
from tests.checks.worlds import learner_findings, make_images, make_source
from tests.conftest import make_vectors
from tests.learners.test_contracts import SPECS
from tests.paths import DOCS


@pytest.fixture(scope="module")
def glyphs() -> Source:
    return find_part("glyphs:alphabets=4,characters=5", recipe="14")


@pytest.fixture(scope="module")
def drawings() -> Source:
    return make_source(make_images(images=20))


def _episodes(learner: Classifier) -> int:
    """Learners that take one task at a time are asked fewer, as their users would do."""
    return 8 if learner.threads else 4


def test_glyphs_and_vectors_are_clean(glyphs: Source) -> None:
    for part in (glyphs, make_vectors(classes=10, images=12, spread=0.7)):
        report = check("prototypes", part)
        assert report, str(report)
        assert report.warnings == ()


@pytest.mark.parametrize("spec", SPECS)
def test_on_glyphs(spec: str, glyphs: Source) -> None:
    learner = find_learner(spec)
    findings = learner_findings(learner, glyphs, _episodes(learner))
    assert [(finding.check, finding.seen) for finding in findings if finding.outcome in ("leak", "warning")] == []


@pytest.mark.parametrize("spec", [spec for spec in SPECS if find_learner(spec).reads == "both"])
def test_on_vectors(spec: str) -> None:
    learner, source = find_learner(spec), make_vectors(classes=10, images=12, spread=0.7)
    if learner.threads:  # far from zero, 32-bit sums lose digits; the solvers of the others need ages there
        source.store[:] += 100
    findings = learner_findings(learner, source, _episodes(learner))
    assert [(finding.check, finding.seen) for finding in findings if finding.outcome in ("leak", "warning")] == []


def test_every_file_is_a_check_and_learners_come_first() -> None:
    found = all_checks()
    assert {one.name for one in found} == set(names("checks"))
    assert [one.about for one in found] == sorted((one.about for one in found), reverse=True)


def test_no_episodes_are_refused(glyphs: Source) -> None:
    with pytest.raises(FairshotError) as caught:
        check(find_learner("prototypes"), glyphs, episodes=0)
    assert str(caught.value) == "0 episodes were asked for: ask for at least 1"


def test_the_page_explains_every_check() -> None:
    page = (DOCS / "checks.md").read_text()
    explained = re.findall(r"^\| `([a-z_]+)` \|", page, re.MULTILINE)
    assert sorted(explained) == sorted([*names("checks"), *names("sampler_checks")])


@pytest.mark.parametrize("estimator", [*map(KNeighborsClassifier, (2, 3, 5)), RandomForestClassifier(4), GaussianNB()])
def test_ties_and_random_trees_are_no_leaks(estimator: object, glyphs: Source) -> None:
    findings = learner_findings(Estimator(estimator), glyphs, 4)
    found = {finding.check: finding.outcome for finding in findings if finding.outcome in ("leak", "warning")}
    assert set(found.values()) <= {"warning"}
    assert set(found) <= {"class_order", "support_order"}


@pytest.mark.parametrize("name", UNUSUAL)
def test_unusual_learners_are_no_leaks(name: str, tmp_path: Path, drawings: Source) -> None:
    findings = learner_findings(UNUSUAL[name](tmp_path), drawings)
    assert [(finding.check, finding.seen) for finding in findings if finding.outcome in ("leak", "warning")] == []


@dataclass
class Counting(Base):
    """Counts the episodes that it answers, copies of it included."""

    answered: ClassVar[int] = 0

    def classify(self, batch: TaskBatch) -> Tensor:
        type(self).answered += len(batch.way)
        return super().classify(batch)


def test_a_slow_learner_is_not_asked_too_much(drawings: Source) -> None:
    check(Counting(), drawings)
    assert Counting.answered <= 120
