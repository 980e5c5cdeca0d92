"""Samplers: faults that were planted are found, known faults of public tools too, and clean samplers pass."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import fairshot as fs
from fairshot.cli.main import main

WAY, SHOT, QUERY = 5, 2, 4
SIZES = {"way": WAY, "shot": SHOT, "query": QUERY}


def class_rows(labels: list[int]) -> list[np.ndarray]:
    return [np.flatnonzero(np.array(labels) == one) for one in np.unique(labels)]


def split(rng: np.random.Generator, rows: list[np.ndarray]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """One fair episode out of the rows of its classes: items and labels of both sides, queries shuffled."""
    drawn = [rng.choice(own, SHOT + QUERY, replace=False) for own in rows]
    support = np.concatenate([own[:SHOT] for own in drawn])
    order = rng.permutation(len(rows) * QUERY)
    query, labels = np.concatenate([own[SHOT:] for own in drawn]), np.repeat(np.arange(len(rows)), QUERY)
    return support, np.repeat(np.arange(len(rows)), SHOT), query[order], labels[order]


class Fair:
    """Support and query with labels, shuffled: nothing to find."""

    def __init__(self, labels: list[int], way: int, episodes: int) -> None:
        self.rows, self.way, self.episodes = class_rows(labels), way, episodes
        self.rng = np.random.default_rng(0)

    def classes(self) -> list[np.ndarray]:
        return [self.rows[one] for one in self.rng.choice(len(self.rows), self.way, replace=False)]

    def __iter__(self) -> Iterator[Any]:
        for _ in range(self.episodes):
            yield self.change(*split(self.rng, self.classes()))

    def change(self, support: Any, support_labels: Any, query: Any, query_labels: Any) -> Any:
        return support, support_labels, query, query_labels


def fair_pairs(labels: list[int], way: int) -> Iterator[Any]:
    """(support, query) without labels, for ever."""
    rng, rows = np.random.default_rng(1), class_rows(labels)
    while True:
        chosen = [rows[one] for one in rng.choice(len(rows), way, replace=False)]
        support, _, query, _ = split(rng, chosen)
        yield support, query


class FairBatches(Fair):
    """Many episodes at once, as torchmeta gives them."""

    def __iter__(self) -> Iterator[Any]:
        for _ in range(self.episodes // 10):
            many = [split(self.rng, self.classes()) for _ in range(10)]
            support, support_labels, query, query_labels = (np.stack(side) for side in zip(*many, strict=True))
            yield {"train": (support, support_labels), "test": (query, query_labels)}


@pytest.mark.parametrize("sampler", [Fair, fair_pairs, FairBatches])
def test_clean_samplers_pass(sampler: Any) -> None:
    report = fs.check(sampler, **SIZES)
    assert {finding.check: finding.seen for finding in report if finding.outcome in ("leak", "warning")} == {}
    assert report.passed
    assert report.episodes >= 1000


class SharesItems(Fair):
    """Queries are drawn anew, without looking at the support."""

    def change(self, support: Any, support_labels: Any, query: Any, query_labels: Any) -> Any:
        query = query.copy()
        query[:WAY] = support[::SHOT][query_labels[:WAY]]
        return support, support_labels, query, query_labels


class ByClass(Fair):
    """Queries come class by class."""

    def change(self, support: Any, support_labels: Any, query: Any, query_labels: Any) -> Any:
        order = np.argsort(query_labels, kind="stable")
        return support, support_labels, query[order], query_labels[order]


class Sticky(Fair):
    """Each episode keeps two classes of the one before it."""

    kept: tuple[int, ...] = ()

    def classes(self) -> list[np.ndarray]:
        others = [one for one in range(len(self.rows)) if one not in self.kept]
        chosen = [*self.kept, *self.rng.choice(others, self.way - len(self.kept), replace=False)]
        self.rng.shuffle(chosen)
        self.kept = tuple(chosen[:2])
        return [self.rows[one] for one in chosen]


class HalfOfClasses(Fair):
    """Only the first half of the classes is ever drawn, as in github.com/kjaved0/mrcl/issues/17."""

    def classes(self) -> list[np.ndarray]:
        return [self.rows[one] for one in self.rng.choice(len(self.rows) // 2, self.way, replace=False)]


class Recycled(Fair):
    """A hundred fixed tasks, again and again."""

    def __iter__(self) -> Iterator[Any]:
        for number in range(self.episodes):
            self.rng = np.random.default_rng(number % 100)
            yield split(self.rng, self.classes())


class TwiceTheClass(Fair):
    """Classes are drawn with replacement."""

    def classes(self) -> list[np.ndarray]:
        return [self.rows[one] for one in self.rng.choice(len(self.rows), self.way)]

    def change(self, support: Any, support_labels: Any, query: Any, query_labels: Any) -> Any:
        return support, query


class WithReplacement(Fair):
    """A support image may be its own twin."""

    def change(self, support: Any, support_labels: Any, query: Any, query_labels: Any) -> Any:
        support = support.copy()
        support[1] = support[0]
        return support, support_labels, query, query_labels


class FixedSupport(Fair):
    """The first images of a class are support, the later ones queries: github.com/google-research/meta-dataset/issues/54."""

    def __iter__(self) -> Iterator[Any]:
        for _ in range(self.episodes):
            chosen = self.classes()
            support = np.concatenate([self.rng.choice(own[:5], SHOT, replace=False) for own in chosen])
            yield (
                support,
                self.rng.permutation(
                    np.concatenate([self.rng.choice(own[5:], QUERY, replace=False) for own in chosen])
                ),
            )


class SplitAnew(Fair):
    """Support and query are cut from two shuffles: github.com/tristandeleu/pytorch-meta/pull/31."""

    def __iter__(self) -> Iterator[Any]:
        for _ in range(self.episodes):
            chosen = self.classes()
            support = np.concatenate([self.rng.permutation(own)[:SHOT] for own in chosen])
            query = np.concatenate([self.rng.permutation(own)[SHOT : SHOT + QUERY] for own in chosen])
            yield support, self.rng.permutation(query)


class SortedLabels(Fair):
    """Labels follow the numbers of the classes."""

    def classes(self) -> list[np.ndarray]:
        return sorted(super().classes(), key=lambda own: own[0])


FAULTS = {
    SharesItems: ("overlap", "leak"),
    ByClass: ("order", "leak"),
    Sticky: ("dependence", "leak"),
    HalfOfClasses: ("reach", "leak"),
    Recycled: ("dependence", "leak"),
    TwiceTheClass: ("balance", "leak"),
    WithReplacement: ("repeats", "leak"),
    FixedSupport: ("roles", "warning"),
    SplitAnew: ("overlap", "leak"),
    SortedLabels: ("names", "warning"),
}


@pytest.mark.parametrize(("sampler", "fault"), FAULTS.items(), ids=[kind.__name__ for kind in FAULTS])
def test_planted_and_known_faults_are_found(sampler: type, fault: tuple[str, str]) -> None:
    report = fs.check(sampler, **SIZES)
    assert (report[fault[0]].outcome, report[fault[0]].seen) == (fault[1], report[fault[0]].seen)
    assert report.passed == (fault[1] == "warning")


class Dealt(Fair):
    """Classes are dealt out in turn, so that episodes depend on each other without a leak."""

    def __iter__(self) -> Iterator[Any]:
        for _ in range(self.episodes // 4):
            order = self.rng.permutation(len(self.rows)).reshape(-1, self.way)
            for chosen in order:
                support, _, query, _ = split(self.rng, [self.rows[one] for one in chosen])
                yield support, query


def test_classes_that_are_dealt_out_in_turn_are_a_warning() -> None:
    report = fs.check(Dealt, **SIZES)
    assert report["dependence"].outcome == "warning"
    assert "dealt out in turn" in report["dependence"].seen


class TaskSampler:
    """As easyfsl's: a batch sampler of n_way * (n_shot + n_query) indices, class by class."""

    def __init__(self, dataset: Any, n_way: int, n_shot: int, n_query: int, n_tasks: int) -> None:
        self.rows = class_rows(dataset.get_labels())
        self.sizes, self.n_tasks, self.rng = (n_way, n_shot + n_query), n_tasks, np.random.default_rng(0)

    def __iter__(self) -> Iterator[list[int]]:
        for _ in range(self.n_tasks):
            chosen = self.rng.choice(len(self.rows), self.sizes[0], replace=False)
            yield [int(i) for one in chosen for i in self.rng.choice(self.rows[one], self.sizes[1], replace=False)]


