"""Queries that are not balanced: nothing to a learner that answers them one by one, much to one that counts on it."""

from pathlib import Path

import numpy as np
import pytest

from fairshot.checks.checklist import check
from fairshot.cli.main import main
from fairshot.evaluation.evaluate import answer
from fairshot.sources.source import Source
from fairshot.specs.learners import find_learner
from fairshot.tasks.uniform import Uniform
from tests.conftest import make_vectors

EPISODES = 400
SHARES = (0.5, 2.0, np.inf)


@pytest.fixture(scope="module")
def source() -> Source:
    return make_vectors(classes=20, images=80, features=16, spread=1.5)


@pytest.fixture(scope="module")
def scores(source: Source) -> dict[tuple[str, float], np.ndarray]:
    return {
        (name, a): answer(
            source, find_learner(name), Uniform(way=5, shot=1, query=15, dirichlet=a), episodes=EPISODES
        ).values
        for name in ("prototypes", "balanced_prototypes")
        for a in SHARES
    }


@pytest.mark.parametrize("a", [0.5, 2.0])
def test_a_learner_that_answers_one_by_one_stays_where_it_is(a: float, scores: dict) -> None:
    there, here = scores["prototypes", a], scores["prototypes", np.inf]
    error = np.sqrt((there.var() + here.var()) / EPISODES)
    assert abs(there.mean() - here.mean()) < 3.5 * error
    assert 3.5 * error < 0.04  # small enough to see what the other learner loses


def test_a_learner_that_counts_on_balance_loses_and_the_more_the_less_there_is(scores: dict) -> None:
    gain = {a: scores["balanced_prototypes", a].mean() - scores["prototypes", a].mean() for a in SHARES}
    assert gain[np.inf] > 0.05  # balanced queries tell it much
    assert gain[2.0] < gain[np.inf] - 0.05
    assert gain[0.5] < gain[2.0] - 0.05
    for a in (0.5, 2.0):
        there, here = scores["balanced_prototypes", a], scores["balanced_prototypes", np.inf]
        assert there.mean() < here.mean() - 10 * np.sqrt((there.var() + here.var()) / EPISODES)


def test_infinity_means_the_same_number_of_queries_of_every_class(source: Source) -> None:
    def spread(a: float) -> float:
        sampled = Uniform(way=5, shot=1, query=15, dirichlet=a).sample(source, range(50), 0)
        counts = np.stack([(sampled.query_labels == label).sum(1) for label in range(5)], axis=1)
        assert (counts.sum(1) == 75).all()
        return float(counts.std())

    assert spread(np.inf) == 0
    assert spread(0.5) > spread(2.0) > 3


def test_looking_at_the_other_queries_is_no_leak_once_it_is_said(source: Source) -> None:
    findings = {finding.check: finding for finding in check(find_learner("balanced_prototypes"), source)}
    found = findings["one_query"]
    assert found.outcome == "not applicable"
    assert found.seen.startswith("declared transductive: ")
    assert found.seen.endswith(" when asked alone or with half of the others")
    assert not [finding for finding in findings.values() if finding.outcome in ("leak", "warning")]


def test_the_command_says_so_too(source: Source, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    np.savez(tmp_path / "few.npz", X=source.store[:800], y=source.class_ids[:800])
    assert main(["check", "balanced_prototypes", "--on", f"array:{tmp_path}/few.npz", "--episodes", "2"]) == 0
    assert "declared transductive" in " ".join(capsys.readouterr().out.split())
