"""A test stands where its module stands: src/fairshot/a/b.py is tested by tests/a/test_b.py, and a package a by
tests/a/test_a.py.
"""

from pathlib import Path

import pytest

from tests.paths import ROOT

TESTS, PACKAGE = ROOT / "tests", ROOT / "src" / "fairshot"
ELSEWHERE = {
    "committed": "what the results in results/ must show, whichever modules made them",
    "test_docs.py": "pages, not modules",
    "test_layout.py": "this page",
    "test_plugins.py": "what anybody may add to the package, of every kind",
    "test_shape_checks.py": "how the tests themselves check types and shapes",
    "reports/charts/test_two_sides.py": "several charts of one kind of study",
    "test_built_site.py": "the site, not modules",
    "test_site.py": "the site, not modules",
    "test_style.py": "rules for every module",
    "test_surface.py": "the package itself",
    "test_workers.py": "how the tests themselves are handed out",
    "checks/test_data_leaks.py": "every check of data, before data that leaks",
    "checks/test_learner_leaks.py": "every check of learners, before learners that leak",
    "checks/test_no_false_alarm.py": "all checks at once, before what is clean",
    "checks/test_outside.py": "all checks at once, before learners that look outside",
    "reports/pages/test_browser.py": "pages of every kind, in a browser",
    "evaluation/test_train_own_code.py": "train, before learners and networks of somebody's own",
    "evaluation/test_unequal_clusters.py": "consistency and clusterers together, in episodes of unequal classes",
    "learners/foreign/test_answers.py": "every way to bring a learner of one's own",
    "learners/networks/test_listing.py": "every network",
    "learners/networks/test_sizes.py": "every network",
    "learners/networks/test_tasks.py": "every network",
    "learners/test_contracts.py": "what every learner must keep",
    "learners/test_heads.py": "every head that networks are trained through",
    "learners/test_references.py": "several learners against other people's programs",
    "reports/test_sentences.py": "sentences of every report: none may contradict its numbers",
    "scoring/test_committed_scores.py": "what the results in results/ must show",
    "statistics/intervals/test_derivation.py": "every interval against one page and plain loops",
}
"""Tests of no single module, or of many at once."""


def has_owner(test: Path) -> bool:
    """Whether a module, or a folder of modules or files, stands at the place of a test."""
    home, name = PACKAGE / test.parent, test.stem.removeprefix("test_")
    return (home / f"{name}.py").is_file() or (home / name).is_dir() or (home.is_dir() and home.name == name)


def modules() -> list[Path]:
    """Every file of tests, as a path below tests/."""
    return sorted(file.relative_to(TESTS) for file in TESTS.rglob("test_*.py"))


@pytest.mark.parametrize(
    ("test", "stands"),
    [
        ("tasks/test_uniform.py", True),
        ("learners/solvers/test_transport.py", True),
        ("learners/test_solvers.py", True),
        ("metrics/test_metrics.py", True),
        ("learners/test_transport.py", False),
        ("tasks/test_accuracy.py", False),
        ("test_uniform.py", False),
    ],
)
def test_a_module_is_found_at_its_own_path_alone(test: str, stands: bool) -> None:
    assert has_owner(Path(test)) == stands


def test_every_test_stands_where_its_module_stands() -> None:
    lost = [
        str(test)
        for test in modules()
        if str(test) not in ELSEWHERE and test.parts[0] not in ELSEWHERE and not has_owner(test)
    ]
    assert not lost, f"no module stands at the place of {', '.join(lost)}: move them, or give a reason in ELSEWHERE"


def test_exceptions_are_needed() -> None:
    needless = [test for test in ELSEWHERE if has_owner(Path(test))]
    assert not needless