class CategoriesSampler:
    """As in many repositories: n_batch tensors, round by round."""

    def __init__(self, label: list[int], n_batch: int, n_cls: int, n_per: int) -> None:
        self.rows, self.sizes, self.n_batch = class_rows(label), (n_cls, n_per), n_batch
        self.rng = np.random.default_rng(0)

    def __iter__(self) -> Iterator[Any]:
        import torch

        for _ in range(self.n_batch):
            chosen = self.rng.choice(len(self.rows), self.sizes[0], replace=False)
            drawn = [self.rng.choice(self.rows[one], self.sizes[1], replace=False) for one in chosen]
            yield torch.from_numpy(np.stack(drawn).T.reshape(-1).copy())


class Taskset:
    """As learn2learn's: (data, labels), of which every second one is support."""

    def __init__(self, dataset: Any, ways: int, train_samples: int) -> None:
        self.dataset, self.rows = dataset, class_rows(dataset.targets)
        self.sizes, self.rng = (ways, train_samples), np.random.default_rng(0)

    def sample(self) -> Any:
        import torch

        chosen = self.rng.choice(len(self.rows), self.sizes[0], replace=False)
        ids = [i for one in chosen for i in self.rng.choice(self.rows[one], self.sizes[1], replace=False)]
        data = torch.tensor([float(self.dataset[i][0]) for i in ids])
        return data, torch.arange(self.sizes[0]).repeat_interleave(self.sizes[1])


@pytest.mark.parametrize("sampler", [TaskSampler, CategoriesSampler, Taskset])
def test_layouts_of_public_tools_are_read(sampler: type) -> None:
    report = fs.check(sampler, **SIZES)
    for check in ("overlap", "repeats", "balance", "dependence", "reach", "roles"):
        assert report[check].outcome == "ok", (check, report[check].seen)
    flat = sampler is not Taskset
    assert report["order"].outcome == ("warning" if flat else "leak"), (
        "queries come in the order of classes in all three"
    )


def test_groups_of_the_data_are_kept_apart() -> None:
    y = np.repeat(np.arange(8), 12)
    X = np.random.default_rng(0).normal(size=(96, 3))
    source = fs.sources.from_arrays(X, y, groups=np.arange(96) // 3)
    report = fs.check(Fair, source, **SIZES)
    assert report["group_sides"].outcome == "leak"
    assert fs.check(Fair, **SIZES)["group_sides"].outcome == "not applicable"


SCRIPT = """
import random

class Mine:
    def __init__(self, labels, n_way, n_shot, n_query, n_tasks=200, overlap=False):
        self.labels, self.sizes, self.n_tasks, self.overlap = labels, (n_way, n_shot, n_query), n_tasks, overlap

    def __iter__(self):
        way, shot, query = self.sizes
        for _ in range(self.n_tasks):
            support, asked = [], []
            for one in random.sample(sorted(set(self.labels)), way):
                own = random.sample([i for i, label in enumerate(self.labels) if label == one], shot + query)
                support += own[:shot]
                asked += own[:query] if self.overlap else own[shot:]
            random.shuffle(asked)
            yield support, asked

def broken(labels):
    raise ValueError("no luck")

def strange(labels):
    yield "abc"
"""


def test_the_command_finds_a_sampler_in_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "sampler.py"
    file.write_text(SCRIPT)
    assert main(["check", f"{file}:Mine"]) == 0
    assert "No leak found" in capsys.readouterr().out
    assert main(["check", f"{file}:Mine:overlap=True", "--shot", "2", "--json"]) == 1
    assert "items of their own support" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("broken", "broken failed (ValueError: no luck)"),
        ("strange", "the sampler yields a str, which holds no indices of items"),
    ],
)
def test_bad_samplers_get_one_clear_line(tmp_path: Path, name: str, message: str) -> None:
    (tmp_path / "sampler.py").write_text(SCRIPT)
    with pytest.raises(fs.FairshotError) as error:
        fs.check(f"{tmp_path / 'sampler.py'}:{name}")
    assert message in str(error.value)


def test_learners_are_still_learners() -> None:
    def nearest(support: Any, labels: Any, query: Any) -> Any:
        return labels[((query[:, None] - support[None]) ** 2).sum(-1).argmin(1)]

    from fairshot.checks.samplers.sampler import is_sampler

    def also(data: Any, labels: Any, query: Any) -> Any:
        return nearest(data, labels, query)

    calls: list[Callable[..., Any]] = [nearest, also]
    assert [is_sampler(call) for call in calls] == [False, False]
    assert not is_sampler(fs.learners.Classifier)
